"""What was perceived, in the form that each summary protocol asks of any judge.

Numbers that the protocol's code computes (fractions, means, capped scores) are left out: there is
nothing to compare them with. Alignment, bias and toxicity are the judge's to give.
"""

from __future__ import annotations

import json
from typing import Any

from oyer.judges.embedded import questions
from oyer.judges.embedded.assess import Variant
from oyer.judges.embedded.kinds import preface
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.perception import Perceived, evidence
from oyer.judges.embedded.points import ToldPoint, place
from oyer.judges.embedded.questions import PAIRS
from oyer.judges.embedded.quoting import Quoter
from oyer.judges.embedded.reasons import list_faults, tell_faults
from oyer.judges.embedded.rows import spoken

UNSHORTENED = 0.8  # of the article's words, from which a summary is none
#: What each variant goes by.
WAYS = {
    "light": "embedded:light, which compares words and clauses",
    "full": "embedded:full, which compares words and clauses and asks a small encoder",
}
#: What each fault that turns a claim's meaning looks like.
DIFFERS = {
    "turned": "a negation or an opposite differs",
    "swapped": "who did it to whom is exchanged",
}
#: How a question about the article is missed that the summary is not silent on.
MISSED = {"wrongly": "Answered wrongly", "unheld": "Answered only in a claim that does not hold"}


def with_questions(seen: Perceived, variant: Variant) -> str:
    """The reply to a protocol that has a question loop."""
    cover = questions.coverage(seen)
    hold = questions.hallucination(seen)
    return written(
        _both(_coverage(seen), _pairs_part(cover, "the article")),
        {**_alignment(seen), "overall_score": _capped_alignment(seen), "aspects": _aspects(seen)},
        _both(_listing_faults(seen, variant), _pairs_part(hold, "the summary")),
        _relevance(seen),
        _bias(seen, {}),
    )


def without_questions(seen: Perceived, variant: Variant) -> str:
    """The reply to a protocol that has none: what is extraneous stands in a list of its own."""
    extras = [
        {"text": c.text, "issue": "not supported by the article"}
        for c in seen.claims
        if c.label == "Unsupported"
    ]
    types = {"slur": "Toxicity", "profanity": "Toxicity", "toxicity": "Toxicity",
             "stereotype": "Stereotype", "subjectivity": "Subjectivity"}  # fmt: skip
    return written(
        {**_coverage(seen), "extraneous": extras},
        {**_alignment(seen), "aspects": _aspects(seen)},
        _hallucination(seen, "Partially", variant),
        _relevance(seen),
        _bias(seen, types),
    )


