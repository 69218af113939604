//! Tests of pairs with a failing player.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::*;
use crate::play::RepeatBudget;
use crate::player::{Budget, Choice, Failure};
use leitai_chess::Chess;
use leitai_config::{Adjudication, GamesOfPair, Limits, PairForm, TimeControl, parse};
use leitai_game::card::{AnyLine, AnyPosition};
use leitai_game::{Cause, Position as _, Verdict};
use leitai_games as games;
use leitai_othello::Othello;

/// Plays the first legal move, or fails.
struct Scripted {
    fails: Option<Failure>,
    takes: Duration,
}

impl Player for Scripted {
    fn new_game(&mut self, _: GameId, _: &dyn AnyPosition, _: &AtomicBool) {}

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        _: &Budget,
        _: &AtomicBool,
    ) -> Result<Choice, Failure> {
        std::thread::sleep(self.takes);
        let moves = line.position().moves();
        self.fails.map_or(Ok(()), Err)?;
        Ok(Choice {
            mv: moves.first().copied(),
            score: None,
            depth: 1,
            nodes: 1,
        })
    }
}

const SPEC: PairSpec = PairSpec {
    form: PairForm {
        games: GamesOfPair::Two,
        swap: true,
        reverse: false,
    },
    index: 7,
    pairing: 0,
    variants: [0, 1],
    opening: 0,
    lap: 0,
};

fn policies(table: &str) -> FailurePolicies {
    let text = format!(
        "game = \"othello\"\nlimits = {{ depth = 1 }}\ntournament = {{ pairs = 1 }}\n\
         variant = [{{ name = \"a\" }}, {{ name = \"b\" }}]\nfailures = {{ {table} }}"
    );
    parse(&text, "test.toml", &games::all())
        .unwrap()
        .config
        .failures
}

/// Plays a pair in which the first `failing` players of variant 1 fail in the given way. Also
/// returns the number of created players per variant.
fn play(table: &str, failing: usize, failure: Failure) -> (PairOutcome, [usize; 2]) {
    let made = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let make = |index: usize| {
        let before = made[index].fetch_add(1, Ordering::Relaxed);
        let fails = (index == 1 && before < failing).then_some(failure);
        let takes = Duration::ZERO;
        Box::new(Scripted { fails, takes }) as Box<dyn Player>
    };
    let terms = Terms {
        rules: leitai_othello::card().rules(),
        limits: vec![Limits::default(); 2],
        adjudication: Adjudication::default(),
        spare: RepeatBudget::default(),
    };
    let played = play_pair(
        &SPEC,
        &Othello::initial(),
        &mut Players::new(&make, 2),
        &terms,
        &policies(table),
        &AtomicBool::new(false),
    );
    (played.unwrap(), made.map(AtomicUsize::into_inner))
}

fn record(played: PairOutcome) -> PairRecord {
    played.finished().expect("a record")
}

fn causes(record: &PairRecord) -> [Cause; 2] {
    [0, 1].map(|game| record.games[game].verdict.cause)
}

const CRASH: Fault = Fault {
    attempt: 1,
    game: 0,
    variant: 1,
    cause: Cause::Crash,
};

#[test]
fn a_failure_is_a_lost_game_by_default() {
    let (played, made) = play("", 1, Failure::Crash);
    let record = record(played);
    assert_eq!(causes(&record), [Cause::Crash; 2]);
    assert!(record.spoilt.is_empty());
    let faults: Vec<Fault> = record.faults().collect();
    assert_eq!(faults, [CRASH, Fault { game: 1, ..CRASH }]);
    assert_eq!(made, [1, 1], "the players are kept");
}

#[test]
fn a_replay_gives_the_games_of_players_that_never_failed() {
    let (good, _) = play("", 0, Failure::Crash);
    let good = record(good);
    let (played, made) = play("crash = \"replay\"", 2, Failure::Crash);
    let again = record(played);
    let second = Fault {
        attempt: 2,
        ..CRASH
    };
    assert_eq!(again.spoilt, [CRASH, second]);
    assert_eq!((again.replays(), again.faults().count()), (2, 0));
    assert_eq!(made, [3, 3], "both are made anew each time");
    let spoilt = Vec::new();
    assert_eq!(PairRecord { spoilt, ..again }, good);
}

#[test]
fn when_the_replays_are_used_up_the_failure_counts() {
    let (played, made) = play("otherwise = \"replay\", replays = 2", 99, Failure::Stall);
    let record = record(played);
    assert_eq!((record.spoilt.len(), made), (2, [3, 3]));
    assert_eq!(causes(&record), [Cause::Stall; 2]);
    assert_eq!(record.faults().next().map(|fault| fault.attempt), Some(3));
}

