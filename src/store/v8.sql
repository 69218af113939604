-- Schema version 8. Never edit a released version: add the next one.

-- How long each move took as the players say themselves, apart from all that is compared.
-- Nothing of pairs in which none said so.
CREATE TABLE reported_time (
    pair   INTEGER PRIMARY KEY,       -- key of the pair
    first  BLOB NOT NULL,             -- of game 0: microseconds, u32 little-endian per time in
    second BLOB NOT NULL              -- `move_time` but how late; 2^32 - 1 where nothing was said
) STRICT;

-- What was wrong with the lines of play that players reported, apart from all that is compared.
CREATE TABLE pv_warning (
    pair     INTEGER NOT NULL,        -- key of the pair
    game     INTEGER NOT NULL,        -- 0 or 1
    side     INTEGER NOT NULL,        -- who reported them: 0 moved first
    fault    TEXT NOT NULL,
    count    INTEGER NOT NULL,        -- of its lines in the game, and of the first of them:
    ply      INTEGER NOT NULL,        -- plies played before
    cause    TEXT,                    -- how the game is over where it goes on
    move     TEXT NOT NULL,           -- that it is about
    position TEXT NOT NULL,
    line     TEXT NOT NULL,           -- what was said
    PRIMARY KEY (pair, game, side, fault)
) STRICT, WITHOUT ROWID;
