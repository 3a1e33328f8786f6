"""`oyer cite --html`: the decision as it is, its citations marked and linked to their act."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from oyer.cite.model import Citation
from oyer.cite.works import work

#: A decision's text is untrusted: a page of it loads nothing, runs nothing, sends nothing.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root { color-scheme: light dark; --mark: #fff3b0; --doubt: #e7e7e7; --ink: #1b1b1b; }
@media (prefers-color-scheme: dark) { :root { --mark: #574b12; --doubt: #3a3a3a; --ink: #eee; } }
body { font: 16px/1.55 Georgia, serif; max-width: 74ch; margin: 2rem auto; padding: 0 1rem;
  color: var(--ink); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
mark { background: var(--mark); color: inherit; border-radius: 3px; }
mark.doubt { background: var(--doubt); }
mark a { color: inherit; text-decoration: underline dotted; }
table { border-collapse: collapse; width: 100%; font: 14px/1.4 system-ui, sans-serif; }
td, th { text-align: left; padding: .25rem .6rem .25rem 0; vertical-align: top;
  border-bottom: 1px solid #8884; }
"""


def page(decisions: Iterable[tuple[str | None, str, Sequence[Citation]]]) -> str:
    """One self-contained page: no script, nothing fetched, everything escaped."""
    listed = list(decisions)
    body = "\n".join(_section(n, *decision) for n, decision in enumerate(listed, 1))
    body = f"{_LEGEND}\n{_overview(listed)}\n{body}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Cited provisions</title><style>{_STYLE}</style></head>\n<body>\n"
        f"{body}\n</body></html>\n"
    )


_LEGEND = (
    "<p><mark>certain</mark>: the text ties the article to a known act. "
    '<mark class="doubt">uncertain</mark>: the act is inherited from the text around it, or '
    "unknown. A mark leads to its act in the table; the act's id leads to its official text, where "
    "known.</p>"
)


def _overview(decisions: Sequence[tuple[str | None, str, Sequence[Citation]]]) -> str:
    """An index over several decisions: which act is cited where, and how often."""
    if len(decisions) < 2:
        return ""
    acts: dict[str, dict[int, int]] = {}
    for number, (_, _, citations) in enumerate(decisions, 1):
        for citation in citations:
            counts = acts.setdefault(_act(citation), {})
            counts[number] = counts.get(number, 0) + 1
    rows = []
    for act, counts in sorted(acts.items(), key=lambda pair: -sum(pair[1].values())):
        where = ", ".join(
            f'<a href="#d{n}">{escape(decisions[n - 1][0] or str(n))}</a> ({many})'
            for n, many in counts.items()
        )
        rows.append(
            f"<tr><td>{escape(act)}</td><td>{sum(counts.values())}</td><td>{where}</td></tr>"
        )
    head = "<tr><th>act</th><th>citations</th><th>decisions</th></tr>"
    return f"<h1>Acts cited</h1><table>{head}{''.join(rows)}</table>"


def _section(number: int, id_: str | None, text: str, citations: Sequence[Citation]) -> str:
    groups: dict[tuple[int, int], list[Citation]] = {}
    for citation in citations:
        groups.setdefault((citation.start, citation.end), []).append(citation)
    acts = _acts(citations)
    anchor = {act: f"d{number}-act{n}" for n, act in enumerate(acts, 1)}
    parts: list[str] = []
    at = 0
    for (start, end), group in sorted(groups.items()):
        if start < at:  # a continued phrase can touch the one before; never mark twice
            continue
        parts.append(escape(text[at:start]))
        parts.append(_mark(group, anchor[_act(group[0])]))
        at = end
    parts.append(escape(text[at:]))
    heading = f"<h1>{escape(id_)}</h1>" if id_ else "<h1>Cited provisions</h1>"
    return (
        f'<section id="d{number}">{heading}\n{_index(acts, anchor)}\n'
        + f"<pre>{''.join(parts)}</pre></section>"
    )


def _act(citation: Citation) -> str:
    return citation.act.id or citation.act.name or "unknown act"


def _acts(citations: Sequence[Citation]) -> dict[str, list[Citation]]:
    acts: dict[str, list[Citation]] = {}
    for citation in citations:
        acts.setdefault(_act(citation), []).append(citation)
    return acts


def _show(citation: Citation) -> str:
    return " ".join((citation.key, *citation.path)) + (" …" if citation.open else "")


def _mark(group: Sequence[Citation], anchor: str) -> str:
    first = group[0]
    what = ", ".join(_show(c) for c in group[:40]) + (" …" if len(group) > 40 else "")
    title = escape(f"{_act(first)}: {what}", quote=True)
    doubt = "" if first.certain else ' class="doubt"'
    return f'<mark{doubt} title="{title}"><a href="#{anchor}">{escape(first.quote)}</a></mark>'


def _index(acts: dict[str, list[Citation]], anchor: dict[str, str]) -> str:
    rows = []
    for act, citations in acts.items():
        name = max((c.act.name for c in citations), key=len)
        known = work(act) if citations[0].act.id else None
        url = known.url("fr") if known else None
        shown = f'<a href="{escape(url, quote=True)}">{escape(act)}</a>' if url else escape(act)
        titles = " / ".join(known.titles.values()) if known else ""
        keys = ", ".join(dict.fromkeys(_show(c) for c in citations))
        rows.append(
            f'<tr id="{anchor[act]}"><td>{shown}</td><td>{escape(name)}</td>'
            f"<td>{escape(titles)}</td><td>{escape(keys)}</td></tr>"
        )
    head = "<tr><th>act</th><th>as written</th><th>title</th><th>articles</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"
