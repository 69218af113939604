//! `leitai gate --plan`: the expected course of a gate, without games.

use crate::cli::ideas;
use crate::cli::ideas::Ideas;
use crate::cli::prelude::*;
use leitai_base::count::{rough_duration, with_sign};
use leitai_report::gate::{Candidate, GateSummary, progress, question};
use leitai_runs::gate::{Forecast, Point, Spread, TrialForecast, UsualSpread};
use leitai_runs::tournament::{Pace, pilot};
use leitai_session::Session;
use leitai_session::gate::Outlook;
use leitai_stats::Comparison;

#[derive(Serialize)]
struct ForecastOutput<'a> {
    run: Option<&'a str>,
    base: &'a str,
    candidates: Vec<&'a str>,
    test: &'a leitai_report::gate::Terms,
    max_pairs: u64,
    threads: usize,
    seconds_per_pair: f64,
    pace: Timed,
    /// Seconds for all candidates, at the strength that takes longest.
    seconds_together: f64,
    #[serde(flatten)]
    forecast: &'a Forecast,
    /// With `--prior`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ideas: Option<&'a Comparison>,
}

/// The source of the pace.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Timed {
    Recorded(u64),
    Pilot(u64),
}

/// Prints the expected cost of the gate. Records nothing.
pub(super) fn run(
    Outlook { plan, trials, pace }: &Outlook,
    session: &Session<'_>,
    json: Json,
    ideas: Option<&Comparison>,
) -> Outcome {
    let threads = session.threads;
    let usual = plan.config.game.card.facts().usual_spread;
    let forecast = signals::without_handler(|| Forecast::new(trials, usual, threads))?;
    let (timed, pace) = match *pace {
        Some(pace) => (Timed::Recorded(pace.pairs), pace),
        None => match pilot(plan, threads, session.cancel) {
            Some(pace) if pace.pairs > 0 => (Timed::Pilot(pace.pairs), pace),
            _ => return Ok(Exit::Interrupted),
        },
    };
    let summary = GateSummary::new(plan, trials);
    let answer = ForecastOutput {
        run: plan.known_id(),
        base: &summary.base,
        candidates: summary.candidates.iter().map(|c| c.name.as_str()).collect(),
        test: &summary.test,
        max_pairs: trials.rounds,
        threads: threads.get(),
        seconds_per_pair: pace.time_for(1.0, threads).as_secs_f64(),
        pace: timed,
        seconds_together: pace
            .time_for(forecast.together.pairs, threads)
            .as_secs_f64(),
        forecast: &forecast,
        ideas,
    };
    json.answer(&answer, || {
        let ideas = ideas.map(ideas::below).unwrap_or_default();
        let games = trials.gate.games_per_pair();
        render(&summary, &forecast, timed, (pace, games), threads) + &ideas
    })
}

/// Prints the gain of the gate's test from a stream of ideas, and the best test.
pub(super) fn compare(
    outlook: &Outlook,
    ideas: &Ideas,
    session: &Session<'_>,
) -> Result<Comparison, Failure> {
    if outlook.trials.gate.single_games {
        anyhow::bail!("`--prior` compares tests of pairs of two games: leave out `[pairs]`");
    }
    let (prior, fitted) = ideas.law(&session.store)?;
    let usual = outlook.plan.config.game.card.facts().usual_spread;
    let compared = || (outlook.trials).compare_with_ideas(prior, usual, session.threads);
    let comparison = signals::without_handler(compared)?;
    Ok(Comparison {
        fitted,
        ..comparison
    })
}

