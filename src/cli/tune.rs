//! `leitai tune`: adjusts the numbers of a variant by self-play.

mod errors;
mod simulate;

use std::sync::Mutex;

use super::export::ExportArgument;
use super::failure::{report_early_end, report_failing_player, report_resumable};
use super::game_files::GameArguments;
use super::play_options::{FailureArguments, PlayArguments};
use super::prelude::*;
use super::program::in_own_words;
use super::watching::Both;
use leitai_base::threads::lock;
use leitai_config::{
    Decimal, Frozen, Proof, SecondProof, TexelStage, Tune, TunedDimension, config_words,
};
use leitai_report::gate::render_gate;
use leitai_report::{Room, aligned, fenced};
use leitai_runs::figures::tune::{RenderedTune, TuneReport};
use leitai_session::tune::tune_of;
use leitai_session::{Event, Halt, StageOutcome, TuneFiles, TuneResults, TuneTask};

/// Adjust numbers of a variant by self-play, and prove the gain.
///
/// `[tune]` names the variant, and each `[[tune.parameter]]` names numbers by their paths:
/// `eval.material.*` or `eval.squares[*]`, with the names of the game,
/// `search.null_move.reduction`, `options.NAME` of another program. Numbers without effect, such as
/// squares that a piece cannot reach, stay as they are.
///
/// One config may contain several stages: a fit to games of the start (`[tune.texel]`) and its
/// gate, games to learn from, the proof against the start, a second proof under other limits
/// (`[tune.second]`), and games against frozen variants (`[tune.pool]`). Leitai writes the config of
/// each stage next to yours, the tuned variant to NAME.tuned.toml, and a page to NAME.report.html. After Ctrl-C, or any other
/// stop of the program, the same command resumes the tune, with the same values.
///
/// `--until` and `--for` reserve a quarter of the time for the proofs.
///
/// Exit codes: 0 all proofs accepted, or finished with `--no-proof`; 1 a proof rejected; 2 wrong
/// input; 3 a proof is inconclusive, no value has changed, or the time limit was reached; 4 stopped
/// by a failing player; 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = example())]
pub(super) struct Arguments {
    /// The config: game, limits, openings, `[tune]`, variants.
    #[arg(
        required_unless_present = "parameters",
        default_value = "-",
        hide_default_value = true
    )]
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    simulate: simulate::Options,
    /// Play nothing; list the tuned and the fixed values. Each dimension has start, bounds, step and number of values
    /// that move together; each fixed value has the reason.
    #[arg(long, conflicts_with_all = ["html", "pgn"])]
    list: bool,
    /// Output file of the tuned variant; by default the config's name with `.tuned.toml`. It also has a gate between the
    /// tuned variant and the start.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Skip the proof, the second proof and the pool.
    #[arg(long)]
    no_proof: bool,
    #[command(flatten)]
    play: PlayArguments,
    /// Print the results as JSON.
    #[arg(long, help_heading = "Output")]
    json: Option<PathBuf>,
    /// Print the results as Markdown, for a pull request or a forum.
    #[arg(long, help_heading = "Output", conflicts_with = "list")]
    markdown: Option<PathBuf>,
    #[command(flatten)]
    files: GameArguments,
    #[command(flatten)]
    export: ExportArgument,
}

impl Arguments {
    /// Changes to the config from the command line.
    fn overrides(&self) -> Result<Overrides, Failure> {
        match self.simulate.games {
            Some(games) => self.overrides.with(&format!("tune.games={games}")),
            None => Ok(self.overrides.clone()),
        }
    }
}

