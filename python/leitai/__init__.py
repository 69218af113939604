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

A config is a file or a mapping, which is written to ``leitai-HASH.toml`` in the working folder, so that
the same mapping continues its record. Results have ``to_pandas``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Sequence, Union

__all__ = [
    "Candidate", "Error", "Game", "GateResult", "Listed", "Parameter", "Position", "Positions",
    "Rating", "Ratings", "RunResult", "StudyResult", "StudyRow", "TuneResult", "Variant", "events",
    "games", "gate", "positions", "program", "rate", "report", "run", "runs", "study", "tune",
]

File = Union[str, "os.PathLike[str]"]
Config = Union[File, Mapping[str, Any]]


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

    def to_pandas(self) -> Any:
        """The variants as a ``pandas.DataFrame``."""
        return _frame(Variant, self.variants)

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

    def to_pandas(self) -> Any:
        """The candidates as a ``pandas.DataFrame``."""
        return _frame(Candidate, self.candidates)


@dataclass(frozen=True)
class Parameter:
    """A tuned number, with its standard error and 95 % limits; ``None`` if its algorithm has none."""

    name: str
    start: float
    value: float
    error: float | None
    low: float | None
    high: float | None
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class TuneResult:
    """The result of a tune."""

    #: As of the command: 0 accepted by all proofs, 1 rejected, 3 inconclusive, 4 a player failed.
    exit_code: int
    complete: bool
    parameters: tuple[Parameter, ...]
    #: The file of the tuned variant.
    tuned: str | None
    raw: Mapping[str, Any]

    @property
    def accepted(self) -> bool:
        return self.exit_code == 0

    def to_pandas(self) -> Any:
        """The numbers as a ``pandas.DataFrame``."""
        return _frame(Parameter, self.parameters)


@dataclass(frozen=True)
class StudyRow:
    """A variant's searches to a depth: means of nodes over the positions, and the geometric mean of
    the ratio to the first variant with its 95 % limits."""

    variant: str
    depth: int
    positions: int
    nodes: float | None
    geometric_mean: float | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class StudyResult:
    """The nodes of variants at each depth."""

    rows: tuple[StudyRow, ...]
    raw: Mapping[str, Any]

    def to_pandas(self) -> Any:
        """The rows as a ``pandas.DataFrame``."""
        return _frame(StudyRow, self.rows)


@dataclass(frozen=True)
class Rating:
    """A player's rating, and its 95 % limits; ``None`` where results give none."""

    name: str
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    games: int
    raw: Mapping[str, Any]


class Ratings(list[Rating]):
    """Ratings, best first."""

    def to_pandas(self) -> Any:
        """The ratings as a ``pandas.DataFrame``."""
        return _frame(Rating, self)


@dataclass(frozen=True)
class Position:
    """A position in which a move was played, and the search of its player."""

    pair: int
    game: int
    ply: int
    opening: str
    fen: str
    move: str
    #: In the units of the player, and plies to a decided end; ``None`` without one.
    score: int | None
    mate: int | None
    depth: int | None
    nodes: int | None
    #: Of the mover: 0 lost, 1 drawn, 2 won; ``None`` without a result.
    half_points: int | None


@dataclass(frozen=True)
class Positions:
    """The positions of a record or a file, read one by one."""

    words: tuple[str, ...]

    def __iter__(self) -> Iterator[Position]:
        return (Position(**row) for row in _lines(self.words))

    def to_pandas(self) -> Any:
        """All positions as a ``pandas.DataFrame``."""
        import io

        import pandas

        text, _ = _printed([*self.words, "--as", "csv"], (0,))
        return pandas.read_csv(io.StringIO(text))


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
    config: Config,
    *,
    store: File | None = None,
    set: Mapping[str, object] | None = None,
    threads: int | None = None,
) -> RunResult:
    """Plays what is left of a tournament, and gives its results."""
    command = _played("run", config, store, set, threads)
    return _run_result(_value(command, "--quiet", "--json"))


def gate(
    config: Config,
    *,
    store: File | None = None,
    set: Mapping[str, object] | None = None,
    threads: int | None = None,
) -> GateResult:
    """Plays what is left of a gate, and gives its verdict."""
    command = _played("gate", config, store, set, threads)
    return _gate_result(_value(command, "--quiet", "--json", ends=(0, 1, 3, 4)))


def tune(
    config: Config,
    *,
    store: File | None = None,
    set: Mapping[str, object] | None = None,
    threads: int | None = None,
    proof: bool = True,
) -> TuneResult:
    """Plays what is left of a tune and of its proofs, and gives the tuned numbers."""
    command = _played("tune", config, store, set, threads)
    more = ["--quiet", "--json", *([] if proof else ["--no-proof"])]
    value, code = _ended([*command, *more], (0, 1, 3, 4))
    parameters = tuple(
        Parameter(
            row["name"], row["start"], row["value"], row.get("error"),
            *(row.get("interval") or (None, None)), row,
        )
        for row in value["dimensions"]
    )
    return TuneResult(code, value["complete"], parameters, value.get("tuned"), value)


