//! Pairs that are dependent because their games transpose into each other.
//!
//! Two pairs are related if a game of each comes to the same position, up to the symmetries of the
//! board, within [`PLIES`] plies of their openings, or to the same opening of the book at any ply.
//! One in four of the positions that are no openings is compared, which finds games that share
//! several plies and keeps memory small. Late coincidences, such as bare endings, are no relation.
//!
//! A test takes only the first of related pairs, so that each of its pairs has its own games. Two
//! *openings* of a run belong to one cluster if at least a quarter of the pairs of one of them
//! transpose into pairs of the other, or into those of a third in its cluster: one game in a
//! hundred that transposes does not join them.

use std::collections::{BTreeMap, HashMap};

use super::Replay;
use leitai_game::Side;
use leitai_game::card::AnyPosition;
use leitai_players::play::{GameRecord, PairRecord};
use leitai_players::schedule::{Book, PairSpec};

/// Plies after the opening within which positions are compared.
const PLIES: usize = 24;
/// One position in this number is compared; a power of two.
const SAMPLE: u64 = 4;
/// Openings are related if one in this number of the pairs of one of them is related to a pair of
/// the other.
const SHARE: u64 = 4;

/// The positions of games from `start` that are compared with other games, each once, `start`
/// first; and the openings among them that are compared only because they are openings, which the
/// record must have. Uses the first `known` openings of the book, which it had when the games were
/// played: appending to a book does not change the pairs that a test takes.
///
/// `visit` is called for each game with the side to move after each number of plies.
pub(super) fn passed(
    book: &Book,
    start: &dyn AnyPosition,
    record: &PairRecord,
    known: usize,
    mut visit: impl FnMut(&GameRecord, usize, Side),
) -> (Vec<u64>, Vec<usize>) {
    let (mut passed, mut openings) = (Vec::new(), Vec::new());
    for game in &record.games {
        let mut position = start.boxed();
        for (ply, played) in (1..).zip(&game.plies) {
            visit(game, ply - 1, position.side_to_move());
            if !position.is_legal(played.mv) {
                break;
            }
            position.play(played.mv);
            let key = position.meeting_key();
            if ply <= PLIES && key.is_multiple_of(SAMPLE) {
                passed.push(key);
            } else if let Some(place) = book.place(key).filter(|&place| place < known) {
                passed.push(key);
                openings.push(place);
            }
        }
        visit(game, game.plies.len(), position.side_to_move());
    }
    passed.sort_unstable();
    passed.dedup();
    let start = start.meeting_key();
    passed.retain(|&key| key != start);
    passed.insert(0, start);
    (passed, openings)
}

/// The pairs of a run so far, and the relations between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Transpositions {
    /// The pairs by pairing.
    pairings: Vec<PassedPositions>,
    /// Number of pairs by opening.
    pairs: BTreeMap<usize, u64>,
    /// Number of pairs that join two openings, the smaller number first.
    joins: BTreeMap<[usize; 2], u64>,
}

/// The positions that the pairs of one pairing passed.
#[derive(Clone, Debug, Default)]
struct PassedPositions {
    /// The first pair that passed a position, by the position's key.
    first: HashMap<u64, u32>,
    /// Each pair's opening, and the key of its start, which differs from that of the mirror image.
    pairs: Vec<(usize, u64)>,
}

impl Transpositions {
    pub(super) fn new(pairings: usize) -> Self {
        Self {
            pairings: vec![PassedPositions::default(); pairings],
            ..Self::default()
        }
    }

    /// Takes the next pair, and returns whether its games transposed into those of an earlier pair
    /// of the same pairing. An earlier pair from the same start does not count, because it is a
    /// repetition; one from the mirror image does.
    pub(super) fn take(&mut self, spec: &PairSpec, replay: &Replay) -> bool {
        *self.pairs.entry(spec.opening).or_default() += 1;
        let start = replay.start;
        let passed = &mut self.pairings[spec.pairing];
        let number = u32::try_from(passed.pairs.len()).unwrap_or(u32::MAX);
        passed.pairs.push((spec.opening, start));
        let mut related = false;
        let mut met = Vec::new();
        for &key in &replay.passed {
            let first = *passed.first.entry(key).or_insert(number);
            let (opening, other) = passed.pairs[first as usize];
            if first != number && other != start {
                related = true;
                met.push(opening);
            }
        }
        met.sort_unstable();
        met.dedup();
        for other in met.into_iter().filter(|&other| other != spec.opening) {
            let both = [other.min(spec.opening), other.max(spec.opening)];
            *self.joins.entry(both).or_default() += 1;
        }
        related
    }

    /// The openings in clusters of several, each with the smallest number of an opening of its
    /// cluster.
    pub(super) fn clusters(&self) -> BTreeMap<usize, usize> {
        let mut above = BTreeMap::new();
        for (&[one, two], &joined) in &self.joins {
            let pairs = |opening| self.pairs.get(&opening).copied().unwrap_or(0);
            if SHARE * joined >= pairs(one).min(pairs(two)) {
                let (one, two) = (root(&above, one), root(&above, two));
                above.insert(one.max(two), one.min(two));
                above.entry(one.min(two)).or_insert(one.min(two));
            }
        }
        let members: Vec<usize> = above.keys().copied().collect();
        let clusters = members.into_iter().map(|one| (one, root(&above, one)));
        clusters.collect()
    }
}

