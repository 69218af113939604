//! `leitai run`: plays a tournament.

use super::failure::{report_early_end, report_failing_player, report_resumable};
use super::game_files::{GameArguments, SelectionArgument};
use super::play_options::{FailureArguments, PlayArguments};
use super::prelude::*;
use leitai_report::{Summary, render, render_markdown};
use leitai_session::{EarlyEnd, Ending, PlayerFails};

/// Play a tournament and rate its players.
///
/// Every finished pair of games is recorded at once: after Ctrl-C, or any other stop of the
/// program, the same command resumes the tournament, with the same result. With node or depth
/// limits the games are the same for any number of threads.
///
/// A player that crashes, stalls or breaks a rule loses the game; `[failures]` in the config can
/// replay the pair instead, or stop the run.
///
/// SIGUSR1 raises the number of pairs at once by one, SIGUSR2 lowers it by one.
///
/// Exit codes: 0 done, or the time of `--until` or `--for` is up; 2 wrong input; 4 stopped by a
/// player that failed, or that lost all of its first ten games by its own failures, or with
/// `--strict` was warned; 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai run configs/ordering.toml
  leitai run mine.toml --store night.sqlite --threads 4 --json
  leitai run mine.toml --events - | jq 'select(.event == \"pair\")'")]
pub(super) struct Arguments {
    /// The config: game, limits, openings, variants.
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    play: PlayArguments,
    #[command(flatten)]
    failures: FailureArguments,
    /// Print the results as JSON.
    #[arg(long, help_heading = "Output")]
    json: Option<PathBuf>,
    /// Print the results as Markdown, for a pull request or a forum.
    #[arg(long, help_heading = "Output")]
    markdown: Option<PathBuf>,
    #[command(flatten)]
    files: GameArguments,
    #[command(flatten)]
    selection: SelectionArgument,
}

#[derive(Serialize)]
struct RunOutput<'a> {
    run: &'a str,
    store: &'a Path,
    complete: bool,
    #[serde(flatten)]
    early: Option<EarlyEnd>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    limited_by_time: bool,
    #[serde(flatten)]
    summary: &'a Summary,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let ending = &arguments.play.ending;
    ending.then_run_command(|| play(arguments))
}

fn play(arguments: &Arguments) -> Outcome {
    let loaded = load_config(&arguments.config, &arguments.overrides)?;
    let play = &arguments.play;
    let path = play.record(&arguments.config);
    let mut files = CommandFiles::of(&arguments.config, &loaded);
    files.records(&path);
    let watching = play.watching.prepare(&mut files)?;
    let json = Json::prepare(arguments.json.as_ref(), &mut files)?;
    let markdown = arguments.markdown.as_deref();
    let markdown = json_output::prepare("markdown", markdown, &mut files)?;
    let outputs = arguments
        .files
        .prepare(loaded.config.game.card, &mut files)?;
    arguments.selection.check(&outputs, &loaded.config)?;
    let is_printed = is_printed(markdown.as_ref()) || outputs.are_printed();
    let is_taken = json.is_printed() || watching.is_stdout || is_printed;
    let listener = play.serving.with_server(watching.listener, &path)?;
    let session = play.session(&path, arguments.failures, listener)?;
    let played = session.run(loaded)?;
    let (plan, ending) = (&played.plan, &played.ending);
    let standings = &played.so_far;
    let summary = Summary::new(plan, standings);
    let early = EarlyEnd::of(plan, ending);
    let is_cancelled = *ending == Ending::Cancelled;
    let limited_by_time = is_cancelled && session.cancel.is_time_up();
    let fails = PlayerFails::of(plan, standings);
    let printed = if is_taken {
        Ok(())
    } else {
        print(&render(&summary, room()))
    };
    let answered = json.write(&RunOutput {
        run: plan.id(),
        store: &path,
        complete: *ending == Ending::Complete && fails.is_none(),
        early: early.clone(),
        limited_by_time,
        summary: &summary,
    });
    let described = markdown.map_or(Ok(()), |file| {
        write_output(file, &render_markdown(&summary))
    });
    let exported = outputs.write_after(&path, plan, &arguments.selection);
    let written = all([printed, answered, described, exported]);
    if let Some(fails) = &fails {
        return written.map(|()| report_failing_player(fails, true));
    }
    if let Some(early) = early {
        return written.map(|()| report_early_end(&early, arguments.failures.strict));
    }
    if is_cancelled {
        report_resumable(&format!(
            "{} after {} of {} pairs, all recorded in {}",
            reason(limited_by_time),
            standings.played,
            plan.schedule.len(),
            shown_path(&path),
        ));
    }
    written.map(|()| Exit::Interrupted.unless(!is_cancelled || limited_by_time))
}

/// The reason why games were stopped.
pub(super) fn reason(is_time_up: bool) -> &'static str {
    if is_time_up {
        "the time is up"
    } else {
        "stopped"
    }
}
