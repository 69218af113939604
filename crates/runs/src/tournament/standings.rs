//! The standings: a fold over the recorded pairs in schedule order.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use hdrhistogram::Histogram;

use super::transpositions::Transpositions;
use super::{Failing, Faults, Plan, PvTallies, Reliability, Replay, Workers};
use leitai_game::{Cause, Side};
use leitai_players::play::PairRecord;
use leitai_players::schedule::PairSpec;
use leitai_stats::{
    Clusters, Crossed, Effect, Information, MarginSums, PairSum, Pentanomial, Trinomial,
    lap_difference,
};

/// The results of one pairing, for its first variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs by outcome.
    pub pairs: Pentanomial,
    /// Games by outcome.
    pub games: Trinomial,
    /// The margins of the games; empty in games without margins.
    pub margins: MarginSums,
    /// Pairs of two equal games: swapping the players changed nothing.
    pub alike: u64,
    /// Such pairs with drawn games.
    pub alike_drawn: u64,
}

impl Tally {
    /// The same results for the other variant.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self {
            pairs: self.pairs.mirror(),
            games: self.games.mirror(),
            margins: self.margins.mirror(),
            ..*self
        }
    }

    /// Variance of a game's score as estimated from pairs, divided by that of independent games;
    /// `None` if all games have the same result. It is below 1 where unbalanced openings make the
    /// games of a pair opposites, and above 1 where an opening suits one player. A test on single
    /// games would ignore this.
    pub fn pair_variance_ratio(&self) -> Option<f64> {
        let alone = self.games.variance().filter(|&variance| variance > 0.0)?;
        Some(2.0 * self.pairs.variance()? / alone)
    }

    /// Adds the results of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.games += other.games;
        self.margins.merge(&other.margins);
        self.alike += other.alike;
        self.alike_drawn += other.alike_drawn;
    }

    /// The information that the pairs give about their players. Pairs of equal games are left out,
    /// because they do not depend on the opening. `None` without others.
    pub fn information(&self) -> Option<Information> {
        let mut pairs = self.pairs;
        // In a pair of equal games the same side won both: such pairs are level.
        pairs.0[2] = pairs.0[2].saturating_sub(self.alike);
        let decided = self.alike.saturating_sub(self.alike_drawn);
        let games = Trinomial {
            losses: self.games.losses.saturating_sub(decided),
            draws: self.games.draws.saturating_sub(2 * self.alike_drawn),
            wins: self.games.wins.saturating_sub(decided),
        };
        Information::of(pairs, games)
    }
}

/// An empty histogram of all latencies that a record may hold.
#[expect(clippy::expect_used, reason = "the bounds are constants")]
fn no_latencies() -> Histogram<u64> {
    Histogram::new_with_max(u32::MAX.into(), 2).expect("bounds of a histogram")
}

/// The use of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairUse {
    /// Evidence, and counted.
    New,
    /// Both games equal those of an earlier pair of the same pairing: no new evidence, not counted.
    Duplicate,
    /// A game transposed into one of an earlier pair of the same pairing: counted, but partly
    /// dependent.
    Related,
}

/// Pairs of one pairing from one opening, by the half points of the first variant in the two games
/// (each 0 to 2): three times the first plus the second.
type OutcomeCounts = [u64; 9];

/// The number of pairs, and the sum of their outcomes, 0 to 4 each.
fn pair_sum(outcomes: &OutcomeCounts) -> PairSum {
    let outcomes = (0_u64..).zip(outcomes);
    outcomes.fold((0, 0), |(pairs, sum), (outcome, &count)| {
        (pairs + count, sum + count * (outcome / 3 + outcome % 3))
    })
}

/// Pairs of later laps.
#[derive(Clone, Debug, Default)]
struct LaterPairs {
    pairs: Pentanomial,
    by_opening: BTreeMap<usize, PairSum>,
}

impl LaterPairs {
    /// Adds a pair from that opening.
    fn add(&mut self, opening: usize, pair: Pentanomial) {
        let (pairs, sum) = self.by_opening.entry(opening).or_default();
        let cells = (0_u64..).zip(pair.0);
        *pairs += 1;
        *sum += cells.map(|(cell, count)| cell * count).sum::<u64>();
        self.pairs += pair;
    }
}

