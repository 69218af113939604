//! `leitai init`: writes a first config.

mod book;
mod engine;

use std::fmt;
use std::fs;

use self::book::FirstBook;
use super::configs::checked;
use super::prelude::*;
use super::schema;
use leitai_base::foreign::read_text;
use leitai_config::{Config, Program, load_text, path_word, quoted};
use leitai_game::card::protocols_of;
use leitai_players::doctor::rehearse;
use leitai_players::player::{
    Refusal, SpokenProtocol, adopt_orphans, detect_protocol, locate, watch_pauses,
};
use leitai_protocols::Protocol;

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
    /// The game; by default the first one, or the one that the engines play.
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
    if arguments.engine.len() > 2 {
        bail!(
            "a first config has at most two engines\n\
             help: write it with two, and copy a `[[variant]]` for each further one"
        );
    }
    if arguments.engine.iter().any(|it| it.trim().is_empty()) {
        bail!("--engine is a program, with its arguments behind it: `--engine \"./mine --fast\"`");
    }
    let cancel = signals::install_handler();
    let written = config(arguments, cancel);
    if cancel.load(Ordering::Relaxed) {
        return Ok(Exit::Interrupted);
    }
    let first = written?;
    let card = first.card;
    let folder = out.parent().unwrap_or(Path::new(""));
    let book = FirstBook::of(card, folder, cancel)?;
    if cancel.load(Ordering::Relaxed) {
        return Ok(Exit::Interrupted);
    }
    if arguments.gate && matches!(book, FirstBook::Start) {
        bail!(
            "no openings of {} are found, and a gate needs some\n\
             help: write a config without `--gate`, and name a book of yours in it",
            card.name()
        );
    }
    if let FirstBook::File {
        name,
        text: Some(text),
    } = &book
    {
        let file = files.prepare_new(&folder.join(name), false)?;
        write_output(file, text)?;
        let openings = count(text.lines().count() as u64, "opening", "openings");
        let file = path_word(&folder.join(name));
        eprint(&format!("{file} is written: {openings} for the config"));
    }
    let text = first.text(arguments, &book, arguments.gate);
    load(arguments, &text)?;
    write_output(file, &text)?;
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

/// A player of the config.
#[derive(Default)]
struct PlayerLines {
    name: String,
    /// The lines that define it.
    lines: String,
}

/// A given engine, after its greeting.
struct GreetedEngine<'a> {
    name: String,
    command: engine::Command<'a>,
    spoken: SpokenProtocol,
}

/// Reports progress after the first 2 s.
struct Progress(Instant);

impl Progress {
    fn show(&self, step: fmt::Arguments<'_>) {
        if self.0.elapsed() >= Duration::from_secs(2) {
            eprint(&format!("note: {step}"));
        }
    }
}

/// The content of a first config.
struct FirstConfig {
    card: Card,
    players: [PlayerLines; 2],
    /// The limits, as a line of the config.
    limits: String,
}

/// The config of the named game, or else of the only one that the engines play.
fn config(arguments: &Arguments, cancel: &AtomicBool) -> Result<FirstConfig, Failure> {
    adopt_orphans();
    watch_pauses()?;
    let progress = Progress(Instant::now());
    let mut cards: Vec<Card> = games().iter().collect();
    if let Some(named) = arguments.game {
        cards.retain(|card| *card == named);
    }
    let mut engines = Vec::new();
    for command in &arguments.engine {
        let engine = engine(arguments, &cards, command, &engines, &progress, cancel)?;
        engines.push(engine);
    }
    if arguments.game.is_some() || engines.is_empty() {
        let card = *cards.first().context("this program has no game")?;
        return config_of(arguments, card, &engines, cancel);
    }
    let (mut written, mut reasons) = (Vec::new(), String::new());
    let commands = arguments.engine.join("` and `");
    let commands = shown(&commands);
    for card in cards {
        let name = card.name();
        let mut spoken = engines.iter().map(|engine| engine.spoken.protocol);
        if !spoken.all(|protocol| card.facts().protocols.contains(&protocol)) {
            continue;
        }
        progress.show(format_args!("asking for a move of {name}"));
        match config_of(arguments, card, &engines, cancel) {
            Ok(first) => written.push(first),
            Err(error) => {
                let error = error.to_string();
                let reason = error.lines().next().unwrap_or_default();
                let _ = write!(reasons, "\n  {name}: {reason}");
            }
        }
    }
    let names: Vec<&str> = written.iter().map(|first| first.card.name()).collect();
    match (names.as_slice(), written.pop()) {
        ([name], Some(only)) => {
            eprint(&format!(
                "note: no game is named: `{commands}` can play {name}"
            ));
            Ok(only)
        }
        ([name, ..], _) => bail!(
            "no game is named, and `{commands}` can play {}\n\
             help: name the game: `{} init {name}{}`",
            names.join(" and "),
            program::name(),
            arguments
                .engine
                .iter()
                .fold(String::new(), |words, engine| {
                    words + " --engine " + &path_word(Path::new(engine))
                })
        ),
        ([], _) => bail!(
            "no game is named, and `{commands}` can play none:{reasons}\n\
             help: correct the engine: start it by hand and send it a position"
        ),
    }
}