fn render(
    summary: &GateSummary,
    forecast: &Forecast,
    timed: Timed,
    (pace, games): (Pace, f64),
    threads: NonZeroUsize,
) -> String {
    let mut lines = Vec::new();
    for candidate in &summary.candidates {
        lines.push(format!("`{}` against `{}`", candidate.name, summary.base));
    }
    lines.push(question(&summary.test));
    lines.push(match forecast.spread {
        Spread::Assumed(usual) | Spread::AssumedOfGames(usual) => format!(
            "spread    {}: variance {:.3} per game",
            assumed(usual),
            forecast.variance
        ),
        Spread::Recorded(pairs) => format!(
            "spread    variance {:.3} per game in {} recorded pairs",
            forecast.variance,
            pairs.pairs()
        ),
    });
    let source = match timed {
        Timed::Recorded(pairs) => count(pairs, "recorded pair", "recorded pairs"),
        Timed::Pilot(pairs) => {
            let pairs = count(pairs, "pilot pair", "pilot pairs");
            format!("{pairs}, not recorded")
        }
    };
    lines.push(format!(
        "pace      {:.2} pairs/s on {} ({source})\n",
        1.0 / pace.time_for(1.0, threads).as_secs_f64().max(1e-9),
        count(threads.get() as u64, "thread", "threads")
    ));
    let is_new = forecast.from_here.iter().all(|ahead| ahead.recorded == 0);
    let is_over = forecast.from_here.iter().all(|ahead| ahead.is_over);
    for (ahead, candidate) in forecast.from_here.iter().zip(&summary.candidates) {
        lines.extend(stands(summary, ahead, candidate));
        if !ahead.is_over && !is_new {
            expectations(&mut lines, &ahead.points, (pace, games), threads);
        }
    }
    if is_over {
        lines.push("such a gate, from its first pair:".to_owned());
    }
    if is_new || is_over {
        // Before the first pair all candidates have the same expectations.
        expectations(&mut lines, &forecast.points, (pace, games), threads);
    }
    let together = forecast.together;
    lines.push(format!(
        "\nat most {} played of a candidate",
        count(summary.test.max_pairs, "pair is", "pairs are")
    ));
    if together.different_pairs < summary.test.max_pairs {
        lines.push(format!(
            "the book and its later laps give at most {} different pairs; the numbers above stop \
             there",
            together.different_pairs
        ));
    }
    if together.laps > 1.0 {
        lines.push(format!(
            "the longest expected test takes {:.1} laps through the book; later laps replace openings \
             by other positions at the same ply",
            together.laps
        ));
    }
    if together.candidates > 1 {
        lines.push(format!(
            "all {} candidates together: {:.0} pairs, {}, if each is as strong as takes longest; \
             never more than {}, {}",
            together.candidates,
            together.pairs,
            rough_duration(pace.time_for(together.pairs, threads)),
            count(together.max_pairs, "pair", "pairs"),
            rough_duration(pace.time_for(together.max_pairs as f64, threads))
        ));
    }
    if let Some(note) = &forecast.note {
        lines.push(format!("note: {note}"));
    }
    lines.join("\n")
}

/// Appends a row of expectations for each strength.
fn expectations(
    lines: &mut Vec<String>,
    points: &[Point],
    (pace, games): (Pace, f64),
    threads: NonZeroUsize,
) {
    let header = "true Elo,accepted,rejected,inconclusive,pairs,games,time";
    let mut rows = vec![leitai_report::header(header)];
    rows.extend(points.iter().map(|point| {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        vec![
            with_sign(point.elo, 1),
            percent(point.pass),
            percent(point.reject),
            percent(point.inconclusive),
            format!("{:.0}", point.pairs),
            format!("{:.0}", games * point.pairs),
            rough_duration(pace.time_for(point.pairs, threads)),
        ]
    }));
    lines.push(table(&rows, 1, |_| false));
    lines.extend(counted(points));
}

/// The standing of a candidate, if any of its pairs are recorded.
fn stands(summary: &GateSummary, ahead: &TrialForecast, candidate: &Candidate) -> Option<String> {
    if ahead.is_over {
        return Some(format!("recorded  {}", candidate.sentence));
    }
    (ahead.recorded > 0).then(|| {
        format!(
            "recorded  {}\n          from there, with the remaining pairs:",
            progress(&summary.test, candidate)
        )
    })
}

/// A description of the assumed spread.
pub(super) fn assumed(usual: UsualSpread) -> String {
    let openings = if usual.opening_bias > 0.0 {
        format!("openings worth {:.0} Elo to a side", usual.opening_bias)
    } else {
        "level openings".to_owned()
    };
    let draws = 100.0 * usual.draw_rate;
    format!("{draws:.1} % draws and {openings} are assumed: the usual spread that the game states")
}

/// A note on the numbers that come from simulation, and their standard errors.
fn counted(points: &[Point]) -> Option<String> {
    let rolled = points.iter().filter_map(|point| {
        let (gates, error) = point.gates.zip(point.pairs_error)?;
        Some(format!(
            "{}: {gates} gates, accepted ± {:.1} %, pairs ± {:.1} %",
            with_sign(point.elo, 1),
            100.0 * point.pass_error.unwrap_or(0.0),
            100.0 * error / point.pairs.max(1.0)
        ))
    });
    let rolled: Vec<String> = rolled.collect();
    (!rolled.is_empty()).then(|| {
        format!(
            "counted in simulated gates (standard errors): {}",
            rolled.join("; ")
        )
    })
}
