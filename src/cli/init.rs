//! `leitai init`: writes a first config.

mod engine;

use std::fs;

use super::games::entry_of;
use super::prelude::*;
use super::schema;
use crate::config::{Config, ConfigError, Protocol, load_text, path_word, quoted};
use crate::doctor::rehearse;
use crate::foreign::read_text;
use crate::player::{Refusal, adopt_orphans, detect_protocol, locate, watch_pauses};

/// The maximum number of bytes of a schema.
const MAX_SCHEMA: u64 = 1 << 20;

/// Write a first config: two players of a game, and a test which one is stronger.
///
/// The config is ready to run, and its comments list possible changes. The schema, which editors
/// use to complete and check configs, is written to the same folder. Engines are started: `init`
/// finds the protocol that each speaks, its options, and limits under which it makes a move.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(super) struct Arguments {
    /// The game.
    #[arg(value_parser = games::parser())]
    game: Option<Card>,
    /// An engine of yours, with its arguments: `"./my-engine --fast"`, `"python3 bot.py"`. It plays
    /// against a second one if two are given, else against leitai's own full search.
    #[arg(long, value_name = "COMMAND", num_args = 1)]
    engine: Vec<String>,
    /// Write a gate, which ends when its test has enough evidence: the first player is the
    /// candidate.
    #[arg(long)]
    gate: bool,
    /// The config file to write.
    #[arg(long, short, value_name = "FILE", default_value = "leitai.toml")]
    out: PathBuf,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

fn after_help() -> String {
    format!(
        "{}\n  {} init chess --engine ./new --engine ./old --gate",
        examples("init", "GAME"),
        program::name()
    )
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let out = &arguments.out;
    if fs::metadata(out).is_ok_and(|found| !found.is_file()) {
        bail!("{}: not a file", shown_path(out));
    }
    if out
        .to_str()
        .is_none_or(|name| name.contains(char::is_control))
    {
        bail!(
            "{}: it is named in the config, as text on a line",
            shown_path(out)
        );
    }
    let mut files = CommandFiles::default();
    let file = files.prepare_new(out, arguments.force)?;
    let beside = out.with_file_name(schema::FILE);
    let beside = match read_text(&beside, MAX_SCHEMA) {
        // The user may have written it by hand.
        Ok(found) if !(arguments.force && found.contains(schema::TITLE)) => None,
        Err(_) if beside.exists() => None,
        _ => Some(files.prepare(&beside)?),
    };
    let first = || games().iter().next();
    if arguments.engine.len() > 2 {
        bail!(
            "a first config has at most two engines\n\
             help: write it with two, and copy a `[[variant]]` for each further one"
        );
    }
    let Some(card) = arguments.game.or_else(first) else {
        bail!("this program has no game");
    };
    if arguments.engine.iter().any(|it| it.trim().is_empty()) {
        bail!("--engine is a program, with its arguments behind it: `--engine \"./mine --fast\"`");
    }
    let cancel = signals::install_handler();
    let written = config(arguments, card, cancel);
    if cancel.load(Ordering::Relaxed) {
        return Ok(Exit::Interrupted);
    }
    write_output(file, &written?)?;
    if let Some(beside) = beside {
        write_output(beside, &(schema::text()? + "\n"))?;
    }
    let (program, config) = (program::name(), path_word(&arguments.out));
    let command = if arguments.gate { "gate" } else { "run" };
    let plan = if arguments.gate {
        format!("\n  {program} gate {config} --plan     how long that will take")
    } else {
        String::new()
    };
    let doctor = if arguments.engine.is_empty() {
        String::new()
    } else {
        format!("\n  {program} doctor {config}")
    };
    eprint(&format!(
        "{config} is written: two players of {}. Next:{doctor}\n  {program} {command} {config}{plan}",
        card.name()
    ));
    Ok(Exit::Success)
}

