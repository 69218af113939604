//! `[tune]`: the tuned numbers of a variant, the method and the number of games.

mod bounds;
mod climb;
mod entry;
mod generations;
mod pool;
mod raw;
mod select;
mod terms;
mod texel;
mod tuned;

use serde::Serialize;

use super::files::Find;
use super::problem::{Problem, Problems};
use super::values::{self, Spanned, ranged, setting_or};
use super::{Limits, Variant};
use leitai_base::settings::choice;
use leitai_stats::tune::NoEffect;
use leitai_stats::{ErrorRates, Hypotheses};

use entry::{Named, Purpose, numbers};
use select::{Selected, named, select};

pub use climb::{BlockKind, Climb};
pub use generations::Generations;
pub use pool::PoolStage;
pub(super) use raw::RawTune;
pub use terms::SecondProof;
pub use texel::{FitSource, TexelStage};
use tuned::is_anchored;
pub use tuned::{DimensionMember, FreezeReason, Frozen, TunedDimension};

/// A tune's parameters and method. Serialises in the order of its fields, with whole numbers or
/// finite ones that are never a negative zero, so that equal tunes give equal bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tune {
    /// Index of the tuned variant.
    pub variant: usize,
    /// The algorithm of the tuner.
    pub algorithm: Algorithm,
    /// Number of games for tuning, even, 2 to 10^10, without those of the proof. 0 if games tune no
    /// numbers: then there is a `texel` stage and no dimension.
    pub games: u64,
    /// Depth of the searches, in plies, 1 to 64, if fewer nodes are the objective: a pair is then
    /// one position, searched by both players. `None` if games are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Pairs of one batch, 1 to 10^6; `None` for the algorithm's default.
    pub batch: Option<u32>,
    /// Batches under way at once, independent of the number of threads, 1 to 4096; `None` for the
    /// algorithm's default.
    pub window: Option<u32>,
    /// Desired strength loss of perturbed players compared with the centre, in Elo, 1 to 200: steps
    /// are scaled to reach it. `None` for unscaled steps, and for algorithms without scaling.
    pub handicap: Option<u32>,
    /// The value of a number for which the games show no effect. Affects the evaluation of the
    /// games but not the games, so it is not part of the resolved form.
    #[serde(skip)]
    pub no_effect: NoEffect,
    /// Settings of the hill climber; `None` for its defaults and for other algorithms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub climb: Option<Climb>,
    /// The test of the tuned variant against the start, with the openings in another order and
    /// another seed. A separate run, not part of the resolved form: changing the test does not
    /// repeat the tune.
    #[serde(skip)]
    pub proof: Proof,
    /// The dimensions tuned by games, empty if and only if there are none; names are unique, and no
    /// number is in two dimensions.
    pub dimensions: Vec<TunedDimension>,
    /// Numbers that an entry names but that do not move, with the reasons. Not part of the resolved
    /// form if they follow from the rest.
    #[serde(skip)]
    pub frozen: Vec<Frozen>,
    /// The preceding fit to recorded games. A run of its own and not part of the resolved form,
    /// like the next two fields, so that the games of the tune do not depend on it.
    #[serde(skip)]
    pub texel: Option<TexelStage>,
    /// A second proof under other limits.
    #[serde(skip)]
    pub second: Option<SecondProof>,
    /// Repeated tunes, each from the winner of the one before.
    #[serde(skip)]
    pub generations: Option<Generations>,
    /// Final games against other variants.
    #[serde(skip)]
    pub pool: Option<PoolStage>,
}

choice! {
    /// The algorithm of a tuner.
    #[derive(Default)]
    pub enum Algorithm {
        /// Bayesian regression of the slope on each parameter.
        #[default]
        Regression = "regression",
        /// SPSA with averaged iterates.
        Spsa = "spsa",
        /// SPSA with fishtest's schedule.
        Fishtest = "fishtest",
        /// Hill climbing in blocks.
        HillClimb = "hill-climb",
    }
}

choice! {
    /// The measure by which a tuner compares two players.
    #[derive(Default)]
    pub(super) enum Objective {
        /// Results of games.
        #[default]
        Games = "games",
        /// Nodes of a search to a fixed depth: fewer win.
        Nodes = "nodes",
    }
}

/// The final test: a sequential test on pairs of the tuned variant against the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proof {
    /// The hypotheses about the difference in strength to the start.
    pub hypotheses: Hypotheses,
    /// The error rates of the test.
    pub errors: ErrorRates,
    /// Pairs after which the test is inconclusive, 1 to 10^9; `None` for the number of openings.
    pub max_pairs: Option<u64>,
}

impl Tune {
    /// The games or searches to learn from, in words: `400 games`.
    pub fn budget(&self) -> String {
        let games = self.games;
        match self.depth {
            Some(depth) => format!("{games} searches to depth {depth}"),
            None => format!("{games} games"),
        }
    }

    /// The games of the start that a fit needs; 0 without such a fit.
    pub fn games_of_fit(&self) -> u64 {
        self.texel.as_ref().map_or(0, TexelStage::games)
    }

    /// The games to learn from, including those of a fit.
    pub fn cost(&self) -> u64 {
        self.games + self.games_of_fit()
    }

    /// Maximum number of generations, at most 1000; 0 without generations.
    pub fn most_generations(&self) -> u32 {
        let Some(limits) = &self.generations else {
            return 0;
        };
        let affordable = limits.games.map(|games| games / self.cost().max(1));
        let affordable = affordable.and_then(|most| u32::try_from(most).ok());
        affordable.map_or(limits.max, |most| most.min(limits.max))
    }

