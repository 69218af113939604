//! `leitai fastchess` and `leitai cutechess`: play the match of a command line of fastchess or
//! cutechess-cli as a config of Leitai, and report it in that program's format.
//!
//! ```text
//! words ── read ── request ── config ─── a session ─── printer    lines on standard output
//! (table)  (engine)  └── import                    ├── pgn_file   games, as they end
//!                                                  └── log
//! ```
//!
//! The names of options and the form of the output are facts of fastchess 1.8.2 (74deac23) and of
//! cutechess-cli 1.4, cited at their use; this module contains none of their code.

mod config;
mod engine;
mod import;
mod log;
mod outcomes;
mod pgn_file;
mod printer;
mod read;
mod reasons;
mod record;
mod request;
mod stdout;
mod table;
mod typed;
mod words;

use std::thread::available_parallelism;

use self::config::config;
use self::log::{Both, Log, LogLevel, LoggedDialogue, PrintedDialogue};
use self::printer::{FastchessPrinter, GrowingFile, OutputFiles};
use self::read::{ParsedCommand, parse};
use self::record::MatchRecord;
use self::request::MatchRequest;
use self::stdout::MatchOutput;
use self::table::{Support, options};
use self::typed::Typed;
use super::failure::report_early_end;
use super::prelude::*;
use super::program::own_usage;
use super::terminal::{print_raw, write_errors_in_background};
use leitai_base::threads;
use leitai_config::load_text;
use leitai_players::player::{DialogueListener, Dialogues, Fault, ProgramError};
use leitai_report::{FailureShare, Latency, LivePgn};
use leitai_runs::gate::Verdict;
use leitai_runs::tournament::Standings;
use leitai_session::output::prepare_folder;
use leitai_session::{Cancel, EarlyEnd, Ending, PlayOptions, RunEnd, Session};

pub(super) use import::run as import;
pub(super) use table::Dialect;

/// Examples of matches.
const EXAMPLE: &str = "\
Example:
  leitai fastchess -engine cmd=./new name=new -engine cmd=./old name=old \\
    -each tc=8+0.08 -openings file=book.epd order=random -srand 1 -rounds 500 -concurrency 4";
const CUTECHESS_EXAMPLE: &str = "\
Example:
  leitai cutechess -engine cmd=./new name=new -engine cmd=./old name=old \\
    -each proto=uci tc=8+0.08 -openings file=book.epd format=epd order=random \\
    -games 2 -rounds 500 -repeat -concurrency 4";

/// The version of fastchess whose options are taken.
const FASTCHESS: &str = "1.8.2";
/// The version of cutechess-cli whose options are taken.
const CUTECHESS: &str = "1.4.0";

/// The name of the config in messages and in the record.
const NAME: &str = "fastchess.toml";

/// Play the match of a fastchess command line.
///
/// Takes the options of fastchess, plays the match as a config of leitai into a record, and prints
/// the lines of fastchess. The same command resumes a stopped match. A refused option is an error
/// that names an alternative. Under a file name that begins with `fastchess` the program takes the
/// options directly.
#[derive(Debug, Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[command(after_help = EXAMPLE)]
pub(super) struct Arguments {
    /// The options of fastchess, and leitai's own `--print-config`, `--store FILE` and `--dialogue
    /// FOLDER`.
    #[arg(
        value_name = "OPTION",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    words: Vec<String>,
}

/// Play the match of a cutechess-cli command line.
///
/// Takes the options of cutechess-cli, plays the match as a config of leitai into a record, and
/// prints the lines of cutechess-cli. The same command resumes a stopped match. A refused option is
/// an error that names an alternative. Under a file name that begins with `cutechess-cli` the program
/// takes the options directly.
#[derive(Debug, Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[command(after_help = CUTECHESS_EXAMPLE)]
pub(super) struct CutechessArguments {
    /// The options of cutechess-cli, and leitai's own `--print-config`, `--store FILE` and
    /// `--dialogue FOLDER`.
    #[arg(
        value_name = "OPTION",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    words: Vec<String>,
}

/// The other program under whose name this one was started, if any.
pub(super) fn called_as() -> Option<Dialect> {
    let called = std::env::args_os().next().unwrap_or_default();
    let file = Path::new(&called).file_name().unwrap_or_default();
    let name = file.as_encoded_bytes();
    if name.starts_with(b"fastchess") {
        Some(Dialect::Fastchess)
    } else {
        name.starts_with(b"cutechess-cli")
            .then_some(Dialect::Cutechess)
    }
}

