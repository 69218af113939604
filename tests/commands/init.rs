//! `leitai init`, and the built-in books.

use std::fs;

use crate::common::{Sandbox, leitai, project, stderr, stdout};

/// Needs nothing but the program and an empty folder.
#[test]
fn a_first_config_of_each_game_plays() {
    for game in ["xiangqi", "othello", "go", "chess"] {
        let sandbox = Sandbox::new();
        let folder = sandbox.path("");
        let run = |words: &[&str]| {
            let output = leitai().current_dir(&folder).args(words).output().unwrap();
            assert!(output.status.success(), "{game}: {}", stderr(&output));
            output
        };
        let said = stderr(&run(&["init", game]));
        assert!(said.contains("leitai run leitai.toml"), "{said}");
        assert_eq!(sandbox.files(), ["leitai.schema.json", "leitai.toml"]);
        let written = fs::read_to_string(sandbox.path("leitai.schema.json")).unwrap();
        let shipped = fs::read_to_string(project("configs/leitai.schema.json")).unwrap();
        assert!(written == shipped, "the schema beside it is another one");
        let text = fs::read_to_string(sandbox.path("leitai.toml")).unwrap();
        assert!(
            text.contains(&format!("file = \"leitai:{game}\"")),
            "{text}"
        );
        let pairs = ["--set", "tournament.pairs=2", "--set", "limits.nodes=50"];
        let played = run(&[&["run", "leitai.toml", "--quiet"], &pairs[..]].concat());
        assert!(stdout(&played).contains("4 games in 2 pairs"), "{game}");
        // The commented-out parts are valid too.
        let mut gate = String::new();
        for line in text.lines() {
            let is_tournament = line == "[tournament]" || line.starts_with("pairs = ");
            let keys = ["# [gate]", "# candidate = ", "# base = ", "# elo"];
            let is_gate = keys.iter().any(|key| line.starts_with(key));
            let line = if is_gate { &line[2..] } else { line };
            if !is_tournament {
                gate.push_str(line);
                gate.push('\n');
            }
        }
        fs::write(sandbox.path("gate.toml"), gate).unwrap();
        run(&["check", "gate.toml"]);
    }
}

