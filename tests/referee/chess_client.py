"""Plays games as a UCI client, by python-chess, against the engine that the arguments
start, which has to finish each of them by legal moves."""

import random
import sys

import chess
import chess.engine


def main():
    rng = random.Random(5)
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1:]) as engine:
        for number, board in enumerate(
            [
                chess.Board(),
                chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
                chess.Board.from_chess960_pos(0),
                chess.Board.from_chess960_pos(518),
                chess.Board.from_chess960_pos(690),
            ]
        ):
            board.turn = True
            limits = [
                chess.engine.Limit(nodes=300),
                chess.engine.Limit(depth=2),
                chess.engine.Limit(time=0.01),
                chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.01, black_inc=0.01),
            ]
            ours = number % 2 == 0
            castled = 0
            while not board.is_game_over(claim_draw=True) and board.ply() < 120:
                castles = [move for move in board.legal_moves if board.is_castling(move)]
                if board.turn == ours:
                    # Raises an error at an answer that is no legal move.
                    limit = limits[board.ply() // 2 % len(limits)]
                    result = engine.play(board, limit, game=number, info=chess.engine.INFO_ALL)
                    copy = board.copy(stack=False)
                    for move in result.info.get("pv", []):
                        copy.push(move)
                    board.push(result.move)
                elif castles:
                    castled += 1
                    board.push(castles[0])
                else:
                    quiet = [move for move in board.legal_moves if not board.is_capture(move)]
                    board.push(rng.choice(quiet or list(board.legal_moves)))
            print(f"game {number}: {board.ply()} plies, castled {castled}, {board.result(claim_draw=True)}")
        lines = engine.analyse(chess.Board(), chess.engine.Limit(nodes=2000), multipv=3)
        assert len(lines) == 3, lines
    print("done")


main()
