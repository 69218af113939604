//! The numbered pairs of a tournament.

use std::sync::Arc;

use thiserror::Error;

use super::random::{Stream, generator, permutation};
use leitai_config::{Config, Exhausted, Format, Gate, OpeningOrder, PairForm, Tournament};

/// One pair of the schedule: games between two variants from one opening, usually two with colours
/// swapped. In game 0 `variants[0]` moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairSpec {
    /// Number in the schedule, from 0.
    pub index: u64,
    /// Number of the pairing, in the order of [`Schedule::pairings`].
    pub pairing: usize,
    /// The two variants, as indices into the config's list.
    pub variants: [usize; 2],
    /// Index of the opening in the book.
    pub opening: usize,
    /// Number of earlier pairs of this pairing from the opening.
    pub lap: u64,
    /// The games of the pair.
    pub form: PairForm,
}

impl PairSpec {
    /// The players of each game, the first mover first.
    pub fn games(&self) -> impl Iterator<Item = [usize; 2]> {
        self.form.games(self.variants)
    }
}

fn shortage(have: usize, need: u64, key: Option<&str>, repeat_helps: bool) -> String {
    let problem = match key {
        Some(key) => format!(
            "too few openings: the book has {have}, but each pairing plays {need} pairs, each from \
             an opening of its own\nhelp: set `{key}` to {have} or less,\n\
             help: or make more openings with `leitai openings generate`"
        ),
        None => format!(
            "no book is given: from the usual start each pairing can play {have} pairs, but it \
             needs {need}, each from an opening of its own\n\
             help: name a book under `[openings]`: `file = \"my.epd\"`; `leitai init` writes a \
             config with a book"
        ),
    };
    let repeat = if repeat_helps {
        ",\nhelp: or set `openings.exhausted = \"repeat\"`: games that repeat are reported and not \
         counted"
    } else {
        ""
    };
    format!(
        "{problem},\nhelp: or set `openings.exhausted = \"vary\"`: later laps then start from other \
         positions at the same ply{repeat}"
    )
}

/// Default limit of pairs for a candidate of a gate whose games continue beyond the book: about
/// eight times the number for hypotheses 5 Elo apart.
pub const GATE_PAIRS: u64 = 100_000;

/// An error while planning a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// The book, or the usual start without a book, is too short.
    #[error("{}", shortage(*.have, *.need, *.key, *.repeat_helps))]
    TooFewOpenings {
        /// The number of openings.
        have: usize,
        /// Pairs that one pairing plays.
        need: u64,
        /// The key of the config that sets the number; `None` without a book.
        key: Option<&'static str>,
        /// True if openings may be repeated: not in a gate whose games would be identical.
        repeat_helps: bool,
    },
    /// The config defines no games.
    #[error(
        "the config has no `[tournament]` and no `[gate]`, so that there are no games to play\n\
         help: if it is a study, run it with `leitai study`; a tune, with `leitai tune`"
    )]
    NoTournament,
    /// There are no openings.
    #[error("the book is empty")]
    NoOpenings,
    /// There are no pairings.
    #[error("a tournament needs at least two variants, a duel exactly two")]
    NoPairings,
}

/// The pairs of a tournament as a function of their number. Since nothing is stored, a million
/// pairs cost nothing.
///
/// Pair `i` belongs to pairing `i % n` and to round `i / n`, so that the pair counts of any two
/// pairings differ by at most one at any time. In one round all pairings play the same opening, so
/// that they are measured under equal conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: u64,
    /// The openings in the order of the rounds; not empty. Copies of a schedule share it.
    order: Arc<[u32]>,
    /// Stretches of rounds with one book length each, in order; not empty.
    stretches: Vec<Stretch>,
    /// True if other positions replace the openings from the second lap on.
    varies: bool,
    form: PairForm,
}

/// Rounds between two extensions of the book: each takes one of the new openings, then the whole
/// book is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    /// The first round.
    from: u64,
    /// Number of openings before the extension.
    old: usize,
    /// Number of openings.
    openings: usize,
}

impl Stretch {
    /// Returns the stretches of a run of `config` over a book of `book_len` openings.
    fn of(config: &Config, book_len: usize) -> Vec<Self> {
        let former = config.openings.earlier_books.iter();
        let books = former.map(|book| (book.openings.min(book_len), book.rounds));
        let (mut from, mut old) = (0, 0);
        let mut stretches = Vec::new();
        for (openings, until) in books.chain([(book_len, u64::MAX)]) {
            if openings > old {
                let stretch = Self {
                    from,
                    old,
                    openings,
                };
                stretches.push(stretch);
                (from, old) = (until.max(stretch.first_lap()), openings);
            }
        }
        stretches
    }

