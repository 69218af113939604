//! The results of a run as data, from which the table and the JSON are made.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use serde::Serialize;

use super::starts::why_not;
use super::workers::one_worker;
use super::{FailureShare, LapsSummary, PlaySummary, StartPly, uneven_speeds};
use crate::results;
use crate::tournament::{Plan, Standings, Tally};
use leitai_base::count::count;
use leitai_config::Config;
use leitai_game::Cause;
use leitai_stats::{
    ConfidenceSequence, Effect, Estimate, Information, Multinomial, Pentanomial, Ranged, Rating,
    RatingOptions, estimate_clustered, rate,
};

/// The results of a run so far.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Name of the game.
    pub game: &'static str,
    /// The side whose score is the first mover's, in the terms of the game.
    #[serde(skip)]
    pub first_score: &'static str,
    /// Pairs in the whole schedule.
    pub pairs: u64,
    /// Pairs played.
    pub pairs_played: u64,
    /// Pairs left out because they repeat an earlier one move for move.
    pub duplicate_pairs: u64,
    /// Games counted.
    pub games: u64,
    /// Openings in the book.
    pub book_openings: usize,
    /// Different openings played.
    pub distinct_openings: usize,
    /// Different openings that belong to a cluster with others, because games from them transposed
    /// into each other.
    pub related_openings: usize,
    /// Number of independent pairs: one for each cluster of openings that a pairing has played;
    /// identical pairs of several pairings count once.
    pub effective_pairs: u64,
    /// True if the intervals have their nominal error rates.
    pub error_rates_hold: bool,
    /// The reason if the error rates do not hold, and a remedy.
    pub error_rates_reason: Option<String>,
    /// Start plies of the games; `None` if they are unknown for all openings.
    pub start_ply: Option<StartPly>,
    /// Share of the points of the first mover (Go: the attacker), 0 to 1; `None` without games.
    pub first_mover_score: Option<f64>,
    /// Share of drawn games, 0 to 1.
    pub draw_rate: Option<f64>,
    /// Mean plies per game after the opening.
    pub mean_plies: Option<f64>,
    /// Causes of the games' ends, most frequent first.
    pub causes: Vec<CauseCount>,
    /// The games' limits, times, workers and failures.
    #[serde(flatten)]
    pub play: PlaySummary,
    /// The variant that failed in all its first games, which ended the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing: Option<String>,
    /// The variants, best rating first.
    pub variants: Vec<VariantRow>,
    /// The pairings, in schedule order.
    pub pairings: Vec<PairingRow>,
    /// Warnings about the reliability of the numbers.
    pub warnings: Vec<String>,
}

/// Number of games with a certain cause of their end.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CauseCount {
    /// The cause.
    pub cause: Cause,
    /// Number of games.
    pub games: u64,
}

/// One variant against all its opponents.
#[derive(Clone, Debug, Serialize)]
pub struct VariantRow {
    /// The variant's name.
    pub name: String,
    /// The variant's results.
    #[serde(flatten)]
    pub results: Results,
    /// The rating that fits all results together, as in `leitai rate`; `None` if no finite one
    /// fits.
    pub rating: Option<VariantRating>,
}

impl VariantRow {
    /// Sort key of variants: the rating, since opponents of a gauntlet have met one player only,
    /// then the score where ratings are equal or not finite.
    fn strength(&self) -> [f64; 2] {
        let score = self.results.estimate.score.value;
        let score = score.unwrap_or(f64::NEG_INFINITY);
        // No finite rating: all games won, all lost, or none against the others.
        let open = if score >= 1.0 {
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        };
        [self.rating.map_or(open, |rating| rating.elo), score]
    }
}

/// A rating, in Elo above the mean of all variants.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct VariantRating {
    /// The rating.
    pub elo: f64,
    /// Standard error of the rating.
    pub se: Option<f64>,
    /// Lower 95 % limit.
    pub elo_low: Option<f64>,
    /// Upper 95 % limit.
    pub elo_high: Option<f64>,
}

/// One pairing, from its first variant's point of view.
#[derive(Clone, Debug, Serialize)]
pub struct PairingRow {
    /// The variant to which the numbers refer.
    pub first: String,
    /// The opponent.
    pub second: String,
    /// Results of the first variant.
    #[serde(flatten)]
    pub results: Results,
    /// Information of a pair from these openings about the players, as measured by `leitai openings
    /// check --play`; `None` if all pairs had the same result.
    pub information: Option<Information>,
    /// True if pairs began from the same opening; the standard errors of `information` assume
    /// independent pairs.
    pub shares_openings: bool,
    /// The first lap through the book and the later laps; absent unless there are later laps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub laps: Option<LapsSummary>,
    /// The player whose games all ended in failures, if there is one; the results then say nothing
    /// about the strength of either player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided_by: Option<String>,
}

