-- Schema version 11. Never edit a released version: add the next one.

-- The moves that lead to an opening from the usual start, u16 little-endian per ply: later
-- laps replace the last of them. Empty where no lap needs them, or where they are unknown.
ALTER TABLE opening ADD COLUMN moves BLOB NOT NULL DEFAULT x'';