    /// Returns the first round that repeats an opening.
    fn first_lap(&self) -> u64 {
        self.from.saturating_add((self.openings - self.old) as u64)
    }
}

impl Schedule {
    /// Plans the schedule of `config` over a book of `book_len` openings.
    ///
    /// # Errors
    /// The config has no tournament, gate or tune; the book is empty, or shorter than a pairing
    /// needs and may not repeat; or there is no pairing.
    pub fn new(config: &Config, book_len: usize) -> Result<Self, ScheduleError> {
        let (pairings, need, key) = match (&config.tournament, &config.gate, &config.tune) {
            (Some(tournament), ..) => (
                pairings(tournament, config.variants.len()),
                tournament.pairs,
                "pairs",
            ),
            (None, Some(gate), _) => (
                trials(gate),
                gate.max_pairs.unwrap_or(match config.openings.exhausted {
                    Exhausted::Vary => GATE_PAIRS,
                    Exhausted::Error | Exhausted::Repeat => book_len as u64,
                }),
                "gate.max_pairs",
            ),
            (None, None, Some(tune)) => (vec![[0, 1]], tune.games / 2, "tune.games"),
            (None, None, None) => return Err(ScheduleError::NoTournament),
        };
        if pairings.is_empty() {
            return Err(ScheduleError::NoPairings);
        }
        if book_len == 0 {
            return Err(ScheduleError::NoOpenings);
        }
        // The batches of a tune always repeat the book with later laps.
        let exhausted = match config.tune {
            Some(_) => Exhausted::Vary,
            None => config.openings.exhausted,
        };
        if exhausted == Exhausted::Error && need > book_len as u64 {
            return Err(ScheduleError::TooFewOpenings {
                have: book_len,
                need,
                key: config.openings.file.is_some().then_some(key),
                repeat_helps: config.gate.is_none() || config.is_timed(),
            });
        }
        let order = opening_order(config, book_len);
        let repeats = exhausted == Exhausted::Repeat && !config.is_timed();
        let rounds = if config.gate.is_some() && repeats {
            // Another lap would repeat the first, without new information for the test.
            need.min(book_len as u64)
        } else {
            need
        };
        Ok(Self {
            pairings,
            rounds,
            order: order.into(),
            stretches: Stretch::of(config, book_len),
            varies: exhausted == Exhausted::Vary,
            form: config.pairs,
        })
    }

    /// Returns the pairings, as indices into the config's variants; not empty.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// Returns the number of openings in the book.
    pub fn openings(&self) -> u64 {
        self.order.len() as u64
    }

    /// Returns the number of pairs of one pairing.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Returns the total number of pairs.
    #[expect(clippy::len_without_is_empty, reason = "a schedule is never empty")]
    pub fn len(&self) -> u64 {
        self.rounds.saturating_mul(self.pairings.len() as u64)
    }

    /// Returns the number of games of `pairs` pairs.
    pub fn games_of(&self, pairs: u64) -> u64 {
        pairs.saturating_mul(u8::from(self.form.games).into())
    }

    /// Returns whether the rounds end because every opening has been played.
    pub fn ends_with_book(&self) -> bool {
        let last = self.stretches.last();
        last.is_some_and(|stretch| self.rounds == stretch.first_lap())
    }

    /// Returns the first round that repeats an opening after the last extension of the book.
    pub fn first_lap(&self) -> u64 {
        self.stretches.last().map_or(0, Stretch::first_lap)
    }

    /// Returns the first pair after the last extension of the book.
    pub fn grown_at(&self) -> u64 {
        let from = self.stretches.last().map_or(0, |stretch| stretch.from);
        from.saturating_mul(self.pairings.len() as u64)
    }

    /// Returns whether an opening is repeated from the same position.
    pub fn repeats(&self) -> bool {
        !self.varies && self.goes_round()
    }

    /// Returns whether a pairing repeats the book with later laps from other positions.
    pub fn varies(&self) -> bool {
        self.varies && self.goes_round()
    }

    /// The stretches with their ends, at most `round`.
    fn stretches_until(&self, round: u64) -> impl Iterator<Item = (&Stretch, u64)> {
        let ends = self.stretches.iter().skip(1).map(|next| next.from);
        let ends = ends.chain([u64::MAX]).map(move |end| end.min(round));
        self.stretches.iter().zip(ends)
    }

