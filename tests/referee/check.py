#!/usr/bin/env python3
"""Check games of Xiangqi against an independent referee, Fairy-Stockfish.

    leitai convert run.sqlite --to json | python3 tests/referee/check.py
    python3 tests/referee/check.py games.jsonl

Needs pyffish (`pip install pyffish`), Fairy-Stockfish's rules as a Python
module. Reads the JSON lines of `leitai convert --to json` and asserts of every
game that

* the start is a legal position, and every move is legal where it is played;
* board and side at the end are the same;
* where the game ended by checkmate or stalemate, no move is legal there, the
  side to move is in check or not as the cause says, and it has lost;
* where it ended otherwise, or has not ended, some move is legal there;
* where it ended by perpetual check, the same side has lost.

The other rules differ between the two programs, and nothing is asserted of
them; how often both agree is printed:

* repetition, perpetual-chase: what counts as a chase is an approximation in
  Fairy-Stockfish (`chasingRule = axf`);
* move-limit: 100 plies there, 120 here;
* material: no rule there;
* Verdicts by adjudication are not about the board.

Exit codes: 0 both agree, 1 they do not, 2 there is nothing to check.
"""

import json
import sys
from collections import Counter

try:
    import pyffish
except ImportError:
    sys.exit("check.py: pyffish is missing: pip install pyffish")

VARIANT = "xiangqi"
NO_MOVES = {"checkmate": True, "stalemate": False}
# Causes that both programs judge by the same rule, and those where that is not so.
SAME_HISTORY = {"perpetual-check"}
OTHER_HISTORY = {"repetition", "perpetual-chase", "perpetual-attack", "move-limit", "material"}
MOST_SHOWN = 20


def from_zero(move):
    """A move as pyffish writes it: ranks from 1 to 10 instead of 0 to 9."""
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def placement(fen):
    """Board and side of a FEN."""
    return fen.split()[:2]


def mover(fen):
    """Whether the first side, Red, is to move."""
    return fen.split()[1] == "w"


def loss_of(red):
    """The result of a game that Red, or else Black, has lost."""
    return "0-1" if red else "1-0"


def result_of(value, red_to_move):
    """The result that a value from the mover's point of view means."""
    if value == 0:
        return "1/2-1/2"
    return loss_of(red_to_move if value < 0 else not red_to_move)


class Disagreement(Exception):
    """Both referees say different things about a game."""


def replay(fen, moves):
    """The position after legal moves."""
    try:
        # One call for all: pyffish looks for each among the legal moves.
        return pyffish.get_fen(VARIANT, fen, moves)
    except (ValueError, SystemError):  # the latter by a fault of pyffish
        pass
    for ply, move in enumerate(moves, 1):
        legal = pyffish.legal_moves(VARIANT, fen, [])
        if not legal:
            raise Disagreement(f"the game is over before ply {ply}, at {fen}")
        if move not in legal:
            raise Disagreement(f"ply {ply}: {move} is not legal at {fen}")
        fen = pyffish.get_fen(VARIANT, fen, [move])
    raise Disagreement(f"the moves are legal one by one, but not in a row, from {fen}")


def check_end(game, fen, start, moves, counts):
    """The verdict, on the position where the referee gave it."""
    verdict = game["verdict"]
    legal = pyffish.legal_moves(VARIANT, fen, [])
    cause = verdict["cause"] if verdict else "none"
    if cause in NO_MOVES:
        if legal:
            raise Disagreement(f"{cause}, but {legal[0]} is legal at {fen}")
        if bool(pyffish.gives_check(VARIANT, fen, [])) != NO_MOVES[cause]:
            raise Disagreement(f"{cause}, but the check is otherwise at {fen}")
        if verdict["result"] != loss_of(mover(fen)):
            raise Disagreement(f"{cause} at {fen} is {verdict['result']}")
        value = pyffish.game_result(VARIANT, start, moves)
        if result_of(value, mover(fen)) != verdict["result"]:
            raise Disagreement(f"{cause} is {verdict['result']} here, {value} there")
        counts[f"{cause}, compared"] += 1
        return
    if not legal:
        raise Disagreement(f"ended by {cause}, but no move is legal at {fen}")
    if cause not in SAME_HISTORY | OTHER_HISTORY:
        counts[f"verdict {cause}, not compared"] += 1
        return
    ended, value = pyffish.is_optional_game_end(VARIANT, start, moves)
    theirs = result_of(value, mover(fen)) if ended else "no end"
    if cause in SAME_HISTORY:
        if theirs != verdict["result"]:
            raise Disagreement(f"{cause} is {verdict['result']} here, {theirs} there")
        counts[f"{cause}, compared"] += 1
    else:
        same = "the same" if theirs == verdict["result"] else "otherwise"
        counts[f"{cause}, not compared: {same} there"] += 1


def check(game, counts):
    """One game."""
    start = game["fen"]
    if pyffish.validate_fen(start, VARIANT) != pyffish.FEN_OK:
        raise Disagreement(f"the start is no legal position: {start}")
    moves = [from_zero(move) for move in game["moves"]]
    verdict = game["verdict"]
    judged = verdict["ply"] if verdict else len(moves)
    fen = replay(start, moves[:judged])
    check_end(game, fen, start, moves[:judged], counts)
    fen = replay(fen, moves[judged:])
    if placement(fen) != placement(game["final_fen"]):
        raise Disagreement(f"the end is {game['final_fen']} here, {fen} there")


def lines(paths):
    """The lines of all files, or of standard input."""
    if not paths:
        yield from sys.stdin
    for path in paths:
        with open(path, encoding="utf-8") as file:
            yield from file


def main(paths):
    counts, bad, games, plies = Counter(), 0, 0, 0
    for line in filter(str.strip, lines(paths)):
        game = json.loads(line)
        if game["variant"] != VARIANT:
            sys.exit(f"check.py: this is {game['variant']}, not {VARIANT}")
        games += 1
        plies += len(game["moves"])
        try:
            check(game, counts)
        except Disagreement as disagreement:
            bad += 1
            if bad <= MOST_SHOWN:
                print(f"{game['file']}, game {game['game']}: {disagreement}")
    print(f"{games} games, {plies} plies, {bad} games on which the referees disagree")
    for what, count in sorted(counts.items()):
        print(f"  {count:6} {what}")
    if games == 0:
        return 2
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
