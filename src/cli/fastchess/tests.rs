//! Every option of fastchess with its expected text or error.

use super::config::config;
use super::read::{ParsedCommand, parse};
use super::table::{Support, options};
use super::words;
use crate::cli::prelude::*;

const PAIR: &str = "-engine cmd=a -engine cmd=b -each nodes=9";

fn asked(line: &str) -> Result<ParsedCommand, Failure> {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    parse(&words::read(&words)?)
}

/// The config of a command line, without comments and the blanks before them.
fn text(line: &str) -> String {
    let ParsedCommand::Play(request) =
        asked(line).unwrap_or_else(|error| panic!("{line}: {error:#}"))
    else {
        panic!("{line} plays nothing");
    };
    let text = config(&request);
    let lines = text.lines().map(|line| match line.split_once(" # ") {
        Some((said, _)) => said.trim_end(),
        None => line,
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The expected effect of an option.
enum Comes {
    /// These lines of the config.
    To(&'static [&'static str]),
    /// An error with this text.
    Refused(&'static str),
    /// No line of the config: an option for output or execution.
    Remote,
    /// An answer without a match.
    Answer,
}

/// Each option with its arguments.
const CASES: &[(&str, Comes)] = &[
    (
        "-engine cmd=x/c name=C dir=d",
        Comes::To(&["name = \"C\"", "folder = \"d\"", "command = [\"d/x/c\"]"]),
    ),
    (
        "-engine cmd=c proto=xboard args=-v -each nodes=0 depth=3",
        Comes::To(&["protocol = \"cecp\"", "command = [\"c\", \"-v\"]"]),
    ),
    (
        "-each restart=on option.Hash=16",
        Comes::To(&["restart = true", "options = { \"Hash\" = 16 }"]),
    ),
    (
        "-each nodes=0 tc=40/60+0.6 timemargin=250",
        Comes::To(&[
            "clock = \"40/60s+0.6s\"",
            "first_increment = true",
            "margin = \"250ms\"",
        ]),
    ),
    (
        "-each nodes=0 st=0.5",
        Comes::To(&["movetime = \"0.5s\"", "margin = \"1ms\""]),
    ),
    (
        "-each plies=7",
        Comes::To(&["depth = 7", "nodes = 9", "node_margin = 1000000000"]),
    ),
    (
        "-quick cmd=x cmd=y book=o.pgn",
        Comes::To(&[
            "pairs = 25000",
            "limits = { clock = \"10s+0.1s\", first_increment = true, margin = \"1ms\", nodes = 9 }",
            "draw = { score = 8, plies = 16, after_move = 30, reset = \"irreversible\" }",
        ]),
    ),
    ("-pgnout file=x.pgn nodes=true", Comes::Remote),
    ("-pgnout", Comes::Refused("needs a `file=`")),
    (
        "-pgnout file=x notation=lan",
        Comes::Refused("`san` and `uci`"),
    ),
    ("-epdout file=x", Comes::Refused("leitai convert")),
    (
        "-openings file=o.epd",
        Comes::To(&["file = \"o.epd\"", "order = \"sequential\""]),
    ),
    (
        "-openings file=o.bin format=pgn order=random start=5 plies=8",
        Comes::To(&[
            "format = \"pgn\"",
            "order = \"random\"",
            "start = 5",
            "plies = 8",
        ]),
    ),
    (
        "-openings policy=encounter",
        Comes::Refused("each pair has an opening"),
    ),
    (
        "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.1",
        Comes::To(&[
            "candidate = \"a\"",
            "base = \"b\"",
            "model = \"normalized\"",
            "elo1 = 5.0",
            "beta = 0.1",
            "overshoot = false",
            "alike_pairs = 0",
            "tolerate = \"100 %\"",
            "exhausted = \"vary\"",
        ]),
    ),
    (
        "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 model=bayesian",
        Comes::Refused("model=logistic"),
    ),
    ("-sprt elo0=0 elo1=5", Comes::Refused("alpha and beta")),
    (
        "-draw movenumber=34 movecount=8 score=20",
        Comes::To(&[
            "draw = { score = 20, plies = 16, after_move = 34, reset = \"irreversible\" }",
        ]),
    ),
    (
        "-resign movecount=3 score=600",
        Comes::To(&["resign = { score = 600, plies = 3, by = \"loser\" }"]),
    ),
    (
        "-resign movecount=3 score=600 twosided=true",
        Comes::To(&["resign = { score = 600, plies = 6, by = \"both\" }"]),
    ),
    ("-maxmoves 100", Comes::To(&["max_plies = 200"])),
    (
        "-tb tables",
        Comes::To(&["[adjudication.syzygy]", "path = \"tables\""]),
    ),
    ("-tbpieces 5 -tb tables", Comes::To(&["pieces = 5"])),
    ("-tbignore50 -tb tables", Comes::To(&["fifty = false"])),
    (
        "-tbadjudicate WIN_LOSS -tb tables",
        Comes::To(&["results = \"wins\""]),
    ),
    ("-autosaveinterval 0", Comes::Remote),
    ("-log file=x engine=true", Comes::Refused("--dialogue")),
    ("-config file=config.json", Comes::Refused("leitai import")),
    ("-report penta=false", Comes::Remote),
    ("-output format=cutechess", Comes::Remote),
    ("-output format=xml", Comes::Refused("`cutechess`")),
    ("-concurrency -1", Comes::Remote),
    ("-crc32 pgn=true", Comes::Remote),
    ("-force-concurrency", Comes::Remote),
    ("-event My Event", Comes::Remote),
    ("-site here", Comes::Remote),
    ("-games 2", Comes::To(&["pairs = 2"])),
    ("-games 1", Comes::Refused("pairs are the unit")),
    ("-games 100", Comes::To(&["pairs = 100"])),
    ("-rounds 32", Comes::To(&["pairs = 32"])),
    ("-wait 0", Comes::Remote),
    ("-wait 10", Comes::Refused("missing")),
    ("-noswap", Comes::Refused("pairs are the unit")),
    ("-reverse", Comes::Refused("leave it out")),
    ("-ratinginterval 1", Comes::Remote),
    ("-scoreinterval 0", Comes::Remote),
    (
        "-srand 18446744073709551615",
        Comes::To(&["seed = 9223372036854775807"]),
    ),
    (
        "-seeds 1 -tournament gauntlet",
        Comes::To(&["format = \"gauntlet\"", "challengers = [\"a\"]"]),
    ),
    ("-version", Comes::Answer),
    ("--version", Comes::Answer),
    ("-v", Comes::Answer),
    ("--v", Comes::Answer),
    ("-help", Comes::Answer),
    ("--help", Comes::Answer),
    ("-recover", Comes::To(&["[tournament]"])),
    ("-repeat", Comes::To(&["pairs = 2"])),
    (
        "-variant fischerandom -openings file=o.epd",
        Comes::To(&["chess960 = true"]),
    ),
    ("-variant fischerandom", Comes::Refused("needs a book")),
    ("-variant atomic", Comes::Refused("`fischerandom`")),
    (
        "-tournament gauntlet",
        Comes::To(&["format = \"gauntlet\""]),
    ),
    ("-tournament knockout", Comes::Refused("`gauntlet`")),
    ("-use-affinity 0,2-3", Comes::Remote),
    ("-use-affinity x", Comes::Refused("-use-affinity")),
    ("-check-mate-pvs", Comes::Remote),
    ("-show-latency", Comes::Remote),
    ("-debug", Comes::Refused("--dialogue")),
    ("-testEnv", Comes::Remote),
    ("-strict", Comes::Remote),
    ("-startup-ms 90000", Comes::To(&["startup = \"90000ms\""])),
    ("-ucinewgame-ms 5", Comes::To(&["startup = \"10000ms\""])),
    ("-ping-ms 99000", Comes::To(&["startup = \"99000ms\""])),
    ("--compliance x", Comes::Refused("leitai doctor")),
    ("--print-config", Comes::Remote),
    ("--store x.sqlite", Comes::Remote),
    ("--dialogue x", Comes::Remote),
];

#[test]
fn every_option_comes_to_something() {
    let usual = text(PAIR);
    for known in options() {
        let of_it = CASES
            .iter()
            .filter(|(line, _)| line.split(' ').next() == Some(known.name));
        let refused = of_it
            .clone()
            .any(|(_, comes)| matches!(comes, Comes::Refused(_)));
        assert!(of_it.count() > 0, "no case of {}", known.name);
        assert!(
            refused || !matches!(known.support, Support::Refused(_)),
            "{}",
            known.name
        );
    }
    for (words, comes) in CASES {
        let line = format!("{PAIR} {words}");
        match comes {
            Comes::To(lines) => {
                let text = text(&line);
                for line in *lines {
                    assert!(
                        text.lines().any(|it| it == *line),
                        "{words}: {line}\n{text}"
                    );
                }
            }
            Comes::Refused(said) => {
                let error = format!("{:#}", asked(&line).unwrap_err());
                assert!(error.contains(said), "{words}: {error}");
            }
            Comes::Remote => {
                let pv = "[checks]\nmate = false\n\n";
                assert_eq!(
                    text(&line).replace(pv, ""),
                    usual.replace(pv, ""),
                    "{words}"
                );
            }
            Comes::Answer => {
                let is_match = matches!(asked(&line).unwrap(), ParsedCommand::Play(_));
                assert!(!is_match, "{words}");
            }
        }
    }
}

#[test]
fn the_last_of_games_and_repeats_counts() {
    assert!(text(&format!("{PAIR} -games 1 -repeat")).contains("pairs = 2\n"));
    assert!(asked(&format!("{PAIR} -repeat -games 1")).is_err());
    assert!(text(&format!("{PAIR} -rounds 2 -games 500")).contains("pairs = 500\n"));
    assert!(
        text(&format!(
            "{PAIR} -rounds 0 -sprt elo0=0 elo1=1 alpha=.1 beta=.1"
        ))
        .contains("max_pairs = 500000\n")
    );
}

#[test]
fn engines_are_distinguished_and_may_have_own_limits() {
    let text = text("-engine cmd=e nodes=5 -engine cmd=e depth=3 nodes=7 -recover");
    assert!(
        text.contains("name = \"e\"\n") && text.contains("name = \"e_2\"\n"),
        "{text}"
    );
    assert!(
        text.contains("limits = { nodes = 7, depth = 3 }\n"),
        "{text}"
    );
    assert!(!text.contains("\"stop\""), "{text}");
}

#[test]
fn settings_without_effect_are_reported() {
    for (words, said) in [
        ("-tbpieces 5", "`-tbpieces` has no effect"),
        ("-seeds 2", "`-seeds` has no effect"),
        ("-event E", "`-event` has no effect"),
        (
            "-pgnout file=x seldepth=true match_line=^x",
            "seldepth, match_line",
        ),
        (
            "-engine cmd=c nodes=1 -tournament gauntlet -seeds 2",
            "not each other",
        ),
    ] {
        let ParsedCommand::Play(request) = asked(&format!("{PAIR} {words}")).unwrap() else {
            panic!("{words}");
        };
        assert!(
            request.notes.iter().any(|it| it.contains(said)),
            "{words}: {:?}",
            request.notes
        );
    }
}

/// The arguments of OpenBench's client and fishtest's worker.
#[test]
fn callers_are_understood() {
    let openbench = "-recover -variant standard -testEnv -concurrency 1 -rounds 32 -games 2 \
        -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -tbpieces 6 \
        -engine dir=Engines/ cmd=./A proto=uci tc=8.0+0.08 timemargin=250 option.Threads=1 \
        option.Hash=8 name=E-dev -engine dir=Engines/ cmd=./B proto=uci tc=8.0+0.08 \
        timemargin=250 option.Threads=1 option.Hash=8 name=E-base -openings file=Books/b.epd \
        format=epd order=random start=501 -srand 42 -pgnout file=P.pgn seldepth=true nodes=true \
        match_line=x";
    let openbench = text(openbench);
    for line in [
        "command = [\"Engines/A\"]",
        "folder = \"Engines/\"",
        "clock = \"8s+0.08s\"",
        "options = { \"Threads\" = 1, \"Hash\" = 8 }",
        "start = 501",
        "pairs = 32",
    ] {
        assert!(
            openbench.lines().any(|it| it == line),
            "{line}\n{openbench}"
        );
    }
    let fishtest = "-testEnv -recover -repeat -games 2 -rounds 100 -ratinginterval 1 \
        -scoreinterval 0 -autosaveinterval 0 -report penta=true -pgnout file=r.pgn append=false \
        -crc32 pgn=true -site https://x -event E -srand 7 -resign movecount=3 score=600 -draw \
        movenumber=34 movecount=8 score=20 -variant standard -concurrency 1 -openings file=b.epd \
        format=epd order=random start=1 -check-mate-pvs -engine name=New-1 tc=10.0+0.1 cmd=./n \
        dir=. option.Hash=16 -engine name=Base-1 tc=10.0+0.1 cmd=./b dir=. option.Hash=16 -each \
        proto=uci";
    let fishtest = text(fishtest);
    assert!(fishtest.contains("command = [\"./n\"]\n"), "{fishtest}");
    assert!(!fishtest.contains("[checks]"), "{fishtest}");
}
