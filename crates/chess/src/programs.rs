//! Programs that play Chess, with options for reproducible games: their own books are off, and they
//! search with one thread. Options are set if the program offers them.

use leitai_game::card::{KnownProgram, Ways};
use leitai_protocols::{CECP, UCI};

/// The programs with known settings.
pub(super) const KNOWN: [KnownProgram; 5] = [
    KnownProgram::new("stockfish", Ways::of(UCI)),
    KnownProgram {
        options: &[
            ("OwnBook", "false"),
            ("Ponder", "false"),
            ("Threads", "1"),
            ("Randomness", "0"),
        ],
        ..KnownProgram::new("glaurung", Ways::of(UCI))
    },
    // It reports the name `Toga II 3.0`; Debian's program is `toga2`.
    KnownProgram {
        options: &[
            ("OwnBook", "false"),
            ("Ponder", "false"),
            ("Number of Threads", "1"),
        ],
        ..KnownProgram::new("toga", Ways::of(UCI))
    },
    // Only the command line turns its book off: `["phalanx", "-b-"]`.
    KnownProgram::new("phalanx", Ways::of(CECP)),
    // Speaks UCI with `["gnuchess", "--uci"]`.
    KnownProgram {
        options: &[("OwnBook", "false"), ("Ponder", "false")],
        ..KnownProgram::new("gnuchess", Ways::of(UCI))
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_known_by_their_names() {
        for (name, known) in [
            ("Stockfish 15.1", "stockfish"),
            ("Glaurung 2.2", "glaurung"),
            ("Toga II 3.0", "toga"),
            ("Phalanx XXV", "phalanx"),
            ("GNU Chess 6.2.7", "gnuchess"),
        ] {
            let found = KNOWN.iter().find(|it| it.is_called(name));
            assert_eq!(found.map(|it| it.name), Some(known), "{name}");
        }
    }
}
