//! A conformance suite for games.
//!
//! ```
//! # use leitai_othello::Othello;
//! leitai_game::card::conformance::conforms::<Othello>(1, 2, 60);
//! ```

use super::{Card, Game, flaws::flaws};
use crate::conformance::{in_random_games, legal_moves, random_moves};
use crate::eval::{Evaluation, MAX_EVAL, Score};
use crate::numbers::EvalParams;
use crate::{Line, Move, MoveList, conformance};

/// Tries what a [`Game`] says of itself, then plays `games` random games of at most
/// `max_plies` plies, and checks at every position the promises of
/// [`Position`](crate::Position), [`Tactics`](crate::search::Tactics) and of the
/// evaluation. The same `seed` plays the same games.
///
/// Presets are read by `leitai_config::eval_preset`.
///
/// # Panics
/// At the first broken promise.
pub fn conforms<G: Game>(seed: u64, games: usize, max_plies: usize) {
    let flaws = flaws(Card::<G>::get());
    assert!(flaws.is_empty(), "{}", flaws.join("; "));
    conformance::conforms::<G>(seed, games, max_plies);
    assert_eq!(
        G::solver(1).is_some(),
        G::HAS_SOLVER,
        "HAS_SOLVER and `solver`"
    );
    let usual = EvalParams::usual(G::numbers());
    let Some(evaluation) = G::evaluation(&usual, G::Rules::default()) else {
        panic!("no evaluation of the usual numbers");
    };
    for (is_largest, which) in [(false, "least"), (true, "largest")] {
        let values = G::numbers().entries().map(|entry| {
            let (least, most) = entry.key().setting.kind.range();
            if is_largest { most } else { least }
        });
        assert!(
            G::evaluation(&EvalParams::of(G::numbers(), values), G::Rules::default()).is_some(),
            "no evaluation of the {which} numbers within their ranges"
        );
    }
    in_random_games::<G>((seed, games, max_plies), |line| {
        check_tactics(line);
        check_evaluation(line, &evaluation, &usual);
    });
}

fn texts<G: Game>(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| G::move_text(mv)).collect()
}

fn collect(fill: impl Fn(&mut MoveList)) -> MoveList {
    let mut moves = MoveList::new();
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
    assert_eq!(
        texts::<G>(&found),
        texts::<G>(&expected),
        "`captures` are not the moves that `is_capture` says: {fen}"
    );
    assert_eq!(
        texts::<G>(&collect(|moves| position.quiets(moves))),
        texts::<G>(&quiets),
        "`quiets` are not the other moves in the generator's order: {fen}"
    );
    let checks = collect(|moves| position.quiet_checks(moves));
    let gives = quiets.iter().filter(|&&mv| position.gives_check(mv));
    let gives: Vec<Move> = gives.copied().collect();
    assert!(
        checks.is_empty() || checks[..] == gives[..],
        "`quiet_checks` are not the quiet moves that `gives_check` says: {fen}"
    );
    for &mv in &legal {
        check_move(position, mv, &fen);
    }
    assert!(
        !G::EVERY_LINE_ENDS || legal.is_empty() || line.verdict(G::Rules::default()).is_none(),
        "over by a rule, with EVERY_LINE_ENDS: {fen}"
    );
    for mv in legal
        .iter()
        .copied()
        .chain(random_moves(position.key(), 64))
    {
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
    assert_eq!(
        position.gives_check(mv),
        after.in_check(),
        "`gives_check` of {text}: {fen}"
    );
    if let Some(key) = position.key_after(mv) {
        assert_eq!(key, after.key(), "`key_after` of {text}: {fen}");
    }
    let exchange = position.exchange(mv);
    for threshold in [exchange - 1, exchange, exchange + 1, 0, 1] {
        assert_eq!(
            position.exchange_at_least(mv, threshold),
            exchange >= threshold,
            "`exchange_at_least` of {text} for {threshold}, where `exchange` is {exchange}: {fen}"
        );
    }
    assert!(
        position.is_capture(mv) || position.victim_and_attacker(mv).0 == 0,
        "a victim of {text}, which is no capture: {fen}"
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
        assert_eq!(
            evaluation.evaluate(&after, advanced),
            evaluation.evaluate(&after, fresh),
            "the accumulator after {}: {fen}",
            G::move_text(mv)
        );
    }
    let values = usual.values();
    let mut counted = vec![false; values.len()];
    let mut sum = 0_i64;
    position.features(&mut |number, count| {
        assert!(
            number < values.len(),
            "the feature {number} of {}: {fen}",
            values.len()
        );
        assert!(
            !counted[number],
            "the feature {number} is counted twice: {fen}"
        );
        counted[number] = true;
        sum += values[number] * i64::from(count);
    });
    let most = i64::from(MAX_EVAL);
    let linear = (sum / i64::from(G::UNIT)).clamp(-most, most) as Score;
    assert!(
        !counted.contains(&true) || linear.abs_diff(value) <= 2,
        "the features add up to {linear}, the evaluation is {value}: {fen}"
    );
}