/// An example of a tune, with the first parameter path of each game.
fn example() -> String {
    let mut facts = games().iter().map(leitai_game::card::GameCard::facts);
    let first = facts.next().map_or("eval.*", |first| first.tuned_first);
    let mut by_path: Vec<(&str, Vec<&str>)> = Vec::new();
    for it in facts {
        match by_path.iter_mut().find(|(path, _)| *path == it.tuned_first) {
            Some((_, titles)) => titles.push(it.title),
            None => by_path.push((it.tuned_first, vec![it.title])),
        }
    }
    let mut others = String::new();
    for (path, titles) in by_path {
        let _ = write!(others, "\n  # {}: {path}", titles.join(", "));
    }
    format!(
        "Example:
  leitai tune mine.toml --list
with this in the config:
  [tune]
  variant = \"mine\"
  games = 20000
  [[tune.parameter]]
  path = \"{first}\"{others}
  range = 200

What to expect of a budget, without a game:
  leitai tune mine.toml --simulate --games-per-second 50
  leitai tune --simulate --parameters 30 --games 100000"
    )
}

#[derive(Serialize)]
struct TuneOutput<'a> {
    /// The name of the tuned variant.
    name: &'a str,
    #[serde(flatten)]
    tune: &'a Tune,
    proof: &'a Proof,
    frozen: &'a [Frozen],
    texel: Option<&'a TexelStage>,
    second: Option<&'a SecondProof>,
    pool: Option<Pool<'a>>,
}

#[derive(Serialize)]
struct Pool<'a> {
    /// Names of the variants.
    variants: Vec<&'a str>,
    /// Names of their additional opponents.
    references: Vec<&'a str>,
    pairs: u64,
    checkpoints: u32,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    if arguments.simulate.simulate {
        return simulate::run(arguments);
    }
    let loaded = load_config(&arguments.config, &arguments.overrides()?)?;
    let tune = tune_of(&loaded)?;
    if !arguments.list {
        let ending = &arguments.play.ending;
        return ending.then_run_command(|| play(arguments, &loaded));
    }
    let variant = loaded.config.variants.get(tune.variant);
    let name = variant.map_or("", |variant| variant.name.as_str());
    let mut all_files = CommandFiles::of(&arguments.config, &loaded);
    let json = Json::prepare(arguments.json.as_ref(), &mut all_files)?;
    let text = list(name, tune, &loaded);
    json.answer(
        &TuneOutput {
            name,
            tune,
            proof: &tune.proof,
            frozen: &tune.frozen,
            texel: tune.texel.as_ref(),
            second: tune.second.as_ref(),
            pool: tune.pool.as_ref().map(|pool| Pool {
                variants: names(&pool.variants, &loaded),
                references: names(&pool.references, &loaded),
                pairs: pool.pairs,
                checkpoints: pool.checkpoints,
            }),
        },
        || text,
    )
}

/// Renders the page of a tune, in the name of this program.
fn render(report: &TuneReport) -> RenderedTune {
    let rendered = leitai_report::tune::render_tune(report);
    RenderedTune {
        page: in_own_words(&rendered.page).into_owned(),
        ..rendered
    }
}

