//! Variants derived from a tune's start, and the configs of its stages.

use std::path::Path;

use anyhow::Context;

use super::files::{Derived, Origin, TuneFiles, gate_keys};
use super::tune_of;
use crate::Failure;
use crate::books::{Reader, load_plan};
use leitai_base::foreign::shown_path;
use leitai_config::{
    AddedVariant, Loaded, NextGames, Proof, TexelStage, Tune, TunedDimension, Variant, quoted,
};
use leitai_game::card::Games;
use leitai_runs::tournament::Plan;

/// Seed of each stage, relative to the config's seed.
const SEED_OF_TUNE: u64 = 0;
const SEED_OF_PROOF: u64 = 1;
const SEED_OF_FIT: u64 = 2;
const SEED_OF_SECOND: u64 = 3;
const SEED_OF_POOL: u64 = 4;
const SEED_OF_SERIES: u64 = 5;
/// Distance between the seeds of two generations: the stages of one have different seeds.
const SEEDS_OF_GENERATION: u64 = 16;

/// The start of a tune and its tuning terms.
pub(super) struct StageConfigs<'a> {
    /// The original config.
    pub(super) origin: Origin<'a>,
    /// The tune of the config.
    pub(super) tune: &'a Tune,
}

/// A variant derived from the start.
#[derive(Clone)]
pub(super) struct DerivedVariant {
    pub(super) name: String,
    /// Comment lines about its origin.
    comment: String,
    variant: Variant,
    /// Number of games from which its values were learned.
    pub(super) learned_games: Option<u64>,
}

impl<'a> StageConfigs<'a> {
    /// Creates the line of a config's tune.
    pub(super) fn of(
        config: &'a Path,
        loaded: &'a Loaded,
        games: &'a Games,
    ) -> Result<Self, Failure> {
        let origin = Origin {
            config,
            text: &loaded.warnings.text,
            loaded,
            games,
        };
        let tune = tune_of(loaded)?;
        Ok(Self { origin, tune })
    }

