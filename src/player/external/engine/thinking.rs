//! Asking for a move, and waiting for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Engine, Protest};
use crate::player::external::codec::{Ask, Heard, Info, Settled};
use crate::player::external::lines::Line;
use crate::player::external::probe::Said;
use crate::player::external::process::Output;
use crate::player::pauses::Deadline;
use crate::player::{Budget, Failure, TimeBudget};

/// How long a program may take to answer once it has been told to stop.
const STOP_GRACE: Duration = Duration::from_millis(500);

/// How long a program that says that the game is over may take to name a move all
/// the same.
const CLAIM_GRACE: Duration = Duration::from_millis(100);

/// How long it may be silent when it has been told to play on, where no clock
/// bounds it.
const DOUBT: Duration = Duration::from_secs(1);

/// How long a program that takes no more messages may take to end.
const LAST_BREATH: Duration = Duration::from_millis(100);

/// The wait for an answer.
pub(super) struct Wait {
    deadline: Deadline,
    /// When the program was told to stop, if it was.
    pub(super) stopped: Option<Instant>,
    /// Until when a program that protests may play on all the same.
    claimed: Option<Deadline>,
}

impl Wait {
    /// A program is told to stop after so long.
    pub(super) fn after(patience: Duration) -> Self {
        Self {
            deadline: Deadline::after(patience),
            stopped: None,
            claimed: None,
        }
    }
}

impl Engine {
    /// What it has said since it was last asked, beside its moves. What it says
    /// unasked otherwise is forgotten: a move that comes too late, or twice.
    pub(crate) fn protest(&mut self) -> Option<Protest> {
        self.forget();
        self.doubted = self.protest.is_some();
        self.protest.take()
    }

    /// Forgets what it has said unasked, but for its protests.
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

    /// Counts a line that answers nothing, if it is a move.
    pub(crate) fn note_stray(&mut self, line: &str) {
        if matches!(self.speech.hear(line), Heard::Move(..)) {
            self.stray += 1;
        }
    }

    /// Forgets what it has said about its last move.
    pub(crate) fn forget_thoughts(&mut self) {
        if let Some(variations) = &mut self.variations {
            variations.clear();
        }
        self.millis = None;
    }

    /// Orders it to think; false if it takes no more messages.
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

    /// What a line says since it was ordered to think. Moves and thoughts before its
    /// answer to the roll call belong to an earlier order.
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

    /// Asks for a move and waits for it: under a clock as long as it runs and
    /// twice the margin more, otherwise as long as the program may take. Then it is told to
    /// stop; if that does not help either, it has stalled.
    ///
    /// # Errors
    /// The program is of no more use, except after [`Failure::Resigned`],
    /// [`Failure::NodeOverrun`] and a [`Protest`].
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
                // Too late where no clock says so.
                Heard::Move(..) if wait.stopped.is_some() && !timed => return Err(Failure::Stall),
                Heard::Move(mv, last) => return Ok(self.made(mv, info, last)),
                Heard::Info(new) => {
                    // It thinks, whatever it has said.
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

    /// What the next line says since it was ordered to think, and the line. Once the
    /// time is over the program is told to stop, and half a second later it has stalled.
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

    /// The move that it has made, with what it said of it before and last.
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

    /// Tells it to stop, where the protocol has a word for that; false if it takes no
    /// more messages.
    pub(crate) fn tell_to_stop(&mut self) -> bool {
        self.speech
            .stop()
            .is_none_or(|word| self.process.send(&[word]))
    }

    /// Why a program takes no more messages.
    pub(crate) fn why_deaf(&mut self) -> Failure {
        if self.process.ends_within(LAST_BREATH) {
            Failure::Crash
        } else {
            Failure::Stall
        }
    }
}

/// How long to wait before a program is told to stop.
pub(crate) fn patience(budget: &Budget, margin: Duration, stall: Duration) -> Duration {
    match budget.time {
        // Whoever overstepped by more than the margin has lost already.
        Some(TimeBudget::Move(time)) => time + 2 * margin,
        Some(TimeBudget::Clock { remaining, .. }) => remaining + 2 * margin,
        None => stall,
    }
}
