//! All pages at the widths of a phone, a tablet and a desk, in both schemes: nothing is wider than
//! the page, axe-core finds no fault, and the picture is the known one.
//!
//! `UPDATE_PAGES=1` accepts new pictures. They are small: the brightness of cells, as hexadecimal
//! digits.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::browser::chromium::Browser;
use crate::browser::serve::Server;
use crate::common::{Sandbox, json as json_of, leitai, project, run, stderr, stdout};

const SIZES: [[u32; 2]; 3] = [[390, 844], [768, 1024], [1280, 800]];
const SCHEMES: [&str; 2] = ["light", "dark"];

/// Cells of a picture.
const CELLS: [u32; 2] = [16, 20];
/// The steps of brightness by which a cell may differ with the fonts of a system.
const STEPS: u32 = 2;
/// The most cells that may differ by more.
const MAX: usize = 24;

fn file(page: &str) -> PathBuf {
    project("tests/data/pages").join(format!("{page}.txt"))
}

/// Known pictures of a page, by width and scheme.
fn known_pictures(page: &str) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(file(page)).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once(": "));
    lines
        .map(|(name, cells)| (name.to_owned(), cells.to_owned()))
        .collect()
}

/// The number of cells that differ between two pictures.
fn difference(one: &str, other: &str) -> usize {
    let digits =
        |text: &str| -> Vec<u32> { text.chars().filter_map(|it| it.to_digit(16)).collect() };
    let (one, other) = (digits(one), digits(other));
    assert_eq!(one.len(), other.len());
    let both = one.iter().zip(&other);
    both.filter(|(a, b)| a.abs_diff(**b) > STEPS).count()
}

/// Checks the page that is open; `ready` is true once it is complete.
fn check(browser: &mut Browser, name: &str, ready: &str) {
    let known = known_pictures(name);
    let mut taken = BTreeMap::new();
    for [width, height] in SIZES {
        browser.resize(width, height);
        browser.wait_for(ready);
        let wide = browser.value("document.documentElement.scrollWidth");
        assert!(
            wide.as_u64() <= Some(width.into()),
            "{name}: {wide} at {width}"
        );
        browser.assert_readable();
        for scheme in SCHEMES {
            browser.set_scheme(scheme);
            browser.value("scrollTo(0, 0)");
            taken.insert(format!("{width} {scheme}"), browser.cells(CELLS));
        }
        browser.set_scheme("");
    }
    browser.assert_sound();
    if std::env::var_os("UPDATE_PAGES").is_some() {
        let lines = taken.iter().map(|(at, cells)| format!("{at}: {cells}\n"));
        std::fs::write(file(name), lines.collect::<String>()).expect("written");
        return;
    }
    for (at, cells) in taken {
        let before = known.get(&at).map_or("", String::as_str);
        let differ = difference(before, &cells);
        assert!(
            differ <= MAX,
            "{name} {at}: {differ} cells differ\n{before}\n{cells}"
        );
    }
}

/// Another font makes no other picture, a moved board does.
fn check_sensitivity(browser: &mut Browser) {
    browser.resize(390, 844);
    let before = browser.cells(CELLS);
    browser.value("document.body.style.fontFamily = 'serif'");
    let with_font = difference(&before, &browser.cells(CELLS));
    browser.value("document.querySelector('h1').style.marginTop = '45px'");
    let moved = difference(&before, &browser.cells(CELLS));
    assert!(with_font <= MAX && moved > MAX, "{with_font}, {moved}");
}

/// A tournament of chess with two variants, one with a long name.
fn tournament(more: &str) -> String {
    let book = project("openings/chess-12000.txt");
    let book = book.to_str().expect("UTF-8");
    format!(
        "game = \"chess\"\nseed = 5\nlimits = {{ depth = 1 }}\nopenings = {{ file = {book:?} }}\n\
         [tournament]\npairs = 6\n[[variant]]\nname = \"the-candidate-2026-11\"\n\
         [[variant]]\nname = \"base\"\neval = {{ preset = \"plain\" }}\n{more}"
    )
}

