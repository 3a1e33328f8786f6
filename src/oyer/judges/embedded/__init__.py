"""The embedded judge: no key, no network, no bill. It perceives with measured features and a
small trained model, and answers in the protocol's own form, so that the same reader, checks and
arithmetic apply to it as to any other judge. Its model card is docs/embedded.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import ClassVar

from oyer.errors import UsageError
from oyer.judges.embedded.assess import Variant, scorer
from oyer.judges.embedded.languages import ENGLISH, NAMES, measured
from oyer.judges.embedded.source import index
from oyer.text.seal import COMPOSED
from oyer.text.words import detect
from oyer.types import AnyProtocol, Case, JsonObject, Judge, Prompt, Reply, Usage

__all__ = ["VERSION", "Embedded", "open_embedded", "support"]

VERSION = "12"
#: How it looks for key points, told with its figures: what it did not find is worded by it.
POINTS_BY = {"points_by": "words"}
#: The measured figures that every verdict carries; the others are in the model card.
HEADLINES = ("n", "auc", "balanced_accuracy", "consistency_spearman", "relevance_spearman")


def support(article: str, claim: str, variant: str | None = None) -> float:
    """The calibrated probability that the article supports the claim."""
    language = detect(article)
    source = index(article, language if language in NAMES else ENGLISH)
    found = scorer(_variant(variant))(source, [claim])
    return round(found[0][0], 6)


@dataclass(frozen=True, slots=True)
class Embedded(Judge):
    """A judge that runs here. `variant` is light (numpy alone) or full (with onnxruntime)."""

    variant: Variant
    needs_prompt: ClassVar[bool] = False  # it reads the case itself
    varies: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return f"embedded@{VERSION}-{self.variant}"

    async def ask(self, prompt: Prompt) -> Reply:
        if prompt.case is None:
            text = refusal("the embedded judge needs the case itself, not only its prompt")
        else:
            text = self.reply(prompt.asked_by or prompt.protocol, prompt.case)
        about = {**self.about(prompt.asked_by, prompt.case), COMPOSED: True}
        return Reply(text, self.name, Usage(calls=1), about)

    def reply(self, protocol: AnyProtocol | str, case: Case) -> str:
        """The reply, or a refusal that says why: never an invented score."""
        if isinstance(protocol, str):
            from oyer.protocols.catalogue import find_protocol

            return self.reply(find_protocol(protocol), case)
        if protocol.answer is not None:  # code decides; there is nothing to perceive beyond it
            return protocol.answer(case)
        if protocol.summary is None:
            return refusal(
                f"the embedded judge cannot judge {protocol.id}: "
                "that takes understanding it does not have; name a language model with --judge"
            )
        from oyer.judges.embedded.summaries import judge_summary

        return judge_summary(case, self.variant, protocol.summary)

    def about(self, protocol: AnyProtocol | None, case: Case | None) -> JsonObject:
        """The judge on itself: what was measured of it in the case's language, and on texts of its
        kind."""
        from oyer.judges.embedded.kinds import measured_on_kind
        from oyer.judges.embedded.model import reliability

        if protocol is None or protocol.summary is None:
            return {}
        language = ENGLISH if case is None else detect(case.text("article"))
        if language != ENGLISH and language in NAMES:
            return self._about_foreign(language)
        figures = {
            name: {k: v for k, v in measured.items() if k in HEADLINES}
            for name, measured in reliability().get(self.variant, {}).items()
            if "n" in measured
        }
        on_kind = measured_on_kind(case.text("article"), self.variant) if case else {}
        kind = {"kind": on_kind} if on_kind else {}
        return {"reliability": {"variant": self.variant, **POINTS_BY, **figures, **kind}}

    def _about_foreign(self, language: str) -> JsonObject:
        """The encoder of `full` reads English only: a foreign text is judged by `light`."""
        pairs: JsonObject = {**measured(language)}
        about: JsonObject = {
            "reliability": {"variant": "light", **POINTS_BY, "language": language, "pairs": pairs}
        }
        light = Embedded("light")
        return about if self == light else {**about, "judged_by": light.name}


def refusal(reason: str) -> str:
    import json

    return json.dumps({"error": reason}, ensure_ascii=False)


def open_embedded(variant: str = "") -> Embedded:
    """The judge called `embedded`, `embedded:light` or `embedded:full`."""
    return Embedded(_variant(variant or None))


def _variant(asked: str | None) -> Variant:
    """Full where its two packages are installed, unless told otherwise."""
    ready = all(find_spec(name) for name in ("onnxruntime", "tokenizers")) and has_full()
    if asked in (None, ""):
        return "full" if ready else "light"
    if asked == "light":
        return "light"
    if asked == "full":
        if not ready:
            raise UsageError("judge 'embedded:full' needs: pip install 'oyer[embedded]'")
        return "full"
    raise UsageError(f"there is no judge 'embedded:{asked}'; there are embedded:light and :full")


def has_full() -> bool:
    from importlib.resources import files

    from oyer.judges.embedded.cross import ENCODER

    return (files(__package__) / ENCODER).is_file()
