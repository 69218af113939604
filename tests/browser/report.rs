//! `leitai report --html`: pages of runs and gates, opened from disk.

use serde_json::Value;

use crate::browser::chromium::Browser;
use crate::common::{Sandbox, json, project, run, stderr};

/// A name that would be markup if it were not escaped.
const HOSTILE: &str = "<img src=x onerror=alert(1)>";

struct Report {
    /// The results of the run.
    json: Value,
    url: String,
    _sandbox: Sandbox,
}

impl Report {
    /// Plays a config with these openings and two variants.
    fn of(game: &str, openings: &str) -> Self {
        let book = project(openings);
        let book = book.to_str().expect("UTF-8");
        Self::of_config(
            &format!(
                "game = {game:?}\nseed = 5\nlimits = {{ depth = 1 }}\n[openings]\nfile = {book:?}\n\
             [tournament]\npairs = 4\n[[variant]]\nname = {HOSTILE:?}\n[[variant]]\nname = \"b & c\"\n\
             limits = {{ depth = 2 }}\n"
            ),
            "run",
        )
    }

    fn of_config(config: &str, verb: &str) -> Self {
        let sandbox = Sandbox::new();
        let config = sandbox.write("<b>page.toml", config);
        let (store, page) = (sandbox.path("r.sqlite"), sandbox.path("page.html"));
        let output = run(&[verb, &config, "--store", &store, "--quiet"]);
        assert!(output.status.code() < Some(2), "{}", stderr(&output));
        let json = json(&["report", &store, "--json", &format!("--html={page}")]);
        Self {
            json,
            url: format!("file://{page}"),
            _sandbox: sandbox,
        }
    }
}

const GAMES: [(&str, &str, usize); 4] = [
    ("xiangqi", "openings/xiangqi.epd", 90),
    ("othello", "openings/othello.txt", 64),
    ("chess", "openings/chess-12000.txt", 64),
    ("shogi", "openings/shogi-10000.txt", 81),
];

const ROWS: &str = "[...document.querySelectorAll('.standings tbody tr')]\
                    .map(row => [...row.cells].map(cell => cell.innerText))";

#[test]
fn a_report_of_each_game_opens_from_disk() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    for (game, openings, squares) in GAMES {
        let report = Report::of(game, openings);
        browser.requests.clear();
        browser.open(&report.url);
        browser.wait_for("document.querySelectorAll('#viewer [role=gridcell]').length > 0");
        browser.assert_sound();
        let elsewhere = browser.requests.iter().filter(|url| **url != report.url);
        assert_eq!(
            elsewhere.collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "{game}"
        );

        // Foreign names are shown as text.
        assert_eq!(browser.value("document.images.length"), 0);
        let heading = browser.value("document.querySelector('h1').innerText");
        let heading = heading.as_str().expect("text");
        assert!(heading.starts_with("<b>page.toml: "), "{heading}");

        // The page shows the numbers of the JSON.
        let rows = browser.value(ROWS);
        let rows = rows.as_array().expect("rows");
        let variants = report.json["variants"].as_array().expect("variants");
        assert_eq!(rows.len(), variants.len());
        for (row, variant) in rows.iter().zip(variants) {
            assert_eq!(row[0], variant["name"]);
            for (column, key) in (7..).zip(["wins", "draws", "losses"]) {
                assert_eq!(row[column], variant[key].to_string(), "{key}: {row}");
            }
        }
        assert!(rows.iter().any(|row| row[0] == HOSTILE), "{rows:?}");
        let figures = browser.value("document.querySelector('.figures').innerText");
        let games = report.json["games"].to_string();
        assert!(
            figures
                .as_str()
                .expect("text")
                .lines()
                .any(|it| it == games)
        );

        // Every square has its own name.
        let told = browser.accessible();
        let mut cells: Vec<_> = told
            .iter()
            .filter(|(role, _)| role == "gridcell")
            .map(|(_, name)| name)
            .collect();
        assert_eq!(cells.len(), squares, "{game}");
        cells.sort();
        cells.dedup();
        assert_eq!(cells.len(), squares, "{game}");
        assert!(told.iter().any(|(role, _)| role == "grid"));
        if game == "chess" {
            browser.assert_readable();
        }

        // Nothing is wider than a telephone screen.
        browser.resize(360, 740);
        let wide = browser.value("document.documentElement.scrollWidth");
        assert!(wide.as_u64() <= Some(360), "{game}: {wide}");
        browser.resize(1080, 800);
    }
}

