//! Variants that are external engines.
//!
//! Leitai has one notation of moves and positions. Differences between engines are data
//! ([`Profile`](leitai_config::Profile)); [`notation`] translates moves and FENs, the crate
//! `protocols` requests and replies, and neither touches a pipe. [`process`] exchanges
//! lines with the child process, [`lines`] bounds its output, [`engine`] waits for replies, [`dialogue`]
//! logs the communication. The crate `platform` owns the pipes, and ends processes that an engine
//! leaves behind.

mod autodetect;
pub mod dialogue;
pub mod engine;
pub mod identify;
pub mod lines;
pub(crate) mod notation;
mod openings;
mod probe;
pub mod process;
mod sent_game;
mod shortage;
mod variations;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub use autodetect::{SpokenProtocol, detect_preset, detect_protocol, detect_ranks};
use dialogue::{Dialogue, DialogueTarget};
pub use dialogue::{DialogueLine, DialogueListener, Dialogues};
use engine::thinking::patience;
use engine::{Engine, Protest, SearchOutput, StartError};
pub use engine::{LONG_SILENCE, SilenceListener};
pub use identify::{
    Change, Finding, MetEngines, ProgramError, SkippedOption, file_digest, identify, locate,
};
pub(crate) use identify::{FileDigests, complete_profile};
use notation::{Dialect, validate};
pub use notation::{parse_engine_move, unsent_pass};
pub use openings::{Openings, UnsentOpenings};
pub use probe::{Fault, Probe, Refusal, Reply, SearchReply, read_move};
use sent_game::SentGame;
use variations::Variations;

use super::{
    Budget, ChoiceResult, ClockTimes, Failure, GameId, Player, PvWarning, Symptoms, TimeBudget,
};
use crate::play::MoveReport;
use crate::play::clock::Clocks;
use leitai_base::count::count;
use leitai_config::{Checks, Kept, Limits, Program, Variant};
use leitai_game::card::{AnyLine, AnyPosition, Rules};
use leitai_game::{Move, Side};
use leitai_protocols::MoveRequest;

/// A player that is an external engine. The engine is started for the first game, and again for the
/// game after a failure.
pub struct External {
    program: Program,
    engine: Option<Engine>,
    /// The reason for a missing engine.
    absent: Failure,
    /// The engine's last output in the game that it lost by a failure.
    symptoms: Option<Symptoms>,
    /// The output of the search whose answer lost the game.
    losing_search: Option<(Variations, SearchOutput)>,
    /// The moves sent in the current game.
    sent: SentGame,
    limits: Limits,
    /// Checks of the principal variations that the engine reports.
    pub checks: Checks,
    /// Lines of the engine's output that are kept for each move.
    pub kept: Kept,
    /// Moves that lead to the openings.
    pub openings: Openings,
    /// The rules by which moves lose at once, for protocols that can exclude them.
    pub rules: Option<Rules>,
    /// Called when the engine has not moved for [`LONG_SILENCE`] without a clock, with its timeout.
    pub on_silence: Option<SilenceListener>,
    /// Destination of dialogues, if they are kept: one file per game, named after the variant or
    /// its seat.
    pub shelf: Option<DialogueTarget>,
}

impl External {
    /// A player with this engine and these limits, which also hold for any variant that it adopts.
    /// Does not start the engine.
    pub fn new(program: &Program, limits: &Limits) -> Self {
        Self {
            program: program.clone(),
            engine: None,
            absent: Failure::Crash,
            symptoms: None,
            losing_search: None,
            sent: SentGame::default(),
            limits: *limits,
            checks: Checks::NONE,
            kept: Kept::default(),
            openings: Openings::default(),
            rules: None,
            on_silence: None,
            shelf: None,
        }
    }

    /// Takes over an engine of the same program that is ready for its first game, if there is one.
    pub fn take_over(&mut self, met: &MetEngines) {
        self.engine = met.take(&self.program);
    }

    /// Prepares for a game, with the running engine or a new one.
    fn begin(
        &mut self,
        mut dialogue: Dialogue,
        ask: &MoveRequest,
        cancel: &AtomicBool,
    ) -> Result<Engine, StartError> {
        if let Some(mut engine) = self.engine.take().filter(|_| !self.program.profile.restart) {
            *engine.dialogue() = dialogue;
            let ready = engine.adjust(&self.program.profile.options, cancel);
            match ready.and_then(|()| engine.new_game(ask, cancel)) {
                Ok(()) => return Ok(engine),
                // An engine that does not respond is restarted.
                Err(error) => {
                    engine.dialogue().note(&error.to_string());
                    dialogue = std::mem::take(engine.dialogue());
                }
            }
        }
        let mut engine = Engine::start(&self.program, dialogue, cancel)?;
        engine.new_game(ask, cancel)?;
        Ok(engine)
    }

