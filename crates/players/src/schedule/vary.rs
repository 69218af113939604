//! Start positions for repeated openings, at the same ply as the opening.
//!
//! Players with a node limit would repeat their games. Other plies with about the same score
//! replace the last plies of the opening's line, so that a later lap measures the same strength
//! difference as the first: that difference depends far more on the start ply than on the balance
//! of the positions (docs/reading-results.md). For an opening without a line of moves no such
//! position is known; two plies are added to it, and games begin deeper.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex};

use rand_chacha::ChaCha8Rng;

use super::random::{Stream, below, generator};
use super::{Book, Opening};
use leitai_base::threads::lock;
use leitai_config::{Variant, preset_variant};
use leitai_game::Move;
use leitai_game::card::{AnyPosition, GameCard, GameChoice, Thinker};
use leitai_game::eval::Score;
use leitai_game::search::{SearchLimits, SearchReport};

/// Initial number of replaced plies, and number of plies added to an opening without a line: one of
/// each side.
const PLIES: usize = 2;
/// Draws in a row without a new position, after which one more ply is replaced.
const MISSES: u32 = 32;
/// Node limit of the search that scores a position: with 1,000 nodes, later laps gave the same
/// results.
const NODES: u64 = 250;
/// A position fits if its score differs by at most this fraction of the game's score window for
/// level openings.
const NEAR: Score = 10;

/// The start positions of later laps: a function of the seed, the opening and its lap.
pub struct OpeningVariations {
    game: GameChoice,
    seed: u64,
    /// The search that scores positions; `None` if the game has none.
    judge: Option<Variant>,
    /// Idle judges.
    idle: Mutex<Vec<Box<dyn Thinker>>>,
    /// Alternatives by the meeting keys of the openings.
    known: Mutex<HashMap<u64, Arc<Mutex<Alternatives>>>>,
    /// Recorded starts, by the meeting key of the opening and the lap.
    recorded: Mutex<HashMap<(u64, u64), String>>,
    /// Starts that are not recorded yet.
    new: Mutex<Vec<VariedStart>>,
}

/// The start of the games of a later lap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariedStart {
    /// The meeting key of the opening.
    pub opening: u64,
    /// Number of earlier uses of the opening, 1 or more.
    pub lap: u64,
    /// The position.
    pub fen: String,
}

/// Known positions that replace an opening.
struct Alternatives {
    /// The position of the opening.
    opening: Box<dyn AnyPosition>,
    /// The moves of the opening's line; `None` for a bare position.
    line: Option<Box<[Move]>>,
    /// The opening's score; `None` without a judge.
    score: Option<Score>,
    random: ChaCha8Rng,
    /// Current number of replaced plies.
    plies: usize,
    misses: u32,
    seen: HashSet<u64>,
    /// Positions for the laps, from lap 1 on.
    found: Vec<Box<dyn AnyPosition>>,
}

impl OpeningVariations {
    /// Creates the variations of a run of this game with that seed.
    pub fn new(game: GameChoice, seed: u64) -> Self {
        let judge = preset_variant(game, game.card.facts().fit_openings.judge).ok();
        let judge = judge.map(|mut variant| {
            variant.search.table_mb = variant.search.table_mb.min(1);
            variant
        });
        Self {
            game,
            seed,
            judge: judge.filter(|judge| thinker(judge, &game).is_some()),
            idle: Mutex::default(),
            known: Mutex::default(),
            recorded: Mutex::default(),
            new: Mutex::default(),
        }
    }

    /// Adds recorded starts, which then need no search.
    pub fn recall(&self, starts: impl IntoIterator<Item = VariedStart>) {
        let starts = starts.into_iter();
        let keyed = starts.map(|it| ((it.opening, it.lap), it.fen));
        lock(&self.recorded).extend(keyed);
    }

    /// Removes and returns the starts that are not recorded yet.
    pub fn take_new(&self) -> Vec<VariedStart> {
        std::mem::take(&mut lock(&self.new))
    }

