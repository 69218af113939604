//! First configs with engines: `leitai init --engine` starts them, and the config plays.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

use super::{mock_program, words};
use crate::common::{Sandbox, leitai, stderr, stdout};

/// A script of this name that runs the command after `before`.
fn script(sandbox: &Sandbox, name: &str, before: &str, command: &str) {
    let file = sandbox.write(name, &format!("#!/bin/sh\n{before}\nexec {command}\n"));
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("a program");
}

/// The command of the mock in this protocol and mode.
fn mock(protocol: &str, mode: &str) -> String {
    let program = mock_program();
    let variables = format!("{}={protocol} {}={mode}", words::PROTOCOL, words::MODE);
    let program = program.to_str().expect("UTF-8");
    format!("env {variables} '{program}' play")
}

/// The command of an engine of ours.
fn engine(game: &str, protocol: &str) -> String {
    let program = env!("CARGO_BIN_EXE_leitai");
    format!("'{program}' engine --game {game} --protocol {protocol}")
}

fn run(sandbox: &Sandbox, words: &[&str]) -> Output {
    let mut command = leitai();
    let output = command.current_dir(sandbox.path("")).args(words).output();
    output.expect("leitai")
}

/// Writes a config with the engine, plays a pair by it, and returns its text.
fn played(sandbox: &Sandbox, game: &str, engine: &str) -> String {
    let init = run(sandbox, &["init", game, "--engine", engine, "--force"]);
    assert!(init.status.success(), "{engine}: {}", stderr(&init));
    let few = [
        "--set",
        "tournament.pairs=1",
        "--set",
        "adjudication.max_plies=8",
    ];
    let output = run(
        sandbox,
        &[&["run", "leitai.toml", "--quiet"], &few[..]].concat(),
    );
    assert!(output.status.success(), "{engine}: {}", stderr(&output));
    let table = stdout(&output);
    assert!(
        table.contains("2 games in 1 pair") && !table.contains("failed"),
        "{table}"
    );
    fs::read_to_string(sandbox.path("leitai.toml")).expect("a config")
}

#[test]
fn the_protocol_and_its_limits_are_found() {
    let sandbox = Sandbox::new();
    script(&sandbox, "plain.sh", "", &engine("xiangqi", "uci"));
    let text = played(&sandbox, "xiangqi", "./plain.sh");
    for line in ["name = \"plain\"", "protocol = \"uci\"", "nodes = 5_000"] {
        assert!(text.contains(line), "{text}");
    }
    // It starts slowly, and hears a word of UCI before that of its protocol.
    script(&sandbox, "slow.sh", "sleep 2.5", &engine("xiangqi", "ucci"));
    let text = played(&sandbox, "xiangqi", "./slow.sh");
    assert!(text.contains("protocol = \"ucci\""), "{text}");
    // A program of version 1, which does not answer the greeting.
    script(&sandbox, "old.sh", "", &mock("cecp", "old-both"));
    let text = played(&sandbox, "xiangqi", "sh old.sh");
    for line in ["name = \"old\"", "protocol = \"cecp\"", "clock = \"5s\""] {
        assert!(text.contains(line), "{text}");
    }
    script(&sandbox, "gtp.sh", "", &mock("gtp", "timeless"));
    let text = played(&sandbox, "othello", "./gtp.sh");
    for line in ["protocol = \"gtp\"", "limits = \"own\""] {
        assert!(text.contains(line), "{text}");
    }
    script(&sandbox, "board.sh", "", &mock("nboard", "good"));
    let text = played(&sandbox, "othello", "./board.sh");
    assert!(text.contains("protocol = \"nboard\""), "{text}");
}

#[test]
fn options_and_two_engines_of_one_name_are_written() {
    let sandbox = Sandbox::new();
    let text = |engines: &[&str]| {
        let engines = engines.iter().flat_map(|engine| ["--engine", engine]);
        let words: Vec<&str> = ["init", "xiangqi", "--force"]
            .into_iter()
            .chain(engines)
            .collect();
        let init = run(&sandbox, &words);
        assert!(init.status.success(), "{}", stderr(&init));
        fs::read_to_string(sandbox.path("leitai.toml")).expect("a config")
    };
    script(&sandbox, "a.py", "", &mock("uci", "good"));
    let both = text(&["sh a.py", "sh -e ./a.py"]);
    for line in [
        "name = \"a\"",
        "name = \"a-2\"",
        "command = [\"sh\", \"-e\", \"./a.py\"]",
        "options = { \"Hash\" = 16, \"Threads\" = 1 }",
    ] {
        assert!(both.contains(line), "{both}");
    }
    // It obeys no node limit.
    script(&sandbox, "timed.sh", "", &mock("uci", "listens-to-stop"));
    let init = run(
        &sandbox,
        &["init", "xiangqi", "--force", "--engine", "./timed.sh"],
    );
    assert_eq!(init.status.code(), Some(2), "it obeys no limit");
    assert!(stderr(&init).contains("until `stop`"), "{}", stderr(&init));
}

