//! Ratings of resampled games: an independent estimate of errors, and rank probabilities.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use rayon::prelude::*;
use serde::Serialize;

use super::evidence::{self, Cluster};
use super::fit::{Model, PATIENT, Term};
use super::graph::Scored;
use super::group::Field;
use super::{RatingOptions, RatingsError, Scale};
use crate::bootstrap::{MIN_UNITS, tail};
use crate::logistic::ELO_PER_LOGIT;
use leitai_base::threads::pool;

/// Maximum number of steps of a fit that starts at the ratings: a resample that needs more has no
/// finite maximum.
const IMPATIENT: u32 = 60;

/// Largest share of resamples without finite ratings for which intervals are reported.
const TOLERATED: f64 = 0.025;

/// Results of the resamples for one number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Resampled {
    /// The standard deviation over the resamples, in Elo.
    pub error: f64,
    /// Lower limit of the 95 % percentile interval.
    pub low: f64,
    /// Upper limit.
    pub high: f64,
    /// Share of the resamples in which the player is first of its group; 0 for the advantage of the
    /// first move.
    pub first: f64,
}

/// Results of all resamples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Resamples {
    /// Number of resamples drawn.
    pub drawn: u32,
    /// Number of resamples without finite ratings, because a player won or lost everything; they
    /// are left out.
    pub without_ratings: u32,
    /// Results for each player; `None` without a rating, and for all with fewer than six clusters,
    /// or if more than 2.5 % of the resamples have no ratings.
    pub players: Vec<Option<Resampled>>,
    /// Results for the advantage of the first move, if it is fitted.
    pub first_move: Option<Resampled>,
}

/// Resamples the clusters, with replacement, `resamples` times, and rates each resample.
///
/// `draw` returns a uniform random number below its argument. The same numbers give the same result
/// with any number of threads. Time grows with the number of clusters, each copy counted.
///
/// Intervals are expanded percentile intervals, as in [`bootstrap`](crate::bootstrap).
///
/// # Errors
/// The same as for [`rate`](super::rate).
pub fn resample(
    players: usize,
    clusters: &[Cluster],
    options: &RatingOptions<'_>,
    resamples: u32,
    mut draw: impl FnMut(u64) -> u64 + Send,
    threads: NonZeroUsize,
) -> Result<Resamples, RatingsError> {
    let meetings = evidence::meetings(players, clusters)?;
    let components = Scored::of(players, &meetings).components();
    let large: Vec<&Vec<usize>> = components.iter().filter(|c| c.len() > 1).collect();
    let field = Field::new(players, &large, &meetings, clusters, None);
    let mut result = Resamples {
        drawn: resamples,
        without_ratings: 0,
        players: vec![None; players],
        first_move: None,
    };
    let (model, _) = field.model(options.first_move);
    let urn = Urn::new(&field);
    if large.is_empty() || urn.size < MIN_UNITS as u64 {
        return Ok(result);
    }
    let best = model.maximise(&field.terms, &vec![0.0; model.size()], PATIENT);
    let (Some(best), model) = (best, &model) else {
        return Ok(result);
    };
    // Resamples are drawn one after another, by the thread that rates them.
    let drawn = (0..resamples).map(|number| (number, urn.terms(&mut draw)));
    let rated = drawn.par_bridge().filter_map(|(number, terms)| {
        let logits = model.maximise(&terms, &best, IMPATIENT)?;
        Some((number, in_gauge(&field, model, &logits, options)))
    });
    let samples: BTreeMap<u32, Vec<f64>> = pool(threads).install(|| rated.collect());
    let samples: Vec<Vec<f64>> = samples.into_values().collect();
    result.without_ratings = resamples - samples.len() as u32;
    let most = TOLERATED * f64::from(resamples);
    if samples.is_empty() || f64::from(result.without_ratings) > most {
        return Ok(result);
    }
    let tail = tail(usize::try_from(urn.size).unwrap_or(usize::MAX));
    let mut first = vec![0.0; model.players];
    for sample in &samples {
        for group in &model.groups {
            let best = group.iter().map(|&i| sample[i]).fold(f64::MIN, f64::max);
            let leaders = || group.iter().filter(|&&i| sample[i] >= best);
            // Players of equal rating share the first place.
            for &leader in leaders() {
                first[leader] += 1.0 / leaders().count() as f64;
            }
        }
    }
    for parameter in 0..model.size() {
        let values = samples.iter().map(|sample| sample[parameter]).collect();
        let mut resampled = spread(values, tail);
        if let Some(&player) = field.players.get(parameter) {
            resampled.first = first[parameter] / samples.len() as f64;
            result.players[player] = Some(resampled);
        } else {
            result.first_move = Some(resampled);
        }
    }
    Ok(result)
}