/// A config of two players, under the first limits that their programs obey: the given
/// programs, with Leitai's search as the opponent of a single one; without programs, two presets of
/// the search.
fn config_of(
    arguments: &Arguments,
    card: Card,
    engines: &[GreetedEngine],
    cancel: &AtomicBool,
) -> Result<FirstConfig, Failure> {
    let protocols: Vec<_> = engines.iter().map(|it| it.spoken.protocol).collect();
    let limits = proposed_limits(card, &protocols);
    let engines = engines.iter().map(|engine| engine.lines(arguments, card));
    let engines: Vec<PlayerLines> = engines.collect::<Result<_, _>>()?;
    let presets = ["full", "plain"].map(|name| PlayerLines {
        name: name.to_owned(),
        lines: format!("name = \"{name}\"\nsearch = {{ preset = \"{name}\" }}\n"),
    });
    let mut players = engines.into_iter().chain(presets);
    let players = [players.next(), players.next()].map(Option::unwrap_or_default);
    let mut first = FirstConfig {
        card,
        players,
        limits: String::new(),
    };
    let mut refused = anyhow!("no limits");
    for limits in limits {
        first.limits = limits;
        refused = match load(arguments, &first.text(arguments, &FirstBook::Start, false)) {
            Err(error) => error,
            Ok(config) => match rehearse(&config, cancel) {
                Ok(()) => return Ok(first),
                Err((place, refusal)) => cannot_play(&arguments.engine[place], &refusal),
            },
        };
    }
    Err(refused)
}

/// Lines of limits for programs of these protocols, in order of preference. The comments name other
/// limits that all of the protocols can express.
fn proposed_limits(card: Card, protocols: &[&Protocol]) -> Vec<String> {
    let proposed = |keys: &[(&str, &str)]| {
        let all_have = |key: &str| {
            let mut protocols = protocols.iter();
            protocols.all(|protocol| protocol.limit_keys().any(|it| it == key))
        };
        let known = keys.iter().filter(|(key, _)| all_have(key));
        let known = known.map(|(key, value)| format!("{key} = {value}"));
        known.collect::<Vec<_>>().join(", ")
    };
    if protocols.is_empty() {
        let others = "depth = 6, movetime = \"100ms\", clock = \"10s+0.1s\"";
        // A search of fewer nodes than moves does not see all of them.
        let thousands = (card.initial().count_legal_moves() / 100).max(1);
        let nodes = format!("nodes = {thousands}_000");
        return vec![format!("{nodes:<26}# per move; or {others}")];
    }
    let others = proposed(&[
        ("movetime", "\"100ms\""),
        ("nodes", "20_000"),
        ("depth", "6"),
    ]);
    let comment = format!("      # or {others}");
    let comment = if others.is_empty() { "" } else { &comment };
    vec![
        "nodes = 5_000             # quick and repeatable; for play by a clock: \
         clock = \"10s+0.1s\""
            .to_owned(),
        format!("clock = \"5s+0.05s\"{comment}"),
        "clock = \"5s\"            # its protocol has whole seconds".to_owned(),
    ]
}

fn load(arguments: &Arguments, text: &str) -> Result<Config, Failure> {
    let name = path_word(&arguments.out);
    let loaded = load_text(text, &name, &arguments.out, games());
    Ok(checked(loaded)?.config)
}