/// Counts of results and the estimates from them.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by outcome: both lost, a loss and a draw, level, a win and a
    /// draw, both won.
    pub pentanomial: [u64; 5],
    /// Pairs whose two games have the same moves: swapping the players changed nothing.
    pub alike_pairs: u64,
    /// Share of drawn games, 0 to 1.
    pub draw_rate: Option<f64>,
    /// Pairs won per pair lost; `None` if none was lost.
    pub pair_ratio: Option<f64>,
    /// Score, Elo and nElo with 95 % intervals, LOS.
    pub estimate: Estimate,
    /// Elo with an anytime-valid 95 % interval, so that the run may be watched and stopped at will.
    pub any_time: Ranged,
    /// Mean winning margin; absent in games without margins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
    /// The squared width of the interval relative to that of the same number of independent pairs;
    /// `None` with a single opening or identical results of all pairs.
    pub design_effect: Option<f64>,
    /// Number of independent pairs with the same information: pairs divided by `design_effect`.
    pub effective_pairs: Option<f64>,
}

/// The mean margin of games that ended by a count, in discs (Othello).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Margin {
    /// Games that ended by a count; the others ended by adjudication or a failure.
    pub games: u64,
    /// Mean margin of the variant, with a 95 % interval over pairs.
    pub discs: Ranged,
}

/// 1 minus the confidence of all intervals.
const ALPHA: f64 = 0.05;

/// The mean margin, without an interval if the design effect is unknown.
fn discs(tally: &Tally, effect: Effect) -> Ranged {
    let mean = tally.margins.mean(effect.interval.max(1.0));
    if effect.is_unknown() {
        Ranged::new(mean.value, None, None)
    } else {
        mean
    }
}

impl Results {
    /// The results of a pairing, with the standard error of `effect`.
    pub fn of(tally: &Tally, effect: Effect) -> Self {
        let games = tally.games.games();
        let design_effect = effect.supported();
        let pairs = tally.pairs.pairs() as f64;
        let Pentanomial(pentanomial) = tally.pairs;
        let results: Multinomial = if games == tally.pairs.pairs() {
            tally.games.into() // single games
        } else {
            tally.pairs.into()
        };
        Self {
            wins: tally.games.wins,
            draws: tally.games.draws,
            losses: tally.games.losses,
            pentanomial,
            alike_pairs: tally.alike,
            draw_rate: share(tally.games.draws, games),
            pair_ratio: tally.pairs.pair_ratio(),
            estimate: estimate_clustered(results, effect),
            any_time: ConfidenceSequence::of_clustered(tally.pairs, effect, ALPHA)
                .interval()
                .elo,
            margin: (tally.margins.games() > 0).then(|| Margin {
                games: tally.margins.games(),
                discs: discs(tally, effect),
            }),
            design_effect,
            effective_pairs: design_effect.map(|effect| pairs / effect),
        }
    }

    /// Keeps only the counts if the games say nothing about strength.
    #[must_use]
    pub fn without_strength_if(self, is_undecided: bool) -> Self {
        if !is_undecided {
            return self;
        }
        Self {
            estimate: self.estimate.without_strength(),
            any_time: Ranged::NOTHING,
            margin: None,
            ..self
        }
    }

    /// Returns whether score and discs each significantly favour a different player.
    fn disagrees(&self) -> bool {
        let ahead = |range: &Ranged| range.low.is_some_and(|low| low > 0.0);
        let behind = |range: &Ranged| range.high.is_some_and(|high| high < 0.0);
        self.margin.is_some_and(|margin| {
            let (elo, discs) = (&self.estimate.elo, &margin.discs);
            (ahead(elo) && behind(discs)) || (behind(elo) && ahead(discs))
        })
    }
}

