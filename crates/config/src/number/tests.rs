use std::sync::LazyLock;

use super::*;
use crate::{GameChoice, default_variant, games, parse};
use leitai_game::card::Card;
use leitai_game::search::proof::SolverParams;
use leitai_games::go::Capture;
use leitai_games::othello::{Othello, eval as othello};
use leitai_games::xiangqi::{Xiangqi, eval as xiangqi};
use proptest::prelude::*;

/// A variant of each kind: a Xiangqi search with everything on, one with little, one of Othello,
/// one of Go, and a program with options.
fn variants() -> Vec<Variant> {
    let text = r#"
        game = "xiangqi"
        limits = { nodes = 100 }
        tournament = { pairs = 1 }
        [[variant]]
        name = "full"
        search = { preset = "full" }
        [[variant]]
        name = "plain"
        [[variant]]
        name = "program"
        command = ["program"]
        protocol = "uci"
        options = { "Skill Level" = 3, Style = "wild", Contempt = "-7" }
    "#;
    let mut variants = parse(text, "test.toml", &games::all())
        .unwrap()
        .config
        .variants;
    variants.extend(default_variant(GameChoice::usual(Card::<Othello>::get())));
    let mut solver = default_variant(GameChoice::usual(Card::<Capture>::get())).unwrap();
    solver.search.solver = Some(SolverParams::default());
    variants.push(solver);
    variants
}

#[test]
fn every_kind_of_player_has_its_numbers() {
    let counts: Vec<usize> = variants()
        .iter()
        .map(|variant| {
            let all = Number::all(variant);
            all.iter().filter(|number| number.is_eval()).count()
        })
        .collect();
    let of_othello = othello::numbers::NUMBERS;
    let both = xiangqi::numbers::NUMBERS;
    assert_eq!(counts, [both, both, 0, of_othello, 0]);
    let paths = |variant: &Variant| -> Vec<String> {
        Number::all(variant).iter().map(Number::path).collect()
    };
    assert_eq!(
        paths(&variants()[2]),
        ["options.Contempt", "options.Skill Level"]
    );
    let plain = paths(&variants()[1]);
    assert!(plain.contains(&"search.history.ageing".to_owned()));
    assert!(plain.contains(&"search.quiescence.checks".to_owned()));
    let is_off = |path: &&String| path.starts_with("search.null_move");
    assert_eq!(plain.iter().find(is_off), None);
    // Numbers of Go blocks do not add up in evaluation units.
    let blocks = paths(&variants()[4]);
    for path in [
        "eval.eval_first",
        "eval.attack_most",
        "search.solver.epsilon",
    ] {
        assert!(blocks.contains(&path.to_owned()), "{path}");
    }
    assert!(!blocks.contains(&"eval.chain_dead".to_owned()));
    assert!(!plain.contains(&"search.quiescence.table".to_owned()));
    assert!(!plain.contains(&"search.algorithm".to_owned()));
}

/// Sets every number of a copy to a value in its range, then reads each one back.
#[test]
fn numbers_paths_and_values_belong_together() {
    for variant in variants() {
        let all = Number::all(&variant);
        let mut changed = variant.clone();
        let value = |place: usize, number: &Number| {
            let (least, most) = number.range();
            least + (most - least).min(1 + place as i64 * 7919 % 18_001)
        };
        for (place, number) in all.iter().enumerate() {
            assert_eq!(Number::parse(&number.path(), &variant).as_ref(), Ok(number));
            assert!(number.set(&mut changed, value(place, number)), "{number}");
        }
        for (place, number) in all.iter().enumerate() {
            assert_eq!(number.get(&changed), Some(value(place, number)), "{number}");
        }
        assert_eq!(Number::all(&changed), all);
        for number in &all {
            assert!(number.set(&mut changed, number.get(&variant).unwrap()));
        }
        assert_eq!(changed, variant);
    }
}

#[test]
fn missing_parts_of_a_variant_cannot_be_set() {
    let variants = variants();
    for (path, own, variant, value) in [
        ("search.null_move.reduction", 0, 1, 3),
        ("search.null_move.reduction", 0, 0, 17),
        ("eval.squares[0]", 3, 0, 1),
        ("eval.material.rook", 0, 3, 1),
        ("eval.material.rook", 0, 2, 1),
        ("eval.material.rook", 0, 0, 9_001),
        ("options.Style", 2, 2, 1),
        ("options.Hash", 2, 2, 1),
        ("options.Contempt", 2, 2, 1 << 40),
        ("options.Contempt", 2, 0, 1),
    ] {
        let number = Number::parse(path, &variants[own]).unwrap();
        let mut changed = variants[variant].clone();
        assert!(!number.set(&mut changed, value), "{path}");
        assert_eq!(changed, variants[variant], "{path}");
    }
    for text in [
        "",
        "eval",
        "eval.",
        "eval.rook",
        "eval.squares[10]",
        "eval.squares[]",
        "eval.opening.discs",
        "eval.tuples2[3]",
        "eval.chain_dead",
        "search.quiescence.table",
        "search.ordering",
        "options.",
        "limits.nodes",
    ] {
        for variant in &variants {
            assert!(Number::parse(text, variant).is_err(), "{text}");
        }
    }
}

#[test]
fn a_path_of_one_game_is_none_of_another() {
    let variants = variants();
    // `end.` is a stage of Xiangqi and of Othello.
    for (path, own) in [
        ("eval.material.rook", 0),
        ("eval.end.pst.horse[3][4]", 0),
        ("eval.squares[0]", 3),
        ("eval.end.discs", 3),
        ("eval.eval_first", 4),
    ] {
        for other in [0, 3, 4] {
            let number = Number::parse(path, &variants[other]);
            assert_eq!(number.is_ok(), other == own, "{path}");
        }
    }
    let [one, other] = [0, 3].map(|at| variants[at].eval.table().entry(7).unwrap());
    assert_ne!(one, other);
}

#[test]
fn paths_are_those_of_a_config() {
    // A config's setting for the endgame alone is the number with that path.
    let variant = default_variant(GameChoice::usual(Card::<Xiangqi>::get())).unwrap();
    let mut changed = variant.clone();
    let number = Number::parse("eval.end.material.rook", &variant).unwrap();
    assert!(number.set(&mut changed, 123));
    let text = r#"
        game = "xiangqi"
        limits = { nodes = 100 }
        tournament = { pairs = 1 }
        [[variant]]
        name = "a"
        eval = { end.material.rook = 123 }
        [[variant]]
        name = "b"
    "#;
    let config = parse(text, "test.toml", &games::all()).unwrap().config;
    assert_eq!(config.variants[0].eval, changed.eval);
}

static EVERY: LazyLock<Vec<Variant>> = LazyLock::new(variants);

proptest! {
    #[test]
    fn no_text_panics(text in "(eval|search|options)?[a-z.\\[\\]0-9é]{0,20}") {
        for variant in [&EVERY[0], &EVERY[3], &EVERY[4]] {
            if let Ok(number) = Number::parse(&text, variant) {
                prop_assert_eq!(number.path(), text.clone());
            }
        }
    }
}