    /// Returns the start of games from `opening` after `lap` earlier uses: the opening itself for
    /// lap 0, or if there is no other position.
    pub fn start(&self, opening: &Opening, lap: u64) -> Box<dyn AnyPosition> {
        let Some(index) = lap.checked_sub(1) else {
            return opening.position();
        };
        let key = opening.meeting_key();
        let recorded = lock(&self.recorded).get(&(key, lap)).cloned();
        if let Some(position) = recorded.and_then(|fen| opening.card().read(&fen).ok()) {
            return position;
        }
        let alternatives = {
            let mut known = lock(&self.known);
            let entry = known.entry(key);
            let new = || Arc::new(Mutex::new(self.alternatives(opening)));
            Arc::clone(entry.or_insert_with(new))
        };
        let mut alternatives = lock(&alternatives);
        while alternatives.found.len() as u64 <= index {
            let Some(next) = self.next(&mut alternatives) else {
                return opening.position();
            };
            alternatives.found.push(next.clone());
            let lap = alternatives.found.len() as u64;
            if !lock(&self.recorded).contains_key(&(key, lap)) {
                lock(&self.new).push(VariedStart {
                    opening: key,
                    lap,
                    fen: next.to_fen(),
                });
            }
        }
        alternatives.found[index as usize].clone()
    }

    /// Returns the number of plies by which games of that lap begin deeper than their opening.
    pub fn added(opening: &Opening, lap: u64) -> u32 {
        if lap == 0 || opening.line().is_some() {
            0
        } else {
            PLIES as u32
        }
    }

    fn alternatives(&self, opening: &Opening) -> Alternatives {
        let position = opening.position();
        let (index, purpose) = (opening.meeting_key() >> 4, 2);
        Alternatives {
            line: opening.line().map(Into::into),
            score: None,
            random: generator(self.seed, Stream::Pair { index, purpose }),
            plies: PLIES,
            misses: 0,
            seen: HashSet::from([opening.meeting_key()]),
            found: Vec::new(),
            opening: position,
        }
    }

    /// Finds the next position; `None` if there are no more.
    fn next(&self, alternatives: &mut Alternatives) -> Option<Box<dyn AnyPosition>> {
        while alternatives.misses < MISSES || alternatives.replace_more() {
            alternatives.misses += 1;
            let Some(position) = alternatives.draw() else {
                continue;
            };
            if self.fits(alternatives, &*position) {
                alternatives.misses = 0;
                return Some(position);
            }
        }
        None
    }

    /// Returns whether the position is about as good as the opening for the side to move.
    fn fits(&self, alternatives: &mut Alternatives, position: &dyn AnyPosition) -> bool {
        let Some(judge) = &self.judge else {
            return true;
        };
        let idle = lock(&self.idle).pop();
        let Some(mut thinker) = idle.or_else(|| thinker(judge, &self.game)) else {
            return true;
        };
        let mut score = |position: &dyn AnyPosition| search_position(&mut *thinker, position).score;
        let opening = &alternatives.opening;
        let wanted = *alternatives.score.get_or_insert_with(|| score(&**opening));
        let width = self.game.card.facts().fit_openings.window / NEAR;
        let fits = score(position).saturating_sub(wanted).saturating_abs() <= width;
        lock(&self.idle).push(thinker);
        fits
    }

    /// Returns the judge's report on a small search of the usual start. A different judge gives
    /// different starts.
    pub fn signature(&self) -> String {
        let thinker = self.judge.as_ref().and_then(|it| thinker(it, &self.game));
        thinker.map_or_else(String::new, |mut thinker| {
            let found = search_position(&mut *thinker, &*self.game.initial());
            format!("{PLIES} {MISSES} {NEAR} {found:?}")
        })
    }
}

impl fmt::Debug for OpeningVariations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpeningVariations")
    }
}