/// The pairs of a pairing by lap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laps {
    /// Pairs from the openings of the book.
    pub first: Pentanomial,
    /// Pairs that repeat an opening.
    pub later: Pentanomial,
    /// The variance of the later pairs between openings.
    pub effect: Effect,
    /// The p-value of [`lap_difference`].
    pub p_value: Option<f64>,
}

/// The known plies at which pairs began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartPlies {
    /// Pairs with a known ply.
    pub pairs: u64,
    /// The sum of the plies.
    pub sum: u64,
    /// The earliest and the latest ply.
    pub range: Option<[u32; 2]>,
}

impl StartPlies {
    fn add(&mut self, ply: Option<u32>) {
        if let Some(ply) = ply {
            self.pairs += 1;
            self.sum += u64::from(ply);
            let [least, most] = self.range.unwrap_or([ply; 2]);
            self.range = Some([least.min(ply), most.max(ply)]);
        }
    }
}

/// A pair that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedPair {
    /// The variants, the first mover of the first game first.
    pub variants: [usize; 2],
    /// The opening; in a run from a single opening, the start.
    pub opening: usize,
    /// The cluster of the opening; `None` in a run from a single one.
    pub cluster: Option<usize>,
    /// The number of the worker that played the pair; always 0 unless a clock limits play.
    pub worker: usize,
    /// The half points of the first variant in the two games.
    pub half_points: [u8; 2],
}

/// The results of the pairs so far.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    pairings: Vec<[usize; 2]>,
    tallies: Vec<Tally>,
    /// The pairing and the games of the counted pairs, with their openings.
    seen: HashMap<(usize, [u64; 2]), usize>,
    /// The counted pairs for each pairing: by opening, by start, and by the number of the worker if
    /// a clock limits play (otherwise 0).
    outcomes: Vec<BTreeMap<(usize, usize, usize), OutcomeCounts>>,
    /// The starts of pairs, by their keys: numbered in the order in which they came.
    starts: HashMap<u64, usize>,
    /// The counted pairs of later laps for each pairing, by outcome and by opening.
    later: Vec<LaterPairs>,
    /// The plies at which the counted pairs began.
    pub start_plies: StartPlies,
    /// Counted pairs that began deeper than their opening.
    pub deeper: u64,
    seen_by_variant: HashSet<(usize, [u64; 2])>,
    openings: HashSet<usize>,
    related: Transpositions,
    /// Finished pairs, including duplicates.
    pub played: u64,
    /// Pairs that repeat an earlier one and are not counted.
    pub duplicates: u64,
    /// Number of pairs with the same moves as the same variant's pair against another opponent.
    /// Each counts; their common opening, and so their common cluster, accounts for the dependence.
    pub alike: u64,
    /// Games by the side that won them: first mover, second mover, neither. Duplicates are left
    /// out, here and below.
    pub by_side: [u64; 3],
    /// Games by the cause of their end.
    pub causes: BTreeMap<Cause, u64>,
    /// Failures of players, including those in duplicates and in replayed games.
    pub faults: Faults,
    /// Warnings about reported lines of play, including those of duplicates.
    pub pv_warnings: PvTallies,
    /// Times of moves in microseconds by the index of the variant, within 1 %.
    pub latencies: BTreeMap<usize, Histogram<u64>>,
    /// The excess of these times over those that the players report.
    pub delays: BTreeMap<usize, Histogram<u64>>,
    /// The workers of the pairs, including duplicates.
    pub workers: Workers,
    /// Plies played after the openings.
    pub plies: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// Failures of each variant, including those in duplicates.
    pub reliability: Reliability,
    /// The first variant that failed in all of its first games.
    pub failing: Option<Failing>,
    /// True if games continue nevertheless.
    plays_on: bool,
}

impl Standings {
    /// Empty standings of these pairings.
    pub fn new(pairings: &[[usize; 2]]) -> Self {
        Self {
            pairings: pairings.to_vec(),
            tallies: vec![Tally::default(); pairings.len()],
            outcomes: vec![BTreeMap::new(); pairings.len()],
            later: vec![LaterPairs::default(); pairings.len()],
            related: Transpositions::new(pairings.len()),
            ..Self::default()
        }
    }

    /// Empty standings of a plan.
    pub fn of(plan: &Plan) -> Self {
        Self {
            plays_on: plan.config.failures.plays_on,
            ..Self::new(plan.schedule.pairings())
        }
    }