    /// Updates the sent game, with the moves that lose at once if the protocol can exclude them.
    fn update_sent(&mut self, line: &dyn AnyLine) {
        let profile = &self.program.profile;
        let dialect = Dialect::of(line.start().card(), profile);
        self.sent.update(line, dialect, profile.protocol);
        if let Some(rules) = &self.rules
            && profile.protocol.bans_moves
        {
            self.sent.ban(line, rules, dialect);
        }
    }

    /// Requests a move.
    fn ask(&mut self, line: &dyn AnyLine, budget: &Budget, cancel: &AtomicBool) -> ChoiceResult {
        self.update_sent(line);
        let (profile, limits) = (&self.program.profile, &self.limits);
        let engine = self.engine.as_mut().ok_or(self.absent)?;
        let ask = self.sent.ask(line.position().side_to_move(), budget);
        let reply = engine.think(&ask, limits.allowed_margin(), cancel)?;
        let choice = validate(&reply, profile, limits, line.position());
        if choice == Err(Failure::NodeOverrun) {
            let nodes = count(reply.most_nodes.unwrap_or_default(), "node", "nodes");
            self.store_reason(format!("it reported {nodes}"));
        }
        choice
    }

    /// Ends pondering, unless the expected reply was made; returns whether it was.
    fn end_pondering(
        &mut self,
        line: &dyn AnyLine,
        budget: &Budget,
        cancel: &AtomicBool,
    ) -> Result<bool, Failure> {
        let Some(engine) = &mut self.engine else {
            return Ok(false);
        };
        let Some(expected) = engine.pondered else {
            return Ok(false);
        };
        if line.moves().last() == Some(&expected) {
            return Ok(true);
        }
        let margin = self.limits.allowed_margin();
        let patience = patience(budget, margin, self.program.stall);
        engine.stop_pondering(patience, cancel).map(|()| false)
    }

    /// Stores the reason of a failure.
    fn store_reason(&mut self, reason: String) {
        let symptoms = self.symptoms.get_or_insert_default();
        symptoms.reason = Some(reason);
        *symptoms = symptoms.bounded();
    }

    /// Ends the game as lost; the next one gets a new engine.
    fn lose<T>(&mut self, failure: Failure) -> Result<T, Failure> {
        if let Some(mut engine) = self.engine.take() {
            let note = format!("loses the game: {}", failure.cause().name());
            engine.dialogue().note(&note);
            let reason = self.symptoms.take().and_then(|it| it.reason);
            let symptoms = engine.symptoms(failure);
            self.symptoms = Some(Symptoms { reason, ..symptoms });
            let variations = engine.variations.take();
            let answered = variations.filter(|_| failure.is_wrong_answer());
            self.losing_search = answered.map(|it| (it, std::mem::take(&mut engine.output)));
        }
        Err(failure)
    }
}

impl Player for External {
    fn new_game(&mut self, game: GameId, start: &dyn AnyPosition, cancel: &AtomicBool) {
        (self.symptoms, self.losing_search) = (None, None);
        let before = self.openings.moves_to(start);
        let dialect = Dialect::of(start.card(), &self.program.profile);
        self.sent = SentGame::new(start, before.as_deref(), dialect);
        let shelf = self.shelf.as_ref();
        let options = &self.program.profile.options;
        let dialogue = shelf.map(|shelf| Dialogue::begin(shelf, game, options));
        let mut dialogue = dialogue.unwrap_or_default();
        let moves_only = self.program.profile.protocol.moves_only;
        if moves_only && self.sent.has_unknown_origin() {
            let reason = "the protocol cannot set the start position: no known moves lead to it";
            dialogue.note(reason);
            self.store_reason(reason.to_owned());
            (self.engine, self.absent) = (None, Failure::Malformed);
            return;
        }
        let budget = Clocks::new(&[self.limits; 2]).budget(Side::First);
        let sent = std::mem::take(&mut self.sent);
        let ask = sent.ask(start.side_to_move(), &budget);
        let begun = self.begin(dialogue, &ask, cancel);
        self.sent = sent;
        match begun {
            Ok(mut engine) => {
                engine.variations = self.checks.any().then(Variations::default);
                engine.output.kept.clone_from(&self.kept);
                engine.on_silence = self.on_silence.clone().map(|listener| (listener, game));
                self.sent.use_san(engine.codec.wants_san());
                self.engine = Some(engine);
            }
            Err(error) => {
                self.absent = error.means().1;
                self.store_reason(error.to_string());
                self.symptoms.get_or_insert_default().awaited = error.awaited();
            }
        }
    }

