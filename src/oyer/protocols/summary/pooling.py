"""Several judges of one summary as one reply (PANEL rules), for both protocols.

Claims are matched by their place in the summary; the judge's own scores, tone and issues need no
matching. Key points and hidden questions are each judge's own: there one judge's list is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from oyer.protocols.summary.findings import TONES, Common
from oyer.protocols.summary.matching import Placed, claims_by_entry, docket, place_claims
from oyer.protocols.summary.measure import Texts
from oyer.protocols.summary.table import LabelValues
from oyer.protocols.voting import (
    majority,
    middle,
    middle_label,
    nearest,
    one_list,
    plain,
    vote_on_listing,
)
from oyer.text import values
from oyer.types import JsonObject, Number, Vote

#: Tones, the one that tells most against the summary first.
STRICT_TONES = ("hostile", "subjective", "unclear", "neutral")


@dataclass(slots=True)
class PanelFindings:
    """The members of a panel, the texts they judge, and what was voted so far."""

    members: Mapping[str, Common]
    texts: Texts
    votes: list[Vote] = field(default_factory=list)

    def keep(self, vote: Vote) -> Any:
        """Put a vote on the record; its value."""
        self.votes.append(vote)
        return vote.value

    def object_of(self, owner: str, metric: str, *keys: str) -> dict[str, object]:
        """What a member wrote under these keys of a metric."""
        written = self.members[owner].objects[metric]
        return {"metric": metric, **{key: written[key] for key in keys if key in written}}

    def points(self, worth: LabelValues) -> tuple[str, list[JsonObject]]:
        """PANEL-LIST: the key points of the member whose recall is the median, and who that is."""
        recall: dict[str, Number] = {}
        for name, common in self.members.items():
            recall[name] = mean_of(worth, [point.label for point in common.points])
        owner, vote = one_list("key points", "coverage.key_points", recall)
        self.votes.append(vote)
        common = self.members[owner]
        items: Sequence[JsonObject] = common.objects["coverage"]["key_points"]
        return owner, [
            {**item, "coverage": point.label}
            for item, point in zip(items, common.points, strict=True)
        ]

    def own(self, key: str, where: str) -> tuple[str, object]:
        """PANEL-MEDIAN of a score that is the judge's to give, and the member nearest to it."""
        scores = {name: common.own[key] for name, common in self.members.items()}
        value = self.keep(middle(key, where, scores))
        return nearest(scores, value), plain(value)

    def alignment(self) -> JsonObject:
        owner, score = self.own("alignment", "alignment.overall_score")
        words = self.object_of(owner, "alignment", "aspects", "deviations", "rationale")
        return {**words, "overall_score": score}

    def relevance(self, owner: str) -> JsonObject:
        """Code measures relevance; of the judges there is only the theme."""
        return self.object_of(owner, "relevance", "article_theme", "rationale")

    def bias_toxicity(self, types: Sequence[str]) -> JsonObject:
        owner, bias = self.own("bias_score", "bias_toxicity.bias_score")
        _, tox = self.own("tox_score", "bias_toxicity.tox_score")
        return {
            **self.object_of(owner, "bias_toxicity", "rationale"),
            "tone": self._tone(),
            "issues_found": [*chain.from_iterable(map(self._issue, types))],
            "bias_score": bias,
            "tox_score": tox,
        }

    def _tone(self) -> str | None:
        tones = {
            name: values.label(common.objects["bias_toxicity"].get("tone"), TONES).value
            for name, common in self.members.items()
        }
        known = {name: tone for name, tone in tones.items() if tone is not None}
        if not known:
            return None
        return str(self.keep(majority("tone", "bias_toxicity.tone", known, STRICT_TONES)))

    def _issue(self, kind: str) -> list[JsonObject]:
        """PANEL-LISTED: one kind of issue, in the words of the first member who lists it."""
        listings: dict[str, bool] = {}
        for name, common in self.members.items():
            listings[name] = any(issue.type == kind for issue in common.issues)
        where = f"bias_toxicity.issues_found: {kind}"
        if not self.keep(vote_on_listing("issue", where, listings)):
            return []
        every = chain.from_iterable(common.issues for common in self.members.values())
        return [{"type": kind, "issue": next(i.text for i in every if i.type == kind)}]

    def claims(self, strictness: Sequence[str], worth: LabelValues) -> list[JsonObject]:
        """PANEL-ORDER on every claim that at least half of the members speak of."""
        placed = {name: place_claims(name, c, self.texts) for name, c in self.members.items()}
        entries = docket(placed)
        words = {name: claims_by_entry(entries, own) for name, own in placed.items()}
        items: list[JsonObject] = []
        for n, entry in enumerate(entries):
            speakers = {name: own[n] for name, own in words.items() if n in own}
            speakers[entry.owner] = [entry]
            labels: dict[str, str] = {}
            for name in placed:  # in the order of the panel
                if name in speakers:
                    spoken = [claim.label for claim in speakers[name]]
                    labels[name] = min(spoken, key=strictness.index)
            if 2 * len(speakers) < len(self.members):
                where = f"{entry.owner}: hallucination.claims_checked[{entry.index}]"
                self.votes.append(Vote("claim", where, "PANEL-SILENCE", labels, None))
                continue
            where = f"hallucination.claims_checked[{len(items)}]"
            label = self.keep(middle_label("claim", where, labels, strictness))
            items.append(_item(entry, speakers, label))
        return items or self._one_list(placed, worth)

    def _one_list(
        self, placed: Mapping[str, Sequence[Placed]], worth: LabelValues
    ) -> list[JsonObject]:
        """PANEL-LIST when half of them speak of no claim alike: silence is no praise."""
        supported: dict[str, Number] = {}
        for name, own in placed.items():
            if own:
                supported[name] = 1 - mean_of(worth, [claim.label for claim in own])
        if not supported:
            return []
        owner, vote = one_list("claims", "hallucination.claims_checked", supported)
        self.votes.append(vote)
        return [{**claim.raw, "status": claim.label} for claim in placed[owner]]


def mean_of(worth: LabelValues, labels: Sequence[str]) -> Number:
    """What these labels are worth on average."""
    return worth.mean({label: labels.count(label) for label in worth.shares}, len(labels))


def _item(entry: Placed, speakers: Mapping[str, Sequence[Placed]], label: str) -> JsonObject:
    """The claim in the words of a member who labels it so, the entry's own first."""
    claims = [entry, *chain.from_iterable(speakers.values())]
    agreed = next(claim for claim in claims if claim.label == label)
    return {**agreed.raw, "status": label}
