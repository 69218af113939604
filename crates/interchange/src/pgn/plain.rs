//! Games as plain data.

use super::{Game, MoveComment};
use leitai_game::Verdict;

/// A game that was read, or is to be written.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PgnGame {
    /// Its number in the text, from 1; 0 if it was not read.
    pub number: u64,
    /// The line where it begins, from 1; 0 if it was not read.
    pub line: u64,
    /// Its tags, in their order. Those of the players have the game's names: `Red` for `White` in
    /// Xiangqi.
    pub tags: Vec<(String, String)>,
    /// The position at its start; `None` for the usual one.
    pub start: Option<String>,
    /// Its moves, in the game's own notation.
    pub moves: Vec<String>,
    /// Scores, depths and times of the moves, from the first on; may be shorter than the moves.
    pub comments: Vec<MoveComment>,
    /// Half points of the first side, such as White, by the recorded result: 2 for a win, 1 for a
    /// draw, 0 for a loss. `None` without a result; writing then takes that of the rules.
    pub half_points: Option<u8>,
    /// The end by the rules of the game; `None` if it ended otherwise, such as by resignation.
    /// Writing computes it from the moves.
    pub verdict: Option<Verdict>,
}

impl PgnGame {
    /// A game with these moves from the usual start, without tags and result.
    pub fn new<M: Into<String>>(moves: impl IntoIterator<Item = M>) -> Self {
        Self {
            moves: moves.into_iter().map(M::into).collect(),
            ..Self::default()
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find_map(|(tag, value)| (tag == name).then_some(value.as_str()))
    }

    /// The game without its positions.
    #[doc(hidden)]
    pub fn of(game: &Game) -> Self {
        let card = game.play.position().card();
        let moves = game.play.moves().into_iter();
        let style = &card.facts().pgn;
        let (sides, _) = game.tags.sides();
        let own_name = |name: &str| {
            let mut sides = sides.iter().zip(style.players);
            let own = sides.find_map(|(side, own)| Some(own.to_owned() + name.strip_prefix(side)?));
            own.unwrap_or_else(|| name.to_owned())
        };
        let tags = game.tags.iter();
        let is_usual = *game.play.start() == *card.initial();
        Self {
            number: game.number,
            line: game.line,
            tags: tags
                .map(|(name, value)| (own_name(name), value.to_owned()))
                .collect(),
            start: (!is_usual).then(|| game.play.start().to_fen()),
            moves: moves.map(|mv| card.move_text(mv)).collect(),
            comments: game.searched.clone(),
            half_points: game.points,
            verdict: game.verdict.map(|(_, verdict)| verdict),
        }
    }
}
