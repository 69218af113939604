//! One conversation, from the first line to `quit`.

use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use super::clock::time_for;
use super::command::{Go, PositionText, Thinking};
use super::control::Control;
use super::engine::{Engine, Task, think};
use super::options::{Effect, Options};
use super::reading::{push, read_line, read_move};
use super::{Command, Protocol};
use crate::eval::xiangqi::{XiangqiEvaluation, XiangqiParams};
use crate::game::xiangqi::{Xiangqi, XiangqiRules};
use crate::game::{Line, MoveList, Position};
use crate::search::{Roots, Search, SearchLimits, SearchParams};

/// Says a line, or several with line ends between them. Called from the thread
/// that hears and from the one that searches.
pub type Voice = Arc<dyn Fn(&str) + Send + Sync>;

/// Who plays.
#[derive(Clone, Debug)]
pub struct Player {
    /// The name that the other program is told.
    pub name: String,
    /// The search, as it begins: options change it.
    pub search: SearchParams,
    /// The evaluation.
    pub eval: XiangqiParams,
    /// The history rules that the search goes by.
    pub rules: XiangqiRules,
}

/// A conversation in one protocol.
pub struct Session {
    protocol: Protocol,
    player: Player,
    options: Options,
    voice: Voice,
    /// Says why a table of so many MiB cannot be had.
    refuses: fn(u32) -> Option<String>,
    /// None if the last position that came was wrong.
    line: Option<Line<Xiangqi>>,
    banned: MoveList,
    /// The search that the engine is made for.
    in_force: SearchParams,
    /// The engine, if it is at rest.
    engine: Option<Box<Engine>>,
    /// The engine's thread, if it works, or has worked since it was last asked
    /// for.
    work: Option<(Arc<Control>, JoinHandle<Box<Engine>>)>,
}

impl Session {
    /// A conversation of `player`, who stands at the usual start and has learnt
    /// nothing. `refuses` says why a transposition table of so many MiB cannot
    /// be had; none if it can.
    pub fn new(
        protocol: Protocol,
        player: Player,
        voice: Voice,
        refuses: fn(u32) -> Option<String>,
    ) -> Self {
        Self {
            protocol,
            options: Options::new(protocol, &player.search),
            voice,
            refuses,
            line: Some(Line::new(Xiangqi::initial())),
            banned: MoveList::new(),
            in_force: player.search.clone(),
            engine: None,
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
            Command::IsReady => {
                if !self.is_busy() {
                    self.rest();
                }
                self.say("readyok");
            }
            Command::SetOption { name, value } => match self.options.set(&name, &value) {
                Ok(Effect::Kept) => {}
                Ok(Effect::NewGame) => self.rest().new_game(),
                Err(reason) => self.remark(&reason),
            },
            Command::NewGame => self.rest().new_game(),
            Command::Position(text) => self.place(&text),
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
            self.engine = thread.join().ok();
        }
    }

    /// Tells the other program something that is no answer.
    pub fn remark(&self, text: &str) {
        self.say(&self.protocol.remark(text));
    }

    fn say(&self, text: &str) {
        (self.voice)(text);
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
        work.is_some_and(|(_, thread)| !thread.is_finished())
    }

    /// The engine, with what was learnt in the present game and with the
    /// options as they are now. Ends the search, if there is one.
    fn rest(&mut self) -> &mut Engine {
        self.end();
        let asked = self.options.params();
        if asked != self.in_force {
            let larger = asked.table_mb > self.in_force.table_mb;
            let refusal = asked.conflict().map(|(reason, _)| reason);
            let refusal =
                refusal.or_else(|| larger.then(|| (self.refuses)(asked.table_mb)).flatten());
            if let Some(reason) = refusal {
                self.remark(&format!("options not in force: {reason}"));
            } else {
                self.engine = None;
                self.in_force = asked;
            }
        }
        self.engine.get_or_insert_with(|| {
            let evaluation = XiangqiEvaluation::new(&self.player.eval);
            Box::new(Search::new(self.in_force.clone(), evaluation))
        })
    }

    fn place(&mut self, text: &PositionText) {
        self.banned.clear();
        self.line = match read_line(text) {
            Ok(line) => Some(line),
            Err(reason) => {
                self.remark(&reason);
                None
            }
        };
    }

    fn ban(&mut self, moves: &[String]) {
        let Some(line) = &self.line else {
            self.remark("no position in which moves could be banned");
            return;
        };
        for text in moves {
            match read_move(line.position(), text) {
                Ok(mv) => push(&mut self.banned, mv),
                Err(reason) => self.remark(&reason),
            }
        }
    }

    /// Every `go` has one answer: if it cannot be obeyed, that there is no move.
    fn go(&mut self, go: &Go) {
        for problem in &go.problems {
            self.remark(problem);
        }
        self.rest();
        let begun = self.task(go).and_then(|task| self.begin(go, task));
        if let Err(reason) = begun {
            self.remark(&reason);
            self.say(&self.protocol.best_move(None, None));
        }
    }

    fn task(&self, go: &Go) -> Result<Task, String> {
        let line = self.line.clone();
        let line = line.ok_or("nothing to search: the last position was refused")?;
        let depth = go.mate.map(|moves| moves.saturating_mul(2));
        let limits = SearchLimits {
            nodes: go.nodes,
            depth: match (go.depth, depth) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            },
        };
        let unlimited = limits == SearchLimits::default() && go.thinking == Thinking::Unlimited;
        if unlimited && !go.problems.is_empty() && !go.infinite && !go.ponder {
            return Err("nothing that could be read limits the search".to_owned());
        }
        let mut excluded = self.banned.clone();
        if !go.only.is_empty() {
            let position = line.position();
            let mut only = MoveList::new();
            for text in &go.only {
                push(&mut only, read_move(position, text)?);
            }
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            for mv in moves {
                if !only.contains(&mv) {
                    push(&mut excluded, mv);
                }
            }
        }
        let roots = Roots {
            excluded,
            lines: self.options.lines(),
        };
        Ok(Task {
            line,
            rules: self.player.rules,
            limits,
            roots,
        })
    }

    fn begin(&mut self, go: &Go, task: Task) -> Result<(), String> {
        let mover = task.line.position().side_to_move();
        let time = time_for(go.thinking, mover, self.options.overhead());
        let time = time.filter(|_| !go.infinite);
        let control = Arc::new(Control::new(time, go.ponder, go.infinite));
        let mut engine = self.engine.take().ok_or("the engine is busy")?;
        let (reins, voice, protocol) = (control.clone(), self.voice.clone(), self.protocol);
        let thread = Builder::new()
            .name("search".to_owned())
            .spawn(move || {
                think(&mut engine, &task, protocol, &reins, &voice);
                engine
            })
            .map_err(|error| format!("no thread for the search: {error}"))?;
        self.work = Some((control, thread));
        Ok(())
    }
}
