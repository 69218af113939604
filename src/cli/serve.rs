//! `leitai serve`: shows the runs of records in a browser.

use std::io::stdin;
use std::thread;

use super::games::known;
use super::listening::ListenArguments;
use super::prelude::*;
use super::terminal::print_json;
use leitai_players::player::Dialogues;
use leitai_web::{Live, Records, RunRequest, Source};

/// The time for which pages of `--serve` stay available after the end of the run.
const AFTER: Duration = Duration::from_secs(3);

/// Show the runs of records in a browser, during and after play.
///
/// Prints the address to open, and serves pages until Ctrl-C. A separate process reads the records,
/// without any effect on the games; pages are generated on request. The address contains a token,
/// which every request needs: anyone with the address can read these records. `--serve` of run,
/// gate and tune does the same during play, with the games in progress.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai serve run.sqlite
  leitai serve *.sqlite --port 9000
  leitai serve run.sqlite --host 0.0.0.0 --token-file token --allow-host box.example")]
pub(super) struct Arguments {
    /// The records.
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    #[command(flatten)]
    listening: ListenArguments,
    /// Print the address as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Also show the dialogue between leitai and programs, from the folder that `--dialogue` of the
    /// run has filled.
    #[arg(long, value_name = "FOLDER")]
    dialogue: Option<PathBuf>,
    /// Read events about the games of the record from standard input, and end with them.
    #[arg(long, hide = true)]
    beside: bool,
    /// Write the requests of browsers to standard output.
    #[arg(long, hide = true, requires = "beside")]
    control: bool,
}

#[derive(Serialize)]
struct RequestBody {
    wish: RunRequest,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    for record in &arguments.records {
        if !record.exists() && !arguments.beside {
            bail!("there is no record {}", shown_path(record));
        }
    }
    let cancel = signals::install_handler();
    let files = CommandFiles::recording(&arguments.records);
    let (port, access) = arguments.listening.open(arguments.json.as_ref(), files)?;
    let mut records = Records::new(Source {
        records: arguments.records.clone(),
        games: known(),
        program: program::name(),
    });
    if let Some(folder) = &arguments.dialogue {
        if !folder.is_dir() {
            bail!("there is no folder {}", shown_path(folder));
        }
        records.dialogues = Some(Dialogues::new(folder));
    }
    let has_input_ended = Arc::new(AtomicBool::new(false));
    if arguments.beside {
        let ended = Arc::clone(&has_input_ended);
        let live = Live::follow(stdin(), games().iter().collect(), move || {
            thread::sleep(AFTER);
            ended.store(true, Ordering::SeqCst);
            cancel.set();
        });
        records.live = Some(live.context("the system refuses a thread")?);
    }
    if arguments.control {
        records.control = Some(Arc::new(|wish| drop(print_json(&RequestBody { wish }))));
    }
    let served = port.serve(records.router(), access, cancel);
    served.context("cannot answer")?;
    Ok(if has_input_ended.load(Ordering::SeqCst) {
        Exit::Success
    } else {
        Exit::Interrupted
    })
}
