#!/usr/bin/env python3
"""Check positions of Shogi against an independent referee, Fairy-Stockfish.

Needs pyffish (`pip install pyffish`). Reads lines with fields between tabs from standard input:
`game MOVES CAUSE` and `at SFEN CHECK MOVES`, moves in USI; CHECK is `check` or `-`, CAUSE is the
cause of a game's end or `-`. Asserts

* of each position, that legal moves and check are the same;
* of each game, that it ends there too after its last move, and not one ply before.

Fairy-Stockfish lists pawn drops that mate, which the rules forbid, as legal moves that lose. The
script removes them.

Exit codes: 0 both agree, 1 they do not, 2 there is nothing to check.
"""

import re
import sys
from collections import Counter

try:
    import pyffish
except ImportError:
    sys.exit("shogi.py: pyffish is missing: pip install pyffish")

VARIANT = "shogi"
START = pyffish.start_fen(VARIANT)


def square(text):
    """A square of USI, such as `7g`, in the form of pyffish."""
    return "abcdefghi"[9 - int(text[0])] + str(9 - "abcdefghi".index(text[1]))


def move(text):
    if text[1] == "*":
        return text[0] + "@" + square(text[2:])
    return square(text[:2]) + square(text[2:4]) + text[4:]


def position(sfen):
    board, side, hands, _ = sfen.split()
    found = re.findall(r"(\d*)([A-Za-z])", hands)
    held = "".join(piece * int(count or 1) for count, piece in found)
    # In Fairy-Stockfish the first side is White.
    return f"{board}[{held}] {'w' if side == 'b' else 'b'} 0 1"


def mates_by_pawn(fen, drop):
    after = pyffish.get_fen(VARIANT, fen, [drop])
    return pyffish.gives_check(VARIANT, after, []) and not pyffish.legal_moves(VARIANT, after, [])


def differences(fields):
    """The differences in a position."""
    sfen, check, moves = fields
    fen = position(sfen)
    ours = {move(text) for text in moves.split()}
    theirs = set(pyffish.legal_moves(VARIANT, fen, []))
    for text in theirs - ours:
        if text[:2] == "P@" and mates_by_pawn(fen, text):
            theirs.remove(text)
    if ours != theirs:
        yield f"moves at {sfen}: {sorted(ours ^ theirs)}"
    if pyffish.gives_check(VARIANT, fen, []) != (check == "check"):
        yield f"check at {sfen}"


def is_over(moves):
    """Whether a game is over after these moves: by a rule, or without a legal move."""
    ends = pyffish.is_immediate_game_end, pyffish.is_optional_game_end
    by_rule = any(end(VARIANT, START, moves)[0] for end in ends)
    return by_rule or not pyffish.legal_moves(VARIANT, START, moves)


def main():
    counts, found = Counter(), []
    for line in sys.stdin:
        kind, *fields = line.rstrip("\n").split("\t")
        if kind == "at":
            counts["positions"] += 1
            found += differences(fields)
            continue
        moves, cause = [move(text) for text in fields[0].split()], fields[1]
        counts["games"] += 1
        counts[cause] += 1
        if is_over(moves) != (cause != "-"):
            found.append(f"{cause} after {fields[0]}")
        if is_over(moves[:-1]):
            found.append(f"before the last move of {fields[0]}")
    for text in found[:20]:
        print(text)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    if not counts["games"]:
        sys.exit(2)
    sys.exit(1 if found else 0)


main()
