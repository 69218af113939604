//! `leitai fastchess`: plays the match of a fastchess command line as a config of Leitai, and
//! reports it in fastchess's format.
//!
//! ```text
//! words ── read ── ask ── config ─── a session ─── teller   lines on standard output
//! (table)  (engine)  └── import                └── pgn_file games, as they end
//! ```
//!
//! The names of options and the form of the output are facts of fastchess 1.8.2 (74deac23), cited
//! at their use; this module contains none of its code.

mod config;
mod engine;
mod import;
mod pgn_file;
mod printer;
mod read;
mod reasons;
mod request;
mod table;
mod typed;
mod words;

use std::thread::available_parallelism;

use sha2::{Digest, Sha256};

use self::config::{config, without_length};
use self::printer::FastchessPrinter;
use self::read::{ParsedCommand, parse};
use self::request::MatchRequest;
use self::table::{Support, options};
use self::typed::Typed;
use super::failure::report_early_end;
use super::prelude::*;
use super::terminal::print_raw;
use crate::config::load_text;
use crate::gate::Verdict;
use crate::output::prepare_folder;
use crate::report::{FailureShare, Latency, LivePgn};
use crate::schedule::hexadecimal;
use crate::session::{Cancel, EarlyEnd, Ending, PlayOptions, RunEnd, Session};
use crate::tournament::Standings;

pub(super) use import::run as import;

/// An example of a match.
const EXAMPLE: &str = "\
Example:
  leitai fastchess -engine cmd=./new name=new -engine cmd=./old name=old \\
    -each tc=8+0.08 -openings file=book.epd order=random -srand 1 -rounds 500 -concurrency 4";

/// The name of the config in messages and in the record.
const NAME: &str = "fastchess.toml";

/// Play the match of a fastchess command line.
///
/// Takes the options of fastchess, plays the match as a config of leitai into a record, and prints
/// the lines of fastchess. The same command resumes a stopped match. An option without a meaning
/// here is an error that names an alternative; started under the name `fastchess` the program takes
/// the options directly.
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

/// Returns whether the program was started under the name of fastchess.
pub(super) fn is_called_so() -> bool {
    let called = std::env::args_os().next().unwrap_or_default();
    let file = Path::new(&called).file_name().unwrap_or_default();
    file.as_encoded_bytes().starts_with(b"fastchess")
}

/// Runs a command line of fastchess options.
pub(super) fn called_so() -> Outcome {
    let mut words = Vec::new();
    for word in std::env::args_os().skip(1) {
        match word.into_string() {
            Ok(word) => words.push(word),
            Err(word) => bail!("{} is not valid UTF-8", shown_path(Path::new(&word))),
        }
    }
    play_words(&words)
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    play_words(&arguments.words)
}

fn play_words(words: &[String]) -> Outcome {
    if words.is_empty() {
        return help();
    }
    match parse(&words::read(words)?)? {
        ParsedCommand::Help => help(),
        ParsedCommand::Version => {
            print(&format!(
                "leitai {}, by the command line of fastchess",
                env!("CARGO_PKG_VERSION")
            ))?;
            Ok(Exit::Success)
        }
        ParsedCommand::Play(request) => {
            for told in &request.notes {
                eprint(&format!("note: {told}"));
            }
            if request.openings.file.is_empty() {
                eprint("note: no `-openings`: all games begin at the usual start");
            }
            let text = config(&request);
            if request.run.print_config {
                print_raw(text.trim_end())?;
                return Ok(Exit::Success);
            }
            let typed = Typed::new(words, &text);
            play(*request, &text, &typed).map_err(|failure| typed.failure(failure))
        }
    }
}

/// All options, with their treatment.
pub(super) fn help() -> Outcome {
    let mut text = String::from(
        "leitai fastchess OPTIONS: plays the match of a fastchess command line.\n\
         docs/fastchess.md describes the treatment of each option and its keys.\n",
    );
    let mut all: Vec<_> = options().collect();
    all.sort_by_key(|known| known.name.trim_start_matches('-'));
    let as_there = all.iter().filter(|it| matches!(it.support, Support::Ours));
    let as_there: Vec<&str> = as_there.map(|it| it.name).collect();
    let _ = write!(text, "\nAs in fastchess: {}\n", as_there.join(" "));
    for known in all {
        let support = match known.support {
            Support::Ours => continue,
            Support::Anyway => "accepted: it is so anyway".to_owned(),
            Support::Refused(instead) => format!("refused: {instead}"),
        };
        let _ = write!(text, "\n  {:<20}  {support}", known.name);
    }
    print(&format!("{text}\n\n{EXAMPLE}"))?;
    Ok(Exit::Success)
}

