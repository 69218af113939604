//! `leitai tune --simulate --errors`: checks the standard errors of a tune.

use super::simulate::{Case, Options};
use crate::cli::prelude::*;
use leitai_players::play::in_order;
use leitai_stats::tune::{Coverage, Method, Outcomes, Plan, Truth, coverage};

/// The default number of tunes.
const TUNES: u64 = 200;

#[derive(Serialize)]
struct ErrorsOutput {
    dimensions: usize,
    games: u64,
    seed: u64,
    tunes: u64,
    method: Method,
    #[serde(flatten)]
    truth: Truth,
    coverage: Coverage,
}

/// Simulates tunes, and prints the coverage of their standard errors.
pub(super) fn run(
    case: &Case,
    options: &Options,
    threads: NonZeroUsize,
    is_quiet: bool,
    json: Json,
) -> Outcome {
    let cancel = signals::install_handler();
    let dimensions = case.space.len();
    let truth = Truth {
        flat: options.flat as usize,
        elo_per_step: options.elo_per_step,
        draw_rate: options.draw_rate,
        opening_bias: options.opening_bias,
    };
    if truth.flat > dimensions {
        bail!("--flat {}: there are {dimensions} dimensions", truth.flat);
    }
    let method = case.regression().clone();
    let plan = case.plan_of("regression", case.games);
    let outcomes = Outcomes::new(truth.draw_rate, truth.opening_bias)?;
    let tunes = options.seeds.unwrap_or(TUNES);
    let bar = Bar::new(tunes, "tunes", is_quiet);
    let play = |number: u64| {
        let seed = case.seed.wrapping_add(number);
        let plan = Plan { seed, ..plan };
        coverage(&method, &case.space, plan, &truth, &outcomes)
    };
    let counts = in_order(tunes, threads, cancel, play, |done| bar.set(done));
    bar.finish();
    let Some(counts) = counts else {
        return Ok(Exit::Interrupted);
    };
    let mut all = Coverage::default();
    for counts in counts {
        all += counts?;
    }
    let answer = ErrorsOutput {
        dimensions,
        games: case.games,
        seed: case.seed,
        tunes,
        method,
        truth,
        coverage: all,
    };
    json.answer(&answer, || text(&answer))
}

fn text(answer: &ErrorsOutput) -> String {
    let (truth, counts) = (&answer.truth, &answer.coverage);
    let mut text = format!(
        "{} of {} by the regression, seeds from {}, simulated\n\
         {}, {} without effect; in the others a step costs about \
         {} Elo; {:.0} % draws, openings favour a side by {} Elo\n",
        count(answer.tunes, "tune", "tunes"),
        count(answer.games, "game", "games"),
        answer.seed,
        count(answer.dimensions as u64, "dimension", "dimensions"),
        truth.flat,
        truth.elo_per_step,
        100.0 * truth.draw_rate,
        truth.opening_bias,
    );
    let mut part = |title: &str, of: u64, rows: &[(&str, u64)]| {
        if of == 0 {
            return;
        }
        let _ = write!(text, "\n{title}");
        for (name, count) in rows {
            let share = *count as f64 / of as f64;
            let error = (share * (1.0 - share) / of as f64).sqrt();
            let _ = write!(
                text,
                "\n  {name:<46} {:5.1} ± {:.1} %",
                100.0 * share,
                100.0 * error
            );
        }
    };
    part(
        "with an effect",
        counts.effects,
        &[
            ("best value in the 95 % interval", counts.in_interval),
            ("best value within 1.96 errors", counts.within_errors),
            ("effect seen", counts.effects_seen),
        ],
    );
    part(
        "without effect",
        counts.flats,
        &[
            ("more than two errors from the start", counts.claimed),
            ("start outside the 95 % interval", counts.start_excluded),
            ("effect reported as seen", counts.flats_seen),
        ],
    );
    text
}
