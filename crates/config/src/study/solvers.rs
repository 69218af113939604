//! `[study]` of Go block capture: a suite of problems and the limits of each solver.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use super::RawStudy;
use crate::files::{Find, found_file};
use crate::problem::{Problem, Problems};
use crate::tournament::indices;
use crate::values::{Of, Spanned, Time, ranged, ranged_or, setting_or, time};
use crate::variant::Variant;
use leitai_game::search::proof::Mode;

/// A study of solvers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverStudy {
    /// The file of the problems, resolved from the config's folder.
    pub suite: PathBuf,
    /// Node limit per problem.
    pub nodes: Option<u64>,
    /// Time limit per problem. At least one of the two is set.
    pub time: Option<Duration>,
    /// The required certainty of an answer.
    pub mode: Mode,
    /// Time limits for which solved problems are counted, in ascending order.
    pub within: Vec<Duration>,
    /// Number of times each problem is solved, to measure its time, 1 to 99.
    pub repeats: u32,
    /// Samples of the bootstrap, 100 to 10^6.
    pub resamples: u32,
    /// The variants, by index, whose unanimous answer is the verdict of a problem without one.
    pub judges: Vec<usize>,
}

/// Defaults: the times of the paper, and two shorter ones.
const DEFAULT_WITHIN: [Duration; 5] = [
    Duration::from_millis(1),
    Duration::from_millis(10),
    Duration::from_millis(100),
    Duration::from_secs(1),
    Duration::from_secs(10),
];

/// Maximum number of time limits in `within`.
const MAX_WITHIN: usize = 12;

/// Checks `[study]` of a config about Go with these variants; `None` if some are broken.
pub(crate) fn solvers(
    raw: &Spanned<RawStudy>,
    variants: Option<&[Variant]>,
    find: Find,
    problems: &mut Problems,
) -> Option<SolverStudy> {
    let (table, raw) = (raw.span(), raw.get_ref());
    let foreign = [
        (
            "depth",
            raw.depth.as_ref().map(Of::span),
            "remove it: solvers are limited by `nodes`, `movetime` or both",
        ),
        (
            "games",
            raw.games.as_ref().map(Spanned::span),
            "remove it: solvers meet in a `[tournament]` of its own config",
        ),
    ];
    misplaced(&foreign, ["searches", SOLVERS], problems);
    if raw.suite.is_none() {
        Problem::error(table.clone(), "a study without problems")
            .help("add `suite = \"problems.json\"` under `[study]`")
            .report(problems);
    }
    if raw.nodes.is_none() && raw.movetime.is_none() {
        Problem::error(table, "no limits: a solver must know when to give up")
            .help(
                "give `nodes = 1_000_000`, `movetime = \"10s\"` or both under `[study]`: for each \
                 problem",
            )
            .report(problems);
    }
    let suite = found_file(&raw.suite, find, problems);
    let within = match &raw.within {
        None => DEFAULT_WITHIN.to_vec(),
        Some(list) => within(list, problems),
    };
    let judges = match (&raw.judges, variants) {
        (Some(names), Some(variants)) => {
            let span = names.span();
            indices(names.get_ref(), span, "study.judges", variants, problems)
        }
        _ => Some(Vec::new()),
    };
    Some(SolverStudy {
        nodes: ranged(&raw.nodes, "study.nodes", problems),
        time: time(&raw.movetime, "movetime", "\"10s\"", problems),
        mode: setting_or(&raw.mode, Mode::Proved, "mode", problems),
        within,
        repeats: ranged_or(&raw.repeats, 1, "study.repeats", problems),
        resamples: super::resamples(raw, problems),
        suite: suite?,
        judges: judges?,
    })
}

/// Refuses the keys of a study of solvers in a study of searches.
pub(super) fn refuse(raw: &RawStudy, problems: &mut Problems) {
    let help = "remove it: a study of searches is limited by `depth`, and optionally by `nodes`";
    let keys = [
        ("movetime", raw.movetime.as_ref().map(Of::span), help),
        ("mode", raw.mode.as_ref().map(Of::span), help),
        ("within", raw.within.as_ref().map(Spanned::span), help),
        ("repeats", raw.repeats.as_ref().map(Of::span), help),
        ("judges", raw.judges.as_ref().map(Spanned::span), help),
    ];
    misplaced(&keys, [SOLVERS, "searches"], problems);
}

const SOLVERS: &str = "solvers (`game = \"go\"`)";

/// Refuses keys of one kind of study in the other.
fn misplaced(
    keys: &[(&str, Option<Range<usize>>, &str)],
    [owner, here]: [&str; 2],
    problems: &mut Problems,
) {
    for (key, span, help) in keys {
        let Some(span) = span.clone() else { continue };
        Problem::error(span, format!("`study.{key}` belongs to a study of {owner}"))
            .label(format!("not a key of a study of {here}"))
            .help(*help)
            .report(problems);
    }
}

