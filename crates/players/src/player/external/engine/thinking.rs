//! Move requests, and the wait for replies.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Engine, LONG_SILENCE, Protest};
use crate::player::external::lines::Line;
use crate::player::external::probe::{Reply, SearchReply};
use crate::player::external::process::Output;
use crate::player::pauses::{Deadline, WaitStart};
use crate::player::{Budget, Failure, Symptoms, TimeBudget};
use leitai_game::Move;
use leitai_protocols::{Codec, Info, Message, MoveRequest, ReadyMessage};

/// Time limit of a reply after `stop`.
const STOP_GRACE: Duration = Duration::from_millis(500);

/// Time limit for an engine that claims the end of the game to send a move nonetheless.
const CLAIM_GRACE: Duration = Duration::from_millis(100);

/// Time limit of silence after a protest, in games without a clock.
const DOUBT: Duration = Duration::from_secs(1);

/// Time limit for the exit of an engine that accepts no more commands.
const LAST_BREATH: Duration = Duration::from_millis(100);

/// The wait for a reply.
pub(super) struct Wait {
    deadline: Deadline,
    /// Time of the `stop` command, if it was sent.
    pub(super) stopped: Option<Instant>,
    /// Time limit for an engine to move despite its protest.
    claimed: Option<Deadline>,
    /// Time limit of the reply to a ping.
    pong: Option<Deadline>,
    /// The time at which a long silence is reported.
    report: Option<Instant>,
    /// True to wait for a move despite claims.
    ignores_claims: bool,
}

impl Wait {
    /// A wait that sends `stop` after `patience`.
    pub(super) fn after(patience: Duration, ignores_claims: bool) -> Self {
        Self::starting_at(WaitStart::now(), patience, ignores_claims)
    }

    fn starting_at(start: WaitStart, patience: Duration, ignores_claims: bool) -> Self {
        Self {
            deadline: start.deadline(patience),
            stopped: None,
            claimed: None,
            pong: None,
            report: None,
            ignores_claims,
        }
    }
}

impl Engine {
    /// The engine's protest since the last request. Discards other unsolicited output: a late or
    /// repeated move.
    pub(crate) fn protest(&mut self) -> Option<Protest> {
        if self.codec.may_protest() {
            self.discard_output();
        }
        self.doubted = self.protest.is_some();
        self.protest.take()
    }

    /// Discards unsolicited output except protests.
    pub(crate) fn discard_output(&mut self) {
        let (codec, protest, stray) = (&mut self.codec, &mut self.protest, &mut self.stray);
        self.process.discard_output(|line| {
            if let Line::Text(line) = line {
                match codec.parse_search_line(&line) {
                    Message::Resigns => *protest = Some(Protest::Resigns),
                    Message::Claims(_) if protest.is_none() => *protest = Some(Protest::Over),
                    Message::Move(..) => *stray += 1,
                    _ => {}
                }
            }
        });
    }

    /// Counts an unsolicited line, if it is a move.
    pub(crate) fn count_stray_move(&mut self, line: &str) {
        if matches!(self.codec.parse_search_line(line), Message::Move(..)) {
            self.stray += 1;
        }
    }

    /// Discards the search data of the last move.
    pub(crate) fn forget_search_data(&mut self) {
        self.answer = None;
        if let Some(variations) = &mut self.variations {
            variations.clear();
        }
        self.variation.clear();
        self.millis = None;
        self.output.clear();
    }

    /// Starts a search; an engine that ponders on the reply that was made goes on. Returns false if
    /// the engine accepts no more commands.
    pub(crate) fn start_search(&mut self, ask: &MoveRequest) -> bool {
        if self.pondered.take().is_some() {
            return self.process.send(&["ponderhit"]);
        }
        self.send_search(|codec| codec.go(ask))
    }

    /// Sends commands for a search after one that shows that earlier ones are processed.
    fn send_search(&mut self, commands: impl FnOnce(&mut dyn Codec) -> Vec<String>) -> bool {
        self.forget_search_data();
        self.unread.clear();
        let sync_command = self.codec.sync_command();
        self.is_synced = sync_command.is_none();
        let mut lines = Vec::from_iter(sync_command);
        lines.extend(commands(&mut *self.codec));
        self.process.send(&lines)
    }

    /// The opponent's reply that the engine expects after its last move, in its own notation.
    pub(crate) fn expected_reply(&self) -> Option<String> {
        let line = self.answer.as_deref()?;
        self.codec.expected_reply(line).map(str::to_owned)
    }

    /// Lets the engine ponder on the expected reply, which is the last move of `ask`.
    pub(crate) fn ponder(&mut self, ask: &MoveRequest, expected: Move) {
        let is_sent = self.send_search(|codec| codec.ponder(ask));
        self.pondered = is_sent.then_some(expected);
    }

