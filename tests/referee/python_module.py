"""Tries the Python module in the working folder; see tests/commands/python.rs."""

import os
import time

import leitai

result = leitai.run("run.toml", threads=2, set={"tournament.pairs": 3, "adjudication.max_plies": 60})
assert result.complete and result.pairs == 9 and result.games == 18, result
first = result.variants[0]
assert sum((first.wins, first.draws, first.losses)) == 12 and sum(first.pentanomial) == 6, first
assert result.variant(first.name) is first
for row in result.variants:
    known = [elo for elo in (row.elo_low, row.elo, row.elo_high) if elo is not None]
    assert known == sorted(known), row

# The same again, from the record.
again = leitai.report("run.sqlite")
assert again.variants[0].pentanomial == first.pentanomial and again.complete

games = list(leitai.games("run.sqlite"))
assert len(games) == 18 and all(game.moves and game.fen for game in games), games
for game in leitai.games("run.sqlite"):
    break  # Whoever has seen enough leaves no program behind.

gate = leitai.gate("gate.toml", store="gate.sqlite")
assert gate.exit_code == 3 and not gate.accepted, gate
candidate = gate.candidates[0]
assert candidate.verdict == "inconclusive" and candidate.passed is None, candidate
assert candidate.lower < candidate.llr < candidate.upper and candidate.sentence

# A config as a mapping has a file and a record by its content.
config = {
    "game": "othello",
    "limits": {"nodes": 20},
    "openings": {"file": "leitai:othello"},
    "tournament": {"pairs": 2},
    "variant": [{"name": "a"}, {"name": "b", "search": {"preset": "full"}}],
}
played = leitai.run(config)
assert played.complete and leitai.run(config) == played
assert [row.name for row in leitai.rate([config])] == [row.name for row in leitai.rate(config)]
few = list(leitai.positions(config, plies="0..2"))
assert len(few) == 12 and few[0].ply == 0 and few[0].half_points in (0, 1, 2), few
from concurrent.futures import ThreadPoolExecutor

# Threads may write the same mapping at once, with any text in it.
named = [{**config, "variant": [{"name": f"a\x7f{it}"}, {"name": "b"}]} for it in range(20)]
with ThreadPoolExecutor(8) as pool:
    files = list(pool.map(leitai._config, named * 8))
assert len(set(files)) == 20 and all(os.path.exists(file) for file in files)
try:
    import pandas
except ModuleNotFoundError:
    pass
else:
    assert len(leitai.positions(config, plies="0..2").to_pandas()) == 12
    try:
        leitai.positions("missing.pgn").to_pandas()
        raise SystemExit("no error")
    except leitai.Error as error:
        assert "missing.pgn" in str(error), error
tuned = leitai.tune(
    {
        "game": "othello",
        "limits": {"nodes": 20},
        "openings": {"file": "leitai:othello"},
        "tune": {
            "variant": "a",
            "games": 40,
            "parameter": [{"path": "eval.mobility", "min": -20, "max": 100, "step": 20}],
        },
        "variant": [{"name": "a"}],
    },
    proof=False,
)
assert tuned.complete and [it.name for it in tuned.parameters] == ["eval.mobility"], tuned
studied = leitai.study(
    {
        "game": "othello",
        "study": {"suite": "leitai:othello-study", "depth": 1},
        "variant": [{"name": "a"}, {"name": "b", "search": {"preset": "full"}}],
    }
)
assert [(row.variant, row.depth) for row in studied.rows] == [("a", 1), ("b", 1)], studied
assert studied.rows[1].ratio is not None and studied.rows[0].nodes, studied

listed = leitai.runs("gate.sqlite")
told = [(row.kind, row.state, row.verdict) for row in listed]
assert told == [("gate", "finished", "inconclusive")], listed

with open("table.csv", "w") as file:
    file.write("first,second,wins,draws,losses\nA,B,30,20,10\nB,A,12,9,30\n")
ratings = leitai.rate(["run.sqlite", "table.csv"], anchors={"B": 100})
assert [row.name for row in ratings if row.elo == 100.0] == ["B"], ratings

seen = [event["event"] for event in leitai.events("run.toml", store="events.sqlite")]
assert "pair" in seen, seen

# Whoever stops listening does not wait until the program has told all.
events = leitai.events("long.toml")
next(events)
time.sleep(2)
begun = time.monotonic()
events.close()
assert time.monotonic() - begun < 5, "an end that nobody reads is waited for"

# Values are those of Python, whatever they look like.
for values, words in [
    ({"limits": {"nodes": 30}, "variant": []}, "variant"),
    ({"seed": "5"}, "seed"),
    ({"tournament.format": "neither"}, "neither"),
]:
    try:
        leitai.run("run.toml", set=values)
        raise SystemExit(f"no error: {values}")
    except leitai.Error as error:
        assert error.exit_code == 2 and words in str(error), error
try:
    leitai.run("run.toml", set={"seed": None})
    raise SystemExit("no error")
except TypeError:
    pass
with open("positions.epd", "w") as file:
    file.write("3k5/9/9/9/9/9/9/9/4R4/4K4 w\n")
for wrong in (lambda: list(leitai.games("positions.epd")), lambda: leitai.report("run.sqlite", "-x")):
    try:
        wrong()
        raise SystemExit("no error")
    except leitai.Error as error:
        assert error.exit_code == 2, error
asked = os.environ["LEITAI"]
os.environ["LEITAI"] = "./nowhere"
try:
    leitai.runs("run.sqlite")
    raise SystemExit("no error")
except leitai.Error as error:
    assert error.exit_code == 2 and "nowhere" in str(error), error
os.environ["LEITAI"] = asked

try:
    leitai.run("missing.toml")
    raise SystemExit("no error")
except leitai.Error as error:
    assert error.exit_code == 2 and "missing.toml" in str(error), error
print("done")
