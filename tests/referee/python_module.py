"""Tries the Python module in the working folder; see tests/commands/python.rs."""

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

listed = leitai.runs("gate.sqlite")
assert [(row.kind, row.state) for row in listed] == [("gate", "finished")], listed

with open("table.csv", "w") as file:
    file.write("first,second,wins,draws,losses\nA,B,30,20,10\nB,A,12,9,30\n")
ratings = leitai.rate(["run.sqlite", "table.csv"], anchors={"B": 100})
assert [row.name for row in ratings if row.elo == 100.0] == ["B"], ratings

seen = [event["event"] for event in leitai.events("run.toml", store="events.sqlite")]
assert "pair" in seen, seen

try:
    leitai.run("missing.toml")
    raise SystemExit("no error")
except leitai.Error as error:
    assert error.exit_code == 2 and "missing.toml" in str(error), error
print("done")
