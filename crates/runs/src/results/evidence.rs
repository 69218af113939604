//! Groups results into clusters for the ratings.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasherDefault;

use super::pairing::{Paired, pair};
use super::repeated_games::KeyMaker;
use super::{Game, Results};
use leitai_base::count::count;
use leitai_base::settings::choice;
use leitai_stats::{
    Bout, Cluster, Clusters, Crossed, Crossing, Effect, Estimate, FEW_CLUSTERS, Pentanomial,
    estimate_clustered,
};

choice! {
    /// The unit of independence. Games of unknown openings are clustered by pairs.
    #[derive(Default)]
    pub enum ClusterBy {
        /// Openings if all are known and there are two or more, else pairs; with a time limit also
        /// workers.
        #[default]
        Auto = "auto",
        /// All games of an opening, regardless of the players.
        Opening = "opening",
        /// The two games of a pair.
        Pair = "pair",
        /// Every game is independent.
        Game = "game",
    }
}

/// The input of the ratings. The criterion of the clusters: never [`ClusterBy::Auto`].
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The games.
    pub clusters: Vec<Cluster>,
    /// The criterion of the clusters: never [`ClusterBy::Auto`].
    pub by: ClusterBy,
    /// The same games clustered by workers, if several workers affect the errors.
    pub crossing: Option<Crossing>,
    /// Number of these workers, or 0.
    pub workers: usize,
    /// Number of clusters, saturating.
    pub units: u64,
    /// Number of pairs.
    pub pairs: u64,
    /// Games that belong to no pair.
    pub unpaired: u64,
    /// Number of different openings, if all are known.
    pub openings: Option<usize>,
    /// Estimate from each player's score against all opponents together; `None` if some of its
    /// games belong to no pair.
    pub scores: Vec<Option<Estimate>>,
    /// The basis of the errors, and warnings about it.
    pub notes: Vec<String>,
}

impl Results {
    /// Clusters the results, and pairs the games.
    pub fn evidence(&self, by: ClusterBy) -> Evidence {
        let mut paired = pair(&self.games);
        let mut workers = vec![None; paired.pairs.len()];
        for &(pair, worker) in &self.pairs {
            paired.pairs.push(pair);
            workers.push(worker);
        }
        let mut different = BTreeSet::new();
        let mut last = None;
        let alone = paired.alone.iter().map(|at| &self.games[*at as usize]);
        for game in paired.pairs.iter().flatten().chain(alone) {
            if last.replace(game.opening) != Some(game.opening) {
                different.insert(game.opening);
            }
        }
        let related = |opening: &Option<u32>| opening.map(|opening| self.cluster_of(opening));
        let openings: BTreeSet<Option<u32>> = different.iter().map(related).collect();
        for game in paired.pairs.iter_mut().flatten() {
            *game = self.related(game);
        }
        let counted = !(self.counted.is_empty() && self.totals.is_empty());
        let known = !counted && !openings.is_empty() && !openings.contains(&None);
        let units_of = |pairing: &leitai_stats::Pairing| pairing.results.units();
        let sum = |units: u64, more: u64| units.saturating_add(more);
        let in_totals = self.totals.iter().map(units_of).fold(0, sum);
        let in_counts = self.counted.iter().map(units_of).fold(0, sum);
        let mut evidence = Evidence {
            pairs: sum(in_totals, paired.pairs.len() as u64),
            unpaired: sum(in_counts, paired.alone.len() as u64),
            openings: known.then_some(different.len()),
            ..Evidence::default()
        };
        let shared = known && openings.len() < paired.pairs.len() + paired.alone.len();
        // If several openings form one cluster, opening clusters give no error. With a single
        // opening, the pairs vary within that opening.
        let several = openings.len() > 1 || evidence.openings > Some(1);
        evidence.by = match by {
            ClusterBy::Auto if shared && several => ClusterBy::Opening,
            ClusterBy::Auto | ClusterBy::Pair if evidence.pairs > 0 => ClusterBy::Pair,
            ClusterBy::Auto | ClusterBy::Pair => ClusterBy::Game,
            asked => asked,
        };
        if shared {
            let note = few_openings(openings.len(), evidence.by);
            evidence.notes.extend(note);
        }
        if by == ClusterBy::Auto && !counted && self.workers.all().len() > 1 {
            evidence.workers = self.workers.all().len();
            let alone = self.alone(&paired);
            evidence.crossing = Some(crossing(&paired, alone, &workers, evidence.by));
            evidence.notes.push(several_workers(evidence.workers));
        }
        let crossed = evidence.crossing.is_some().then_some(&workers[..]);
        evidence.scores = self.scores(&paired, evidence.by, crossed);
        let mut builder = ClusterBuilder::default();
        for both in &paired.pairs {
            let [one, two] = both.map(|game| bout(&game));
            match (evidence.by, both[0].opening) {
                (ClusterBy::Opening, Some(opening)) => builder.of_opening(opening, &[one, two]),
                (ClusterBy::Game, _) => {
                    builder.add(&mut [one], 1);
                    builder.add(&mut [two], 1);
                }
                _ => builder.add(&mut [one, two], 1),
            }
        }
        for game in self.alone(&paired) {
            match (evidence.by, game.opening) {
                (ClusterBy::Opening, Some(opening)) => builder.of_opening(opening, &[bout(&game)]),
                _ => builder.add(&mut [bout(&game)], 1),
            }
        }
        for (pairings, moved_first) in [(&self.counted, true), (&self.totals, false)] {
            for mut cluster in pairings.iter().flat_map(leitai_stats::Pairing::clusters) {
                for bout in &mut cluster.bouts {
                    bout.moved_first = moved_first;
                }
                builder.add(&mut cluster.bouts, cluster.copies);
            }
        }
        evidence.clusters = builder.clusters();
        let copies = evidence.clusters.iter().map(|cluster| cluster.copies);
        evidence.units = copies.fold(0, sum);
        evidence.notes.extend(unpaired(&evidence));
        evidence.notes.extend(self.silence());
        evidence
    }

