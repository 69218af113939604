//! A conformance suite for games.
//!
//! ```
//! # use leitai_othello::Othello;
//! leitai_game::card::conformance::conforms::<Othello>(1, 2, 60);
//! ```

use super::linear::evaluation_of_sum;
use super::{Card, Game, flaws::flaws};
use crate::conformance::{in_random_games, random_moves, same};
use crate::eval::{Evaluation, MAX_EVAL};
use crate::numbers::{Entry, EvalParams};
use crate::search::SearchParams;
use crate::{Line, Move, conformance, legal_moves};

/// Tries what a [`Game`] says of itself, then plays `games` random games of at most
/// `max_plies` plies, and checks at every position the promises of
/// [`Position`](crate::Position), [`Tactics`](crate::search::Tactics) and of the
/// evaluation. The same `seed` plays the same games.
///
/// Presets are checked when the program of the game starts.
///
/// # Panics
/// At the first broken promise.
pub fn conforms<G: Game>(seed: u64, games: usize, max_plies: usize) {
    conforms_with_mirrors::<G>(seed, games, max_plies, &[]);
}

/// As [`conforms`], and checks symmetries of the rules: each of `mirrors` converts a position to
/// its mirror image.
///
/// # Panics
/// At the first broken promise.
pub fn conforms_with_mirrors<G: Game>(
    seed: u64,
    games: usize,
    max_plies: usize,
    mirrors: &[fn(&G) -> G],
) {
    let flaws = flaws(Card::<G>::get());
    assert!(flaws.is_empty(), "{}", flaws.join("; "));
    conformance::conforms_with_mirrors::<G>(seed, games, max_plies, mirrors);
    assert_eq!(G::solver(1).is_some(), G::HAS_SOLVER, "HAS_SOLVER");
    let usual = G::order_values(&SearchParams::default());
    assert_eq!(usual, G::USUAL_ORDER, "USUAL_ORDER");
    let usual = EvalParams::defaults(G::numbers());
    let Some(evaluation) = G::evaluation(&usual, G::Rules::default()) else {
        panic!("no evaluation of the usual numbers");
    };
    for is_largest in [false, true] {
        let ranges = G::numbers().entries().map(Entry::range);
        let values = ranges.map(|(least, most)| if is_largest { most } else { least });
        let params = EvalParams::new(G::numbers(), values);
        let has_evaluation = G::evaluation(&params, G::Rules::default()).is_some();
        assert!(
            has_evaluation,
            "no evaluation at the ends of the ranges: {params:?}"
        );
    }
    in_random_games::<G>((seed, games, max_plies), |line| {
        check_fields::<G>(&line.position().to_fen());
        check_tactics(line);
        check_evaluation(line, &evaluation, &usual);
    });
}

/// Checks that a position ends where a line of a book says so: after the fields that the game
/// states, and others that are not names of operations.
fn check_fields<G: Game>(fen: &str) {
    let (least, count) = (G::FACTS.fen_fields, fen.split(' ').count());
    let mut others = fen.split(' ').skip(least);
    let has_name = others.any(|word| word.starts_with(|it: char| it.is_ascii_alphabetic()));
    // Four fields of a game with counters get both counters.
    let lacks_counters = G::FACTS.fen_counters && count == 4;
    assert!(
        count >= least && !has_name && !lacks_counters,
        "a book would read another position: state `fen_fields: {count}`{} in FACTS: {fen}",
        if lacks_counters {
            " and `fen_counters: false`"
        } else {
            ""
        }
    );
}

fn texts<G: Game>(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| G::move_text(mv)).collect()
}

fn collect<M: Default>(fill: impl Fn(&mut M)) -> M {
    let mut moves = M::default();
    fill(&mut moves);
    moves
}

