-- Schema version 3. Never edit a released version: add the next one.

-- The batches of a tuning run: which two players met, and how their pairs ended.
CREATE TABLE batch (
    run    INTEGER NOT NULL REFERENCES run (key),
    number INTEGER NOT NULL,          -- in the order of proposals, from 0
    plus   BLOB NOT NULL,             -- f64 little-endian per dimension
    minus  BLOB NOT NULL,
    ll     INTEGER NOT NULL,          -- pairs by points of `plus`: 0, 1/2, 1, 3/2, 2
    ld     INTEGER NOT NULL,
    even   INTEGER NOT NULL,
    wd     INTEGER NOT NULL,
    ww     INTEGER NOT NULL,
    digest BLOB NOT NULL,             -- of all this, 8 bytes
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE batch_timing (
    run         INTEGER NOT NULL REFERENCES run (key),
    number      INTEGER NOT NULL,
    elapsed_us  INTEGER NOT NULL,     -- microseconds spent on its games
    finished_at INTEGER NOT NULL,     -- milliseconds since 1970 UTC
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