impl Summary {
    /// Summarizes `standings` under `plan`.
    pub fn new(plan: &Plan, standings: &Standings) -> Self {
        let pairings = pairings(plan, standings);
        let variants = rows(plan, standings);
        let causes = standings.causes.iter();
        let causes = causes.map(|(&cause, &games)| CauseCount { cause, games });
        let mut causes: Vec<_> = causes.collect();
        causes.sort_by_key(|count| (std::cmp::Reverse(count.games), count.cause));
        let games = standings.games();
        let [first, _, draws] = standings.by_side;
        let error_rates_reason =
            why_not(standings, pairings.iter().filter_map(|it| it.laps.as_ref()));
        let failing = standings.ended_by();
        Self {
            game: plan.config.game.name(),
            first_score: plan.config.game.card.facts().first_score,
            pairs: plan.schedule.len(),
            pairs_played: standings.played,
            duplicate_pairs: standings.duplicates,
            games,
            book_openings: plan.book.len(),
            distinct_openings: standings.distinct_openings(),
            related_openings: standings.related_openings().len(),
            effective_pairs: standings.independent_pairs(),
            error_rates_hold: error_rates_reason.is_none(),
            warnings: warnings(plan, standings, &pairings, error_rates_reason.as_deref()),
            error_rates_reason,
            start_ply: StartPly::of(&standings.start_plies),
            first_mover_score: share(2 * first + draws, 2 * games),
            draw_rate: share(draws, games),
            mean_plies: share(standings.plies, games),
            causes,
            play: PlaySummary::of(plan, standings),
            failing: failing.map(|it| plan.config.variants[it.variant].name.clone()),
            variants,
            pairings,
        }
    }
}

/// Returns the player of a pairing that finished no game, if any.
fn absent(standings: &Standings, pairing: [usize; 2]) -> Option<usize> {
    Some(standings.reliability.without_finished(pairing)?.variant)
}

/// The variants that play, by descending rating.
fn rows(plan: &Plan, standings: &Standings) -> Vec<VariantRow> {
    let all = plan.schedule.pairings();
    let undecided = all.iter().filter(|&&it| absent(standings, it).is_some());
    let undecided: BTreeSet<usize> = undecided.flatten().copied().collect();
    let ratings = if undecided.is_empty() {
        ratings(plan.config.variants.len(), standings)
    } else {
        Vec::new()
    };
    let plays = |index: &usize| all.iter().any(|pairing| pairing.contains(index));
    let variants = plan.config.variants.iter().enumerate();
    let variants = variants.filter(|(index, _)| plays(index));
    let mut rows: Vec<VariantRow> = variants
        .map(|(index, variant)| {
            let effect = standings.effect_of_variant(index);
            let results = Results::of(&standings.of_variant(index), effect);
            VariantRow {
                name: variant.name.clone(),
                results: results.without_strength_if(undecided.contains(&index)),
                rating: ratings.get(index).copied().flatten(),
            }
        })
        .collect();
    // A stable sort keeps ties in the order of the config.
    rows.sort_by(|a, b| {
        let [a, b] = [a, b].map(VariantRow::strength);
        b.partial_cmp(&a).unwrap_or(Ordering::Equal)
    });
    rows
}

fn pairings(plan: &Plan, standings: &Standings) -> Vec<PairingRow> {
    let name = |index: usize| plan.config.variants[index].name.clone();
    let tallies = standings.tallies().zip(standings.effects());
    let pairings = tallies.enumerate();
    let pairings = pairings.map(|(pairing, (([first, second], tally), effect))| {
        let absent = absent(standings, [first, second]);
        PairingRow {
            laps: LapsSummary::of(standings, pairing),
            first: name(first),
            second: name(second),
            information: tally.information().filter(|_| absent.is_none()),
            shares_openings: effect.shared,
            results: Results::of(tally, effect).without_strength_if(absent.is_some()),
            undecided_by: absent.map(name),
        }
    });
    pairings.collect()
}

/// The conclusion if swapping the players changed no pair.
pub(super) fn played_alike(pairs: u64) -> String {
    // Clopper and Pearson's bound for 0 of n pairs: (1 - p)^n = 0.05.
    let most = 1.0 - libm::pow(ALPHA, 1.0 / pairs as f64);
    format!(
        "the variants played identical games in {pairs} of {}: the difference between them affects \
         at most {:.1} % of the pairs (95 %)",
        count(pairs, "pair", "pairs"),
        100.0 * most
    )
}

