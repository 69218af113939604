"""Reads every game of a PGN by python-chess and says how many there are, or writes PGN of
random games: `chess_pgn.py read FILE`, `chess_pgn.py write SEED GAMES`."""

import random
import sys

import chess
import chess.pgn


def read(path):
    games = plies = castled = 0
    with open(path) as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if game.errors:
                sys.exit(f"game {games + 1}: {game.errors}")
            games += 1
            board = game.board()
            for move in game.mainline_moves():
                castled += board.is_castling(move)
                plies += 1
                board.push(move)
            result = game.headers["Result"]
            outcome = board.outcome(claim_draw=True)
            if outcome is not None and outcome.result() != result:
                sys.exit(f"game {games}: {result}, and {outcome} on the board")
            if game.headers["Termination"] in ("checkmate", "stalemate") and outcome is None:
                sys.exit(f"game {games}: {game.headers['Termination']} is not on the board")
    print(f"{games} games, {plies} plies, castled {castled} times")


def write(seed, count):
    rng = random.Random(seed)
    for number in range(count):
        board = [chess.Board(), chess.Board.from_chess960_pos(rng.randrange(960))][number % 2]
        start = board.copy()
        while not board.is_game_over(claim_draw=True) and len(board.move_stack) < 200:
            moves = list(board.legal_moves)
            castles = [move for move in moves if board.is_castling(move)]
            board.push(rng.choice(castles or moves))
        game = chess.pgn.Game.from_board(board)
        assert game.board().fen() == start.fen()
        game.headers["Result"] = board.result(claim_draw=True)
        print(game, end="\n\n")


if sys.argv[1] == "read":
    read(sys.argv[2])
else:
    write(int(sys.argv[2]), int(sys.argv[3]))
