//! Foreign text in output.

use crate::common::{Sandbox, json, leitai, run, stderr, stdout};

/// A character that controls a terminal or reverses text; except line ends and tabs.
fn is_raw(letter: char) -> bool {
    let is_kept = matches!(letter, '\n' | '\t');
    letter.is_control() && !is_kept
        || matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A name that clears the screen, rings the bell and reverses text.
const EVIL: &str = "A\u{1b}[31mX\u{7}\u{8}\u{9b}2J\u{9d}0;t\u{202e}Y\u{2066}\u{200e}";

/// A folder with such a name in files of every kind.
fn evil_files() -> Sandbox {
    let sandbox = Sandbox::new();
    let write = |name: &str, text: String| sandbox.write(name, &text);
    write(
        "names.csv",
        format!("first,second,wins,draws,losses\n{EVIL},B,3,2,1\n"),
    );
    write(
        "counts.csv",
        format!("first,second,wins,draws,losses\nA,B,{EVIL},2,1\n"),
    );
    // With many control characters a file is no text.
    let padding = "x".repeat(600);
    write("bad.epd", format!("{EVIL} w\n# {padding}\n"));
    write(
        "bad.pgn",
        format!("[White \"{EVIL}\"]\n\n1. {EVIL} {{{padding}}} *\n"),
    );
    write(
        "bad.proof",
        format!("leitai proof 1\nid {EVIL}\nclaim {EVIL}\n"),
    );
    let proof = "claim captured\nmaster defender\ntarget C3\nto-move white\nboard 5\n.....\n\
                 ..O..\n.OXO.\n.....\n.....\nnodes 1\n0 C2\nend\n";
    write("one.proof", format!("leitai proof 1\nid {EVIL}\n{proof}"));
    let rows = r#""rows": [".....", ".....", "X....", "OX...", "....."], "to_move": "B""#;
    let evil = serde_json::to_string(EVIL).expect("JSON");
    write(
        "target.json",
        format!(r#"[{{"id": {evil}, {rows}, "target": {evil}}}]"#),
    );
    write("bad.sgf", format!("(;SZ[{EVIL}]PL[B])"));
    write(
        "bad.toml",
        format!("game = \"{EVIL}\"\n\"{EVIL}\" = 1\n# {EVIL}\n"),
    );
    let escaped = "A\\u001B[31m\\u009B2J\\u202EY";
    let missing = format!("game = \"xiangqi\"\n[openings]\nfile = \"{escaped}\"\n");
    write("missing.toml", missing + "[tournament]\npairs = 1\n");
    write(&format!("{EVIL}.toml"), "game = 1\n".to_owned());
    let player = format!(
        "while read -r l; do case $l in uci) printf 'id name {EVIL}\\nuciok\\n';; \
         isready) echo readyok;; go*) printf '{EVIL}\\n' >&2; printf 'bestmove {EVIL}\\n';; \
         quit) exit;; esac; done\n"
    );
    // A line with C0 characters is not valid text; the remaining characters control some terminals,
    // too.
    let player: String = player
        .chars()
        .filter(|it| *it == '\n' || !it.is_ascii_control())
        .collect();
    write("player.sh", player);
    let program = "game = \"xiangqi\"\nlimits = { nodes = 100 }\ntournament = { pairs = 1 }\n\
                   [[variant]]\nname = \"a\"\nprotocol = \"uci\"\ncommand = [\"sh\", \"player.sh\"]\n\
                   [[variant]]\nname = \"b\"\n";
    write("player.toml", program.to_owned());
    sandbox
}

/// Text from files, arguments, paths and engines is shown, and controls nothing.
#[cfg(unix)]
#[test]
fn foreign_words_command_no_terminal() {
    let sandbox = evil_files();
    let evil_file = format!("{EVIL}.toml");
    for (arguments, shown) in [
        (&["rate", "--csv", "names.csv"][..], "A\\u{1b}[31mX\\u{7}"),
        (
            &["rate", "--csv", "names.csv", "--markdown"],
            "u{1b}\\[31mX",
        ),
        (&["rate", "--csv", "counts.csv"], "A\\u{1b}[31mX"),
        (&["rate", "bad.pgn"], "bad.pgn"),
        (
            &[
                "rate",
                "--csv",
                "names.csv",
                "--anchor",
                &format!("{EVIL}=3"),
            ],
            "\\u{202e}",
        ),
        (&["rate", "--csv", "names.csv", "--json"], "\\u202e"),
        (&["convert", "bad.pgn"], "`A`"),
        (&["convert", "bad.pgn", "--to", "json"], ""),
        (&["check-proof", "one.proof"], "A\\u{1b}[31mX"),
        (&["check-proof", "bad.proof"], "A\\u{1b}[31mX"),
        (
            &["solve", "go", "--problem", "target.json"],
            "A\\u{1b}[31mX",
        ),
        (&["solve", "go", "--problem", "bad.sgf"], "A\\u{1b}[31mX"),
        (&["solve", "othello", "--file", "bad.epd"], "A\\u{1b}[31mX"),
        (
            &["openings", "check", "xiangqi", "bad.epd"],
            "A\\u{1b}[31mX",
        ),
        (
            &["openings", "check", "othello", "bad.epd"],
            "A\\u{1b}[31mX",
        ),
        (&["openings", "check", "go", "bad.epd"], "bad.epd"),
        (&["check", "bad.toml"], "\\u{9b}"),
        (&["check", "missing.toml"], "tried `A\\u{1b}[31m"),
        (&["check", &evil_file], "A\\u{1b}[31mX"),
        (&["check", EVIL], "A\\u{1b}[31mX"),
        (
            &["check", "missing.toml", "--set", &format!("{EVIL}=1")],
            "\\u{202e}",
        ),
        (&["report", EVIL], "A\\u{1b}[31mX"),
        (&["report", EVIL, "--list"], "A\\u{1b}[31mX"),
        (
            &["judge", "xiangqi", "--fen", EVIL, "--moves", "h2e2"],
            "\\u{202e}",
        ),
        (&["perft", "xiangqi", "--fen", EVIL, "-d", "1"], "\\u{202e}"),
        (&["perft", EVIL], "\\u{202e}"),
        (&[EVIL], "\\u{202e}"),
        (&["doctor", "player.toml", "--quick"], "\\u{202e}"),
        (&["run", "player.toml", "--store", "run.sqlite"], ""),
        (&["report", "run.sqlite"], ""),
    ] {
        let mut command = leitai();
        let output = command
            .current_dir(sandbox.path(""))
            .args(arguments)
            .output()
            .unwrap();
        let text = stdout(&output) + &stderr(&output);
        let raw: Vec<char> = text.chars().filter(|letter| is_raw(*letter)).collect();
        assert!(raw.is_empty(), "{arguments:?}: {raw:?} in {text:?}");
        assert!(text.contains(shown), "{arguments:?}: {text}");
    }
    // In JSON the text is unchanged.
    let list = json(&["rate", "--csv", &sandbox.path("names.csv"), "--json"]);
    assert_eq!(list["ratings"][0]["name"], EVIL);
}

/// JSON escapes characters that mislead, and no others.
#[test]
fn json_is_readable() {
    let sandbox = Sandbox::new();
    let name = "炮 é\u{7f}\u{e0041}\u{9b}2J";
    let csv = sandbox.write(
        "a.csv",
        &format!("first,second,wins,draws,losses\n{name},B,3,2,1\n"),
    );
    let text = stdout(&run(&["rate", "--csv", &csv, "--json"]));
    assert!(
        text.contains("\"炮 é\\u007f\\udb40\\udc41\\u009b2J\""),
        "{text}"
    );
    let list: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(list["ratings"][0]["name"], name);
}

/// A number within rounding error of a short one is short, others are exact, and no zero has a sign.
#[test]
fn numbers_in_json_are_short() {
    let sandbox = Sandbox::new();
    let text = "first,second,wins,draws,losses\nA,B,3,2,1\nB,C,3,2,3\n";
    let csv = sandbox.write("a.csv", text);
    let text = stdout(&run(&["rate", &csv, "--anchor", "A=-0", "--json"]));
    assert!(text.contains("\"name\":\"A\",\"elo\":0.0,"), "{text}");
    assert!(!text.contains("-0.0,"), "{text}");
    assert!(text.contains("\"score\":0.6666666666666666,"), "{text}");
    // Computed as 0.49999999999999994.
    assert!(text.contains(",0.5,null]],"), "{text}");
}

/// Names are no markup in Markdown and no formula in CSV.
#[test]
fn names_are_no_markup_and_no_formula() {
    let sandbox = Sandbox::new();
    let name = "<img src=x onerror=alert(1)>|[a](https://b)`c`";
    let csv = sandbox.write(
        "a.csv",
        &format!("first,second,wins,draws,losses\n{name},B,3,2,1\n"),
    );
    let text = stdout(&run(&["rate", &csv, "--markdown"]));
    assert!(text.contains("&lt;img src=x"), "{text}");
    assert!(
        !text.contains("<img") && !text.contains("https://"),
        "{text}"
    );
    let header = text.lines().find(|line| line.starts_with('|')).unwrap();
    // A bar in a name is escaped.
    let bars = |row: &str| row.matches('|').count() - row.matches("\\|").count();
    let rows = text.lines().filter(|line| line.starts_with('|'));
    assert!(rows.clone().count() > 3);
    for row in rows {
        assert_eq!(bars(row), bars(header), "{row}");
    }
    for name in ["=HYPERLINK(1)", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)"] {
        let pgn = sandbox.write("a.pgn", &format!("[White \"{name}\"]\n\n1. h2e2 1-0\n"));
        let text = stdout(&run(&["convert", &pgn, "--to", "csv"]));
        assert!(text.contains(&format!(",'{name},")), "{text}");
    }
}
