-- Schema version 2. It may change until 0.1.0 is released.

-- Opening books; runs share them.
CREATE TABLE book (
    key    INTEGER PRIMARY KEY,
    digest BLOB NOT NULL,             -- SHA-256 of all its openings in order
    openings INTEGER NOT NULL,        -- their number
    held INTEGER NOT NULL,            -- exclusive or of the digests of its rows in `opening`, and
                                      -- one of the two columns before; 64 bits read as signed
    UNIQUE (digest, openings)
) STRICT;

-- Openings from which recorded pairs began, or to which they came.
CREATE TABLE opening (
    book INTEGER NOT NULL REFERENCES book (key),
    idx  INTEGER NOT NULL,            -- in the whole book, from 0: pairs refer to it
    id   TEXT NOT NULL,
    fen  TEXT NOT NULL,
    -- Moves from the usual start, u16 little-endian per ply; later laps replace the last of
    -- them. Empty where no lap needs them or they are unknown.
    moves BLOB NOT NULL,
    PRIMARY KEY (book, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
    key          INTEGER PRIMARY KEY, -- in the order of creation
    id           TEXT NOT NULL UNIQUE,
    game         TEXT NOT NULL,
    config       TEXT NOT NULL,       -- resolved, JSON
    source_name  TEXT NOT NULL,
    source_text  TEXT NOT NULL,
    seed         TEXT NOT NULL,       -- decimal: 64 bits without sign
    version      TEXT NOT NULL,       -- of leitai
    variants     TEXT NOT NULL,       -- names, JSON list
    pairs        INTEGER NOT NULL,    -- in the whole schedule
    reproducible INTEGER NOT NULL,    -- 0 if the clock limits play
    book         INTEGER NOT NULL REFERENCES book (key),
    digest       BLOB NOT NULL        -- SHA-256 of all columns except the keys
) STRICT;

CREATE TABLE pair (
    key     INTEGER PRIMARY KEY,
    run     INTEGER NOT NULL REFERENCES run (key),
    idx     INTEGER NOT NULL,         -- in the schedule, from 0
    pairing INTEGER NOT NULL,
    a       INTEGER NOT NULL,         -- moves first in game 0
    b       INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    digest  BLOB NOT NULL,            -- of the pair with its games, 8 bytes
    UNIQUE (run, idx)
) STRICT;

-- Two rows per pair, found by id = 2 * pair.key + number: no second index.
CREATE TABLE game (
    id     INTEGER PRIMARY KEY,
    pair   INTEGER NOT NULL GENERATED ALWAYS AS (id >> 1) VIRTUAL REFERENCES pair (key),
    number INTEGER NOT NULL GENERATED ALWAYS AS (id & 1) VIRTUAL,
    first  INTEGER NOT NULL,          -- variant that moved first
    second INTEGER NOT NULL,
    winner INTEGER,                   -- 0 the first mover, 1 the second, null a draw
    cause  TEXT NOT NULL,
    hash   INTEGER NOT NULL,          -- of the transcript, 64 bits read as signed
    moves  BLOB NOT NULL,             -- u16 little-endian per ply
    scores BLOB NOT NULL,             -- i16 little-endian per ply, -32768 for none
    depths BLOB NOT NULL,             -- u8 per ply
    nodes  BLOB NOT NULL              -- u32 little-endian per ply
) STRICT;

-- Wall-clock times; not part of the digests that are compared.
CREATE TABLE run_timing (
    run        INTEGER PRIMARY KEY REFERENCES run (key),
    created_at INTEGER NOT NULL       -- milliseconds since 1970 UTC
) STRICT;

CREATE TABLE timing (
    pair        INTEGER PRIMARY KEY REFERENCES pair (key),
    elapsed_us  INTEGER NOT NULL,     -- microseconds spent on the two games
    finished_at INTEGER NOT NULL      -- milliseconds since 1970 UTC
) STRICT;

-- Failures in attempts that do not count because the pair was played again. The games in
-- `game` are those of the attempt that counts.
CREATE TABLE failure (
    pair    INTEGER NOT NULL REFERENCES pair (key),
    attempt INTEGER NOT NULL,         -- at the pair, from 1
    game    INTEGER NOT NULL,         -- 0 or 1
    variant INTEGER NOT NULL,         -- that failed
    cause   TEXT NOT NULL,
    PRIMARY KEY (pair, attempt, game)
) STRICT, WITHOUT ROWID;

-- The batches of a tune: the values of both players and their results.
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

-- Failures in the pairs of a tune's batches.
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

-- Finished cells of studies: one search of a position, or one solver on a problem.
CREATE TABLE cell (
    key     BLOB PRIMARY KEY,         -- SHA-256 of all inputs
    content TEXT NOT NULL,            -- JSON, measured times included
    digest  BLOB NOT NULL             -- of both, 8 bytes
) STRICT, WITHOUT ROWID;

-- The speed of the machine at each start of a run whose limits name a reference speed.
CREATE TABLE speed (
    run         INTEGER NOT NULL REFERENCES run (key),
    number      INTEGER NOT NULL,     -- of the start, from 0
    nps         INTEGER NOT NULL,     -- nodes per second on each thread
    threads     INTEGER NOT NULL,     -- working
    measured_at INTEGER NOT NULL,     -- milliseconds since 1970 UTC
    digest      BLOB NOT NULL,        -- of all but the time, 8 bytes
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

-- The duration of each move; not part of the digests that are compared.
CREATE TABLE move_time (
    pair   INTEGER PRIMARY KEY,       -- key of the pair
    first  BLOB NOT NULL,             -- of game 0: microseconds, u32 little-endian per ply; in
    second BLOB NOT NULL              -- a game lost by a failure one more; in one lost on time
                                      -- another: the delay of its last answer
) STRICT;

-- Pairs that a process is playing, so that no other process plays them.
CREATE TABLE lease (
    run    INTEGER NOT NULL,          -- key of the run
    idx    INTEGER NOT NULL,          -- of the pair
    holder TEXT NOT NULL,             -- the process that plays it
    until  INTEGER NOT NULL,          -- milliseconds since the start of the machine: then it is free
    PRIMARY KEY (run, idx)
) STRICT, WITHOUT ROWID;

-- The duration of each move as the players report it; not compared. No row for pairs
-- without such reports.
CREATE TABLE reported_time (
    pair   INTEGER PRIMARY KEY,       -- key of the pair
    first  BLOB NOT NULL,             -- of game 0: microseconds, u32 little-endian per time in
    second BLOB NOT NULL              -- `move_time` except the delay; 2^32 - 1 for no report
) STRICT;

-- What the players printed about their moves, where the config keeps it; not compared.
CREATE TABLE move_report (
    pair   INTEGER PRIMARY KEY,       -- key of the pair
    first  BLOB NOT NULL,             -- of game 0: JSON, an object per move; zlib if long
    second BLOB NOT NULL
) STRICT;

-- Faults in the principal variations that players reported; not compared.
CREATE TABLE pv_warning (
    pair     INTEGER NOT NULL,        -- key of the pair
    game     INTEGER NOT NULL,        -- 0 or 1
    side     INTEGER NOT NULL,        -- that reported them: 0 moved first
    fault    TEXT NOT NULL,
    count    INTEGER NOT NULL,        -- of such lines in the game; of the first of them:
    ply      INTEGER NOT NULL,        -- plies played before
    cause    TEXT,                    -- of the end of the game before the line ends
    move     TEXT NOT NULL,           -- at fault
    position TEXT NOT NULL,
    line     TEXT NOT NULL,           -- the reported line
    PRIMARY KEY (pair, game, side, fault)
) STRICT, WITHOUT ROWID;

-- Games of a person; they belong to no run.
CREATE TABLE human_game (
    key       INTEGER PRIMARY KEY,
    game      TEXT NOT NULL,
    pgn       TEXT NOT NULL,
    played_at INTEGER NOT NULL,       -- milliseconds since 1970
    digest    BLOB NOT NULL           -- SHA-256 of game, a zero byte, and pgn
) STRICT;

-- Workers that have played pairs for other processes.
CREATE TABLE worker (
    key  INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE         -- 1 to 64 of A-Z, a-z, 0-9, - and _
) STRICT;

-- The worker that played a pair; not compared. No row for pairs that the recording process
-- played itself.
CREATE TABLE played_by (
    pair   INTEGER PRIMARY KEY,       -- key of the pair
    worker INTEGER NOT NULL           -- key of the worker
) STRICT;

-- Start positions of later laps, a cache of a search.
CREATE TABLE start (
    run     INTEGER NOT NULL,
    opening INTEGER NOT NULL,         -- meeting key of the opening, 64 bits read as signed
    lap     INTEGER NOT NULL,
    fen     TEXT NOT NULL,
    digest  BLOB NOT NULL,            -- of all this, with the run's id for its key
    PRIMARY KEY (run, opening, lap)
) STRICT, WITHOUT ROWID;

-- Digests of the data that is not compared: times, workers, warnings about principal
-- variations.
CREATE TABLE apart_digest (
    run    INTEGER NOT NULL,          -- key of the run
    kind   INTEGER NOT NULL,          -- 0 the run, 1 a pair, 2 a batch
    number INTEGER NOT NULL,          -- of the pair or the batch in the run; 0 for the run
    digest BLOB NOT NULL,             -- 8 bytes
    PRIMARY KEY (run, kind, number)
) STRICT, WITHOUT ROWID;

-- Evidence of each failure in a pair, attempts that do not count included; not compared.
CREATE TABLE evidence (
    pair    INTEGER NOT NULL,         -- key of the pair
    attempt INTEGER NOT NULL,         -- at the pair, from 1
    game    INTEGER NOT NULL,         -- 0 or 1
    detail  TEXT NOT NULL,            -- JSON: `plies`, `position` and the player's last lines
    PRIMARY KEY (pair, attempt, game)
) STRICT, WITHOUT ROWID;
