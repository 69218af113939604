//! Every option of fastchess and cutechess-cli, and its treatment by Leitai.
//!
//! The lists are those of `registerOptions` in `app/src/cli/cli.cpp` of fastchess 1.8.2 (74deac23),
//! with `--compliance` of `main.cpp`, and of `parseMatch` in `projects/cli/src/main.cpp` of
//! cutechess-cli 1.4. docs/fastchess.md has a row for each.

/// The program whose command line is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cli) enum Dialect {
    #[default]
    Fastchess,
    Cutechess,
}

impl Dialect {
    pub(in crate::cli) const ALL: [Self; 2] = [Self::Fastchess, Self::Cutechess];

    /// The name of the program.
    pub(super) fn program(self) -> &'static str {
        match self {
            Self::Fastchess => "fastchess",
            Self::Cutechess => "cutechess-cli",
        }
    }

    /// The command of leitai.
    pub(in crate::cli) fn command(self) -> &'static str {
        match self {
            Self::Fastchess => "fastchess",
            Self::Cutechess => "cutechess",
        }
    }
}

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

/// Options of both programs, and Leitai's own `--dialogue`, `--print-config` and `--store`,
/// separated by blanks.
const SHARED: &[(Style, &str)] = &[
    (Style::Free, "-event -repeat -site"),
    (
        Style::Alone,
        "-help --help -noswap --print-config -recover -reverse -tbignore50 -v --v -version \
         --version",
    ),
    (
        Style::Single,
        "-concurrency --dialogue -games -maxmoves -ratinginterval -rounds -seeds -srand --store \
         -tb -tbpieces -tournament -variant -wait",
    ),
    (Style::Pairs, "-draw -each -engine -openings -resign -sprt"),
];

/// Options of fastchess alone.
const OF_FASTCHESS: &[(Style, &str)] = &[
    (Style::Free, "--compliance -use-affinity"),
    (
        Style::Alone,
        "-check-mate-pvs -debug -force-concurrency -show-latency -strict -testEnv",
    ),
    (
        Style::Single,
        "-ping-ms -scoreinterval -startup-ms -tbadjudicate -ucinewgame-ms",
    ),
    (Style::Pairs, "-config -crc32 -log -output -quick -report"),
    (Style::PairsOrNone, "-epdout -pgnout"),
];

/// Options of cutechess-cli alone.
const OF_CUTECHESS: &[(Style, &str)] = &[
    (Style::Free, "-debug -pgnout"),
    (Style::Single, "-epdout -outcomeinterval"),
];

/// Options of fastchess that Leitai always fulfils.
const ANYWAY: [(Style, &str); 1] = [(Style::Single, "-autosaveinterval")];

/// Options of cutechess-cli that Leitai refuses, each with an alternative.
const REFUSED: [(&str, Style, &str); 3] = [
    (
        "-engines",
        Style::Alone,
        "name the program of each engine: `-engine cmd=PROGRAM`",
    ),
    (
        "-bookmode",
        Style::Single,
        "`-openings file=BOOK` names the openings of all engines",
    ),
    (
        "-resultformat",
        Style::Single,
        "`leitai report RECORD` has tables of results, also in JSON and CSV",
    ),
];

/// All options of a program.
pub(super) fn options(dialect: Dialect) -> impl Iterator<Item = KnownOption> {
    let option = |name, style, support| KnownOption {
        name,
        style,
        support,
    };
    let named = move |list: &[(Style, &'static str)], support| {
        let all = list.iter().flat_map(|&(style, names)| {
            let names = names.split_whitespace();
            names.map(move |name| (name, style))
        });
        let all = all.map(|(name, style)| option(name, style, support));
        all.collect::<Vec<_>>()
    };
    let mut all = named(SHARED, Support::Ours);
    match dialect {
        Dialect::Fastchess => {
            all.extend(named(OF_FASTCHESS, Support::Ours));
            all.extend(named(&ANYWAY, Support::Anyway));
        }
        Dialect::Cutechess => {
            all.extend(named(OF_CUTECHESS, Support::Ours));
            let refused = REFUSED.iter();
            all.extend(
                refused.map(|&(name, style, help)| option(name, style, Support::Refused(help))),
            );
        }
    }
    all.into_iter()
}