/// Converts the parameters of a resample to Elo, on the anchors' scale if there are any.
fn in_gauge(field: &Field, model: &Model, logits: &[f64], options: &RatingOptions<'_>) -> Vec<f64> {
    let mut elo: Vec<f64> = logits.iter().map(|x| x * ELO_PER_LOGIT).collect();
    for group in &model.groups {
        let scale = Scale::of(field, group, options.anchors, logits);
        for &i in group {
            elo[i] = scale.elo(i, logits[i]);
        }
    }
    elo
}

fn spread(mut values: Vec<f64>, tail: f64) -> Resampled {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    values.sort_by(f64::total_cmp);
    let cut = (tail * count) as usize;
    Resampled {
        error: (squares / (count - 1.0).max(1.0)).sqrt(),
        low: values[cut],
        high: values[values.len() - 1 - cut],
        first: 0.0,
    }
}

/// The clusters to draw from.
struct Urn<'f> {
    field: &'f Field,
    /// Number of copies up to and including each cluster.
    ends: Vec<u64>,
    /// Number of all copies.
    size: u64,
    /// The bouts of each cluster: number of the term, and points of the term's two players.
    bouts: Vec<Vec<(usize, f64, f64)>>,
}

impl<'f> Urn<'f> {
    fn new(field: &'f Field) -> Self {
        let numbers = field.terms.iter().enumerate();
        let numbers: BTreeMap<_, _> = numbers.map(|(number, term)| (term.key, number)).collect();
        let mut size = 0_u64;
        let ends = field.clusters.iter().map(|cluster| {
            size = size.saturating_add(cluster.copies);
            size
        });
        let ends = ends.collect();
        // Terms use the field's indices, which may order two players differently: look up both
        // directions.
        let bout = |bout: &evidence::Bout| {
            let Term { key, won, lost } = bout.term();
            let turned = (key.1, key.0, false);
            match (numbers.get(&key), numbers.get(&turned)) {
                (Some(&number), _) => Some((number, won, lost)),
                (None, Some(&number)) if !key.2 => Some((number, lost, won)),
                _ => None,
            }
        };
        let bouts = field.clusters.iter();
        let bouts = bouts.map(|cluster| cluster.bouts.iter().filter_map(bout).collect());
        let bouts = bouts.collect();
        Self {
            field,
            ends,
            size,
            bouts,
        }
    }

    /// Draws a resample and returns its terms of the likelihood.
    fn terms(&self, draw: &mut impl FnMut(u64) -> u64) -> Vec<Term> {
        let mut times = vec![0_u64; self.ends.len()];
        for _ in 0..self.size {
            let drawn = draw(self.size);
            times[self.ends.partition_point(|&end| end <= drawn)] += 1;
        }
        let mut terms = self.field.terms.clone();
        for term in &mut terms {
            (term.won, term.lost) = (0.0, 0.0);
        }
        for (bouts, &times) in self.bouts.iter().zip(&times) {
            for &(number, won, lost) in bouts.iter().filter(|_| times > 0) {
                terms[number].won += times as f64 * won;
                terms[number].lost += times as f64 * lost;
            }
        }
        terms
    }
}
