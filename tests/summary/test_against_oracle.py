"""Thousands of random cases: the code against the independent computation in oracle.py."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oyer.arith import half_up
from oyer.protocols.judge_lock import PROTOCOL as JUDGE_LOCK
from oyer.protocols.twin_lock import PROTOCOL as TWIN_LOCK
from oyer.types import Protocol, Verdict
from tests.summary import oracle
from tests.summary.good_replies import case, codes, heard


def pool(words: str) -> list[str]:
    return words.split()


NOUNS = pool("council mayor river bridge engineer budget school hospital train station market "
             "farmer storm forest museum author clinic harbour company worker")  # fmt: skip
VERBS = pool("builds closes opens paints repairs buys sells visits measures defends")
EXTRAS = pool("slowly again 3.5 45 2028 1,500 “quietly” before Monday – near the old big cheap")
FOREIGN = pool("zebra quartz violin comet volcano penguin satellite orchid glacier saxophone")
PLANTED = {"shit": "profanity", "faggot": "slur", "women are lazy": "stereotype"}
MODELLED = ("evidence.", "qag.", "points.", "claims.", "span.", "lexicon.", "extraneous.")

run = settings(
    max_examples=2000, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip


class Maker:
    """Random articles, summaries and replies, mostly near the edges of the rules."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.kinds: set[str] = set()
        self.quotes = self.r.random() < 0.5

    def sentence(self, nouns: list[str]) -> str:
        r = self.r
        words = [r.choice(nouns), r.choice(VERBS)]
        words += [r.choice(nouns + EXTRAS) for _ in range(r.randint(1, 9))]
        return "The " + " ".join(words)

    def texts(self) -> tuple[str, str]:
        r = self.r
        said = [self.sentence(NOUNS) for _ in range(r.randint(2, 6))]
        article = ". ".join(said) + "."
        parts: list[str] = []
        for _ in range(r.randint(1, 5)):
            kind = r.random()
            if kind < 0.6:
                parts.append(r.choice(said))
            elif kind < 0.85:
                parts.append(self.sentence(NOUNS + FOREIGN))
            else:
                parts.append(self.sentence(FOREIGN))
        if r.random() < 0.15:
            word = r.choice(list(PLANTED))
            self.kinds.add(PLANTED[word])
            parts.append(f"The mayor says {word} again and again")
        summary = "".join(p + r.choice([". ", ". ", "; ", ".\n", " \n"]) for p in parts)
        return self.typeset(article), self.typeset(summary.strip() or "x")

    def typeset(self, text: str) -> str:
        if self.r.random() < 0.6:
            return text
        changes = {" ": [" ", " ", " ", "\u00a0", "  ", "\n "], "r": ["r", "r", "\u00adr"]}
        out = "".join(self.r.choice(changes.get(c, [c])) for c in text)
        return out if "women are" not in text else text

    def stretch(self, text: str, low: int, high: int) -> str:
        tokens = text.split()
        size = min(self.r.randint(low, high), len(tokens))
        start = self.r.randint(0, len(tokens) - size)
        cut = " ".join(tokens[start : start + size]).rstrip(".;")
        return oracle.plain(cut) if self.r.random() < 0.5 else cut

    def quote(self, own: str, other: str) -> str:
        kind = self.r.random()
        if kind < 0.75:
            return self.as_models_write(self.stretch(own, 4, 8))
        if kind < 0.85:
            return self.stretch(own, 1, 16)
        if kind < 0.93:
            return self.stretch(other, 4, 6)
        return self.r.choice(["", "  ", "words that stand in neither text", "ouncil builds the"])

    def as_models_write(self, quote: str) -> str:
        """Sometimes in quotation marks, with a full stop, detokenised, or in another case."""
        r = self.r
        quote = r.choice([quote] * 8 + [f'"{quote}"', f"“{quote}.”", f"{quote}.", f"'{quote}'."])
        if r.random() < 0.1:
            quote = quote.replace(".", " .").replace("”", " ”")
        return quote.upper() if r.random() < 0.02 else quote

    def evidence(self, own: str, other: str) -> dict[str, str]:
        """What a reply to our own prompt has beside a label."""
        if not self.quotes:
            return {}
        return self.r.choice([{}, {"evidence": ""}, *[{"evidence": self.quote(own, other)}] * 6])

    def pairs(self, own: str, other: str) -> list[dict[str, str]]:
        r = self.r
        status = ["Correct"] * r.choice([1, 4, 30]) + ["Partial", "Wrong"]
        count = 6 if r.random() < 0.85 else r.randint(0, 8)
        made = [{"status": r.choice(status), "evidence": self.quote(own, other)}
                for _ in range(count)]  # fmt: skip
        if made and r.random() < 0.2:
            made[-1]["evidence"] = made[0]["evidence"]
        return made

    def claims(self, summary: str, article: str, labels: list[str]) -> list[dict[str, Any]]:
        r = self.r
        made = []
        for _ in range(r.choice([1, 2, 3, 4, 8, 9, 10, 12])):
            kind = r.random()
            text = (self.stretch(summary, 2, 9) if kind < 0.5 else self.sentence(NOUNS)
                    if kind < 0.8 else self.sentence(FOREIGN))  # fmt: skip
            text = self.as_models_write(text)
            claim = {"claim": text, "status": r.choice(labels)}
            if r.random() < 0.4:
                claim["span"] = self.stretch(summary, 1, 9) if r.random() < 0.8 else "no such span"
            made.append({**claim, **self.evidence(article, summary)})
        return made

    def score(self) -> Any:
        return self.r.choice([0, 2, 3, 4.5, 5, 7.25, 9.5, 10, 10])

    def reply(self, summary: str, article: str, claim_labels: list[str]) -> dict[str, Any]:
        r = self.r
        fully = ["Fully"] * r.choice([1, 6, 20]) + ["Partial", "Not"]
        issues = r.choice([[], [], [], ["slur"], ["profanity"], ["stereotype"], ["bias"]])
        return {
            "coverage": {
                "metric": "coverage",
                "key_points": [
                    {
                        "point": self.sentence(NOUNS),
                        "coverage": r.choice(fully),
                        **self.evidence(summary, article),
                    }
                    for _ in range(r.choice([0, 2, 3, 4, 5, 6, 7, 8]))
                ],
                "qag_results": self.pairs(summary, article),
                "extraneous": [
                    {"text": self.stretch(r.choice([summary, article]), 1, 8)}
                    for _ in range(r.choice([0, 0, 0, 1, 2]))
                ],
            },
            "alignment": {
                "metric": "alignment",
                "overall_score": self.score(),
                "deviations": [
                    {"summary_text": self.quote(summary, article)}
                    for _ in range(r.choice([0, 0, 1, 2]))
                ],
            },
            "hallucination": {
                "metric": "hallucination",
                "claims_checked": self.claims(summary, article, claim_labels),
                "qag_results": self.pairs(article, summary),
            },
            "relevance": {"metric": "relevance"},
            "bias_toxicity": {
                "metric": "bias_toxicity",
                "tone": "neutral",
                "issues_found": [
                    {"type": kind, "text": self.quote(summary, article)} for kind in issues
                ],
                "bias_score": self.score(),
                "tox_score": self.score(),
            },
        }


