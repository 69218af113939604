-- Schema version 2. Never edit a released version: add the next one.

-- How players failed in attempts at a pair that do not count, because it was
-- played again. A pair's games in `game` are those of the attempt that does.
CREATE TABLE failure (
    pair    INTEGER NOT NULL REFERENCES pair (key),
    attempt INTEGER NOT NULL,         -- at the pair, from 1
    game    INTEGER NOT NULL,         -- 0 or 1
    variant INTEGER NOT NULL,         -- that failed
    cause   TEXT NOT NULL,
    PRIMARY KEY (pair, attempt, game)
) STRICT, WITHOUT ROWID;