/// Limits for programs, in order of preference: the first one that the config accepts.
const LIMITS: [&str; 3] = [
    "nodes = 5_000             # quick and repeatable; for play by a clock: clock = \"10s+0.1s\"",
    "clock = \"5s+0.05s\"      # or movetime = \"100ms\", nodes = 20_000, depth = 6",
    "clock = \"5s\"            # or movetime = \"1s\"; its protocol has whole seconds",
];

/// The name of a player, and the lines that define it.
type Player = (String, String);

/// A commented config of two players, under the first limits that their programs obey: the given
/// programs, with Leitai's search as the opponent of a single one; without programs, two presets of
/// the search.
fn config(arguments: &Arguments, card: Card, cancel: &AtomicBool) -> Result<String, Failure> {
    adopt_orphans();
    watch_pauses()?;
    let mut engines = Vec::new();
    for command in &arguments.engine {
        let engine = engine(arguments, card, command, &engines, cancel)?;
        engines.push(engine);
    }
    let presets = ["full", "plain"].map(|name| {
        let lines = format!("name = \"{name}\"\nsearch = {{ preset = \"{name}\" }}\n");
        (name.to_owned(), lines)
    });
    let mut players = engines.into_iter().chain(presets);
    let players = [players.next(), players.next()].map(Option::unwrap_or_default);
    let mut refused = anyhow!("no limits");
    for limits in limits(arguments) {
        let text = with_limits(arguments, card, &players, limits);
        refused = match load(arguments, &text) {
            Err(error) => error.into(),
            Ok(config) => match rehearse(&config, cancel) {
                Ok(()) => return Ok(text),
                Err((place, refusal)) => cannot_play(&arguments.engine[place], &refusal),
            },
        };
    }
    Err(refused)
}

/// Limits in order of preference.
fn limits(arguments: &Arguments) -> &'static [&'static str] {
    if arguments.engine.is_empty() {
        &[
            "nodes = 1_000             # per move; or depth = 6, movetime = \"100ms\", \
           clock = \"10s+0.1s\"",
        ]
    } else {
        &LIMITS
    }
}

fn load(arguments: &Arguments, text: &str) -> Result<Config, ConfigError> {
    let name = path_word(&arguments.out);
    let loaded = load_text(text, &name, &arguments.out, games())?;
    Ok(loaded.config)
}

/// The engine of a command, which is started to find the protocol that it speaks.
fn engine(
    arguments: &Arguments,
    card: Card,
    command: &str,
    players: &[Player],
    cancel: &AtomicBool,
) -> Result<Player, Failure> {
    let words = engine::words(command);
    let program = |protocol: Protocol| {
        let name = engine::name(&words, "");
        let text = format!(
            "game = {}\nlimits.clock = \"5s\"\ntournament.pairs = 1\n\
             [[variant]]\n{}[[variant]]\nname = {}\n",
            quoted(card.name()),
            engine::lines(&name, &words, ("protocol", protocol.name())),
            quoted(&format!("not {name}"))
        );
        let config = load(arguments, &text)?;
        let mut programs = config.variants.into_iter().filter_map(|it| it.program);
        programs.next().ok_or_else(|| anyhow!("no engine"))
    };
    let protocols = card.facts().protocols;
    let first = protocols.first().copied().unwrap_or(Protocol::Uci);
    let refused = |refusal: Refusal| cannot_play(command, &refusal);
    let mut unknown = program(first)?;
    (unknown.executable, _) = locate(&unknown).map_err(refused)?;
    let spoken = detect_protocol(&unknown, card, protocols, cancel).map_err(refused)?;
    let own = shown(&spoken.introduction.name).to_string();
    let mut name = engine::name(&words, &own);
    if players.iter().any(|(other, _)| *other == name)
        || arguments.engine.len() == 1 && name == "full"
    {
        name.push_str("-2");
    }
    let presets = program(spoken.protocol)?.unspecified.presets;
    let mut presets = presets.iter().map(|(known, _)| known);
    let preset = presets.find(|known| known.is_called(&spoken.introduction.name));
    let lines = engine::variant(&name, &words, &spoken, preset.map(|known| known.name));
    Ok((name, lines))
}

