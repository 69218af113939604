//! Two players: score, Elo, normalised Elo and likelihood of superiority.
//!
//! With μ and v the mean and variance of the N units (pairs or games), G the games, z = 1.96, σ =
//! √v for games and √(2v) for pairs:
//!
//! ```text
//! elo   = 400 log₁₀(μ / (1-μ)),   limits: μ ± z √(v/N) through the same map
//! nelo  = (μ-½) / σ · 800/ln 10,  limits: ± z · 347.44 / √G
//! LOS   = Φ((μ-½) / √(v/N))
//! ```
//!
//! These *customary* formulas are those of fishtest (`stat_util.py`) and fastchess
//! (`elo_pentanomial.cpp`, `elo_wdl.cpp`). The nElo limits hold σ fixed, as fastchess does: right
//! for equal players, but too narrow for unequal ones at any N (measured: 0.87 coverage at a score
//! of 0.7, 0.45 at 0.9); [`Estimate::nelo_full`] has the limits that include the error of σ.
//!
//! # Where they break down
//!
//! With few units, or with one-sided or nearly constant results, v is mostly luck: after five pairs
//! all drawn the customary interval is a single point, after two wins and a half it excludes zero.
//! The 95 % interval then covers far less than 95 % (measured: 0.78 at 5 pairs of a 90 % score,
//! 0.63 at 100 pairs with 1 % that are not level).
//!
//! The remedy is one formula for all such cases: the limits come from the counts with z²/2 units
//! added to either extreme outcome. For two outcomes that is the Agresti-Coull interval (The
//! American Statistician 52, 1998; recommended by Brown, Cai and `DasGupta`, Statistical Science
//! 16, 2001); here the extremes of a pair represent the spread not yet seen. After N level pairs it
//! reaches ½ ± 0.080 at N = 20; the exact bound on a law of level and won pairs that yields N level
//! pairs with probability 2.5 % is ½ ± 0.084. The interval always contains μ, because its
//! half-width is at least the shift of its centre.
//!
//! It is used when any of these holds, and [`Basis`] names the first: only one outcome was seen; N
//! < 30; skewness² > N/10; the customary limits leave 0..1. Measured coverage over thirteen laws is
//! then ≥ 0.93 from two units on (test `coverage_table`; with a single unit 0.81 at worst). Limits
//! that reach a score of 0 or 1 are omitted: [`Bound`].
//!
//! Correlated pairs, such as those from one opening, have their own variance
//! (`stats::small_sample`), which replaces v/N and all these rules except the last. If all pairs
//! are one cluster, the error of the score is unknown: there are no limits.
//!
//! Numbers from a match that was stopped because of its result are biased; the caller must say so.

mod nelo;

use serde::{Deserialize, Serialize};

use self::nelo::Nelo;
use super::Multinomial;
use super::clusters::Effect;
use super::logistic::elo_from_lead;
use super::multinomial::Moments;
use super::normal::{self, Z95};

/// Minimum number of units for the customary interval.
const ENOUGH_UNITS: f64 = 30.0;

/// Maximum relative rounding error of a limit.
const ROUNDING: f64 = 1e-14;

/// Total number of units added where the customary formula breaks down: z².
const PSEUDO_UNITS: f64 = Z95 * Z95;

/// The limits that an interval has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// Both limits.
    Both,
    /// "At least": the data set no upper limit.
    Lower,
    /// "At most": the data set no lower limit.
    Upper,
    /// Neither limit: nothing is known.
    #[default]
    Nothing,
}

/// A value with its 95 % interval.
///
/// Every `Some` is finite. Serialises with `null` for parts that cannot be estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ranged {
    /// The point estimate; `None` if it would be infinite or there are no
    /// results.
    pub value: Option<f64>,
    /// Lower 95 % limit, never above `value`.
    pub low: Option<f64>,
    /// Upper 95 % limit, never below `value`.
    pub high: Option<f64>,
    /// The limits that are present.
    pub bound: Bound,
}

impl Ranged {
    /// No value and no limits.
    pub const NOTHING: Self = Self {
        value: None,
        low: None,
        high: None,
        bound: Bound::Nothing,
    };

    /// Extends the interval to include `level` if the likelihood of superiority does not exclude
    /// that the players are equal.
    fn including(self, level: f64, los: f64) -> Self {
        let low = self
            .low
            .map(|low| if los < 0.975 { low.min(level) } else { low });
        let high = self
            .high
            .map(|high| if los > 0.025 { high.max(level) } else { high });
        Self::new(self.value, low, high)
    }

