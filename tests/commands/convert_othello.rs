//! `leitai convert` with the formats of Othello.

use crate::common::{Sandbox, json, project, run, stderr, stdout};
use serde_json::{Value, json as value};

fn convert(arguments: &[&str]) -> String {
    let output = run(&[&["convert"], arguments].concat());
    let said = stderr(&output);
    assert!(output.status.success(), "{arguments:?}: {said}");
    stdout(&output)
}

fn rows(text: &str) -> Vec<Value> {
    let row = |line| serde_json::from_str(line).expect("JSON");
    text.lines().map(row).collect()
}

/// A recorded run of a few games.
fn played(sandbox: &Sandbox) -> String {
    let book = project("openings/othello.txt");
    let book = book.to_str().expect("UTF-8");
    let config = format!(
        "game = \"othello\"\nlimits = {{ depth = 1 }}\nopenings = {{ file = {book:?} }}\n\
         tournament = {{ pairs = 6 }}\nrules = {{ empties = \"nobody\" }}\n\
         variant = [{{ name = \"a\" }}, {{ name = \"b\", eval = {{ preset = \"discs\" }} }}]\n"
    );
    let config = sandbox.write("t.toml", &config);
    let store = sandbox.path("t.sqlite");
    let output = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    store
}

#[test]
fn a_run_goes_through_every_form_and_back() {
    let sandbox = Sandbox::new();
    let store = played(&sandbox);
    let direct = rows(&convert(&[&store, "--to", "json"]));
    assert_eq!(direct.len(), 12);
    for form in ["pgn", "ggf", "txt"] {
        let file = sandbox.path(&format!("games.{form}"));
        // The extension of the output file selects the format.
        convert(&[&store, "-o", &file]);
        let nobody = ["--empties", "nobody", "--to", "json"];
        let back = rows(&convert(&[&[file.as_str()], &nobody[..]].concat()));
        assert_eq!(back.len(), 12, "{form}");
        for (one, other) in direct.iter().zip(&back) {
            for field in ["final_fen", "result", "score"] {
                assert_eq!(one[field], other[field], "{field} by {form}");
            }
            let moves = |row: &Value| row["moves"].as_array().expect("moves").clone();
            let (one, other) = (moves(one), moves(other));
            assert!(other.ends_with(&one), "{form}");
        }
        let again = convert(&[&file, "--to", form, "--empties", "nobody"]);
        assert_eq!(
            again,
            std::fs::read_to_string(&file).expect("a file"),
            "{form}"
        );
        let check = convert(&[&file, "--check"]);
        assert!(
            check.contains("12 games read") && check.contains("all legal"),
            "{check}"
        );
        assert!(check.contains("12 confirmed by the referee"), "{check}");
    }
    let ggf = std::fs::read_to_string(sandbox.path("games.ggf")).expect("a file");
    for (line, row) in ggf.lines().zip(&direct) {
        let score = row["score"].as_i64().expect("a score");
        assert!(line.contains(&format!("RE[{score:+}.000]")), "{line}");
        assert!(
            line.starts_with("(;GM[Othello]") && line.ends_with(";)"),
            "{line}"
        );
    }
}

#[test]
fn a_report_has_the_mean_margin_of_the_games() {
    let sandbox = Sandbox::new();
    let store = played(&sandbox);
    let games = rows(&convert(&[&store, "--to", "json"]));
    let margin = |game: &Value| {
        let score = game["score"].as_f64().expect("a score");
        let is_black = game["tags"]["Black"] == "a";
        if is_black { score } else { -score }
    };
    let mean = games.iter().map(margin).sum::<f64>() / 12.0;
    let report = json(&["report", &store, "--json"]);
    let told = &report["pairings"][0]["margin"];
    assert_eq!(told["games"], 12);
    let value = |key: &str| told["discs"][key].as_f64().expect("a number");
    assert!((value("value") - mean).abs() < 1e-9, "{told}");
    assert!(value("low") < mean && mean < value("high"), "{told}");
    let of = |name: &str| {
        let rows = report["variants"].as_array().expect("variants");
        let row = rows.iter().find(|row| row["name"] == name).expect("a row");
        row["margin"]["discs"]["value"].as_f64().expect("a number")
    };
    assert!((of("a") - mean).abs() < 1e-9 && (of("b") + mean).abs() < 1e-9);
    let text = stdout(&run(&["report", &store]));
    assert!(
        text.contains("discs") && text.contains(&format!("{mean:+.1}")),
        "{text}"
    );
}

#[test]
fn the_openings_become_a_book_of_boards() {
    let book = project("openings/othello.txt");
    let book = book.to_str().expect("UTF-8");
    let epd = convert(&[book, "--ply", "8"]);
    assert_eq!(epd.lines().count(), 300);
    let sandbox = Sandbox::new();
    let file = sandbox.write("book.epd", &epd);
    let checked = convert(&[&file, "--check"]);
    assert!(checked.contains("300 positions read"), "{checked}");
}

#[test]
fn damaged_games_are_reported_and_the_others_written() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("list.txt", "f5d6c3\nf5d6a1\nf5f6\n");
    let output = run(&["convert", &file, "--to", "txt"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "f5d6c3\nf5f6\n");
    let said = stderr(&output);
    assert!(
        said.contains("list.txt, line 2, game 2, ply 3: black turns no disc"),
        "{said}"
    );
}

#[test]
fn positions_of_obf_have_scores() {
    let sandbox = Sandbox::new();
    let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X;";
    let text = format!("% one of a suite\n{board} H5:+6; G6:-2;\n");
    let file = sandbox.write("suite.obf", &text);
    let [row] = &rows(&convert(&[&file, "--to", "json"]))[..] else {
        panic!("one position");
    };
    assert_eq!(row["scores"], value!({"g6": -2.0, "h5": 6.0}));
    assert_eq!(row["operations"], value!({}));
    assert_eq!(
        convert(&[&file, "--to", "epd"]),
        format!("{board} H5:+6; G6:-2;\n")
    );
}

#[test]
fn xiangqi_has_no_such_forms() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("x.pgn", "1. h2e2 *\n");
    for form in ["ggf", "txt"] {
        let output = run(&["convert", &file, "--to", form]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains("formats of Othello"),
            "{}",
            stderr(&output)
        );
    }
    let ggf = sandbox.write("x.ggf", "(;GM[Othello]B[F5];)");
    let output = run(&["rate", &ggf]);
    assert!(
        stderr(&output).contains("no game with players"),
        "{}",
        stderr(&output)
    );
}
