-- Schema version 7. Never edit a released version: add the next one.

-- How long each move took, apart from all that is compared.
CREATE TABLE move_time (
    pair   INTEGER PRIMARY KEY,       -- key of the pair
    first  BLOB NOT NULL,             -- of game 0: microseconds, u32 little-endian per ply; in
    second BLOB NOT NULL              -- a game lost by a failure one more; in one lost on time
                                      -- yet another: how late its last answer was
) STRICT;

-- Pairs that somebody is playing, so that nobody else does meanwhile.
CREATE TABLE lease (
    run    INTEGER NOT NULL,          -- key of the run
    idx    INTEGER NOT NULL,          -- of the pair
    holder TEXT NOT NULL,             -- the process that plays it
    until  INTEGER NOT NULL,          -- milliseconds since 1970 UTC: then it is free again
    PRIMARY KEY (run, idx)
) STRICT, WITHOUT ROWID;