/// Plays all stages.
fn play(arguments: &Arguments, loaded: &Loaded) -> Outcome {
    let store = arguments.play.record(&arguments.config);
    let task = TuneTask {
        files: TuneFiles::of(&arguments.config, arguments.out.as_deref()),
        proves: !arguments.no_proof,
        previews: !arguments.play.watching.quiet,
        program: program::name().to_owned(),
        command: format!(
            "{} tune {}",
            program::name(),
            config_words(&loaded.warnings.name)
        ),
        render: Some(render),
        ..TuneTask::of(&arguments.config)
    };
    let mut all_files = CommandFiles::of(&arguments.config, loaded);
    all_files.records(&store);
    task.files.prepare(&mut all_files, loaded)?;
    let watching = arguments.play.watching.prepare(&mut all_files)?;
    let json = Json::prepare(arguments.json.as_ref(), &mut all_files)?;
    let tune = tune_of(loaded)?;
    let exports = arguments.export.prepare(&mut all_files, tune)?;
    let markdown = arguments.markdown.as_deref();
    let markdown = json_output::prepare("markdown", markdown, &mut all_files)?;
    let files = arguments
        .files
        .prepare(loaded.config.game.card, &mut all_files)?;
    let is_printed = is_printed(markdown.as_ref()) || files.are_printed() || exports.are_printed();
    let tables = Arc::new(Tables {
        is_silent: json.is_printed() || watching.is_stdout || is_printed,
        texts: Mutex::default(),
        failed: Mutex::default(),
    });
    let serving = arguments.play.serving;
    let listener = serving.with_server(watching.listener, &store)?;
    let both: Arc<dyn Listener> =
        Arc::new(Both([listener, Arc::clone(&tables) as Arc<dyn Listener>]));
    let failures = FailureArguments::default();
    let session = arguments.play.session(&store, failures, both)?;
    let ended = session.tune(loaded, &task)?;
    let answered = json.write(&ended.results);
    let (origin, start) = &ended.origin;
    let base = &loaded.config.variants[tune.variant];
    let exported = exports.write(origin, base, [start, &ended.tuned]);
    let texts = std::mem::take(&mut *lock(&tables.texts));
    let described = markdown.map_or(Ok(()), |file| {
        let blocks = texts.iter().map(|text| fenced(text));
        write_output(file, &blocks.collect::<Vec<_>>().join("\n\n"))
    });
    let learning = ended.results.learning.as_ref();
    let written = files.write_after_tune(&store, learning.map(|it| it.run.as_str()));
    let exit = match ended.halt {
        None => verdict(&ended.results),
        Some(Halt::Failing(fails)) => report_failing_player(&fails, false),
        Some(Halt::Early(early)) => report_early_end(&early, false),
        Some(halt @ (Halt::Cancelled(_) | Halt::TimeUp)) => {
            report_resumable(&format!(
                "{halt}; all finished games are recorded in {}",
                shown_path(&store)
            ));
            match halt {
                Halt::TimeUp => Exit::Inconclusive,
                _ => Exit::Interrupted,
            }
        }
    };
    let failed = lock(&tables.failed).take();
    let failed = failed.map_or(Ok(()), Err);
    all([failed, answered, exported, described, ended.page, written])?;
    Ok(exit)
}

/// The exit code of all stages of a tune. A series ends with a gate of its own, unless nothing was
/// selected: its only generation has been proven.
fn verdict(results: &TuneResults) -> Exit {
    let proofs = [&results.proof, &results.second];
    let proofs = proofs.into_iter().flatten();
    let proofs = proofs.map(|proof| proof.verdict.map_or(Exit::Inconclusive, Exit::from));
    // The proof that is worst for the tuned variant.
    let rank = |exit: &Exit| match exit {
        Exit::Success => 0,
        Exit::Inconclusive => 1,
        Exit::PlayerFailed => 2,
        _ => 3,
    };
    let unproven = Exit::Inconclusive.unless(results.tuned.is_some());
    proofs.max_by_key(rank).unwrap_or(unproven)
}

/// Prints the result of each stage at its end.
struct Tables {
    /// True if standard output has another purpose.
    is_silent: bool,
    /// The text of each stage, without limits of width.
    texts: Mutex<Vec<String>>,
    /// The first print error.
    failed: Mutex<Option<Failure>>,
}

impl Listener for Tables {
    fn notify(&self, event: &Event) {
        let Event::Outcome(outcome) = event else {
            return;
        };
        let text = |room| {
            Some(match outcome {
                StageOutcome::Fit(figures) => figures.text(),
                StageOutcome::Games(learning) => learning.table(),
                StageOutcome::Gate { judgement, .. } => render_gate(&judgement.summary, room),
                StageOutcome::Generation(generation) => generation.sentence(),
                StageOutcome::Pool(pool) => pool.table(),
                StageOutcome::Tuned { file } => format!("written to {}", shown_path(file)),
                StageOutcome::Page { file } => format!("report: {}", shown_path(file)),
                _ => return None,
            })
        };
        lock(&self.texts).extend(text(Room::Unlimited));
        let Some(text) = text(room()).filter(|_| !self.is_silent) else {
            return;
        };
        if let Err(failure) = print(&format!("{text}\n")) {
            lock(&self.failed).get_or_insert(failure);
        }
    }
}

