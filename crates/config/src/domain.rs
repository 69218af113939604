//! The checked config: every value in range, every name resolved.

use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use super::checks::Checks;
use super::failures::FailurePolicies;
use super::gate::Gate;
use super::limits::Limits;
use super::program::{Identity, Profile};
use super::start::Openings;
use super::tournament::Tournament;
use super::tune::Tune;
use super::variant::Variant;
use leitai_game::card::GameChoice;
use leitai_stats::Bets;

/// A whole tournament, gate or tune, ready to run; or, in the config of a study, the
/// players of one.
///
/// Serialises in the order of the fields, and with floating-point numbers only
/// where each has one spelling (see [`Gate`]), so that equal configs give equal
/// bytes: see [`Config::resolved`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Config {
    /// The game and its rules.
    pub game: GameChoice,
    /// Seed of everything random, 0 to 2^63 - 1; 0 if the file names none.
    pub seed: u64,
    /// What a player may spend on a move unless its variant says otherwise.
    /// Nothing is said only where there is no tournament.
    pub limits: Limits,
    /// Where the games begin.
    pub openings: Openings,
    /// When a game is ended early.
    pub adjudication: Adjudication,
    /// Who plays whom, and how often; absent only in the config of a study, a
    /// gate or a tune.
    pub tournament: Option<Tournament>,
    /// What is tested; in the config of a gate only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// What is tuned; in the config of a tune only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tune: Option<Tune>,
    /// What becomes of a pair in which a player failed. Part of the resolved
    /// form only where it is not the usual.
    #[serde(skip_serializing_if = "FailurePolicies::is_usual")]
    pub failures: FailurePolicies,
    /// What is looked at beside the moves of other programs. No part of the resolved form: no
    /// move depends on it.
    #[serde(skip)]
    pub checks: Checks,
    /// The players, in the order of the file; names are unique.
    pub variants: Vec<Variant>,
}

impl Config {
    /// The resolved form as canonical JSON: every default and every inherited
    /// value written out, comments, spellings and paths gone. Two configs that
    /// play the same games from the same openings have the same resolved form;
    /// a run's identity is a hash over it.
    ///
    /// # Errors
    /// None in practice: nothing here can fail to be written as JSON.
    pub fn resolved(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Whether playing a pair twice gives the same games: neither a clock nor
    /// another program, whose ways nobody here answers for, has a say.
    pub fn is_reproducible(&self) -> bool {
        !self.is_timed() && !self.has_programs()
    }

    /// Whether a clock limits the play of somebody.
    pub fn is_timed(&self) -> bool {
        self.limits_by_variant()
            .iter()
            .any(|own| own.time.is_some())
    }

    /// What each variant may spend on a move, in their order.
    pub fn limits_by_variant(&self) -> Vec<Limits> {
        let variants = self.variants.iter();
        variants
            .map(|variant| variant.limits.unwrap_or(self.limits))
            .collect()
    }

    /// The nodes that each variant has at equal time, once they are known; empty before, and
    /// where [`equal_time`](Limits::equal_time) is not asked for.
    pub fn budgets(&self) -> Vec<u64> {
        let variants = self.variants.iter().filter(|_| self.limits.equal_time);
        variants
            .map_while(|variant| variant.limits?.nodes)
            .collect()
    }

    /// Gives each variant so many nodes for a move, in their order.
    pub fn set_budgets(&mut self, budgets: &[u64]) {
        for (variant, &nodes) in self.variants.iter_mut().zip(budgets) {
            variant.limits = Some(Limits {
                nodes: Some(nodes),
                equal_time: false,
                ..self.limits
            });
        }
    }

    /// Whether the variants of these indices are one player under two names: all that
    /// they resolve to is the same.
    pub fn are_same_player(&self, one: usize, other: usize) -> bool {
        let limits = self.limits_by_variant();
        let is_same = |one: &Variant, other: &Variant| {
            (&one.program, one.player) == (&other.program, other.player)
                && (!one.is_search() || (&one.search, &one.eval) == (&other.search, &other.eval))
        };
        let both = self.variants.get(one).zip(self.variants.get(other));
        both.is_some_and(|(one, other)| is_same(one, other)) && limits[one] == limits[other]
    }

    /// Whether a player is another program.
    pub fn has_programs(&self) -> bool {
        self.variants
            .iter()
            .any(|variant| variant.program.is_some())
    }

    /// Takes over from the resolved form of a recorded run what its text does not say:
    /// which programs answered to the commands then, and how they were spoken to, so that the
    /// record can be read without starting them; how many nodes variants had at equal time;
    /// which tables of endgames there were; whether games went on whatever failed; what
    /// happened when the openings were played, for the usual thing has changed since the first
    /// records; and how the book has grown.
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
                    profile.rules = program.profile.rules;
                    program.profile = profile;
                }
            }
        }
    }

    /// Takes the bets of a strict gate from the resolved form that a run was recorded
    /// with, so that its verdict stays what it was when other bets have become usual.
    pub fn recall_bets(&mut self, resolved: &str) {
        let recorded: serde_json::Value = serde_json::from_str(resolved).unwrap_or_default();
        if let Some(gate) = &mut self.gate {
            gate.bets = Bets::deserialize(&recorded["gate"]["bets"]).unwrap_or_default();
        }
    }
}