    /// The variant with these values of the dimensions, in their order. Values beyond the bounds
    /// are clamped, and missing values are the start's.
    #[must_use]
    pub fn apply(&self, variant: &Variant, values: &[i64]) -> Variant {
        apply(&self.dimensions, variant, values)
    }
}

/// The variant with these values of the dimensions; see [`Tune::apply`].
fn apply(dimensions: &[TunedDimension], variant: &Variant, values: &[i64]) -> Variant {
    let mut tuned = variant.clone();
    for (index, dimension) in dimensions.iter().enumerate() {
        let value = values.get(index).copied().unwrap_or(dimension.start);
        let value = value.clamp(dimension.min, dimension.max);
        for member in &dimension.members {
            member.number.set(&mut tuned, value + member.offset);
        }
    }
    tuned
}

/// Checks `[tune]` against the variants of the config; `limits` applies to variants without their
/// own.
pub(super) fn tune(
    raw: &Spanned<RawTune>,
    variants: &[Variant],
    limits: &Limits,
    find: Find,
    problems: &mut Problems,
) -> Option<Tune> {
    let before = problems.len();
    let fields = raw.get_ref();
    let variant = match &fields.variant {
        Some(name) => values::variant(name, variants, problems),
        None => (!variants.is_empty()).then_some(0),
    };
    let algorithm = Algorithm::default();
    let algorithm = setting_or(&fields.algorithm, algorithm, "algorithm", problems);
    let is_played = fields.texel.is_none() || fields.games.is_some() || fields.parameter.is_some();
    if !is_played {
        terms::refuse_idle(fields, problems);
    }
    let games = match &fields.games {
        Some(games) => terms::even(games, "tune.games", problems),
        None if !is_played => Some(0),
        None => Problem::error(raw.span(), "a tune without a budget")
            .help("add `games = 20000` under `[tune]`: the number of games to learn from")
            .refuse(problems),
    };
    let batch = ranged(&fields.batch, "tune.batch", problems);
    let window = ranged(&fields.window, "tune.window", problems);
    let handicap = terms::handicap(fields.handicap.as_ref(), algorithm, problems);
    let no_effect = terms::no_effect(fields.no_effect.as_ref(), algorithm, problems);
    let climb = fields.climb.as_ref();
    let climb = climb.and_then(|climb| climb::climb(climb, algorithm, problems));
    let depth = terms::depth(fields, raw.span(), problems);
    let proof = terms::proof(fields.proof.as_ref(), raw.span(), "tune.proof", problems);
    let parts = variant.and_then(|index| parts(raw, is_played, &variants[index], find, problems));
    let second = fields.second.as_ref().zip(variant);
    let second = second
        .and_then(|(second, index)| terms::second(second, limits, &variants[index], problems));
    let generations = fields.generations.as_ref();
    let generations = generations.and_then(|raw| generations::generations(raw, problems));
    let pool = fields.pool.as_ref().zip(variant);
    let pool =
        pool.and_then(|(pool, index)| pool::pool(pool, index, is_played, variants, problems));
    if problems[before..].iter().any(Problem::is_error) {
        return None;
    }
    let (selected, texel) = parts?;
    if let Some(climb) = &climb {
        climb::warn_of_idle(fields.climb.as_ref(), climb, &selected.dimensions, problems);
    }
    if depth.is_some() {
        let (names, variant) = (&selected.dimensions, &variants[variant?]);
        terms::check_nodes(fields, names, variant, problems)?;
    }
    let tune = Tune {
        variant: variant?,
        algorithm,
        games: games?,
        depth,
        batch,
        window,
        handicap,
        no_effect,
        climb,
        proof: proof?,
        dimensions: selected.dimensions,
        frozen: selected.frozen,
        texel,
        second,
        generations,
        pool,
    };
    if let Some(raw) = &fields.generations {
        generations::check_budget(raw.get_ref(), &tune, problems)?;
    }
    Some(tune)
}

/// The dimensions tuned by games, and the preceding fit, for numbers of the variant.
fn parts(
    raw: &Spanned<RawTune>,
    is_played: bool,
    variant: &Variant,
    find: Find,
    problems: &mut Problems,
) -> Option<(Selected, Option<TexelStage>)> {
    let fields = raw.get_ref();
    let all: Vec<Named> = named(variant);
    let anchor = fields.anchor.as_ref();
    let glob = anchor
        .and_then(|text| numbers(text, variant, &all, problems))
        .map(|(glob, _)| glob);
    let typed = fields.parameter.as_ref().map(Spanned::get_ref);
    let typed = typed.map_or(&[][..], Vec::as_slice);
    if is_played && typed.is_empty() {
        Problem::error(raw.span(), "a tune without parameters")
            .help(
                "add a `[[tune.parameter]]` table with a `path`, such as \
                 `path = \"eval.material.*\"`",
            )
            .report(problems);
    }
    let purpose = Purpose::Played;
    let selected = select(typed, purpose, glob.as_ref(), variant, &all, problems);
    let texel = fields.texel.as_ref();
    let texel = texel.map(|raw| texel::texel(raw, glob.as_ref(), variant, &all, find, problems));
    let (selected, texel) = (selected?, texel.map_or(Some(None), |it| it.map(Some))?);
    let fitted = texel
        .as_ref()
        .map_or(&[][..], |texel| texel.frozen.as_slice());
    if let (Some(text), Some(_)) = (anchor, glob)
        && !(is_anchored(&selected.frozen) || is_anchored(fitted))
    {
        Problem::warning(text.span(), "nothing would move the anchor")
            .help("remove it, or name it by the `path` of a parameter")
            .report(problems);
    }
    Some((selected, texel))
}

#[cfg(test)]
mod tests;