/// Returns the program whose options the command line has, and the number of words before them;
/// `None` if the usual parser must read the line.
pub(super) fn foreign_options() -> Option<(Dialect, usize)> {
    if let Some(dialect) = called_as() {
        return Some((dialect, 1));
    }
    let mut words = std::env::args_os().skip(1);
    let command = words.next()?;
    // Options of all our commands are read as usual.
    let has_options = words
        .next()
        .is_some_and(|word| !word.as_encoded_bytes().starts_with(b"--"));
    let dialects = [Dialect::Fastchess, Dialect::Cutechess];
    let dialect = dialects.into_iter().find(|it| command == it.command());
    Some((dialect.filter(|_| has_options)?, 2))
}

/// Runs the options of another program after some words of the command line.
pub(super) fn run_as((dialect, before): (Dialect, usize)) -> Outcome {
    let mut words = Vec::new();
    for word in std::env::args_os().skip(before) {
        match word.into_string() {
            Ok(word) => words.push(word),
            Err(word) => bail!("{} is not valid UTF-8", shown_path(Path::new(&word))),
        }
    }
    play_words(&words, dialect)
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    play_words(&arguments.words, Dialect::Fastchess)
}

pub(super) fn run_cutechess(arguments: &CutechessArguments) -> Outcome {
    play_words(&arguments.words, Dialect::Cutechess)
}

fn play_words(words: &[String], dialect: Dialect) -> Outcome {
    if words.is_empty() {
        return help(dialect);
    }
    match parse(&words::read(words, dialect)?, dialect)? {
        ParsedCommand::Help => help(dialect),
        ParsedCommand::Version => {
            print(&version(dialect))?;
            Ok(Exit::Success)
        }
        ParsedCommand::Examine(words) if words.is_empty() => {
            bail!("`--compliance` takes a program and its arguments")
        }
        ParsedCommand::Examine(words) => super::doctor::examine_program(&words),
        ParsedCommand::Play(request) => {
            for told in &request.notes {
                eprint(&format!("note: {told}"));
            }
            if request.openings.file.is_empty() {
                eprint("note: no `-openings`: all games begin at the usual start");
            }
            if request.run.print_config {
                print_raw(config(&request).trim_end())?;
                return Ok(Exit::Success);
            }
            play(*request, words)
        }
    }
}

/// The version, in a form that clients of the other program read: OpenBench's wants a number from
/// 1.8.1, fishtest's worker the commit of the build.
fn version(dialect: Dialect) -> String {
    let own = super::VERSION;
    let commit = crate::cli::program::commit();
    let commit = commit.map_or_else(String::new, |commit| format!(" -{commit}"));
    let first = match dialect {
        Dialect::Fastchess => format!("fastchess alpha {FASTCHESS}{commit}"),
        Dialect::Cutechess => format!("cutechess-cli {CUTECHESS}"),
    };
    format!("{first}\nby leitai {own}, which takes its options")
}

/// All options, with their treatment.
pub(super) fn help(dialect: Dialect) -> Outcome {
    let (command, program) = (dialect.command(), dialect.program());
    let mut text = format!(
        "leitai {command} OPTIONS: plays the match of a {program} command line.\n\
         docs/fastchess.md describes the treatment of each option and its keys.\n",
    );
    let mut all: Vec<_> = options(dialect).collect();
    all.sort_by_key(|known| known.name.trim_start_matches('-'));
    let accepted = all.iter().filter(|it| matches!(it.support, Support::Ours));
    let accepted: Vec<&str> = accepted.map(|it| it.name).collect();
    let _ = write!(text, "\nAccepted options: {}\n", accepted.join(" "));
    for known in all {
        let support = match known.support {
            Support::Ours => continue,
            Support::Anyway => "accepted: done in any case".to_owned(),
            Support::Refused(instead) => format!("refused: {instead}"),
        };
        let _ = write!(text, "\n  {:<20}  {support}", known.name);
    }
    let example = match dialect {
        Dialect::Fastchess => EXAMPLE,
        Dialect::Cutechess => CUTECHESS_EXAMPLE,
    };
    let mut text = format!("{text}\n\n{example}");
    if called_as() == Some(dialect) {
        text = text.replace(&format!("leitai {command} "), &format!("{program} "));
    }
    print(&own_usage(&text))?;
    Ok(Exit::Success)
}

/// Largest number of concurrent games.
const MOST_GAMES: i64 = 1_024;

/// The number of concurrent games.
fn threads(request: &MatchRequest) -> Result<NonZeroUsize, Failure> {
    let there = available_parallelism().map_or(1, NonZeroUsize::get) as i64;
    let asked = request.run.concurrency;
    let threads = if asked > 0 { asked } else { there + asked };
    if threads > there && !request.run.force {
        bail!(
            "`-concurrency {asked}` is more than the {there} processors\nhelp: \
             `-force-concurrency` plays this number of games at once"
        );
    }
    if threads > MOST_GAMES {
        bail!("`-concurrency {asked}` is more than {MOST_GAMES} games at once");
    }
    let count = usize::try_from(threads).ok().and_then(NonZeroUsize::new);
    count.ok_or_else(|| {
        Failure::msg(format!(
            "`-concurrency {asked}` leaves no processor\nhelp: give a number from 1 to {there}"
        ))
    })
}