impl Alternatives {
    /// Increases the number of replaced plies by one. Returns false at the limit: half of the line
    /// stays.
    fn replace_more(&mut self) -> bool {
        let most = self.line.as_ref().map_or(PLIES, |line| line.len() / 2);
        let can = self.plies < most;
        if can {
            self.plies += 1;
            self.misses = 0;
        }
        can
    }

    /// Draws a new position with other last plies; `None` if the draw gives none.
    fn draw(&mut self) -> Option<Box<dyn AnyPosition>> {
        let base = match &self.line {
            None => self.opening.clone(),
            Some(moves) => {
                let kept = moves.len().saturating_sub(self.plies);
                after(self.opening.card(), &moves[..kept])
            }
        };
        let mut position = base;
        for _ in 0..self.plies {
            let moves = position.moves();
            let chosen = below(&mut self.random, moves.len() as u64) as usize;
            position.play(*moves.get(chosen)?);
        }
        let is_start = position.side_to_move() == self.opening.side_to_move()
            && position.count_legal_moves() > 0
            && !position.is_dead()
            && !position.in_check();
        (is_start && self.seen.insert(position.meeting_key())).then_some(position)
    }
}

/// Returns the number of start positions, up to the symmetries of the board: the openings of the
/// book and the positions that replace them. More pairs than starts add no information. Counts up
/// to `most`, with at most [`COUNTED`] replaced plies.
pub fn different_starts(book: &Book, most: u64) -> u64 {
    let mut starts = HashSet::new();
    for opening in book.iter() {
        if starts.len() as u64 >= most {
            break;
        }
        starts.insert(opening.meeting_key());
        let position = opening.position();
        let side = position.side_to_move();
        let mut count = |base: &dyn AnyPosition, plies| {
            base.below(plies, &mut |position| {
                if position.side_to_move() == side && !position.in_check() {
                    starts.insert(position.meeting_key());
                }
            });
        };
        let Some(line) = opening.line() else {
            count(&*position, PLIES);
            continue;
        };
        let plies = (line.len() / 2).clamp(PLIES, COUNTED);
        count(&*after(opening.card(), &line[..line.len() - plies]), plies);
    }
    most.min(starts.len() as u64)
}

/// Limit of replaced plies, since more take long to count.
const COUNTED: usize = 3;

fn thinker(judge: &Variant, game: &GameChoice) -> Option<Box<dyn Thinker>> {
    game.card.thinker(&judge.search, &judge.eval, &game.rules)
}

/// Searches a position with a new judge state.
fn search_position(thinker: &mut dyn Thinker, position: &dyn AnyPosition) -> SearchReport {
    let limits = SearchLimits {
        nodes: Some(NODES),
        depth: None,
    };
    thinker.new_game();
    let line = position.card().line(position);
    thinker.run(&*line, &limits, &|| false, None)
}

