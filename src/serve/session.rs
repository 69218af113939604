//! One conversation, from the first line to `quit`.

use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

use super::clock::time_for;
use super::command::Go;
use super::control::Control;
use super::engine::think;
use super::engine_slot::EngineSlot;
use super::options::Options;
use super::reading::{Place, push, read_move, read_place};
use super::task::{Task, Wishes, read_task};
use super::{Command, Protocol};
use crate::card::GameChoice;
use crate::game::MoveList;
use crate::numbers::EvalParams;
use crate::search::SearchParams;

/// Says a line, or several with line ends between them. Called from the thread
/// that hears and from the one that searches.
pub type Output = Arc<dyn Fn(&str) + Send + Sync>;

/// Who plays.
#[derive(Clone, Debug)]
pub struct Player {
    /// The name that the other program is told.
    pub name: String,
    /// The search, as it begins: options change it.
    pub search: SearchParams,
    /// The evaluation, as it begins.
    pub eval: EvalParams,
    /// Whether the options of its square tables are announced: there may be over a
    /// thousand.
    pub announces_squares: bool,
    /// The game, and the rules that the search goes by.
    pub game: GameChoice,
}

/// A conversation in one protocol.
pub struct Session {
    protocol: Protocol,
    player: Player,
    options: Options,
    output: Output,
    /// Says why a table of so many MiB cannot be had.
    refuses: fn(u32) -> Option<String>,
    /// None if the last position that came was wrong.
    place: Option<Place>,
    banned: MoveList,
    /// Whether a new game begins before the next search.
    forget: bool,
    /// What was said last of options that are not in force.
    remarked: Option<String>,
    /// The engine, if it is at rest or in the making.
    slot: Option<EngineSlot>,
    /// The engine's thread, if it works, or has worked since it was last asked
    /// for.
    work: Option<(Arc<Control>, JoinHandle<EngineSlot>)>,
}

