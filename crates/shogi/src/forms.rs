//! The names of the file formats of Shogi games, and their detection.

use leitai_game::card::{Begins, GameFormat};

/// The names of the formats, and their detection.
pub const FORMATS: [GameFormat; 2] = [
    GameFormat {
        name: "kif",
        title: "KIF",
        manner: "in KIF",
        about: "A game of Shogi in KIF",
        begins: Begins::Line(is_kif),
        is_usual: false,
    },
    GameFormat {
        name: "csa",
        title: "CSA",
        manner: "in CSA",
        about: "Games of Shogi in CSA",
        begins: Begins::Line(is_csa),
        is_usual: false,
    },
];

/// Returns whether a text begins like KIF: with a header, or the line above the moves.
fn is_kif(line: &str) -> bool {
    let is_header = line.split_once('：').is_some_and(|(name, _)| {
        [
            "手合割",
            "先手",
            "後手",
            "上手",
            "下手",
            "開始日時",
            "棋戦",
            "場所",
            "終了日時",
            "表題",
            "後手の持駒",
            "対局日",
            "戦型",
            "持ち時間",
            "掲載",
            "備考",
        ]
        .contains(&name)
    });
    is_header || line.starts_with("手数----指手") || line.starts_with("# ---- Kifu")
}

/// Returns whether a text begins like CSA: with a version, a name or a board.
fn is_csa(line: &str) -> bool {
    let is_version = line.strip_prefix('V').is_some_and(|rest| {
        let mut parts = rest.split('.');
        parts.all(|part| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit()))
    });
    is_version
        || line.starts_with("N+")
        || line == "PI"
        || line.starts_with("P1") && line.len() >= 29
        || line.starts_with("$EVENT:")
}