fn names<'a>(indices: &[usize], loaded: &'a Loaded) -> Vec<&'a str> {
    let variants = &loaded.config.variants;
    let members = indices.iter().filter_map(|&at| variants.get(at));
    members.map(|variant| variant.name.as_str()).collect()
}

/// A list of all stages in order.
fn list(name: &str, tune: &Tune, loaded: &Loaded) -> String {
    let mut stages = Vec::new();
    if let Some(texel) = &tune.texel {
        let head = format!("`{name}`, fitted to {}", texel.source);
        stages.push(table(head, &texel.dimensions, &texel.frozen));
    }
    if tune.games > 0 {
        let (how, budget) = (tune.algorithm.name(), tune.budget());
        let head = format!("`{name}`, by {how} from {budget}");
        stages.push(table(head, &tune.dimensions, &tune.frozen));
    }
    let mut last = Vec::new();
    if let Some(limits) = &tune.generations {
        let most = tune.most_generations().into();
        let most = count(most, "generation", "generations");
        let rejections = limits.rejections;
        let games = limits.games;
        let games = games.map(|games| format!(", within {games} games"));
        last.push(format!(
            "at most {most}{}, ending after {rejections} in a row without a winner; then the last \
             winner plays a gate against the start",
            games.unwrap_or_default()
        ));
    }
    if let Some(second) = &tune.second {
        last.push(format!("second proof at {}", second.limits.words()));
    }
    if let Some(pool) = &tune.pool {
        let names = names(&pool.variants, loaded).into_iter();
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        let between = match &tune.generations {
            Some(_) => "all other winners".to_owned(),
            None => count(pool.checkpoints.into(), "checkpoint", "checkpoints"),
        };
        last.push(format!(
            "start, result and {between} play against {}, {} each",
            names.join(", "),
            count(pool.pairs, "pair", "pairs"),
        ));
    }
    if !last.is_empty() {
        stages.push(last.join("\n"));
    }
    stages.join("\n\n")
}

/// The table of tuned values, and the list of fixed ones.
fn table(head: String, dimensions: &[TunedDimension], frozen: &[Frozen]) -> String {
    let heads = ["dimension", "start", "min", "max", "step", "numbers"];
    let rows: Vec<_> = std::iter::once(heads.map(str::to_owned).to_vec())
        .chain(dimensions.iter().map(cells))
        .collect();
    let mut lines = vec![head, aligned("  ", &rows, 1, |column| column == 0, room())];
    let numbers: usize = dimensions.iter().map(|d| d.members.len()).sum();
    lines.push(format!(
        "{} {}",
        count(
            dimensions.len() as u64,
            "dimension moves",
            "dimensions move"
        ),
        count(numbers as u64, "number", "numbers")
    ));
    for frozen in frozen {
        let numbers = count(frozen.numbers.len() as u64, "number", "numbers");
        lines.push(format!(
            "as it is: {numbers} of `{}`: {}",
            frozen.entry, frozen.why.reason
        ));
    }
    lines.join("\n")
}

fn cells(dimension: &TunedDimension) -> Vec<String> {
    let step = match dimension.decimals() {
        0 => dimension.step,
        decimals => Decimal::nearest(dimension.step * dimension.unit(), decimals).value(),
    };
    vec![
        dimension.name.clone(),
        dimension.decimal(dimension.start).to_string(),
        dimension.decimal(dimension.min).to_string(),
        dimension.decimal(dimension.max).to_string(),
        step.to_string(),
        dimension.members.len().to_string(),
    ]
}
