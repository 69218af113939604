//! Statistics of matches: Elo, tests, ratings, planning and the arithmetic of tuners, one file per
//! formula family.
//!
//! ```text
//! pentanomial ┐                    ┌ estimate   two players: Elo, nElo, LOS
//!             ├ multinomial (shared) ┤
//! trinomial   ┘                    └ ratings    many players
//! logistic, normal                   scales used by both
//! clusters, small_sample             results that hang together
//! sequential                         what all sequential tests share
//! gsprt                              the likelihood ratio test on pairs
//! strict                             a test that may be watched at will
//! group_sequential                   a few looks on the way to a fixed end
//! confidence                         an interval that may be watched at will
//! many                               many candidates against one base
//! prior                              which test wins most from many ideas
//! planning, stopped                  before a sequential test, and after it
//! pair_law, selfcheck, proportion    simulated tests, and how often they err
//! sign_flip, holm                    permutation tests, and many p-values
//! ```
//!
//! All functions are total: any counts give finite numbers, a bound on one side, or `None` with a
//! reason. They never return NaN or infinity and never panic. They do not read files, clocks or the
//! environment.
//!
//! Conventions: results are ordered from worst to best for the first-named player; scores lie in
//! 0..=1; Elo is logistic Elo on the customary scale of 400; intervals are two-sided 95 %.

mod bisection;
pub mod bootstrap;
mod clusters;
mod confidence;
mod crossed;
mod estimate;
mod group_sequential;
pub mod gsprt;
mod holm;
mod homogeneity;
mod information;
mod laps;
pub mod logistic;
mod many;
mod margin;
mod memo;
mod multinomial;
pub mod normal;
mod pair_law;
mod pentanomial;
mod planning;
mod prior;
mod proportion;
mod random;
mod ratings;
mod selfcheck;
mod sequential;
mod sign_flip;
mod small_sample;
mod stopped;
mod strict;
mod trinomial;
pub mod tune;

pub use bisection::bisect;
pub use clusters::{Clusters, Effect, FEW_CLUSTERS};
pub use confidence::{AnytimeInterval, ConfidenceSequence};
pub use crossed::Crossed;
pub use estimate::{Basis, Bound, Customary, Estimate, Ranged, estimate, estimate_clustered};
pub use group_sequential::{BadLooks, GroupSequential, Look, Progress as LookProgress};
pub use gsprt::Gsprt;
pub use holm::holm;
pub use homogeneity::{Homogeneity, same_cells, same_means};
pub use information::Information;
pub use laps::{PairSum, lap_difference};
pub use many::{Adjusted, e_bh, e_holm};
pub use margin::MarginSums;
pub use memo::Memo;
pub use multinomial::{MAX_COUNT, Multinomial};
pub use pair_law::{BadLaw, PairLaw};
pub use pentanomial::{CellOutOfRange, Pentanomial};
pub use planning::{
    BadPlan, Capped, Expectation, FORMULA_PAIRS, GameVariance, Matches, SimulatedTest, Stretch,
    TestPlan, TooLong,
};
pub use prior::{
    BadPrior, Best, Choice, Comparison, FittedPrior, IdeaPrior, PriorGain, Region, TestOutcome,
};
pub use proportion::{binomial_tail, wilson};
pub use random::RandomNumbers;
pub use ratings::{
    Bout, Cluster, Covered, Crossing, FirstMove, FirstMoveAdvantage, FirstMoveBasis, Group,
    OneSided, Pairing, PlayerLaw, Rating, RatingCheck, RatingOptions, Ratings, RatingsError,
    Resampled, Resamples, SimulatedField, Standing, rate, resample,
};
pub use selfcheck::{
    EstimateQuality, SelfCheck, Simulated, Simulator, simulate, simulate_all, simulate_shared,
    summarize,
};
pub use sequential::{BadTest, Decision, ErrorRates, Hypotheses, Level, Model, SequentialTest};
pub use sign_flip::{PValue, sign_flip};
pub use stopped::{AfterSprt, StopNote, after_sprt};
pub use strict::{NormalizedUnsupported, Strict};
pub use trinomial::Trinomial;

#[cfg(test)]
mod tests;
#[cfg(test)]
use tests::simulation;