/// The position after these moves from the usual start.
fn after(card: &'static dyn GameCard, moves: &[Move]) -> Box<dyn AnyPosition> {
    let mut position = card.initial();
    for &mv in moves {
        position.play(mv);
    }
    position
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    /// The openings of a book and the variations of a game.
    fn of(card: &'static dyn GameCard, book: &str) -> (Vec<Opening>, GameChoice) {
        let book = Book::parse(card, book, "book").expect("a book");
        let openings = book.iter().map(Cow::into_owned).collect();
        (openings, GameChoice::usual(card))
    }

    fn starts(variations: &OpeningVariations, opening: &Opening, laps: u64) -> Vec<String> {
        let laps = 0..laps;
        laps.map(|lap| variations.start(opening, lap).to_fen())
            .collect()
    }

    const CHESS: &str = "g1f3 c7c5 h1g1 e7e6 f3d4 f7f5 c2c3 g7g5";
    const XIANGQI: &str = "h2h5b9a7i0i1h7h8g0i2e6e5a0a2b7b9";
    const OTHELLO: &str = "e6f4e3d6c6e7g4c4e8f3";

    #[test]
    fn later_laps_begin_at_the_same_ply_elsewhere() {
        for (card, line) in [
            (leitai_chess::card(), CHESS),
            (leitai_xiangqi::card(), XIANGQI),
            (leitai_othello::card(), OTHELLO),
        ] {
            let (openings, game) = of(card, line);
            let opening = &openings[0];
            let variations = OpeningVariations::new(game, 7);
            let all = starts(&variations, opening, 40);
            assert_eq!(all[0], opening.fen());
            let different: HashSet<u64> = all
                .iter()
                .map(|fen| card.read(fen).expect("a position").symmetric_key())
                .collect();
            assert_eq!(different.len(), 40, "{}", card.name());
            for fen in &all {
                let position = card.read(fen).expect("a position");
                assert_eq!(position.side_to_move(), opening.position().side_to_move());
                assert_eq!(position.plies_played(), opening.position().plies_played());
            }
            assert_eq!(OpeningVariations::added(opening, 9), 0);
            // Independent of the order of requests, within one instance and across instances.
            let again = OpeningVariations::new(game, 7);
            assert_eq!(again.start(opening, 30).to_fen(), all[30]);
            assert_eq!(starts(&again, opening, 40), all);
            let other = OpeningVariations::new(game, 8);
            assert_ne!(starts(&other, opening, 40), all);
        }
    }

    #[test]
    fn their_scores_are_near() {
        let (openings, game) = of(leitai_chess::card(), CHESS);
        let variations = OpeningVariations::new(game, 1);
        let judge = variations.judge.as_ref().expect("a judge");
        let mut thinker = thinker(judge, &game).expect("a search");
        let mut score = |position: &dyn AnyPosition| search_position(&mut *thinker, position).score;
        let wanted = score(&*openings[0].position());
        for lap in 1..20 {
            let found = score(&*variations.start(&openings[0], lap));
            assert!((found - wanted).abs() <= 30, "{lap}: {found} near {wanted}");
        }
    }

    #[test]
    fn a_bare_position_is_played_two_plies_on() {
        let (openings, game) = of(
            leitai_chess::card(),
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        );
        let opening = &openings[0];
        assert_eq!((opening.ply, opening.line()), (Some(2), None));
        let variations = OpeningVariations::new(game, 7);
        for lap in 1..20 {
            let start = variations.start(opening, lap);
            assert_eq!(start.plies_played(), Some(4));
            assert_eq!(OpeningVariations::added(opening, lap), 2);
        }
        assert_eq!(OpeningVariations::added(opening, 0), 0);
    }

    #[test]
    fn an_opening_is_played_itself_where_nothing_else_is_left() {
        // Othello has three positions after two plies, up to symmetry.
        let (openings, game) = of(leitai_othello::card(), "f5d6");
        let variations = OpeningVariations::new(game, 3);
        let all = starts(&variations, &openings[0], 30);
        let different: HashSet<&String> = all.iter().collect();
        assert!(different.len() <= 3, "{different:?}");
        assert_eq!(all[29], openings[0].fen());
        assert_eq!(different_starts(&book("f5d6"), 100), 3);
        assert_eq!(different_starts(&book("f5d6"), 2), 2);
        assert!(different_starts(&book(OTHELLO), 10_000) > 300);
    }

    fn book(line: &str) -> Book {
        Book::parse(leitai_othello::card(), line, "book").expect("a book")
    }

    #[test]
    fn moves_in_a_comment_of_epd_are_a_line() {
        let position = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
        let line = |comment: &str| {
            let text = format!("{position} c0 \"{comment}\";");
            let (openings, _) = of(leitai_chess::card(), &text);
            openings[0].line().map(<[Move]>::len)
        };
        assert_eq!(line("e2e4 c7c5"), Some(2));
        assert_eq!(line("e2e4 e7e5"), None, "another position");
        assert_eq!(line("a comment"), None);
    }
}
