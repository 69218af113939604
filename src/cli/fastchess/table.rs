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
    pub(super) support: Support,
}

/// Options that Leitai translates or uses for its output, separated by blanks. Its own begin with
/// two dashes.
const OURS: [(Style, &str); 5] = [
    (Style::Free, "-event -repeat -site -use-affinity"),
    (
        Style::Alone,
        "-check-mate-pvs -force-concurrency -help --help --print-config -recover \
         -show-latency -strict -tbignore50 -testEnv -v --v -version --version",
    ),
    (
        Style::Single,
        "-concurrency --dialogue -games -maxmoves -ping-ms -ratinginterval -rounds \
         -scoreinterval -seeds -srand -startup-ms --store -tb -tbadjudicate -tbpieces \
         -tournament -ucinewgame-ms -variant -wait",
    ),
    (
        Style::Pairs,
        "-crc32 -draw -each -engine -openings -output -quick -report -resign -sprt",
    ),
    (Style::PairsOrNone, "-pgnout"),
];

/// Options without a meaning here, each with an alternative.
const REFUSED: [(&str, Style, &str); 7] = [
    (
        "-epdout",
        Style::PairsOrNone,
        "every game is in the record: `leitai convert RECORD --to epd` writes its positions",
    ),
    (
        "-log",
        Style::Pairs,
        "there is no log file: warnings go to standard error, and `--dialogue FOLDER` writes \
         the dialogue between leitai and the programs, a file per game and program",
    ),
    (
        "-config",
        Style::Pairs,
        "there is no file to resume from: every finished pair is in the record, and the same \
         command resumes the match; `--store FILE` names the record. `leitai import FILE` makes a \
         config of leitai from a saved `config.json`",
    ),
    (
        "-noswap",
        Style::Alone,
        "pairs are the unit of leitai: two games from one opening with colours swapped, without \
         which an opening that suits one colour would count as strength",
    ),
    (
        "-reverse",
        Style::Alone,
        "both colours are played from each opening, so that it would change nothing: leave it out",
    ),
    (
        "-debug",
        Style::Alone,
        "`--dialogue FOLDER` writes the dialogue between leitai and the programs, a file per \
         game and program",
    ),
    (
        "--compliance",
        Style::Free,
        "`leitai doctor CONFIG` examines how programs speak; `--print-config` makes the config",
    ),
];

/// All options.
pub(super) fn options() -> impl Iterator<Item = KnownOption> {
    let option = |name, style, support| KnownOption {
        name,
        style,
        support,
    };
    let ours = OURS.iter().flat_map(move |&(style, names)| {
        names
            .split(' ')
            .map(move |name| option(name, style, Support::Ours))
    });
    let refused = REFUSED
        .iter()
        .map(move |&(name, style, instead)| option(name, style, Support::Refused(instead)));
    let anyway = option("-autosaveinterval", Style::Single, Support::Anyway);
    ours.chain(refused).chain([anyway])
}