    /// The interval that contains both.
    fn around(&self, other: &Self) -> Self {
        let low = self.low.zip(other.low).map(|(one, other)| one.min(other));
        let high = self.high.zip(other.high).map(|(one, other)| one.max(other));
        Self::new(self.value, low, high)
    }

    /// Omits values that are not finite, and a limit on the wrong side of the value; a limit that
    /// is there only by rounding becomes the value.
    pub fn new(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Self {
        let value = value.filter(|x| x.is_finite());
        let on_side = |side: f64, limit: Option<f64>| {
            let limit = limit.filter(|x| x.is_finite())?;
            match value {
                Some(v) if side * (limit - v) < 0.0 => {
                    ((limit - v).abs() <= ROUNDING * v.abs()).then_some(v)
                }
                _ => Some(limit),
            }
        };
        let (low, high) = (on_side(-1.0, low), on_side(1.0, high));
        let bound = match (low, high) {
            (Some(_), Some(_)) => Bound::Both,
            (Some(_), None) => Bound::Lower,
            (None, Some(_)) => Bound::Upper,
            (None, None) => Bound::Nothing,
        };
        Self {
            value,
            low,
            high,
            bound,
        }
    }
}

/// The method behind an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Basis {
    /// The customary normal formula.
    Customary,
    /// The variance between clusters of correlated units, with Student's factor.
    Clustered,
    /// Pseudo-counts: every result so far was the same.
    NoSpread,
    /// Pseudo-counts: fewer than 30 units.
    FewResults,
    /// Pseudo-counts: rare outcomes decide (skewness² above N/10).
    Skewed,
    /// Pseudo-counts: the customary limits leave the range of scores.
    OneSided,
    /// All units are one cluster: the error is unknown, and there is no interval.
    OneCluster,
    /// There are no results: nothing can be estimated.
    #[default]
    NoResults,
}

impl Basis {
    /// One line for the user; empty if the interval uses the observed variance.
    pub fn note(self) -> &'static str {
        match self {
            Self::Customary | Self::Clustered => "",
            Self::NoSpread => "every result so far is the same: interval from pseudo-counts",
            Self::FewResults => "few results: interval from pseudo-counts",
            Self::Skewed => "rare results decide: interval from pseudo-counts",
            Self::OneSided => "one-sided results: interval from pseudo-counts",
            Self::OneCluster => "all results are one cluster: their error is unknown",
            Self::NoResults => "no results: not estimable",
        }
    }
}

/// The customary limits regardless of their validity, for comparison with other programs: units
/// count as independent even if they are correlated. Limits at a score of 0 or 1 or beyond are
/// `None`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Customary {
    /// Lower 95 % limit in Elo.
    pub elo_low: Option<f64>,
    /// Upper 95 % limit in Elo.
    pub elo_high: Option<f64>,
    /// Half the distance between the two: fishtest and fastchess print it after ±.
    pub elo_half_width: Option<f64>,
    /// Half-width of the nElo interval, z · 347.44 / √G.
    pub nelo_half_width: f64,
}

/// The estimates from a match for its first-named player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Number of independent units: pairs, or games if unpaired.
    pub units: u64,
    /// Number of games.
    pub games: u64,
    /// Mean score, 0..=1; the limits are clamped to 0 and 1.
    pub score: Ranged,
    /// Logistic Elo difference.
    pub elo: Ranged,
    /// Normalised Elo with σ held fixed. The value is the customary one if the variance is above
    /// zero, and so are the limits on the customary basis. On other bases the limit towards zero
    /// comes from the padded counts; the other limit is the wider of padded and plain counts.
    pub nelo: Ranged,
    /// The same with limits that also include the uncertainty of σ, by the delta method: half-width
    /// times `√(1 - γh + (κ-1)h²/4)`, h = (μ-½)/√v, with γ and κ the skewness and kurtosis of one
    /// unit. The limit away from zero uses the observed h; the one towards zero uses the limit
    /// itself for h, so that the limits of score, Elo and both nElo have the same signs. Measured
    /// coverage ≥ 0.92 from 30 units on, at the table's thirteen laws.
    pub nelo_full: Ranged,
    /// Likelihood of superiority, 0..=1, by the customary formula; with pseudo-counts if the
    /// variance is zero. For correlated units it is `los_cautious`: the customary formula would
    /// claim more than they support.
    pub los: Option<f64>,
    /// Likelihood of superiority on the same basis as the intervals: equal to `los` on the
    /// customary basis, nearer to ½ on the others. Above 0.975 exactly if the interval lies above
    /// zero; with few clusters it is based on the signs of their leads ([`Effect::superiority`]),
    /// and the interval follows it.
    pub los_cautious: Option<f64>,
    /// The method behind the intervals.
    pub basis: Basis,
    /// The customary limits; `None` if the variance is zero, or all units are one cluster.
    pub customary: Option<Customary>,
}

