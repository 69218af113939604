"""Plays random games by the rules of python-chess and writes them, a line of JSON each:
where they begin, and of every ply the move in UCI and SAN, and the position after it
with its legal moves and all that its referee says."""

import json
import random
import sys

import chess


def start(rng, kind):
    if kind == "chess":
        return chess.Board()
    if kind == "chess960":
        return chess.Board.from_chess960_pos(rng.randrange(960))
    if kind == "double":
        white, black = (chess.Board.from_chess960_pos(rng.randrange(960)) for _ in "wb")
        ranks = black.board_fen().split("/")[:2] + white.board_fen().split("/")[2:]
        board = chess.Board("/".join(ranks) + " w - - 0 1", chess960=True)
        for square in chess.SquareSet(board.rooks & (chess.BB_RANK_1 | chess.BB_RANK_8)):
            board.castling_rights |= chess.BB_SQUARES[square]
        return board
    # A few pieces anywhere, in which material, stalemate and repetition decide.
    while True:
        board = chess.Board(None)
        pieces = [chess.Piece(chess.KING, color) for color in chess.COLORS]
        for _ in range(rng.randrange(4)):
            pieces.append(chess.Piece(rng.randrange(1, 6), rng.random() < 0.5))
        for square, piece in zip(rng.sample(range(64), len(pieces)), pieces):
            board.set_piece_at(square, piece)
        board.turn = rng.random() < 0.5
        board.halfmove_clock = rng.choice([0, 0, 90, 140])
        if board.is_valid() and any(board.legal_moves):
            return board


def said(board):
    return {
        "fen": board.fen(en_passant="legal"),
        "legal": sorted(map(board.uci, board.legal_moves)),
        "check": board.is_check(),
        "material": board.is_insufficient_material(),
        "can_win": [not board.has_insufficient_material(color) for color in (True, False)],
        "clock": board.halfmove_clock,
        "third": board.is_repetition(3),
        "fifth": board.is_repetition(5),
    }


def main():
    rng = random.Random(int(sys.argv[1]))
    for number in range(int(sys.argv[2])):
        kind = ["chess", "chess960", "double", "few"][number % 4]
        board = start(rng, kind)
        game = {"chess960": board.chess960, "start": said(board), "plies": []}
        lazy = rng.random() < 0.4
        for _ in range(160):
            moves = list(board.legal_moves)
            if not moves:
                break
            # Who always takes the first of the moves comes back to where he was.
            move = rng.choice(moves[:3] if lazy and rng.random() < 0.9 else moves)
            castles = [move for move in moves if board.is_castling(move) or board.is_en_passant(move)]
            if castles and rng.random() < 0.7:
                move = rng.choice(castles)
            uci, san = board.uci(move), board.san(move)
            board.push(move)
            game["plies"].append({"uci": uci, "san": san, **said(board)})
        print(json.dumps(game))


main()
