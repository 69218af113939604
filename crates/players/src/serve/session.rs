//! One session, from the first line to `quit`.

use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

use super::command::Go;
use super::control::{AnswerHold, Control};
use super::engine::think;
use super::engine_slot::EngineSlot;
use super::options::Options;
use super::task::{Position, SearchTask, push, read_move, read_position, read_task, time_for};
use super::{Command, Protocol};
use leitai_base::threads::SEARCH_STACK;
use leitai_game::Move;
use leitai_game::card::GameChoice;
use leitai_game::numbers::EvalParams;
use leitai_game::search::SearchParams;

/// Writes a line, or several lines separated by line ends. Called from the input thread and the
/// search thread.
pub type Output = Arc<dyn Fn(&str) + Send + Sync>;

/// The player that a session serves.
#[derive(Clone, Debug)]
pub struct Player {
    /// The name sent to the other program.
    pub name: String,
    /// Initial settings of the search, which options can change.
    pub search: SearchParams,
    /// Initial evaluation.
    pub eval: EvalParams,
    /// True to announce the options of its square tables, possibly over a thousand.
    pub announces_squares: bool,
    /// The game, and the rules of the search.
    pub game: GameChoice,
}

/// A session in one protocol.
pub struct Session {
    protocol: Protocol,
    player: Player,
    options: Options,
    output: Output,
    /// Returns the reason why a table of this size in MiB is impossible.
    refuses: fn(u32) -> Option<String>,
    /// `None` if the last received position was invalid.
    position: Option<Position>,
    banned: Vec<Move>,
    /// True if a new game begins before the next search.
    forget: bool,
    /// The last message about options without effect.
    remarked: Option<String>,
    /// The engine, if it is idle or under construction.
    slot: Option<EngineSlot>,
    /// The engine's thread, if it is searching or has searched since the engine was last requested.
    work: Option<(Arc<Control>, JoinHandle<EngineSlot>)>,
}

impl Session {
    /// Creates a session of `player`, at the usual start and without learned state. `refuses`
    /// returns the reason why a transposition table of this size in MiB is impossible, or `None`.
    pub fn new(
        protocol: Protocol,
        player: Player,
        output: Output,
        refuses: fn(u32) -> Option<String>,
    ) -> Self {
        Self {
            protocol,
            options: Options::new(protocol, &player),
            output,
            refuses,
            position: Some(Position {
                line: player.game.line(),
                rules: player.game.rules,
            }),
            banned: Vec::new(),
            forget: false,
            remarked: None,
            slot: None,
            work: None,
            player,
        }
    }

    /// Executes one line of any content. Returns false after `quit`, which ends the session.
    pub fn handle_line(&mut self, line: &str) -> bool {
        match self.protocol.parse(line, self.options.milliseconds()) {
            Command::Nothing => {}
            Command::Hello => self.identify(),
            Command::IsReady => self.answer_ready(),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::NewGame => {
                self.forget = true;
                self.ready_slot();
            }
            Command::Position(text) => self.set_position(read_position(&self.player.game, &text)),
            Command::NoPosition(reason) => self.set_position(Err(reason)),
            Command::Ban(moves) => self.ban(&moves),
            Command::Go(go) => self.go(&go),
            Command::Answer(text) => self.send(text),
            Command::Stop => self.signal(Control::stop),
            Command::PonderHit => self.signal(Control::ponder_hit),
            Command::Quit => {
                self.end();
                if self.protocol == Protocol::Ucci {
                    self.send("bye");
                }
                return false;
            }
            Command::Wrong(reason) => self.remark(&reason),
        }
        true
    }

    /// Ends the search, if one is running, after its answer. Call this at the end of the input.
    pub fn end(&mut self) {
        if let Some((control, thread)) = self.work.take() {
            control.stop();
            // A new engine replaces one that a panic has destroyed.
            self.slot = thread.join().ok();
        }
    }

    /// Sends a comment to the other program.
    pub fn remark(&self, text: &str) {
        self.send(&self.protocol.remark(text));
    }

    fn signal(&self, signal: fn(&Control)) {
        if let Some((control, _)) = &self.work {
            signal(control);
        }
    }

    fn send(&self, text: &str) {
        (self.output)(text);
    }

