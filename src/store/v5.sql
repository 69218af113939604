-- Schema version 5. Never edit a released version: add the next one.

-- The finished cells of studies: a search of a variant on a position, or a problem
-- and its solver.
CREATE TABLE cell (
    key     BLOB PRIMARY KEY,         -- SHA-256 over all that decides it
    content TEXT NOT NULL,            -- JSON, with the times that were measured
    digest  BLOB NOT NULL             -- of both, 8 bytes
) STRICT, WITHOUT ROWID;
