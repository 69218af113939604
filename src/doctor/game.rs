//! A short game of a program against itself, in two processes as in a run, judged
//! by our referee.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::check::{Check, margin_line};
use super::processes::{family, resident_kib};
use super::{Patient, words};
use crate::card::{AnyLine, AnyPosition};
use crate::config::{Adjudication, Clock, Limits, Profile, Protocol, TimeControl};
use crate::count::count;
use crate::game::Cause;
use crate::play::{GameRecord, Spare, Terms, play_game};
use crate::player::external::engine::thinking::patience;
use crate::player::{Budget, Choice, Failure, GameId, Player, Probe, Refusal, Reply, silent_pass};

/// How long the game may take.
const LONGEST: [Duration; 2] = [Duration::from_secs(8), Duration::from_secs(3)];

/// Moves of a period of the clock, so that some are over in the game.
const MOVES_OF_A_PERIOD: u32 = 4;

/// Memory of the processes that played, in KiB, where the system tells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Footprint {
    /// The larger one before the game.
    pub(super) before: Option<u64>,
    /// The larger one after it.
    pub(super) after: Option<u64>,
}

/// A program that plays, and remembers what it said last.
struct Watched<'a> {
    probe: Probe,
    profile: Profile,
    limits: Limits,
    stall: Duration,
    until: Instant,
    /// The examination's call to an end.
    cancel: &'a AtomicBool,
    /// Ends this game.
    enough: &'a AtomicBool,
    is_lost: bool,
    moves: u32,
    last: Option<Reply>,
}

impl Watched<'_> {
    fn footprint(&self) -> Option<u64> {
        resident_kib(&family(self.probe.engine.process.id()))
    }
}

impl Player for Watched<'_> {
    fn new_game(&mut self, _: GameId, start: &dyn AnyPosition, _: &AtomicBool) {
        self.is_lost = self.probe.new_game(start, self.cancel).is_err();
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        budget: &Budget,
        _: &AtomicBool,
    ) -> Result<Choice, Failure> {
        if self.is_lost {
            return Err(Failure::Crash);
        }
        if let Some(pass) = silent_pass(&self.profile, line.position()) {
            return Ok(pass);
        }
        let margin = self.limits.allowed_margin();
        let patience = patience(budget, margin, self.stall);
        let reply = self.probe.ask(line, budget, patience, self.cancel);
        if Instant::now() >= self.until || self.cancel.load(Ordering::Relaxed) {
            self.enough.store(true, Ordering::Relaxed);
        }
        let choice = match &reply.answer {
            Ok(_) if reply.after_stop.is_some() && budget.time.is_none() => Err(Failure::Stall),
            Ok(said) => self.probe.judge(said, &self.limits, line.position()),
            Err(failure) => Err(*failure),
        };
        self.moves += u32::from(choice.is_ok());
        self.last = Some(reply);
        choice
    }
}

/// The config's limits, cut down to what a short game may take, and how they are
/// called.
fn shortened(patient: &Patient) -> (Limits, String) {
    let mut limits = patient.limits;
    let hears = !patient.program.profile.tells_seconds();
    let is_gtp = patient.program.profile.protocol == Protocol::Gtp;
    let told = match limits.time {
        Some(TimeControl::PerMove(time)) if hears => {
            let short = time.min(Duration::from_millis(50));
            limits.time = Some(TimeControl::PerMove(short));
            format!("{} a move", words::time(short))
        }
        Some(TimeControl::PerMove(time)) if is_gtp => format!("{} a move", words::time(time)),
        // A second per move would be too long.
        Some(TimeControl::PerMove(_)) => {
            limits.time = None;
            limits.depth = Some(limits.depth.unwrap_or(4).min(4));
            format!("depth {}", limits.depth.unwrap_or_default())
        }
        Some(TimeControl::Clock(clock)) => {
            let (most, more) = if hears {
                (Duration::from_secs(2), Duration::from_millis(50))
            } else {
                (Duration::from_secs(5), Duration::from_secs(1))
            };
            let (base, increment) = (clock.base.min(most), clock.increment.min(more));
            // Periods that end within a short game.
            let moves = clock.moves.map(|moves| moves.min(MOVES_OF_A_PERIOD));
            limits.time = Some(TimeControl::Clock(Clock {
                base,
                increment,
                moves,
                ..clock
            }));
            let moves = moves.map(|moves| count(moves.into(), "move", "moves") + " in ");
            format!(
                "a clock of {}{} + {}",
                moves.unwrap_or_default(),
                words::time(base),
                words::time(increment)
            )
        }
        None => match (limits.nodes, limits.depth) {
            (Some(nodes), _) => format!("{} nodes", words::number(nodes)),
            (None, Some(depth)) => format!("depth {depth}"),
            (None, None) if is_gtp => "limits of its own".to_owned(),
            (None, None) => {
                limits.depth = Some(4);
                "depth 4".to_owned()
            }
        },
    };
    (limits, told)
}

