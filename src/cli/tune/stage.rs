//! Stages that are ordinary runs: the proofs, and the games against the pool.

use std::path::PathBuf;

use super::answer::{Challenger, Judgement, Pool};
use crate::cli::failure::{Failure, tell_failing};
use crate::cli::{Exit, stopped};
use crate::config::Loaded;
use crate::report::Summary;
use crate::report::gate::GateSummary;
use crate::session::{Played, PlayerFails, Session};
use crate::tournament::{Ending, Plan};

/// How a stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It is whole.
    Done,
    /// Somebody or something stopped it.
    Halted(Exit),
}

impl Step {
    fn of(plan: &Plan, ending: &Ending, again: &str) -> Self {
        match ending {
            Ending::Complete => Step::Done,
            Ending::Cancelled => Step::Halted(Exit::Interrupted),
            Ending::Stopped(stop) => Step::Halted(stopped::tell(plan, stop, again)),
        }
    }
}

/// Plays the gate of a config; `again` is the command that carries on.
pub(super) fn judge(
    loaded: Loaded,
    file: PathBuf,
    session: &Session<'_>,
    again: &str,
) -> Result<(Step, Judgement), Failure> {
    let Played {
        plan,
        ending,
        so_far: trials,
    } = session.trial(loaded, false)?;
    let judgement = Judgement {
        run: plan.id().to_owned(),
        file,
        summary: GateSummary::new(&plan, &trials),
        exit: trials.verdict().map(Exit::from),
    };
    Ok((Step::of(&plan, &ending, again), judgement))
}

/// Plays the gauntlet of a config; of each challenger it is known how many games its
/// values were learnt from.
pub(super) fn against_pool(
    loaded: Loaded,
    file: PathBuf,
    challengers: Vec<(String, Option<u64>)>,
    session: &Session<'_>,
    again: &str,
) -> Result<(Step, Pool), Failure> {
    let Played {
        plan,
        ending,
        so_far: standings,
    } = session.tournament(loaded)?;
    let fails = PlayerFails::of(&plan, &standings);
    let summary = Summary::new(&plan, &standings);
    let measured = challengers.into_iter().filter_map(|(name, learnt_from)| {
        let row = summary.variants.iter().find(|row| row.name == name)?;
        Some(Challenger {
            learnt_from,
            games: row.results.estimate.games,
            elo: row.results.estimate.elo,
            name,
        })
    });
    let pool = Pool {
        run: plan.id().to_owned(),
        file,
        challengers: measured.collect(),
    };
    let step = match &fails {
        Some(fails) => Step::Halted(tell_failing(fails)),
        None => Step::of(&plan, &ending, again),
    };
    Ok((step, pool))
}