impl Estimate {
    /// Keeps only the counts and the score without its error: games that were not played give no
    /// strength.
    #[must_use]
    pub fn without_strength(self) -> Self {
        let [elo, nelo, nelo_full] = [Ranged::NOTHING; 3];
        Self {
            elo,
            nelo,
            nelo_full,
            ..self.without_error()
        }
    }

    /// Keeps the values and removes their errors.
    fn without_error(mut self) -> Self {
        for range in self.ranges() {
            *range = Ranged::new(range.value, None, None);
        }
        Self {
            los: None,
            los_cautious: None,
            basis: Basis::OneCluster,
            customary: None,
            ..self
        }
    }

    fn ranges(&mut self) -> [&mut Ranged; 4] {
        let [score, elo] = [&mut self.score, &mut self.elo];
        [score, elo, &mut self.nelo, &mut self.nelo_full]
    }

    /// Widens the intervals to include those of `other`, and takes the more cautious likelihoods of
    /// superiority.
    fn widened(mut self, mut other: Self) -> Self {
        let doubtful = |one: Option<f64>, other: Option<f64>| {
            let (one, other) = (one?, other?);
            let is_nearer = (one - 0.5).abs() < (other - 0.5).abs();
            Some(if is_nearer { one } else { other })
        };
        let width = |of: &Ranged| of.high.zip(of.low).map(|(high, low)| high - low);
        let is_wider = width(&other.score) > width(&self.score);
        for (range, other) in self.ranges().into_iter().zip(other.ranges()) {
            *range = range.around(other);
        }
        Self {
            los: doubtful(self.los, other.los),
            los_cautious: doubtful(self.los_cautious, other.los_cautious),
            basis: if is_wider { other.basis } else { self.basis },
            ..self
        }
    }

    /// Returns whether the leader is stronger with certainty (97.5 %).
    pub fn is_sure(&self) -> bool {
        self.score.low > Some(0.5) || self.score.high.is_some_and(|high| high < 0.5)
    }
}

/// Estimates a two-player match from pair or game counts that count as independent. Never fails.
pub fn estimate(results: impl Into<Multinomial>) -> Estimate {
    estimate_clustered(results, Effect::NONE)
}

/// The same for units correlated according to `effect`
/// ([`Clusters::effect`](super::Clusters::effect)): `n` units carry as much information as `n /
/// effect.design` independent ones.
pub fn estimate_clustered(results: impl Into<Multinomial>, effect: Effect) -> Estimate {
    let results = results.into();
    if let Some(openings) = effect.without_workers() {
        let all = Effect {
            shared: true,
            superiority: None,
            workers: None,
            ..effect
        };
        let wide = estimate_clustered(results, all);
        return estimate_clustered(results, openings).widened(wide);
    }
    let is_inflated = effect.shared && effect.interval > 0.0;
    let inflation = if is_inflated { effect.interval } else { 1.0 };
    let padded = results.moments_with_ends(PSEUDO_UNITS * inflation);
    let Some((mut plain, mut padded)) = results.moments().zip(padded) else {
        return Estimate::default();
    };
    let independent = Normal::new(&plain);
    plain.units /= inflation;
    padded.units /= inflation;
    let basis = basis(&plain, effect.shared);
    let as_seen = matches!(basis, Basis::Customary | Basis::Clustered);
    let used = Normal::new(if as_seen { &plain } else { &padded });
    let spread = plain.variance > 0.0;
    let seen = Normal::new(&plain);
    let nelo = Nelo {
        games_per_unit: results.games_per_unit() as f64,
        plain: &seen,
        used: &used,
        customary: as_seen,
    };
    let by_error = normal::cdf(if spread { seen.t } else { used.t });
    let cautious = effect.superiority.unwrap_or(normal::cdf(used.t));
    let mut estimate = Estimate {
        units: results.units(),
        games: results.games(),
        score: Ranged::new(
            Some(plain.mean),
            Some((0.5 + used.low()).max(0.0)),
            Some((0.5 + used.high()).min(1.0)),
        ),
        elo: Ranged::new(
            elo_from_lead(plain.lead),
            elo_from_lead(used.low()),
            elo_from_lead(used.high()),
        ),
        nelo: nelo.fixed(),
        nelo_full: nelo.full(),
        los: Some(if effect.shared { cautious } else { by_error }),
        los_cautious: Some(cautious),
        basis,
        customary: spread.then(|| {
            let elo_low = elo_from_lead(independent.low());
            let elo_high = elo_from_lead(independent.high());
            Customary {
                elo_low,
                elo_high,
                elo_half_width: elo_low.zip(elo_high).map(|(low, high)| (high - low) / 2.0),
                nelo_half_width: nelo.half_width(&independent),
            }
        }),
    };
    match effect.superiority {
        _ if effect.is_unknown() => estimate.without_error(),
        Some(los) => {
            for (range, level) in estimate.ranges().into_iter().zip([0.5, 0.0, 0.0, 0.0]) {
                *range = range.including(level, los);
            }
            estimate
        }
        None => estimate,
    }
}

