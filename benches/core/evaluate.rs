//! Speed of Othello's evaluation in positions per second, and of its construction from its numbers:
//! `cargo bench --bench core -- evaluate`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use leitai_config::eval_preset;
use leitai_game::card::Game;
use leitai_game::eval::Evaluation;
use leitai_game::{MoveList, Position};
use leitai_games::othello::eval::{
    Length, OthelloEvaluation, OthelloParams, Stage, Terms, numbers,
};
use leitai_games::othello::{Othello, OthelloRules};

/// Presets, then single parameters that no preset has.
const NAMES: [&str; 8] = [
    "discs",
    "squares",
    "squares by stage",
    "mobility",
    "du-cheng-2007",
    "all terms",
    "all tuples",
    "all terms and tuples by stage",
];

fn params(name: &str) -> OthelloParams {
    let preset = |name| eval_preset(Othello::numbers(), name).ok();
    let params = preset(name).or_else(|| preset("squares"));
    let mut params = OthelloParams::of(&params.expect("a preset")).expect("of Othello");
    for stage in Stage::ALL {
        let weights = params.stage_mut(stage);
        if name.contains("all terms") {
            weights[numbers::term(0)..numbers::term(Terms::COUNT)].fill(3);
        }
        if name.contains("tuples") {
            for length in Length::ALL {
                let tuples = &mut weights[numbers::tuple(length, 0, 0)..][..length.weights()];
                tuples
                    .iter_mut()
                    .zip(0..)
                    .for_each(|(weight, place)| *weight = place * 7919 % 41 - 20);
            }
        }
    }
    if name.contains("by stage") {
        params.stage_mut(Stage::End)[0] += 1;
    }
    params
}

fn evaluation(params: &OthelloParams) -> OthelloEvaluation {
    OthelloEvaluation::new(params, OthelloRules::default())
}

/// Positions that a two-ply search visits, along twelve random games.
fn positions() -> Vec<Othello> {
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut all = Vec::new();
    for _ in 0..12 {
        let mut position = Othello::initial();
        for ply in 0..58 {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            if ply % 3 == 0 {
                leaves(&mut position, 2, &mut all);
            }
            position.make(moves[next() % moves.len()]);
        }
    }
    all
}

fn leaves(position: &mut Othello, depth: u32, all: &mut Vec<Othello>) {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    for mv in moves {
        let undo = position.make(mv);
        if depth == 1 {
            all.push(*position);
        } else {
            leaves(position, depth - 1, all);
        }
        position.unmake(mv, undo);
    }
}

#[divan::bench(args = NAMES)]
fn evaluations(bencher: Bencher<'_, '_>, name: &str) {
    let evaluation = evaluation(&params(name));
    let positions = positions();
    bencher
        .counter(ItemsCount::new(positions.len()))
        .bench_local(|| {
            let values = positions.iter();
            let values = values.map(|position| evaluation.evaluate(black_box(position), ()));
            values.map(i64::from).sum::<i64>()
        });
}

#[divan::bench(args = NAMES)]
fn making(bencher: Bencher<'_, '_>, name: &str) {
    let params = params(name);
    bencher.bench_local(|| evaluation(black_box(&params)));
}