impl Session {
    /// A conversation of `player`, who stands at the usual start and has learnt
    /// nothing. `refuses` says why a transposition table of so many MiB cannot
    /// be had; none if it can.
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
            place: Some(Place {
                line: player.game.line(),
                rules: player.game.rules,
            }),
            banned: MoveList::new(),
            forget: false,
            remarked: None,
            slot: None,
            work: None,
            player,
        }
    }

    /// Obeys one line, which may be anything. False after `quit`: the
    /// conversation is over.
    pub fn hear(&mut self, line: &str) -> bool {
        match self.protocol.parse(line, self.options.milliseconds()) {
            Command::Nothing => {}
            Command::Hello => self.introduce(),
            Command::IsReady => self.answer_ready(),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::NewGame => {
                self.forget = true;
                self.rest();
            }
            Command::Position(text) => self.go_to(read_place(&self.player.game, &text)),
            Command::NoPosition(reason) => self.go_to(Err(reason)),
            Command::Ban(moves) => self.ban(&moves),
            Command::Go(go) => self.go(&go),
            Command::Stop => {
                if let Some((control, _)) = &self.work {
                    control.stop();
                }
            }
            Command::PonderHit => {
                if let Some((control, _)) = &self.work {
                    control.ponder_hit();
                }
            }
            Command::Quit => {
                self.end();
                if self.protocol == Protocol::Ucci {
                    self.say("bye");
                }
                return false;
            }
            Command::Wrong(reason) => self.remark(&reason),
        }
        true
    }

    /// Ends the search, if there is one: it answers first. To be called when
    /// nothing more will be heard.
    pub fn end(&mut self) {
        if let Some((control, thread)) = self.work.take() {
            control.stop();
            // An engine that is lost to a panic is made anew.
            self.slot = thread.join().ok();
        }
    }

    /// Tells the other program something that is no answer.
    pub fn remark(&self, text: &str) {
        self.say(&self.protocol.remark(text));
    }

    fn say(&self, text: &str) {
        (self.output)(text);
    }

    fn introduce(&self) {
        let version = env!("CARGO_PKG_VERSION");
        let name = &self.player.name;
        let (names, end) = match self.protocol {
            Protocol::Uci => (format!("id name Leitai {version} ({name})"), "uciok"),
            Protocol::Ucci => (
                format!("id name Leitai ({name})\nid version {version}"),
                "ucciok",
            ),
        };
        let options = self.options.list();
        self.say(&format!(
            "{names}\nid author the Leitai authors\n{options}\n{end}"
        ));
    }

    fn is_busy(&self) -> bool {
        let work = self.work.as_ref();
        work.is_some_and(|(control, _)| !control.is_answered())
    }

    /// The engine, or where it is made, with what was learnt in the present
    /// game and with the options as they are now. Ends the search, if there is
    /// one.
    fn rest(&mut self) -> &mut EngineSlot {
        self.end();
        let params = self.options.params();
        let eval = self.options.eval();
        let slot = self.slot.get_or_insert_with(|| {
            let output = self.output.clone();
            EngineSlot::new(self.player.game, params.clone(), eval.clone(), output)
        });
        if std::mem::take(&mut self.forget) {
            slot.new_game();
        }
        slot.want(params, eval);
        slot
    }

    fn answer_ready(&mut self) {
        if self.is_busy() {
            self.say("readyok");
        } else {
            self.tell_held();
            self.rest().tell_when_ready();
        }
    }

    /// Nothing of this is for the search that runs.
    fn set_option(&mut self, name: &str, value: &str) {
        match self.options.set(name, value, self.refuses) {
            Ok(begins) => {
                self.forget |= begins;
                self.options.choose_rules(&mut self.player.game.rules);
            }
            Err(reason) => self.remark(&reason),
        }
        // A table takes time: that of the other program's next words.
        if !self.is_busy() {
            self.rest();
        }
    }

    /// Says which options are not in force, unless it was said.
    fn tell_held(&mut self) {
        let held = self.options.held().map(str::to_owned);
        if held != self.remarked {
            if let Some(held) = &held {
                self.remark(held);
            }
            self.remarked = held;
        }
    }

    fn go_to(&mut self, place: Result<Place, String>) {
        self.banned.clear();
        self.place = match place {
            Ok(place) => Some(place),
            Err(reason) => {
                self.remark(&reason);
                None
            }
        };
        if !self.is_busy() {
            self.rest();
        }
    }

    fn ban(&mut self, moves: &[String]) {
        let Some(Place { line, rules }) = &self.place else {
            self.remark("no position in which moves could be banned");
            return;
        };
        for text in moves {
            match read_move(line.position(), text, rules) {
                Ok(mv) => push(&mut self.banned, mv),
                Err(reason) => self.remark(&reason),
            }
        }
    }

    /// Every `go` has one answer: if it cannot be obeyed, that there is no move.
    fn go(&mut self, go: &Go) {
        let came = Instant::now();
        for problem in &go.problems {
            self.remark(problem);
        }
        self.rest();
        self.tell_held();
        let wishes = Wishes {
            place: self.place.as_ref(),
            banned: &self.banned,
            lines: self.options.lines(),
            solves: self.options.params().solver.is_some(),
        };
        let task = read_task(go, &wishes, &|text| self.remark(text));
        let begun = task.and_then(|task| self.begin(go, came, task));
        if let Err(reason) = begun {
            self.remark(&reason);
            self.say(&self.protocol.best_move(None, None));
        }
    }

    fn begin(&mut self, go: &Go, came: Instant, task: Task) -> Result<(), String> {
        let mover = task.line.position().side_to_move();
        let time = time_for(go.thinking, mover, self.options.overhead());
        let time = time.filter(|_| !go.infinite);
        let control = Arc::new(Control::new(came, time, go.ponder, go.infinite));
        let mut slot = self.slot.take().ok_or("the engine is busy")?;
        let (shared, output, protocol) = (control.clone(), self.output.clone(), self.protocol);
        let thread = Builder::new()
            .name("search".to_owned())
            .spawn(move || {
                think(&mut slot, &task, protocol, &shared, &output);
                slot
            })
            .map_err(|error| format!("no thread for the search: {error}"))?;
        self.work = Some((control, thread));
        Ok(())
    }
}