/// Plays; gives what it took of memory, too.
pub(super) fn check(patient: &Patient) -> (Check, Footprint) {
    let (limits, told) = shortened(patient);
    let enough = AtomicBool::new(false);
    let around = patient.around;
    let mut footprint = Footprint::default();
    let until = Instant::now() + around.pick(LONGEST[0], LONGEST[1]);
    let player = || {
        Ok::<_, Refusal>(Watched {
            probe: patient.start()?,
            profile: patient.program.profile.clone(),
            limits,
            stall: patient.patience(),
            until,
            cancel: around.cancel,
            enough: &enough,
            is_lost: false,
            moves: 0,
            last: None,
        })
    };
    let both = player().and_then(|first| Ok([first, player()?]));
    let mut players: [Watched; 2] = match both {
        Ok(players) => players,
        Err(refusal) => {
            let text = format!("two processes of it do not start: {}", refusal.reason);
            return (Check::failure("game", text).help(refusal.help), footprint);
        }
    };
    footprint.before = players.iter().filter_map(Watched::footprint).max();
    let terms = Terms {
        rules: patient.game.rules,
        limits: vec![limits; 2],
        adjudication: Adjudication {
            max_plies: Some(
                around.pick(patient.questions().plies[0], patient.questions().plies[1]),
            ),
            ..Adjudication::default()
        },
        spare: Spare::default(),
    };
    let [first, second] = &mut players;
    let record = play_game(
        GameId::default(),
        &*patient.game.initial(),
        [first, second],
        [0, 1],
        &terms,
        &enough,
    );
    footprint.after = players.iter().filter_map(Watched::footprint).max();
    let plies = players.iter().map(|player| player.moves).sum();
    let check = match record {
        Ok(record) if record.verdict.cause.is_failure() => {
            failure(&record, &mut players, &told, patient)
        }
        Ok(record) => fine(plies, &told, &ending(record.verdict.cause)),
        Err(_) => fine(plies, &told, "; there was no time for more"),
    };
    (check.figure("plies", plies), footprint)
}

fn fine(plies: u32, told: &str, end: &str) -> Check {
    let text = format!("{plies} plies against itself with {told}, every move legal and in time");
    Check::ok("game", text + end)
}

fn ending(cause: Cause) -> String {
    match cause {
        Cause::LengthAdjudication => String::new(),
        other => format!("; it ended by {other}"),
    }
}

fn failure(
    record: &GameRecord,
    players: &mut [Watched; 2],
    told: &str,
    patient: &Patient,
) -> Check {
    let cause = record.verdict.cause;
    let mut line = patient.game.line();
    for ply in &record.plies {
        line.play(ply.mv);
    }
    let side = line.position().side_to_move();
    let loser = &mut players[side.index()];
    let what = match &loser.last {
        None => String::new(),
        Some(reply) => match &reply.answer {
            Ok(said) if matches!(cause, Cause::IllegalMove | Cause::MalformedOutput) => {
                format!(": `{}`", words::shortened(&said.text))
            }
            Ok(said) if cause == Cause::NodeOverrun => {
                let nodes = words::number(said.nodes.unwrap_or_default());
                format!(", reporting {nodes} nodes")
            }
            Ok(_) => format!(", after {}", words::time(reply.taken)),
            Err(failure) => format!(": {}", words::failed(*failure, reply)),
        },
    };
    let taken = loser.last.as_ref().map(|reply| reply.taken);
    let taken = taken.unwrap_or_default();
    let errors = loser.probe.engine.process.errors();
    let number = record.plies.len() + 1;
    let text = format!(
        "with {told}, it loses against itself by {cause} at ply {number} ({}){what}; the position is {}",
        patient.game.card.side_names()[side.index()],
        line.position().to_fen()
    );
    Check::failure("game", text)
        .help(help(cause, taken, patient))
        .figure("cause", cause.name())
        .figure("ply", number)
        .figure("position", line.position().to_fen())
        .figure("errors", errors)
}

/// What helps a program that took so long for its last move.
fn help(cause: Cause, taken: Duration, patient: &Patient) -> Option<String> {
    match cause {
        Cause::TimeForfeit => {
            let seconds = taken.as_secs_f64();
            let margin = patient.limits.allowed_margin().as_secs_f64();
            // Twice what is granted is not more than a guess; movetime measures.
            let steps = (margin * 2.0).max(seconds.min(1.0)) / 0.05;
            let margin = steps.ceil().clamp(2.0, 200.0) as u64 * 50;
            Some(margin_line(margin))
        }
        Cause::Stall => Some("give it time: write `stall = \"60s\"` in the variant".to_owned()),
        Cause::NodeOverrun => Some(super::positions::OTHER_LIMIT.to_owned()),
        _ => None,
    }
}
