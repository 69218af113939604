-- Schema version 4. Never edit a released version: add the next one.

-- How players failed in the pairs of a tuning run's batches.
CREATE TABLE batch_failure (
    run     INTEGER NOT NULL REFERENCES run (key),
    number  INTEGER NOT NULL,         -- of the batch
    pair    INTEGER NOT NULL,         -- in the run, from 0
    attempt INTEGER NOT NULL,         -- at the pair, from 1
    game    INTEGER NOT NULL,         -- 0 or 1
    player  INTEGER NOT NULL,         -- that failed: 0 `plus`, 1 `minus`
    cause   TEXT NOT NULL,
    counts  INTEGER NOT NULL,         -- 1: the game was lost, 0: the pair was played again
    PRIMARY KEY (run, number, pair, attempt, game)
) STRICT, WITHOUT ROWID;