    /// Returns the tuned variant with the values of the config.
    pub(super) fn start(&self) -> &'a Variant {
        &self.origin.loaded.config.variants[self.tune.variant]
    }

    fn derive(
        &self,
        suffix: &str,
        comment: String,
        variant: &Variant,
        learned_games: Option<u64>,
    ) -> DerivedVariant {
        DerivedVariant {
            name: format!("{}-{suffix}", self.start().name),
            comment,
            variant: variant.clone(),
            learned_games,
        }
    }

    /// Derives the fitted variant.
    pub(super) fn fitted(&self, variant: &Variant) -> DerivedVariant {
        let texel = self.tune.texel.as_ref();
        let comment = texel.map(|texel| format!("Fitted to {}.", texel.source));
        self.derive("fitted", comment.unwrap_or_default(), variant, None)
    }

    /// Derives variants with intermediate values, each given with its number of games.
    pub(super) fn checkpoints(&self, values: &[(Variant, u64)]) -> Vec<DerivedVariant> {
        let numbered = values.iter().zip(1..);
        let derived = numbered.map(|((variant, games), number)| {
            let (suffix, comment) = (
                format!("checkpoint-{number}"),
                format!("After {games} games."),
            );
            self.derive(&suffix, comment, variant, Some(*games))
        });
        derived.collect()
    }

    /// Derives the tuned variant.
    pub(super) fn tuned(&self, variant: &Variant) -> DerivedVariant {
        let tune = self.tune;
        let mut how = Vec::new();
        if let Some(texel) = &tune.texel {
            how.push(format!("a fit to {}", texel.source));
        }
        if tune.games > 0 {
            how.push(format!("{} by {}", tune.budget(), tune.algorithm.name()));
        }
        let (config, how) = (shown_path(self.origin.config), how.join(", then "));
        let comment = format!("Tuned by Leitai from {config}: {how}.");
        self.derive("tuned", comment, variant, Some(tune.games))
    }

    fn derived(
        &'a self,
        seed: u64,
        second_limits: bool,
        offspring: &'a [DerivedVariant],
        play: NextGames<'a>,
    ) -> Derived<'a> {
        let variants = offspring.iter().map(|offspring| AddedVariant {
            name: &offspring.name,
            comment: &offspring.comment,
            base: self.start(),
            variant: &offspring.variant,
        });
        Derived {
            origin: &self.origin,
            seed,
            used_openings: 0,
            second_limits,
            variants: variants.collect(),
            play,
        }
    }

    /// Derives a gate between the start and a candidate.
    fn gate(
        &'a self,
        seed: u64,
        second_limits: bool,
        candidate: &'a DerivedVariant,
        terms: &Proof,
    ) -> Derived<'a> {
        let keys = gate_keys(&self.start().name, &candidate.name, terms);
        self.derived(seed, second_limits, std::slice::from_ref(candidate), keys)
    }

    /// Derives the gate between the start and the fitted variant.
    pub(super) fn gate_of_fit(
        &'a self,
        fitted: &'a DerivedVariant,
        texel: &TexelStage,
    ) -> Derived<'a> {
        self.gate(SEED_OF_FIT, false, fitted, &texel.gate)
    }

    /// Derives the tune of the fitted variant.
    pub(super) fn polish(&'a self, fitted: &'a DerivedVariant) -> Derived<'a> {
        let play = NextGames::Tune(&fitted.name);
        self.derived(SEED_OF_TUNE, false, std::slice::from_ref(fitted), play)
    }

    /// Derives the winner of a generation from its parent's name, with the number of games that
    /// it and its ancestors have learned from.
    pub(super) fn winner(
        &self,
        number: u32,
        parent: &str,
        variant: &Variant,
        learned_games: u64,
    ) -> DerivedVariant {
        let comment = format!("The winner of generation {number}; its parent is `{parent}`.");
        let suffix = format!("generation-{number}");
        let mut winner = self.derive(&suffix, comment, variant, Some(learned_games));
        winner.variant.name.clone_from(&winner.name);
        winner
    }

    /// Derives the tune of a generation, numbered from 1, after the winners so far: it begins from
    /// the last one.
    pub(super) fn generation(&'a self, number: u32, winners: &'a [DerivedVariant]) -> Derived<'a> {
        let parents = std::iter::once(self.start()).chain(winners.iter().map(|it| &it.variant));
        let variants = winners
            .iter()
            .zip(parents)
            .map(|(winner, base)| AddedVariant {
                name: &winner.name,
                comment: &winner.comment,
                base,
                variant: &winner.variant,
            });
        let parent = winners.last().map_or(self.start(), |it| &it.variant);
        Derived {
            origin: &self.origin,
            seed: seed_of_generation(number),
            used_openings: 0,
            second_limits: false,
            variants: variants.collect(),
            play: NextGames::Generation(&parent.name),
        }
    }

    /// Gives the config of a stage the name of the user's config: the record names the config with
    /// which the command continues.
    pub(super) fn of_command(&self, mut stage: Loaded) -> Loaded {
        stage
            .warnings
            .name
            .clone_from(&self.origin.loaded.warnings.name);
        stage
    }

    /// Derives the gate between the start and the last winner. If a proof of `(generation, pairs)`
    /// was between the same two, the gate begins after the openings of that proof: players without
    /// randomness would repeat its games.
    pub(super) fn series(
        &'a self,
        last: &'a DerivedVariant,
        proof: Option<(u32, u64)>,
    ) -> Derived<'a> {
        let seed = proof.map_or(SEED_OF_SERIES, |(number, _)| {
            seed_of_generation(number) + SEED_OF_PROOF
        });
        Derived {
            used_openings: proof.map_or(0, |(_, pairs)| pairs),
            ..self.gate(seed, false, last, self.proof_terms())
        }
    }

    /// Returns the terms of the proof.
    pub(super) fn proof_terms(&self) -> &'a Proof {
        match &self.tune.texel {
            Some(texel) if self.tune.games == 0 => &texel.gate,
            _ => &self.tune.proof,
        }
    }

    /// Derives the gate between the start and the tuned variant. For a tune that is only a fit,
    /// this is the gate of the fit.
    pub(super) fn proof(&'a self, tuned: &'a DerivedVariant) -> Derived<'a> {
        self.gate(SEED_OF_PROOF, false, tuned, self.proof_terms())
    }

    /// Derives the second gate under other limits, if the config asks for one.
    pub(super) fn second(&'a self, tuned: &'a DerivedVariant) -> Option<Derived<'a>> {
        let second = self.tune.second.as_ref()?;
        Some(self.gate(SEED_OF_SECOND, true, tuned, &second.proof))
    }

    /// Derives the gauntlet of the start and derived variants against the pool, if the config has
    /// one.
    pub(super) fn pool(&'a self, offspring: &'a [DerivedVariant]) -> Option<Derived<'a>> {
        let stage = self.tune.pool.as_ref()?;
        let list = |names: &mut dyn Iterator<Item = &str>| {
            let names: Vec<String> = names.map(quoted).collect();
            format!("[{}]", names.join(", "))
        };
        let variants = &self.origin.loaded.config.variants;
        let mut pool = stage.variants.iter().map(|&at| variants[at].name.as_str());
        let challengers = self.challengers(offspring);
        let mut challengers = challengers.iter().map(|(name, _)| name.as_str());
        let keys = vec![
            ("format", quoted("gauntlet")),
            ("pairs", stage.pairs.to_string()),
            ("challengers", list(&mut challengers)),
            ("opponents", list(&mut pool)),
        ];
        let play = NextGames::Table("tournament", keys);
        Some(self.derived(SEED_OF_POOL, false, offspring, play))
    }

    /// Returns the variants that play against the pool, with the number of games from which their
    /// values were learned; `None` if they were not learned from games.
    pub(super) fn challengers(&self, offspring: &[DerivedVariant]) -> Vec<(String, Option<u64>)> {
        let mut challengers = vec![(self.start().name.clone(), Some(0))];
        let offspring = offspring.iter();
        challengers.extend(offspring.map(|derived| (derived.name.clone(), derived.learned_games)));
        let variants = &self.origin.loaded.config.variants;
        let references = self.tune.pool.iter().flat_map(|stage| &stage.references);
        challengers.extend(references.map(|&at| (variants[at].name.clone(), None)));
        challengers
    }

    /// Moves the numbers to be tuned strictly inside their bounds, since a tuner cannot start on a
    /// bound.
    pub(super) fn within_bounds(&self, variant: &Variant) -> Variant {
        let mut variant = variant.clone();
        for dimension in &self.tune.dimensions {
            move_by(dimension, &mut variant, |value| {
                value.clamp(dimension.min + 1, dimension.max - 1)
            });
        }
        variant
    }

    /// Builds all configs without writing them, as if every number had moved, and reads them back,
    /// so that errors appear before any games. Returns the plan of the proof.
    pub(super) fn check_stages(
        &self,
        files: &TuneFiles,
        proves: bool,
        reader: Reader<'_>,
    ) -> Result<Plan, Failure> {
        let mut moved = self.start().clone();
        let texel = self.tune.texel.as_ref();
        let fitted = texel.map_or([].as_slice(), |texel| &texel.dimensions);
        for dimension in fitted.iter().chain(&self.tune.dimensions) {
            let step = |value| if value < dimension.max { 1 } else { -1 };
            move_by(dimension, &mut moved, |value| value + step(value));
        }
        let context = |file: &Path| format!("{}, which would be written", shown_path(file));
        let read = |derived: &Derived<'_>, file: &Path| {
            let read = derived.check_stages(file);
            read.with_context(|| context(file))
        };
        // Also checks the number of openings.
        let plan = |derived: &Derived<'_>, file: &Path| {
            let plan = load_plan(read(derived, file)?, reader);
            plan.with_context(|| context(file))
        };
        let tuned = self.tuned(&moved);
        let proof = plan(&self.proof(&tuned), &files.tuned)?;
        let mut offspring = Vec::new();
        if let (Some(texel), 1..) = (texel, self.tune.games) {
            let fitted = self.fitted(&self.within_bounds(&moved));
            plan(
                &self.gate_of_fit(&fitted, texel),
                &files.other("fitted.toml"),
            )?;
            read(&self.polish(&fitted), &files.other("polish.toml"))?;
            offspring.push(fitted);
        }
        if !proves {
            return Ok(proof);
        }
        if let Some(second) = self.second(&tuned) {
            plan(&second, &files.other("second.toml"))?;
        }
        let checkpoints = self.tune.pool.as_ref().map_or(0, |pool| pool.checkpoints);
        let values = vec![(moved, 0); checkpoints as usize];
        offspring.extend(self.checkpoints(&values));
        offspring.push(tuned);
        if let Some(pool) = self.pool(&offspring) {
            plan(&pool, &files.other("pool.toml"))?;
        }
        Ok(proof)
    }
}

fn seed_of_generation(number: u32) -> u64 {
    SEEDS_OF_GENERATION * u64::from(number - 1)
}

/// Changes all numbers of a dimension by the difference that `change` makes to its value.
fn move_by(dimension: &TunedDimension, variant: &mut Variant, change: impl Fn(i64) -> i64) {
    let Some(value) = dimension.value_of(variant) else {
        return;
    };
    let by = change(value) - value;
    for member in &dimension.members {
        if let Some(value) = member.number.get(variant) {
            member.number.set(variant, value + by);
        }
    }
}