    /// The variant that ends the games because it failed in all of its first ones: further games
    /// would not measure strength.
    pub fn ended_by(&self) -> Option<Failing> {
        self.failing.filter(|_| !self.plays_on)
    }

    /// Adds the next pair in schedule order.
    pub fn add(&mut self, spec: &PairSpec, record: &PairRecord, replay: &Replay) -> PairUse {
        self.played += 1;
        self.reliability
            .take(spec.variants, record.number(), record.faults());
        self.failing = self.failing.or(self.reliability.always_failing());
        self.openings.insert(spec.opening);
        self.pv_warnings.take(record);
        let name = replay.worker.as_ref();
        let worker = self.workers.take(name, replay.elapsed_us, record);
        match self.seen.entry((spec.pairing, record.transcript())) {
            Entry::Vacant(entry) => entry.insert(spec.opening),
            Entry::Occupied(_) => {
                self.duplicates += 1;
                self.faults.take(record, false);
                return PairUse::Duplicate;
            }
        };
        self.faults.take(record, true);
        let latencies = (&mut self.latencies, &replay.latencies);
        for (histograms, times) in [latencies, (&mut self.delays, &replay.delays)] {
            for &(variant, micros) in times {
                let histogram = histograms.entry(variant).or_insert_with(no_latencies);
                histogram.saturating_record(micros.into());
            }
        }
        let mut tally = Tally {
            alike: u64::from(record.is_alike()),
            alike_drawn: u64::from(record.is_alike() && record.games[0].verdict.winner.is_none()),
            ..Tally::default()
        };
        let first = self.pairings[spec.pairing][0];
        tally.pairs.0[record.cell(first)] += 1;
        // The margins of the pairing's first variant.
        let games = record.games.iter().zip(replay.margins);
        let mut margins = games.map(|(game, margin)| {
            let is_first = game.first == first;
            margin.map(|margin| if is_first { margin } else { -margin })
        });
        let margins = [margins.next(), margins.next()];
        tally.margins.record(margins.map(Option::flatten));
        let mut outcomes = Vec::with_capacity(2);
        for game in &record.games {
            let half_points = game.half_points(first);
            outcomes.push(usize::from(half_points));
            tally.games.record(half_points);
            self.by_side[game.verdict.winner.map_or(2, Side::index)] += 1;
            *self.causes.entry(game.verdict.cause).or_default() += 1;
            self.plies += game.plies.len() as u64;
            let nodes = game.plies.iter().map(|ply| u64::from(ply.nodes));
            self.nodes += nodes.sum::<u64>();
        }
        self.tallies[spec.pairing].merge(&tally);
        if spec.lap > 0 {
            self.later[spec.pairing].add(spec.opening, tally.pairs);
        }
        self.start_plies.add(replay.start_ply);
        self.deeper += u64::from(replay.deeper);
        self.workers
            .count(worker, spec.pairing, tally.pairs, tally.games);
        let starts = self.starts.len();
        let start = *self.starts.entry(replay.start).or_insert(starts);
        let worker = if replay.by_the_clock { worker } else { 0 };
        let place = (spec.opening, start, worker);
        // A single game counts twice.
        let [Some(one), two] = [outcomes.first(), outcomes.last()] else {
            return PairUse::New;
        };
        let outcome = 3 * one + two.unwrap_or(one);
        self.outcomes[spec.pairing].entry(place).or_default()[outcome] += 1;
        let [one, two] = record.transcript();
        let [a, b] = spec.variants;
        // For each variant, its game with the first side, then that with the second.
        for seen in [(a, [one, two]), (b, [two, one])] {
            self.alike += u64::from(!self.seen_by_variant.insert(seen));
        }
        if self.related.take(spec, replay) {
            PairUse::Related
        } else {
            PairUse::New
        }
    }

    /// The total duration of the pairs in seconds, including pairs that are not counted.
    pub fn seconds(&self) -> f64 {
        let workers = self.workers.tallies();
        let micros: u64 = workers.iter().map(|worker| worker.elapsed_us).sum();
        micros as f64 / 1e6
    }