/// The position of the viewer in its address.
const HASH: &str = "location.hash";

#[test]
fn games_are_stepped_through_by_keys() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let report = Report::of("chess", "openings/chess-12000.txt");
    browser.open(&report.url);
    browser.wait_for("document.querySelectorAll('#viewer [role=gridcell]').length === 64");
    let board = "[...document.querySelectorAll('#viewer [role=gridcell]')].map(it => it.getAttribute('aria-label')).join()";
    let start = browser.value(board);
    browser.value("document.querySelector('#viewer [role=gridcell][tabindex=\"0\"]').closest('#viewer').querySelector('button').focus()");
    browser.press("ArrowRight");
    browser.wait_for("location.hash.includes('ply=1')");
    assert_ne!(browser.value(board), start);
    browser.press("ArrowLeft");
    browser.wait_for("location.hash.includes('ply=0')");
    assert_eq!(browser.value(board), start);
    browser.press("End");
    let plies = "Number(new URLSearchParams(location.hash.slice(1)).get('ply'))";
    browser.wait_for(&format!("{plies} > 1"));
    let end = (browser.value(HASH), browser.value(board));

    // The address leads to the same position.
    let url = format!("{}{}", report.url, end.0.as_str().expect("text"));
    browser.open("about:blank#");
    browser.open(&url);
    browser.wait_for("document.querySelectorAll('#viewer [role=gridcell]').length === 64");
    assert_eq!((browser.value(HASH), browser.value(board)), end);
    browser.assert_sound();
}

#[test]
fn controls_of_a_page_work() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    cells_of_the_cross_table_open_their_games(&mut browser);
    a_gate_reports_its_verdict_and_its_test(&mut browser);
    boards_change_with_the_game(&mut browser);
    a_study_has_a_page(&mut browser);
}

fn cells_of_the_cross_table_open_their_games(browser: &mut Browser) {
    let report = Report::of("othello", "openings/othello.txt");
    browser.open(&report.url);
    browser.wait_for("document.querySelector('#viewer [role=grid]')");
    browser.value("document.querySelector('.cross button').focus()");
    browser.press("Enter");
    browser.wait_for("document.querySelector('#viewer').contains(document.activeElement)");
    browser.assert_sound();
}

fn a_gate_reports_its_verdict_and_its_test(browser: &mut Browser) {
    let book = project("openings/othello.txt");
    let book = book.to_str().expect("UTF-8");
    let report = Report::of_config(
        &format!(
            "game = \"othello\"\nseed = 5\nlimits = {{ depth = 1 }}\n[openings]\nfile = {book:?}\n\
         [gate]\ncandidate = \"deep\"\nbase = \"flat\"\nelo0 = 0.0\nelo1 = 100.0\nmax_pairs = 100\n\
         [[variant]]\nname = \"deep\"\nlimits = {{ depth = 3 }}\n[[variant]]\nname = \"flat\"\n"
        ),
        "gate",
    );
    browser.open(&report.url);
    browser.assert_sound();
    let lead = browser.value("document.querySelector('.lead').innerText");
    let lead = lead.as_str().expect("text");
    let verdict = report.json["verdict"].as_str().expect("a verdict");
    assert!(lead.starts_with(verdict), "{lead}");
    assert_eq!(
        browser.value("document.querySelectorAll('svg.gauge').length"),
        1
    );
}