    /// Returns whether an opening is played more than once.
    fn goes_round(&self) -> bool {
        self.stretches_until(self.rounds)
            .any(|(stretch, end)| end > stretch.first_lap())
    }

    /// Returns the length of the book when that pair was planned.
    pub fn known_openings(&self, spec: &PairSpec) -> usize {
        self.stretch(self.round(spec.index)).openings
    }

    /// Returns the openings of the first `rounds` rounds, in order.
    pub fn first_openings(&self, rounds: u64) -> impl Iterator<Item = usize> {
        let width = self.pairings.len() as u64;
        (0..rounds.min(self.rounds)).map(move |round| self.pair(round * width).opening)
    }

    /// Returns the round of a pair.
    pub fn round(&self, index: u64) -> u64 {
        index / self.pairings.len() as u64
    }

    fn stretch(&self, round: u64) -> Stretch {
        let begun = |stretch: &Stretch| stretch.from <= round;
        let after = self.stretches.partition_point(begun);
        self.stretches[after.saturating_sub(1)]
    }

    /// Returns pair number `index`. Numbers from [`len`](Schedule::len) on follow the same rule.
    pub fn pair(&self, index: u64) -> PairSpec {
        let pairing = (index % self.pairings.len() as u64) as usize;
        let round = self.round(index);
        let stretch = self.stretch(round);
        let place = match round.checked_sub(stretch.first_lap()) {
            None => stretch.old as u64 + (round - stretch.from),
            Some(again) => again % stretch.openings as u64,
        };
        PairSpec {
            index,
            pairing,
            variants: self.form.order(self.pairings[pairing], index),
            form: self.form,
            opening: self.order[place as usize] as usize,
            lap: self.played(place, round),
        }
    }

    /// Returns the number of rounds before `round` with the opening at that place.
    fn played(&self, place: u64, round: u64) -> u64 {
        let in_stretch = |(stretch, end): (&Stretch, u64)| {
            let openings = stretch.openings as u64;
            let new = place
                .checked_sub(stretch.old as u64)
                .is_some_and(|new| place < openings && stretch.from.saturating_add(new) < end);
            let again = end.saturating_sub(stretch.first_lap());
            let again = again.saturating_sub(place).div_ceil(openings);
            u64::from(new) + if place < openings { again } else { 0 }
        };
        self.stretches_until(round).map(in_stretch).sum()
    }
}

/// Returns the indices of a book's openings in the order in which a run of `config` takes them.
/// Appended openings follow the others, in an order of their own. `start` rotates the order of the
/// original openings, so that runs with one seed and different starts share no opening.
fn opening_order(config: &Config, book_len: usize) -> Vec<u32> {
    let mut random = generator(config.seed, Stream::Openings);
    let mut order = Vec::with_capacity(book_len);
    for Stretch { old, openings, .. } in Stretch::of(config, book_len) {
        let (old, openings) = (old as u32, openings as u32);
        match config.openings.order {
            OpeningOrder::Sequential => order.extend(old..openings),
            OpeningOrder::Random => {
                let added = permutation(openings - old, &mut random);
                order.extend(added.into_iter().map(|place| old + place));
            }
        }
    }
    if let Some(first) = Stretch::of(config, book_len).first() {
        let turn = config.openings.start.saturating_sub(1) % first.openings as u64;
        order[..first.openings].rotate_left(turn as usize);
    }
    order
}

/// Pairs each candidate of a gate, which comes first, with the baseline.
fn trials(gate: &Gate) -> Vec<[usize; 2]> {
    let against_base = |&candidate: &usize| [candidate, gate.base];
    gate.candidates.iter().map(against_base).collect()
}

