//! External programs as players: in every case the game ends with the right cause, the run
//! continues, and no process is left.

mod bans;
mod capture;
mod cause;
mod clocks;
mod limits;
mod lines;
mod othello;
mod pauses;
mod placement;
mod policies;
mod ponder;
mod signals;
mod tune;

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::{mock_program, words};
use crate::common;

/// A match of 2 pairs between the mock in this mode and a built-in search.
fn config(mode: &str, limits: &str, more: &str) -> String {
    let program = mock_program();
    let book = common::project("tests/data/xiangqi-64.epd");
    let [program, book] = [&program, &book].map(|path| path.to_str().expect("UTF-8"));
    format!(
        r#"
game = "xiangqi"
limits = {{ {limits} }}
openings = {{ file = {book:?} }}
adjudication = {{ max_plies = 12 }}
tournament = {{ pairs = 2 }}

[[variant]]
name = "ours"
search = {{ table_mb = 1 }}

[[variant]]
name = "mock"
command = [{program:?}, "play"]
protocol = "uci"
rank_base = 0
environment = {{ {} = "{mode}", {} = "pids" }}
{more}
"#,
        words::MODE,
        words::PIDS
    )
}

/// Runs `leitai run` in its own folder; returns its output.
fn run(folder: &Path, config: &str) -> Output {
    fs::write(folder.join("match.toml"), config).expect("a config");
    fs::write(folder.join("passes.txt"), othello::PASSES).expect("openings");
    let mut command = common::leitai();
    command.current_dir(folder);
    command.args(["run", "match.toml", "--json", "--quiet", "--threads", "2"]);
    let output = command.output().expect("leitai");
    assert_no_process_left(folder);
    output
}

/// Checks that all processes of the mock are gone.
fn assert_no_process_left(folder: &Path) {
    if let Some(status) = has_process_left(folder) {
        panic!("a process is left:\n{status}");
    }
}

/// The status of a mock process that still runs.
fn has_process_left(folder: &Path) -> Option<String> {
    let pids = fs::read_to_string(folder.join("pids")).unwrap_or_default();
    pids.lines().find_map(|pid| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        // An orphan remains a zombie until init waits for it.
        let gone = status.is_empty() || status.contains("State:\tZ");
        (!gone).then_some(status)
    })
}

/// The ends of a match's games: the causes and their counts.
fn endings(mode: &str, limits: &str, more: &str) -> Vec<(String, u64)> {
    endings_of(mode, &config(mode, limits, more))
}

/// The same with another protocol of the mock.
fn endings_by(protocol: &str, mode: &str, limits: &str, more: &str) -> Vec<(String, u64)> {
    endings_of(mode, &by_protocol(protocol, &config(mode, limits, more)))
}

/// A config in which the mock has another protocol. Only the mock uses the limits, so that the
/// built-in search does not think for seconds.
fn by_protocol(protocol: &str, config: &str) -> String {
    let words = if protocol == "cecp" {
        "usermove = true"
    } else {
        ""
    };
    config
        .replace("table_mb = 1 }", "table_mb = 1 }\nlimits = { nodes = 50 }")
        .replace(
            "protocol = \"uci\"",
            &format!("protocol = {protocol:?}\n{words}"),
        )
        .replace(
            "environment = {",
            &format!("environment = {{ {} = {protocol:?},", words::PROTOCOL),
        )
}

fn endings_of(mode: &str, config: &str) -> Vec<(String, u64)> {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), config);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{mode}: {told}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["complete"], true, "{mode}");
    causes(&answer)
}

/// The causes of the ends of games in the answer of a run, and their counts.
fn causes(answer: &Value) -> Vec<(String, u64)> {
    let causes = answer["causes"].as_array().expect("causes");
    let count = |cause: &Value| {
        let name = cause["cause"].as_str().unwrap_or_default().to_owned();
        (name, cause["games"].as_u64().unwrap_or_default())
    };
    causes.iter().map(count).collect()
}

fn all(cause: &str) -> Vec<(String, u64)> {
    vec![(cause.to_owned(), 4)]
}

const NODES: &str = "nodes = 200";
/// A limit for UCCI and CECP, whose games are otherwise the same as with UCI.
const DEPTH: &str = "depth = 1";
/// Long enough for a busy machine, short enough for a test.
const STALL: &str = "stall = \"150ms\"";

