//! Short games of a program against itself, in two processes as in a run, judged by Leitai's
//! referee: the first from the usual start, the others from openings of the config.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::check::{Check, LimitKind, margin_line};
use super::limits::describe;
use super::{ExaminedProgram, display};
use crate::play::{Evidence, GameRecord, RepeatBudget, Terms, play_game};
use crate::player::external::engine::thinking::patience;
use crate::player::external::notation::validate;
use crate::player::{
    Budget, ChoiceResult, Failure, GameId, Player, Probe, Refusal, Reply, Symptoms, unsent_pass,
};
use leitai_base::count::count;
use leitai_config::{Adjudication, Clock, LaterStages, Limits, TimeControl};
use leitai_game::Cause;
use leitai_game::card::{AnyLine, AnyPosition};
use leitai_platform::processes::{family, resident_kib};
use leitai_protocols::Limit;

/// Time limit for all games together.
const LONGEST: [Duration; 2] = [Duration::from_secs(8), Duration::from_secs(3)];
/// The maximum number of games: some programs fail only now and then.
const GAMES: [usize; 2] = [16, 6];
/// The maximum number of plies of a game from an opening of the config.
const PLIES: [u32; 2] = [100, 60];

/// The longest time per move, or increment, of the games: longer ones are reduced to it.
const LONGEST_MOVE: Duration = Duration::from_secs(1);
/// The longest clock for a whole game.
const LONGEST_CLOCK: Duration = Duration::from_mins(1);

/// Moves per time control, so that some controls end within the game.
const MOVES_OF_A_PERIOD: u32 = 4;

/// Memory of the processes that played, in KiB, if the system reports it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Footprint {
    /// The larger one before the game.
    pub(super) before: Option<u64>,
    /// The larger one after the game.
    pub(super) after: Option<u64>,
}

/// A playing program, with its last answer.
struct WatchedPlayer<'a> {
    probe: Probe,
    examined: &'a ExaminedProgram<'a>,
    limits: Limits,
    until: Instant,
    /// Set to end this game.
    enough: &'a AtomicBool,
    is_lost: bool,
    moves: u32,
    last: Option<Reply>,
    failure: Option<Failure>,
}

impl WatchedPlayer<'_> {
    fn footprint(&self) -> Option<u64> {
        resident_kib(&family(self.probe.engine.process.tree.id()))
    }
}

impl Player for WatchedPlayer<'_> {
    fn new_game(&mut self, _: GameId, start: &dyn AnyPosition, _: &AtomicBool) {
        let cancel = self.examined.context.cancel;
        self.is_lost = self.probe.new_game(start, cancel).is_err();
    }

    fn choose(&mut self, line: &dyn AnyLine, budget: &Budget, _: &AtomicBool) -> ChoiceResult {
        if self.is_lost {
            return Err(Failure::Crash);
        }
        let (program, context) = (&self.examined.program, self.examined.context);
        if let Some(pass) = unsent_pass(&program.profile, line.position()) {
            return Ok(pass);
        }
        let margin = self.limits.allowed_margin();
        let patience = patience(budget, margin, self.examined.patience());
        let reply = self.probe.ask(line, budget, patience, context.cancel);
        if Instant::now() >= self.until || context.is_cancelled() {
            self.enough.store(true, Ordering::Relaxed);
        }
        let choice = match &reply.answer {
            Ok(_) if reply.after_stop.is_some() && budget.time.is_none() => Err(Failure::Stall),
            Ok(search) => validate(search, &program.profile, &self.limits, line.position()),
            Err(failure) => Err(*failure),
        };
        self.moves += u32::from(choice.is_ok());
        self.last = Some(reply);
        self.failure = choice.as_ref().err().copied();
        choice
    }

    fn symptoms(&mut self) -> Option<Symptoms> {
        let failure = self.failure.unwrap_or(Failure::Crash);
        Some(self.probe.engine.symptoms(failure))
    }
}