#[test]
fn a_config_that_is_there_stays() {
    let sandbox = Sandbox::new();
    sandbox.write("leitai.toml", "precious");
    let init = |words: &[&str]| {
        let mut command = leitai();
        command
            .current_dir(sandbox.path(""))
            .arg("init")
            .args(words);
        command.output().unwrap()
    };
    let refused = init(&[]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert_eq!(
        fs::read_to_string(sandbox.path("leitai.toml")).unwrap(),
        "precious"
    );
    assert!(init(&["--force", "othello"]).status.success());
    let text = fs::read_to_string(sandbox.path("leitai.toml")).unwrap();
    assert!(text.contains("game = \"othello\""));
}

#[test]
fn books_are_known_by_name_and_others_are_named() {
    let sandbox = Sandbox::new();
    let config = sandbox.write(
        "t.toml",
        "game = \"othello\"\nlimits.depth = 1\nopenings.file = \"leitai:othelo\"\n\
         tournament.pairs = 1\nvariant = [{ name = \"a\" }, { name = \"b\", limits.depth = 2 }]\n",
    );
    let output = leitai().args(["run", &config]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("no book is called `leitai:othelo`"), "{said}");
    assert!(said.contains("`leitai:othello`"), "{said}");
    let check = ["openings", "check", "othello", "leitai:othello-300"];
    let output = leitai().args(check).output().unwrap();
    assert!(stdout(&output).contains("300"), "{}", stderr(&output));
    // The book of another game.
    let text = fs::read_to_string(&config)
        .unwrap()
        .replace("othelo", "chess");
    let config = sandbox.write("u.toml", &text);
    let output = leitai().args(["run", &config]).output().unwrap();
    assert!(
        stderr(&output).contains("is a book of chess"),
        "{}",
        stderr(&output)
    );
}

/// The way from an empty folder to a verdict on a user's own program: install, `init`, `gate`.
#[cfg(unix)]
#[test]
fn a_gate_of_two_programs_takes_two_commands() {
    let sandbox = Sandbox::new();
    let engine = env!("CARGO_BIN_EXE_leitai");
    for (name, preset) in [("new", "full"), ("old", "plain")] {
        let script =
            format!("#!/bin/sh\nexec '{engine}' engine --game xiangqi --variant {preset}\n");
        let file = sandbox.write(&format!("{name}.sh"), &script);
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(file, executable).unwrap();
    }
    let run = |line: &[&str]| {
        let output = leitai().current_dir(sandbox.path("")).args(line).output();
        output.unwrap()
    };
    let init = [
        "init", "xiangqi", "--engine", "./new.sh", "--engine", "./old.sh", "--gate",
    ];
    let said = stderr(&run(&init));
    assert!(said.contains("leitai gate leitai.toml"), "{said}");
    // Nodes in place of the clock, to be reproducible.
    let nodes = [
        "--set",
        "limits={ nodes = 60 }",
        "--set",
        "gate.elo1=100",
        "-q",
    ];
    let gate = run(&[&["gate", "leitai.toml"], &nodes[..]].concat());
    assert_eq!(gate.status.code(), Some(0), "{}", stderr(&gate));
    assert!(
        stdout(&gate).contains("`new` is stronger than `old`"),
        "{}",
        stdout(&gate)
    );
    // One program against the built-in search.
    run(&["init", "xiangqi", "--engine", "./new.sh", "-o", "one.toml"]);
    let checked = run(&["check", "one.toml"]);
    assert!(checked.status.success(), "{}", stderr(&checked));
}

/// With any names of programs and files, the config is readable or is not written.
#[cfg(unix)]
#[test]
fn written_problems_can_be_read() {
    let sandbox = Sandbox::new();
    let run = |words: &[&str]| {
        let output = leitai().current_dir(sandbox.path("")).args(words).output();
        output.unwrap()
    };
    let engine = env!("CARGO_BIN_EXE_leitai");
    let long = "e".repeat(100);
    for (game, names) in [
        ("othello", &["mine"][..]),
        ("go", &["mine"]),
        ("chess", &["mine"]),
        ("xiangqi", &["full"]),
        ("xiangqi", &["a", "a"]),
        ("xiangqi", &["\u{1b}[31mred", "tab\tbed"]),
        ("xiangqi", &["quo\"te'd", "\u{76ae}"]),
        ("xiangqi", &[&long]),
        ("xiangqi", &["my engine"]),
    ] {
        let mut words = vec!["init".to_owned(), game.to_owned()];
        words.extend(["--force", "--gate"].map(str::to_owned));
        for name in names {
            let script = format!("#!/bin/sh\nexec '{engine}' engine --game {game}\n");
            let file = sandbox.write(name, &script);
            let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            fs::set_permissions(file, executable).unwrap();
            words.extend(["--engine".to_owned(), format!("./{name}")]);
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let written = run(&words);
        let told = stderr(&written);
        let is_strange = names.iter().any(|it| it.contains(char::is_control));
        assert_eq!(written.status.success(), !is_strange, "{names:?}: {told}");
        let checked = run(&["check", "leitai.toml"]);
        let told = stderr(&checked);
        assert!(checked.status.success(), "{game} {names:?}: {told}");
    }
    let text = fs::read_to_string(sandbox.path("leitai.toml")).unwrap();
    assert!(text.contains("my engine\"]"), "{text}");
    for refused in [
        &["init", "--engine", " "][..],
        &["init", "-o", "/dev/null"],
        &["init", "-o", "a\nx = 1 #.toml"],
    ] {
        assert_eq!(run(refused).status.code(), Some(2), "{refused:?}");
    }
    assert!(!std::path::Path::new("/dev/leitai.schema.json").exists());
    // A foreign schema file is kept.
    let schema = sandbox.write("leitai.schema.json", "{\"mine\":1}");
    assert!(run(&["init", "--force"]).status.success());
    assert_eq!(fs::read_to_string(schema).unwrap(), "{\"mine\":1}");
}

#[test]
fn a_check_shows_the_rules_in_force() {
    let sandbox = Sandbox::new();
    for (game, rules, line) in [
        (
            "xiangqi",
            "",
            "rules     repetition computer, move_limit true, material true\n",
        ),
        (
            "xiangqi",
            "rules.repetition = \"chinese\"",
            "rules     repetition chinese, move_limit",
        ),
        ("chess", "rules = { chess960 = true }", "chess960 true"),
        ("othello", "", "rules     empties winner\n"),
    ] {
        let config = sandbox.write(
            "r.toml",
            &format!(
                "game = \"{game}\"\n{rules}\nlimits.depth = 1\nopenings.file = \"leitai:{game}\"\n\
                 tournament.pairs = 1\nvariant = [{{ name = \"a\" }}, {{ name = \"b\", limits.depth = 2 }}]\n"
            ),
        );
        let checked = leitai().args(["check", &config]).output().unwrap();
        let told = stdout(&checked);
        assert!(
            told.contains(line),
            "{game} {rules}: {told}{}",
            stderr(&checked)
        );
    }
}

/// The line of a problem follows the file, not the options.
#[test]
fn a_problem_with_overrides_names_the_line() {
    let sandbox = Sandbox::new();
    let config = sandbox.write(
        "r.toml",
        "game = \"chess\"\ntournament.pairs = 1\nlimits.nodes = 3\nvariant = [{ name = \"a\" }]\n",
    );
    for (overrides, place) in [
        (&["limits.nodes=0"][..], "r.toml:3:"),
        (&["limits.nodes=5", "tournament.pairs=0"], "r.toml:2:"),
        (&["limits.nodes=5"], "r.toml:4:"),
    ] {
        let mut check = leitai();
        check.args(["check", &config]);
        for change in overrides {
            check.args(["--set", change]);
        }
        let told = stderr(&check.output().unwrap());
        let note = format!("lines are counted with --set {}", overrides.join(" --set "));
        assert!(told.contains(place) && told.contains(&note), "{told}");
    }
}
