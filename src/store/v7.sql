-- Schema version 7. Never edit a released version: add the next one.

-- How long each move took, apart from all that is compared.
CREATE TABLE move_time (
    pair   INTEGER PRIMARY KEY REFERENCES pair (key),
    first  BLOB NOT NULL,             -- of game 0: microseconds, u32 little-endian per ply; in
    second BLOB NOT NULL              -- a game lost by a failure one more; in one lost on time
                                      -- yet another: how late its last answer was
) STRICT;
