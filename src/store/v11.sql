-- Schema version 11. Never edit a released version: add the next one.

-- What is known of each failure in a pair, in attempts that do not count too, apart from all
-- that is compared.
CREATE TABLE evidence (
    pair    INTEGER NOT NULL,         -- key of the pair
    attempt INTEGER NOT NULL,         -- at the pair, from 1
    game    INTEGER NOT NULL,         -- 0 or 1
    detail  TEXT NOT NULL,            -- JSON: `plies` and `position`, and the player's last words
    PRIMARY KEY (pair, attempt, game)
) STRICT, WITHOUT ROWID;