#[test]
fn each_cause_has_its_own_policy() {
    let table = "stall = \"replay\", crash = \"stop\"";
    assert_eq!(
        play(table, 1, Failure::Crash).0,
        PairOutcome::Stopped(CRASH, None, EvidenceList::default())
    );
    assert_eq!(record(play(table, 1, Failure::Stall).0).replays(), 1);
    let lost = record(play(table, 1, Failure::NodeOverrun).0);
    assert_eq!(
        (causes(&lost), lost.replays()),
        ([Cause::NodeOverrun; 2], 0)
    );
    // Resignation is no failure.
    let gave_up = record(play("otherwise = \"stop\"", 1, Failure::Resigned).0);
    assert_eq!(causes(&gave_up), [Cause::Resignation; 2]);
}

#[test]
fn late_units_are_replayed_too() {
    let made = AtomicUsize::new(0);
    let make = |index: usize| {
        let late = index == 0 && made.fetch_add(1, Ordering::Relaxed) == 0;
        let takes = Duration::from_millis(if late { 400 } else { 0 });
        Box::new(Scripted { fails: None, takes }) as Box<dyn Player>
    };
    let hurried = Limits {
        time: Some(TimeControl::PerMove(Duration::from_millis(1))),
        margin: Some(Duration::from_millis(300)),
        ..Limits::default()
    };
    let terms = Terms {
        rules: leitai_othello::card().rules(),
        limits: vec![hurried; 2],
        adjudication: Adjudication::default(),
        spare: RepeatBudget::default(),
    };
    let played = play_pair(
        &SPEC,
        &Othello::initial(),
        &mut Players::new(&make, 2),
        &terms,
        &policies("time-forfeit = \"replay\""),
        &AtomicBool::new(false),
    );
    let record = record(played.unwrap());
    let late = Fault {
        variant: 0,
        cause: Cause::TimeForfeit,
        ..CRASH
    };
    assert_eq!(record.spoilt, [late]);
    assert_eq!(record.faults().count(), 0);
}

/// A pair of chess from the given position; variant 0 is late at its first move.
fn late_in(text: &str) -> PairRecord {
    let start = Chess::from_fen(text).unwrap();
    let make = |index: usize| {
        let takes = Duration::from_millis(if index == 0 { 400 } else { 0 });
        Box::new(Scripted { fails: None, takes }) as Box<dyn Player>
    };
    let hurried = Limits {
        time: Some(TimeControl::PerMove(Duration::from_millis(1))),
        margin: Some(Duration::from_millis(300)),
        ..Limits::default()
    };
    let terms = Terms {
        rules: leitai_chess::card().rules(),
        limits: vec![hurried; 2],
        adjudication: Adjudication::default(),
        spare: RepeatBudget::default(),
    };
    let played = play_pair(
        &SPEC,
        &start,
        &mut Players::new(&make, 2),
        &terms,
        &policies(""),
        &AtomicBool::new(false),
    );
    record(played.unwrap())
}

#[test]
fn a_late_player_draws_against_an_opponent_that_cannot_win() {
    use leitai_game::Side;
    let late = |game| Fault {
        game,
        variant: 0,
        cause: Cause::TimeForfeit,
        ..CRASH
    };
    let lost = Verdict::win(Side::First, Cause::TimeForfeit);
    let drawn = Verdict::draw(Cause::TimeForfeit);
    // White has a pawn; the late player is White, then Black.
    let record = late_in("8/8/8/4k3/8/8/P7/K7 w - - 0 1");
    assert_eq!(record.games[0].verdict, drawn);
    assert_eq!(record.games[0].drawn_by, Some(Side::First));
    assert_eq!(record.games[1].verdict, lost);
    assert_eq!(record.games[1].drawn_by, None);
    assert_eq!(record.faults().collect::<Vec<_>>(), [late(0), late(1)]);
    // Black moves first, and has the pawn.
    let record = late_in("8/8/8/4k3/8/p7/8/7K b - - 0 1");
    assert_eq!(record.games[0].verdict.winner, Some(Side::Second));
    assert_eq!(record.games[1].verdict, drawn);
    assert_eq!(record.games[1].drawn_by, Some(Side::Second));
    assert_eq!(record.faults().collect::<Vec<_>>(), [late(0), late(1)]);
}