/// The program of a command, in this protocol.
fn program_of(
    arguments: &Arguments,
    card: Card,
    command: &engine::Command,
    protocol: &'static Protocol,
) -> Result<Program, Failure> {
    let name = command.name("");
    let text = format!(
        "game = {}\nlimits.clock = \"5s\"\ntournament.pairs = 1\n\
         [[variant]]\n{}[[variant]]\nname = {}\n",
        quoted(card.name()),
        command.lines(&name, ("protocol", protocol.name)),
        quoted(&format!("not {name}"))
    );
    let config = load(arguments, &text)?;
    let mut programs = config.variants.into_iter().filter_map(|it| it.program);
    programs
        .next()
        .map(|it| *it)
        .ok_or_else(|| anyhow!("no engine"))
}

/// Starts the engine of a command and finds its protocol among the protocols of the games.
fn engine<'a>(
    arguments: &Arguments,
    cards: &[Card],
    command: &'a str,
    others: &[GreetedEngine],
    progress: &Progress,
    cancel: &AtomicBool,
) -> Result<GreetedEngine<'a>, Failure> {
    let protocols = protocols_of(cards.iter().copied());
    let (Some(&card), Some(&first)) = (cards.first(), protocols.first()) else {
        bail!("this program has no game for engines");
    };
    let refused = |refusal: Refusal| cannot_play(command, &refusal);
    let words = engine::Command::new(command, &arguments.out)?;
    let mut unknown = program_of(arguments, card, &words, first)?;
    (unknown.executable, _) = locate(&unknown).map_err(refused)?;
    let on_attempt = |protocol: &Protocol, time: Duration| {
        let (name, command) = (protocol.name, shown(command));
        progress.show(format_args!(
            "greeting `{command}` by `{name}`, for {time:?}"
        ));
    };
    let spoken = detect_protocol(&unknown, card, &protocols, &on_attempt, cancel);
    let spoken = spoken.map_err(refused)?;
    let mut name = words.name(&shown(&spoken.introduction.name).to_string());
    if others.iter().any(|other| other.name == name)
        || arguments.engine.len() == 1 && name == "full"
    {
        name.push_str("-2");
    }
    Ok(GreetedEngine {
        name,
        command: words,
        spoken,
    })
}

impl GreetedEngine<'_> {
    /// The lines of its variant in a config of a game.
    fn lines(&self, arguments: &Arguments, card: Card) -> Result<PlayerLines, Failure> {
        let program = program_of(arguments, card, &self.command, self.spoken.protocol)?;
        let mut presets = program.unspecified.presets.iter().map(|(known, _)| known);
        let preset = presets.find(|known| known.is_called(&self.spoken.introduction.name));
        let preset = preset.map(|known| known.name);
        Ok(PlayerLines {
            name: self.name.clone(),
            lines: engine::variant(&self.name, &self.command, &self.spoken, preset),
        })
    }
}

fn cannot_play(command: &str, refusal: &Refusal) -> Failure {
    let Refusal { reason, help, .. } = refusal;
    anyhow!(
        "the engine `{}` cannot play: {reason}\nhelp: {help}",
        shown(command)
    )
}

impl FirstConfig {
    /// The config as a text with comments.
    fn text(&self, arguments: &Arguments, book: &FirstBook, is_gate: bool) -> String {
        let Self {
            card,
            players,
            limits,
        } = self;
        let (program, game) = (program::name(), card.name());
        let name = path_word(&arguments.out);
        let [first, second] = players.each_ref().map(|player| &*player.name);
        let openings = book.lines(*card);
        let failures = if arguments.engine.is_empty() && !is_gate {
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
        let (command, what, question) = if is_gate {
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
        let variants = variants.map(|player| format!("[[variant]]\n{}\n", player.lines));
        let variants = variants.concat();
        let another = if arguments.engine.is_empty() {
            let protocols = self.card.facts().protocols;
            let protocol = protocols.first().map_or("uci", |protocol| protocol.name);
            format!(
                "# A program of yours: every line of a variant may stand here too, such as its limits.\n\
             # [[variant]]\n\
             # name = \"mine\"\n\
             # command = [\"./my-engine\"]\n\
             # protocol = \"{protocol}\"\n\
             \n"
            )
        } else {
            String::new()
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
}
