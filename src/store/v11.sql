-- Schema version 11. Never edit a released version: add the next one.

-- Digests of what stands beside a run, a pair or a batch and is never compared: times, the worker
-- that played a pair, warnings about lines of play. Nothing of what was recorded before this
-- version.
CREATE TABLE apart_digest (
    run    INTEGER NOT NULL,          -- key of the run
    kind   INTEGER NOT NULL,          -- 0 the run, 1 a pair, 2 a batch
    number INTEGER NOT NULL,          -- of the pair or the batch in the run; 0 for the run
    digest BLOB NOT NULL,             -- 8 bytes
    PRIMARY KEY (run, kind, number)
) STRICT, WITHOUT ROWID;