def agree(verdict: Verdict, wanted: oracle.Outcome, protocol: Protocol[Any]) -> None:
    assert verdict.status == "scored", verdict.violations
    assert verdict.scores is not None
    for metric, score in wanted.scores.items():
        assert verdict.scores[metric] == float(half_up(score, 2)), metric
        assert 0 <= verdict.scores[metric] <= 10
    weight = protocol.weights
    total = sum(weight[m] * s for m, s in wanted.scores.items()) / sum(weight.values())
    assert verdict.total == float(half_up(Fraction(total), 2))
    fired = {(s.rule, s.formula.split(" ≤ ")[0]) for s in verdict.trace if "before" in s.inputs}
    assert fired == wanted.caps
    assert {c for c in codes(verdict) if c[0].startswith(MODELLED)} == wanted.broken


def made(seed: int, labels: list[str]) -> tuple[Maker, str, str, dict[str, Any]]:
    maker = Maker(seed)
    article, summary = maker.texts()
    return maker, article, summary, maker.reply(summary, article, labels)


@run
@given(st.integers(0, 2**40))
def test_judge_lock_is_the_specification(seed: int) -> None:
    liars = ["Supported"] * (seed % 7 * 5) + ["Partial", "Unsupported"]
    maker, article, summary, reply = made(seed, liars)
    verdict = heard(JUDGE_LOCK, reply, case(article, summary, language="en"))
    wanted = oracle.judge_lock(article, summary, {**reply, "__summary": summary}, maker.kinds)
    agree(verdict, wanted, JUDGE_LOCK)


@run
@given(st.integers(0, 2**40))
def test_twin_lock_is_the_specification(seed: int) -> None:
    liars = ["Supported"] * (seed % 7 * 5) + ["Partially", "Unsupported"]
    maker, article, summary, reply = made(seed, liars)
    for issue in reply["bias_toxicity"]["issues_found"]:
        issue["type"] = "Toxicity"
    verdict = heard(TWIN_LOCK, reply, case(article, summary, language="en"))
    wanted = oracle.twin_lock(article, summary, {**reply, "__summary": summary}, maker.kinds)
    agree(verdict, wanted, TWIN_LOCK)


@pytest.mark.parametrize(
    ("protocol", "compute", "partial"),
    [(JUDGE_LOCK, oracle.judge_lock, "Partial"), (TWIN_LOCK, oracle.twin_lock, "Partially")],
    ids=["judge-lock", "twin-lock"],
)
def test_the_random_cases_hit_every_cap(protocol: Any, compute: Any, partial: str) -> None:
    """Else the comparison above would prove less than it says."""
    fired: set[str] = set()
    for seed in range(400):
        maker, article, summary, reply = made(seed, ["Supported"] * 8 + [partial, "Unsupported"])
        out = compute(article, summary, {**reply, "__summary": summary}, maker.kinds)
        fired |= {rule for rule, _ in out.caps}
    caps = {r for r in protocol.rules if "-CAP-" in r or "-TOX-" in r or "-BIAS-" in r}
    assert fired == caps