/// Gates of Othello: the first is accepted. A program that ends at its first search fails.
fn gate(sandbox: &Sandbox, name: &str, candidate: &str) -> String {
    let book = project("openings/chess-12000.txt");
    let book = book.to_str().expect("UTF-8");
    let text = format!(
        "game = \"chess\"\nseed = 5\nlimits = {{ nodes = 300 }}\nopenings = {{ file = {book:?} }}\n\
         [gate]\ncandidate = \"new\"\nbase = \"base\"\nelo1 = 60\nmax_pairs = 100\n\
         [[variant]]\nname = \"new\"\n{candidate}\n[[variant]]\nname = \"base\"\neval = {{ preset = \"plain\" }}\n"
    );
    sandbox.write(&format!("{name}.toml"), &text)
}

const CRASHES: &str = "protocol = \"uci\"\ncommand = [\"sh\", \"-c\", \"while read word rest; do case $word in \
    uci) echo uciok;; isready) echo readyok;; go) exit 1;; esac; done\"]";

/// A record with an accepted gate, a failed one and a tournament begun with overrides.
fn record(sandbox: &Sandbox) -> String {
    let store = sandbox.path("all.sqlite");
    for (name, candidate, code) in [("up", "", 0), ("crash", CRASHES, 4)] {
        let config = gate(sandbox, name, candidate);
        let played = run(&["gate", &config, "--store", &store, "-q"]);
        assert_eq!(played.status.code(), Some(code), "{}", stderr(&played));
    }
    let config = sandbox.write("leitai.toml", &tournament(""));
    let set = ["--set", "limits={nodes=40}", "--set", "seed=9"];
    let played = run(&[&["run", &config, "--store", &store, "-q"][..], &set].concat());
    assert!(played.status.success(), "{}", stderr(&played));
    store
}

#[test]
fn the_list_of_runs_shows_verdicts_and_names() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let browser = &mut browser;
    let sandbox = Sandbox::new();
    let store = record(&sandbox);
    let server = Server::start(&["serve", &store]);
    browser.open(&server.url);
    browser.wait_for("document.querySelectorAll('.runs .verdict').length === 3 && document.querySelectorAll('.spark').length === 2");
    check(browser, "list", "true");
    let rows = "[...document.querySelectorAll('.runs tbody tr')].map(row => [row.querySelector('a').textContent, row.querySelector('.verdict').textContent, row.cells[2].textContent])";
    let rows = browser.value(rows);
    // As on the terminal, the last begun run first.
    let listed = stdout(&run(&["report", &store, "--list"]));
    for (row, word) in listed.lines().rev().zip(["finished", "failed", "accepted"]) {
        assert!(row.contains(word), "{listed}");
    }
    let names = [
        "leitai.toml: the-candidate-2026-11, base",
        "crash.toml: new, base",
        "up.toml: new, base",
    ];
    for (place, (name, word)) in names
        .into_iter()
        .zip(["finished", "failed", "accepted"])
        .enumerate()
    {
        assert_eq!(rows[place][0], name);
        assert_eq!(rows[place][1], word);
    }
    let elo = rows[2][2].as_str().expect("text");
    assert!(elo.starts_with('+') && elo.contains("at least"), "{elo}");
    // Dashboards get the same rows as from the command.
    let (status, _, served) = server.get("/verdicts.json", "");
    assert_eq!(status, 200);
    let served: Value = serde_json::from_str(&served).expect("JSON");
    let listed = json_of(&["report", &store, "--list", "--json"]);
    let listed = listed.as_array().expect("runs");
    for (run, row) in listed
        .iter()
        .rev()
        .zip(served["runs"].as_array().expect("runs"))
    {
        for (key, value) in run.as_object().expect("a run") {
            assert_eq!(row[key], *value, "{key}");
        }
        assert_eq!(row["pending"], false);
    }
    // Addresses are made of identities, so they do not depend on the other records.
    for run in listed {
        let id = run["run"].as_str().expect("an id");
        assert_eq!(server.get(&format!("/run/{id}"), "").0, 200);
        assert_eq!(server.get(&format!("/run/{}", &id[..12]), "").0, 200);
    }
    browser.value("document.querySelector('.runs a').click()");
    browser.wait_for("document.querySelectorAll('#viewer [role=gridcell]').length === 64");
    for place in ["document.title", "document.querySelector('h1').textContent"] {
        let title = browser.value(place);
        let title = title.as_str().expect("text");
        assert!(title.starts_with(names[0]), "{title}");
    }
    browser.value("location.href = '/runs'");
    browser.wait_for("document.querySelectorAll('.runs a').length === 3");
    browser.value("document.querySelectorAll('.runs a')[1].click()");
    browser.wait_for("document.querySelector('.status')?.innerText.startsWith('failed · ')");
    let gate = listed[0]["run"].as_str().expect("an id");
    browser.value(&format!("location.href = '/run/{gate}'"));
    let ready = "document.querySelector('.status')?.innerText.startsWith('accepted · ') && document.querySelectorAll('#viewer [role=gridcell]').length === 64";
    browser.wait_for(ready);
    check(browser, "gate", ready);
}

