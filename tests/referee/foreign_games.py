"""Writes random games as other programs do: Xiangqi in Fairy-Stockfish's notations (pyffish), and a
book of PolyGlot (python-chess). Usage: foreign_games.py FOLDER

Prints JSON: the moves of the games with ranks from 0, and the keys of the book's positions.
"""

import json
import random
import re
import struct
import sys
from pathlib import Path

import chess
import chess.polyglot
import pyffish

GAMES = 40


def from_zero(move):
    ranks = re.findall(r"([a-i])(\d+)", move)
    return "".join(f"{file}{int(rank) - 1}" for file, rank in ranks)


def xiangqi(folder):
    start = pyffish.start_fen("xiangqi")
    expected = []
    notations = {"san": pyffish.NOTATION_SAN, "lan": pyffish.NOTATION_LAN, "uci": None}
    files = {name: (folder / f"{name}.pgn").open("w") for name in notations}
    for _ in range(GAMES):
        moves = []
        for _ in range(random.randrange(1, 100)):
            legal = pyffish.legal_moves("xiangqi", start, moves)
            if not legal:
                break
            moves.append(random.choice(legal))
        expected.append([from_zero(move) for move in moves])
        for name, notation in notations.items():
            words = moves
            if notation is not None:
                words = pyffish.get_san_moves("xiangqi", start, moves, False, notation)
            files[name].write(f'[Variant "Xiangqi"]\n\n{" ".join(words)} *\n\n')
    for file in files.values():
        file.close()
    return expected


def polyglot(folder):
    entries = set()
    positions = {chess.polyglot.zobrist_hash(chess.Board())}
    for _ in range(GAMES):
        board = chess.Board()
        for ply in range(random.randrange(4, 60)):
            legal = list(board.legal_moves)
            if not legal:
                break
            special = [
                move
                for move in legal
                if board.is_castling(move) or board.is_en_passant(move) or move.promotion
            ]
            move = random.choice(special or (legal[:3] if ply < 4 else legal))
            target = move.to_square
            if board.is_castling(move):
                rook = 7 if chess.square_file(target) == 6 else 0
                target = chess.square(rook, chess.square_rank(target))
            bits = target | move.from_square << 6
            bits |= (move.promotion - 1 if move.promotion else 0) << 12
            entries.add((chess.polyglot.zobrist_hash(board), bits))
            board.push(move)
            positions.add(chess.polyglot.zobrist_hash(board))
    book = (struct.pack(">QHHI", key, bits, 1, 0) for key, bits in sorted(entries))
    (folder / "book.bin").write_bytes(b"".join(book))
    return sorted(f"{key:016x}" for key in positions)


random.seed(1)
folder = Path(sys.argv[1])
print(json.dumps({"xiangqi": xiangqi(folder), "book": polyglot(folder)}))