/// The name of an output file without a name from the user: the current time.
fn named_by_time(ending: &str) -> String {
    let digits = log::now().replace(['-', ':', 'Z'], "").replace('T', "_");
    format!("fastchess_{digits}.{ending}")
}

fn play(mut request: MatchRequest, words: &[String]) -> Outcome {
    let began = Instant::now();
    let record = MatchRecord::find(&request);
    record.complete(&mut request)?;
    let text = MatchRecord::config(&request);
    let typed = Typed::new(words, &text);
    let played = play_config(request, &text, &typed, &record, began);
    played.map_err(|failure| typed.failure(failure))
}

fn play_config(
    request: MatchRequest,
    text: &str,
    typed: &Typed<'_>,
    record: &MatchRecord,
    began: Instant,
) -> Outcome {
    let mut loaded = typed.checked(load_text(text, NAME, Path::new(NAME), games()))?;
    // Continues as fastchess does, even if an engine fails in its first games.
    loaded.config.failures.plays_on = true;
    let path = &record.path;
    let mut files = CommandFiles::of(Path::new(NAME), &loaded);
    files.records(path);
    request.saved.iter().for_each(|file| files.reads(file));
    let outputs = output_files(&request, &mut files)?;
    let log = request.output.log.as_ref().map(|to| {
        let file = files.prepare(&to.path())?;
        Log::open(file, to).map(Arc::new)
    });
    let log = log.transpose()?;
    write_errors_in_background();
    let out = Arc::new(MatchOutput::start());
    let dialogues = dialogues(&request, log.as_ref(), &out)?;
    let cancel: &'static Cancel = signals::install_game_handler(false);
    signals::install_thread_signals().context(threads::NO_THREAD)?;
    // As in fastchess and cutechess. A client in the background ignores SIGINT, its match inherits
    // that, and still the client stops the match with SIGINT.
    signals::catch_interrupts()?;
    let threads = threads(&request)?;
    let verb = ["recording into", "resuming"][usize::from(path.exists())];
    let place = shown_path(path);
    let start =
        format!("{verb} the record {place}: the same command resumes the match after a stop");
    let (shows_latency, is_test) = (request.output.latency, request.output.test_env);
    let dialect = request.dialect;
    let printer = FastchessPrinter::new(
        start,
        request.output,
        outputs,
        log,
        Arc::clone(&out),
        cancel,
    );
    let printer = Arc::new(printer);
    let session = Session {
        threads,
        options: PlayOptions {
            fleet: None,
            pin: request.run.affinity,
            dialogues,
            wait: Duration::from_millis(request.run.wait),
            // As in fastchess: games that need more processors than there are begin with a warning.
            force: true,
            retry_failed: false,
            strict: request.strict,
        },
        ..Session::new(games::known(), path, cancel, printer.clone())
    };
    let games = if loaded.config.gate.is_some() {
        gate_games(&session, loaded)
    } else {
        session.run(loaded).map(|played| (played, None))
    };
    if let Some(trouble) = printer.trouble() {
        return Err(trouble);
    }
    let (played, accepted) = games.inspect_err(|failure| {
        if let Some(line) = startup_failure(failure) {
            printer.say(LogLevel::Fatal, &line);
            printer.create_files();
        }
    })?;
    let (plan, standings) = (&played.plan, &played.so_far);
    if !is_test {
        warn_of_failures(plan, standings);
    }
    if standings.duplicates > 0 {
        eprint(&format!(
            "warning: {} of {} an earlier one move by move: no evidence, and left out of a test",
            standings.duplicates,
            count(standings.played, "pair repeats", "pairs repeat")
        ));
    }
    if let Ending::Stopped(stopped) = &played.ending {
        printer.stopped(stopped);
    }
    let exit = ended(plan, &played.ending);
    if shows_latency {
        for latency in Latency::all(&plan.config, standings) {
            eprint(&latency.sentence());
        }
    }
    if exit == Exit::Success {
        printer.end(accepted);
        printer.say(LogLevel::Info, &end_lines(dialect, began.elapsed()));
        out.flush();
        record.finish(plan.config.seed)?;
    }
    Ok(exit)
}

/// Prepares the files of games.
fn output_files(request: &MatchRequest, files: &mut CommandFiles) -> Result<OutputFiles, Failure> {
    let pgn = request.output.pgn.as_ref().map(|pgn| {
        let variant = request.chess960.then_some("Chess960");
        let style = LivePgn {
            variant,
            ..pgn.style.clone()
        };
        let file = files.prepare(Path::new(&pgn.file))?;
        Ok::<_, Failure>((GrowingFile::Prepared(file), style))
    });
    let epd = request.output.epd.as_ref().map(|epd| {
        let file = files.prepare(Path::new(&epd.file))?;
        Ok::<_, Failure>(GrowingFile::Prepared(file))
    });
    Ok(OutputFiles {
        pgn: pgn.transpose()?,
        epd: epd.transpose()?,
    })
}