    fn identify(&self) {
        let version = env!("CARGO_PKG_VERSION");
        let name = &self.player.name;
        let (names, end) = match self.protocol {
            Protocol::Uci => (format!("id name Leitai {version} ({name})"), "uciok"),
            Protocol::Usi => (format!("id name Leitai {version} ({name})"), "usiok"),
            Protocol::Ucci => (
                format!("id name Leitai ({name})\nid version {version}"),
                "ucciok",
            ),
        };
        let options = self.options.list();
        self.send(&format!(
            "{names}\nid author the Leitai authors\n{options}\n{end}"
        ));
    }

    fn is_busy(&self) -> bool {
        let work = self.work.as_ref();
        work.is_some_and(|(control, _)| !control.is_answered())
    }

    /// Returns the engine slot with the learned state of the present game and with the current
    /// options. Ends a running search.
    fn ready_slot(&mut self) -> &mut EngineSlot {
        self.end();
        let (params, eval) = (self.options.params(), self.options.eval());
        let slot = self.slot.get_or_insert_with(|| {
            let output = self.output.clone();
            EngineSlot::new(self.player.game, params.clone(), eval.clone(), output)
        });
        if std::mem::take(&mut self.forget) {
            slot.new_game();
        }
        slot.request(params, eval);
        slot
    }

    fn answer_ready(&mut self) {
        if self.is_busy() {
            self.send("readyok");
        } else {
            self.warn_about_options();
            self.ready_slot().answer_when_ready();
        }
    }

    /// Sets an option for the next search, not for the running one.
    fn set_option(&mut self, name: &str, value: &str) {
        match self.options.set(name, value, self.refuses) {
            Ok(begins) => {
                self.forget |= begins;
                self.options.choose_rules(&mut self.player.game.rules);
            }
            Err(reason) => self.remark(&reason),
        }
        // Construction of a table takes time and overlaps with the next commands.
        if !self.is_busy() {
            self.ready_slot();
        }
    }

    /// Reports options without effect, unless the last report was the same.
    fn warn_about_options(&mut self) {
        if self.options.warning != self.remarked {
            self.remarked.clone_from(&self.options.warning);
            if let Some(warning) = &self.remarked {
                self.remark(warning);
            }
        }
    }

    fn set_position(&mut self, position: Result<Position, String>) {
        self.banned.clear();
        self.position = position.map_err(|reason| self.remark(&reason)).ok();
        if !self.is_busy() {
            self.ready_slot();
        }
    }

    fn ban(&mut self, moves: &[String]) {
        let Some(position) = &self.position else {
            self.remark("no position, and so no moves to ban");
            return;
        };
        for text in moves {
            match read_move(position, text) {
                Ok(mv) => push(&mut self.banned, mv),
                Err(reason) => self.remark(&reason),
            }
        }
    }

    /// Starts a search. Every `go` has one answer: an invalid one gets the answer that there is no
    /// move.
    fn go(&mut self, go: &Go) {
        let arrival = Instant::now();
        for problem in &go.problems {
            self.remark(problem);
        }
        self.ready_slot();
        self.warn_about_options();
        let position = self.position.as_ref();
        let remark = |text: &str| self.remark(text);
        let task = read_task(go, position, &self.banned, &self.options, &remark);
        let begun = task.and_then(|task| self.begin(go, arrival, task));
        if let Err(reason) = begun {
            self.remark(&reason);
            self.send(&self.protocol.best_move(None, None));
        }
    }

    fn begin(&mut self, go: &Go, arrival: Instant, task: SearchTask) -> Result<(), String> {
        let mover = task.position.line.position().side_to_move();
        let time = time_for(go.thinking, mover, self.options.overhead());
        let time = time.filter(|_| !go.infinite);
        let held = AnswerHold {
            pondering: go.ponder,
            infinite: go.infinite,
        };
        let control = Arc::new(Control::new(arrival, time, held));
        let mut slot = self.slot.take().ok_or("the engine is busy")?;
        let (shared, output, protocol) = (control.clone(), self.output.clone(), self.protocol);
        let thread = Builder::new()
            .name("search".to_owned())
            .stack_size(SEARCH_STACK)
            .spawn(move || {
                think(&mut slot, &task, protocol, &shared, &output);
                slot
            })
            .map_err(|error| format!("no thread for the search: {error}"))?;
        self.work = Some((control, thread));
        Ok(())
    }
}
