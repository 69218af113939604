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