/// Prints the reason, and writes no file.
#[test]
fn an_engine_that_cannot_play_is_refused() {
    let sandbox = Sandbox::new();
    script(
        &sandbox,
        "broken.py",
        "echo 'No module named x' >&2",
        "false",
    );
    script(&sandbox, "mute.sh", "", "cat /dev/null");
    script(&sandbox, "deaf.sh", "", "sleep 600");
    script(&sandbox, "illegal.sh", "", &mock("uci", "illegal"));
    let plain = sandbox.write("plain.py", "print('it has no interpreter')\n");
    fs::set_permissions(plain, fs::Permissions::from_mode(0o755)).expect("a program");
    let before = sandbox.files();
    for (engine, reason) in [
        ("./absent", "there is no program ./absent"),
        ("absent-too --fast", "it is not in PATH"),
        ("./broken.py", "error output ends with: No module named x"),
        ("./mute.sh", "it ended before it had greeted: exit status 0"),
        ("./deaf.sh", "it does not read its input"),
        ("./illegal.sh", "it names a move that is not legal: `a0a9`"),
        ("./plain.py", "or its interpreter in `command`"),
    ] {
        let refused = run(&sandbox, &["init", "xiangqi", "--engine", engine]);
        let told = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{engine}: {told}");
        assert!(
            told.contains(reason) && told.contains("help: "),
            "{engine}: {told}"
        );
        assert_eq!(sandbox.files(), before, "{engine}");
    }
}

/// Without a game, that of the engine is found; never one by chance.
#[test]
fn the_game_of_an_engine_is_found() {
    let sandbox = Sandbox::new();
    for (game, command) in [
        ("chess", engine("chess", "uci")),
        ("othello", engine("othello", "uci")),
        ("othello", mock("gtp", "timeless")),
        ("xiangqi", engine("xiangqi", "ucci")),
    ] {
        script(&sandbox, "e.sh", "", &command);
        let init = run(&sandbox, &["init", "--engine", "./e.sh", "--force"]);
        let told = stderr(&init);
        assert!(init.status.success(), "{game}: {told}");
        let note = format!("no game is named: `./e.sh` can play {game}");
        assert!(told.contains(&note), "{told}");
        let text = fs::read_to_string(sandbox.path("leitai.toml")).expect("a config");
        assert!(text.contains(&format!("game = \"{game}\"")), "{text}");
    }
    fs::remove_file(sandbox.path("leitai.toml")).expect("removed");
    script(&sandbox, "chess.sh", "", &engine("chess", "uci"));
    // It makes one move in every game.
    for (mv, reason) in [
        (
            "b1c3",
            "help: name the game: `leitai init xiangqi --engine './x.sh one'`",
        ),
        ("a1a1", "can play none:\n  xiangqi: "),
    ] {
        let answers = format!(
            "while read -r word _; do case $word in uci) echo uciok;; isready) echo readyok;; \
             go) echo bestmove {mv};; quit) exit;; esac; done"
        );
        script(&sandbox, "x.sh", &answers, "true");
        let init = run(&sandbox, &["init", "--engine", "./x.sh one"]);
        let told = stderr(&init);
        assert_eq!(init.status.code(), Some(2), "{told}");
        assert!(told.contains(reason), "{told}");
    }
    // Engines of two games.
    script(&sandbox, "xiangqi.sh", "", &engine("xiangqi", "uci"));
    let both = ["init", "--engine", "./chess.sh", "--engine", "./xiangqi.sh"];
    let told = stderr(&run(&sandbox, &both));
    assert!(
        told.contains("`./chess.sh` and `./xiangqi.sh` can play none"),
        "{told}"
    );
    assert!(!sandbox.files().contains(&"leitai.toml".to_owned()));
}

/// A written command starts the same program from every folder.
#[test]
fn a_written_command_works_from_anywhere() {
    let sandbox = Sandbox::new();
    for folder in ["sub", "other"] {
        fs::create_dir(sandbox.path(folder)).expect("a folder");
    }
    script(
        &sandbox,
        "e.sh",
        "test -e ./e.sh || exit 1",
        &engine("othello", "uci"),
    );
    let absolute = sandbox.path("e.sh");
    for (from, command, out) in [
        ("", "./e.sh", "sub/n.toml"),
        ("", "./e.sh", "n.toml"),
        ("", "sh ./e.sh", "sub/n.toml"),
        ("", "sh e.sh", "sub/../other/n.toml"),
        ("", absolute.as_str(), "sub/n.toml"),
        ("sub", "env -C .. ./e.sh", "../n.toml"),
        ("sub", "env -C .. sh e.sh", "n.toml"),
    ] {
        let init = [
            "init", "othello", "--engine", command, "--out", out, "--force",
        ];
        let init = leitai().current_dir(sandbox.path(from)).args(init).output();
        let init = init.expect("leitai");
        assert!(init.status.success(), "{command}: {}", stderr(&init));
        let config = fs::canonicalize(Path::new(&sandbox.path(from)).join(out)).expect("a config");
        for (place, record) in ["", "sub", "other"].into_iter().zip(["a", "b", "c"]) {
            let mut run = leitai();
            run.current_dir(sandbox.path(place)).arg("run").arg(&config);
            let few = [
                "--set",
                "tournament.pairs=1",
                "--set",
                "adjudication.max_plies=4",
            ];
            let record = sandbox.path(record);
            let output = run
                .args(few)
                .args(["--quiet", "--record", &record])
                .output();
            let output = output.expect("leitai");
            let told = stderr(&output);
            assert!(output.status.success(), "{command} from {place}: {told}");
            let table = stdout(&output);
            assert!(
                table.contains("2 games in 1 pair") && !table.contains("failed"),
                "{table}"
            );
            fs::remove_file(record).expect("a record");
        }
    }
}
