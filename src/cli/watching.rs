//! The listeners of a command: the terminal, and a stream of events.

use std::io;
use std::sync::Mutex;

use super::json::json;
use super::live::live;
use super::prelude::*;
use leitai_base::background::BackgroundWriter;
use leitai_base::threads::lock;
use leitai_game::Side;
use leitai_players::play::{GameRecord, PairRecord};
use leitai_players::player::GameId;
use leitai_session::Event;

/// Interval of written estimates; one more at the end of each stage.
const ESTIMATES: Duration = Duration::from_secs(1);

/// The largest number of bytes of events that wait for their reader.
const MOST_WAITING: usize = 64 << 20;

/// Options for watching a command.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Progress")]
pub(crate) struct WatchArguments {
    /// Write events as they happen, one JSON object per line. The events are sessions, stages, pairs with their
    /// games, estimates and notices. A file of events is continued; `-` is standard output, which then
    /// has nothing else.
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Include each move in the events, as it is played.
    #[arg(hide_short_help = true, long, requires = "events")]
    moves: bool,
    /// Print a line for each counted game.
    #[arg(hide_short_help = true, long)]
    log_games: bool,
    /// Show no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The listener of a command.
pub(crate) struct Watching {
    pub(crate) listener: Arc<dyn Listener>,
    /// True if the events go to standard output.
    pub(crate) is_stdout: bool,
}

impl WatchArguments {
    /// Makes the listeners.
    ///
    /// # Errors
    /// The events cannot be written to the file.
    pub(crate) fn prepare(&self, files: &mut CommandFiles) -> Result<Watching, Failure> {
        let terminal = live(!self.quiet, self.log_games);
        let Some(file) = &self.events else {
            return Ok(Watching {
                listener: terminal,
                is_stdout: false,
            });
        };
        let file = files.prepare_or_stdout(file)?;
        let is_stdout = file.is_stdout();
        let events = Arc::new(EventStream::begin(file, self.moves)?);
        Ok(Watching {
            listener: Arc::new(Both([terminal, events])),
            is_stdout,
        })
    }
}

/// Two listeners to the same events.
pub(crate) struct Both(pub(crate) [Arc<dyn Listener>; 2]);

impl Listener for Both {
    fn notify(&self, event: &Event) {
        self.0.iter().for_each(|it| it.notify(event));
    }

    fn planned(&self, plan: &Plan) {
        self.0.iter().for_each(|it| it.planned(plan));
    }

    fn game_ended(&self, game: GameId, first_to_move: Side, record: &GameRecord) {
        let all = self.0.iter();
        all.for_each(|it| it.game_ended(game, first_to_move, record));
    }

    fn pair_counted(&self, plan: &Plan, pair: &PairRecord) {
        self.0.iter().for_each(|it| it.pair_counted(plan, pair));
    }

    fn wants_estimate(&self) -> bool {
        // Asks both without short circuit: each notes the time of the call.
        let wanted = self.0.each_ref().map(|it| it.wants_estimate());
        wanted.contains(&true)
    }

    fn wants_moves(&self) -> bool {
        self.0.iter().any(|it| it.wants_moves())
    }

    fn wants_games(&self) -> bool {
        self.0.iter().any(|it| it.wants_games())
    }
}

/// Writes events as JSON lines.
struct EventStream {
    name: PathBuf,
    /// True if moves are written.
    moves: bool,
    state: Mutex<StreamState>,
}

struct StreamState {
    /// `None` after a write error.
    out: Option<BackgroundWriter>,
    estimated: Instant,
}

impl EventStream {
    fn begin(file: OutputFile, moves: bool) -> Result<Self, Failure> {
        let name = file.name().to_owned();
        let state = StreamState {
            out: Some(BackgroundWriter::start(
                file.follow(&|text| text.starts_with(b"{\"event\":\""))?,
                MOST_WAITING,
            )?),
            estimated: Instant::now(),
        };
        Ok(Self {
            name,
            moves,
            state: Mutex::new(state),
        })
    }
}

impl Listener for EventStream {
    fn notify(&self, event: &Event) {
        let mut state = lock(&self.state);
        let Some(out) = &mut state.out else {
            return;
        };
        let line = json(event).map_err(io::Error::other);
        let written = line.and_then(|line| out.write((line + "\n").as_bytes()));
        if let Err(error) = written {
            if let Some(out) = state.out.take() {
                out.abandon();
            }
            // A broken pipe is not an error: the reader has seen enough.
            if error.kind() != io::ErrorKind::BrokenPipe {
                eprint(&format!(
                    "warning: no more events are written to {}: {error}\n\
                     help: the games are not concerned; `leitai report` shows them",
                    shown_path(&self.name)
                ));
            }
        }
    }

    fn wants_moves(&self) -> bool {
        self.moves
    }

    fn wants_estimate(&self) -> bool {
        let mut state = lock(&self.state);
        let is_due = state.out.is_some() && state.estimated.elapsed() >= ESTIMATES;
        if is_due {
            state.estimated = Instant::now();
        }
        is_due
    }
}
