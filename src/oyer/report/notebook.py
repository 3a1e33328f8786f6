"""A verdict in a notebook: the same words, as a small piece of HTML. Everything is escaped."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from oyer.errors import UsageError
from oyer.report.explain import Explanation, explain, number
from oyer.types import AnyProtocol, Verdict


def as_html(verdict: Verdict) -> str:
    """What `_repr_html_` shows."""
    from oyer.verdicts import record

    return "".join(_parts(explain(record(verdict), _protocol(verdict))))


def _protocol(verdict: Verdict) -> AnyProtocol | None:
    from oyer.protocols.catalogue import find_protocol

    try:
        return find_protocol(verdict.protocol.partition("@")[0])
    except UsageError:  # a protocol from a folder: nothing is known of it here
        return None


def _parts(words: Explanation) -> Iterator[str]:
    yield f"<p><strong>{escape(words.headline)}</strong></p>"
    for section in words.sections:
        items = (
            f"<li>{escape(remark.text)}{f' ({escape(remark.note)})' if remark.note else ''}</li>"
            for remark in section.remarks
        )
        yield f"<p>{escape(section.title)}</p><ul>{''.join(items)}</ul>"
    if words.scores:
        rows = (
            f"<tr><td>{escape(line.name)}</td><td>{number(line.value)} of {line.top:g}</td></tr>"
            for line in words.scores
        )
        yield f"<table>{''.join(rows)}</table>"
    for sentence in (words.trust, words.scale):
        if sentence:
            yield f"<p>{escape(sentence)}</p>"
