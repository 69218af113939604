//! Every option of fastchess with its line of the config, or its error.

use std::collections::BTreeSet;
use std::fs;

use crate::common::{project, run, stderr, stdout};

const PAIR: &str = "-engine cmd=a -engine cmd=b -each nodes=9";

/// Prints the config of these words. Returns it, without comments and the blanks before them, and
/// the notes on standard error; or the error.
fn translated(words: &[&str]) -> Result<(String, String), String> {
    let output = run(&[&["fastchess"], words, &["--print-config"]].concat());
    let told = stderr(&output);
    if !output.status.success() {
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        assert!(output.stdout.is_empty(), "{words:?}");
        return Err(told);
    }
    let text = stdout(&output);
    let lines = text.lines().map(|line| match line.split_once(" # ") {
        Some((said, _)) => said.trim_end(),
        None => line,
    });
    Ok((lines.flat_map(|line| [line, "\n"]).collect(), told))
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// The config of a line of words.
fn config(line: &str) -> String {
    match translated(&words(line)) {
        Ok((text, _)) => text,
        Err(error) => panic!("{line}: {error}"),
    }
}

fn has_line(text: &str, line: &str) -> bool {
    text.lines().any(|it| it == line)
}

/// Asserts that a line of words is refused, with `said` in the error.
fn assert_refused(line: &str, said: &str) {
    let error = translated(&words(line)).expect_err(line);
    assert!(error.contains(said), "{line}: {error}");
}

/// Options that come to lines of the config.
const TRANSLATED: &[(&str, &[&str])] = &[
    (
        "-engine cmd=x/c name=C dir=d -each restart=on option.Hash=16 -srand 18446744073709551615 \
         -rounds 32 -startup-ms 90000",
        &[
            "name = \"C\"",
            "folder = \"d\"",
            "command = [\"d/x/c\"]",
            "restart = true",
            "options = { \"Hash\" = 16 }",
            "seed = 9223372036854775807",
            "pairs = 32",
            "startup = \"90000ms\"",
        ],
    ),
    (
        "-engine cmd=c proto=xboard args=-v -each nodes=0 depth=3 -games 100 -ping-ms 99000",
        &[
            "protocol = \"cecp\"",
            "command = [\"c\", \"-v\"]",
            "pairs = 100",
            "startup = \"10000ms\"",
            "new_game = \"60000ms\"",
            "ping = \"99000ms\"",
        ],
    ),
    (
        "-each nodes=0 tc=40/60+0.6 timemargin=250 -games 2 -ucinewgame-ms 5",
        &[
            "clock = \"40/60s+0.6s\"",
            "first_increment = true",
            "margin = \"250ms\"",
            "pairs = 2",
            "startup = \"10000ms\"",
        ],
    ),
    (
        "-each nodes=0 tc=0+0.1 ponder",
        &[
            "clock = \"0s+0.1s\"",
            "first_increment = true",
            "ponder = true",
            "unknown_options = \"skip\"",
        ],
    ),
    (
        "-each nodes=0 st=0.5 -recover -repeat",
        &[
            "movetime = \"0.5s\"",
            "margin = \"1ms\"",
            "[tournament]",
            "pairs = 2",
        ],
    ),
    (
        "-each plies=7 -openings file=o.epd",
        &[
            "depth = 7",
            "nodes = 9",
            "node_margin = 1000000000000000",
            "file = \"o.epd\"",
            "order = \"sequential\"",
        ],
    ),
    (
        "-quick cmd=x cmd=y book=o.pgn",
        &[
            "pairs = 25000",
            "limits = { clock = \"10s+0.1s\", first_increment = true, margin = \"1ms\", nodes = 9 }",
            "draw = { score = 8, plies = 16, after_move = 30, reset = \"irreversible\" }",
        ],
    ),
    (
        "-openings file=o.bin format=pgn order=random start=5 plies=8 -variant fischerandom",
        &[
            "format = \"pgn\"",
            "order = \"random\"",
            "start = 5",
            "plies = 8",
            "chess960 = true",
        ],
    ),
    (
        "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.1",
        &[
            "candidate = \"a\"",
            "base = \"b\"",
            "model = \"normalized\"",
            "elo1 = 5.0",
            "beta = 0.1",
            "overshoot = false",
            "alike_pairs = 0",
            "tolerate = \"100 %\"",
            "exhausted = \"vary\"",
        ],
    ),
    (
        "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 model=bayesian",
        &["model = \"bayesian\"", "test = \"trinomial\""],
    ),
    (
        "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 -report penta=false",
        &["model = \"normalized\"", "test = \"trinomial\""],
    ),
    (
        "-draw movenumber=34 movecount=8 score=20 -resign movecount=3 score=600 -maxmoves 100",
        &[
            "draw = { score = 20, plies = 16, after_move = 34, reset = \"irreversible\" }",
            "resign = { score = 600, plies = 3, by = \"loser\" }",
            "max_plies = 200",
        ],
    ),
    (
        "-resign movecount=3 score=600 twosided=true",
        &["resign = { score = 600, plies = 6, by = \"far\" }"],
    ),
    (
        "-tbpieces 5 -tbignore50 -tbadjudicate WIN_LOSS -tb tables",
        &[
            "[adjudication.syzygy]",
            "path = \"tables\"",
            "pieces = 5",
            "fifty = false",
            "results = \"wins\"",
        ],
    ),
    (
        "-pgnout file=x.pgn seldepth=true match_line=^x match_line=y",
        &[
            "[record]",
            "times = true",
            "info = true",
            "lines = [\"^x\", \"y\"]",
        ],
    ),
    ("-pgnout nodes=true", &["times = true"]),
    (
        "-games 1 -rounds 7 -noswap -reverse",
        &[
            "[pairs]",
            "games = 1",
            "swap = false",
            "reverse = true",
            "pairs = 7",
        ],
    ),
    ("-rounds 1 -games 4", &["games = 1", "pairs = 4"]),
    (
        "-seeds 1 -tournament gauntlet",
        &["format = \"gauntlet\"", "challengers = [\"a\"]"],
    ),
];

/// Options that are refused, with a text of the error.
const REFUSED: &[(&str, &str)] = &[
    ("-pgnout notation=fan", "`lan`"),
    ("-pgnout match_line=(", "regular expression"),
    ("-openings policy=encounter", "each pair has an opening"),
    (
        "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 model=elo",
        "`bayesian`",
    ),
    ("-sprt elo0=0 elo1=5", "alpha and beta"),
    ("-log level=loud", "`trace`"),
    ("-config file=absent.json", "cannot read"),
    ("-output format=xml", "`cutechess`"),
    ("-games 3 -rounds 5", "must be 1 or 2"),
    ("-variant fischerandom", "needs a book"),
    ("-variant atomic", "`fischerandom`"),
    ("-tournament knockout", "`gauntlet`"),
    ("-use-affinity x", "-use-affinity"),
];

/// Options for output or execution: they change no line of the config.
const REMOTE: &[&str] = &[
    "-epdout file=x.epd append=false",
    "-log file=x.log level=info engine=true",
    "-config outname=x.json",
    "-debug",
    "-autosaveinterval 0",
    "-report penta=false",
    "-output format=cutechess",
    "-concurrency -1",
    "-crc32 pgn=true",
    "-force-concurrency",
    "-event My Event",
    "-site here",
    "-wait 10",
    "-ratinginterval 1",
    "-scoreinterval 0",
    "-use-affinity 0,2-3",
    "-show-latency",
    "-testEnv",
    "-strict",
    "--store x.sqlite",
    "--dialogue x",
    "--print-config",
];

/// Options that answer without a match.
const ANSWERED: &[&str] = &["-version", "--version", "-v", "--v", "-help", "--help"];

/// The options in the help, each with true if it is refused.
fn options() -> Vec<(String, bool)> {
    let help = stdout(&run(&["fastchess", "-help"]));
    let lines = help.lines().filter(|line| line.starts_with("  -"));
    let supported = help
        .lines()
        .find_map(|line| line.strip_prefix("Accepted options: "));
    let supported = supported.unwrap_or_default().split(' ');
    let mut options: Vec<_> = supported.map(|name| (name.to_owned(), false)).collect();
    options.extend(lines.map(|line| {
        let (name, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        (name.to_owned(), rest.contains("refused: "))
    }));
    assert!(options.len() > 50, "{help}");
    options
}

#[test]
fn every_option_comes_to_something() {
    let usual = config(PAIR);
    for (more, lines) in TRANSLATED {
        let text = config(&format!("{PAIR} {more}"));
        for line in *lines {
            assert!(has_line(&text, line), "{more}: {line}\n{text}");
        }
    }
    assert_eq!(config(&format!("{PAIR} {}", REMOTE.join(" "))), usual);
    let with_pvs = config(&format!("{PAIR} -check-mate-pvs"));
    assert_eq!(with_pvs, usual.replace("mate = false\n", ""));
    assert_ne!(with_pvs, usual);
    for more in ANSWERED {
        let (text, _) = translated(&words(&format!("{PAIR} {more}"))).expect(more);
        assert!(text.contains("leitai "), "{more}: {text}");
        assert!(!text.contains("game = "), "{more}: {text}");
    }
}

#[test]
fn refused_options_name_an_alternative() {
    for (more, said) in REFUSED {
        assert_refused(&format!("{PAIR} {more}"), said);
    }
}

/// The tables above and docs/fastchess.md have every option of the help.
#[test]
fn no_option_is_forgotten() {
    let docs = fs::read_to_string(project("docs/fastchess.md")).expect("a page");
    let rows = docs.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|line| line.split('|').nth(1));
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let documented: Vec<&str> = names.filter_map(|name| name.split(' ').next()).collect();
    let accepted = TRANSLATED.iter().map(|(words, _)| words);
    let accepted = accepted.chain(REMOTE).chain(ANSWERED);
    let accepted: String = accepted.flat_map(|words| [*words, " "]).collect();
    let accepted: BTreeSet<&str> = words(&accepted).into_iter().collect();
    let mut seen = BTreeSet::new();
    for (name, is_refused) in options() {
        assert!(documented.contains(&&*name), "no row for {name}");
        let in_refused = REFUSED
            .iter()
            .any(|(words, _)| words.split(' ').next() == Some(&*name));
        assert!(
            if is_refused {
                in_refused
            } else {
                accepted.contains(&*name) || ["-check-mate-pvs", "--compliance"].contains(&&*name)
            },
            "no case of {name}"
        );
        assert!(seen.insert(name.clone()), "{name} is there twice");
    }
}

#[test]
fn the_last_of_games_and_repeats_counts() {
    for (more, line) in [
        ("-games 1 -repeat", "pairs = 2"),
        ("-rounds 2 -games 500", "pairs = 500"),
        (
            "-rounds 0 -sprt elo0=-3 elo1=1 alpha=.1 beta=.1",
            "max_pairs = 500000",
        ),
    ] {
        let text = config(&format!("{PAIR} {more}"));
        assert!(has_line(&text, line), "{more}: {text}");
        assert_eq!(text.contains("elo0 = -3.0\n"), more.contains("-sprt"));
    }
}

/// Two rounds are the usual number, and no test ends in them.
#[test]
fn a_test_without_rounds_is_noted() {
    let sprt = "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05";
    let noted = |more: &str| {
        let (_, told) = translated(&words(&format!("{PAIR} {more}"))).expect(more);
        told.contains("a test needs thousands: `-rounds 50000`")
    };
    for more in [
        "",
        "-games 2 -repeat",
        "-concurrency 1",
        "-openings file=o.epd",
    ] {
        assert!(noted(&format!("{sprt} {more}")), "{more}");
    }
    assert!(!noted(&format!("{sprt} -rounds 2")) && !noted("-games 2"));
}

/// A move to a depth has an hour, as no speed bounds it; one with a node limit has the limit of any
/// config.
#[test]
fn only_a_move_to_a_depth_has_an_hour() {
    for (limits, has_hour) in [
        ("depth=9", true),
        ("plies=3", true),
        ("nodes=2000", false),
        ("nodes=2000 depth=9", false),
        ("st=1", false),
        ("tc=10+0.1 depth=9", false),
    ] {
        let text = config(&format!("-engine cmd=a -engine cmd=b -each {limits}"));
        assert_eq!(
            has_line(&text, "stall = \"60min\""),
            has_hour,
            "{limits}: {text}"
        );
    }
}

#[test]
fn engines_are_distinguished_and_may_have_own_limits() {
    let text = config("-engine cmd=e nodes=5 -engine cmd=e depth=3 nodes=7 -recover");
    for line in [
        "name = \"e\"",
        "name = \"e_2\"",
        "limits = { nodes = 7, depth = 3 }",
    ] {
        assert!(has_line(&text, line), "{line}: {text}");
    }
    assert!(!text.contains("\"stop\""), "{text}");
    // A number that no other engine has in its name.
    let text = config("-engine cmd=e -engine cmd=e name=e_2 -engine cmd=e -each depth=1");
    assert!(has_line(&text, "name = \"e_3\""), "{text}");
}

/// `-each` holds for engines behind it, too; of a key given twice the last value counts.
#[test]
fn keys_of_engines_are_read() {
    let (text, _) = translated(&[
        "-each",
        "nodes=9",
        "-engine",
        "cmd=bin/engine.exe",
        "option.Hash=8",
        "option.Hash=16",
        "option.Clear Hash=true",
        "option.A=-3",
        "option.B=007",
        "option.C=a b",
        "option.SyzygyPath=",
        "option.Debug Log File=",
        "option.Style=",
        "-engine",
        "cmd=x/c",
        "args=-a  'b c' \"d\\\"e\" f\\ g ''",
        "-engine",
        "cmd=x/d",
        "args=  ",
    ])
    .expect("a config");
    for line in [
        "name = \"engine\"",
        "options = { \"Hash\" = 16, \"Clear Hash\" = true, \"A\" = -3, \"B\" = \"007\", \"C\" = \
         \"a b\", \"SyzygyPath\" = \"\", \"Debug Log File\" = \"\", \"Style\" = \"\" }",
        "command = [\"x/c\", \"-a\", \"b c\", 'd\"e', \"f g\", \"\"]",
        "command = [\"x/d\"]",
    ] {
        assert!(has_line(&text, line), "{line}\n{text}");
    }
}

#[test]
fn time_controls_are_those_of_fastchess() {
    let right = [
        ("10+0.1", "10s+0.1s"),
        ("8.01+0.08", "8.01s+0.08s"),
        ("40/60", "40/60s"),
        ("40/60+0.6", "40/60s+0.6s"),
        ("inf/5", "5s"),
        ("1:30+1", "90s+1s"),
        ("0.5:0", "30s"),
        ("10s+0.1s", "10s+0.1s"),
        ("0+1", "0s+1s"),
        ("0.005", "0.005s"),
        ("0/10+0.1", "10s+0.1s"),
        ("1:00:00+30", "3600s+30s"),
        ("5000/60", "5000/60s"),
        ("40/60:20/30", "40/60s, 20/30s"),
        ("40/10+0.1:20+0.2", "40/10s+0.1s, 20s+0.2s"),
        ("40/1:30", "40/90s"),
        ("40/1:20/2:5+1", "40/1s, 20/2s, 5s+1s"),
        ("hg60", "hourglass 60s"),
        ("hg1:30", "hourglass 90s"),
        ("inf", ""),
        ("infinite", ""),
    ];
    let engines = right.map(|(text, _)| format!("-engine cmd=x name={text} tc={text}"));
    let engines = engines.join(" ");
    let text = config(&format!("-engine cmd=a {engines} -each nodes=9"));
    let parts: Vec<&str> = text.split("[[variant]]").skip(2).collect();
    assert_eq!(parts.len(), right.len(), "{text}");
    for (part, (text, clock)) in parts.into_iter().zip(right) {
        assert!(has_line(part, &format!("name = \"{text}\"")), "{part}");
        let first = clock.split(',').next().unwrap_or_default();
        let increment = if first.contains('+') {
            ", first_increment = true"
        } else {
            ""
        };
        let limits =
            format!("limits = {{ clock = \"{clock}\"{increment}, margin = \"1ms\", nodes = 9 }}");
        // Engines with the limits of the first one have none of their own.
        assert_eq!(has_line(part, &limits), !clock.is_empty(), "{part}");
        assert_eq!(part.contains("limits = "), !clock.is_empty(), "{part}");
    }
    for wrong in [
        "hg",
        "hg0",
        "hg60+1",
        "hg40/60",
        "x",
        "-1",
        "1+",
        "+1",
        "1/2/3",
        "1:2:3:4",
        "1e99",
        "nan",
        "10m",
        "10001/60",
        "60+1:20/30",
        "40/60:0/30:20/5",
        "40/60:20/0",
        "2/1:2/1:2/1:2/1:2/1",
        "40/7200:3600",
    ] {
        assert_refused(
            &format!("{PAIR} tc={wrong}"),
            "a time control is written `10+0.1`",
        );
    }
}

#[test]
fn misspellings_are_reported_with_suggestions() {
    for (line, said) in [
        ("-engin cmd=a", "did you mean `-engine`?"),
        ("-tornament gauntlet", "did you mean `-tournament`?"),
        ("-xyzzy", "-help` lists all options"),
        ("engine", "is not an option"),
        ("-rounds", "exactly one value"),
        ("-rounds 1 2", "exactly one value"),
        ("-rounds -5", "`-rounds`: `-5` is not a number"),
        ("-recover 1", "takes no value"),
        ("-engine", "key=value"),
        ("-engine cmd", "and `cmd` is not one"),
        ("-engine cmd= -engine cmd=b nodes=1", "no `cmd=`"),
        // Two engines with a program and one time each.
        ("-engine cmd=a nodes=1", "two engines"),
        ("-engine name=a -engine cmd=b", "no `cmd=`"),
        ("-engine cmd=a -engine cmd=b", "no limit"),
        ("-engine cmd=a tc=1+1 -engine cmd=b -each st=1", "both"),
        (
            "-engine cmd=a ponder -engine cmd=b -each nodes=9",
            "`ponder`, but no time",
        ),
        (
            "-engine cmd=a tc=1 ponder=on -engine cmd=b",
            "`ponder` takes no value",
        ),
        ("-openings ponder", "`ponder` is not one"),
    ] {
        assert_refused(line, said);
    }
    for (key, said) in [
        ("nmae=x", "did you mean `name`?"),
        ("proto=ucci", "`uci` or `cecp`"),
        ("restart=yes", "neither"),
        ("nodes=-1", "not a number"),
        ("nodes=1 ", "not a number"),
        ("timemargin=-1", "not a number"),
        ("option.=1", "has no key"),
        ("st=soon", "not a time"),
        ("trust", "claims are always checked"),
        ("book=b.bin", "`-openings file=`"),
        ("tscale=fast", "not a number"),
    ] {
        let error = translated(&[&words(PAIR)[..], &[key]].concat()).expect_err(key);
        assert!(error.contains(said), "{key}: {error}");
    }
}

#[test]
fn settings_without_effect_are_reported() {
    for (more, said) in [
        (
            "-tbpieces 5 -seeds 2 -event E",
            &[
                "note: `-tbpieces` has no effect",
                "note: `-seeds` has no effect",
                "note: `-event` has no effect",
            ][..],
        ),
        (
            "-engine cmd=c nodes=1 -tournament gauntlet -seeds 2",
            &["not each other"],
        ),
    ] {
        let (_, notes) = translated(&words(&format!("{PAIR} {more}"))).expect(more);
        for said in said {
            assert!(notes.contains(said), "{said}: {notes}");
        }
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
    let openbench = config(openbench);
    for line in [
        "command = [\"Engines/A\"]",
        "folder = \"Engines/\"",
        "clock = \"8s+0.08s\"",
        "options = { \"Threads\" = 1, \"Hash\" = 8 }",
        "start = 501",
        "pairs = 32",
    ] {
        assert!(has_line(&openbench, line), "{line}\n{openbench}");
    }
    let fishtest = "-testEnv -recover -repeat -games 2 -rounds 100 -ratinginterval 1 \
        -scoreinterval 0 -autosaveinterval 0 -report penta=true -pgnout file=r.pgn append=false \
        -crc32 pgn=true -site https://x -event E -srand 7 -resign movecount=3 score=600 -draw \
        movenumber=34 movecount=8 score=20 -variant standard -concurrency 1 -openings file=b.epd \
        format=epd order=random start=1 -check-mate-pvs -engine name=New-1 tc=10.0+0.1 cmd=./n \
        dir=. option.Hash=16 -engine name=Base-1 tc=10.0+0.1 cmd=./b dir=. option.Hash=16 -each \
        proto=uci";
    let fishtest = config(fishtest);
    assert!(has_line(&fishtest, "command = [\"./n\"]"), "{fishtest}");
    assert!(!fishtest.contains("mate = false"), "{fishtest}");
}
