//! `leitai doctor --disturbance`: the slowdown of games by other games at once.

use super::super::live::live;
use super::super::prelude::*;
use leitai_base::count::grouped;
use leitai_players::doctor::players;
use leitai_session::Session;
use leitai_session::disturbance::{Disturbance, DisturbanceLevel, DisturbanceOptions};

/// Options of the measurement.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct DisturbanceArguments {
    /// Measure how much games at once slow each other down: two copies of a player search the same
    /// positions, on 1 to `--threads` threads.
    #[arg(id = "disturbance", long = "disturbance", conflicts_with = "quick")]
    pub(super) is_requested: bool,
    /// Seconds for each number of threads.
    #[arg(long, default_value = "5", requires = "disturbance", value_parser = seconds)]
    seconds: f64,
    /// Acceptable loss of speed in percent.
    #[arg(long, value_name = "PERCENT", default_value = "5", requires = "disturbance", value_parser = percent)]
    max_loss: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    number("a number of seconds above 0, up to 3600", text, |it| {
        it > 0.0 && it <= 3600.0
    })
}

fn percent(text: &str) -> Result<f64, String> {
    number("a percentage from 0 to 100", text, |it| {
        (0.0..=100.0).contains(&it)
    })
}

pub(super) fn run(arguments: &super::Arguments, loaded: Loaded, json: Json) -> Outcome {
    let options = &arguments.disturbance;
    let config = &loaded.config;
    let variant = match arguments.variant.as_deref() {
        None => players(config)
            .into_iter()
            .next()
            .context("the config has no player")?,
        name => choose(config, name)?,
    };
    let name = variant.name.clone();
    let cancel = signals::install_handler();
    let listener = live(true, false);
    let mut session = Session::new(games::known(), Path::new(""), cancel, listener);
    session.threads = arguments.processors.threads();
    session.options.pin = arguments.processors.pin()?;
    let options = DisturbanceOptions {
        seconds: options.seconds,
        max_loss: options.max_loss / 100.0,
    };
    let measured = session.measure_disturbance(loaded, &name, options)?;
    let Some(measured) = measured.filter(|_| !cancel.load(Ordering::Relaxed)) else {
        eprint("stopped: an incomplete measurement has no result");
        return Ok(Exit::Interrupted);
    };
    json.answer(&measured, || text(&measured))?;
    Ok(Exit::Success)
}

/// The results as a table, with a conclusion.
fn text(measured: &Disturbance) -> String {
    let mut text = format!(
        "{}, searches of {} nodes\n\
         threads  speed  95 % interval  spread  lasting  delay",
        shown(&measured.player),
        grouped(measured.nodes, ','),
    );
    for level in &measured.levels {
        let _ = write!(text, "\n{}", line(level));
    }
    let bound = 100.0 * measured.max_loss;
    let _ = match (measured.levels.len(), measured.most_threads) {
        (1, _) => write!(
            text,
            "\nonly one thread was measured\nhelp: use `--threads 2` or more"
        ),
        (_, 1) => write!(
            text,
            "\na second thread may cost more than {bound} % of the speed"
        ),
        (_, most) => write!(
            text,
            "\nup to {most} threads cost at most {bound} % of the speed"
        ),
    };
    text
}

fn line(level: &DisturbanceLevel) -> String {
    let percent = |value: Option<f64>| {
        value.map_or_else(|| "?".to_owned(), |it| format!("{:.1}", 100.0 * it))
    };
    let speed = &level.speed;
    let interval = match level.threads {
        1 => String::new(),
        _ => format!("{} to {}", percent(speed.low), percent(speed.high)),
    };
    format!(
        "{:>7}  {:>5}  {interval:>13}  {:>6}  {:>7}  {:>5.1} ms",
        level.threads,
        percent(speed.value),
        percent(Some(level.spread)),
        percent(Some(level.lasting)),
        level.delay_ms,
    )
}