/// The config's limits, reduced for a short game, with a description.
fn shortened(examined: &ExaminedProgram) -> (Limits, String) {
    let mut limits = examined.limits;
    let profile = &examined.program.profile;
    let takes_milliseconds = !profile.sends_seconds();
    let protocol = profile.protocol;
    match limits.time {
        Some(TimeControl::PerMove(time)) if takes_milliseconds => {
            limits.time = Some(TimeControl::PerMove(time.min(LONGEST_MOVE)));
        }
        Some(TimeControl::PerMove(_)) if !protocol.has(Limit::Depth) => {}
        // A second per move would be too long.
        Some(TimeControl::PerMove(_)) => {
            limits.time = None;
            let depth = limits.depth.unwrap_or(4).min(4);
            limits.depth = Some(depth);
            return (limits, format!("depth {depth}"));
        }
        Some(TimeControl::Clock(clock)) => {
            let (most, more) = match clock.moves {
                // Time controls are cut, and so are their times.
                Some(_) if takes_milliseconds => {
                    (Duration::from_secs(2), Duration::from_millis(50))
                }
                Some(_) => (Duration::from_secs(5), Duration::from_secs(1)),
                None => (LONGEST_CLOCK, LONGEST_MOVE),
            };
            limits.time = Some(TimeControl::Clock(Clock {
                base: clock.base.min(most),
                increment: clock.increment.min(more),
                // Time controls that end within a short game.
                moves: clock.moves.map(|moves| moves.min(MOVES_OF_A_PERIOD)),
                later: LaterStages::default(),
                ..clock
            }));
        }
        None if limits.nodes.is_none() && limits.depth.is_none() && protocol.has(Limit::Depth) => {
            limits.depth = Some(4);
        }
        None => {}
    }
    let description = match limits.time {
        Some(TimeControl::PerMove(time)) => format!("{} a move", display::time(time)),
        Some(TimeControl::Clock(clock)) => {
            let moves = clock.moves;
            let moves = moves.map(|moves| count(moves.into(), "move", "moves") + " in ");
            let [base, increment] = [clock.base, clock.increment].map(display::time);
            format!(
                "a clock of {}{base} + {increment}",
                moves.unwrap_or_default()
            )
        }
        None => describe(&Budget {
            nodes: limits.nodes,
            depth: limits.depth,
            time: None,
        }),
    };
    (limits, description)
}

/// Plays the games; also returns the memory of the processes.
pub(super) fn check(examined: &ExaminedProgram) -> (Check, Footprint) {
    let mut footprint = Footprint::default();
    let check = play(examined, &mut footprint).unwrap_or_else(|refusal| {
        let text = format!("two processes of it do not start: {}", refusal.reason);
        Check::failure("game", text).help(refusal.help)
    });
    (check, footprint)
}

fn play(examined: &ExaminedProgram, footprint: &mut Footprint) -> Result<Check, Refusal> {
    let (limits, description) = shortened(examined);
    let enough = AtomicBool::new(false);
    let context = examined.context;
    let until = Instant::now() + context.pick(LONGEST[0], LONGEST[1]);
    let player = || {
        Ok::<_, Refusal>(WatchedPlayer {
            probe: examined.start()?,
            examined,
            limits,
            until,
            enough: &enough,
            is_lost: false,
            moves: 0,
            last: None,
            failure: None,
        })
    };
    let mut players = [player()?, player()?];
    footprint.before = players.iter().filter_map(WatchedPlayer::footprint).max();
    let (mut plies, mut games, mut end) = (0, 0, String::new());
    for start in starts(examined) {
        if games > 0 && examined.program.profile.restart {
            players = [player()?, player()?];
        }
        let [most, most_quick] = match games {
            0 => examined.questions().plies,
            _ => PLIES,
        };
        let terms = Terms {
            rules: examined.game.rules,
            limits: vec![limits; 2],
            adjudication: Adjudication {
                max_plies: Some(context.pick(most, most_quick)),
                ..Adjudication::default()
            },
            spare: RepeatBudget::default(),
        };
        let [first, second] = &mut players;
        let both: [&mut dyn Player; 2] = [first, second];
        let played = play_game(GameId::default(), &*start, both, [0, 1], &terms, &enough);
        if games == 0 {
            footprint.after = players.iter().filter_map(WatchedPlayer::footprint).max();
        }
        for player in &mut players {
            plies += std::mem::take(&mut player.moves);
        }
        let Ok((record, evidence)) = played else {
            if games == 0 {
                "; there was no time for more".clone_into(&mut end);
            }
            break;
        };
        games += 1;
        let cause = record.verdict.cause;
        if cause.is_failure() {
            let evidence = evidence.unwrap_or_default();
            let begun = (&*start, &evidence);
            let check = failure(&record, begun, &players, &description, examined);
            return Ok(check.figure("plies", plies).figure("games", games));
        }
        end = match (games, cause) {
            (1, Cause::LengthAdjudication) => String::new(),
            (1, cause) => format!("; it ended by {cause}"),
            (more, _) => format!("; {more} games"),
        };
        if Instant::now() >= until {
            break;
        }
    }
    let text = format!(
        "{plies} plies against itself with {description}, every move legal and in time{end}"
    );
    let check = Check::ok("game", text).figure("plies", plies);
    Ok(check.figure("games", games))
}

