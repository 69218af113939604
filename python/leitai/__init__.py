"""Self-play tournaments for game engines, from Python.

The functions start the program ``leitai`` and read what it prints as JSON, so that they do
what the commands of the same names do: everything is recorded, and what was stopped carries
on. Keys that have no field of their own are in ``raw``; the program's documentation names all
of them.

    import leitai

    result = leitai.run("match.toml", threads=4)
    for row in result.variants:
        print(row.name, row.elo, row.elo_low, row.elo_high)

    verdict = leitai.gate("gate.toml")
    print(verdict.accepted, verdict.candidates[0].sentence)

    for game in leitai.games("match.sqlite"):
        print(game.tags["Result"], len(game.moves))
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Sequence, Union

__all__ = [
    "Candidate", "Error", "Game", "GateResult", "Listed", "Rating", "RunResult", "Variant",
    "events", "games", "gate", "program", "rate", "report", "run", "runs",
]

File = Union[str, "os.PathLike[str]"]


class Error(Exception):
    """What the program said, and how it ended."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True)
class Variant:
    """A variant's results against all that it met."""

    name: str
    wins: int
    draws: int
    losses: int
    #: Pairs by their points, worst first: LL, LD, level, WD, WW.
    pentanomial: tuple[int, int, int, int, int]
    #: Elo of the score, and its 95 % limits; ``None`` where there is none.
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class RunResult:
    """What a tournament came to."""

    run: str | None
    #: Whether all pairs were played.
    complete: bool
    games: int
    pairs: int
    variants: tuple[Variant, ...]
    raw: Mapping[str, Any]

    def variant(self, name: str) -> Variant:
        """The variant of that name."""
        for row in self.variants:
            if row.name == name:
                return row
        raise KeyError(name)


@dataclass(frozen=True)
class Candidate:
    """A candidate of a gate."""

    name: str
    #: ``accepted``, ``rejected``, ``inconclusive``, ``failed``, or ``None`` before.
    verdict: str | None
    passed: bool | None
    #: The test's log-likelihood ratio, or the evidence of another test, between its bounds.
    llr: float
    lower: float
    upper: float
    pairs: int
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    #: The verdict in a sentence.
    sentence: str
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class GateResult:
    """What a gate came to."""

    run: str
    #: As of the command: 0 accepted, 1 rejected, 3 inconclusive, 4 a player failed; ``None``
    #: before there is a verdict.
    exit_code: int | None
    base: str
    candidates: tuple[Candidate, ...]
    raw: Mapping[str, Any]

    @property
    def accepted(self) -> bool:
        return self.exit_code == 0


@dataclass(frozen=True)
class Rating:
    """A player's rating, and its 95 % limits; ``None`` where results give none."""

    name: str
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    games: int
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class Game:
    """A game of a record or a file."""

    tags: Mapping[str, str]
    #: The position that it began with.
    fen: str
    moves: tuple[str, ...]
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class Listed:
    """A run that a record holds."""

    run: str
    #: ``run``, ``gate`` or ``tune``.
    kind: str
    #: ``playing``, ``finished`` or ``stopped``; a gate that has decided has stopped.
    state: str
    #: Of a gate: ``accepted``, ``rejected``, ``inconclusive``, ``failed``, or ``None`` before.
    verdict: str | None
    #: When it was begun, in UTC: ``2026-01-31T12:00:00Z``.
    begun: str | None
    variants: tuple[str, ...]
    recorded: int
    pairs: int
    raw: Mapping[str, Any]


def program() -> str:
    """The program: that of ``$LEITAI``, that of this installation, or the first of ``PATH``."""
    asked = os.environ.get("LEITAI")
    if asked:
        return asked
    beside = Path(sys.executable).with_name("leitai.exe" if os.name == "nt" else "leitai")
    found = str(beside) if beside.is_file() else shutil.which("leitai")
    if found is None:
        raise Error("there is no program `leitai` in PATH: `pip install leitai` brings it", 2)
    return found


def run(
    config: File,
    *,
    store: File | None = None,
    set: Mapping[str, object] | None = None,
    threads: int | None = None,
) -> RunResult:
    """Plays what is left of a tournament, and gives its results."""
    command = _played("run", config, store, set, threads)
    return _run_result(_value(command, "--quiet", "--json"))


def gate(
    config: File,
    *,
    store: File | None = None,
    set: Mapping[str, object] | None = None,
    threads: int | None = None,
) -> GateResult:
    """Plays what is left of a gate, and gives its verdict."""
    command = _played("gate", config, store, set, threads)
    return _gate_result(_value(command, "--quiet", "--json", ends=(0, 1, 3, 4)))


def report(record: File, run: str = "latest") -> RunResult | GateResult:
    """The results of a recorded run, by its id or the beginning of it."""
    value = _value(["report", _file(record), f"--run={run}", "--json"])
    if "candidates" in value:
        return _gate_result(value)
    if "variants" in value:
        return _run_result(value)
    raise Error(f"the run {run} of {record} is a tune: `leitai report --html` shows it", 2)