/// Ratings by variant from the pairs that count, as in `leitai rate`.
fn ratings(variants: usize, standings: &Standings) -> Vec<Option<VariantRating>> {
    let mut results = results::Results::default();
    for variant in 0..variants {
        results.players.number(&variant.to_string());
    }
    for met in standings.pairs() {
        let ([one, two], points) = (met.variants, met.half_points);
        let cluster = met.cluster.map(|cluster| cluster.to_string());
        let opening = Some(results.opening(&met.opening.to_string(), cluster.as_deref()));
        let game = |first, second, half_points| results::Game {
            file: 0,
            first,
            second,
            half_points,
            opening,
            round: None,
        };
        let pair = [
            game(one as u32, two as u32, points[0]),
            game(two as u32, one as u32, 2_u8.saturating_sub(points[1])),
        ];
        results.add_pair(pair, Some(&met.worker.to_string()));
    }
    let evidence = results.evidence(results::ClusterBy::Auto);
    let options = RatingOptions {
        crossing: evidence.crossing.as_ref(),
        ..RatingOptions::default()
    };
    let rated = rate(variants, &evidence.clusters, &options);
    let players = rated.map_or_else(|_| Vec::new(), |rated| rated.players);
    let of = |rating: &Rating| {
        Some(VariantRating {
            elo: rating.elo.value?,
            se: rating.error,
            elo_low: rating.elo.low,
            elo_high: rating.elo.high,
        })
    };
    players.iter().map(of).collect()
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Warnings about variants that failed in more than the tolerated share of their games.
fn often_failed(plan: &Plan, standings: &Standings) -> Vec<String> {
    let tolerate = plan.config.failures.tolerate;
    let ended_by = standings.ended_by().map(|failing| failing.variant);
    let variants = plan.config.variants.iter().enumerate();
    let others = variants.filter(|(index, _)| ended_by != Some(*index));
    let failing = others.filter_map(|(index, variant)| {
        let own = standings.reliability.of(index);
        let words = FailureShare::from(own).words()?;
        (!tolerate.allows(own.failed, own.games)).then(|| {
            format!(
                "`{}` {words}, more than `tolerate` = {tolerate}: its results measure failures as \
                 well as play",
                variant.name
            )
        })
    });
    failing.collect()
}

fn warnings(
    plan: &Plan,
    standings: &Standings,
    pairings: &[PairingRow],
    error_rates_reason: Option<&str>,
) -> Vec<String> {
    let mut warnings = Vec::from_iter(uneven_speeds(&plan.speeds));
    warnings.extend(often_failed(plan, standings));
    let (needed, there) = (plan.schedule.rounds(), plan.book.len() as u64);
    if there < needed {
        warnings.push(format!(
            "the book is small: {} for {} per pairing, so openings repeat",
            count(there, "opening", "openings"),
            count(needed, "pair", "pairs")
        ));
    }
    if standings.duplicates > 0 {
        warnings.push(format!(
            "{} of {} an earlier one move by move: no evidence, and not counted",
            standings.duplicates,
            count(standings.played, "pair repeats", "pairs repeat")
        ));
    }
    if standings.alike > 0 {
        warnings.push(format!(
            "{} a variant's pair went move by move as its pair against another opponent: \
             each counts, and as they are from one opening they are one cluster in the errors",
            count(standings.alike, "time", "times")
        ));
    }
    let related = standings.related_openings();
    if !related.is_empty() {
        let clusters: BTreeSet<_> = related.values().collect();
        warnings.push(format!(
            "games from {} openings transposed into each other: they form {}, {}",
            related.len(),
            count(clusters.len() as u64, "cluster", "clusters"),
            if standings.clusters() == 1 {
                "and no error can be estimated"
            } else {
                "the basis of the intervals"
            }
        ));
    }
    warnings.extend(error_rates_reason.map(str::to_owned));
    warnings.extend(one_worker(&plan.config, standings));
    if standings.causes.contains_key(&Cause::TimeForfeit) {
        warnings.push("games were lost on time: the machine may be overloaded".to_owned());
    }
    warnings.extend(faults(standings));
    for versus in pairings {
        let pairs = versus.results.pentanomial.iter().sum();
        let is_alike = versus.results.alike_pairs == pairs && versus.undecided_by.is_none();
        if pairs > 0 && is_alike {
            warnings.push(format!(
                "`{}` and `{}`: {}",
                versus.first,
                versus.second,
                played_alike(pairs)
            ));
        }
    }
    for versus in pairings.iter().filter(|versus| versus.results.disagrees()) {
        warnings.push(format!(
            "by points and by discs not the same of `{}` and `{}` is better: the points decide",
            versus.first, versus.second
        ));
    }
    warnings.extend(unreproducible(&plan.config));
    warnings
}

/// Reasons why the same games cannot be played again.
pub(super) fn unreproducible(config: &Config) -> impl Iterator<Item = String> {
    let programs = "other programs played: the games repeat only if those programs do";
    let clock = "play was limited by the clock: the games cannot be reproduced";
    let programs = config.has_programs().then(|| programs.to_owned());
    let clock = config.is_timed().then(|| clock.to_owned());
    programs.into_iter().chain(clock)
}

/// A note on the number of games without information about strength because of an engine failure.
fn faults(standings: &Standings) -> Option<String> {
    let causes = standings.causes.iter();
    let failures = causes.filter(|(cause, _)| cause.is_failure());
    let games: u64 = failures.map(|(_, games)| games).sum();
    (games > 0).then(|| {
        let games = count(games, "game was", "games were");
        format!("{games} lost by a fault of the loser, not by its play: see the endings")
    })
}