fn cannot_play(command: &str, refusal: &Refusal) -> Failure {
    let Refusal { reason, help, .. } = refusal;
    anyhow!(
        "the engine `{}` cannot play: {reason}\nhelp: {help}",
        shown(command)
    )
}

fn with_limits(arguments: &Arguments, card: Card, players: &[Player; 2], limits: &str) -> String {
    let (program, game) = (program::name(), card.name());
    let name = path_word(&arguments.out);
    let [(first, _), (second, _)] = players;
    let book = entry_of(card).and_then(|entry| entry.shipped.first());
    let openings = book.map_or_else(
        || {
            "# [openings]\n# file = \"openings.epd\"   # a line for each; without, all games begin \
             from the usual start\n"
                .to_owned()
        },
        |book| {
            format!(
                "[openings]\n\
                 # The program brings this book ({}); or a file of yours: EPD, moves, PGN.\n\
                 file = \"leitai:{}\"\n\
                 exhausted = \"vary\"      # after the last: again, with varied last plies\n",
                book.holds, book.name
            )
        },
    );
    let failures = if arguments.engine.is_empty() && !arguments.gate {
        ""
    } else {
        "[failures]\n\
         # Of each player: games lost by a crash, a stall or an illegal move. A gate with more of\n\
         # them ends without a verdict (exit code 4), a run warns. Losses on time do not count here.\n\
         tolerate = \"1 %\"          # one game, above that 1 % of its games; \"100 %\": no limit\n\
         \n"
    };
    let tournament = "[tournament]\npairs = 50                # two games each\n".to_owned();
    let gate = format!(
        "[gate]\n\
         candidate = {}\n\
         base = {}\n\
         elo0 = 0                  # reject if it gains no more than this\n\
         elo1 = 10                 # accept if it gains at least this\n",
        quoted(first),
        quoted(second)
    );
    let commented = |text: &str| {
        let lines: Vec<String> = text.lines().map(|line| format!("# {line}\n")).collect();
        lines.concat()
    };
    let (command, what, question) = if arguments.gate {
        let what = "plays pairs, each opening twice with colours swapped, until a test knows: exit \
                    code 0 if\n# the candidate is stronger.";
        let other = format!(
            "# The difference in Elo after these games, for `{program} run {name}`; in place of [gate].\n{}",
            commented(&tournament)
        );
        ("gate", what, format!("{gate}\n{other}"))
    } else {
        let what = "plays 50 pairs: each opening twice, with colours swapped.";
        let other = format!(
            "# The same question until a test knows, for `{program} gate {name}`: exit code 0 if the\n\
             # candidate is stronger. It stands in place of [tournament].\n{}",
            commented(&gate)
        );
        ("run", what, format!("{tournament}\n{other}"))
    };
    let variants = players.each_ref();
    let variants = variants.map(|(_, lines)| format!("[[variant]]\n{lines}\n"));
    let variants = variants.concat();
    let another = if arguments.engine.is_empty() {
        "# A program of yours: every line of a variant may stand here too, such as its limits.\n\
         # [[variant]]\n\
         # name = \"mine\"\n\
         # command = [\"./my-engine\"]\n\
         # protocol = \"uci\"\n\
         \n"
    } else {
        ""
    };
    format!(
        "#:schema ./{}\n\
         \n\
         # Which of two players is stronger?\n\
         #\n\
         #     {program} {command} {name}\n\
         #\n\
         # {what}\n\
         # After a stop, the same command resumes. Change what you like.\n\
         \n\
         game = \"{game}\"\n\
         seed = 1                  # another seed, other openings\n\
         \n\
         [limits]\n\
         {limits}\n\
         \n\
         {openings}\
         \n\
         {failures}\
         {variants}\
         {another}\
         {question}",
        schema::FILE
    )
}