/// The number of concurrent games.
fn threads(request: &MatchRequest) -> Result<NonZeroUsize, Failure> {
    let there = available_parallelism().map_or(1, NonZeroUsize::get) as i64;
    let asked = request.run.concurrency;
    let threads = if asked > 0 { asked } else { there + asked };
    if threads > there && !request.run.force {
        bail!(
            "`-concurrency {asked}` is more than the {there} processors\nhelp: \
             `-force-concurrency` plays this number of games at once anyway"
        );
    }
    let count = usize::try_from(threads).ok().and_then(NonZeroUsize::new);
    count.ok_or_else(|| {
        Failure::msg(format!(
            "`-concurrency {asked}` leaves none of the {there} processors"
        ))
    })
}

/// The record: in the current folder, named by a digest of the match, so that the same command
/// finds it.
fn record(request: &MatchRequest, text: &str) -> PathBuf {
    if let Some(store) = &request.run.store {
        return store.into();
    }
    let digest = Sha256::digest(without_length(text));
    format!("fastchess-{}.sqlite", hexadecimal(&digest[..6])).into()
}

fn play(request: MatchRequest, text: &str, typed: &Typed<'_>) -> Outcome {
    let began = Instant::now();
    let mut loaded = typed.checked(load_text(text, NAME, Path::new(NAME), games()))?;
    // Continues as fastchess does, even if an engine fails in its first games.
    loaded.config.failures.plays_on = true;
    let path = record(&request, text);
    let mut files = CommandFiles::of(Path::new(NAME), &loaded);
    files.records(&path);
    let pgn = request.output.pgn.as_ref().map(|pgn| {
        let variant = request.chess960.then_some("Chess960");
        let style = LivePgn {
            variant,
            ..pgn.style.clone()
        };
        Ok::<_, Failure>((files.prepare(Path::new(&pgn.file))?, style))
    });
    let pgn = pgn.transpose()?;
    if let Some(folder) = &request.run.dialogue {
        prepare_folder(Path::new(folder))?;
    }
    let cancel: &'static Cancel = signals::install_game_handler(false);
    signals::install_thread_signals()?;
    let threads = threads(&request)?;
    let verb = if path.exists() {
        "resuming"
    } else {
        "recording into"
    };
    let place = shown_path(&path);
    let start =
        format!("{verb} the record {place}: the same command resumes the match after a stop");
    let shows_latency = request.output.latency;
    let printer = Arc::new(FastchessPrinter::new(start, request.output, pgn, cancel));
    let session = Session {
        threads,
        options: PlayOptions {
            fleet: None,
            pin: request.run.affinity,
            dialogue: request.run.dialogue.map(PathBuf::from),
            force: request.run.force,
            retry_failed: false,
            strict: request.strict,
        },
        ..Session::new(games::known(), &path, cancel, printer.clone())
    };
    let games = if loaded.config.gate.is_some() {
        gate_games(&session, loaded)
    } else {
        session.run(loaded).map(|played| (played, None))
    };
    if let Some(trouble) = printer.trouble() {
        return Err(trouble);
    }
    let (played, accepted) = games?;
    let (plan, standings) = (&played.plan, &played.so_far);
    warn_of_failures(plan, standings);
    let exit = ended(plan, &played.ending);
    if shows_latency {
        for latency in Latency::all(&plan.config, standings) {
            eprint(&latency.sentence());
        }
    }
    if exit == Exit::Success {
        printer.end(accepted);
        print(&format!(
            "Finished match\nTotal Time: {} (hours:minutes:seconds)\n",
            clock(began.elapsed())
        ))?;
    }
    Ok(exit)
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

/// Warns of players that failed, once games are over; of a player that finished no game, unless its
/// tenth failure brought that warning.
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
                "error: {stopped}\nhelp: with `-recover` such a game is lost, and the match goes on"
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

/// A time as `hours:minutes:seconds`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours) = (seconds / 60 % 60, seconds / 3600);
    format!("{hours:02}:{minutes:02}:{:02}", seconds % 60)
}

/// Text from outside, quoted for a message.
fn word(text: &str) -> String {
    format!("`{}`", shown(text))
}
