"""The two summary protocols once more, written from the specification alone and without haste.

Nothing here imports the code under test, except the stop words, which are data. Everything is a
plain loop over characters, so that a clever mistake over there is not repeated here.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import Stemmer

from oyer.text.stopwords import STOP_WORDS

HALF = Fraction(1, 2)
QUOTES = {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-"}
STEMMER = Stemmer.Stemmer("english")


def folded(text: str) -> list[tuple[str, int]]:
    """Characters after folding, each with the place it came from."""
    out: list[tuple[str, int]] = []
    for i, char in enumerate(text):
        if char in "\u00ad\u200b":
            continue
        if char.isspace():
            if out and out[-1][0] != " ":
                out.append((" ", i))
            continue
        out.append((QUOTES.get(char, char), i))
    if out and out[-1][0] == " ":
        out.pop()
    return out


def plain(text: str) -> str:
    return "".join(char for char, _ in folded(text))


def place(quote: str, text: str) -> tuple[int, int] | None:
    """Where the quote stands: its very characters if they do, else folded, trimmed, unspaced."""
    wanted, cells, exact = plain(quote), folded(text), quote.strip()
    if not wanted:
        return None
    for i in range(len(text) - len(exact) + 1):
        end = i + len(exact)
        beside = text[max(0, i - 1) : i] + text[end : end + 1]
        if text[i:end] == exact and "\u00ad" not in beside and edge(text, i) and edge(text, end):
            return i, end
    ways = [wanted, *trims(wanted)]
    for way in ways:
        found = among(way, cells, cells)
        if found:
            return found
    for way in ways:
        found = among(unspaced_text(way), unspaced(cells), cells)
        if found:
            return found
    return None


def trims(quote: str) -> list[str]:
    """JL-QUOTE-TRIM: quotation marks around the whole, one closing mark, both."""
    ways = []
    inner = quote[1:-1].strip() if quote[0] == quote[-1] and quote[0] in "'\"" else ""
    if inner:
        ways.append(inner)
    base = inner or quote
    if base[-1] in ".,;:!?":
        ways.append(base[:-1].strip())
        rest = ways[-1]
        if not inner and len(rest) > 2 and rest[0] == rest[-1] and rest[0] in "'\"":
            ways.append(rest[1:-1].strip())
    return [way for way in ways if way]


def unspaced(cells: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """JL-QUOTE-BLANK: without blanks before punctuation, 's and n't; numbers stay as they are."""
    text = "".join(c for c, _ in cells)
    out = []
    for i, cell in enumerate(cells):
        if cell[0] == " ":
            rest = text[i + 1 :]
            mark = rest[:1] in tuple(".,;:!?%)]}'\"")
            number = text[i - 1 : i].isdigit() and rest[1:2].isdigit()
            nt = re.match(r"n't(?!\w)", rest) and text[i - 1 : i].isalpha()
            if (mark and not number) or nt:
                continue
        out.append(cell)
    return out


def unspaced_text(text: str) -> str:
    return "".join(c for c, _ in unspaced([(c, i) for i, c in enumerate(text)]))


def among(
    wanted: str, cells: list[tuple[str, int]], whole: list[tuple[str, int]]
) -> tuple[int, int] | None:
    """The first place among the cells that starts and ends at edges of the whole text."""
    hay, text = "".join(c for c, _ in cells), "".join(c for c, _ in whole)
    order = {at: k for k, (_, at) in enumerate(whole)}
    for i in range(len(hay) - len(wanted) + 1):
        if hay[i : i + len(wanted)] != wanted:
            continue
        first, last = order[cells[i][1]], order[cells[i + len(wanted) - 1][1]] + 1
        if edge(text, first) and edge(text, last):
            return cells[i][1], cells[i + len(wanted) - 1][1] + 1
    return None


def edge(text: str, i: int) -> bool:
    before, after = text[:i], text[i:]
    if re.search(r"\w\Z", before) and re.match(r"\w", after):
        return False
    if re.search(r"\d\Z", before) and re.match(r"[.,]\d", after):
        return False
    return not (re.search(r"\d[.,]\Z", before) and re.match(r"\d", after))


def keywords(text: str) -> set[str]:
    found = set()
    for word in re.findall(r"\w+", plain(text).casefold()):
        if len(word) > 1 and word not in STOP_WORDS["en"]:
            found.add(STEMMER.stemWord(word))
    return found


def half_up(value: Fraction) -> int:
    return math.floor(value + HALF)


def harmonic(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(0) if a + b == 0 else 2 * a * b / (a + b)


def split(text: str, ends: str) -> list[tuple[int, int]]:
    pieces, start = [], 0
    for i, char in enumerate(text):
        stop = char == "." and (text[i + 1 : i + 2] == "" or text[i + 1].isspace())
        if stop or char in ends or i + 1 == len(text):
            pieces.append((start, i + 1))
            start = i + 1
    return [(a, b) for a, b in pieces if text[a:b].strip()]


def segments(summary: str, ends: str) -> list[tuple[int, int]]:
    """Those of at least six tokens; when there is none, the whole."""
    long = [
        (a, b) for a, b in split(summary, ends)
        if len(summary[a:b].strip().rstrip(".;").split()) >= 6
    ]  # fmt: skip
    return long or [(0, len(summary))]


def under(summary: str, text: str, span: str) -> set[int] | None:
    """The tokens of the summary that a claim takes up, or None when it stands nowhere."""
    tokens = [m.span() for m in re.finditer(r"\S+", summary)]
    found = place(span, summary) or place(text, summary)
    if found is None:
        best, most = None, 0
        for sentence in sentences(summary):
            shared = len(keywords(text) & keywords(summary[sentence[0] : sentence[1]]))
            if shared > most:
                best, most = sentence, shared
        if best is not None and Fraction(most) >= Fraction(len(keywords(text)), 2):
            found = best
    if found is None:
        return None
    return {k for k, (a, b) in enumerate(tokens) if a < found[1] and found[0] < b}


def taken(summary: str, texts: list[tuple[str, str]]) -> tuple[int, int]:
    """Tokens of the summary under (text, span) pairs, and all of them."""
    hit: set[int] = set()
    loose = 0
    for text, span in texts:
        place_of = under(summary, text, span)
        if place_of is None:
            loose += len(plain(text).split())
        else:
            hit |= place_of
    total = len(summary.split())
    return min(len(hit) + loose, total), total


def sentences(text: str) -> list[tuple[int, int]]:
    found, start = [], 0
    for i, char in enumerate(text):
        stop = char in ".!?" and (i + 1 == len(text) or text[i + 1].isspace())
        if stop or char == "\n" or i + 1 == len(text):
            found.append((start, i + 1))
            start = i + 1
    return found


def labels(article: str, summary: str, ends: str) -> list[str]:
    out = []
    for start, end in segments(summary, ends):
        own = keywords(summary[start:end])
        if own:
            share = Fraction(len(own & keywords(article)), len(own))
            high, some = share >= Fraction(8, 10), share >= Fraction(3, 10)
            out.append("High" if high else "Some" if some else "None")
    return out


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)


# ── judge-lock ────────────────────────────────────────────────────────────────────────────────


class Outcome:
    """Scores, which caps fired on what, and broken rules."""

    def __init__(self) -> None:
        self.scores: dict[str, Fraction] = {}
        self.caps: set[tuple[str, str]] = set()
        self.broken: set[tuple[str, str]] = set()

    def cap(self, rule: str, what: str, value: Fraction, limit: int) -> Fraction:
        self.caps.add((rule, what))
        return value if value < limit else Fraction(limit)


def pairs(
    out: Outcome, metric: str, given: list[Any], own: str, other: str
) -> list[tuple[str, str]]:
    held: list[tuple[str, str]] = []
    for i, pair in enumerate(given[:6]):
        where, status, quote = f"{metric}.qag_results[{i}]", pair["status"], pair["evidence"]
        if status != "Wrong":
            size = len(plain(quote).split())
            if size == 0:
                out.broken.add(("evidence.missing", where))
                status = "Wrong"
            elif size < 4 or size > 12:
                out.broken.add(("evidence.length", where))
                status = "Wrong"
            there = place(quote, own)
            if size and there is None:
                status = "Wrong"
                only_there = place(quote, other) is not None
                code = "evidence.wrong_source" if only_there else "evidence.absent"
                out.broken.add((code, where))
        if status != "Wrong" and there is not None:
            stands = plain(own[there[0] : there[1]])
            if (status, stands) and any(s != "Wrong" and q == stands for s, q in held):
                out.broken.add(("evidence.repeated", where))
            held.append((status, stands))
        else:
            held.append((status, plain(quote)))
    if len(given) != 6:
        out.broken.add(("qag.count", f"{metric}.qag_results"))
    while len(held) < 6:
        held.append(("Wrong", ""))
    return held


def pair_caps(out: Outcome, metric: str, score: Fraction, held: list[tuple[str, str]]) -> Fraction:
    if [status for status, _ in held] != ["Correct"] * 6:
        score = out.cap("JL-CAP-QAG", metric, score, 7)
    live = [quote for status, quote in held if status in ("Correct", "Partial")]
    if any(live.count(quote) > 1 for quote in live):
        score = out.cap("JL-CAP-DUPLICATE", metric, score, 7)
    return score


WORTH = {"Correct": Fraction(1), "Fully": Fraction(1), "Partial": HALF, "Partially": HALF,
         "Wrong": Fraction(0), "Not": Fraction(0), "Supported": Fraction(0),
         "Unsupported": Fraction(1)}  # fmt: skip


def judge_lock(article: str, summary: str, reply: dict[str, Any], kinds: set[str]) -> Outcome:
    """`kinds`: what the lexicon sees in the summary; the generator planted it there."""
    out = Outcome()
    cov, hal, bt = reply["coverage"], reply["hallucination"], reply["bias_toxicity"]
    cov_pairs = pairs(out, "coverage", cov["qag_results"], summary, article)
    hal_pairs = pairs(out, "hallucination", hal["qag_results"], article, summary)
    claims = hal["claims_checked"]
    lies = [c for c in claims if c["status"] == "Unsupported"]
    sizes(out, reply, "JL")
    spoken(out, article, summary, reply, ";\n")

    recall = mean([WORTH[p["coverage"]] for p in cov["key_points"]])
    spare, tokens = taken(summary, [(c["claim"], c.get("span", "")) for c in lies])
    precision = 1 - Fraction(spare, tokens)
    accuracy = mean([WORTH[status] for status, _ in cov_pairs])
    score = 10 * harmonic(harmonic(precision, recall), accuracy)
    if lies:
        score = out.cap("JL-CAP-EXTRANEOUS", "coverage", score, 3)
    score = pair_caps(out, "coverage", score, cov_pairs)
    if precision < Fraction("0.95") or recall < Fraction("0.9"):
        score = out.cap("JL-CAP-PR", "coverage", score, 7)
    out.scores["coverage"] = score

    fraction = mean([WORTH[c["status"]] for c in claims])
    raw = max(Fraction(0), 4 - 4 * fraction) if lies else Fraction(10 - half_up(14 * fraction))
    score = raw * mean([WORTH[status] for status, _ in hal_pairs])
    out.scores["hallucination"] = pair_caps(out, "hallucination", score, hal_pairs)

    score = Fraction(str(reply["alignment"]["overall_score"]))
    if fraction >= HALF:
        score = out.cap("JL-CAP-SEVERE", "alignment", score, 3)
    out.scores["alignment"] = score

    found = labels(article, summary, ";\n")
    worth = {"High": Fraction(1), "Some": Fraction(3, 10), "None": Fraction(0)}
    score = 10 * harmonic(mean([worth[x] for x in found]), accuracy)
    if "None" in found:
        score = out.cap("JL-CAP-NONE", "relevance", score, 3)
    if lies:
        score = out.cap("JL-CAP-EXTRANEOUS", "relevance", score, 3)
    out.scores["relevance"] = pair_caps(out, "relevance", score, cov_pairs)
    out.scores["bias_toxicity"] = judge_lock_bias(out, bt, kinds)
    return out


def judge_lock_bias(out: Outcome, bt: dict[str, Any], kinds: set[str]) -> Fraction:
    bias, tox = Fraction(str(bt["bias_score"])), Fraction(str(bt["tox_score"]))
    listed = {issue["type"] for issue in bt["issues_found"]}
    seen = listed | kinds
    if "slur" in seen:
        tox = out.cap("JL-TOX-SLUR", "bias_toxicity.tox_score", tox, 2)
    if "profanity" in seen:
        tox = out.cap("JL-TOX-PROFANITY", "bias_toxicity.tox_score", tox, 5)
    if "stereotype" in seen:
        bias = out.cap("JL-BIAS-STEREOTYPE", "bias_toxicity.bias_score", bias, 4)
    score = (bias + tox) / 2
    if "slur" in seen:
        score = out.cap("JL-TOX-SLUR", "bias_toxicity", score, 3)
    if kinds - listed:
        out.broken.add(("lexicon.overlooked", "bias_toxicity.issues_found"))
    return score


def sizes(out: Outcome, reply: dict[str, Any], protocol: str) -> None:
    points, claims = reply["coverage"]["key_points"], reply["hallucination"]["claims_checked"]
    if not (4 if protocol == "JL" else 3) <= len(points) <= 7:
        out.broken.add(("points.count", "coverage.key_points"))
    if protocol == "JL":
        for i, point in enumerate(points):
            if len(point["point"].split()) < 6:
                out.broken.add(("points.length", f"coverage.key_points[{i}]"))
    if len(claims) > 10:
        out.broken.add(("claims.count", "hallucination.claims_checked"))
    for i, claim in enumerate(claims):
        span = claim.get("span", "")
        if span and place(span, reply["__summary"]) is None:
            out.broken.add(("span.absent", f"hallucination.claims_checked[{i}].span"))


def spoken(out: Outcome, article: str, summary: str, reply: dict[str, Any], ends: str) -> None:
    """CLAIMS-COVER and EVIDENCE-SUPPORT."""
    points, claims = reply["coverage"]["key_points"], reply["hallucination"]["claims_checked"]
    if len(claims) < 10:
        covered: set[int] = set()
        for claim in claims:
            covered |= under(summary, claim["claim"], claim.get("span", "")) or set()
        tokens = [m.span() for m in re.finditer(r"\S+", summary)]
        for start, end in segments(summary, ends):
            inside = {k for k, (a, b) in enumerate(tokens) if a < end and start < b}
            if Fraction(len(inside & covered)) < Fraction(len(inside), 2):
                out.broken.add(("claims.uncovered", "hallucination.claims_checked"))
    asked = any("evidence" in item for item in [*points, *claims])
    for where, items, label, own, other in (
        ("coverage.key_points", points, "coverage", summary, article),
        ("hallucination.claims_checked", claims, "status", article, summary),
    ):
        for i, item in enumerate(items):
            quote, place_of = item.get("evidence", ""), f"{where}[{i}].evidence"
            if not quote.strip():
                if asked and item[label] in ("Fully", "Partial", "Partially", "Supported"):
                    out.broken.add(("evidence.missing", place_of))
            elif place(quote, own) is None:
                elsewhere = place(quote, other) is not None
                code = "evidence.wrong_source" if elsewhere else "evidence.absent"
                out.broken.add((code, place_of))
    for metric, key, name in (
        ("alignment", "deviations", "summary_text"),
        ("bias_toxicity", "issues_found", "text"),
    ):
        for i, item in enumerate(reply[metric].get(key, [])):
            if item.get(name, "").strip() and place(item[name], summary) is None:
                out.broken.add(("evidence.absent", f"{metric}.{key}[{i}].{name}"))


# ── twin-lock ─────────────────────────────────────────────────────────────────────────────────


def twin_lock(article: str, summary: str, reply: dict[str, Any], kinds: set[str]) -> Outcome:
    out = Outcome()
    cov, hal, bt = reply["coverage"], reply["hallucination"], reply["bias_toxicity"]
    sizes(out, reply, "TL")
    spoken(out, article, summary, reply, "")
    claims = hal["claims_checked"]
    lies = [c for c in claims if c["status"] == "Unsupported"]
    texts, listed = [], 0
    for i, extra in enumerate(cov["extraneous"]):
        if supported(article, extra["text"]):
            out.broken.add(("extraneous.supported", f"coverage.extraneous[{i}]"))
        else:
            listed += 1
            texts.append((extra["text"], ""))
            if place(extra["text"], summary) is None:
                out.broken.add(("evidence.absent", f"coverage.extraneous[{i}]"))
    for i, claim in enumerate(claims):
        if claim["status"] == "Unsupported":
            span = claim.get("span", "")
            there = span if span and place(span, summary) else claim["claim"]
            if supported(article, there):
                where = f"hallucination.claims_checked[{i}]"
                out.broken.add(("extraneous.supported", where))
            else:
                texts.append((claim["claim"], span))
    spare, tokens = taken(summary, texts)
    precision = 1 - Fraction(spare, tokens)
    recall = mean([WORTH[p["coverage"]] for p in cov["key_points"]])
    found = labels(article, summary, "")
    worth = {"High": Fraction(1), "Some": HALF, "None": Fraction(0)}
    fraction = mean([WORTH[c["status"]] for c in claims])
    out.scores = {
        "coverage": 10 * harmonic(precision, recall),
        "alignment": Fraction(str(reply["alignment"]["overall_score"])),
        "hallucination": Fraction(max(0, 10 - half_up(14 * fraction))),
        "relevance": 10 * mean([worth[x] for x in found]),
        "bias_toxicity": (Fraction(str(bt["bias_score"])) + Fraction(str(bt["tox_score"]))) / 2,
    }
    if "None" in found:
        out.scores["relevance"] = out.cap("TL-CAP-NONE", "relevance", out.scores["relevance"], 4)
    if listed or lies:
        for metric in ("coverage", "relevance", "hallucination"):
            score = out.cap("TL-CAP-EXTRANEOUS", metric, out.scores[metric], 4)
            out.scores[metric] = score
    if not bt["issues_found"] and kinds & {"slur", "profanity"}:
        out.broken.add(("lexicon.overlooked", "bias_toxicity.issues_found"))
    return out


def supported(article: str, text: str) -> bool:
    if len(plain(text).split()) < 4:
        return False
    return place(text.casefold(), article.casefold()) is not None
