//! Every option of fastchess, and its treatment here.
//!
//! The list is that of `registerOptions` in `app/src/cli/cli.cpp` of fastchess 1.8.2 (74deac23),
//! with `--compliance` of `main.cpp`. docs/fastchess.md has a row for each.

/// The arguments of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Any words.
    Free,
    /// Nothing.
    Alone,
    /// One word.
    Single,
    /// Words `key=value`, at least one.
    Pairs,
    /// Words `key=value`, or none.
    PairsOrNone,
}

/// The treatment of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Support {
    /// Translated, or used for the output.
    Ours,
    /// Always fulfilled by Leitai.
    Anyway,
    /// An error; the text names an alternative.
    Refused(&'static str),
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownOption {
    /// Including its dash.
    pub(super) name: &'static str,
    pub(super) style: Style,
    pub(super) fate: Support,
}

const fn ours(name: &'static str, style: Style) -> KnownOption {
    let fate = Support::Ours;
    KnownOption { name, style, fate }
}

const fn anyway(name: &'static str, style: Style) -> KnownOption {
    let fate = Support::Anyway;
    KnownOption { name, style, fate }
}

const fn refused(name: &'static str, style: Style, instead: &'static str) -> KnownOption {
    let fate = Support::Refused(instead);
    KnownOption { name, style, fate }
}

/// The options of fastchess.
pub(super) const OPTIONS: [KnownOption; 53] = [
    ours("-engine", Style::Pairs),
    ours("-each", Style::Pairs),
    ours("-pgnout", Style::PairsOrNone),
    refused(
        "-epdout",
        Style::PairsOrNone,
        "every game is in the record: `leitai convert RECORD --to epd` writes its positions",
    ),
    ours("-openings", Style::Pairs),
    ours("-sprt", Style::Pairs),
    ours("-draw", Style::Pairs),
    ours("-resign", Style::Pairs),
    ours("-maxmoves", Style::Single),
    ours("-tb", Style::Single),
    ours("-tbpieces", Style::Single),
    ours("-tbignore50", Style::Alone),
    ours("-tbadjudicate", Style::Single),
    anyway("-autosaveinterval", Style::Single),
    refused(
        "-log",
        Style::Pairs,
        "there is no log file: warnings go to standard error, and `--dialogue FOLDER` writes \
         the dialogue between leitai and the programs, a file per game and program",
    ),
    refused(
        "-config",
        Style::Pairs,
        "there is no file to resume from: every finished pair is in the record, and the same \
         command carries on; `--store FILE` names the record. `leitai import FILE` makes a \
         config of leitai from a saved `config.json`",
    ),
    ours("-report", Style::Pairs),
    ours("-output", Style::Pairs),
    ours("-concurrency", Style::Single),
    ours("-crc32", Style::Pairs),
    ours("-force-concurrency", Style::Alone),
    ours("-event", Style::Free),
    ours("-site", Style::Free),
    ours("-games", Style::Single),
    ours("-rounds", Style::Single),
    ours("-wait", Style::Single),
    refused(
        "-noswap",
        Style::Alone,
        "pairs are the unit of leitai: two games from one opening with colours swapped, without \
         which an opening that suits one colour would count as strength",
    ),
    refused(
        "-reverse",
        Style::Alone,
        "both colours are played from each opening, so that it would change nothing: leave it out",
    ),
    ours("-ratinginterval", Style::Single),
    ours("-scoreinterval", Style::Single),
    ours("-srand", Style::Single),
    ours("-seeds", Style::Single),
    ours("-version", Style::Alone),
    ours("--version", Style::Alone),
    ours("-v", Style::Alone),
    ours("--v", Style::Alone),
    ours("-help", Style::Alone),
    ours("--help", Style::Alone),
    ours("-recover", Style::Alone),
    ours("-repeat", Style::Free),
    ours("-variant", Style::Single),
    ours("-tournament", Style::Single),
    ours("-quick", Style::Pairs),
    ours("-use-affinity", Style::Free),
    ours("-check-mate-pvs", Style::Alone),
    ours("-show-latency", Style::Alone),
    refused(
        "-debug",
        Style::Alone,
        "`--dialogue FOLDER` writes the dialogue between leitai and the programs, a file per \
         game and program",
    ),
    ours("-testEnv", Style::Alone),
    ours("-strict", Style::Alone),
    ours("-startup-ms", Style::Single),
    ours("-ucinewgame-ms", Style::Single),
    ours("-ping-ms", Style::Single),
    refused(
        "--compliance",
        Style::Free,
        "`leitai doctor CONFIG` examines how programs speak; `--print-config` makes the config",
    ),
];

/// Options of Leitai.
pub(super) const OWN: [KnownOption; 3] = [
    ours("--print-config", Style::Alone),
    ours("--store", Style::Single),
    ours("--dialogue", Style::Single),
];

/// The option with that name.
pub(super) fn known(name: &str) -> Option<&'static KnownOption> {
    let mut all = OPTIONS.iter().chain(&OWN);
    all.find(|known| known.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_a_row_in_the_docs() {
        let docs = include_str!("../../../docs/fastchess.md");
        let rows = docs.lines().filter(|line| line.starts_with("| `"));
        let cells = rows.filter_map(|line| line.split('|').nth(1));
        let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
        let names: Vec<&str> = names.filter_map(|name| name.split(' ').next()).collect();
        for known in OPTIONS.iter().chain(&OWN) {
            assert!(names.contains(&known.name), "no row for {}", known.name);
        }
    }

    #[test]
    fn names_are_unique() {
        for (place, known) in OPTIONS.iter().enumerate() {
            assert!(
                OPTIONS[..place]
                    .iter()
                    .all(|other| other.name != known.name)
            );
        }
    }
}
