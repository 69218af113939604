-- Schema version 6. Never edit a released version: add the next one.

-- How fast the machine was at each start of a run whose limits name a reference speed.
CREATE TABLE speed (
    run         INTEGER NOT NULL REFERENCES run (key),
    number      INTEGER NOT NULL,     -- of the start, from 0
    nps         INTEGER NOT NULL,     -- nodes per second on each thread
    threads     INTEGER NOT NULL,     -- that were at work
    measured_at INTEGER NOT NULL,     -- milliseconds since 1970 UTC
    digest      BLOB NOT NULL,        -- of all but the time, 8 bytes
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
