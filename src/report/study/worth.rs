//! The worth of each variant in one table: nodes to the last depth, and Elo.

use super::layout::{Table, header};
use super::number::{interval, or_dash};
use super::tables::{Count, deepest, last_ratio};
use crate::count::with_sign;
use crate::stats::Ranged;
use crate::study::{Figures, GameFigures, Terms};

/// One line per variant but the first, and the sentence that its intervals allow. None if
/// no games, or games of one kind alone, stand beside the nodes.
pub(super) fn worth(figures: &Figures, count: Count) -> Option<Table> {
    let depth = deepest(figures)? + 1;
    if figures.games.len() < 2 {
        return None;
    }
    let first = &figures.variants.first()?.name;
    let ratio_to = format!("nodes to depth {depth}");
    let elo_heads = figures
        .games
        .iter()
        .map(|games| format!("Elo {}", name(games.terms)));
    let elo_heads: Vec<String> = elo_heads.collect();
    let mut heads = vec!["variant", &ratio_to, "95 %"];
    for head in &elo_heads {
        heads.extend([head, "95 %"]);
    }
    heads.push("what that says");
    let mut rows = vec![header(&heads)];
    for variant in figures.variants.iter().skip(1) {
        let ratio = last_ratio(figures, &variant.name, count).unwrap_or_default();
        let mut row = vec![
            variant.name.clone(),
            or_dash(ratio.value, |ratio| format!("{ratio:.3}")),
            interval(&ratio, |ratio| format!("{ratio:.3}")),
        ];
        let elo = |games: &GameFigures| {
            let mut strengths = games.strengths.iter();
            strengths
                .find(|strength| strength.name == variant.name)
                .map_or_else(Ranged::default, |strength| strength.elo)
        };
        for games in &figures.games {
            let elo = elo(games);
            row.push(or_dash(elo.value, |elo| with_sign(elo, 1)));
            row.push(interval(&elo, |elo| with_sign(elo, 1)));
        }
        let clear = figures.games.iter().map(|games| (games.terms, elo(games)));
        row.push(sentence(&ratio, clear));
        rows.push(row);
    }
    Some(Table {
        title: format!("Worth against `{first}`"),
        rows,
        words: vec![0, heads.len() - 1],
    })
}

/// Under what terms.
fn name(terms: Terms) -> &'static str {
    match terms {
        Terms::Nodes(_) => "at equal nodes",
        Terms::EqualTime(_) => "at equal time",
        Terms::Milliseconds(_) => "by the clock",
    }
}

/// What the intervals allow to be said.
fn sentence(nodes: &Ranged, games: impl Iterator<Item = (Terms, Ranged)>) -> String {
    let mut said = vec![
        match side(nodes, 1.0) {
            Some(true) => "more nodes",
            Some(false) => "fewer nodes",
            None if (nodes.low, nodes.high) == (Some(1.0), Some(1.0)) => "the same nodes",
            None => "nodes undecided",
        }
        .to_owned(),
    ];
    for (terms, elo) in games {
        let terms = name(terms);
        said.push(match side(&elo, 0.0) {
            Some(true) => format!("stronger {terms}"),
            Some(false) => format!("weaker {terms}"),
            None => format!("undecided {terms}"),
        });
    }
    said.join(", ")
}

/// Whether all of an interval lies above that value, or all below it.
fn side(range: &Ranged, value: f64) -> Option<bool> {
    let above = range.low.is_some_and(|low| low > value);
    let below = range.high.is_some_and(|high| high < value);
    (above != below).then_some(above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_interval_beside_the_value_decides() {
        let elo =
            |low: f64, high: f64| Ranged::new(Some(low.midpoint(high)), Some(low), Some(high));
        let games = [
            (Terms::Nodes(1), elo(1.0, 9.0)),
            (Terms::EqualTime(1), elo(-3.0, 9.0)),
            (Terms::Milliseconds(1), elo(-9.0, -2.0)),
        ];
        assert_eq!(
            sentence(&elo(0.5, 0.9), games.into_iter()),
            "fewer nodes, stronger at equal nodes, undecided at equal time, weaker by the clock"
        );
        let says = |low, high| sentence(&Ranged::new(Some(2.0), low, high), [].into_iter());
        assert_eq!(says(None, Some(1.5)), "nodes undecided");
        let same = Ranged::new(Some(1.0), Some(1.0), Some(1.0));
        assert_eq!(sentence(&same, [].into_iter()), "the same nodes");
        assert_eq!(says(Some(1.5), None), "more nodes");
    }
}