fn within(list: &Spanned<Vec<Of<Time>>>, problems: &mut Problems) -> Vec<Duration> {
    if list.get_ref().len() > MAX_WITHIN {
        Problem::error(list.span(), "`study.within` has too many times")
            .label(format!("at most {MAX_WITHIN}"))
            .help("remove times at which all solvers have the same result")
            .report(problems);
    }
    let example = "[\"1ms\", \"10ms\", \"1s\"]";
    let times = list.get_ref().iter();
    let times = times.filter_map(|text| time(text, "within", example, problems));
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    times.dedup();
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::{ConfigError, Loaded, parse};

    /// A study of two solvers, with additional text in `[study]` and after the variants.
    fn config(study: &str, more: &str) -> Result<Loaded, ConfigError> {
        let text = format!(
            "game = \"go\"\n[study]\n{study}\n\
             [[variant]]\nname = \"a\"\nsearch = {{ solver = {{ kind = \"df-pn\" }} }}\n\
             [[variant]]\nname = \"b\"\nbase = \"a\"\n{more}"
        );
        parse(&text, "study.toml", &games::all())
    }

    fn problems(study: &str, more: &str) -> String {
        config(study, more).unwrap_err().to_string()
    }

    #[test]
    fn a_study_of_solvers_is_read() {
        let loaded = config("suite = \"p.json\"\nnodes = 1_000", "").unwrap();
        assert!(loaded.study.is_none());
        let study = loaded.solver_study.unwrap();
        let usual = SolverStudy {
            suite: "p.json".into(),
            nodes: Some(1_000),
            time: None,
            mode: Mode::Proved,
            within: DEFAULT_WITHIN.to_vec(),
            repeats: 1,
            resamples: 10_000,
            judges: Vec::new(),
        };
        assert_eq!(study, usual);
        let all = "suite = \"p.json\"\nmovetime = \"2s\"\nmode = \"fast\"\nrepeats = 3\n\
                   within = [\"1s\", \"5ms\", \"1s\"]\nresamples = 200\njudges = [\"b\"]";
        let study = config(all, "").unwrap().solver_study.unwrap();
        assert_eq!(
            (study.nodes, study.time),
            (None, Some(Duration::from_secs(2)))
        );
        assert_eq!(
            (study.mode, study.repeats, study.resamples),
            (Mode::Fast, 3, 200)
        );
        assert_eq!(study.judges, [1]);
        // In ascending order, without duplicates.
        assert_eq!(study.within, [5, 1_000].map(Duration::from_millis));
    }

    #[test]
    fn errors_are_reported_with_help() {
        let good = "suite = \"p.json\"\nnodes = 1_000";
        for (study, told) in [
            ("nodes = 9", "a study without problems"),
            (
                "suite = \"p.json\"",
                "no limits: a solver must know when to give up",
            ),
            ("depth = 6", "`study.depth` belongs to a study of searches"),
            (
                "games = { pairs = 2 }",
                "`study.games` belongs to a study of searches",
            ),
            ("mode = \"prove\"", "unknown mode `prove`"),
            ("repeats = 0", "must be from 1 to 99"),
            ("movetime = \"soon\"", "expected a number"),
            ("within = [\"1\"]", "expected a unit"),
            ("judges = [\"c\"]", "unknown variant `c`"),
            ("judges = []", "is empty"),
        ] {
            let text = match study {
                "nodes = 9" | "suite = \"p.json\"" => study.to_owned(),
                more => format!("{good}\n{more}"),
            };
            let found = problems(&text, "");
            assert!(found.contains(told), "{study}: {found}");
            assert!(found.contains("help"), "{study}: {found}");
        }
        let many = vec!["\"1s\""; 13].join(", ");
        assert!(problems(&format!("{good}\nwithin = [{many}]"), "").contains("at most 12"));
    }

    #[test]
    fn a_study_of_searches_has_no_keys_of_solvers() {
        for key in [
            "movetime = \"1s\"",
            "mode = \"fast\"",
            "within = [\"1s\"]",
            "repeats = 2",
            "judges = [\"a\"]",
        ] {
            let text = format!(
                "game = \"othello\"\n[study]\nsuite = \"s.epd\"\ndepth = 3\n{key}\n\
                 [[variant]]\nname = \"a\"\n"
            );
            let found = parse(&text, "study.toml", &games::all())
                .unwrap_err()
                .to_string();
            let told = "belongs to a study of solvers (`game = \"go\"`)";
            assert!(found.contains(told), "{key}: {found}");
        }
    }

    #[test]
    fn every_variant_solves() {
        let good = "suite = \"p.json\"\nnodes = 1_000";
        let without = "search = { solver = false }";
        let found = problems(good, without);
        assert!(
            found.contains("a study of solvers needs a solver"),
            "{found}"
        );
        let program = |words: &str| format!("[[variant]]\nname = \"c\"\n{words}");
        let gtp = "command = [\"gnugo\", \"--mode\", \"gtp\"]\nprotocol = \"gtp\"";
        let loaded = config(good, &program(gtp)).unwrap();
        assert!(loaded.config.variants[2].program.is_some());
        let found = problems(good, &program("command = [\"x\"]\nprotocol = \"uci\""));
        assert!(found.contains("asks other programs by GTP"), "{found}");
    }
}