fn pairings(tournament: &Tournament, variants: usize) -> Vec<[usize; 2]> {
    let against = |ours: &[usize], theirs: &[usize]| {
        let each = ours.iter();
        each.flat_map(|&one| theirs.iter().map(move |&other| [one, other]))
            .collect()
    };
    match (tournament.format, &tournament.sides) {
        (Format::RoundRobin, _) => (0..variants)
            .flat_map(|one| (one + 1..variants).map(move |other| [one, other]))
            .collect(),
        (Format::Gauntlet, Some(sides)) => against(&sides.challengers, &sides.opponents),
        (Format::Gauntlet, None) => (1..variants).map(|other| [0, other]).collect(),
        (Format::Duel, _) if variants == 2 => vec![[0, 1]],
        (Format::Duel, _) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use leitai_config::{EarlierBook, parse};
    use leitai_games as games;

    fn config(format: &str, variants: usize, pairs: u64, openings: &str) -> Config {
        let mut text = format!(
            "game = \"othello\"\nseed = 7\nlimits = {{ depth = 1 }}\n\
             openings = {{ file = \"book.epd\", {openings} }}\n\
             tournament = {{ format = \"{format}\", pairs = {pairs} }}\n"
        );
        text.extend((0..variants).map(|name| format!("[[variant]]\nname = \"v{name}\"\n")));
        parse(&text, "test.toml", &games::all()).unwrap().config
    }

    #[test]
    fn formats_make_their_pairings() {
        let pairings = |format, variants| {
            let config = config(format, variants, 1, "");
            Schedule::new(&config, 1).unwrap().pairings().to_vec()
        };
        let all = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        assert_eq!(pairings("round-robin", 4), all);
        assert_eq!(pairings("gauntlet", 4), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(pairings("duel", 2), [[0, 1]]);
        let sides = |more: &str| {
            let text = format!(
                "game = \"othello\"\nlimits = {{ depth = 1 }}\n\
                 tournament = {{ format = \"gauntlet\", pairs = 1, {more} }}\n\
                 variant = [{{ name = \"v0\" }}, {{ name = \"v1\" }}, {{ name = \"v2\" }}, {{ name = \"v3\" }}]\n"
            );
            let config = parse(&text, "test.toml", &games::all()).unwrap().config;
            Schedule::new(&config, 1).unwrap().pairings().to_vec()
        };
        let two = [[3, 0], [3, 2], [1, 0], [1, 2]];
        assert_eq!(sides("challengers = [\"v3\", \"v1\"]"), two);
        assert_eq!(
            sides("opponents = [\"v2\", \"v1\", \"v0\"]"),
            [[3, 2], [3, 1], [3, 0]]
        );
        let some = sides("challengers = [\"v1\", \"v2\"], opponents = [\"v0\"]");
        assert_eq!(some, [[1, 0], [2, 0]]);
    }

    #[test]
    fn rounds_share_their_opening() {
        let config = config("round-robin", 3, 5, "order = \"sequential\"");
        let schedule = Schedule::new(&config, 5).unwrap();
        assert_eq!(schedule.len(), 15);
        let openings: Vec<usize> = (0..15).map(|i| schedule.pair(i).opening).collect();
        assert_eq!(openings, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
        let seven = schedule.pair(7);
        assert_eq!((seven.pairing, seven.variants, seven.lap), (1, [0, 2], 0));
    }

    #[test]
    fn a_book_that_runs_out_is_an_error_with_three_mends() {
        let config = config("duel", 2, 170, "");
        let error = Schedule::new(&config, 80).unwrap_err();
        insta::assert_snapshot!(error, @r#"
        too few openings: the book has 80, but each pairing plays 170 pairs, each from an opening of its own
        help: set `pairs` to 80 or less,
        help: or make more openings with `leitai openings generate`,
        help: or set `openings.exhausted = "vary"`: later laps then start from other positions at the same ply,
        help: or set `openings.exhausted = "repeat"`: games that repeat are reported and not counted
        "#);
        assert_eq!(Schedule::new(&config, 0), Err(ScheduleError::NoOpenings));
        assert!(Schedule::new(&config, 170).is_ok());
    }

    #[test]
    fn a_run_without_a_book_gets_a_warning() {
        let mut config = config("duel", 2, 3, "");
        config.openings.file = None;
        let error = Schedule::new(&config, 1).unwrap_err();
        insta::assert_snapshot!(error, @r#"
        no book is given: from the usual start each pairing can play 1 pairs, but it needs 3, each from an opening of its own
        help: name a book under `[openings]`: `file = "my.epd"`; `leitai init` writes a config with a book,
        help: or set `openings.exhausted = "vary"`: later laps then start from other positions at the same ply,
        help: or set `openings.exhausted = "repeat"`: games that repeat are reported and not counted
        "#);
    }

    #[test]
    fn a_gate_ends_with_new_games() {
        let rounds = |limits, openings, max_pairs, book| {
            let text = format!(
                "game = \"othello\"\nlimits = {{ {limits} }}\n\
                 openings = {{ file = \"book.epd\", {openings} }}\n\
                 gate = {{ base = \"v1\", test = \"strict\", {max_pairs} }}\n\
                 variant = [{{ name = \"v0\" }}, {{ name = \"v1\" }}, {{ name = \"v2\" }}]\n"
            );
            let config = parse(&text, "test.toml", &games::all()).unwrap().config;
            let schedule = Schedule::new(&config, book)?;
            assert_eq!(schedule.pairings(), [[0, 1], [2, 1]]);
            Ok(schedule.rounds())
        };
        let repeat = "exhausted = \"repeat\"";
        let error = "exhausted = \"error\"";
        assert_eq!(rounds("depth = 1", error, "", 30), Ok(30));
        assert_eq!(rounds("depth = 1", "", "max_pairs = 20", 30), Ok(20));
        assert_eq!(rounds("depth = 1", repeat, "max_pairs = 90", 30), Ok(30));
        let clock = "movetime = \"1ms\"";
        assert_eq!(rounds(clock, repeat, "max_pairs = 90", 30), Ok(90));
        let (have, need, key) = (30, 31, Some("gate.max_pairs"));
        assert_eq!(
            rounds("depth = 1", error, "max_pairs = 31", 30),
            Err(ScheduleError::TooFewOpenings {
                have,
                need,
                key,
                repeat_helps: false
            })
        );
    }

    #[test]
    fn a_gate_goes_on_in_later_laps() {
        let text = "game = \"othello\"\nseed = 3\nlimits = { depth = 1 }\n\
                    openings = { file = \"book.epd\" }\ngate = { base = \"v1\", test = \"strict\" }\n\
                    variant = [{ name = \"v0\" }, { name = \"v1\" }, { name = \"v2\" }]\n";
        let config = parse(text, "test.toml", &games::all()).unwrap().config;
        let schedule = Schedule::new(&config, 30).unwrap();
        assert_eq!(schedule.rounds(), GATE_PAIRS);
        assert!(schedule.varies() && !schedule.repeats() && !schedule.ends_with_book());
        let laps = [0, 59, 60, 61, 119, 120].map(|index| schedule.pair(index).lap);
        assert_eq!(laps, [0, 0, 1, 1, 1, 2], "two candidates in a round");
        let capped = text.replace("test =", "max_pairs = 45, test =");
        let config = parse(&capped, "test.toml", &games::all()).unwrap().config;
        assert_eq!(Schedule::new(&config, 30).unwrap().rounds(), 45);
    }

    #[test]
    fn a_book_that_grows_is_gone_through_from_where_it_did() {
        let text = "game = \"othello\"\nseed = 3\nlimits = { depth = 1 }\n\
                    openings = { file = \"book.epd\" }\n\
                    gate = { test = \"strict\", max_pairs = 30 }\n\
                    variant = [{ name = \"v0\" }, { name = \"v1\" }]\n";
        let mut config = parse(text, "test.toml", &games::all()).unwrap().config;
        let short = Schedule::new(&config, 5).unwrap();
        let at = |schedule: &Schedule, rounds: std::ops::Range<u64>| {
            let pairs = rounds.map(|round| schedule.pair(round));
            pairs
                .map(|pair| (pair.opening, pair.lap))
                .collect::<Vec<_>>()
        };
        config.openings.earlier_books = vec![EarlierBook {
            openings: 5,
            rounds: 12,
        }];
        let long = Schedule::new(&config, 8).unwrap();
        assert_eq!(at(&short, 0..12), at(&long, 0..12));
        let mut new = at(&long, 12..15);
        new.sort_unstable();
        assert_eq!(new, [(5, 0), (6, 0), (7, 0)]);
        // The lap counts earlier rounds with the same opening.
        let mut played = std::collections::HashMap::new();
        for (opening, lap) in at(&long, 0..40) {
            let before = played.entry(opening).or_insert(0);
            assert_eq!(lap, *before);
            *before += 1;
        }
        assert_eq!((long.first_lap(), long.grown_at()), (15, 12));
        let known = |round| long.known_openings(&long.pair(round));
        assert_eq!([known(0), known(11), known(12), known(29)], [5, 5, 8, 8]);
        // The book was repeated before its extension.
        config.gate.as_mut().unwrap().max_pairs = Some(14);
        assert!(Schedule::new(&config, 8).unwrap().varies());
        config.openings.earlier_books[0].rounds = 5;
        assert!(!Schedule::new(&config, 20).unwrap().varies());
        // Values that no run can have recorded must not panic.
        config.openings.earlier_books[0] = EarlierBook {
            openings: 500,
            rounds: 0,
        };
        assert_eq!(Schedule::new(&config, 8).unwrap().pair(9).lap, 1);
    }

    #[test]
    fn a_book_may_repeat_on_request() {
        let config = config("duel", 2, 7, "exhausted = \"repeat\"");
        let schedule = Schedule::new(&config, 3).unwrap();
        let laps: Vec<u64> = (0..7).map(|i| schedule.pair(i).lap).collect();
        assert_eq!(laps, [0, 0, 0, 1, 1, 1, 2]);
        assert_eq!(schedule.pair(0).opening, schedule.pair(3).opening);
    }

    #[test]
    fn a_start_turns_the_order_of_the_book() {
        let order = |openings: &str, len| {
            let config = config("duel", 2, 5, openings);
            opening_order(&config, len)
        };
        assert_eq!(
            order("order = \"sequential\", start = 3", 5),
            [2, 3, 4, 0, 1]
        );
        assert_eq!(order("order = \"sequential\", start = 1", 3), [0, 1, 2]);
        // Continues at the first after the last.
        assert_eq!(
            order("order = \"sequential\", start = 7", 5),
            [1, 2, 3, 4, 0]
        );
        let (usual, third) = (order("", 40), order("start = 3", 40));
        assert_eq!(third[..38], usual[2..]);
        assert_eq!(third[38..], usual[..2]);
        // Openings that are appended later follow the others.
        let mut config = config("duel", 2, 5, "order = \"sequential\", start = 2");
        config.openings.earlier_books = vec![EarlierBook {
            openings: 3,
            rounds: 3,
        }];
        assert_eq!(opening_order(&config, 5), [1, 2, 0, 3, 4]);
    }

    #[test]
    fn usual_values_are_not_in_the_resolved_form() {
        let usual = config("duel", 2, 5, "").resolved().unwrap();
        for more in ["start = 1", "plies = 0", "plies = 9", "format = \"pgn\""] {
            let resolved = config("duel", 2, 5, more).resolved().unwrap();
            assert_eq!(resolved, usual, "{more}");
        }
        let other = config("duel", 2, 5, "start = 2").resolved().unwrap();
        assert_ne!(other, usual);
    }

    /// A change of these numbers changes the games of every tournament ever recorded.
    #[test]
    fn the_openings_drawn_from_a_large_book_are_pinned() {
        let mut config = config("duel", 2, 5, "start = 3");
        config.seed = 5;
        let schedule = Schedule::new(&config, 1_000_000).unwrap();
        let drawn: Vec<usize> = (0..5).map(|pair| schedule.pair(pair).opening).collect();
        assert_eq!(drawn, [645_602, 522_509, 398_802, 258_820, 475_614]);
        config.tournament.as_mut().unwrap().pairs = 1_000_000;
        let schedule = Schedule::new(&config, 1_000_000).unwrap();
        let mix = |sum: u64, pair| {
            let opening = schedule.pair(pair).opening as u64;
            (sum ^ opening).wrapping_mul(0x0100_0000_01b3)
        };
        let all = (0..1_000_000).fold(0xcbf2_9ce4_8422_2325, mix);
        assert_eq!(all, 9_996_510_682_927_710_279);
    }

    #[test]
    fn a_huge_schedule_costs_nothing() {
        let config = config("round-robin", 30, 1_000_000_000, "exhausted = \"repeat\"");
        let schedule = Schedule::new(&config, 500).unwrap();
        assert_eq!(schedule.len(), 435_000_000_000);
        assert_eq!(schedule.pair(u64::MAX).index, u64::MAX);
    }

    proptest! {
        /// Within one lap a pairing never meets an opening twice.
        #[test]
        fn openings_are_drawn_without_replacement(
            variants in 2usize..6, book in 1usize..40, laps in 1u64..4,
        ) {
            let pairs = book as u64 * laps;
            let config = config("round-robin", variants, pairs, "exhausted = \"repeat\"");
            let schedule = Schedule::new(&config, book).unwrap();
            let mut seen = std::collections::HashMap::new();
            for index in 0..schedule.len() {
                let pair = schedule.pair(index);
                *seen.entry((pair.pairing, pair.opening, pair.lap)).or_insert(0) += 1;
            }
            prop_assert_eq!(seen.len() as u64, schedule.len());
        }
    }
}
