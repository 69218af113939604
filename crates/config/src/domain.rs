//! The checked config, with all values in range and all names resolved.

use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use super::checks::Checks;
use super::failures::FailurePolicies;
use super::gate::Gate;
use super::kept::Kept;
use super::limits::Limits;
use super::openings::Openings;
use super::pairs::PairForm;
use super::program::{Identity, Profile};
use super::tournament::Tournament;
use super::tune::Tune;
use super::variant::Variant;
use leitai_game::card::{GameChoice, Ways};

/// A whole tournament, gate or tune, ready to run; or the players of a study.
///
/// Serialises in the order of the fields, and with floating-point numbers only where each has one
/// spelling (see [`Gate`]), so that equal configs give equal bytes: see [`Config::resolved`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Config {
    /// The game and its rules.
    pub game: GameChoice,
    /// Seed of all random numbers, 0 to 2^63 - 1; 0 if the file names none.
    pub seed: u64,
    /// Limits per move of players without limits of their own. Empty only if there is no
    /// tournament.
    pub limits: Limits,
    /// The openings of the games.
    pub openings: Openings,
    /// Rules for ending games early.
    pub adjudication: Adjudication,
    /// The pairings and their number of pairs; absent only in the config of a study, a gate or a
    /// tune.
    pub tournament: Option<Tournament>,
    /// The test of a gate; absent in other configs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// The tuned parameters and the method; absent in configs other than a tune's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tune: Option<Tune>,
    /// The policy for pairs in which a player failed. Part of the resolved form only if it is not
    /// the usual value.
    #[serde(skip_serializing_if = "FailurePolicies::is_usual")]
    pub failures: FailurePolicies,
    /// Checks of external programs' output other than their moves. Not part of the resolved form,
    /// because no move depends on it.
    #[serde(skip)]
    pub checks: Checks,
    /// The kept output of external programs, apart from their moves. Not part of the
    /// resolved form either.
    #[serde(skip)]
    pub kept: Kept,
    /// The games of a pair. Part of the resolved form only if it is not the usual value.
    #[serde(skip_serializing_if = "PairForm::is_usual")]
    pub pairs: PairForm,
    /// The players, in the order of the file; names are unique.
    pub variants: Vec<Variant>,
}

impl Config {
    /// The resolved form as canonical JSON: all default and inherited values are written, and
    /// comments, spellings and paths are removed. Two configs that play the same games from the
    /// same openings have the same resolved form; a run's identity is a hash of it.
    ///
    /// # Errors
    /// None in practice: every part can be written as JSON.
    pub fn resolved(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Returns whether playing a pair twice gives the same games: neither a clock nor an external
    /// program is involved.
    pub fn is_reproducible(&self) -> bool {
        !self.is_timed() && !self.has_programs()
    }

    /// Returns whether a clock limits any player.
    pub fn is_timed(&self) -> bool {
        let mut limits = self.limits_by_variant().into_iter().enumerate();
        limits.any(|(variant, own)| own.time.is_some() && self.plays(variant))
    }

    /// Returns whether the variant of this index plays: gates and gauntlets may leave some out.
    fn plays(&self, variant: usize) -> bool {
        let tournament = self.tournament.as_ref();
        match (&self.gate, tournament.and_then(|it| it.sides.as_ref())) {
            (Some(gate), _) => gate.base == variant || gate.candidates.contains(&variant),
            (None, Some(sides)) => {
                sides.challengers.contains(&variant) || sides.opponents.contains(&variant)
            }
            (None, None) => true,
        }
    }

    /// The limits of each variant, in their order.
    pub fn limits_by_variant(&self) -> Vec<Limits> {
        let variants = self.variants.iter();
        variants
            .map(|variant| variant.limits.unwrap_or(self.limits))
            .collect()
    }

    /// The nodes of each variant at equal time, once known; empty before, and without
    /// [`equal_time`](Limits::equal_time).
    pub fn budgets(&self) -> Vec<u64> {
        let variants = self.variants.iter().filter(|_| self.limits.equal_time);
        variants
            .map_while(|variant| variant.limits?.nodes)
            .collect()
    }

    /// Sets the node limit of each variant, in their order.
    pub fn set_budgets(&mut self, budgets: &[u64]) {
        for (variant, &nodes) in self.variants.iter_mut().zip(budgets) {
            variant.limits = Some(Limits {
                nodes: Some(nodes),
                equal_time: false,
                ..self.limits
            });
        }
    }

    /// Returns whether the variants of these indices are the same player under two names: all their
    /// resolved settings are equal.
    pub fn are_same_player(&self, one: usize, other: usize) -> bool {
        let limits = self.limits_by_variant();
        let is_same = |one: &Variant, other: &Variant| {
            (&one.program, one.player) == (&other.program, other.player)
                && (!one.is_search() || (&one.search, &one.eval) == (&other.search, &other.eval))
        };
        let both = self.variants.get(one).zip(self.variants.get(other));
        both.is_some_and(|(one, other)| is_same(one, other)) && limits[one] == limits[other]
    }

    /// The notation of the external programs, which is the same for all of them; `None` without any.
    pub fn ways(&self) -> Option<Ways> {
        let mut variants = self.variants.iter();
        variants.find_map(|variant| Some(variant.program.as_ref()?.profile.ways()))
    }

    /// Returns whether any player is an external program.
    pub fn has_programs(&self) -> bool {
        let mut variants = self.variants.iter().enumerate();
        variants.any(|(index, variant)| variant.program.is_some() && self.plays(index))
    }

    /// Takes from the resolved form of a recorded run all facts that the text of the config does
    /// not contain: the programs found and their profiles, so that the record can be read without
    /// starting them; the nodes of variants at equal time; the digest of the endgame tables;
    /// whether games went on after failures; the treatment of exhausted openings; and the growth of
    /// the book.
    pub fn recall(&mut self, resolved: &str) {
        let recorded: serde_json::Value = serde_json::from_str(resolved).unwrap_or_default();
        self.openings.recall(&recorded["openings"]);
        self.adjudication.recall(&recorded["adjudication"]);
        self.failures.recall(&recorded["failures"]);
        if self.limits.equal_time {
            let variants = recorded["variants"].as_array().into_iter().flatten();
            let budgets = variants.map_while(|variant| variant["limits"]["nodes"].as_u64());
            self.set_budgets(&budgets.collect::<Vec<_>>());
        }
        for (index, variant) in self.variants.iter_mut().enumerate() {
            if let Some(program) = &mut variant.program {
                let recorded = &recorded["variants"][index]["program"];
                program.found = Identity::deserialize(&recorded["found"]).ok();
                if let Ok(mut profile) = Profile::deserialize(&recorded["profile"]) {
                    profile.protocol = program.profile.protocol;
                    profile.rules = program.profile.rules;
                    program.profile = profile;
                }
            }
        }
    }
}
