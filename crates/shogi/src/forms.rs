//! The names of the file formats of Shogi games, and their detection.

use leitai_game::card::{Begins, GameFormat};

/// The names of the formats, and their detection.
pub const FORMATS: [GameFormat; 2] = [
    GameFormat {
        name: "kif",
        title: "KIF",
        manner: "in KIF",
        about: "A game of Shogi in KIF",
        begins: Begins::Text(is_kif),
        is_usual: false,
    },
    GameFormat {
        name: "csa",
        title: "CSA",
        manner: "in CSA",
        about: "Games of Shogi in CSA",
        begins: Begins::Text(is_csa),
        is_usual: false,
    },
];

/// Lines at the beginning of a text that may show its format.
const LINES: usize = 64;

/// Returns whether a text has a header of KIF, or the line above the moves, near its beginning.
fn is_kif(start: &str) -> bool {
    const HEADERS: [&str; 14] = [
        "手合割",
        "先手",
        "後手",
        "上手",
        "下手",
        "開始日時",
        "終了日時",
        "棋戦",
        "場所",
        "表題",
        "先手の持駒",
        "後手の持駒",
        "上手の持駒",
        "対局日",
    ];
    let mut lines = start.lines().take(LINES).map(str::trim);
    lines.any(|line| {
        let header = line.split_once(['：', ':']).map(|(name, _)| name.trim());
        header.is_some_and(|name| HEADERS.contains(&name))
            || line.starts_with("手数----指手")
            || line.starts_with("# ---- Kifu")
            || line.starts_with("# KIF")
    })
}

/// Returns whether the first line that is no comment is CSA: a version, a name, a header or a board.
fn is_csa(start: &str) -> bool {
    let mut lines = start.lines().map(str::trim_end);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('\''));
    first.is_some_and(|line| {
        let is_version = line.strip_prefix('V').is_some_and(|rest| {
            let mut parts = rest.split('.');
            parts.all(|part| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit()))
        });
        let is_header = line.starts_with('$') && line.contains(':');
        let is_board = line.strip_prefix("P").is_some_and(|rest| {
            rest.starts_with('I') || rest.len() > 5 && rest.starts_with(['1', '+', '-'])
        });
        is_version || is_header || is_board || line.starts_with("N+") || line.starts_with("N-")
    })
}
