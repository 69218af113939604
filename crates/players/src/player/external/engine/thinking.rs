//! Move requests, and the wait for replies.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Engine, Protest};
use crate::player::external::codec::{Ask, Heard, Info, Settled};
use crate::player::external::lines::Line;
use crate::player::external::probe::Said;
use crate::player::external::process::Output;
use crate::player::pauses::Deadline;
use crate::player::{Budget, Failure, TimeBudget};

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
}

impl Wait {
    /// A wait that sends `stop` after `patience`.
    pub(super) fn after(patience: Duration) -> Self {
        Self {
            deadline: Deadline::after(patience),
            stopped: None,
            claimed: None,
        }
    }
}

impl Engine {
    /// The engine's protest since the last request. Discards other unsolicited output: a late or
    /// repeated move.
    pub(crate) fn protest(&mut self) -> Option<Protest> {
        self.forget();
        self.doubted = self.protest.is_some();
        self.protest.take()
    }

    /// Discards unsolicited output except protests.
    pub(crate) fn forget(&mut self) {
        let (speech, protest, stray) = (&mut self.speech, &mut self.protest, &mut self.stray);
        self.process.forget_output(|line| {
            if let Line::Text(line) = line {
                match speech.hear(&line) {
                    Heard::Resigns => *protest = Some(Protest::Resigns),
                    Heard::Claims(_) if protest.is_none() => *protest = Some(Protest::Over),
                    Heard::Move(..) => *stray += 1,
                    _ => {}
                }
            }
        });
    }

    /// Counts an unsolicited line, if it is a move.
    pub(crate) fn note_stray(&mut self, line: &str) {
        if matches!(self.speech.hear(line), Heard::Move(..)) {
            self.stray += 1;
        }
    }

    /// Discards the search data of the last move.
    pub(crate) fn forget_thoughts(&mut self) {
        if let Some(variations) = &mut self.variations {
            variations.clear();
        }
        self.millis = None;
    }

    /// Starts a search; returns false if the engine accepts no more commands.
    pub(crate) fn order(&mut self, ask: &Ask) -> bool {
        self.forget_thoughts();
        self.answer = None;
        self.unread.clear();
        let roll_call = self.speech.roll_call();
        self.is_abreast = roll_call.is_none();
        let mut lines = Vec::from_iter(roll_call);
        lines.extend(self.speech.go(ask));
        self.process.send(&lines)
    }

    /// Parses a line after the search command. Ignores moves and search data before the reply to
    /// the ping: they belong to an earlier search.
    pub(crate) fn listen(&mut self, line: &str) -> Heard {
        if self.is_abreast {
            return self.speech.hear(line);
        }
        if self.speech.settled(line) == Settled::Ready {
            self.is_abreast = true;
            return Heard::Nothing;
        }
        match self.speech.hear(line) {
            Heard::Move(..) => {
                self.stray += 1;
                Heard::Nothing
            }
            Heard::Info(_) => Heard::Nothing,
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
        ask: &Ask,
        margin: Duration,
        cancel: &AtomicBool,
    ) -> Result<Said, Failure> {
        let mut wait = Wait::after(patience(ask.budget, margin, self.stall));
        if !self.order(ask) {
            return Err(self.why_deaf());
        }
        let timed = ask.budget.time.is_some();
        let doubted = std::mem::take(&mut self.doubted) && !timed;
        wait.claimed = doubted.then(|| Deadline::after(DOUBT));
        let mut info = Info::default();
        loop {
            let (heard, line) = self.next_heard(&mut wait, cancel)?;
            match heard {
                // Replied only after `stop`, without a clock: a stall.
                Heard::Move(..) if wait.stopped.is_some() && !timed => return Err(Failure::Stall),
                Heard::Move(mv, last) => return Ok(self.made(mv, info, last)),
                Heard::Info(new) => {
                    // The search goes on despite the claim.
                    wait.claimed = None;
                    info.update(new);
                    if let Some(variations) = self.variations.as_mut().filter(|_| new.has_pv) {
                        variations.add(new.depth, new.is_bound, line);
                    }
                }
                Heard::Resigns => return Err(Failure::Resigned),
                Heard::Claims(winner) if winner == Some(ask.side.other()) => {
                    return Err(Failure::Resigned);
                }
                Heard::Claims(_) => wait.claimed = Some(Deadline::after(CLAIM_GRACE)),
                Heard::Refuses => {
                    self.protest = Some(Protest::Over);
                    return Err(Failure::Resigned);
                }
                Heard::Malformed => return Err(Failure::Malformed),
                Heard::Nothing => {}
            }
        }
    }

    /// Reads and parses the next line after the search command. Sends `stop` when the time is over;
    /// half a second later the engine has stalled.
    pub(super) fn next_heard(
        &mut self,
        wait: &mut Wait,
        cancel: &AtomicBool,
    ) -> Result<(Heard, String), Failure> {
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(Failure::Stall);
            }
            if wait.deadline.is_over() {
                if wait.stopped.is_some() || !self.tell_to_stop() {
                    return Err(Failure::Stall);
                }
                wait.stopped = Some(Instant::now());
                wait.deadline = Deadline::after(STOP_GRACE);
            }
            if wait.claimed.as_mut().is_some_and(Deadline::is_over) {
                self.protest = Some(Protest::Over);
                return Err(Failure::Malformed);
            }
            let until = wait.deadline.moment();
            let claimed = wait.claimed.as_mut();
            let wake = claimed.map_or(until, |grace| grace.moment().min(until));
            match self.process.next(wake) {
                Output::Line(Line::Text(line)) => {
                    let is_answer = self.is_abreast;
                    let heard = self.listen(&line);
                    match heard {
                        Heard::Nothing if is_answer => {
                            self.unread.add(&line, self.speech.answer_word());
                        }
                        Heard::Nothing | Heard::Info(_) => {}
                        _ => self.answer = Some(line.clone()),
                    }
                    return Ok((heard, line));
                }
                Output::Line(Line::Binary(line) | Line::TooLong(line)) => {
                    self.unread.add(&line, self.speech.answer_word());
                    return Ok((Heard::Nothing, String::new()));
                }
                Output::Silence => {}
                Output::Ended => return Err(Failure::Crash),
                Output::Closed => return Err(Failure::Disconnect),
            }
        }
    }

    /// The engine's move, with its earlier and last search data.
    pub(super) fn made(&mut self, text: String, mut info: Info, last: Info) -> Said {
        self.speech.played(&text);
        info.update(last);
        self.millis = info.millis;
        Said {
            text,
            depth: info.depth,
            score: info.score,
            nodes: info.nodes,
        }
    }

    /// Sends `stop`, if the protocol has it; returns false if the engine accepts no more commands.
    pub(crate) fn tell_to_stop(&mut self) -> bool {
        self.speech
            .stop()
            .is_none_or(|word| self.process.send(&[word]))
    }

    /// The reason that an engine accepts no more commands.
    pub(crate) fn why_deaf(&mut self) -> Failure {
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
        Some(TimeBudget::Clock { remaining, .. }) => remaining + 2 * margin,
        None => stall,
    }
}