    /// The game with the opening that represents the related ones: they count as one.
    fn related(&self, game: &Game) -> Game {
        let opening = game.opening.map(|opening| self.cluster_of(opening));
        Game { opening, ..*game }
    }

    /// The games in no pair, with related openings as one.
    fn alone(&self, paired: &Paired) -> impl Iterator<Item = Game> {
        let alone = paired.alone.iter();
        alone.map(|at| self.related(&self.games[*at as usize]))
    }

    fn scores(
        &self,
        paired: &Paired,
        by: ClusterBy,
        workers: Option<&[Option<u32>]>,
    ) -> Vec<Option<Estimate>> {
        let players = self.players.all().len();
        let mut counts = vec![Pentanomial::default(); players];
        let mut clusters = vec![Crossed::default(); players];
        let by_opening = by == ClusterBy::Opening;
        let is_clustered = by_opening || workers.is_some();
        for (number, [one, two]) in paired.pairs.iter().enumerate() {
            // Opening clusters require that all openings are known.
            let opening = match by {
                ClusterBy::Opening => one.opening.unwrap_or_default() as usize,
                _ => number,
            };
            // Pairs of unknown workers are not related to any others.
            let unknown = self.workers.all().len() + number;
            let worker =
                |workers: &[Option<u32>]| workers[number].map_or(unknown, |it| it as usize);
            let worker = workers.map_or(0, worker);
            let cell = usize::from(one.half_points + 2 - two.half_points.min(2));
            for (player, cell) in [(one.first, cell), (one.second, 4 - cell)] {
                counts[player as usize].0[cell] += 1;
                if is_clustered {
                    clusters[player as usize].record(opening, worker, cell);
                }
            }
        }
        // Single games as units: lost, drawn, won.
        let mut single = vec![Pentanomial::default(); players];
        let mut of_games = vec![Clusters::default(); players];
        let mut add = |player: usize, opening: Option<u32>, results: [u64; 3]| {
            for (half_points, count) in results.into_iter().enumerate() {
                let sum = &mut single[player].0[2 * half_points];
                *sum = sum.saturating_add(count);
                if let (Some(opening), 1) = (opening.filter(|_| by_opening), count) {
                    of_games[player].record(opening as usize, 2 * half_points);
                }
            }
        };
        for pairing in &self.totals {
            if let &[a, b, c, d, e] = pairing.results.counts() {
                let totals = Pentanomial([a, b, c, d, e]);
                counts[pairing.first] += totals;
                counts[pairing.second] += totals.mirror();
            }
        }
        for pairing in &self.counted {
            if let &[lost, drawn, won] = pairing.results.counts() {
                add(pairing.first, None, [lost, drawn, won]);
                add(pairing.second, None, [won, drawn, lost]);
            }
        }
        for game in self.alone(paired) {
            let mut results = [0; 3];
            results[usize::from(game.half_points.min(2))] = 1;
            add(game.first as usize, game.opening, results);
            results.reverse();
            add(game.second as usize, game.opening, results);
        }
        let of = |player: usize| {
            let [pairs, games] = [counts[player], single[player]];
            let (counts, effect) = match (pairs.pairs(), games.pairs()) {
                (_, 0) if is_clustered => (pairs, clusters[player].effect()),
                (_, 0) => (pairs, Effect::NONE),
                (0, _) if by_opening => (games, of_games[player].effect()),
                (0, _) => (games, Effect::NONE),
                _ => return None,
            };
            Some(estimate_clustered(counts, effect))
        };
        (0..players).map(of).collect()
    }
}

