-- Schema version 11. Never edit a released version: add the next one.

-- The moves that lead to an opening from the usual start, u16 little-endian per ply: later
-- laps replace the last of them. Empty where no lap needs them, or where they are unknown.
ALTER TABLE opening ADD COLUMN moves BLOB NOT NULL DEFAULT x'';

-- Where games of later laps begin, so that they need not be searched for again: nothing is
-- lost with a row of it.
CREATE TABLE start (
    run     INTEGER NOT NULL,
    opening INTEGER NOT NULL,         -- meeting key of the opening, 64 bits read as signed
    lap     INTEGER NOT NULL,
    fen     TEXT NOT NULL,
    digest  BLOB NOT NULL,            -- of all this, with the run's id for its key
    PRIMARY KEY (run, opening, lap)
) STRICT, WITHOUT ROWID;

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

-- What is known of each failure in a pair, in attempts that do not count too, apart from all
-- that is compared.
CREATE TABLE evidence (
    pair    INTEGER NOT NULL,         -- key of the pair
    attempt INTEGER NOT NULL,         -- at the pair, from 1
    game    INTEGER NOT NULL,         -- 0 or 1
    detail  TEXT NOT NULL,            -- JSON: `plies` and `position`, and the player's last words
    PRIMARY KEY (pair, attempt, game)
) STRICT, WITHOUT ROWID;