/// Problems of Go have boards of several sizes.
fn boards_change_with_the_game(browser: &mut Browser) {
    let problems = project("openings/go-capture/problems.json");
    let problems = problems.to_str().expect("UTF-8");
    let report = Report::of_config(
        &format!(
            "game = \"go\"\nseed = 5\nlimits = {{ nodes = 60 }}\n\
             openings = {{ file = {problems:?}, order = \"sequential\" }}\ntournament = {{ pairs = 12 }}\n\
             [[variant]]\nname = \"plus\"\nsearch = {{ solver = {{ kind = \"df-pn+\" }} }}\n\
             [[variant]]\nname = \"plain\"\nsearch = {{ solver = {{ kind = \"df-pn\", epsilon = 0 }} }}\n"
        ),
        "run",
    );
    browser.open(&report.url);
    let data = browser.value("JSON.parse(document.getElementById('games').textContent)");
    let games = data["games"].as_array().expect("games");
    for game in games.iter().step_by(2) {
        let board = &data["boards"][game["board"].as_u64().expect("a place") as usize];
        let [columns, rows] =
            ["columns", "rows"].map(|it| board[it].as_array().expect("labels").len());
        browser.value(&format!("location.hash = '#game={}&ply=1'", game["number"]));
        let cells = columns * rows;
        browser.wait_for(&format!(
            "document.querySelectorAll('#viewer [role=gridcell]').length === {cells}"
        ));
    }
    browser.assert_sound();
}

/// The pictures of the README; `LEITAI_PICTURES=write` updates them.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn pictures_of_a_report() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let book = project("openings/chess-12000.txt");
    let book = book.to_str().expect("UTF-8");
    let report = Report::of_config(
        &format!(
            "game = \"chess\"\nseed = 5\nlimits = {{ nodes = 300 }}\n[openings]\nfile = {book:?}\n\
             [tournament]\npairs = 12\n[[variant]]\nname = \"full\"\n[[variant]]\nname = \
             \"plain-search\"\nsearch = {{ preset = \"plain\" }}\n[[variant]]\nname = \"material\"\n\
             eval = {{ preset = \"plain\" }}\n"
        ),
        "run",
    );
    browser.resize(1080, 800);
    browser.open(&format!("{}#game=3&ply=31", report.url));
    browser.wait_for("document.querySelectorAll('#viewer [role=gridcell]').length === 64");
    for (name, selector, size) in [
        ("report", "h1", [1080, 760]),
        ("viewer", "#viewer", [1080, 640]),
    ] {
        let picture = browser.picture(selector, size);
        assert!(
            picture.starts_with(b"\x89PNG") && picture.len() > 10_000,
            "{name}"
        );
        if std::env::var_os("LEITAI_PICTURES").is_some_and(|it| it == "write") {
            let file = project("docs/pictures").join(format!("{name}.png"));
            std::fs::write(file, picture).expect("written");
        }
    }
    browser.assert_sound();
}

fn a_study_has_a_page(browser: &mut Browser) {
    let sandbox = Sandbox::new();
    let suite = project("openings/xiangqi-midgame20.epd");
    let suite = suite.to_str().expect("UTF-8");
    let config = sandbox.write(
        "study.toml",
        &format!(
            "game = \"xiangqi\"\n[study]\nsuite = {suite:?}\ndepth = 2\nresamples = 200\n[[variant]]\nname = \
             {HOSTILE:?}\nsearch = {{ ordering = [], table_mb = 0 }}\n[[variant]]\nname = \"b\"\nsearch = {{ \
             table_mb = 0 }}\n"
        ),
    );
    let page = sandbox.path("study.html");
    let told = json(&[
        "study",
        &config,
        "--no-resume",
        "--no-times",
        "--json",
        &format!("--html={page}"),
    ]);
    browser.open(&format!("file://{page}"));
    browser.assert_sound();
    let text = browser.value("document.querySelector('main').innerText");
    let text = text.as_str().expect("text");
    assert!(text.contains(HOSTILE), "{text}");
    let positions = told["positions"].to_string();
    assert!(text.contains(&positions), "{positions}: {text}");
    // All plots are images, and all are loaded.
    let loaded =
        "[...document.images].every(it => it.naturalWidth > 0) && document.images.length > 0";
    assert_eq!(browser.value(loaded), true);
    browser.assert_readable();
}
