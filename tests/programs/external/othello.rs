//! Programs that play Othello, by GTP and by the protocol of `NBoard`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{assert_no_process_left, dialogues, endings_of, refusal};
use crate::common;
use crate::programs::{mock_program, words};

/// Openings whose side to move has to pass at once: Black in the first one, White in the second.
pub(crate) const PASSES: &str = "c4c3f5b4a4a5c2a3\nf5d6c3g5g6g7h5e3h7b2g8\n";

/// A match of one pair between the mock in this mode and a built-in search.
pub(crate) fn config(protocol: &str, mode: &str, more: &str) -> String {
    let program = mock_program();
    let program = program.to_str().expect("UTF-8");
    let limits = match protocol {
        "gtp" if !more.contains("limits") => "limits = \"own\"",
        _ => "",
    };
    format!(
        r#"
game = "othello"
limits = {{ depth = 1 }}
openings = {{ file = "passes.txt", order = "sequential" }}
tournament = {{ pairs = 1 }}

[[variant]]
name = "ours"

[[variant]]
name = "mock"
command = [{program:?}, "play"]
protocol = "{protocol}"
environment = {{ {} = "{mode}", {} = "pids", {} = "{protocol}" }}
{limits}
{more}
"#,
        words::MODE,
        words::PIDS,
        words::PROTOCOL
    )
}

/// The common cause of the ends of a match's two games.
fn ending(protocol: &str, mode: &str, more: &str) -> String {
    let endings = endings_of(mode, &config(protocol, mode, more));
    let [(cause, 2)] = &endings[..] else {
        panic!("{mode}: {endings:?}");
    };
    cause.clone()
}

/// Long enough for a busy machine, short enough for a test.
const STALL: &str = "stall = \"150ms\"";
const SECOND: &str = "limits = { movetime = \"1s\", margin = \"250ms\" }";
const CLOCK: &str = "limits = { depth = 1, clock = \"1s\", margin = \"250ms\" }";
const OMIT: &str = "passes = \"omit\"";

macro_rules! matches_of {
    ($protocol:literal: $($name:ident: $mode:literal, $more:expr => $cause:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(ending($protocol, $mode, $more), $cause);
        }
    )*};
}

matches_of! { "gtp":
    gtp_that_plays_well: "good", "" => "counted";
    gtp_that_babbles: "babbles", "" => "counted";
    gtp_that_leaves_numbers_out: "no-numbers", "" => "counted";
    gtp_that_writes_a_blank_before_numbers: "blank-numbers", "" => "counted";
    gtp_that_does_not_list_its_commands: "unlisted", "" => "counted";
    gtp_that_is_told_its_level: "good", "options = { level = 3 }" => "counted";
    gtp_by_the_clock: "good", SECOND => "counted";
    gtp_that_rejects_passes: "rejects-passes", "" => "counted";
    gtp_that_never_heard_of_passes: "never-heard-of-passes", OMIT => "counted";
    gtp_that_answers_twice: "two-answers", "" => "counted";
    gtp_that_crashes: "crash", "" => "crash";
    gtp_that_crashes_in_the_middle: "crash-later", "" => "crash";
    gtp_that_hangs: "hangs", STALL => "stall";
    gtp_that_answers_too_late_to_be_waited_for: "slow", STALL => "stall";
    gtp_that_is_late: "late", SECOND => "time-forfeit";
    gtp_that_names_no_square: "illegal", "" => "malformed-output";
    gtp_that_plays_where_a_disc_is: "elsewhere", "" => "illegal-move";
    gtp_that_answers_with_the_move_before: "stale", "" => "illegal-move";
    gtp_that_moves_for_the_other_side: "wrong-colour", "" => "illegal-move";
    gtp_that_passes_when_it_may_not: "passes-always", "" => "illegal-move";
    gtp_that_answers_rubbish: "rubbish", "" => "malformed-output";
    gtp_that_answers_bytes: "bytes", STALL => "stall";
    gtp_that_answers_nothing: "no-move", "" => "malformed-output";
    gtp_that_says_that_it_cannot_move: "cannot", "" => "malformed-output";
    gtp_that_refuses_a_legal_move: "refuses-moves", "" => "malformed-output";
    gtp_that_resigns: "resigns", "" => "resignation";
    gtp_that_plays_another_game: "plays-go", "" => "malformed-output";
}

matches_of! { "nboard":
    nboard_that_plays_well: "good", "" => "counted";
    nboard_that_writes_blanks: "blanks", "" => "counted";
    nboard_that_gives_no_score: "bare", "" => "counted";
    nboard_with_contempt: "good", "options = { contempt = 0 }" => "counted";
    nboard_by_the_clock: "good", CLOCK => "counted";
    nboard_that_answers_twice: "two-moves", "" => "counted";
    nboard_that_answers_again_later: "twice", "" => "counted";
    nboard_that_crashes: "crash", "" => "crash";
    nboard_that_hangs: "hangs", STALL => "stall";
    nboard_that_is_late: "late", CLOCK => "time-forfeit";
    nboard_that_plays_where_a_disc_is: "illegal", "" => "illegal-move";
    nboard_that_answers_rubbish: "rubbish", "" => "malformed-output";
    nboard_that_answers_nothing: "no-move", "" => "malformed-output";
}

