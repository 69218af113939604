//! Groups of dimensions, their order by movement, and their names for readers.

use leitai_config::{Number, Variant};
use leitai_runs::figures::tune::DimensionRow;

/// Dimensions of one table, by index.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The common part of their paths; empty for groups from the config.
    pub(super) name: String,
    pub(super) members: Vec<usize>,
}

impl Group {
    pub(super) fn title(&self) -> &str {
        if self.name.is_empty() {
            "others"
        } else {
            &self.name
        }
    }
}

/// Groups the dimensions of a variant by the common part of their paths, in order of appearance.
pub(super) fn groups(rows: &[DimensionRow], variant: &Variant) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let name = stem(&row.name, variant);
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.members.push(index),
            None => groups.push(Group {
                name: name.to_owned(),
                members: vec![index],
            }),
        }
    }
    groups
}

/// The part of a path that it shares with others: all before an index into a table, or before the
/// last word.
fn stem<'a>(name: &'a str, variant: &Variant) -> &'a str {
    if Number::parse(name, variant).is_err() {
        return "";
    }
    match (name.split_once('['), name.rsplit_once('.')) {
        (Some((table, _)), _) | (None, Some((table, _))) => table,
        (None, None) => "",
    }
}

/// Returns the name of a place in a table, such as a square.
pub(super) fn square(name: &str, variant: &Variant) -> Option<&'static str> {
    Number::parse(name, variant).ok()?.of_eval()?.place_name()
}

/// Returns the name of a dimension within its group.
pub(super) fn own_name<'a>(name: &'a str, variant: &Variant) -> &'a str {
    square(name, variant).unwrap_or_else(|| {
        let rest = name.strip_prefix(stem(name, variant)).unwrap_or(name);
        rest.trim_start_matches('.')
    })
}

/// The movement of a dimension as a share of its range, 0 to 1.
fn share(row: &DimensionRow) -> f64 {
    let range = row.max.value() - row.min.value();
    let moved = row.difference().value().abs();
    if range > 0.0 { moved / range } else { 0.0 }
}

/// Returns the `members` that have moved, by descending share of their range.
pub(super) fn movers(rows: &[DimensionRow], members: impl Iterator<Item = usize>) -> Vec<usize> {
    let moved = |index: &usize| {
        rows.get(*index)
            .is_some_and(|row| row.difference().units != 0)
    };
    let mut movers: Vec<usize> = members.filter(moved).collect();
    movers.sort_by(|&one, &other| share(&rows[other]).total_cmp(&share(&rows[one])));
    movers
}

/// Returns whether the dimension moved by more than two standard errors and the games show that it
/// matters; `None` without an error.
pub(super) fn is_clear(row: &DimensionRow) -> Option<bool> {
    let error = row.error.filter(|error| error.is_finite())?;
    let is_seen = row.effect_seen != Some(false);
    Some(is_seen && row.difference().value().abs() > 2.0 * error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_config::GameChoice;

    fn row(name: &str, value: i64, max: i64) -> DimensionRow {
        DimensionRow {
            name: name.to_owned(),
            start: 0.into(),
            min: (-max).into(),
            max: max.into(),
            value: value.into(),
            error: None,
            interval: None,
            effect_seen: None,
            parabola: None,
            most_elo_per_step: None,
            at_bound: false,
        }
    }

    #[test]
    fn paths_are_grouped_and_named() {
        let rows = [
            row("eval.pst.horse[0][0]", 1, 10),
            row("eval.material.rook", -4, 10),
            row("eval.pst.horse[9][8]", 3, 10),
            row("eval.end.pst.horse[3][4]", 0, 10),
            row("fast pieces", 9, 1000),
            row("eval.squares[4]", 2, 10),
        ];
        let of = |game| leitai_config::default_variant(game).unwrap();
        let xiangqi = of(GameChoice::usual(leitai_xiangqi::card()));
        let othello = of(GameChoice::usual(leitai_othello::card()));
        let groups = groups(&rows, &xiangqi);
        let told: Vec<(&str, &[usize])> = groups
            .iter()
            .map(|g| (g.name.as_str(), g.members.as_slice()))
            .collect();
        // A path of another game is an ordinary name.
        let want: [(&str, &[usize]); 4] = [
            ("eval.pst.horse", &[0, 2]),
            ("eval.material", &[1]),
            ("eval.end.pst.horse", &[3]),
            ("", &[4, 5]),
        ];
        assert_eq!(told, want);
        assert_eq!(super::groups(&rows[5..], &othello)[0].name, "eval.squares");
        let names = rows[..5].iter().map(|row| own_name(&row.name, &xiangqi));
        let names: Vec<&str> = names.collect();
        assert_eq!(names, ["a9", "rook", "i0", "e6", "fast pieces"]);
        assert_eq!(own_name(&rows[5].name, &othello), "b2");
        assert_eq!(movers(&rows, 0..6), [1, 2, 5, 0, 4]);
    }
}