    fn choose(&mut self, line: &dyn AnyLine, budget: &Budget, cancel: &AtomicBool) -> ChoiceResult {
        let begun = Instant::now();
        let budget = match self.end_pondering(line, budget, cancel) {
            Ok(true) => {
                let choice = self.ask(line, budget, cancel);
                return choice.or_else(|failure| self.lose(failure));
            }
            Ok(false) => budget,
            Err(failure) => return self.lose(failure),
        };
        if let Some(engine) = &mut self.engine {
            engine.forget_search_data();
        }
        let pass = unsent_pass(&self.program.profile, line.position());
        if let Some(pass) = pass.filter(|_| self.engine.is_some()) {
            return Ok(pass);
        }
        let protest = self.engine.as_mut().and_then(Engine::protest);
        if protest == Some(Protest::Resigns) {
            return self.lose(Failure::Resigned);
        }
        if protest == Some(Protest::Over) {
            self.sent.begin_at = line.len();
        }
        let mut choice = self.ask(line, budget, cancel);
        // Output after a move is examined at the next request.
        if choice.is_err() && self.sent.begin_at < line.len() {
            let protest = self.engine.as_mut().and_then(Engine::protest);
            if protest == Some(Protest::Over) {
                self.sent.begin_at = line.len();
                choice = self.ask(line, &without(budget, begun.elapsed()), cancel);
            }
        }
        choice.or_else(|failure| self.lose(failure))
    }

    fn ponder(&mut self, line: &dyn AnyLine, budget: &Budget) {
        let engine = self.engine.as_ref();
        let Some(engine) = engine.filter(|_| self.program.ponder) else {
            return;
        };
        let profile = &self.program.profile;
        let expected = engine.expected_reply();
        let expected = expected.and_then(|text| {
            let mv = parse_engine_move(profile, line.position(), &text);
            mv.ok()
        });
        let Some(expected) = expected else { return };
        let mut after = line.boxed();
        after.play(expected);
        let position = after.position();
        if position.count_legal_moves() == 0 || unsent_pass(profile, position).is_some() {
            return;
        }
        let side = position.side_to_move();
        self.update_sent(&*after);
        if let Some(engine) = &mut self.engine {
            engine.ponder(&self.sent.ask(side, budget), expected);
        }
    }

    fn end_game(&mut self, half_points: Option<u8>, cancel: &AtomicBool) {
        if let Some(engine) = &mut self.engine
            && engine.end_game(half_points, cancel).is_err()
        {
            let note = "does not stop pondering: the next game starts it anew";
            engine.dialogue().note(note);
            self.engine = None;
        }
    }

    fn pv_warnings(
        &mut self,
        game: &mut dyn AnyLine,
        rules: &Rules,
        best: Option<Move>,
    ) -> Vec<PvWarning> {
        let losing = self.losing_search.take();
        let losing = losing
            .as_ref()
            .map(|(variations, output)| (variations, output));
        let engine = self.engine.as_ref();
        let playing = engine.and_then(|it| Some((it.variations.as_ref()?, &it.output)));
        let Some((variations, output)) = playing.or(losing) else {
            return Vec::new();
        };
        let about = (rules, &self.program.profile);
        let mut found = variations.check(game, about, best, self.checks);
        let missing = output.missing_score().filter(|_| self.checks.score);
        if let Some((kind, line)) = missing {
            found.push(PvWarning {
                kind,
                cause: None,
                word: String::new(),
                ply: game.len() as u32,
                position: game.position().to_fen(),
                line: PvWarning::shortened(line),
            });
        }
        found
    }

    fn report(&mut self) -> Option<MoveReport> {
        self.engine.as_ref()?.output.report()
    }

    fn variation(&self, line: &dyn AnyLine) -> Vec<Move> {
        let Some(engine) = &self.engine else {
            return Vec::new();
        };
        let mut on = line.boxed();
        let words = engine.variation.split_ascii_whitespace();
        let moves = words.map_while(|word| {
            let mv = parse_engine_move(&self.program.profile, on.position(), word).ok()?;
            on.play(mv);
            Some(mv)
        });
        moves.collect()
    }

    fn symptoms(&mut self) -> Option<Symptoms> {
        self.symptoms.take()
    }

    fn reported_time(&self) -> Option<Duration> {
        let millis = self.engine.as_ref()?.millis?;
        Some(Duration::from_millis(millis.into()))
    }

    /// Adopts a variant: sends options with other values before the next game; everything else must
    /// be equal.
    fn adopt(&mut self, variant: &Variant) -> bool {
        let Some(program) = &variant.program else {
            return false;
        };
        let (ours, theirs) = (&self.program.profile.options, &program.profile.options);
        // An option that is no longer set would keep its value.
        let same_names = ours.keys().eq(theirs.keys());
        let mut alike = self.program.clone();
        alike.profile.options.clone_from(theirs);
        if !same_names || alike != **program {
            return false;
        }
        self.program = alike;
        true
    }
}

/// The budget reduced by the given time.
fn without(budget: &Budget, spent: Duration) -> Budget {
    let time = budget.time.map(|time| match time {
        TimeBudget::Move(time) => TimeBudget::Move(time.saturating_sub(spent)),
        TimeBudget::Clock(clock) => TimeBudget::Clock(ClockTimes {
            remaining: clock.remaining.saturating_sub(spent),
            ..clock
        }),
    });
    Budget { time, ..*budget }
}