#[test]
fn tables_are_readable_on_a_phone() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let browser = &mut browser;
    let sandbox = Sandbox::new();
    let third =
        "[[variant]]\nname = \"third\"\nlimits = { depth = 2 }\n[[variant]]\nname = \"fourth\"\n";
    let config = sandbox.write("leitai.toml", &tournament(third));
    let (store, page) = (sandbox.path("r.sqlite"), sandbox.path("page.html"));
    let played = run(&["run", &config, "--store", &store, "-q"]);
    assert!(played.status.success(), "{}", stderr(&played));
    run(&["report", &store, &format!("--html={page}")]);
    browser.open(&format!("file://{page}"));
    let ready = "document.querySelectorAll('#viewer [role=gridcell]').length === 64";
    check(browser, "report", ready);
    browser.resize(390, 844);
    for table in [".cross", ".standings"] {
        let names = format!("[...document.querySelectorAll('{table} tbody th')]");
        // A name takes one line, and stays in place while its table scrolls.
        let tall = browser.value(&format!("Math.max(...{names}.map(it => it.offsetHeight))"));
        assert!(tall.as_f64() < Some(50.0), "{table}: {tall}");
        browser.value(&format!(
            "document.querySelector('{table}').parentElement.scrollLeft = 999"
        ));
        let left = browser.value(&format!(
            "{names}[0].getBoundingClientRect().left - document.querySelector('{table}').parentElement.getBoundingClientRect().left"
        ));
        assert_eq!(left, 0, "{table}");
        let hint = format!(
            "getComputedStyle(document.querySelector('{table}').parentElement).backgroundImage.split('gradient').length"
        );
        assert_eq!(browser.value(&hint), 5, "{table}: a shade at both edges");
    }
}