/// The report of a loss on time gives the delay and the permitted margin; reports give the times of
/// moves.
#[test]
fn a_late_move_is_reported_with_the_margin() {
    let limits = "movetime = \"50ms\", margin = \"40ms\"";
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), &config("listens-to-stop", limits, ""));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let failing = &answer["failures"]["variants"][0];
    assert_eq!(failing["margin_ms"], 40.0, "{answer:#}");
    let late = failing["latest_ms"].as_f64().expect("a number");
    assert!((40.0..5_000.0).contains(&late), "{late}");
    let latencies = answer["latencies"].as_array().expect("a list");
    let names: Vec<_> = latencies.iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["ours", "mock"]);
    let of = |key: &str| latencies[1][key].as_f64().expect("a number");
    assert_eq!(latencies[1]["moves"], 4, "a late one is one too");
    assert!(
        (of("worst_ms") / (late + 50.0) - 1.0).abs() < 0.02,
        "{answer:#}"
    );
    assert!(of("p50_ms") <= of("p99_ms") && of("p99_ms") <= of("worst_ms"));
    let mut report = common::leitai();
    let report = report.current_dir(folder.path());
    let report = report
        .args(["report", "match.sqlite"])
        .output()
        .expect("leitai");
    let told = String::from_utf8(report.stdout).expect("text");
    let late = format!("it was {late:.0} ms late, and its `margin` is 40 ms");
    assert!(told.contains(&late), "{told}");
    assert!(told.contains("Time for a move:\n  ours: "), "{told}");
    // A run stopped by such a failure reports the same.
    let stops = config(
        "listens-to-stop",
        limits,
        "[failures]\ntime-forfeit = \"stop\"",
    );
    let output = run(folder.path(), &stops);
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(4), "{told}");
    assert!(
        told.contains(" ms late, and its `margin` is 40 ms"),
        "{told}"
    );
}

macro_rules! misdeeds {
    ($($name:ident: $mode:literal, $limits:expr, $more:expr => $cause:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(endings($mode, $limits, $more), all($cause));
        }
    )*};
}

misdeeds! {
    a_program_that_plays_well: "good", NODES, "" => "length-adjudication";
    one_that_crashes: "crash", NODES, "" => "crash";
    one_that_crashes_in_the_middle: "crash-later", NODES, "" => "crash";
    one_that_leaves_a_child_behind: "orphan", NODES, "" => "crash";
    one_whose_child_writes_on: "talking-orphan", NODES, "" => "crash";
    one_whose_child_floods: "flooding-orphan", NODES, "" => "crash";
    one_that_leaves_a_child_elsewhere: "runaway", NODES, "restart = true" => "length-adjudication";
    one_that_stalls: "stall", NODES, STALL => "stall";
    one_that_stalls_under_a_clock: "stall", "movetime = \"50ms\"", "" => "stall";
    one_that_answers_when_it_is_told_to_stop: "listens-to-stop", NODES, STALL => "stall";
    one_that_is_late: "listens-to-stop", "movetime = \"50ms\"", "" => "time-forfeit";
    one_that_floods: "flood", NODES, STALL => "stall";
    one_that_writes_rubbish_before_its_move: "rubbish", NODES, "" => "length-adjudication";
    one_that_writes_half_a_line: "half-a-line", NODES, STALL => "stall";
    one_that_writes_half_a_line_and_ends: "half-a-line-and-out", NODES, "" => "crash";
    one_that_plays_an_illegal_move: "illegal", NODES, "" => "illegal-move";
    one_that_moves_for_the_other_side: "wrong-side", NODES, "" => "illegal-move";
    one_that_has_no_move: "no-move", NODES, "" => "malformed-output";
    one_that_writes_a_huge_line_before_its_move: "huge", NODES, "" => "length-adjudication";
    one_that_overruns_its_nodes: "overrun", NODES, "" => "node-overrun";
    one_that_closes_its_output: "closes-output", NODES, "" => "disconnect";
    one_that_never_gets_ready: "never-ready-again", NODES, "startup = \"400ms\"" => "stall";
    one_that_moves_twice: "twice", NODES, "" => "length-adjudication";
    one_that_does_not_quit: "ignores-quit", NODES, "" => "length-adjudication";
}

macro_rules! by_other_protocols {
    ($($name:ident: $protocol:literal, $mode:literal, $limits:expr, $more:expr => $cause:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(endings_by($protocol, $mode, $limits, $more), all($cause));
        }
    )*};
}

/// The failure is detected before this timeout.
const PATIENT: &str = "stall = \"60s\"";