/// The start positions of the games.
fn starts(examined: &ExaminedProgram) -> Vec<Box<dyn AnyPosition>> {
    let mut starts = vec![examined.game.initial()];
    let Some(book) = examined.context.book else {
        return starts;
    };
    let most = examined.context.pick(GAMES[0], GAMES[1]) - 1;
    let profile = &examined.program.profile;
    let ways = profile.ways();
    let few = most.min(book.len());
    let spread = (0..few).map(|number| number * book.len() / few);
    let positions = spread.filter_map(|place| Some(book.get(place)?.position()));
    starts.extend(positions.filter(|start| {
        start.start_problem(&ways).is_none()
            && (!profile.protocol.moves_only || start.moves_from_initial().is_some())
    }));
    starts
}

fn failure(
    record: &GameRecord,
    (start, evidence): (&dyn AnyPosition, &Evidence),
    players: &[WatchedPlayer; 2],
    limits: &str,
    examined: &ExaminedProgram,
) -> Check {
    let cause = record.verdict.cause;
    let mut line = examined.game.card.line(start);
    for ply in &record.plies {
        line.play(ply.mv);
    }
    let side = line.position().side_to_move();
    let last = players[side.index()].last.as_ref();
    let taken = last.map(|reply| reply.taken).unwrap_or_default();
    let search = last.and_then(|reply| reply.answer.as_ref().ok());
    let more = match (cause, search) {
        (Cause::NodeOverrun, Some(search)) => {
            let nodes = display::number(search.nodes.unwrap_or_default());
            format!(", reporting {nodes} nodes")
        }
        (Cause::TimeForfeit | Cause::Stall, _) => format!(", after {}", display::time(taken)),
        _ => String::new(),
    };
    let number = record.plies.len() + 1;
    let text = format!(
        "with {limits}, it loses against itself by {cause} at ply {number} ({}){more}: {}",
        examined.game.card.side_names()[side.index()],
        evidence.sentence(cause)
    );
    let check = Check::failure("game", text)
        .figure("cause", cause.name())
        .figure("ply", number)
        .figure("position", evidence.position.clone())
        .figure("answer", evidence.symptoms.answer.clone())
        .figure("exit", evidence.symptoms.exit.clone())
        .figure("errors", evidence.symptoms.errors.clone());
    match cause {
        Cause::NodeOverrun => check.breaks(LimitKind::Nodes),
        _ => check.help(help(cause, taken, examined)),
    }
}

/// Advice for a program whose last move took this long.
fn help(cause: Cause, taken: Duration, examined: &ExaminedProgram) -> Option<String> {
    match cause {
        Cause::TimeForfeit => {
            let seconds = taken.as_secs_f64();
            let margin = examined.limits.allowed_margin().as_secs_f64();
            // Twice the current margin is only a guess; the check `movetime` measures.
            let steps = (margin * 2.0).max(seconds.min(1.0)) / 0.05;
            let margin = steps.ceil().clamp(2.0, 200.0) as u64 * 50;
            Some(margin_line(margin))
        }
        Cause::Stall => Some("give it time: write `stall = \"60s\"` in the variant".to_owned()),
        _ => None,
    }
}
