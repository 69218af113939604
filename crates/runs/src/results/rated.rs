//! The data of games for ratings, from their tags.

use std::num::NonZeroU64;

use super::repeated_games::{DateAndRound, GameKey};
use super::{Names, Results};
use leitai_interchange::pgn::{
    BEYOND_TAG, CLUSTER_TAG, GATE, OWN_EVENT, RUN_TAG, ResultDoubt, Tags, recorded_result,
};

/// Values of `Termination` for games that were not decided on the board.
const FORFEITS: [&str; 6] = [
    "forfeit",
    "stall",
    "abandon",
    "disconnect",
    "crash",
    "illegal",
];

/// Games, with the texts that they share.
#[derive(Default)]
pub(super) struct RatedBlock {
    pub(super) texts: Names,
    pub(super) games: Vec<RatedGame>,
}

/// The data of a game for a rating. Texts are numbers of [`RatedBlock::texts`].
#[derive(Default)]
pub(super) struct RatedGame {
    pub(super) line: u64,
    /// True if there are only tags, and no result among them.
    pub(super) is_heading: bool,
    pub(super) players: Option<[u32; 2]>,
    /// The game that the tags name.
    pub(super) game: Option<u32>,
    pub(super) result: RatedResult,
    /// True if the tag and the end of the moves say different results.
    pub(super) is_contradictory: bool,
    pub(super) is_forfeit: bool,
    /// The opening, and in our own exports the one that represents the related openings.
    pub(super) opening: Option<u32>,
    pub(super) cluster: Option<u32>,
    pub(super) round: Option<NonZeroU64>,
    /// The game's identity: its players, opening, result and moves.
    pub(super) transcript: GameKey,
    /// Its tags, if it has no moves.
    pub(super) tags: Option<GameKey>,
    pub(super) when: DateAndRound,
    pub(super) own: Option<Box<OwnTags>>,
}

/// The result of a game.
#[derive(Clone, Copy, Default)]
pub(super) enum RatedResult {
    /// Half points of the player with the first move.
    Points(u8),
    #[default]
    Unfinished,
    /// The tag has no valid value.
    Unknown,
}

/// Tags of a game of one of our own runs.
pub(super) struct OwnTags {
    /// Its run, and its place in it, if it has one.
    pub(super) event: GameKey,
    pub(super) place: Option<GameKey>,
    /// True for the first game of a pair.
    pub(super) is_first: bool,
    pub(super) is_gate: bool,
    /// True if the results of its run exclude it.
    pub(super) is_beyond: bool,
}

impl RatedBlock {
    pub(super) fn add<'t>(
        &mut self,
        tags: &Tags,
        line: u64,
        result: Option<&'static str>,
        moves: impl Iterator<Item = &'t str> + Clone,
    ) {
        let has_moves = moves.clone().next().is_some();
        let tagged = tags.get("Result");
        let ([first, second], _) = tags.sides();
        let (Some(first), Some(second)) = (tags.known(first), tags.known(second)) else {
            self.games.push(RatedGame {
                line,
                is_heading: !has_moves && result.is_none() && tagged.is_none(),
                ..RatedGame::default()
            });
            return;
        };
        let players = [first, second];
        let (half_points, doubt) = recorded_result(tags, result);
        let termination = tags.get("Termination").unwrap_or_default().to_lowercase();
        let event = tags.get("Event").unwrap_or_default();
        let number = tags.get("Round").unwrap_or_default();
        let is_own = event.starts_with(OWN_EVENT);
        let fen = tags.get("FEN").filter(|fen| !fen.is_empty());
        // Our exports have a FEN unless the opening is the usual start.
        let opening = fen.or(is_own.then_some("start"));
        let given = |value: &&str| !value.is_empty() && !value.contains('?');
        let date = tags.get("Date").filter(given);
        let when = DateAndRound::of(date, Some(number).filter(given).filter(|it| *it != "-"));
        let texts = &mut self.texts;
        self.games.push(RatedGame {
            line,
            is_heading: false,
            game: game_of(tags).map(|game| texts.number(&game)),
            result: match (half_points, doubt) {
                (_, Some(ResultDoubt::Unknown)) => RatedResult::Unknown,
                (Some(points), _) => RatedResult::Points(points),
                (None, _) => RatedResult::Unfinished,
            },
            is_contradictory: doubt == Some(ResultDoubt::Contradicted),
            is_forfeit: FORFEITS.iter().any(|word| termination.contains(word)),
            round: round(number)
                .map(|round| GameKey::of((event, round)).number() | NonZeroU64::MIN),
            transcript: GameKey::of_moves((players, opening, half_points), moves),
            tags: (!has_moves).then(|| GameKey::of(tags.iter().collect::<Vec<_>>())),
            when,
            own: is_own.then(|| {
                Box::new(OwnTags {
                    event: GameKey::of(event),
                    place: (!number.is_empty()).then(|| GameKey::of((event, number))),
                    is_first: number.ends_with(".1"),
                    is_gate: tags.get(RUN_TAG) == Some(GATE),
                    is_beyond: tags.get(BEYOND_TAG).is_some(),
                })
            }),
            // In our own exports, the opening that represents the related openings of this one.
            cluster: is_own
                .then(|| Some(texts.number(tags.get(CLUSTER_TAG)?)))
                .flatten(),
            opening: opening.map(|opening| texts.number(opening)),
            players: Some(players.map(|player| texts.number(player))),
        });
    }
}

/// The game that the tags name: one of ours, or the value of `Variant`.
fn game_of(tags: &Tags) -> Option<String> {
    let known = tags.game().map(|game| game.name().to_owned());
    known.or_else(|| tags.unknown_game().map(str::to_lowercase))
}

/// The round without the game's number within it.
fn round(number: &str) -> Option<&str> {
    let round = number.split('.').next().unwrap_or(number).trim();
    (!round.is_empty() && round != "?" && round != "-").then_some(round)
}

/// The numbers of a block's texts in the results, once known.
pub(super) struct Numbers<'b> {
    texts: &'b Names,
    players: Vec<Option<u32>>,
    /// Numbers of openings, each with the text of its cluster.
    openings: Vec<Option<(u32, Option<u32>)>>,
}

impl<'b> Numbers<'b> {
    pub(super) fn of(texts: &'b Names) -> Self {
        Self {
            texts,
            players: vec![None; texts.all().len()],
            openings: vec![None; texts.all().len()],
        }
    }

    pub(super) fn player(&mut self, text: u32, results: &mut Results) -> u32 {
        let text = text as usize;
        *self.players[text].get_or_insert_with(|| results.players.number(&self.texts.all()[text]))
    }

    pub(super) fn opening(
        &mut self,
        text: u32,
        cluster: Option<u32>,
        results: &mut Results,
    ) -> u32 {
        let text = text as usize;
        match self.openings[text] {
            Some((number, of)) if of == cluster => number,
            _ => {
                let texts = self.texts.all();
                let of = cluster.map(|cluster| texts[cluster as usize].as_str());
                let number = results.opening(&texts[text], of);
                self.openings[text] = Some((number, cluster));
                number
            }
        }
    }
}
