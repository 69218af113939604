use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::{Colour, Point, PointSet};

fn set(points: &BTreeSet<u16>) -> PointSet {
    points.iter().map(|&index| Point(index)).collect()
}

#[test]
fn names_go_there_and_back() {
    for size in 1..=19 {
        for point in Point::all(size) {
            assert_eq!(Point::from_name(&point.name(size), size), Some(point));
            assert_eq!(Point::from_sgf(&point.sgf(), size), Some(point));
            assert!(point.is_on(size));
        }
        assert_eq!(
            Point::all(size).count(),
            usize::from(size) * usize::from(size)
        );
    }
    let corner = Point::new(8, 0);
    assert_eq!((corner.name(9), corner.sgf()), ("J9".into(), "ia".into()));
    assert_eq!(Point::new(3, 3).name(9), "D6");
    assert_eq!(Point::new(18, 18).name(19), "T1");
    assert_eq!(Point(0).name(9), "?");
    assert_eq!(Point(0).sgf(), "");
}

#[test]
fn other_names_are_refused() {
    for name in [
        "", "D", "6", "I5", "D0", "D10", "K1", "D+6", "D 6", "66", "é5", "D999",
    ] {
        assert_eq!(Point::from_name(name, 9), None, "{name}");
    }
    assert_eq!(Point::from_name("d06", 9), Some(Point::new(3, 3)));
    for name in ["", "a", "aj", "ja", "AA", "tt", "aaa"] {
        assert_eq!(Point::from_sgf(name, 9), None, "{name}");
    }
}

#[test]
fn neighbours_are_beside() {
    for point in Point::all(19) {
        let (col, row) = (i32::from(point.col()), i32::from(point.row()));
        let beside = |of: [Point; 4], by: [(i32, i32); 4]| {
            for (neighbour, (x, y)) in of.into_iter().zip(by) {
                let (x, y) = (col + x, row + y);
                let inside = (0..19).contains(&x) && (0..19).contains(&y);
                assert_eq!(neighbour.is_on(19), inside);
                if inside {
                    assert_eq!(neighbour, Point::new(x as u8, y as u8));
                }
            }
            assert!(of.is_sorted());
        };
        beside(point.neighbours(), [(0, -1), (-1, 0), (1, 0), (0, 1)]);
        beside(point.diagonals(), [(-1, -1), (1, -1), (-1, 1), (1, 1)]);
    }
}

#[test]
fn colours_have_names() {
    for colour in Colour::BOTH {
        assert_eq!(colour.other().other(), colour);
        assert_ne!(colour.other(), colour);
        for text in [
            colour.name(),
            &colour.letter().to_string(),
            &colour.initial().to_string(),
        ] {
            assert_eq!(Colour::read(text), Some(colour));
            assert_eq!(Colour::read(&text.to_lowercase()), Some(colour));
        }
    }
    assert_eq!(Colour::read("red"), None);
}

proptest! {
    #[test]
    fn a_set_is_a_set(
        a in proptest::collection::btree_set(0_u16..448, 0..60),
        b in proptest::collection::btree_set(0_u16..448, 0..60),
        one in 0_u16..500,
    ) {
        let (mine, others) = (set(&a), set(&b));
        let list = |set: PointSet| set.iter().map(|point| point.0).collect::<BTreeSet<_>>();
        prop_assert_eq!(list(mine | others), a.union(&b).copied().collect::<BTreeSet<_>>());
        prop_assert_eq!(list(mine & others), a.intersection(&b).copied().collect::<BTreeSet<_>>());
        prop_assert_eq!(list(mine - others), a.difference(&b).copied().collect::<BTreeSet<_>>());
        prop_assert_eq!(mine.meets(&others), !a.is_disjoint(&b));
        prop_assert_eq!(mine.is_subset(&others), a.is_subset(&b));
        prop_assert!((mine & others).is_subset(&mine));
        prop_assert_eq!(mine.len() as usize, a.len());
        prop_assert_eq!(mine.is_empty(), a.is_empty());
        prop_assert_eq!(mine.first().map(|point| point.0), a.first().copied());
        prop_assert!(mine.iter().is_sorted());
        let mut with = mine;
        prop_assert_eq!(with.insert(Point(one)), one < 448 && !a.contains(&one));
        prop_assert_eq!(with.contains(Point(one)), one < 448);
        prop_assert_eq!(with.remove(Point(one)), one < 448);
        prop_assert!(!with.contains(Point(one)));
        let mut without = mine;
        without.remove(Point(one));
        prop_assert_eq!(with, without);
        let grown: BTreeSet<u16> = a
            .iter()
            .flat_map(|&index| {
                Point(index).neighbours().map(|point| point.0).into_iter().chain([index])
            })
            .filter(|&index| index < 448)
            .collect();
        prop_assert_eq!(list(mine.grown()), grown);
    }
}