fn root(above: &BTreeMap<usize, usize>, mut opening: usize) -> usize {
    while let Some(&next) = above.get(&opening).filter(|&&next| next != opening) {
        opening = next;
    }
    opening
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use leitai_game::{Cause, Move, Verdict};

    use leitai_players::play::{GameRecord, Ply};

    fn pair(related: &mut Transpositions, pairing: usize, opening: usize, passed: &[u64]) -> bool {
        let spec = PairSpec {
            index: 0,
            pairing,
            variants: [0, 1],
            opening,
            lap: 0,
            form: leitai_config::PairForm::default(),
        };
        let replay = Replay {
            start: passed[0],
            passed: passed.to_vec(),
            ..Replay::default()
        };
        related.take(&spec, &replay)
    }

    #[test]
    fn the_first_of_those_that_meet_is_on_its_own() {
        let mut related = Transpositions::new(2);
        assert!(!pair(&mut related, 0, 0, &[10, 11, 12]));
        assert!(!pair(&mut related, 0, 1, &[20, 21]));
        assert!(!pair(&mut related, 1, 2, &[11]), "another pairing");
        // A pair that comes to the opening of an earlier one, and a pair whose opening an earlier
        // one passed.
        assert!(pair(&mut related, 0, 3, &[30, 20]));
        assert!(pair(&mut related, 0, 4, &[12, 41]));
        // A repeated opening is no transposition.
        assert!(!pair(&mut related, 0, 1, &[20, 25]));
        assert!(!pair(&mut related, 0, 5, &[50, 51]));
        let clusters: Vec<_> = related.clusters().into_iter().collect();
        assert_eq!(clusters, [(0, 0), (1, 1), (3, 1), (4, 0)]);
        // A pair that meets both joins two clusters.
        assert!(pair(&mut related, 0, 6, &[60, 30, 41]));
        let clusters = related.clusters();
        assert_eq!(
            clusters.values().collect::<HashSet<_>>(),
            HashSet::from([&0])
        );
        assert_eq!(clusters.len(), 5);
    }

    fn drawn(plies: Vec<Ply>) -> PairRecord {
        let game = GameRecord {
            first: 0,
            second: 1,
            plies,
            verdict: Verdict {
                winner: None,
                cause: Cause::Counted,
            },
            drawn_by: None,
            times: leitai_players::play::MoveTimes::default(),
            pv_warnings: Vec::new(),
        };
        PairRecord {
            index: 0,
            games: [game.clone(), game].into(),
            hashes: [0, 1].into(),
            spoilt: Vec::new(),
            evidence: leitai_players::play::EvidenceList::default(),
        }
    }

    #[test]
    fn a_mirrored_start_is_related_and_the_same_one_is_a_repetition() {
        let after = |mv: &str| {
            let mut position = leitai_xiangqi::card().initial();
            position.play(position.parse_move(mv).unwrap());
            position
        };
        let (left, right) = (after("b2e2"), after("h2e2"));
        assert_ne!(left.key(), right.key());
        let record = drawn(Vec::new());
        let book = Book::initial(leitai_xiangqi::card());
        let mut related = Transpositions::new(1);
        let mut take = |opening, start: &dyn AnyPosition| {
            let spec = PairSpec {
                index: 0,
                pairing: 0,
                variants: [0, 1],
                opening,
                lap: 0,
                form: leitai_config::PairForm::default(),
            };
            let replay = Replay {
                start: start.key(),
                passed: passed(&book, start, &record, 1, |_, _, _| {}).0,
                ..Replay::default()
            };
            related.take(&spec, &replay)
        };
        assert!(!take(0, &*left));
        assert!(!take(0, &*left));
        assert!(take(1, &*right));
        assert_eq!(related.clusters().len(), 2);
    }

    /// A game that comes to the second opening of a book, at a position that is not compared
    /// otherwise.
    #[test]
    fn openings_are_landmarks_from_when_they_are_in_the_book() {
        let start = leitai_xiangqi::card().initial();
        let mut position = start.clone();
        let mut plies = Vec::new();
        for _ in 0..3 {
            let moves = position.moves();
            let is_unsampled = |&mv: &Move| {
                let mut next = position.clone();
                next.play(mv);
                !next.meeting_key().is_multiple_of(SAMPLE)
            };
            let mv = moves.into_iter().find(is_unsampled).expect("three of four");
            position.play(mv);
            plies.push(Ply {
                mv,
                score: None,
                depth: 1,
                nodes: 1,
            });
        }
        let book = format!("{}\n{}\n", start.to_fen(), position.to_fen());
        let book = Book::parse(leitai_xiangqi::card(), &book, "book").unwrap();
        let record = drawn(plies);
        let passed = |known| passed(&book, &*start, &record, known, |_, _, _| {});
        assert_eq!(passed(1), (vec![start.meeting_key()], vec![]));
        let keys = vec![start.meeting_key(), position.meeting_key()];
        assert_eq!(passed(2), (keys, vec![1, 1]));
    }

    #[test]
    fn one_game_in_a_hundred_joins_no_openings() {
        let mut related = Transpositions::new(100);
        for pairing in 0..100 {
            let key = 100 * pairing as u64;
            pair(&mut related, pairing, 0, &[1, key + 1000]);
            let met = if pairing == 7 { key + 1000 } else { key + 1001 };
            assert_eq!(pair(&mut related, pairing, 1, &[2, met]), pairing == 7);
        }
        assert!(related.clusters().is_empty());
        for pairing in 0..25 {
            let key = 100 * pairing as u64;
            pair(&mut related, pairing, 1, &[2, key + 1000]);
        }
        assert!(!related.clusters().is_empty(), "26 of 125");
    }
}
