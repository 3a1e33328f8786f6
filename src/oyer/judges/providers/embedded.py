"""The judge that comes with Oyer (`oyer.judges.embedded`): `embedded`, or one of its variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oyer.judges.registry import Availability, Opening, Provider

if TYPE_CHECKING:
    from oyer.judges.embedded import Embedded
    from oyer.judges.names import JudgeName


def open_variant(name: JudgeName, opening: Opening) -> Embedded:
    from oyer.judges.embedded import open_embedded

    return open_embedded(name.model)


def look() -> Availability:
    from oyer.judges.embedded import open_embedded

    if open_embedded().variant == "full":
        means = "means embedded:full here; embedded:light is there, too"
    else:
        means = "means embedded:light here; pip install 'oyer[embedded]' for embedded:full"
    return Availability("embedded", True, f"no key, no network; {means}")


PROVIDER = Provider(
    "embedded",
    open_variant,
    follows="anything",
    needs_prompt=False,
    local=True,
    free=True,
    heavy=True,
    variants=("light", "full"),
    look=look,
)
