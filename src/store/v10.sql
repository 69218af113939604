-- Schema version 10. Never edit a released version: add the next one.

-- Workers that have played pairs for other processes.
CREATE TABLE worker (
    key  INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE         -- 1 to 64 of A-Z, a-z, 0-9, - and _
) STRICT;

-- Which worker played a pair, apart from all that is compared. Nothing of pairs that the
-- process played itself that recorded them.
CREATE TABLE played_by (
    pair   INTEGER PRIMARY KEY,       -- key of the pair
    worker INTEGER NOT NULL           -- key of the worker
) STRICT;
