//! `leitai init`, and the books that the program brings.

use std::fs;

use crate::common::{Sandbox, leitai, project, stderr, stdout};

/// In an empty folder, with nothing but the program.
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
        // What is taken out of comments is right too.
        let program = text
            .replace("[tournament]", "# [tournament]")
            .replace("pairs = 50", "# ");
        let gate = program.replace("# [gate]\n# base", "[gate]\nbase");
        let gate = gate
            .replace("# candidate =", "candidate =")
            .replace("# elo", "elo");
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