fn check_tactics<G: Game>(line: &Line<G>) {
    let position = line.position();
    let fen = position.to_fen();
    let legal = legal_moves(position);
    let (captures, quiets): (Vec<Move>, Vec<Move>) =
        legal.iter().partition(|&&mv| position.is_capture(mv));
    assert!(
        G::HAS_CAPTURES || captures.is_empty(),
        "a capture without HAS_CAPTURES: {fen}"
    );
    let mut found = collect(|moves| position.captures(moves));
    found.sort_unstable();
    let mut expected = captures.clone();
    expected.sort_unstable();
    let captures = [&found[..], &expected].map(texts::<G>);
    same(
        "`captures` and `is_capture`",
        &fen,
        &captures[0],
        &captures[1],
    );
    let found = texts::<G>(&collect(|moves| position.quiets(moves)));
    let subject = "`quiets` and the moves that are not captures";
    same(subject, &fen, found, texts::<G>(&quiets));
    let checks = collect(|moves| position.quiet_checks(moves));
    let gives = quiets.iter().filter(|&&mv| position.gives_check(mv));
    let gives: Vec<Move> = gives.copied().collect();
    assert!(
        checks.is_empty() || checks[..] == gives[..],
        "`quiet_checks` and the quiet moves with `gives_check` differ: {fen}"
    );
    for &mv in legal.iter() {
        check_move(position, mv, &fen);
    }
    assert!(
        !G::EVERY_LINE_ENDS || legal.is_empty() || line.verdict(G::Rules::default()).is_none(),
        "over by a rule, with EVERY_LINE_ENDS: {fen}"
    );
    for mv in legal.into_iter().chain(random_moves(position.key(), 64)) {
        let slots = [position.history_slot(mv), position.from_to_slot(mv)];
        assert!(
            slots[0] < G::HISTORY_SLOTS && slots[1] < G::FROM_TO_SLOTS,
            "slots {slots:?} of {:#06x} beyond the tables: {fen}",
            mv.0
        );
        let answers = G::HAS_RESPONSES || position.response(mv).is_none();
        assert!(answers, "a response without HAS_RESPONSES: {fen}");
    }
}

fn check_move<G: Game>(position: &G, mv: Move, fen: &str) {
    let text = G::move_text(mv);
    let mut after = position.clone();
    after.make(mv);
    let place = format_args!("{fen}, {text}");
    same(
        "`gives_check`",
        place,
        position.gives_check(mv),
        after.in_check(),
    );
    if let Some(key) = position.key_after(mv) {
        same("`key_after`", place, key, after.key());
    }
    let values = &G::USUAL_ORDER;
    let exchange = position.exchange(mv, values);
    for threshold in [exchange - 1, exchange, exchange + 1, 0, 1] {
        let found = position.exchange_at_least(mv, threshold, values);
        let place = format_args!("{threshold}, with `exchange` {exchange}, {fen}, {text}");
        same("`exchange_at_least`", place, found, exchange >= threshold);
    }
    assert!(
        position.is_capture(mv) || position.victim_and_attacker(mv, values).0 == 0,
        "a victim of {text}, which is not a capture: {fen}"
    );
}

fn check_evaluation<G: Game>(line: &Line<G>, evaluation: &G::Evaluation, usual: &EvalParams) {
    let position = line.position();
    let fen = position.to_fen();
    let accumulator = evaluation.accumulate(position);
    let value = evaluation.evaluate(position, accumulator);
    assert!(value.abs() <= MAX_EVAL, "{value} is beyond MAX_EVAL: {fen}");
    for mv in legal_moves(position) {
        let mut after = position.clone();
        after.make(mv);
        let advanced = evaluation.advance(accumulator, position, mv);
        let fresh = evaluation.accumulate(&after);
        let place = format_args!("{fen}, {}", G::move_text(mv));
        let values = [advanced, fresh].map(|it| evaluation.evaluate(&after, it));
        same("accumulator after a move", place, values[0], values[1]);
    }
    let values = usual.values();
    let mut counted = vec![false; values.len()];
    let mut sum = 0_i64;
    position.features(&mut |number, count| {
        let most = values.len();
        assert!(
            number < most,
            "`features` adds to the number {number}, and the game has the numbers 0 to {}: {fen}",
            most - 1
        );
        let is_second = std::mem::replace(&mut counted[number], true);
        assert!(
            !is_second,
            "`features` adds twice to the number {number}: {fen}"
        );
        sum += values[number] * i64::from(count);
    });
    let linear = evaluation_of_sum::<G>(sum);
    assert!(
        !counted.contains(&true) || linear.abs_diff(value) <= 2,
        "the features add up to {linear}, the evaluation is {value}: {fen}"
    );
}