by_other_protocols! {
    ucci_that_says_bye: "ucci", "bye", DEPTH, "" => "length-adjudication";
    ucci_in_seconds: "ucci", "seconds", "movetime = \"2s\"", "milliseconds = false" => "length-adjudication";
    ucci_that_has_no_move: "ucci", "gives-up", DEPTH, PATIENT => "length-adjudication";
    ucci_that_refuses_to_move: "ucci", "refuses", DEPTH, PATIENT => "resignation";
    ucci_that_moves_twice: "ucci", "twice", DEPTH, "" => "length-adjudication";
    cecp_that_moves_twice: "cecp", "twice", DEPTH, "" => "length-adjudication";
    cecp_that_plays_well: "cecp", "good", DEPTH, "" => "length-adjudication";
    cecp_without_the_end_of_its_features: "cecp", "no-done", DEPTH, "" => "length-adjudication";
    cecp_that_asks_for_time: "cecp", "late-done", DEPTH, "" => "length-adjudication";
    cecp_without_ping: "cecp", "no-ping", DEPTH, "" => "length-adjudication";
    cecp_1_that_says_my_move_is: "cecp", "old-my-move", DEPTH, "" => "length-adjudication";
    cecp_1_that_numbers_its_moves: "cecp", "old-numbered", DEPTH, "" => "length-adjudication";
    cecp_1_that_says_its_moves_twice: "cecp", "old-both", DEPTH, "" => "length-adjudication";
    cecp_1_with_bare_moves: "cecp", "old-bare", DEPTH, "" => "length-adjudication";
    cecp_that_resigns_on_a_server: "cecp", "resigns-on-server", DEPTH, PATIENT => "resignation";
    cecp_whose_computer_resigns: "cecp", "computer-resigns", DEPTH, PATIENT => "resignation";
    cecp_whose_side_resigns: "cecp", "side-resigns", DEPTH, PATIENT => "resignation";
    cecp_that_resigns: "cecp", "resigns", DEPTH, PATIENT => "resignation";
    cecp_that_says_that_it_has_lost: "cecp", "claims-loss", DEPTH, PATIENT => "resignation";
    cecp_that_ends_the_game_in_its_favour: "cecp", "deaf-after-claim", DEPTH, PATIENT => "malformed-output";
    cecp_that_is_told_that_the_game_goes_on: "cecp", "claims-draw", DEPTH, PATIENT => "length-adjudication";
    cecp_that_claims_a_win_and_plays_on: "cecp", "claims-win", DEPTH, PATIENT => "length-adjudication";
    cecp_that_claims_and_moves: "cecp", "claims-and-plays", DEPTH, PATIENT => "length-adjudication";
    cecp_that_moves_and_claims: "cecp", "plays-and-claims", DEPTH, PATIENT => "length-adjudication";
    cecp_that_offers_a_draw: "cecp", "offers-draw", DEPTH, PATIENT => "length-adjudication";
    cecp_that_moves_for_the_other_side: "cecp", "wrong-side", DEPTH, PATIENT => "illegal-move";
}

/// The message of a run that cannot begin.
fn refusal(config: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), config);
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path().join("match.sqlite").exists(), "no record");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn a_program_that_was_met_plays_the_first_games() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("match.toml"), config("good", NODES, "")).expect("a config");
    let starts = |more: &[&str]| {
        let mut command = common::leitai();
        command.current_dir(folder.path());
        command.args(["run", "match.toml", "--quiet", "--threads", "1"]);
        assert!(command.args(more).status().expect("leitai").success());
        assert_no_process_left(folder.path());
        let pids = folder.path().join("pids");
        let started = fs::read_to_string(&pids)
            .expect("the starts")
            .lines()
            .count();
        fs::remove_file(&pids).expect("the starts");
        started
    };
    assert_eq!(starts(&["--store", "one.sqlite"]), 1);
    // A dialogue begins with the greeting.
    let dialogue = ["--store", "other.sqlite", "--dialogue", "said"];
    assert_eq!(starts(&dialogue), 2);
}

#[test]
fn a_program_that_does_not_greet_is_a_run_error() {
    let told = refusal(&config("silent", NODES, "startup = \"200ms\""));
    assert!(told.contains("the variant `mock`"), "{told}");
    assert!(told.contains("no `uciok` within 200 ms"), "{told}");
    assert!(
        told.contains("help: check `preset` or `protocol`"),
        "{told}"
    );
}

#[test]
fn a_program_that_ends_at_once_is_a_run_error_with_its_last_words() {
    let told = refusal(&config("crash-in-handshake", NODES, ""));
    assert!(told.contains("it ended before it had greeted"), "{told}");
    assert!(told.contains("cannot find my network"), "{told}");
}

