//! `leitai check`: validate a config and show the plan.

pub(super) mod record;
mod words;

use super::play_options::PinArguments;
use super::prelude::*;
use super::study::{Outline, outline, outline_of_solvers};
use leitai_config::{Config, FailurePolicies, with_times_as_text};
use leitai_players::player::locate;
use leitai_report::gate::{GateSummary, question};
use leitai_runs::gate::{Forecast, Trials};
use leitai_runs::store::is_sqlite;
use leitai_session::books::load_plan;
use leitai_session::gate::warn_if_short;
use leitai_session::processors::{cores_for, warn_of_placement};
use leitai_session::tune::{check_stages, tune_of};
use leitai_session::{check_machine, warn_of_plan};

/// Validate a config of any kind, and show the games or searches that it plans; or check a record.
///
/// For a record, compares all content with its digests, also while a run plays, and shows which
/// runs, pairs, batches and searches are whole, and the disk space. `leitai verify` plays the
/// pairs again.
///
/// Exit codes: 0 all is valid or whole; 1 a record is damaged; 2 wrong input.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai check configs/gate-full.toml
  leitai check mine.toml --json
  leitai check run.sqlite")]
pub(super) struct Arguments {
    /// The config, or a record.
    #[arg(value_name = "CONFIG|RECORD")]
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    processors: PinArguments,
    /// Print JSON: the plan and the resolved config with all defaults; of a record, its content.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Default, Serialize)]
struct CheckOutput<'a> {
    /// Absent for a tune that plays no games to learn from.
    run: Option<&'a str>,
    pairs: u64,
    games: u64,
    openings: usize,
    pairings: Vec<[&'a str; 2]>,
    /// For a gate: the maximum number of pairs per candidate.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_pairs: Option<u64>,
    /// For games: passes of a pairing through the openings.
    #[serde(skip_serializing_if = "Option::is_none")]
    laps: Option<u64>,
    /// For games: the duration of all of them; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<words::Expected>,
    /// For a tune.
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
    /// For a study; the counts above are then those of its games.
    #[serde(skip_serializing_if = "Option::is_none")]
    study: Option<Outline>,
    /// With `--pin` or `--reserve`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    placement: Vec<words::ThreadPlace>,
    /// Every setting in force.
    config: serde_json::Value,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let is_record = is_sqlite(&arguments.config)
        || arguments
            .config
            .extension()
            .is_some_and(|it| it == "sqlite");
    if is_record {
        if !arguments.overrides.is_empty() {
            bail!(
                "--set changes configs, and {} is a record",
                shown_path(&arguments.config)
            );
        }
        return record::run(&arguments.config, arguments.json.as_ref());
    }
    let loaded = load_config(&arguments.config, &arguments.overrides)?;
    let mut files = CommandFiles::of(&arguments.config, &loaded);
    let json = Json::prepare(arguments.json.as_ref(), &mut files)?;
    let config = &loaded.config;
    let is_played = config.tournament.is_some() || config.gate.is_some();
    if config.tune.is_some() {
        return check_tune(arguments, &loaded, json);
    }
    // Checks the study of a config that also has a tournament.
    let study = match (&loaded.study, &loaded.solver_study) {
        (Some(_), _) => Some(outline(&loaded, arguments.processors.threads())?),
        (None, Some(study)) => Some(outline_of_solvers(&loaded, study)?),
        (None, None) => None,
    };
    match study {
        Some(study) if !is_played => check_study(arguments, &loaded, study, json),
        _ => check_games(arguments, loaded, json),
    }
}

/// Checks a study, with its games if it has any.
fn check_study(arguments: &Arguments, loaded: &Loaded, study: Outline, json: Json) -> Outcome {
    let lines = study.lines();
    let answer = CheckOutput {
        pairs: study.pairs(),
        games: 2 * study.pairs(),
        openings: study.openings(),
        study: Some(study),
        ..CheckOutput::default()
    };
    write(arguments, &loaded.config, json, answer, &lines)
}

/// Warns of programs that this machine lacks: it may only be the one where the config is written.
fn warn_of_programs(config: &Config) {
    for variant in &config.variants {
        let located = variant.program.as_deref().map(locate);
        if let Some(Err(refusal)) = located {
            eprint(&format!(
                "warning: `{}` cannot play here: {}\nhelp: {}",
                variant.name, refusal.reason, refusal.help
            ));
        }
    }
}

/// Checks a tournament or a gate.
fn check_games(arguments: &Arguments, loaded: Loaded, json: Json) -> Outcome {
    let plan = load_plan(loaded, reader())?;
    let name = |index: usize| plan.config.variants[index].name.as_str();
    let pairings = plan.schedule.pairings().iter();
    let pairings: Vec<[&str; 2]> = pairings.map(|pairing| pairing.map(name)).collect();
    let pairs = plan.schedule.len();
    warn_of_plan(&plan, &Notices);
    warn_of_programs(&plan.config);
    check_machine(&plan.config, arguments.processors.threads(), true, &Notices)?;
    let rounds = plan.schedule.rounds();
    let mut lines = Vec::new();
    // A gate ends long before its cap; the test takes longest half way between its hypotheses.
    let mut likely = rounds;
    if let Some(gate) = &plan.config.gate {
        let trials = Trials::of(gate, &plan)?.limited_to_starts(plan.different_starts());
        let (game, openings) = (&plan.config.game, plan.book.len());
        warn_if_short("the gate", &trials, game, openings, &Notices);
        let summary = GateSummary::new(&plan, &trials);
        lines.push(format!("test      {}", question(&summary.test)));
        if let Ok(pairs) = Forecast::uncapped_pairs(&trials, game.card.facts().usual_spread) {
            likely = rounds.min(pairs.ceil() as u64);
        }
    }
    let most = match &plan.config.gate {
        Some(_) => "at most ",
        None => "",
    };
    lines.push(words::openings(&plan.config, plan.book.len(), likely));
    lines.push(format!(
        "plan      {} of {most}{}: {}, {} games",
        count(pairings.len() as u64, "pairing", "pairings"),
        count(rounds, "pair", "pairs"),
        count(pairs, "pair", "pairs"),
        plan.schedule.games_of(pairs)
    ));
    let met = pairings.iter();
    lines.extend(met.map(|[first, second]| format!("          {first} - {second}")));
    let threads = arguments.processors.threads();
    let expected = words::expected(&arguments.config, &plan, threads);
    lines.extend(expected.map(|expected| expected.line(most, plan.schedule.games_of(pairs))));
    let answer = CheckOutput {
        run: plan.known_id(),
        laps: Some(words::laps(plan.book.len(), likely)),
        expected,
        pairs,
        games: plan.schedule.games_of(pairs),
        openings: plan.book.len(),
        pairings,
        max_pairs: plan.config.gate.as_ref().map(|_| rounds),
        ..CheckOutput::default()
    };
    write(arguments, &plan.config, json, answer, &lines)
}

fn check_tune(arguments: &Arguments, loaded: &Loaded, json: Json) -> Outcome {
    let plan = load_plan(loaded.clone(), reader())?;
    let tune = tune_of(loaded)?;
    let is_played = tune.games > 0;
    if is_played {
        // Reports errors that only the tuner detects.
        plan.tune().map(|tune| tune.tuner()).transpose()?;
    }
    check_stages(&arguments.config, loaded, reader())?;
    check_machine(
        &loaded.config,
        arguments.processors.threads(),
        true,
        &Notices,
    )?;
    let openings = words::openings(&plan.config, plan.book.len(), tune.games / 2);
    let mut lines = vec![openings];
    let variant = &plan.variant_of(0).name;
    if let Some(texel) = &tune.texel {
        let source = &texel.source;
        lines.push(format!("tune      `{variant}`, fitted to {source}"));
    }
    if is_played {
        lines.push(format!(
            "tune      `{variant}` by {}: {}, {}, {} and a proof",
            tune.algorithm.name(),
            count(tune.dimensions.len() as u64, "dimension", "dimensions"),
            count(tune.games / 2, "pair", "pairs"),
            tune.budget(),
        ));
    }
    let answer = CheckOutput {
        run: is_played.then(|| plan.id()),
        pairs: tune.games / 2,
        games: tune.games,
        openings: plan.book.len(),
        dimensions: Some(tune.dimensions.len()),
        ..CheckOutput::default()
    };
    write(arguments, &plan.config, json, answer, &lines)
}

/// The place of each thread if `--pin` or `--reserve` is given; warns of threads that disturb each
/// other, also by `--threads`.
fn placement(
    processors: &PinArguments,
    config: &Config,
) -> Result<Vec<words::ThreadPlace>, Failure> {
    if !processors.is_given() {
        return Ok(Vec::new());
    }
    let (threads, pin) = (processors.threads(), processors.pin()?);
    let cores = pin
        .map(|pin| cores_for(config, threads, &pin))
        .transpose()?;
    warn_of_placement(config, threads, cores.as_ref(), &Notices);
    Ok(cores
        .as_ref()
        .map(words::ThreadPlace::all)
        .unwrap_or_default())
}

/// Prints the plan of a config: as JSON, or as lines between its head and its terms.
fn write(
    arguments: &Arguments,
    config: &Config,
    json: Json,
    answer: CheckOutput<'_>,
    lines: &[String],
) -> Outcome {
    let mut all = vec![
        format!("{}: fine", shown_path(&arguments.config)),
        format!("game      {}", config.game.name()),
    ];
    all.extend(words::rules(config));
    all.extend(answer.run.map(|run| format!("run       {}", &run[..12])));
    all.extend(words::players(config));
    all.extend(words::limits(config));
    all.extend_from_slice(lines);
    let placement = placement(&arguments.processors, config)?;
    all.extend(words::places(&placement));
    if config.failures != FailurePolicies::default() {
        all.push(format!("failures  {}", config.failures));
    }
    let several = words::several(config).filter(|_| !json.is_printed());
    let answer = CheckOutput {
        placement,
        config: with_times_as_text(config.effective()?),
        ..answer
    };
    json.answer(&answer, || all.join("\n"))?;
    if let Some(several) = several {
        eprint(&format!("warning: {several}"));
    }
    Ok(Exit::Success)
}
