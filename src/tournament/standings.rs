//! The standings: a fold over the recorded pairs in schedule order.

use std::collections::{BTreeMap, HashSet};

use super::related::Related;
use super::{Faults, Replay};
use crate::game::{Cause, Side};
use crate::play::PairRecord;
use crate::schedule::PairSpec;
use crate::stats::{Clusters, MarginSums, Pentanomial, Trinomial};

/// The results of one pairing, for its first variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs by outcome.
    pub pairs: Pentanomial,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// What the games were won by; nothing in games without margins.
    pub margins: MarginSums,
    /// Pairs whose two games went move by move alike: those that swapping the
    /// players did not change.
    pub alike: u64,
}

impl Tally {
    /// The same results for the other variant.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self {
            pairs: self.pairs.mirror(),
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            margins: self.margins.mirror(),
            alike: self.alike,
        }
    }

    /// Variance of a game's score as the pairs have it, over that as if all
    /// games were independent; `None` if the games do not differ. Below 1 where
    /// unbalanced openings make the games of a pair opposites, above 1 where an
    /// opening suits one player: what a test on single games would get wrong.
    pub fn pair_variance_ratio(&self) -> Option<f64> {
        let games = Trinomial {
            losses: self.losses,
            draws: self.draws,
            wins: self.wins,
        };
        let alone = games.variance().filter(|&variance| variance > 0.0)?;
        Some(2.0 * self.pairs.variance()? / alone)
    }

    /// Adds the results of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.pairs = self.pairs.merge(other.pairs);
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.margins.merge(&other.margins);
        self.alike += other.alike;
    }
}

/// What became of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// It is evidence and was counted.
    New,
    /// Both games went move by move like those of an earlier pair of the same
    /// pairing: no new evidence, not counted.
    Duplicate,
    /// A game of it ran into one of an earlier pair of the same pairing: counted,
    /// but what it says has been said in part.
    Related,
}

/// What the pairs so far add up to.
#[derive(Clone, Debug)]
pub struct Standings {
    pairings: Vec<[usize; 2]>,
    tallies: Vec<Tally>,
    seen: HashSet<(usize, [u64; 2])>,
    /// What each variant scored against all others, and the pairs that count
    /// there: its opponents may play alike.
    by_variant: Vec<Tally>,
    seen_by_variant: HashSet<(usize, [u64; 2])>,
    /// The same pairs by opening, for each pairing and for each variant.
    clusters: Vec<Clusters>,
    clusters_by_variant: Vec<Clusters>,
    openings: HashSet<usize>,
    related: Related,
    /// Pairs played, duplicates and all.
    pub played: u64,
    /// Pairs that repeat an earlier one and are not counted.
    pub duplicates: u64,
    /// Times that a pair went move by move as the same variant's pair against
    /// another opponent: counted between the two, but only once where all
    /// opponents of a variant are taken together.
    pub alike: u64,
    /// Games by the side that won them: first mover, second mover, neither.
    /// Duplicates are left out, here and below.
    pub by_side: [u64; 3],
    /// How games ended.
    pub causes: BTreeMap<Cause, u64>,
    /// How players failed; in duplicates and in games that were played again
    /// too.
    pub faults: Faults,
    /// Plies played after the openings.
    pub plies: u64,
    /// Nodes searched.
    pub nodes: u64,
}

impl Standings {
    /// Empty standings of these pairings.
    pub fn new(pairings: &[[usize; 2]]) -> Self {
        let variants = pairings.iter().flatten().max().map_or(0, |m| m + 1);
        Self {
            pairings: pairings.to_vec(),
            tallies: vec![Tally::default(); pairings.len()],
            seen: HashSet::new(),
            by_variant: vec![Tally::default(); variants],
            seen_by_variant: HashSet::new(),
            clusters: vec![Clusters::default(); pairings.len()],
            clusters_by_variant: vec![Clusters::default(); variants],
            openings: HashSet::new(),
            related: Related::new(pairings.len()),
            played: 0,
            duplicates: 0,
            alike: 0,
            by_side: [0; 3],
            causes: BTreeMap::new(),
            faults: Faults::default(),
            plies: 0,
            nodes: 0,
        }
    }