    /// Stops an engine that ponders on a reply that was not made, and discards its move; waits for
    /// it for `patience` and the time limit of a reply after `stop`.
    ///
    /// # Errors
    /// The engine must be replaced.
    pub(crate) fn stop_pondering(
        &mut self,
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Result<(), Failure> {
        if self.pondered.take().is_none() {
            return Ok(());
        }
        if !self.send_stop() {
            return Err(self.disconnect_reason());
        }
        let mut wait = Wait::after(patience.min(self.stall) + STOP_GRACE, true);
        wait.stopped = Some(Instant::now());
        loop {
            match self.next_message(&mut wait, cancel)?.0 {
                Message::Info(_) | Message::Nothing => {}
                _ => return Ok(()),
            }
        }
    }

    /// Ends pondering at the end of a game, and reports the result.
    ///
    /// # Errors
    /// The engine must be replaced.
    pub(crate) fn end_game(
        &mut self,
        half_points: Option<u8>,
        cancel: &AtomicBool,
    ) -> Result<(), Failure> {
        if let Some(command) = self.codec.rest() {
            self.process.send(&[command]);
        }
        self.stop_pondering(Duration::ZERO, cancel)?;
        if let Some(command) = half_points.and_then(|it| self.codec.game_over(it)) {
            self.process.send(&[command]);
        }
        Ok(())
    }

    /// Parses a line after the search command. Ignores moves and search data before the reply to
    /// the ping: they belong to an earlier search.
    pub(crate) fn parse_reply_line(&mut self, line: &str) -> Message {
        if self.is_synced {
            return self.codec.parse_search_line(line);
        }
        if self.codec.parse_ready_line(line) == ReadyMessage::Ready {
            self.is_synced = true;
            return Message::Nothing;
        }
        match self.codec.parse_search_line(line) {
            Message::Move(..) => {
                self.stray += 1;
                Message::Nothing
            }
            Message::Info(_) => Message::Nothing,
            heard => heard,
        }
    }

    /// Requests a move and waits for it: with a clock, until twice the margin after its end,
    /// otherwise for the stall limit. Then it sends `stop`; if that does not help either, the
    /// engine has stalled.
    ///
    /// # Errors
    /// The engine must be replaced, except after [`Failure::Resigned`], [`Failure::NodeOverrun`]
    /// and a [`Protest`].
    pub(crate) fn think(
        &mut self,
        ask: &MoveRequest,
        margin: Duration,
        cancel: &AtomicBool,
    ) -> Result<SearchReply, Failure> {
        let start = WaitStart::now();
        let mut wait = Wait::starting_at(start, patience(ask.budget, margin, self.stall), false);
        let timed = ask.budget.time.is_some();
        let doubted = std::mem::take(&mut self.doubted) && !timed;
        wait.claimed = doubted.then(|| start.deadline(DOUBT));
        wait.pong = self.ping.map(|ping| start.deadline(ping));
        let is_long = !timed && self.on_silence.is_some() && self.stall > LONG_SILENCE;
        wait.report = is_long.then(|| start.at + LONG_SILENCE);
        let reply = self.await_move(ask, &mut wait, cancel)?;
        // Replied only after `stop`, without a clock: a stall.
        if wait.stopped.is_some() && !timed {
            return Err(Failure::Stall);
        }
        Ok(reply)
    }

    /// Starts a search and waits for its move.
    pub(super) fn await_move(
        &mut self,
        ask: &MoveRequest,
        wait: &mut Wait,
        cancel: &AtomicBool,
    ) -> Result<SearchReply, Failure> {
        // The engine's own time then includes the opponent's.
        let has_pondered = self.pondered.is_some();
        if !self.start_search(ask) {
            return Err(self.disconnect_reason());
        }
        let mut info = Info::default();
        loop {
            let (message, line) = self.next_message(wait, cancel)?;
            match message {
                Message::Move(text, last) => {
                    self.codec.note_own_move(&text);
                    let has_score = info.update(last);
                    self.output.add_info(&line, has_score);
                    self.millis = info.millis.filter(|_| !has_pondered);
                    return Ok(SearchReply {
                        text,
                        depth: info.depth,
                        score: info.score,
                        nodes: info.nodes,
                        most_nodes: info.most_nodes,
                    });
                }
                Message::Info(new) => {
                    // The search goes on despite the claim.
                    wait.claimed = None;
                    let has_score = info.update(new);
                    self.output.add_info(&line, has_score);
                    if !new.pv.is_empty() {
                        self.variation.clear();
                        self.variation.push_str(new.pv.of(&line));
                        if let Some(variations) = &mut self.variations {
                            variations.add(new, line);
                        }
                    }
                }
                Message::Resigns => return Err(Failure::Resigned),
                Message::Claims(_) if wait.ignores_claims => {}
                Message::Claims(winner) if winner == Some(ask.side.other()) => {
                    return Err(Failure::Resigned);
                }
                Message::Claims(_) => wait.claimed = Some(Deadline::after(CLAIM_GRACE)),
                Message::Refuses => {
                    self.protest = Some(Protest::Over);
                    return Err(Failure::Resigned);
                }
                Message::Malformed => return Err(Failure::Malformed),
                _ => {}
            }
        }
    }

    /// Reads and parses the next line after the search command. Sends `stop` when the time is over;
    /// half a second later the engine has stalled.
    pub(super) fn next_message(
        &mut self,
        wait: &mut Wait,
        cancel: &AtomicBool,
    ) -> Result<(Message, String), Failure> {
        loop {
            // Lines that were read together need one look at the clock.
            let output = match self.process.take() {
                Some(line) => Output::Line(line),
                None => self.await_line(wait, cancel)?,
            };
            match output {
                Output::Line(Line::Text(line)) => {
                    let is_answer = self.is_synced;
                    if is_answer {
                        self.output.add(&line);
                    }
                    let heard = self.parse_reply_line(&line);
                    match heard {
                        Message::Nothing if is_answer => {
                            self.unread.add(&line, self.protocol.reply);
                        }
                        Message::Nothing | Message::Info(_) => {}
                        _ => self.answer = Some(line.clone()),
                    }
                    return Ok((heard, line));
                }
                Output::Line(Line::Binary(line) | Line::TooLong(line)) => {
                    self.unread.add(&line, self.protocol.reply);
                    return Ok((Message::Nothing, String::new()));
                }
                Output::Silence => {}
                Output::Ended => return Err(Failure::Crash),
                Output::Closed => return Err(Failure::Disconnect),
            }
        }
    }

    /// Waits for the next line after the search command, at most for a moment. Sends `stop` when the
    /// time is over.
    fn await_line(&mut self, wait: &mut Wait, cancel: &AtomicBool) -> Result<Output, Failure> {
        if cancel.load(Ordering::Relaxed) {
            return Err(Failure::Stall);
        }
        let now = Instant::now();
        if wait.deadline.is_over(now) {
            if wait.stopped.is_some() || !self.send_stop() {
                return Err(Failure::Stall);
            }
            wait.stopped = Some(Instant::now());
            wait.deadline = Deadline::after(STOP_GRACE);
        }
        let is_over = |deadline: &mut Option<Deadline>| {
            let deadline = deadline.as_mut();
            deadline.is_some_and(|deadline| deadline.is_over(now))
        };
        if is_over(&mut wait.claimed) {
            self.protest = Some(Protest::Over);
            return Err(Failure::Malformed);
        }
        if self.is_synced {
            wait.pong = None;
        }
        if is_over(&mut wait.pong) {
            return Err(Failure::Stall);
        }
        if wait.report.is_some_and(|at| now >= at) {
            wait.report = None;
            if let Some((listener, game)) = &self.on_silence {
                (listener.0)(*game, self.stall);
            }
        }
        let deadlines = [Some(wait.deadline), wait.claimed, wait.pong];
        let moments = deadlines.iter().flatten().map(Deadline::moment);
        let wake = moments.chain(wait.report).min().unwrap_or(now);
        Ok(self.process.next(now, wake))
    }

    /// Starts a search, sends `stop` after `patience`, and gives up half a second later.
    pub(crate) fn search_until_stopped(
        &mut self,
        ask: &MoveRequest,
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Reply {
        self.discard_output();
        let begun = Instant::now();
        let mut wait = Wait::after(patience, true);
        let answer = self.await_move(ask, &mut wait, cancel);
        Reply {
            taken: begun.elapsed(),
            after_stop: wait.stopped.map(|at| at.elapsed()),
            symptoms: match &answer {
                Ok(_) => Symptoms::default(),
                Err(failure) => self.symptoms(*failure),
            },
            answer,
        }
    }

    /// Asks the engine to quit and returns the time until its end; `None` if it continues.
    pub(crate) fn quit_and_wait(&mut self, patience: Duration) -> Option<Duration> {
        let begun = Instant::now();
        let deadline = begun + patience;
        self.process.send(&[self.protocol.quit]);
        while Instant::now() < deadline {
            match self.process.next(Instant::now(), deadline) {
                Output::Ended => return Some(begun.elapsed()),
                // The process may still end, or not.
                Output::Closed => std::thread::sleep(Duration::from_millis(1)),
                Output::Line(_) | Output::Silence => {}
            }
        }
        None
    }

    /// Sends `stop`, if the protocol has it; returns false if the engine accepts no more commands.
    pub(crate) fn send_stop(&mut self) -> bool {
        let stop = self.codec.stop();
        stop.is_none_or(|word| self.process.send(&[word]))
    }

    /// The reason that an engine accepts no more commands.
    pub(crate) fn disconnect_reason(&mut self) -> Failure {
        if self.process.ends_within(LAST_BREATH) {
            Failure::Crash
        } else {
            Failure::Stall
        }
    }
}

/// Time before `stop` is sent.
pub(crate) fn patience(budget: &Budget, margin: Duration, stall: Duration) -> Duration {
    match budget.time {
        // An overrun of more than the margin has already lost the game.
        Some(TimeBudget::Move(time)) => time + 2 * margin,
        Some(TimeBudget::Clock(clock)) => clock.remaining + 2 * margin,
        None => stall,
    }
}
