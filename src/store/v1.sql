-- Schema version 1. Never edit a released version: add the next one.

-- The opening books, each kept once however many runs use it.
CREATE TABLE book (
    key    INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE       -- SHA-256 of the openings in order
) STRICT;

CREATE TABLE opening (
    book INTEGER NOT NULL REFERENCES book (key),
    idx  INTEGER NOT NULL,            -- from 0, the index that pairs refer to
    id   TEXT NOT NULL,
    fen  TEXT NOT NULL,
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
    reproducible INTEGER NOT NULL,    -- 1 unless the clock limits play
    book         INTEGER NOT NULL REFERENCES book (key),
    digest       BLOB NOT NULL        -- SHA-256 of all this but the keys
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

-- The wall clock, apart from all that is compared.
CREATE TABLE run_timing (
    run        INTEGER PRIMARY KEY REFERENCES run (key),
    created_at INTEGER NOT NULL       -- milliseconds since 1970 UTC
) STRICT;

CREATE TABLE timing (
    pair        INTEGER PRIMARY KEY REFERENCES pair (key),
    elapsed_us  INTEGER NOT NULL,     -- microseconds spent on the two games
    finished_at INTEGER NOT NULL      -- milliseconds since 1970 UTC
) STRICT;
