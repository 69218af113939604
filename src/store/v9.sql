-- Schema version 9. Never edit a released version: add the next one.

-- Games that a person has played, apart from all runs.
CREATE TABLE human_game (
    key       INTEGER PRIMARY KEY,
    game      TEXT NOT NULL,
    pgn       TEXT NOT NULL,
    played_at INTEGER NOT NULL,       -- milliseconds since 1970
    digest    BLOB NOT NULL           -- SHA-256 of game, a zero byte, and pgn
) STRICT;
