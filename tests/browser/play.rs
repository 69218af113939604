//! `leitai play`: a whole game by keyboard alone, in each game.

use serde_json::Value;

use crate::browser::chromium::Browser;
use crate::browser::serve::Server;
use crate::common::{Sandbox, json, project, run, stderr, stdout};

const GAMES: [(&str, &str); 5] = [
    ("xiangqi", "openings/xiangqi.epd"),
    ("chess", "openings/chess-12000.txt"),
    ("othello", "openings/othello.txt"),
    ("go", "openings/go-capture/problems.json"),
    ("shogi", "openings/shogi-10000.txt"),
];

fn config(sandbox: &Sandbox, game: &str, openings: &str) -> String {
    let book = project(openings);
    let book = book.to_str().expect("UTF-8");
    let text = format!(
        "game = {game:?}\nlimits = {{ nodes = 500 }}\nopenings = {{ file = {book:?} }}\n\
         [tournament]\npairs = 1\n[[variant]]\nname = \"<b>one</b>\"\n[[variant]]\nname = \"two\"\n"
    );
    sandbox.write(&format!("{game}.toml"), &text)
}

#[test]
fn a_game_has_two_sides() {
    let sandbox = Sandbox::new();
    let config = config(&sandbox, "othello", "openings/othello.txt");
    let server = Server::start(&["play", &config]);
    let begin = |side: &str| {
        let order = format!(r#"{{"order":"new","variant":0,"side":{side}}}"#);
        let (status, _, answer) = server.post("/play/order", &order);
        (status, answer)
    };
    let refused = (422, "there is no such side".to_owned());
    assert_eq!([begin("2"), begin("77")], [refused.clone(), refused]);
    for side in ["0", "1", "null"] {
        assert_eq!(begin(side).0, 200, "{side}");
    }
}

/// The last state sent to the page.
fn told(browser: &mut Browser) -> Value {
    browser.value("fetch('/play/state').then(it => it.json())")
}

/// Moves the focus to a cell with the arrow keys, and picks it.
fn pick(browser: &mut Browser, columns: i64, cell: i64) {
    let focused =
        "[...document.querySelectorAll('[role=gridcell]')].indexOf(document.activeElement)";
    let at = browser.value(focused).as_i64().expect("a place");
    assert!(at >= 0, "the focus is on no cell");
    let (across, down) = (cell % columns - at % columns, cell / columns - at / columns);
    for (steps, keys) in [
        (across, ["ArrowLeft", "ArrowRight"]),
        (down, ["ArrowUp", "ArrowDown"]),
    ] {
        for _ in 0..steps.abs() {
            browser.press(keys[usize::from(steps > 0)]);
        }
    }
    browser.press("Enter");
}

/// A move that needs few arrow steps, but not always the fewest: otherwise a piece would move to
/// and fro.
fn near(legal: &[Value], focus: i64, columns: i64, number: usize) -> &Value {
    let steps = |it: &&Value| {
        let cells = it["cells"].as_array().into_iter().flatten();
        let cells = cells.filter_map(Value::as_i64);
        let far = |from: i64, to: i64| {
            (from % columns - to % columns).abs() + (from / columns - to / columns).abs()
        };
        let sum = |(sum, from), to| (sum + far(from, to), to);
        cells.fold((0, focus), sum).0
    };
    let mut near: Vec<&Value> = legal.iter().collect();
    near.sort_by_key(steps);
    near[number % 4 % near.len()]
}

/// The game is in the record, and statistics ignore it.
fn is_kept_apart(store: &str) {
    let kept = run(&["report", store, "--human", "-"]);
    assert!(kept.status.success(), "{}", stderr(&kept));
    let kept = stdout(&kept);
    assert!(
        kept.contains("\"<b>one</b>\"") && kept.contains("\"person\""),
        "{kept}"
    );
    // Statistics ignore it.
    assert_eq!(
        json(&["report", store, "--list", "--json"]),
        serde_json::json!([])
    );
}

/// The most moves of a person; the game need not have ended then.
const MAX: usize = 200;

/// Plays a game to its end, or to the most moves.
fn play_by_keyboard((game, openings): (&str, &str)) {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let browser = &mut browser;
    let sandbox = Sandbox::new();
    let config = config(&sandbox, game, openings);
    let store = sandbox.path("kept.sqlite");
    let server = Server::start(&["play", &config, "--store", &store]);
    browser.requests.clear();
    browser.open(&server.url);
    browser.wait_for("document.querySelectorAll('[role=gridcell]').length > 0");
    if game == "go" {
        // A problem has stones on the board; the usual start is an empty board.
        browser.value("document.querySelector('[name=opening]').value = '0'");
        browser.value("[...document.querySelectorAll('button')].find(it => it.textContent === 'New game').click()");
        browser.wait_for(
            "document.querySelector('.gv-record').innerText.includes(document.querySelector('[name=opening] [value=\"0\"]').textContent)",
        );
    }
    if game == "othello" {
        browser.assert_readable();
    }
    browser.resize(360, 740);
    let wide = browser.value("document.documentElement.scrollWidth");
    assert!(wide.as_u64() <= Some(360), "{game}: {wide}");
    browser.value("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()");
    let (mut made, mut focus) = (0, 0);
    let mut state = told(browser);
    while made < MAX {
        let shown = &state["games"][0];
        if shown["result"] != "*" {
            break;
        }
        let legal = state["legal"].as_array().expect("moves");
        if legal.is_empty() {
            state = told(browser);
            continue;
        }
        let board = &state["boards"][shown["board"].as_u64().expect("a place") as usize];
        let columns = board["columns"].as_array().expect("columns").len() as i64;
        let plies = shown["moves"][0].as_array().expect("moves").len();
        let choice = near(legal, focus, columns, made);
        let cells = choice["cells"].as_array().expect("cells");
        let shown_plies = format!(
            "document.querySelectorAll('.gv-moves [data-ply]').length > {}",
            plies + 1
        );
        if cells.is_empty() {
            browser.wait_for("document.querySelector('.play-choices button')");
            browser.value("document.querySelector('.play-choices button').focus()");
            browser.press("Enter");
            browser.wait_for(&shown_plies);
            browser.value("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()");
        } else {
            for cell in cells {
                focus = cell.as_i64().expect("a cell");
                pick(browser, columns, cell.as_i64().expect("a cell"));
            }
            let same = legal
                .iter()
                .filter(|it| it["cells"] == choice["cells"])
                .count();
            if same > 1 {
                browser.wait_for(
                    "document.querySelector('.play-choices button') === document.activeElement",
                );
                browser.press("Enter");
                browser.wait_for(&shown_plies);
                browser.value("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()");
            }
            browser.wait_for(&shown_plies);
        }
        made += 1;
        loop {
            state = told(browser);
            if state["thinking"].is_null() {
                let version = &state["version"];
                browser.wait_for(&format!(
                    "Number(document.getElementById('play').dataset.version) >= {version}"
                ));
                break;
            }
        }
        assert_eq!(state["message"], "", "{game}");
    }
    // One or two moves may decide a problem of Go.
    assert!(
        made > if game == "go" { 0 } else { 3 },
        "{game}: {made} moves"
    );
    assert!(made == MAX || state["games"][0]["result"] != "*", "{game}");
    // The other player's name is shown as text, and the game is saved.
    assert_eq!(
        browser.value("document.querySelectorAll('.viewer b b').length"),
        0
    );
    let hands = browser.value("document.querySelectorAll('.gv-hand').length");
    assert_eq!(hands != 0, game == "shogi", "{game}: {hands}");
    browser.value("[...document.querySelectorAll('button')].find(it => it.textContent === 'Keep the game').click()");
    browser.wait_for("document.querySelector('.play-message').innerText.includes('kept in')");
    browser.assert_sound();
    is_kept_apart(&store);
}

#[test]
fn xiangqi_is_played_by_keyboard() {
    play_by_keyboard(GAMES[0]);
}

#[test]
fn chess_is_played_by_keyboard() {
    play_by_keyboard(GAMES[1]);
}

#[test]
fn othello_is_played_by_keyboard() {
    play_by_keyboard(GAMES[2]);
}

#[test]
fn go_is_played_by_keyboard() {
    play_by_keyboard(GAMES[3]);
}

#[test]
fn shogi_is_played_by_keyboard() {
    play_by_keyboard(GAMES[4]);
}

#[test]
fn hints_and_lines_are_shown_and_moves_taken_back() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let sandbox = Sandbox::new();
    let config = config(&sandbox, "chess", "openings/chess-12000.txt");
    let server = Server::start(&["play", &config]);
    browser.open(&server.url);
    browser.wait_for("document.querySelectorAll('[role=gridcell]').length === 64");
    let press = |browser: &mut Browser, text: &str| {
        browser.value(&format!("[...document.querySelectorAll('button')].find(it => it.textContent === {text:?}).click()"));
    };
    press(&mut browser, "Hint");
    browser.wait_for("document.querySelectorAll('.play-lines li').length === 1");
    browser.wait_for("document.querySelectorAll('.gb-arrow').length === 1");
    press(&mut browser, "Analyse");
    browser.wait_for("document.querySelectorAll('.play-lines li').length === 3");
    press(&mut browser, "Stop");
    // A typed move and its answer are taken back.
    browser.value("document.querySelector('[name=move]').focus()");
    for letter in ["e", "4", "Enter"] {
        browser.press(letter);
    }
    browser.wait_for("document.querySelectorAll('.gv-moves [data-ply]').length === 3");
    press(&mut browser, "Take back");
    browser.wait_for("document.querySelectorAll('.gv-moves [data-ply]').length === 1");
    browser.assert_sound();
}

#[test]
fn a_game_is_played_in_text() {
    use std::io::Write as _;
    use std::process::Stdio;

    let sandbox = Sandbox::new();
    let config = config(&sandbox, "othello", "openings/othello.txt");
    let store = sandbox.path("text.sqlite");
    let mut child = crate::common::leitai()
        .args(["play", &config, "--terminal", "--store", &store])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let words = "moves\nhint\nz9\nd3\nback\nd3\nkeep\nfen\nquit\n";
    let mut input = child.stdin.take().expect("piped");
    input.write_all(words.as_bytes()).expect("it reads");
    drop(input);
    let said = child.wait_with_output().expect("it ends");
    assert!(said.status.success());
    let said = stdout(&said);
    for part in [
        "d3 c4 f5 e6",
        "`help` lists the commands",
        "kept in",
        "depth",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let kept = stdout(&run(&["report", &store, "--human", "-"]));
    assert!(kept.contains("1. d3 "), "{kept}");
}
