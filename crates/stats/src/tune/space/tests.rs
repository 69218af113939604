use proptest::prelude::*;

use super::*;

fn dimension(kind: Kind) -> Dimension {
    Dimension {
        name: "rook".to_owned(),
        min: 0.0,
        max: 100.0,
        start: 40.0,
        step: 5.0,
        kind,
    }
}

fn refusal(change: impl FnOnce(&mut Dimension)) -> String {
    let mut bad = dimension(Kind::Integer);
    change(&mut bad);
    Space::new(vec![bad]).expect_err("refused").to_string()
}

#[test]
fn refusals_have_help() {
    for (message, part) in [
        (refusal(|d| d.max = 0.0), "swap or widen the bounds"),
        (refusal(|d| d.start = 100.0), "widen the bounds"),
        (
            refusal(|d| d.start = 0.0),
            "strictly between min (0) and max (100)",
        ),
        (refusal(|d| d.step = 0.5), "set step to at least 1"),
        (refusal(|d| d.step = 51.0), "at most half the range (50)"),
        (refusal(|d| d.step = -1.0), "without one, 17"),
        (refusal(|d| d.start = 40.5), "round it"),
        (
            refusal(|d| d.max = f64::INFINITY),
            "max is not a finite number",
        ),
        (
            refusal(|d| d.step = f64::NAN),
            "step is not a finite number",
        ),
        (refusal(|d| d.name.clear()), "own name"),
    ] {
        assert!(message.contains(part), "{message}");
    }
    let refused = |dimensions| Space::new(dimensions).unwrap_err().to_string();
    assert!(refused(Vec::new()).starts_with("there is nothing to tune"));
    let twice = vec![dimension(Kind::Real), dimension(Kind::Real)];
    assert!(refused(twice).starts_with("the parameter name `rook` is empty or used twice"));
}

#[test]
fn steps_and_back() {
    let space = Space::new(vec![dimension(Kind::Integer)]).expect("a space");
    assert_eq!(space.to_steps(&[50.0]), [2.0]);
    assert_eq!(space.from_steps(&[2.0]), [50.0]);
    assert_eq!(space.from_steps(&[-20.0]), [0.0], "within the bounds");
    assert_eq!(space.bounds_in_steps(0), (-8.0, 12.0));
    assert_eq!(space.nearest(&[49.6]), [50.0]);
}

#[test]
fn rounding_is_right_on_average() {
    let d = dimension(Kind::Integer);
    let (mut above, mut below) = (0.0, 0.0);
    let points = 1000;
    for i in 0..points {
        let (plus, minus) = d.sides(40.3, 1.7, (f64::from(i) + 0.5) / f64::from(points));
        assert!(plus > minus && plus.fract() == 0.0 && minus.fract() == 0.0);
        above += plus / f64::from(points);
        below += minus / f64::from(points);
    }
    assert!((above - 42.0).abs() < 0.002, "{above}");
    assert!((below - 38.6).abs() < 0.002, "{below}");
}

#[test]
fn near_a_bound_both_sides_still_differ() {
    let d = dimension(Kind::Real);
    assert_eq!(
        d.sides(97.0, 5.0, 0.0),
        (100.0, 94.0),
        "the difference shrinks"
    );
    assert_eq!(d.sides(99.0, 5.0, 0.0), (100.0, 95.0), "to half at least");
    assert_eq!(d.sides(0.0, -5.0, 0.0), (0.0, 5.0));
}

proptest! {
    #[test]
    fn played_moves_are_legal(
        center in -50.0..150.0_f64,
        difference in prop_oneof![1.0..80.0_f64, -80.0..-1.0_f64],
        u in 0.0..1.0_f64,
        integer: bool,
    ) {
        let d = dimension(if integer { Kind::Integer } else { Kind::Real });
        let (plus, minus) = d.sides(center, difference, u);
        for value in [plus, minus] {
            prop_assert!((d.min..=d.max).contains(&value));
            prop_assert!(!integer || value.fract() == 0.0);
        }
        prop_assert!((plus - minus) * difference > 0.0, "{plus} {minus}");
        prop_assert!((plus - minus).abs() < 2.0 * difference.abs() + 1.0 + 1e-9);
    }
}
