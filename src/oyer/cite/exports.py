"""Citations for other tools: spaCy spans, BRAT standoff, Label Studio predictions."""

from __future__ import annotations

from collections.abc import Sequence

from oyer.cite.model import Citation

LABEL = "PROVISION"


def as_spacy(text: str, citations: Sequence[Citation]) -> dict[str, object]:
    """A document as `Doc.from_json` reads it: spans under the key `sc`, the act as `kb_id`."""
    spans = [
        {"start": citation.start, "end": citation.end, "label": LABEL, "kb_id": _target(citation)}
        for citation in citations
    ]
    return {"text": text, "ents": [], "spans": {"sc": spans}, "tokens": []}


def as_brat(text: str, citations: Sequence[Citation]) -> str:
    """The lines of an .ann file: one text-bound annotation a place, a note for each provision."""
    lines: list[str] = []
    numbers: dict[tuple[int, int], int] = {}
    for note, citation in enumerate(citations, 1):
        place = (citation.start, citation.end)
        if place not in numbers:
            numbers[place] = len(numbers) + 1
            pieces = _pieces(text, citation.start, citation.end)
            spans = ";".join(f"{start} {end}" for start, end in pieces)
            quote = " ".join(text[start:end] for start, end in pieces)
            lines.append(f"T{numbers[place]}\t{LABEL} {spans}\t{quote}")
        lines.append(f"#{note}\tAnnotatorNotes T{numbers[place]}\t{_target(citation)}")
    return "".join(f"{line}\n" for line in lines)


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """BRAT's spans stop at line ends: one piece a line."""
    pieces, at = [], start
    for line in text[start:end].split("\n"):
        if line.strip():
            pieces.append((at, at + len(line)))
        at += len(line) + 1
    return pieces


def as_label_studio(text: str, citations: Sequence[Citation], id_: str | None) -> dict[str, object]:
    """A task with its predictions, for a labelling set-up with `label` and `text`."""
    result = [
        {
            "id": f"c{n}",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "score": citation.confidence,
            "value": {
                "start": citation.start,
                "end": citation.end,
                "text": citation.quote,
                "labels": [LABEL],
            },
            "meta": {"text": [_target(citation)]},
        }
        for n, citation in enumerate(citations, 1)
    ]
    return {
        "data": {"text": text, "decisionId": id_},
        "predictions": [{"model_version": "oyer.cite", "result": result}],
    }


def _target(citation: Citation) -> str:
    """Act, article and path as one word a part: "loi/1978-07-03 37 §1"."""
    act = citation.act.id or citation.act.name or "unknown"
    return " ".join((" ".join(act.split()), citation.key, *citation.path))
