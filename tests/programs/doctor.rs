//! `leitai doctor` names the defect of a program, and the line of the config that fixes it.

use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{mock_program, words};
use crate::common::{Sandbox, leitai, project, stderr, stdout};
use serde_json::Value;

fn config(ailment: &str, limits: &str, more: &str) -> String {
    let program = mock_program();
    let book = project("tests/data/xiangqi-64.epd");
    let [program, book] = [&program, &book].map(|path| path.to_str().expect("UTF-8"));
    let protocol = if more.contains("protocol") {
        ""
    } else {
        "protocol = \"uci\""
    };
    format!(
        r#"
game = "xiangqi"
limits = {{ {limits} }}
openings = {{ file = {book:?} }}
tournament = {{ pairs = 2 }}

[[variant]]
name = "ours"
search = {{ table_mb = 1 }}

[[variant]]
name = "mock"
command = [{program:?}, "play"]
environment = {{ {} = {ailment:?} }}
{protocol}
{more}
"#,
        words::AILMENT
    )
}

fn doctor(config: &str, arguments: &[&str]) -> Output {
    let sandbox = Sandbox::new();
    let path = sandbox.write("match.toml", config);
    let mut command = leitai();
    command.args(["doctor", &path, "--threads", "2"]);
    command.args(arguments).output().expect("leitai")
}

/// Examines the mock under node limits; returns the exit code, and the player's part.
fn examined(ailment: &str, more: &str) -> (Option<i32>, Value) {
    let text = config(ailment, "nodes = 500", more);
    let output = doctor(&text, &["--variant", "mock", "--json", "--quick"]);
    let health: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{ailment}: {error}: {}", stderr(&output)));
    (output.status.code(), health["players"][0].clone())
}

/// The status, text and help of a check.
fn check(player: &Value, id: &str) -> [String; 3] {
    let checks = player["checks"].as_array().expect("checks");
    let found = checks.iter().find(|check| check["id"] == id);
    let found = found.unwrap_or_else(|| panic!("no check `{id}` in {player:#}"));
    ["status", "text", "help"].map(|key| found[key].as_str().unwrap_or_default().to_owned())
}

/// Expects one check that fails or warns, and its help.
fn expect(ailment: &str, more: &str, id: &str, status: &str, text: &str, help: &str) -> Value {
    let (code, player) = examined(ailment, more);
    let [found, said, helped] = check(&player, id);
    assert_eq!(found, status, "{ailment}: {player:#}");
    assert!(said.contains(text), "{ailment}: {said}");
    assert!(helped.contains(help), "{ailment}: {helped}");
    let fit = status != "failure";
    assert_eq!(player["fit"], fit, "{ailment}: {player:#}");
    assert_eq!(code, Some(if fit { 0 } else { 4 }), "{ailment}");
    // All other checks pass.
    for other in player["checks"].as_array().expect("checks") {
        let expected = other["id"] == id || other["status"] == "ok";
        assert!(expected, "{ailment}: {player:#}");
    }
    player
}

/// The text with each number and digest as one character, so that only words are left.
fn masked(text: &str) -> String {
    let program = mock_program();
    let text = text.replace(program.to_str().expect("UTF-8"), "PROGRAM");
    let mut masked = String::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        if let Some(digest) = rest.strip_prefix("SHA-256 ") {
            masked += "digest #";
            rest = digest.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        } else if first.is_ascii_digit() {
            masked.push('#');
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || ".,".contains(c));
        } else {
            masked.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    masked
}