    /// Counted games.
    pub fn games(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.games.games()).sum()
    }

    /// The number of different openings played.
    pub fn distinct_openings(&self) -> usize {
        self.openings.len()
    }

    /// The pairings, each with its results for its first variant.
    pub fn tallies(&self) -> impl Iterator<Item = ([usize; 2], &Tally)> {
        self.pairings.iter().copied().zip(&self.tallies)
    }

    /// The openings in clusters of several, whose games transpose into each other, each with the
    /// number of the first opening of its cluster. Every other opening is its own cluster.
    pub fn related_openings(&self) -> BTreeMap<usize, usize> {
        self.related.clusters()
    }

    /// The number of independent pairs: one for each cluster of openings of a pairing; pairs with
    /// the same moves in several pairings count once.
    pub fn independent_pairs(&self) -> u64 {
        let related = self.related.clusters();
        let mut games: BTreeMap<(usize, usize), BTreeSet<[u64; 2]>> = BTreeMap::new();
        for (&(pairing, mut hashes), &opening) in &self.seen {
            hashes.sort_unstable();
            let cluster = cluster(&related, opening);
            games.entry((cluster, pairing)).or_default().insert(hashes);
        }
        let games = games.into_iter();
        let different = games.map(|((cluster, _), games)| (cluster, games));
        different.collect::<BTreeSet<_>>().len() as u64
    }

    /// The number of clusters of played openings.
    pub fn clusters(&self) -> u64 {
        let related = self.related.clusters();
        let openings = self.openings.iter();
        let clusters = openings.map(|&opening| cluster(&related, opening));
        clusters.collect::<BTreeSet<_>>().len() as u64
    }

    /// The first lap and the later laps of a pairing separately; `None` without later laps.
    pub fn laps(&self, pairing: usize) -> Option<Laps> {
        let later = &self.later[pairing];
        if later.by_opening.is_empty() {
            return None;
        }
        let related = self.related.clusters();
        let mut clusters: BTreeMap<usize, [PairSum; 2]> = BTreeMap::new();
        let mut add = |opening, lap: usize, (pairs, sum): PairSum| {
            let sums = &mut clusters.entry(cluster(&related, opening)).or_default()[lap];
            *sums = (sums.0 + pairs, sums.1 + sum);
        };
        for (&(opening, ..), outcomes) in &self.outcomes[pairing] {
            add(opening, 0, pair_sum(outcomes));
        }
        for (&opening, &sum) in &later.by_opening {
            add(opening, 1, sum);
        }
        for [all, later] in clusters.values_mut() {
            *all = (all.0 - later.0, all.1 - later.1);
        }
        let mut first = self.tallies[pairing].pairs;
        for (all, later) in first.0.iter_mut().zip(later.pairs.0) {
            *all -= later;
        }
        let mut scatter = Clusters::of(later.pairs);
        for (&cluster, &[_, (pairs, sum)]) in &clusters {
            if pairs > 0 {
                scatter.add(cluster, pairs, sum);
            }
        }
        Some(Laps {
            first,
            later: later.pairs,
            effect: scatter.effect(),
            p_value: lap_difference(clusters.into_values().collect::<Vec<_>>()),
        })
    }

    /// Returns whether all pairs are from one opening. Results then apply to this opening, and
    /// pairs are dependent if they began from the same position.
    pub fn is_from_one_opening(&self) -> bool {
        self.openings.len() == 1
    }

    /// For each pairing, the effect on the variance of its score of pairs from the same cluster of
    /// openings, and of pairs by the same worker if a clock limits play.
    pub fn effects(&self) -> impl Iterator<Item = Effect> {
        self.crossed().map(|clusters| self.effect(&clusters))
    }

    /// The same effect of openings alone: valid only for the workers of this run.
    pub fn effects_of_openings(&self) -> impl Iterator<Item = Effect> {
        self.crossed().map(|clusters| {
            if self.is_from_one_start() {
                Effect::ONE_OPENING
            } else {
                clusters.of_openings()
            }
        })
    }

    fn crossed(&self) -> impl Iterator<Item = Crossed> {
        let related = self.related.clusters();
        (0..self.pairings.len()).map(move |pairing| {
            let mut clusters = Crossed::of(self.tallies[pairing].pairs);
            self.add_clusters(&mut clusters, &related, pairing, false);
            clusters
        })
    }

    /// Returns whether all pairs are from the same position. Only chance or time then distinguishes
    /// them, and no opening is shared by some and not by others.
    fn is_from_one_start(&self) -> bool {
        self.is_from_one_opening() && self.starts.len() == 1
    }

    fn effect(&self, clusters: &Crossed) -> Effect {
        if self.is_from_one_start() {
            clusters.effect_of_one_opening()
        } else {
            clusters.effect()
        }
    }

    /// The results of `variant` against all its opponents together.
    pub fn of_variant(&self, variant: usize) -> Tally {
        let mut all = Tally::default();
        for (pairing, mirrored) in self.pairings_of(variant) {
            let tally = &self.tallies[pairing];
            all.merge(&if mirrored { tally.mirrored() } else { *tally });
        }
        all
    }

    /// The effect on the variance of a variant's score of several opponents in the same cluster of
    /// openings, and of the same worker if a clock limits play.
    pub fn effect_of_variant(&self, variant: usize) -> Effect {
        let related = self.related.clusters();
        let mut clusters = Crossed::of(self.of_variant(variant).pairs);
        for (pairing, mirrored) in self.pairings_of(variant) {
            self.add_clusters(&mut clusters, &related, pairing, mirrored);
        }
        self.effect(&clusters)
    }

    /// The pairings of a variant, and whether it is the second of the two.
    fn pairings_of(&self, variant: usize) -> impl Iterator<Item = (usize, bool)> {
        let pairings = self.pairings.iter().enumerate();
        pairings
            .filter(move |(_, of)| of.contains(&variant))
            .map(move |(pairing, of)| (pairing, of[0] != variant))
    }

    fn add_clusters(
        &self,
        clusters: &mut Crossed,
        related: &BTreeMap<usize, usize>,
        pairing: usize,
        mirrored: bool,
    ) {
        for (&(opening, start, worker), outcomes) in &self.outcomes[pairing] {
            let (pairs, sum) = pair_sum(outcomes);
            let sum = if mirrored { 4 * pairs - sum } else { sum };
            let cluster = self.cluster(related, (opening, start));
            clusters.add(cluster, worker, pairs, sum);
        }
    }

    /// The cluster of a pair: that of its opening, or its start if there is only one opening.
    fn cluster(&self, related: &BTreeMap<usize, usize>, (opening, start): (usize, usize)) -> usize {
        if self.is_from_one_opening() {
            start
        } else {
            cluster(related, opening)
        }
    }

    /// Every pair that counts.
    pub fn pairs(&self) -> impl Iterator<Item = CountedPair> {
        let related = self.related.clusters();
        let one = self.is_from_one_opening();
        let pairings = self.pairings.iter().zip(&self.outcomes);
        let openings = pairings.flat_map(|(&variants, by_opening)| {
            let openings = by_opening.iter();
            openings.map(move |(&place, outcomes)| (variants, place, outcomes))
        });
        openings.flat_map(move |(variants, place, outcomes)| {
            let (opening, start, worker) = place;
            let cluster = (!one).then(|| cluster(&related, opening));
            (0_u8..).zip(outcomes).flat_map(move |(outcome, &count)| {
                let met = CountedPair {
                    variants,
                    opening: if one { start } else { opening },
                    cluster,
                    worker,
                    half_points: [outcome / 3, outcome % 3],
                };
                (0..count).map(move |_| met)
            })
        })
    }
}