/// The destinations of the dialogue with engines: `--dialogue`, `-log engine=true` and `-debug`.
fn dialogues(
    request: &MatchRequest,
    log: Option<&Arc<Log>>,
    out: &Arc<MatchOutput>,
) -> Result<Option<Dialogues>, Failure> {
    let mut dialogues = None;
    if let Some(folder) = &request.run.dialogue {
        let folder = Path::new(folder);
        prepare_folder(folder)?;
        dialogues = Some(Dialogues::new(folder));
    }
    let logs = request.output.log.as_ref().is_some_and(|to| to.engine);
    let logged = log.filter(|_| logs).map(|log| {
        let listener: Arc<dyn DialogueListener> = Arc::new(LoggedDialogue(Arc::clone(log)));
        listener
    });
    let printed = request.output.debug.then(|| {
        let listener: Arc<dyn DialogueListener> = Arc::new(PrintedDialogue::new(Arc::clone(out)));
        listener
    });
    let listener = match (logged, printed) {
        (Some(one), Some(other)) => Some(Arc::new(Both(one, other)) as Arc<dyn DialogueListener>),
        (one, other) => one.or(other),
    };
    Ok(match listener {
        Some(listener) => Some(dialogues.unwrap_or_default().heard_by(listener)),
        None => dialogues,
    })
}

/// The line about an engine that does not start.
fn startup_failure(failure: &Failure) -> Option<String> {
    let error = failure.downcast_ref::<ProgramError>();
    let error = error.filter(|error| !error.cancelled)?;
    let reason = match error.refusal.fault {
        Fault::Ended | Fault::Silent => "Engine didn't respond to uciok after startup",
        _ => error.refusal.reason.as_str(),
    };
    Some(format!(
        "Fatal; {} engine startup failure: \"{}\"",
        shown(&error.variant),
        shown(reason)
    ))
}

/// Plays a test; returns its games and the accepted hypothesis.
fn gate_games(
    session: &Session<'_>,
    loaded: Loaded,
) -> Result<(RunEnd<Standings>, Option<&'static str>), Failure> {
    let played = session.gate(loaded)?;
    let accepted = match played.so_far.verdict() {
        Some(Verdict::Accepted) => Some("H1"),
        Some(Verdict::Rejected) => Some("H0"),
        _ => None,
    };
    let games = RunEnd {
        plan: played.plan,
        ending: played.ending,
        so_far: played.so_far.standings,
    };
    Ok((games, accepted))
}

/// Warns about players that failed, after the last game. Omits the warning about a player that
/// finished no game if its tenth failure already caused it.
fn warn_of_failures(plan: &Plan, standings: &Standings) {
    let tolerate = plan.config.failures.tolerate;
    for (index, variant) in plan.config.variants.iter().enumerate() {
        let reliability = standings.reliability.of(index);
        let absent = standings.reliability.finished_no_game(index);
        match absent.filter(|_| standings.failing.is_none()) {
            Some(failing) => {
                let sentence = failing.sentence(&variant.name, "", tolerate);
                eprint(&format!("warning: {sentence}"));
            }
            None => {
                if let Some(words) = FailureShare::from(reliability).words() {
                    eprint(&format!("warning: `{}` {words}", variant.name));
                }
            }
        }
    }
}

/// The exit code of an ending; reports an early one.
fn ended(plan: &Plan, ending: &Ending) -> Exit {
    match EarlyEnd::of(plan, ending) {
        Some(EarlyEnd::Stopped(stopped)) => {
            eprint(&format!(
                "error: {stopped}\nhelp: with `-recover` this loses the game, and the match goes on"
            ));
            Exit::PlayerFailed
        }
        Some(early) => report_early_end(&early, true),
        None if *ending == Ending::Cancelled => {
            eprint("the match was interrupted; run the same command to resume");
            Exit::Interrupted
        }
        None => Exit::Success,
    }
}

/// The last lines of a match.
fn end_lines(dialect: Dialect, time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours, seconds) = (seconds / 60 % 60, seconds / 3600, seconds % 60);
    let time = format!("{hours:02}:{minutes:02}:{seconds:02} (hours:minutes:seconds)");
    match dialect {
        Dialect::Fastchess => format!("Finished match\nTotal Time: {time}\n"),
        Dialect::Cutechess => "Finished match".to_owned(),
    }
}

/// Text from the user or a file, quoted for a message.
fn word(text: &str) -> String {
    format!("`{}`", shown(text))
}