def runs(record: File) -> list[Listed]:
    """The runs of a record, in the order in which they were begun."""
    rows = _value(["report", _file(record), "--list", "--json"])
    return [
        Listed(
            row["run"], row["kind"], row["state"], _verdict(row.get("verdict")), row["begun"],
            tuple(row["variants"]), row["recorded"], row["pairs"], row,
        )
        for row in rows
    ]


def rate(files: File | Sequence[File], *, anchors: Mapping[str, float] | None = None) -> list[Rating]:
    """Ratings from the games of records, of PGN and of tables, best first."""
    several = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    words = ["rate", *map(_file, several), "--json"]
    for name, elo in (anchors or {}).items():
        words.append(f"--anchor={name}={elo}")
    return [
        Rating(row["name"], row["elo"], row["elo_low"], row["elo_high"], row["games"], row)
        for row in _value(words)["ratings"]
    ]


def games(file: File, *, run: str | None = None) -> Iterator[Game]:
    """The games of a recorded run, or of a file, one by one."""
    words = ["convert", _file(file), "--to", "json"]
    if run is not None:
        words.append(f"--run={run}")
    for row in _lines(words):
        if "moves" not in row:
            raise Error(f"{file} holds positions, not games", 2)
        yield Game(row["tags"], row["fen"], tuple(row["moves"]), row)


def events(
    config: File,
    *,
    command: str = "run",
    store: File | None = None,
    set: Mapping[str, object] | None = None,
    threads: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Plays a ``run``, ``gate`` or ``tune``, and gives each event as it happens.

    Whoever stops listening ends the play; it carries on when it is asked for again.
    """
    words = _played(command, config, store, set, threads)
    return _lines([*words, "--events", "-"], ends=(0, 1, 3, 4))


def _played(
    command: str,
    config: File,
    store: File | None,
    set: Mapping[str, object] | None,
    threads: int | None,
) -> list[str]:
    words = [command, _file(config)]
    if store is not None:
        words += ["--store", _file(store)]
    for path, value in (set or {}).items():
        words.append(f"--set={path}={_toml(value)}")
    if threads is not None:
        words += ["--threads", str(threads)]
    return words


def _toml(value: object) -> str:
    """A value of a config as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        # Escapes of JSON are escapes of TOML, but for a pair of surrogates.
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_toml(str(key))} = {_toml(it)}" for key, it in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_toml, value)) + "]"
    raise TypeError(f"no value of a config: {value!r}")


def _file(file: File) -> str:
    name = os.fspath(file)
    return f"./{name}" if name.startswith("-") else name


def _value(words: Sequence[str], *more: str, ends: Iterable[int] = (0,)) -> Any:
    process = _begin([*words, *more])
    try:
        out, said = process.communicate()
    except BaseException:
        # Such as an interrupt: nobody waits for the program any more.
        process.kill()
        process.wait()
        raise
    if process.returncode not in ends:
        raise Error(said.strip(), process.returncode)
    return json.loads(out)


def _begin(words: Sequence[str]) -> subprocess.Popen[str]:
    command = program()
    try:
        return subprocess.Popen(
            [command, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
    except OSError as error:
        raise Error(f"{command} cannot be started: {error}", 2) from error


def _lines(words: Sequence[str], ends: Iterable[int] = (0,)) -> Iterator[dict[str, Any]]:
    process = _begin(words)
    assert process.stdout is not None and process.stderr is not None
    # Both are read at once: who fills the one while the other is waited for would wait for ever.
    said: list[str] = []
    from threading import Thread

    reader = Thread(target=lambda: said.extend(process.stderr), daemon=True)
    reader.start()
    try:
        for line in process.stdout:
            yield json.loads(line)
        code = process.wait()
        reader.join()
        if code not in ends:
            raise Error("".join(said).strip(), code)
    finally:
        # Whoever waits for this end to read sees that nobody will.
        process.stdout.close()
        if process.poll() is None:
            process.terminate()
            process.wait()
        reader.join()
        process.stderr.close()


def _verdict(value: str | Mapping[str, Any] | None) -> str | None:
    """Its name; one with a reason is a table with it for its only key."""
    return next(iter(value), None) if isinstance(value, Mapping) else value


def _range(value: Mapping[str, Any] | None) -> tuple[float | None, float | None, float | None]:
    if value is None:
        return None, None, None
    return value["value"], value["low"], value["high"]


def _run_result(value: Mapping[str, Any]) -> RunResult:
    rows = value["variants"]
    variants = tuple(
        Variant(
            row["name"], row["wins"], row["draws"], row["losses"], tuple(row["pentanomial"]),
            *_range(row["estimate"]["elo"]), row,
        )
        for row in rows
    )
    played = value["pairs_played"]
    complete = value.get("complete", played == value["pairs"])
    return RunResult(value.get("run"), complete, value["games"], played, variants, value)


def _gate_result(value: Mapping[str, Any]) -> GateResult:
    candidates = tuple(
        Candidate(
            row["name"], row["verdict"], row["passed"], row["level"]["value"],
            row["level"]["lower"], row["level"]["upper"], row["pairs"],
            *_range(row["estimate"]["elo"]), row["sentence"], row,
        )
        for row in value["candidates"]
    )
    return GateResult(value["run"], value["exit_code"], value["base"], candidates, value)
