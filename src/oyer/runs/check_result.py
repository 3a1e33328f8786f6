"""What `oyer check` found of one file: what was understood, and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

from oyer.cases import Mapper, parse_map
from oyer.errors import FormatError, InputError, OyerError
from oyer.protocols.catalogue import find_protocol, names
from oyer.types import AnyProtocol, Problem


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the user says of the files: their protocol, where protocols are, their columns."""

    protocol: str | None = None
    protocol_path: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()  # --map, as it was given

    def find(self) -> AnyProtocol | None:
        """The protocol that was named."""
        return find_protocol(self.protocol, self.protocol_path) if self.protocol else None

    def all_protocols(self) -> list[AnyProtocol]:
        """All protocols: those of the user's own folders first."""
        every = [find_protocol(name, self.protocol_path) for name in names(self.protocol_path)]
        return every[::-1] if self.protocol_path else every

    def mapper(self, protocol: AnyProtocol) -> Mapper:
        return parse_map(self.columns, protocol)


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A problem, with the file it is in."""

    file: str
    problem: Problem

    def __str__(self) -> str:
        place = [self.file]
        if self.problem.line is not None:
            place.append(str(self.problem.line))
            if self.problem.column is not None:
                place.append(str(self.problem.column))
        return f"{':'.join(place)}: {self.problem.severity}: {self.problem.sentence}"


@dataclass(slots=True)
class Check:
    """One file, checked."""

    file: str
    kind: str  # suite, rubric, cases, tasks, protocol, prompt
    understood: list[tuple[str, str]] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not any(found.problem.severity == "error" for found in self.problems)

    def add(self, error: OyerError, file: str | None = None) -> None:
        """Something that must be mended."""
        if isinstance(error, FormatError):
            inside = Problem(error.message, error.text_line)
            self.problems.append(FileProblem(file or error.file or self.file, inside))
        elif isinstance(error, InputError):
            named = f"'{error.field}' " if error.field else ""
            problem = Problem(f"{named}{error.message}", error.line, hint=error.hint)
            self.problems.append(FileProblem(error.file or file or self.file, problem))
        else:
            self.problems.append(FileProblem(file or self.file, Problem(str(error))))
