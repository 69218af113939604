//! The plan of a study, for `leitai check`: reports the errors with which the study would begin,
//! and searches nothing.

use super::solver_study_of;
use crate::cli::prelude::*;
use leitai_config::SolverStudy;
use leitai_runs::study::GameLimit;
use leitai_session::books::suite_of;
use leitai_session::memory;
use leitai_session::study::games::Tournaments;
use leitai_session::study::{searches_of, task_of};

/// The planned searches and games of a study.
#[derive(Default, Serialize)]
pub(crate) struct Outline {
    /// Names of the variants; the others are compared with the first.
    variants: Vec<String>,
    /// Positions, or problems, of the suite.
    positions: usize,
    /// One for each variant and position.
    searches: usize,
    /// The last depth, for a study of searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    /// The required certainty of answers, for a study of solvers.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    /// The node limit of a search.
    nodes: Option<u64>,
    /// The time limit of a search in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// The tournaments after the searches.
    games: Vec<GamesOutline>,
}

#[derive(Serialize)]
struct GamesOutline {
    terms: GameLimit,
    /// Absent until the nodes at equal time are measured.
    run: Option<String>,
    openings: usize,
    /// Pairs for each variant except the first, their common opponent.
    pairs_each: u64,
    pairs: u64,
}

/// The plan of a study of searches on `threads` threads.
pub(crate) fn outline(loaded: &Loaded, threads: NonZeroUsize) -> Result<Outline, Failure> {
    let study = searches_of(loaded)?;
    let suite = suite_of(loaded, study, reader())?;
    let task = task_of(loaded, study, &suite);
    memory::check_searches(task.variants, suite.len(), threads)?;
    let mut games = Vec::new();
    if let Some(wanted) = &study.games {
        let tournaments = Tournaments::plan(loaded, wanted, threads, reader())?;
        games.extend(
            tournaments
                .planned
                .iter()
                .map(|(terms, plan)| GamesOutline {
                    terms: *terms,
                    run: plan.known_id().map(str::to_owned),
                    openings: plan.book.len(),
                    pairs_each: plan.schedule.rounds(),
                    pairs: plan.schedule.len(),
                }),
        );
    }
    Ok(Outline {
        depth: Some(task.depth),
        nodes: task.nodes,
        games,
        ..Outline::of(loaded, suite.len())
    })
}

/// The plan of a study of solvers.
pub(crate) fn outline_of_solvers(loaded: &Loaded, study: &SolverStudy) -> Result<Outline, Failure> {
    let problems = (solver_study_of(loaded)?.problems)(study)?;
    Ok(Outline {
        mode: Some(study.mode.name()),
        nodes: study.nodes,
        seconds: study.time.map(|time| time.as_secs_f64()),
        ..Outline::of(loaded, problems)
    })
}

impl Outline {
    fn of(loaded: &Loaded, positions: usize) -> Self {
        let variants = loaded.config.variants.iter();
        let variants: Vec<String> = variants.map(|variant| variant.name.clone()).collect();
        Self {
            searches: variants.len() * positions,
            variants,
            positions,
            ..Self::default()
        }
    }

    /// The number of pairs of all games.
    pub(crate) fn pairs(&self) -> u64 {
        self.games.iter().map(|games| games.pairs).sum()
    }

    /// The number of openings of the games.
    pub(crate) fn openings(&self) -> usize {
        self.games.first().map_or(0, |games| games.openings)
    }

    /// The plan as lines of text.
    pub(crate) fn lines(&self) -> Vec<String> {
        let variants = self.variants.len() as u64;
        let positions = self.positions as u64;
        let searches = count(self.searches as u64, "search", "searches");
        let mut most = Vec::new();
        most.extend(self.nodes.map(|nodes| count(nodes, "node", "nodes")));
        most.extend(self.seconds.map(|seconds| format!("{seconds} s")));
        let most = match most.as_slice() {
            [] => String::new(),
            most => format!(" of at most {}", most.join(" and ")),
        };
        let study = match (self.depth, self.mode) {
            (Some(depth), _) => format!(
                "{} on {} to depth {depth}",
                count(variants, "variant", "variants"),
                count(positions, "position", "positions"),
            ),
            (None, mode) => format!(
                "{} on {}, mode {}",
                count(variants, "solver", "solvers"),
                count(positions, "problem", "problems"),
                mode.unwrap_or_default(),
            ),
        };
        let mut lines = vec![format!("study     {study}: {searches}{most}")];
        let first = self.variants.first().map_or("", String::as_str);
        for games in &self.games {
            lines.push(format!(
                "games     at {}: {} of each other variant against `{first}`: {}, {} games, from {}",
                games.terms,
                count(games.pairs_each, "pair", "pairs"),
                count(games.pairs, "pair", "pairs"),
                2 * games.pairs,
                count(games.openings as u64, "opening", "openings"),
            ));
        }
        lines
    }
}