#[test]
fn an_option_that_is_not_offered_is_a_run_error() {
    let told = refusal(&config("good", NODES, "options = { Hsah = 4 }"));
    assert!(told.contains("no option `Hsah`; it offers Hash"), "{told}");
    let told = refusal(&config("good", NODES, "options = { Hash = 65 }"));
    assert!(
        told.contains("its option `Hash` = 65 is outside of 1 to 64"),
        "{told}"
    );
}

#[test]
fn an_option_that_is_not_offered_may_be_skipped() {
    let skips = "unknown_options = \"skip\"";
    for (options, told) in [
        (
            "{ Hsah = 4, Hash = 2 }",
            "`mock` has no option `Hsah`: it plays without",
        ),
        (
            "{ Hash = 65 }",
            "`mock` plays without an option: `Hash` = 65 is outside of 1 to 64",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let text = config("good", NODES, &format!("options = {options}\n{skips}"));
        let output = run(folder.path(), &text);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.contains(told), "{said}");
    }
}

#[test]
fn a_script_is_known_by_its_greeting() {
    let folder = tempfile::tempdir().expect("a folder");
    let id = |script: &str| {
        fs::write(folder.path().join("engine.sh"), script).expect("a script");
        let mut text = config("good", NODES, "");
        let at = text.find("command = [").expect("a command");
        let end = text[at..].find('\n').expect("a line");
        let mock = mock_program();
        text.replace_range(
            at..at + end,
            &format!("command = [\"sh\", \"engine.sh\", {mock:?}]"),
        );
        let output = run(folder.path(), &text);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{told}");
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        answer["run"].as_str().expect("an identity").to_owned()
    };
    let script = "exec \"$1\" play\n";
    let first = id(script);
    assert_eq!(id(script), first);
    assert_ne!(id(&format!("# Another one.\n{script}")), first);
}

#[test]
fn a_program_that_is_not_there_is_a_run_error() {
    for (command, said) in [
        ("no-such-program", "it is not in PATH"),
        ("bin/no-such", "there is no program"),
    ] {
        let mut text = config("good", NODES, "");
        let at = text.find("command = [").expect("a command");
        let end = text[at..].find('\n').expect("a line");
        text.replace_range(at..at + end, &format!("command = [{command:?}]"));
        let told = refusal(&text);
        assert!(told.contains(&format!("`{command}`")), "{told}");
        assert!(told.contains(said), "{told}");
        assert!(told.contains("help: install it"), "{told}");
    }
}

#[test]
fn the_record_carries_on_and_can_be_read_without_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = config("good", NODES, "options = { Hash = 4 }");
    let first = run(folder.path(), &text);
    let again = run(folder.path(), &text);
    assert_eq!(first.stdout, again.stdout, "the same run, complete already");
    let report = |arguments: &[&str]| {
        let mut command = common::leitai();
        command.current_dir(folder.path()).args(arguments);
        command.output().expect("leitai")
    };
    // The report starts no program: the config is in the record.
    let read = report(&["report", "match.sqlite"]);
    let told = String::from_utf8_lossy(&read.stderr);
    assert!(read.status.success() && told.is_empty(), "{told}");
    let verified = report(&["verify", "match.sqlite"]);
    assert_eq!(verified.status.code(), Some(2));
    let told = String::from_utf8_lossy(&verified.stderr);
    assert!(told.contains("other programs played"), "{told}");
    let other = run(folder.path(), &text.replace("Hash = 4", "Hash = 8"));
    let id = |output: &Output| {
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        answer["run"].as_str().expect("an identity").to_owned()
    };
    assert_ne!(id(&first), id(&other), "other options are another run");
}

/// The lines of all dialogues of a folder whose names contain `part`.
fn dialogues(folder: &Path, part: &str) -> Vec<Vec<String>> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.to_str().is_some_and(|it| it.contains(part)))
        .collect();
    files.sort();
    let lines = |path| {
        let text = fs::read_to_string(path).expect("a dialogue");
        text.lines().map(|line| line[10..].to_owned()).collect()
    };
    files.iter().map(lines).collect()
}