#[test]
fn a_healthy_program_is_fit() {
    // More than it uses: its table is not filled yet.
    let text = config("nothing", "nodes = 500", "options = { Hash = 64 }");
    let output = doctor(&text, &["--variant", "mock"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    insta::assert_snapshot!("healthy", masked(&stdout(&output)));
}

#[test]
fn ranks_that_count_from_one() {
    // Without `rank_base` the doctor determines it.
    let (code, player) = examined("ranks-from-one", "");
    assert_eq!(
        (code, &player["fit"]),
        (Some(0), &Value::Bool(true)),
        "{player:#}"
    );
    let [status, text, _] = check(&player, "ranks");
    assert_eq!(status, "ok");
    assert!(text.contains("it counts ranks from 1"), "{text}");
    let player = expect(
        "ranks-from-one",
        "rank_base = 0",
        "positions",
        "failure",
        "it would be if ranks are counted from 1",
        "write `rank_base = 1` in the variant",
    );
    // The examination continues with the fixed profile.
    assert_eq!(check(&player, "game")[0], "ok");
    let sentence = player["sentence"].as_str().expect("a sentence");
    assert!(sentence.contains("not fit to play: write `rank_base = 1`"));
}

#[test]
fn a_position_that_it_cannot_read() {
    expect(
        "four-fields",
        "",
        "positions",
        "failure",
        "at the usual start it ends: exit status 1; its error output ends with: bad position",
        "write `fen_fields = 4` in the variant",
    );
}

#[test]
fn moves_that_nothing_mends() {
    let player = expect(
        "illegal",
        "",
        "positions",
        "failure",
        "it answers `a0a9`",
        "",
    );
    let sentence = player["sentence"].as_str().expect("a sentence");
    assert!(sentence.contains("no line of the config fixes it"));
    let text = "it is one of the usual start: the program ignored the position";
    expect("stays-at-the-start", "", "positions", "failure", text, "");
}

#[test]
fn a_second_bestmove_is_a_fault() {
    let (text, help) = ("a second `bestmove`", "has to answer once");
    let player = expect("answers-twice", "", "answers", "failure", text, help);
    let checks = player["checks"].as_array().expect("checks");
    let answers = checks.iter().find(|check| check["id"] == "answers");
    assert_eq!(
        answers.expect("the check")["figures"]["stray"],
        4,
        "the last one is not asked after"
    );
}

#[test]
fn an_illegal_move_in_the_middle_of_the_game() {
    let player = expect(
        "illegal-later",
        "",
        "game",
        "failure",
        "it loses against itself by illegal-move at ply 8 (black): it replied `bestmove a0a9` in",
        "",
    );
    let checks = player["checks"].as_array().expect("checks");
    let game = checks.iter().find(|check| check["id"] == "game");
    let figures = &game.expect("a game")["figures"];
    assert_eq!(figures["ply"], 8);
    assert_eq!(figures["errors"][0], "internal error 17");
}

#[test]
fn nondeterminism_after_a_new_game_needs_a_restart() {
    let text = "after a new game it plays differently: another move at the usual start";
    expect(
        "remembers",
        "",
        "repeats",
        "warning",
        text,
        "write `restart = true`",
    );
    // This setting fixes it.
    let (code, player) = examined("remembers", "restart = true");
    assert_eq!(code, Some(0));
    assert_eq!(check(&player, "repeats")[0], "ok", "{player:#}");
}

#[test]
fn nondeterminism_between_processes_names_the_options() {
    let text = "in another process it plays differently";
    expect(
        "differs",
        "",
        "repeats",
        "warning",
        text,
        "write `options = { \"Threads\" = 1 }`",
    );
    let one = "options = { Threads = 1 }";
    expect(
        "differs",
        one,
        "repeats",
        "warning",
        text,
        "games with it cannot be repeated",
    );
}

#[test]
fn moves_that_come_late() {
    let text = config("late", "movetime = \"50ms\", margin = \"60ms\"", "");
    let output = doctor(&text, &["--variant", "mock", "--json", "--quick"]);
    assert_eq!(output.status.code(), Some(4));
    let health: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let player = &health["players"][0];
    let [status, said, help] = check(player, "movetime");
    assert_eq!(status, "failure", "{said}");
    assert!(help.starts_with("write `margin = \""), "{help}");
    assert!(help.ends_with("ms\"` under `limits`"), "{help}");
    let [status, said, help] = check(player, "game");
    assert_eq!(status, "failure", "{said}");
    assert!(said.contains("time-forfeit at ply 1 (red)"), "{said}");
    assert!(help.contains("margin"), "{help}");
    // One margin is advised, and no smaller one in addition.
    assert!(
        check(player, "movetime")[2].starts_with(&help),
        "{player:#}"
    );
    let sentence = player["sentence"].as_str().expect("a sentence");
    assert_eq!(sentence.matches("margin").count(), 1, "{sentence}");
}

#[test]
fn a_quick_look_lists_its_omissions() {
    let (_, player) = examined("none", "");
    let [status, said, _] = check(&player, "movetime");
    assert_eq!(status, "ok");
    assert!(said.starts_with("not checked with `--quick`"), "{said}");
    assert!(check(&player, "repeats")[1].contains("after a new game"));
}

#[test]
fn a_program_that_ignores_quit() {
    expect(
        "ignores-quit",
        "",
        "quit",
        "warning",
        "does not end within 1 s of `quit`",
        "",
    );
}

#[test]
fn a_child_that_is_left_behind() {
    let text = "leaves processes behind when it ends";
    expect("leaves-a-child", "", "quit", "warning", text, "");
}

#[test]
fn a_child_that_is_started_at_the_end() {
    let text = "leaves processes behind when it ends";
    expect("forks-on-quit", "", "quit", "warning", text, "");
}

#[test]
fn a_program_that_fails_after_its_greeting() {
    let text = "no `readyok` after its greeting within 300 ms";
    let help = "see what it loads";
    let more = "startup = \"300ms\"";
    expect("hangs-after-greeting", more, "start", "failure", text, help);
    let text = "it ended after its greeting: exit status 3";
    let help = "start it by hand";
    expect("ends-after-greeting", "", "start", "failure", text, help);
}

#[test]
fn a_silent_program() {
    let text = "no `uciok` within 300 ms";
    expect(
        "silent",
        "startup = \"300ms\"",
        "start",
        "failure",
        text,
        "check `preset` or `protocol`",
    );
}

#[test]
fn a_program_that_ends_at_once() {
    let text = "it ended before it had greeted: exit status 3; its error output ends with: cannot find my network";
    expect(
        "crash-in-handshake",
        "",
        "start",
        "failure",
        text,
        "start it by hand",
    );
}

#[test]
fn a_program_that_speaks_something_else() {
    let text = "it does reply to `ucci`";
    let help = "write `protocol = \"ucci\"`";
    expect(
        "speaks-ucci",
        "startup = \"300ms\"",
        "start",
        "failure",
        text,
        help,
    );
}

/// Silence counts from the moment that the program reads: a slow start is no other protocol.
#[test]
fn a_slow_program_that_speaks_something_else() {
    let text = "it does reply to `ucci`";
    let (more, help) = ("startup = \"4s\"", "write `protocol = \"ucci\"`");
    expect("speaks-ucci-late", more, "start", "failure", text, help);
    let more = "startup = \"2500ms\"";
    let more = format!("{more}\nprotocol = \"cecp\"\nusermove = true");
    let cecp = |mode: &str| by_cecp(mode, "depth = 1", &more);
    let player = cecp("no-done");
    let [status, text, _] = check(&player, "start");
    let words = "it reports no `feature done=1`: its greeting ends after 2 s of silence";
    assert!(status == "ok" && text.contains(words), "{text}");
    let player = cecp("old-both");
    let [status, text, _] = check(&player, "start");
    let words = "it speaks version 1 of the protocol";
    assert!(status == "ok" && text.contains(words), "{text}");
}

#[test]
fn a_program_that_is_not_there() {
    let text =
        config("nothing", "nodes = 500", "").replace("command = [", "command = [\"nobody\", ");
    let output = doctor(&text, &["--variant", "mock"]);
    assert_eq!(output.status.code(), Some(4));
    let told = stdout(&output);
    assert!(told.contains("FAIL found      it is not in PATH"), "{told}");
    assert!(told.contains("help: install it"), "{told}");
}

#[test]
fn options_that_are_not_offered_or_do_not_fit() {
    let more = "options = { Hsah = 4, Threads = 9, Style = \"Wlid\" }";
    let help = "write `options = { Hash = 4, Style = \"Wild\", Threads = 8 }` in the variant";
    let text = "it has no option `Hsah`; the nearest is `Hash`";
    expect("nothing", more, "options", "failure", text, help);
    let text = "it printed `No such option: Hash` while its options were set";
    expect(
        "refuses-options",
        "options = { Hash = 4 }",
        "options",
        "warning",
        text,
        "",
    );
}

#[test]
fn a_limit_that_it_does_not_know() {
    let more = "stall = \"200ms\"";
    let text = "it searches beyond 500 nodes until `stop`";
    let help = "limit the games by something else under `limits`: `depth`, `movetime` or `clock`";
    expect("knows-no-nodes", more, "positions", "failure", text, help);
}

/// A complaint about `sd` is no answer that cannot be read.
#[test]
fn a_depth_that_a_cecp_program_does_not_know() {
    let more = "protocol = \"cecp\"\nusermove = true\nstall = \"200ms\"";
    let player = by_cecp("no-depth", "depth = 1", more);
    let [status, text, help] = check(&player, "positions");
    assert!(
        status == "failure" && text.contains("`Illegal move: sd 1`"),
        "{text}"
    );
    assert!(
        help.ends_with("under `limits`: `movetime` or `clock`"),
        "{help}"
    );
}

/// Examines the mock in this mode of CECP.
fn by_cecp(mode: &str, limits: &str, more: &str) -> Value {
    let text = config("", limits, more).replace(words::AILMENT, words::MODE);
    let both = format!("= {mode:?}, {} = \"cecp\" }}", words::PROTOCOL);
    let text = text.replace("= \"\" }", &both);
    let output = doctor(&text, &["--variant", "mock", "--quick", "--json"]);
    let health: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    health["players"][0].clone()
}

/// Examines the mock in this mode of play; returns the exit code, and the player's part.
fn examined_in_play(
    mode: &str,
    limits: &str,
    more: &str,
    arguments: &[&str],
) -> (Option<i32>, Value) {
    let text = config("", limits, more).replace(words::AILMENT, words::MODE);
    let text = text.replace("= \"\" }", &format!("= {mode:?} }}"));
    let arguments = [&["--variant", "mock", "--json"], arguments].concat();
    let output = doctor(&text, &arguments);
    let health: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{mode}: {error}: {}", stderr(&output)));
    (output.status.code(), health["players"][0].clone())
}

/// The program plays well from the usual start.
#[test]
fn a_program_that_fails_in_games_from_openings_is_found() {
    for arguments in [&["--quick"][..], &[]] {
        let (code, player) =
            examined_in_play("no-move-from-openings", "nodes = 500", "", arguments);
        let [status, text, _] = check(&player, "game");
        assert_eq!((code, status.as_str()), (Some(4), "failure"), "{player:#}");
        let words = "it replied `bestmove (none)` in a position with ";
        assert!(text.contains(words), "{text}");
        assert!(text.contains(" legal moves after 6 plies, in `"), "{text}");
    }
}

#[test]
fn an_answer_behind_a_prompt_is_quoted() {
    for (mode, line) in [
        ("prompt", "`mock> bestmove h2e2`"),
        ("nul", "`bestmove h2e2\\u{0}`"),
    ] {
        let more = "stall = \"150ms\"";
        let (code, player) = examined_in_play(mode, "nodes = 500", more, &["--quick"]);
        let [status, text, help] = check(&player, "positions");
        assert_eq!((code, status.as_str()), (Some(4), "failure"), "{player:#}");
        assert!(
            text.contains(&format!(
                "it printed {line}, which Leitai cannot read as an answer"
            )),
            "{text}"
        );
        assert!(!text.contains("no other"), "{text}");
        assert!(help.contains("on a line of its own"), "{help}");
    }
}

/// Processes with this text in their command line.
fn processes(marker: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").expect("processes");
    let lines = entries.filter_map(|entry| {
        let path = entry.ok()?.path().join("cmdline");
        String::from_utf8(std::fs::read(path).ok()?).ok()
    });
    lines.filter(|line| line.contains(marker)).collect()
}

#[test]
fn an_interrupt_ends_the_program_too() {
    interrupt("silent", &[], 1);
    let long = ["--disturbance", "--seconds", "3600", "--threads", "1"];
    interrupt("", &long, 2);
}

/// Interrupts the doctor while this number of programs run.
fn interrupt(ailment: &str, arguments: &[&str], programs: usize) {
    // A unique word on the command line, to find the process.
    let marker = format!("interrupted-{}-{programs}", std::process::id());
    let text = config(ailment, "nodes = 500", "startup = \"60s\"");
    let text = text.replace("\"play\"", &format!("{marker:?}, \"play\""));
    let sandbox = Sandbox::new();
    let path = sandbox.write("match.toml", &text);
    let mut command = leitai();
    command.args(["doctor", &path, "--variant", "mock"]);
    command.args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().expect("leitai");
    let begun = Instant::now();
    while processes(&marker).len() < programs && begun.elapsed() < Duration::from_secs(20) {
        sleep(Duration::from_millis(10));
    }
    assert_eq!(processes(&marker).len(), programs, "the program runs");
    let number = child.id().to_string();
    let sent = Command::new("kill").args(["-s", "INT", &number]).status();
    assert!(sent.expect("kill").success());
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(processes(&marker).is_empty(), "nobody is left");
}

#[test]
fn a_wrong_config_and_a_wrong_name_are_usage_errors() {
    let output = doctor("game = \"go\"", &[]);
    assert_eq!(output.status.code(), Some(2));
    let text = config("nothing", "nodes = 500", "");
    let output = doctor(&text, &["--variant", "nobody"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there are ours, mock"));
}

#[test]
fn both_games_searches_are_looked_at() {
    let text = "game = \"othello\"\nlimits = { nodes = 500 }\ntournament = { pairs = 1 }\n\
                openings = { exhausted = \"repeat\" }\n[[variant]]\nname = \"a\"\n\
                [[variant]]\nname = \"b\"\nsearch = { table_mb = 0 }\n";
    let output = doctor(text, &["--json", "--quick"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let health: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(health["sentence"], "all players are fit to play");
    for player in health["players"].as_array().expect("players") {
        assert_eq!(player["kind"], "search");
        assert_eq!(check(player, "repeats")[0], "ok");
        assert!(check(player, "speed")[1].contains("nodes per second"));
    }
}

#[test]
fn the_disturbance_of_equal_players_is_measured() {
    let text = config("", "nodes = 500", "");
    let options = ["--disturbance", "--seconds", "0.01", "--max-loss", "100"];
    for variant in ["ours", "mock"] {
        let output = doctor(
            &text,
            &[&options[..], &["--variant", variant, "--json"]].concat(),
        );
        assert!(output.status.success(), "{}", stderr(&output));
        let measured: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(measured["player"], variant);
        // Any loss is below the bound.
        assert_eq!(measured["most_threads"], 2, "{measured}");
        let levels = measured["levels"].as_array().expect("levels");
        for (level, threads) in levels.iter().zip(1..=2) {
            assert_eq!(level["threads"], threads);
            assert!(level["searches"].as_u64() >= Some(10), "{level}");
            for figure in ["spread", "lasting", "delay_ms"] {
                assert!(level[figure].as_f64() >= Some(0.0), "{figure}: {level}");
            }
        }
        assert_eq!(
            (levels.len(), &levels[0]["speed"]["value"]),
            (2, &Value::from(1.0))
        );
    }
    let output = doctor(&text, &options);
    let table = stdout(&output);
    assert!(table.starts_with("ours, searches of "), "{table}");
    assert!(
        table.contains("up to 2 threads cost at most 100 %"),
        "{table}"
    );
    let output = doctor(&text, &["--reserve", "1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("add `--disturbance`"),
        "{}",
        stderr(&output)
    );
    // GTP has no limit of nodes.
    let gtp = text.replace("xiangqi", "go").replace("\"uci\"", "\"gtp\"");
    let gtp = gtp
        .lines()
        .filter(|line| !line.starts_with("openings"))
        .collect::<Vec<_>>()
        .join("\n");
    let output = doctor(
        &gtp.replace("nodes = 500", "movetime = \"1s\""),
        &["--variant", "mock", "--disturbance"],
    );
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
