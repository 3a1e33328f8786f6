"""Everything that is wrong with a rubric, collected: its author mends all of it at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from oyer.errors import FormatError
from oyer.protocols.rubric.markdown import RubricSection
from oyer.types import Problem


@dataclass(slots=True)
class Problems:
    """Takes problems as they are found."""

    found: list[Problem] = field(default_factory=list)

    def add(self, line: int, message: str, hint: str = "", column: int | None = None) -> None:
        """Something that must be mended before anyone is judged by this."""
        self.found.append(Problem(message, line, column, hint))

    def warn(self, line: int, message: str, hint: str = "") -> None:
        """Something that is probably not meant."""
        self.found.append(Problem(message, line, None, hint, severity="warning"))

    def on(self, section: RubricSection) -> bool:
        """Whether something is wrong under this heading."""
        lines = {section.line, *(number for number, _ in section.body)}
        return any(problem.line in lines for problem in self.errors)

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self.found if problem.severity == "error"]

    def raise_first(self) -> None:
        """A case with this rubric cannot be judged: say what is wrong first."""
        if not self.errors:
            return
        first = min(self.errors, key=lambda problem: problem.line or 0)
        raise FormatError(first.sentence, field="rubric", text_line=first.line or 1)