/// The first screen of a phone has the whole board, below the turn.
#[test]
fn the_board_comes_first_in_every_game() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let browser = &mut browser;
    for game in ["chess", "xiangqi", "othello", "go"] {
        let sandbox = Sandbox::new();
        let config = sandbox.write(
            &format!("{game}.toml"),
            &format!(
                "game = {game:?}\nlimits = {{ nodes = 200 }}\n[tournament]\npairs = 1\n\
                 [[variant]]\nname = \"full\"\n[[variant]]\nname = \"other\"\n"
            ),
        );
        let server = Server::start(&["play", &config]);
        browser.resize(390, 844);
        browser.open(&server.url);
        browser.wait_for("document.querySelectorAll('[role=gridcell]').length > 0");
        let place = browser.value("(({ top, bottom }) => [top, bottom])(document.querySelector('.gb').getBoundingClientRect())");
        let [top, bottom] = [0, 1].map(|it| place[it].as_f64().expect("a number"));
        assert!(top < 140.0 && bottom < 600.0, "{game}: {place}");
        let turn = browser.value("document.querySelector('.play-message').innerText");
        assert!(
            turn.as_str()
                .is_some_and(|it| it.starts_with("Your turn: ")),
            "{game}: {turn}"
        );
        let heights = browser.value("[...new Set([...document.querySelectorAll('.play-bar button, .play-bar input')].map(it => it.offsetHeight))].length");
        assert_eq!(heights, 1, "{game}: controls of one height");
        let title = browser.value("document.querySelector('.gv-record').innerText");
        let title = title.as_str().expect("text");
        assert!(
            title
                .lines()
                .next()
                .is_some_and(|it| it.contains("You") && it.contains("full"))
                && !title.contains("Pair")
                && !title.contains('*'),
            "{title}"
        );
        check(
            browser,
            &format!("play-{game}"),
            "document.querySelectorAll('[role=gridcell]').length > 0",
        );
        if game == "chess" {
            check_sensitivity(browser);
        }
        browser.send_command("Page.navigate", &json!({ "url": "about:blank" }));
        browser.wait_for("location.href === 'about:blank'");
    }
}

/// Presses, moves and releases the mouse between the middles of two cells.
fn drag(browser: &mut Browser, from: usize, to: usize) {
    let middle = |browser: &mut Browser, cell: usize| {
        let place = format!(
            "(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])(document.querySelectorAll('[role=gridcell]')[{cell}].getBoundingClientRect())"
        );
        let place = browser.value(&place);
        [0, 1].map(|it| place[it].as_f64().expect("a number"))
    };
    let [one, other] = [from, to].map(|cell| middle(browser, cell));
    for (kind, [x, y]) in [
        ("mousePressed", one),
        ("mouseMoved", other),
        ("mouseReleased", other),
    ] {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        browser.send_command("Input.dispatchMouseEvent", &event);
        if kind == "mousePressed" {
            browser.wait_for("document.querySelectorAll('.gb-target').length > 0");
        }
    }
}

#[test]
fn pieces_are_dragged_and_promoted_and_positions_copied() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let browser = &mut browser;
    let sandbox = Sandbox::new();
    let config = sandbox.write("play.toml", &tournament(""));
    let server = Server::start(&["play", &config]);
    browser.resize(390, 844);
    browser.open(&server.url);
    browser.wait_for("document.querySelectorAll('[role=gridcell]').length === 64");
    // e2 to e4.
    drag(browser, 52, 36);
    browser.wait_for("document.querySelectorAll('.gv-moves [data-ply]').length === 3");
    let press = |browser: &mut Browser, text: &str| {
        browser.value(&format!("[...document.querySelectorAll('button')].find(it => it.textContent === {text:?}).click()"));
    };
    let copied = "document.querySelector('.gv-copy:not([hidden])')?.value";
    press(browser, "Copy FEN");
    browser.wait_for(copied);
    let fen = browser.value(copied);
    assert!(
        fen.as_str()
            .is_some_and(|it| it.ends_with(" w KQkq - 0 2") || it.contains(" w ")),
        "{fen}"
    );
    browser.value("document.querySelector('.gv-copy').hidden = true");
    press(browser, "Copy PGN");
    browser.wait_for(copied);
    let pgn = browser.value(copied);
    assert!(
        pgn.as_str()
            .is_some_and(|it| it.contains("[White \"You\"]") && it.contains("1. e4 ")),
        "{pgn}"
    );
    // A promotion is chosen below the board.
    press(browser, "New game …");
    browser.value("document.querySelector('[name=fen]').value = '8/P6k/8/8/8/8/8/K7 w - - 0 1'");
    press(browser, "New game");
    browser.wait_for("document.querySelectorAll('.gv-moves [data-ply]').length === 1 && document.querySelector('.play-message').innerText.startsWith('Your turn')");
    drag(browser, 8, 0);
    browser.wait_for("document.querySelectorAll('.play-choices button').length === 4");
    browser.wait_for("document.activeElement.closest('.play-choices')");
    let seen =
        browser.value("document.querySelector('.play-choices').getBoundingClientRect().bottom");
    assert!(seen.as_f64() < Some(844.0), "{seen}");
    browser.press("Enter");
    browser.wait_for("document.querySelectorAll('.gv-moves [data-ply]').length === 3");
    browser.assert_sound();
}

