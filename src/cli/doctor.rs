//! `leitai doctor`: checks whether the players of a config are fit to play.

mod disturbance;

use std::io::{self, IsTerminal};

use self::disturbance::DisturbanceArguments;
use super::play_options::{PinArguments, PriorityArgument};
use super::prelude::*;
use leitai_config::{Variant, load_text, quoted};
use leitai_players::doctor::{ExaminationContext, Health, examine, players};
use leitai_players::player::{adopt_orphans, watch_pauses};
use leitai_report::{CheckMarks, render_player};
use leitai_session::Reader;
use leitai_session::books::book_of;

/// Examine the players of a config, and report problems in plain words.
///
/// Doctor prepares and greets each program and asks it for moves as a run would do it; it lets the
/// program play short games against itself at the limits of the config, from the usual start and
/// from openings of the config, repeats searches of the same positions, and times them. If answers
/// are wrong, doctor tries other protocol settings and names the line of the config that fixes
/// them. It checks Leitai's own searches briefly and records nothing.
///
/// With `--disturbance` it measures instead how much games at once slow each other down on this
/// machine (docs/external-engines.md).
///
/// Exit codes: 0 every player is fit, perhaps with warnings; 4 one is not; 2 wrong input; 130
/// interrupted.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The config.
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    /// Examine this variant only.
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Fewer and shorter searches.
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    disturbance: DisturbanceArguments,
    #[command(flatten)]
    processors: PinArguments,
    #[command(flatten)]
    priority: PriorityArgument,
    /// Print JSON: for each player its checks, each with `id`, `status` (ok,
    /// warning, failure), `text`, `help` and `figures`; with `--disturbance` its table.
    #[arg(long)]
    json: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples: before a long run,
  leitai doctor configs/external.toml --variant fairy-stockfish
and before one with a clock,
  leitai doctor configs/external.toml --variant fairy-stockfish --disturbance --pin";

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let loaded = load_config(&arguments.config, &arguments.overrides)?;
    let json = Json::prepare(
        arguments.json.as_ref(),
        &mut CommandFiles::of(&arguments.config, &loaded),
    )?;
    arguments.priority.set()?;
    if arguments.disturbance.is_requested {
        return disturbance::run(arguments, loaded, json);
    }
    if arguments.processors.pin()?.is_some() {
        bail!(
            "`--pin` and `--reserve` have no effect on an examination\nhelp: add `--disturbance`"
        );
    }
    let config = &loaded.config;
    let chosen = match arguments.variant.as_deref() {
        None => players(config),
        name => vec![choose(config, name)?],
    };
    let threads = arguments.processors.threads().get();
    report(&loaded, &chosen, (arguments.quick, threads), json)
}

/// Examines a program with these words, which plays chess.
pub(super) fn examine_program(words: &[String]) -> Outcome {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let command = words.join(", ");
    let text = format!(
        "game = \"chess\"\nlimits = {{ movetime = \"100ms\" }}\ntournament = {{ pairs = 1 }}\n\
         [[variant]]\nname = \"engine\"\nprotocol = \"uci\"\ncommand = [{command}]\n\
         [[variant]]\nname = \"again\"\nprotocol = \"uci\"\ncommand = [{command}]\n"
    );
    let name = "the program";
    let loaded = load_text(&text, name, Path::new(name), games())?;
    let json = Json::prepare(None, &mut CommandFiles::of(Path::new(name), &loaded))?;
    let first: Vec<&Variant> = loaded.config.variants.iter().take(1).collect();
    report(&loaded, &first, (false, 1), json)
}

/// Reports on these players; `quick` examines them with fewer and shorter searches.
fn report(
    loaded: &Loaded,
    chosen: &[&Variant],
    (quick, threads): (bool, usize),
    json: Json,
) -> Outcome {
    let reader = Reader {
        games: games::known(),
        listener: &Notices,
    };
    let book = book_of(loaded, reader).inspect_err(|error| {
        eprint(&format!(
            "warning: {error:#}\nwarning: all games of the examination begin at the usual start"
        ));
    });
    let book = book.ok();
    adopt_orphans();
    watch_pauses()?;
    let cancel = signals::install_handler();
    let around = ExaminationContext {
        quick,
        threads,
        available_mib: leitai_platform::machine::available_mib(),
        book: book.as_ref(),
        cancel,
    };
    let marks = if io::stdout().is_terminal() {
        CheckMarks::Signs
    } else {
        CheckMarks::Words
    };
    let mut examined = Vec::new();
    for &variant in chosen {
        let player = examine(&loaded.config, variant, &around);
        if cancel.load(Ordering::Relaxed) {
            eprint("stopped: there is no report on a player whose examination is incomplete");
            return Ok(Exit::Interrupted);
        }
        json.print(|| render_player(&player, marks))?;
        examined.push(player);
    }
    let health = Health::new(examined);
    if health.players.len() > 1 {
        json.print(|| health.sentence.clone())?;
    }
    json.write(&health)?;
    Ok(Exit::PlayerFailed.unless(health.fit))
}