fn basis(plain: &Moments, clustered: bool) -> Basis {
    let normal = Normal::new(plain);
    let is_skewed = normal.skewness * normal.skewness > plain.units / 10.0;
    if plain.variance <= 0.0 {
        Basis::NoSpread
    } else if !clustered && plain.units < ENOUGH_UNITS {
        Basis::FewResults
    } else if !clustered && (is_skewed || !normal.skewness.is_finite()) {
        Basis::Skewed
    } else if normal.low() <= -0.5 || normal.high() >= 0.5 {
        Basis::OneSided
    } else if clustered {
        Basis::Clustered
    } else {
        Basis::Customary
    }
}

/// Normal approximation of the mean.
#[derive(Clone, Copy, Debug)]
struct Normal {
    units: f64,
    /// Mean minus ½.
    lead: f64,
    /// Standard error of the mean.
    error: f64,
    /// lead / error; 0 if both vanish.
    t: f64,
    /// Skewness γ of one unit.
    skewness: f64,
    /// (κ-1)/4, κ being the kurtosis of one unit.
    tails: f64,
}

impl Normal {
    fn new(moments: &Moments) -> Self {
        let variance = moments.variance;
        let error = (variance / moments.units).sqrt();
        let ratio = if moments.lead == 0.0 {
            0.0
        } else {
            moments.lead / variance.sqrt()
        };
        Self {
            units: moments.units,
            lead: moments.lead,
            error,
            t: ratio * moments.units.sqrt(),
            skewness: moments.third / libm::pow(variance, 1.5),
            tails: (moments.fourth / (variance * variance) - 1.0) / 4.0,
        }
    }

    /// √N times the standard error of h = lead/√v, by the delta method.
    fn ratio_error(&self) -> f64 {
        let ratio = self.t / self.units.sqrt();
        let factor = 1.0 - self.skewness * ratio + self.tails * ratio * ratio;
        factor.max(0.0).sqrt()
    }

    /// The t of the ratio farthest from the observed one on this side that the results do not
    /// contradict. Each ratio is tested with the error that it would have itself, as in Wilson's
    /// interval for shares (JASA 22, 1927). At the ratio 0 that error is 1, so 0 is excluded
    /// exactly if the mean's interval excludes it.
    ///
    /// For the side of zero; the root u of `(t-u)² = z²(1 - γu/√N + (κ-1)u²/4N)`.
    fn nearest(&self, side: f64) -> f64 {
        let square = Z95 * Z95;
        let t = -side * self.t;
        let skewness = -side * self.skewness;
        let leading = 1.0 - square * self.tails / self.units;
        let middle = 2.0 * t - square * skewness / self.units.sqrt();
        let constant = (t - Z95) * (t + Z95);
        let discriminant = middle * middle - 4.0 * leading * constant;
        let sum = middle + discriminant.sqrt();
        let nearest = if sum > 0.0 {
            2.0 * constant / sum
        } else {
            // With so heavy tails the results contradict no ratio beyond zero.
            t - Z95 * self.ratio_error().max(1.0)
        };
        -side * nearest
    }

    /// Lower limit of the mean, minus ½.
    fn low(&self) -> f64 {
        self.lead - Z95 * self.error
    }

    /// Upper limit of the mean, minus ½.
    fn high(&self) -> f64 {
        self.lead + Z95 * self.error
    }
}

#[cfg(test)]
mod tests;
