//! Games of Shogi in the formats of other programs: KIF and CSA.

mod csa;
mod kif;

use leitai_game::{Move, Position as _, Side};
use leitai_interchange::pgn::PgnGame;
use leitai_interchange::{StatedGame, TextFormat};

use crate::board::Shogi;
use crate::forms::FORMATS;

/// Tags with a date: `2024.01.02` in PGN, `2024/01/02` in these formats.
const DATE_TAGS: [&str; 2] = ["Date", "EndDate"];

/// The readers and writers of the formats.
pub const TEXT_FORMATS: [TextFormat; 2] = [
    TextFormat {
        form: &FORMATS[0],
        read: kif::read,
        write: Some(kif::write),
        between: "",
    },
    TextFormat {
        form: &FORMATS[1],
        read: csa::read,
        write: Some(csa::write),
        between: "/",
    },
];

/// The value of a tag in the form of these formats.
fn header_value(game: &PgnGame, tag: &str) -> Option<String> {
    let value = game
        .tag(tag)
        .filter(|value| value.contains(|it| !"?.".contains(it)))?;
    Some(if DATE_TAGS.contains(&tag) {
        value.replace('.', "/")
    } else {
        value.to_owned()
    })
}

/// The value of a header as that of a tag.
fn tag_value(tag: &str, header: &str) -> String {
    if DATE_TAGS.contains(&tag) {
        let day = header.split(' ').next().unwrap_or_default();
        day.replace('/', ".")
    } else {
        header.to_owned()
    }
}

/// The start of a game and its moves; `None` if one of them cannot be read.
fn replayed(game: &PgnGame) -> Option<(Shogi, Vec<Move>)> {
    let start = match &game.start {
        Some(text) => Shogi::from_fen(text).ok()?,
        None => Shogi::initial(),
    };
    let mut position = start.clone();
    let mut moves = Vec::new();
    for text in &game.moves {
        let mv = position.parse_move(text).ok()?;
        position.make(mv);
        moves.push(mv);
    }
    Some((start, moves))
}

/// The end of a game in both formats.
#[derive(Clone, Copy, Debug)]
struct Ending {
    /// The cause by the rules, or the tag `Termination`; empty if it is another one.
    reason: &'static str,
    /// Half points of the side to move; `None` without a result.
    points: Option<u8>,
    kif: &'static str,
    csa: &'static str,
}

impl Ending {
    const fn new(
        reason: &'static str,
        points: Option<u8>,
        kif: &'static str,
        csa: &'static str,
    ) -> Self {
        Self {
            reason,
            points,
            kif,
            csa,
        }
    }

    /// The end of a game with this side to move.
    fn of(game: &PgnGame, to_move: Side) -> Self {
        let points = points_of(game.half_points, to_move);
        let cause = game.verdict.map(|verdict| verdict.cause.to_string());
        let reason = cause.as_deref().or(game.tag("Termination"));
        let fitting = || ENDINGS.into_iter().filter(|it| it.points == points);
        let same = fitting().find(|it| reason == Some(it.reason));
        let other = same.or_else(|| fitting().find(|it| it.reason.is_empty()));
        other.unwrap_or(ENDINGS[0])
    }
}

/// `%ILLEGAL_ACTION` has the sign of the side that lost.
const ENDINGS: [Ending; 13] = [
    Ending::new("", Some(0), "投了", "%TORYO"),
    Ending::new("checkmate", Some(0), "詰み", "%TSUMI"),
    Ending::new("stalemate", Some(0), "詰み", "%TSUMI"),
    Ending::new("time forfeit", Some(0), "切れ負け", "%TIME_UP"),
    // KIF has one word for both.
    Ending::new("rules infraction", Some(0), "反則負け", "%ILLEGAL_MOVE"),
    Ending::new("perpetual-check", Some(0), "反則負け", "%OUTE_SENNICHITE"),
    Ending::new("impasse", Some(2), "入玉勝ち", "%KACHI"),
    Ending::new("", Some(2), "反則勝ち", "%ILLEGAL_ACTION"),
    Ending::new("repetition", Some(1), "千日手", "%SENNICHITE"),
    Ending::new("impasse", Some(1), "持将棋", "%JISHOGI"),
    Ending::new("length-adjudication", Some(1), "最大手数", "%MAX_MOVES"),
    Ending::new("", Some(1), "引き分け", "%HIKIWAKE"),
    Ending::new("", None, "中断", "%CHUDAN"),
];

/// The side to move at the end of a game that this side began.
fn to_move(game: &StatedGame, first: Side) -> Side {
    if game.moves.len().is_multiple_of(2) {
        first
    } else {
        first.other()
    }
}

/// Half points of a side as those of Black, and the other way round.
fn points_of(points: Option<u8>, side: Side) -> Option<u8> {
    points.map(|points| match side {
        Side::First => points,
        Side::Second => 2 - points,
    })
}

/// Sets the result of a game: half points of Black, and the reason.
fn set_result(game: &mut StatedGame, points: Option<u8>, reason: &str) {
    game.half_points = points;
    if !reason.is_empty() {
        game.tags
            .push(("Termination".to_owned(), reason.to_owned()));
    }
}