    /// Adds the next pair in schedule order.
    pub fn add(&mut self, spec: &PairSpec, record: &PairRecord, replay: &Replay) -> Counted {
        self.played += 1;
        self.openings.insert(spec.opening);
        if !self.seen.insert((spec.pairing, record.hashes)) {
            self.duplicates += 1;
            self.faults.take(record, false);
            return Counted::Duplicate;
        }
        self.faults.take(record, true);
        let mut tally = Tally {
            alike: u64::from(record.is_alike()),
            ..Tally::default()
        };
        tally.pairs.0[record.cell()] += 1;
        // The pairing's first variant moves second in the second game.
        let [one, two] = replay.margins;
        tally.margins.record([one, two.map(|margin| -margin)]);
        for (number, game) in record.games.iter().enumerate() {
            let side = Side::BOTH[number];
            match game.verdict.half_points(side) {
                2 => tally.wins += 1,
                1 => tally.draws += 1,
                _ => tally.losses += 1,
            }
            self.by_side[game.verdict.winner.map_or(2, Side::index)] += 1;
            *self.causes.entry(game.verdict.cause).or_default() += 1;
            self.plies += game.plies.len() as u64;
            self.nodes += game
                .plies
                .iter()
                .map(|ply| u64::from(ply.nodes))
                .sum::<u64>();
        }
        self.tallies[spec.pairing].merge(&tally);
        let cell = record.cell();
        self.clusters[spec.pairing].record(spec.opening, cell);
        let [one, two] = record.hashes;
        let [a, b] = spec.variants;
        // Each variant's game with the first side, then that with the second.
        for (variant, hashes, tally, cell) in [
            (a, [one, two], tally, cell),
            (b, [two, one], tally.mirrored(), 4 - cell),
        ] {
            if self.seen_by_variant.insert((variant, hashes)) {
                self.by_variant[variant].merge(&tally);
                self.clusters_by_variant[variant].record(spec.opening, cell);
            } else {
                self.alike += 1;
            }
        }
        if self.related.take(spec, replay) {
            Counted::Related
        } else {
            Counted::New
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        2 * (self.played - self.duplicates)
    }

    /// Different openings played.
    pub fn distinct_openings(&self) -> usize {
        self.openings.len()
    }

    /// The pairings, each with its results for its first variant.
    pub fn tallies(&self) -> impl Iterator<Item = ([usize; 2], &Tally)> {
        self.pairings.iter().copied().zip(&self.tallies)
    }

    /// For each pairing, by how much openings that were played more than once
    /// raise the variance of its score: see [`Clusters::design_effect`].
    pub fn design_effects(&self) -> impl Iterator<Item = f64> {
        self.clusters.iter().map(Clusters::design_effect)
    }

    /// The results of `variant` against all its opponents together; pairs that
    /// went alike against several of them count once.
    pub fn of_variant(&self, variant: usize) -> Tally {
        self.by_variant.get(variant).copied().unwrap_or_default()
    }

    /// By how much it raises the variance of a variant's score that several
    /// opponents met it from the same openings.
    pub fn design_effect_of_variant(&self, variant: usize) -> f64 {
        self.clusters_by_variant
            .get(variant)
            .map_or(1.0, Clusters::design_effect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Move, Verdict};
    use crate::play::{GameRecord, Ply};

    fn game(first: usize, second: usize, winner: Option<Side>) -> GameRecord {
        let ply = Ply {
            mv: Move(7),
            score: None,
            depth: 1,
            nodes: 10,
        };
        let verdict = Verdict {
            winner,
            cause: Cause::Checkmate,
        };
        GameRecord {
            first,
            second,
            plies: vec![ply; 3],
            verdict,
        }
    }

    fn pair(index: u64, winners: [Option<Side>; 2], hashes: [u64; 2]) -> (PairSpec, PairRecord) {
        let spec = PairSpec {
            index,
            pairing: 0,
            variants: [0, 1],
            opening: 5,
            lap: 0,
        };
        let games = [game(0, 1, winners[0]), game(1, 0, winners[1])];
        (
            spec,
            PairRecord {
                index,
                games,
                hashes,
                spoilt: Vec::new(),
            },
        )
    }

    #[test]
    fn a_repeated_pair_is_reported_and_not_counted() {
        let mut standings = Standings::new(&[[0, 1]]);
        let (spec, record) = pair(0, [Some(Side::First), None], [1, 2]);
        assert_eq!(standings.add(&spec, &record, &Replay::default()), Counted::New);
        let before = standings.of_variant(0);
        assert_eq!(
            standings.add(&PairSpec { index: 1, ..spec }, &record, &Replay::default()),
            Counted::Duplicate
        );
        assert_eq!(standings.of_variant(0), before);
        assert_eq!(
            (standings.played, standings.duplicates, standings.games()),
            (2, 1, 2)
        );
        // One game that differs makes the pair evidence again.
        let (spec, record) = pair(2, [Some(Side::First), None], [1, 3]);
        assert_eq!(standings.add(&spec, &record, &Replay::default()), Counted::New);
    }

    #[test]
    fn opponents_that_play_alike_are_one_piece_of_evidence() {
        let mut standings = Standings::new(&[[0, 1], [0, 2], [1, 2]]);
        let (spec, record) = pair(0, [Some(Side::First), None], [1, 2]);
        standings.add(&spec, &record, &Replay::default());
        let again = PairSpec {
            index: 1,
            pairing: 1,
            variants: [0, 2],
            ..spec
        };
        assert_eq!(standings.add(&again, &record, &Replay::default()), Counted::New);
        assert_eq!((standings.duplicates, standings.alike), (0, 1));
        assert_eq!(standings.of_variant(0).pairs.pairs(), 1, "once, not twice");
        assert_eq!(standings.of_variant(2).pairs.pairs(), 1);
        let counts: Vec<_> = standings
            .tallies()
            .map(|(_, tally)| tally.pairs.pairs())
            .collect();
        assert_eq!(counts, [1, 1, 0], "head to head both count");
        // The same moves with sides swapped are another matter.
        let swapped = PairSpec {
            index: 2,
            pairing: 2,
            variants: [1, 2],
            ..spec
        };
        standings.add(&swapped, &record, &Replay::default());
        assert_eq!(standings.of_variant(1).pairs.pairs(), 2);
    }

    #[test]
    fn pairs_may_vary_less_or_more_than_games() {
        let tally = |pairs, wins, losses| Tally {
            pairs: Pentanomial(pairs),
            wins,
            losses,
            ..Tally::default()
        };
        // Every pair a win and a loss: the pairs do not differ at all.
        assert_eq!(
            tally([0, 0, 6, 0, 0], 6, 6).pair_variance_ratio(),
            Some(0.0)
        );
        // Both games always end alike: twice the variance.
        assert_eq!(
            tally([3, 0, 0, 0, 3], 6, 6).pair_variance_ratio(),
            Some(2.0)
        );
        assert_eq!(tally([0, 0, 0, 0, 3], 6, 0).pair_variance_ratio(), None);
        assert_eq!(Tally::default().pair_variance_ratio(), None);
    }

    #[test]
    fn results_are_seen_from_either_variant() {
        let mut standings = Standings::new(&[[0, 1]]);
        // Variant 0 wins with the first side and draws with the second.
        let (spec, record) = pair(0, [Some(Side::First), None], [1, 2]);
        standings.add(&spec, &record, &Replay::default());
        // Variant 0 loses both.
        let (spec, record) = pair(1, [Some(Side::Second), Some(Side::First)], [3, 4]);
        standings.add(&spec, &record, &Replay::default());
        let (zero, one) = (standings.of_variant(0), standings.of_variant(1));
        assert_eq!((zero.wins, zero.draws, zero.losses), (1, 1, 2));
        assert_eq!(zero.pairs.0, [1, 0, 0, 1, 0]);
        assert_eq!(one, zero.mirrored());
        assert_eq!(one.pairs.0, [0, 1, 0, 0, 1]);
        assert_eq!(standings.by_side, [2, 1, 1]);
        assert_eq!((standings.plies, standings.nodes), (12, 120));
    }
}