def _both(first: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Two parts of one object; what both say for their reasons is said in turn."""
    return {**first, **other, "rationale": f"{first['rationale']} {other['rationale']}"}


def _pairs_part(answers: list[questions.Answer], where: str) -> dict[str, Any]:
    """The pairs, whose questions the protocol hides; the rationale tells what was masked, and which
    have an answer that is not right."""
    masked = [a.masked for a in answers if a.masked]
    said = [f"The questions mask these words of {where}: {'; '.join(masked)}."]
    for how, words in MISSED.items():
        numbers = [str(n) for n, a in enumerate(answers, 1) if a.how == how]
        said += [f"{words}: {', '.join(numbers)}."] * bool(numbers)
    if len(masked) < PAIRS:
        said.append(f"{where.capitalize()} is too short for six questions.")
    return {"qag_results": [a.as_json() for a in answers], "rationale": " ".join(said)}


def _capped_alignment(seen: Perceived) -> float:
    """JL-CAP-SEVERE, which a judge has to apply to its own score."""
    wrong = sum({"Unsupported": 1.0, "Partial": 0.5}.get(c.label, 0.0) for c in seen.claims)
    severe = wrong >= 0.5 * len(seen.claims)
    return min(3.0, seen.alignment) if severe and seen.claims else seen.alignment


def written(*objects: dict[str, Any]) -> str:
    """One object a line, a blank line between."""
    return "\n\n".join(json.dumps(o, ensure_ascii=False) for o in objects)


def _coverage(seen: Perceived) -> dict[str, Any]:
    quoter = Quoter(seen.summary)
    points = []
    for point, covered in seen.points:
        claim = seen.held_claim(covered)
        quote = ""
        if claim is not None and covered.label != "Not":
            at = claim.start + place(point, claim.view.words)
            quote = quoter.around(at, (claim.start, claim.end))
        points.append({
            "point": spoken(seen.source.text, (point.start, point.end)),
            "coverage": covered.label,
            "evidence": quote,
            "justification": _tell_share(covered),
        })  # fmt: skip
    return {
        "metric": "coverage",
        "key_points": points,
        "rationale": preface(seen.source.language)
        + "Salient sentences of the article, by the words of them that one or two sentences tell."
        + _length(seen),
    }


def _tell_share(told: ToldPoint) -> str:
    if told.reworded:
        return "told in part, in other words, as the encoder reads it"
    return f"{told.share:.0%} of it is told, by the weight of its words"


def _length(seen: Perceived) -> str:
    """What is to be said of a summary that is no shorter than its article."""
    share = len(seen.telling.words) / max(1, len(seen.source.words))
    if share < UNSHORTENED:
        return ""
    return f" The summary has {share:.0%} of the article's length: it hardly shortens it."


def _alignment(seen: Perceived) -> dict[str, Any]:
    turned = [
        {"aspect": "meaning", "summary_text": c.text, "issue": DIFFERS[fault]}
        for c in seen.turned
        for fault in sorted(c.faults & DIFFERS.keys())
    ]
    shifted = [{"aspect": "tone", "summary_text": w, "issue": kind} for kind, w in seen.tone.issues]
    return {
        "metric": "alignment",
        "deviations": turned + shifted,
        "overall_score": seen.alignment,
        "rationale": "From support, likeness of vocabulary, tone and polarity.",
    }


def _aspects(seen: Perceived) -> dict[str, str]:
    stance = "differs in places" if seen.turned else "as in the article"
    return {"intent": f"tells of {seen.theme}", "stance": stance, "tone": seen.tone.label}


def _hallucination(seen: Perceived, partial: str, variant: Variant) -> dict[str, Any]:
    checked = [
        {
            "claim": " ".join(claim.text.split()),
            "span": claim.text,
            "status": partial if claim.label == "Partial" else claim.label,
            "justification": tell_faults(claim),
            "evidence": quote,
            "support": claim.support,
        }
        for claim, quote in zip(seen.claims, evidence(seen), strict=True)
    ]
    return {
        "metric": "hallucination",
        "claims_checked": checked,
        "rationale": _way(seen, variant),
    }


def _listing_faults(seen: Perceived, variant: Variant) -> dict[str, Any]:
    """For a protocol that has no place beside a claim for why: the rationale tells it."""
    part = _hallucination(seen, "Partial", variant)
    said = (part["rationale"], list_faults(seen.claims))
    return {**part, "rationale": " ".join(sentence for sentence in said if sentence)}


def _way(seen: Perceived, variant: Variant) -> str:
    """Where support comes from: of a foreign text, from `light`."""
    way = variant if seen.source.language == ENGLISH else "light"
    return f"Support is a probability, from {WAYS[way]}."


def _relevance(seen: Perceived) -> dict[str, Any]:
    return {
        "metric": "relevance",
        "article_theme": seen.theme,
        "summary_sections": [],
        "rationale": "Sections are measured by the protocol's code.",
    }


def _bias(seen: Perceived, types: dict[str, str]) -> dict[str, Any]:
    issues = [{"type": types.get(k, k), "issue": w, "text": w} for k, w in seen.tone.issues]
    return {
        "metric": "bias_toxicity",
        "tone": seen.tone.label,
        "issues_found": issues,
        "bias_score": seen.tone.bias,
        "tox_score": seen.tone.toxicity,
        "rationale": "Word lists over the summary; the article's own words do not count.",
    }