/// Clusters the pairs by worker, and by worker and opening. Pairs without a known worker are
/// separate clusters.
fn crossing(
    paired: &Paired,
    games_alone: impl Iterator<Item = Game>,
    workers: &[Option<u32>],
    by: ClusterBy,
) -> Crossing {
    let (mut of_workers, mut of_both) = (ClusterBuilder::default(), BTreeMap::new());
    let mut alone = ClusterBuilder::default();
    for (both, worker) in paired.pairs.iter().zip(workers) {
        let [one, two] = both.map(|game| bout(&game));
        let Some(worker) = *worker else {
            of_workers.add(&mut [one, two], 1);
            alone.add(&mut [one, two], 1);
            continue;
        };
        of_workers.of_opening(worker, &[one, two]);
        match (by, both[0].opening) {
            (ClusterBy::Opening, Some(opening)) => {
                let bag: &mut Vec<Bout> = of_both.entry((opening, worker)).or_default();
                bag.extend([one, two]);
            }
            _ => alone.add(&mut [one, two], 1),
        }
    }
    for game in games_alone {
        of_workers.add(&mut [bout(&game)], 1);
        alone.add(&mut [bout(&game)], 1);
    }
    for mut bag in of_both.into_values() {
        alone.add(&mut bag, 1);
    }
    Crossing {
        workers: of_workers.clusters(),
        both: alone.clusters(),
    }
}

/// A note that errors account for workers.
fn several_workers(workers: usize) -> String {
    format!(
        "the clock limited play, and {workers} workers played: errors include the variance \
         between workers, with {} of freedom (`--cluster opening`, or `pair`, leaves workers out)",
        count(workers as u64 - 1, "degree", "degrees")
    )
}

fn few_openings(openings: usize, by: ClusterBy) -> Option<String> {
    match by {
        ClusterBy::Opening if openings == 1 => Some(format!(
            "all games are related, from one opening or from openings that lead into each other: \
             no error can be estimated ({FEW_CLUSTERS} unrelated openings or more are safe)"
        )),
        ClusterBy::Opening => ((openings as u64) < FEW_CLUSTERS).then(|| {
            format!(
                "only {openings} unrelated openings: errors from so few clusters are wide, and \
                 may miss effects of few openings ({FEW_CLUSTERS} or more are safer)"
            )
        }),
        _ if openings == 1 => Some(
            "all games are from one opening: the errors are those of its pairs, and hold only for \
             that opening"
                .to_owned(),
        ),
        ClusterBy::Pair => Some(
            "the errors are based on pairs, as requested: they do not include the effect of an \
             opening on several pairs"
                .to_owned(),
        ),
        _ => None,
    }
}

fn unpaired(evidence: &Evidence) -> Option<String> {
    let (pairs, unpaired) = (evidence.pairs, evidence.unpaired);
    if evidence.by == ClusterBy::Game && pairs > 0 {
        return Some("every game counts as independent, as requested, also in pairs".to_owned());
    }
    let which = match (unpaired, pairs) {
        (0, _) => return None,
        (_, 0) => "the games are in no pairs".to_owned(),
        _ => format!("{} in no pair", count(unpaired, "game is", "games are")),
    };
    (evidence.by != ClusterBy::Opening).then(|| {
        format!(
            "{which} (same players, colours swapped, the same `FEN` or else `Event` and `Round`, \
             in one file or several): each counts as independent; if they are related, the errors \
             are wrong"
        )
    })
}

fn bout(game: &Game) -> Bout {
    Bout {
        first: game.first as usize,
        second: game.second as usize,
        moved_first: true,
        games: 1,
        half_points: game.half_points.into(),
    }
}

/// Clusters, with equal ones counted.
#[derive(Default)]
struct ClusterBuilder {
    equal: HashMap<Vec<Bout>, u64, BuildHasherDefault<KeyMaker>>,
    openings: BTreeMap<u32, Vec<Bout>>,
}

impl ClusterBuilder {
    fn add(&mut self, bouts: &mut [Bout], copies: u64) {
        bouts.sort_unstable();
        if let Some(count) = self.equal.get_mut(&*bouts) {
            *count = count.saturating_add(copies);
        } else {
            self.equal.insert(bouts.to_vec(), copies);
        }
    }

    fn of_opening(&mut self, opening: u32, bouts: &[Bout]) {
        let all = self.openings.entry(opening).or_default();
        all.extend_from_slice(bouts);
    }

    /// Returns the clusters in an order that does not depend on the numbering of openings.
    fn clusters(mut self) -> Vec<Cluster> {
        for mut bouts in std::mem::take(&mut self.openings).into_values() {
            self.add(&mut bouts, 1);
        }
        let all = self.equal.into_iter();
        let mut all: Vec<Cluster> = all
            .map(|(bouts, copies)| Cluster { bouts, copies })
            .collect();
        all.sort_unstable();
        all
    }
}