fn cluster(related: &BTreeMap<usize, usize>, opening: usize) -> usize {
    related.get(&opening).copied().unwrap_or(opening)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::WorkerName;
    use crate::tournament::WorkerTally;
    use leitai_game::{Move, Verdict};
    use leitai_players::play::{GameRecord, Ply};

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
            drawn_by: None,
            times: leitai_players::play::MoveTimes::default(),
            pv_warnings: Vec::new(),
        }
    }

    fn pair(index: u64, winners: [Option<Side>; 2], hashes: [u64; 2]) -> (PairSpec, PairRecord) {
        let spec = PairSpec {
            index,
            pairing: 0,
            variants: [0, 1],
            opening: 5,
            lap: 0,
            form: leitai_config::PairForm::default(),
        };
        let games = [game(0, 1, winners[0]), game(1, 0, winners[1])];
        (
            spec,
            PairRecord {
                index,
                games: games.into(),
                hashes: hashes.into(),
                spoilt: Vec::new(),
                evidence: leitai_players::play::EvidenceList::default(),
            },
        )
    }

    #[test]
    fn a_repeated_pair_is_reported_and_not_counted() {
        let mut standings = Standings::new(&[[0, 1]]);
        let (spec, record) = pair(0, [Some(Side::First), None], [1, 2]);
        assert_eq!(
            standings.add(&spec, &record, &Replay::default()),
            PairUse::New
        );
        let before = standings.of_variant(0);
        assert_eq!(
            standings.add(&PairSpec { index: 1, ..spec }, &record, &Replay::default()),
            PairUse::Duplicate
        );
        assert_eq!(standings.of_variant(0), before);
        assert_eq!(
            (standings.played, standings.duplicates, standings.games()),
            (2, 1, 2)
        );
        // One different game makes the pair evidence again.
        let (spec, record) = pair(2, [Some(Side::First), None], [1, 3]);
        assert_eq!(
            standings.add(&spec, &record, &Replay::default()),
            PairUse::New
        );
    }

    #[test]
    fn pairs_that_went_alike_against_several_opponents_all_count() {
        let mut standings = Standings::new(&[[0, 1], [0, 2], [1, 2]]);
        let (spec, record) = pair(0, [Some(Side::First), None], [1, 2]);
        standings.add(&spec, &record, &Replay::default());
        let again = PairSpec {
            index: 1,
            pairing: 1,
            variants: [0, 2],
            ..spec
        };
        assert_eq!(
            standings.add(&again, &record, &Replay::default()),
            PairUse::New
        );
        assert_eq!((standings.duplicates, standings.alike), (0, 1));
        assert_eq!(standings.of_variant(0).pairs.pairs(), 2);
        assert_eq!(standings.of_variant(2).pairs.pairs(), 1);
        assert_eq!(standings.independent_pairs(), 1, "the same games");
        let counts: Vec<_> = standings
            .tallies()
            .map(|(_, tally)| tally.pairs.pairs())
            .collect();
        assert_eq!(counts, [1, 1, 0], "head to head both count");
        // The same moves with exchanged sides are no duplicate.
        let swapped = PairSpec {
            index: 2,
            pairing: 2,
            variants: [1, 2],
            ..spec
        };
        let mut record = record;
        for game in &mut record.games {
            (game.first, game.second) = (game.first + 1, game.second + 1);
        }
        standings.add(&swapped, &record, &Replay::default());
        assert_eq!(standings.of_variant(1).pairs.pairs(), 2);
        assert_eq!(standings.of_variant(1).pairs.0, [0, 1, 0, 1, 0]);
        let pairs: Vec<_> = standings.pairs().collect();
        let expected = [[0, 1], [0, 2], [1, 2]].map(|variants| CountedPair {
            variants,
            opening: 0,
            cluster: None,
            worker: 0,
            half_points: [2, 1],
        });
        assert_eq!(pairs, expected);
    }

    /// Each opening is won against one opponent and lost against the other: the score has no
    /// variance. With a single cluster of all openings nothing can be said.
    #[test]
    fn a_row_rests_on_clusters_of_openings() {
        let standings = forty_openings(|opening| vec![opening]);
        assert_eq!(standings.of_variant(0).pairs.0, [40, 0, 0, 0, 40]);
        let effect = standings.effect_of_variant(0);
        assert!(effect.design < 0.03 && effect.interval < 0.2, "{effect:?}");
        assert!(standings.effects().all(|effect| effect == Effect::NONE));
        assert_eq!(standings.independent_pairs(), 80);
        // Every fourth opening is in the same cluster: all won, or all lost.
        let standings = forty_openings(|opening| vec![opening, 1000 + opening % 4]);
        for effect in standings.effects() {
            assert!(
                (effect.design / (40.0 / 3.0) - 1.0).abs() < 0.01,
                "{effect:?}"
            );
        }
        assert_eq!(standings.independent_pairs(), 8);
        assert_eq!(standings.related_openings().len(), 40);
    }

    /// Two pairings over forty openings whose games pass these positions.
    fn forty_openings(passed: impl Fn(u64) -> Vec<u64>) -> Standings {
        let mut standings = Standings::new(&[[0, 1], [0, 2]]);
        for opening in 0..40 {
            for pairing in 0..2_usize {
                let first = [Side::First, Side::Second][(opening + pairing) % 2];
                let other = [Side::Second, Side::First][(opening + pairing) % 2];
                let index = (2 * opening + pairing) as u64;
                let (spec, record) = pair(index, [Some(first), Some(other)], [index; 2]);
                let spec = PairSpec {
                    pairing,
                    variants: [0, pairing + 1],
                    opening,
                    ..spec
                };
                let replay = Replay {
                    start: opening as u64,
                    passed: passed(opening as u64),
                    ..Replay::default()
                };
                standings.add(&spec, &record, &replay);
            }
        }
        standings
    }

    /// Pairs from different openings; one worker wins two of three and the other one.
    fn two_workers(by_the_clock: bool) -> Standings {
        let mut standings = Standings::new(&[[0, 1]]);
        for index in 0..60_u64 {
            let own = index < 30;
            let name = if own { None } else { WorkerName::new("box") };
            let won = (index % 3 == 0) != own;
            let sides = if won {
                Side::BOTH
            } else {
                [Side::Second, Side::First]
            };
            let (spec, mut record) = pair(index, sides.map(Some), [index; 2]);
            if index == 40 {
                record.games[1].verdict.cause = Cause::TimeForfeit;
            }
            let spec = PairSpec {
                opening: index as usize,
                ..spec
            };
            let replay = Replay {
                start: index,
                worker: name,
                elapsed_us: 10 + index,
                by_the_clock,
                ..Replay::default()
            };
            standings.add(&spec, &record, &replay);
            if index == 50 {
                assert_eq!(standings.add(&spec, &record, &replay), PairUse::Duplicate);
            }
        }
        standings
    }

    #[test]
    fn workers_are_counted_under_a_clock() {
        for by_the_clock in [false, true] {
            let standings = two_workers(by_the_clock);
            let workers = standings.workers.tallies();
            let named: Vec<_> = workers.iter().map(|it| it.name.is_some()).collect();
            assert_eq!(named, [false, true]);
            assert_eq!(workers[0].all().0.0, [10, 0, 0, 0, 20]);
            assert_eq!(workers[1].all().0.0, [20, 0, 0, 0, 10]);
            let totals = |it: &&WorkerTally| (it.played, it.time_losses, it.failures);
            let totals: Vec<_> = workers.iter().map(totals).collect();
            assert_eq!(totals, [(30, 0, 0), (31, 1, 0)]);
            assert_eq!(workers[0].elapsed_us, (10..40).sum::<u64>());
            assert_eq!(standings.workers.of_pairing(0).len(), 2);
        }
        let none = two_workers(false);
        assert!(none.effects().all(|effect| effect == Effect::NONE));
        assert_eq!(none.effect_of_variant(0), Effect::NONE);
        assert!(none.pairs().all(|met| met.worker == 0));
        let timed = two_workers(true);
        // OpeningConnections of 10 and -10 pairs: their squares over ½, over 60 pairs of one each.
        for effect in timed.effects().chain([timed.effect_of_variant(1)]) {
            assert!(
                (effect.design - 200.0 / 0.5 / 60.0).abs() < 1e-9,
                "{effect:?}"
            );
            assert_eq!(effect.workers, Some(1.0));
        }
        let mut of_openings = timed.effects_of_openings();
        assert!(of_openings.all(|effect| effect == Effect::NONE));
        assert_eq!(timed.pairs().filter(|met| met.worker == 1).count(), 30);
    }

    #[test]
    fn pairs_may_vary_less_or_more_than_games() {
        let tally = |pairs, wins, losses| Tally {
            pairs: Pentanomial(pairs),
            games: Trinomial {
                wins,
                losses,
                draws: 0,
            },
            ..Tally::default()
        };
        // Every pair is a win and a loss: the pairs do not differ.
        assert_eq!(
            tally([0, 0, 6, 0, 0], 6, 6).pair_variance_ratio(),
            Some(0.0)
        );
        // Both games always have the same result: twice the variance.
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
        // Variant 0 loses both games.
        let (spec, record) = pair(1, [Some(Side::Second), Some(Side::First)], [3, 4]);
        standings.add(&spec, &record, &Replay::default());
        let (zero, one) = (standings.of_variant(0), standings.of_variant(1));
        let Trinomial {
            wins,
            draws,
            losses,
        } = zero.games;
        assert_eq!((wins, draws, losses), (1, 1, 2));
        assert_eq!(zero.pairs.0, [1, 0, 0, 1, 0]);
        assert_eq!(one, zero.mirrored());
        assert_eq!(one.pairs.0, [0, 1, 0, 0, 1]);
        assert_eq!(standings.by_side, [2, 1, 1]);
        assert_eq!((standings.plies, standings.nodes), (12, 120));
    }
}