/// A game in progress as a broadcast: clocks that run, evaluations, lines, moves of the book, and
/// the next games.
#[test]
fn games_in_progress_are_broadcast() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let browser = &mut browser;
    let sandbox = Sandbox::new();
    let text = tournament("").replace("depth = 1", "clock = \"60s+0.1s\"");
    let config = sandbox.write("live.toml", &text.replace("pairs = 6", "pairs = 40"));
    let store = sandbox.path("live.sqlite");
    let mut playing = leitai()
        .args([
            "run",
            &config,
            "--store",
            &store,
            "-q",
            "--threads",
            "1",
            "--serve",
            "--control",
        ])
        .env_remove("CI")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut lines = BufReader::new(playing.stderr.take().expect("piped")).lines();
    let url = lines.by_ref().map_while(Result::ok);
    let url = { url }.find_map(|line| Some(line.strip_prefix("pages: ")?.to_owned()));
    browser.resize(1280, 800);
    browser.open(&url.expect("an address"));
    browser.wait_for("document.querySelector('.status, .runs tbody tr a')");
    if browser.value("Boolean(document.querySelector('.runs'))") == true {
        browser.value("document.querySelector('.runs a').click()");
        browser.wait_for("document.querySelector('.status')");
    }
    // Both players have moved after the book.
    browser.wait_for("document.querySelectorAll('.live-line').length === 2 && [...document.querySelectorAll('.live-line')].every(it => it.textContent)");
    let book = "document.querySelectorAll('.live .gv-book').length";
    assert_eq!(browser.value(book), 8, "moves of the opening");
    let clocks = "[...document.querySelectorAll('.live-clock')].map(it => it.textContent).join()";
    let before = browser.value(clocks);
    browser.wait_for(&format!("{clocks} !== {before}"));
    let size = "parseFloat(getComputedStyle(document.querySelector('.live-clock')).fontSize)";
    assert!(browser.value(size).as_f64() >= Some(28.0));
    let facts =
        browser.value("[...document.querySelectorAll('.live-engine dl')].map(it => it.innerText)");
    for side in [0, 1] {
        let facts = facts[side].as_str().expect("text");
        for name in ["Eval", "Depth", "Nodes", "Speed", "/s"] {
            assert!(facts.contains(name), "{name}: {facts}");
        }
    }
    let named = browser.accessible();
    let bars = named
        .iter()
        .filter(|(role, name)| role == "image" && name.starts_with("Evaluation by "));
    assert_eq!(bars.count(), 2);
    browser.wait_for("document.querySelectorAll('.live-next li').length === 4");
    for [width, height] in SIZES {
        browser.resize(width, height);
        let wide = browser.value("document.documentElement.scrollWidth");
        assert!(wide.as_u64() <= Some(width.into()), "{wide} at {width}");
        browser.assert_readable();
    }
    browser.resize(390, 844);
    let column = "['.live .gv-main', '.live .gv-record', '.live-next'].map(it => Math.round(document.querySelector(it).getBoundingClientRect().left))";
    let column = browser.value(column);
    assert!(
        column
            .as_array()
            .expect("places")
            .iter()
            .all(|it| *it == column[0]),
        "{column}"
    );
    let moving = browser.value("document.getAnimations().length");
    assert_eq!(moving, 0, "reduced motion needs no other page");
    browser.assert_sound();
    playing.kill().expect("killed");
    playing.wait().expect("ended");
}
