//! The worth of each variant in one table: nodes to the last depth, and Elo.

use super::layout::Table;
use super::tables::{NodeCount, deepest, last_ratio};
use crate::columns::header;
use leitai_base::count::with_sign;
use leitai_runs::figures::number::{interval_as, or_dash};
use leitai_runs::study::{Figures, GameFigures, GameLimit};
use leitai_stats::normal::{Z95, cdf};
use leitai_stats::{Ranged, holm};

/// A row per variant except the first, with the conclusion that its intervals permit. `None`
/// without games.
pub(super) fn worth(figures: &Figures, count: NodeCount) -> Option<Table> {
    let depth = deepest(figures)? + 1;
    figures.games.first()?;
    let first = &figures.variants.first()?.name;
    let mut heads = header(&format!("variant,nodes to depth {depth},95 %"));
    for games in &figures.games {
        heads.extend([format!("Elo {}", name(games.terms)), "95 %".to_owned()]);
    }
    heads.push("conclusion".to_owned());
    let words = vec![0, heads.len() - 1];
    let mut rows = vec![heads];
    let others = || figures.variants.iter().skip(1);
    let elo = |games: &GameFigures, name: &str| {
        let mut strengths = games.strengths.iter();
        let found = strengths.find(|strength| strength.name == name);
        found.map_or_else(Ranged::default, |strength| strength.elo)
    };
    let all = others().flat_map(|variant| figures.games.iter().map(|it| elo(it, &variant.name)));
    let mut adjusted = holm(&all.map(|elo| p_value(&elo)).collect::<Vec<_>>()).into_iter();
    for variant in others() {
        let ratio = last_ratio(figures, &variant.name, count).unwrap_or_default();
        let mut row = vec![
            variant.name.clone(),
            or_dash(ratio.value, |ratio| format!("{ratio:.3}")),
            interval_as(&ratio, |ratio| format!("{ratio:.3}")),
        ];
        let mut clear = Vec::new();
        for games in &figures.games {
            let elo = elo(games, &variant.name);
            row.push(or_dash(elo.value, |elo| with_sign(elo, 1)));
            row.push(interval_as(&elo, |elo| with_sign(elo, 1)));
            let is_clear = adjusted.next().flatten().is_some_and(|p| p <= ALPHA);
            clear.push((games.terms, elo, is_clear));
        }
        row.push(conclusion(&ratio, &clear));
        rows.push(row);
    }
    Some(Table {
        title: format!("Worth against `{first}`"),
        rows,
        words,
    })
}

/// Probability that at least one of the statements with a star is due to chance.
const ALPHA: f64 = 0.05;

/// The two-sided p-value of an Elo against 0, from the half of its interval on the side of 0;
/// `None` if that half is unbounded.
fn p_value(elo: &Ranged) -> Option<f64> {
    let value = elo.value?;
    let end = if value > 0.0 { elo.low } else { elo.high }?;
    let error = (value - end).abs() / Z95;
    Some(2.0 * cdf(-value.abs() / error))
}

/// The terms of the games.
pub(super) fn name(terms: GameLimit) -> &'static str {
    match terms {
        GameLimit::Nodes(_) => "at equal nodes",
        GameLimit::EqualTime(_) => "at equal time",
        GameLimit::Milliseconds(_) => "by the clock",
    }
}

/// The conclusion that the intervals permit. A star marks statements that remain clear when all
/// statements are considered together.
fn conclusion(nodes: &Ranged, games: &[(GameLimit, Ranged, bool)]) -> String {
    let mut statements = vec![
        match side(nodes, 1.0) {
            Some(true) => "more nodes",
            Some(false) => "fewer nodes",
            None if (nodes.low, nodes.high) == (Some(1.0), Some(1.0)) => "the same nodes",
            None => "nodes undecided",
        }
        .to_owned(),
    ];
    for &(terms, ref elo, is_clear) in games {
        let (terms, star) = (name(terms), if is_clear { "*" } else { "" });
        statements.push(match side(elo, 0.0) {
            Some(true) => format!("stronger {terms}{star}"),
            Some(false) => format!("weaker {terms}{star}"),
            None => format!("undecided {terms}"),
        });
    }
    statements.join(", ")
}

/// Returns whether the whole interval lies above the value; `Some(false)` below it, `None`
/// otherwise.
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
            (GameLimit::Nodes(1), elo(1.0, 9.0), true),
            (GameLimit::EqualTime(1), elo(-3.0, 9.0), false),
            (GameLimit::Milliseconds(1), elo(-9.0, -2.0), false),
        ];
        assert_eq!(
            conclusion(&elo(0.5, 0.9), &games),
            "fewer nodes, stronger at equal nodes*, undecided at equal time, weaker by the clock"
        );
        let says = |low, high| conclusion(&Ranged::new(Some(2.0), low, high), &[]);
        assert_eq!(says(None, Some(1.5)), "nodes undecided");
        let same = Ranged::new(Some(1.0), Some(1.0), Some(1.0));
        assert_eq!(conclusion(&same, &[]), "the same nodes");
        assert_eq!(says(Some(1.5), None), "more nodes");
    }

    #[test]
    fn possible_chance_follows_the_side_of_zero() {
        let p = |value, low, high| p_value(&Ranged::new(Some(value), Some(low), Some(high)));
        // An end at 0 is 5 %, regardless of the other end.
        assert!((p(30.0, 0.0, 90.0).unwrap() - 0.05).abs() < 1e-9);
        assert!((p(-30.0, -90.0, 0.0).unwrap() - 0.05).abs() < 1e-9);
        // Two standard errors on the side of 0.
        assert!((p(-20.0, -25.0, -10.0).unwrap() - 8.9e-5).abs() < 1e-6);
        assert_eq!(p_value(&Ranged::new(Some(9.0), None, Some(20.0))), None);
    }
}