#[test]
fn dialogues_are_written_and_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = config("crash-later", NODES, "");
    fs::write(folder.path().join("match.toml"), text).expect("a config");
    let go = |more: &[&str], store: &str| {
        let mut command = common::leitai();
        command.current_dir(folder.path());
        command.args(["run", "match.toml", "--json", "--quiet", "--store", store]);
        let output = command.args(more).output().expect("leitai");
        assert!(output.status.success());
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        answer["run"].clone()
    };
    let plain = go(&[], "a.sqlite");
    let talking = go(
        &["--dialogue", "talk", "--threads", "1", "--pin"],
        "b.sqlite",
    );
    assert_eq!(plain, talking, "no part of the run's identity");
    let talk = folder.path().join("talk");
    let games = dialogues(&talk, "-mock.log");
    assert_eq!(games.len(), 4, "a file per game");
    assert_eq!(
        dialogues(&talk, "").len(),
        4,
        "and none for our own searches"
    );
    let first = &dialogues(&talk, "pair-000000-game-1-mock.log")[0];
    assert!(first[0].starts_with("# pair 0, game 1, mock"), "{first:?}");
    assert!(first[1].starts_with("# starts "), "{first:?}");
    let has = |line: &str| first.iter().any(|said| said == line);
    assert!(
        has("> uci") && has("< uciok") && has("> go nodes 200"),
        "{first:?}"
    );
    assert!(has("# loses the game: crash"), "{first:?}");
}

#[test]
fn no_more_threads_are_pinned_than_there_are_processors() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = config("good", NODES, "");
    fs::write(folder.path().join("match.toml"), text).expect("a config");
    let mut command = common::leitai();
    command.current_dir(folder.path());
    command.args(["run", "match.toml", "--pin", "--threads", "1000"]);
    let output = command.output().expect("leitai");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("1000 threads cannot have a processor each"),
        "{told}"
    );
    assert!(told.contains("help: use `--threads"), "{told}");
}

#[test]
fn threads_are_pinned_to_the_processors_of_a_list() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = config("good", NODES, "");
    fs::write(folder.path().join("match.toml"), text).expect("a config");
    let go = |words: &[&str]| {
        let mut command = common::leitai();
        command.current_dir(folder.path());
        command.args(["run", "match.toml", "--quiet", "--dialogue", "talk"]);
        let output = command.args(words).output().expect("leitai");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), told)
    };
    // Any processor that this process may use, which differs between containers.
    let status = fs::read_to_string("/proc/thread-self/status").expect("a status");
    let mut lines = status.lines();
    let allowed = lines.find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let allowed = allowed.expect("processors").trim();
    let first = allowed.split([',', '-']).next().expect("a processor");
    let pin = format!("--pin={first}");
    let (code, told) = go(&[&pin, "--threads", "1"]);
    assert_eq!(code, Some(0), "{told}");
    for (list, threads, wanted) in [
        (first, "2", "help: use `--threads 1`, or name more"),
        ("65535", "1", "the processor 65535: it does not exist"),
        ("65535", "1", allowed),
        ("4-2", "1", "the range `4-2` ends before it begins"),
        ("0,0", "1", "the processor 0 is named twice"),
        ("all", "1", "`all` is not a processor number"),
        ("", "1", "--pin"),
    ] {
        let (code, told) = go(&[&format!("--pin={list}"), "--threads", threads]);
        assert_eq!(code, Some(2), "{list}: {told}");
        assert!(told.contains(wanted), "{list}: {told}");
    }
}

/// A variant in neither list of a gauntlet does not play: the games of the others can be replayed.
#[test]
fn a_program_that_does_not_play_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = "[[variant]]\nname = \"other\"\nsearch = { table_mb = 1, quiescence = false }";
    let lists =
        "pairs = 2, format = \"gauntlet\", challengers = [\"ours\"], opponents = [\"other\"]";
    let config = config("", NODES, other).replace("pairs = 2", lists);
    let told = String::from_utf8(run(folder.path(), &config).stderr).expect("text");
    assert!(!told.contains("programs"), "{told}");
    let record = folder.path().join("match.sqlite");
    let verified = common::run(&["verify", record.to_str().expect("UTF-8")]);
    let told = common::stdout(&verified);
    assert!(told.contains("2 the same, 0 different"), "{told}");
}

/// Commands that need a search of leitai refuse a variant that is another program.
#[test]
fn a_program_is_no_search() {
    let sandbox = common::Sandbox::new();
    let file = sandbox.write("match.toml", &config("", NODES, ""));
    let chosen = ["--config", &file, "--variant", "mock"];
    for command in [
        &["analyze", "xiangqi"][..],
        &["openings", "generate", "xiangqi"],
    ] {
        let refused = common::run(&[command, &chosen].concat());
        assert_eq!(refused.status.code(), Some(2));
        let told = common::stderr(&refused);
        assert!(told.contains("`mock` is another program"), "{told}");
    }
}