/// A whole match in a folder; returns its dialogues and its games.
fn talk(folder: &Path, text: &str) -> (Vec<Vec<String>>, String) {
    let text = text.replace("pairs = 1", "pairs = 2");
    fs::write(folder.join("match.toml"), text).expect("a config");
    fs::write(folder.join("passes.txt"), PASSES).expect("openings");
    let leitai = |arguments: &[&str]| {
        let mut command = common::leitai();
        let output = command.current_dir(folder).args(arguments).output();
        let output = output.expect("leitai");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{told}");
        String::from_utf8(output.stdout).expect("text")
    };
    leitai(&["run", "match.toml", "--quiet", "--dialogue", "talk", "-t1"]);
    assert_no_process_left(folder);
    let games = leitai(&["report", "match.sqlite", "--pgn", "-"]);
    (dialogues(&folder.join("talk"), "-mock.log"), games)
}

/// The number of lines in the dialogues with this end.
fn count(talk: &[Vec<String>], end: &str) -> usize {
    let lines = talk.iter().flatten();
    lines.filter(|line| line.ends_with(end)).count()
}

#[test]
fn passes_are_recorded_and_sent_once_to_programs_that_reject_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let (told, games) = talk(folder.path(), &config("gtp", "rejects-passes", ""));
    // Every game begins with a pass, of either colour, by either player.
    assert_eq!(games.matches("[Result ").count(), 4);
    assert!(games.matches("pass").count() >= 4, "{games}");
    assert_eq!(count(&told, " pass"), 1, "of the opponent: {told:?}");
    assert!(count(&told, "PASS") >= 2, "of its own: {told:?}");
    assert_eq!(count(&told, "syntax error"), 1);
    // The same games as those of a program without passes.
    let silent = tempfile::tempdir().expect("a folder");
    let text = config("gtp", "never-heard-of-passes", OMIT);
    let (told, others) = talk(silent.path(), &text);
    assert_eq!(count(&told, " pass") + count(&told, "PASS"), 0, "{told:?}");
    let moves = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("[Event "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(moves(&games), moves(&others));
}

#[test]
fn passes_are_moves_of_nboard() {
    let folder = tempfile::tempdir().expect("a folder");
    let (told, games) = talk(folder.path(), &config("nboard", "good", ""));
    assert!(count(&told, "> move PA") >= 4, "{told:?}");
    assert!(count(&told, "=== PA/1.25/0.01") >= 2, "{told:?}");
    assert!(games.matches("pass").count() >= 4, "{games}");
}

#[test]
fn positions_without_moves_are_refused_by_gtp_and_sent_by_nboard() {
    let board = "--------------------------OXX------XO--------------------------- X\n";
    let folder = tempfile::tempdir().expect("a folder");
    let play = |protocol: &str| {
        let text = config(protocol, "good", "").replace("pairs = 1", "pairs = 2");
        fs::write(folder.path().join("match.toml"), text).expect("a config");
        fs::write(folder.path().join("passes.txt"), format!("f5\n{board}")).expect("openings");
        let mut command = common::leitai();
        command.current_dir(folder.path());
        let output = command
            .args(["run", "match.toml", "--quiet", "--json"])
            .output();
        output.expect("leitai")
    };
    let output = play("gtp");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("cannot start from the opening `opening 2`"),
        "{told}"
    );
    assert!(told.contains("help: give the openings as moves"), "{told}");
    let output = play("nboard");
    assert!(output.status.success(), "{output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["causes"][0]["cause"], "counted");
}

#[test]
fn a_position_that_cannot_be_sent_is_a_run_error() {
    let timeless = config("gtp", "timeless", SECOND);
    let told = refusal(&timeless);
    assert!(
        told.contains("it does not support `time_settings`"),
        "{told}"
    );
    assert!(told.contains("limits = \"own\""), "{told}");
    // The doctor refuses the same as a run, with the same help.
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("match.toml"), timeless).expect("a config");
    fs::write(folder.path().join("passes.txt"), PASSES).expect("openings");
    let mut command = common::leitai();
    command.current_dir(folder.path());
    command.args(["doctor", "match.toml", "--variant", "mock", "--quick"]);
    let output = command.output().expect("leitai");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(4), "{text}");
    let words = "FAIL run        a run refuses it: it does not support `time_settings`";
    assert!(text.contains(words), "{text}");
    let remedy =
        "`mock` is not fit to play: set its level by its arguments, and write `limits = \"own\"`";
    assert!(text.contains(remedy), "{text}");
    let told = refusal(&config("gtp", "good", "options = { levle = 3 }"));
    assert!(
        told.contains("no option `levle`; it offers level"),
        "{told}"
    );
    let told = refusal(&config("gtp", "good", "options = { level = 11 }"));
    assert!(
        told.contains("it answers `? unknown command` to `level 11`"),
        "{told}"
    );
    let told = refusal(&config("gtp", "good", "init = [\"verbose 3\"]"));
    assert!(
        told.contains("it answers `? unknown command` to `verbose 3`"),
        "{told}"
    );
    let told = refusal(&config("gtp", "silent", "startup = \"200ms\""));
    assert!(told.contains("the answer to `list_commands`"), "{told}");
    let told = refusal(&config("nboard", "silent", "startup = \"200ms\""));
    assert!(told.contains("no `pong` within 200 ms"), "{told}");
}