def study(
    config: Config,
    *,
    set: Mapping[str, object] | None = None,
    threads: int | None = None,
    times: bool = False,
) -> StudyResult:
    """Searches the positions of a study, and gives the nodes of its variants."""
    command = _played("study", config, None, set, threads)
    value = _value(command, "--quiet", "--json", *([] if times else ["--no-times"]))
    rows = []
    for variant in value["variants"]:
        for row in variant["depths"]:
            nodes = row["nodes"]
            versus = nodes["versus_first"] or {}
            rows.append(
                StudyRow(
                    variant["name"], row["depth"], row["positions"], nodes["mean"],
                    nodes["geometric_mean"], *_range(versus.get("ratio")), row,
                )
            )
    return StudyResult(tuple(rows), value)


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


def rate(
    files: Config | Sequence[Config], *, anchors: Mapping[str, float] | None = None
) -> Ratings:
    """Ratings from the games of records, of PGN and of tables, best first. A mapping is the config of
    a record."""
    several = [files] if isinstance(files, (str, os.PathLike, Mapping)) else list(files)
    words = ["rate", *map(_input, several), "--json"]
    for name, elo in (anchors or {}).items():
        words.append(f"--anchor={name}={elo}")
    return Ratings(
        Rating(row["name"], row["elo"], row["elo_low"], row["elo_high"], row["games"], row)
        for row in _value(words)["ratings"]
    )


def positions(
    file: Config,
    *,
    run: str | None = None,
    plies: str | None = None,
    scores: str | None = None,
    settled: bool = False,
) -> Positions:
    """The positions of the games of a record or a file, with the options of ``leitai convert --to
    positions``. A mapping is the config of a record."""
    words = ["convert", _input(file), "--to", "positions"]
    options = {"run": run, "plies": plies, "scores": scores}
    words += [f"--{name}={value}" for name, value in options.items() if value is not None]
    return Positions((*words, *(["--settled"] if settled else [])))


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
    config: Config,
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
    config: Config,
    store: File | None,
    set: Mapping[str, object] | None,
    threads: int | None,
) -> list[str]:
    words = [command, _config(config)]
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
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_toml(str(key))} = {_toml(it)}" for key, it in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_toml, value)) + "]"
    raise TypeError(f"no value of a config: {value!r}")


def _table(path: str, table: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a table of TOML, its own tables last."""
    tables = []
    for key, value in table.items():
        name = _toml(str(key))
        if isinstance(value, Mapping):
            tables.append((f"[{path}{name}]", name, value))
        elif isinstance(value, list) and value and all(isinstance(it, Mapping) for it in value):
            tables += [(f"[[{path}{name}]]", name, it) for it in value]
        else:
            yield f"{name} = {_toml(value)}"
    for head, name, value in tables:
        yield head
        yield from _table(f"{path}{name}.", value)


def _config(config: Config) -> str:
    """The file of a config."""
    if not isinstance(config, Mapping):
        return _file(config)
    text = "\n".join(_table("", config)) + "\n"
    name = Path(f"leitai-{hashlib.sha256(text.encode()).hexdigest()[:12]}.toml")
    if not name.exists():
        part = name.with_suffix(f".{os.getpid()}-{threading.get_ident()}.part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, name)
    return str(name)


def _input(file: Config) -> str:
    """A file of games; of a mapping the record of that config."""
    return str(Path(_config(file)).with_suffix(".sqlite")) if isinstance(file, Mapping) else _file(file)


def _frame(kind: type, rows: Iterable[Any]) -> Any:
    """A ``pandas.DataFrame`` with the fields of these rows."""
    import pandas

    names = [field.name for field in fields(kind) if field.name != "raw"]
    return pandas.DataFrame([[getattr(row, name) for name in names] for row in rows], columns=names)


def _file(file: File) -> str:
    name = os.fspath(file)
    return f"./{name}" if name.startswith("-") else name


def _value(words: Sequence[str], *more: str, ends: Iterable[int] = (0,)) -> Any:
    return _ended([*words, *more], ends)[0]


def _ended(words: Sequence[str], ends: Iterable[int]) -> tuple[Any, int]:
    """The printed value and the exit code."""
    text, code = _printed(words, ends)
    return json.loads(text), code


def _printed(words: Sequence[str], ends: Iterable[int]) -> tuple[str, int]:
    """The printed text and the exit code."""
    process = _begin(words)
    try:
        out, said = process.communicate()
    except BaseException:
        # Such as an interrupt: nobody waits for the program any more.
        process.kill()
        process.wait()
        raise
    if process.returncode not in ends:
        raise Error(said.strip(), process.returncode)
    return out, process.returncode


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
