//! Results in the lines of cutechess-cli 1.4 (`tournament.cpp`, `elo.cpp`).

use std::fmt::Write as _;

use super::{GameCounts, Level, Trinomial, elo_of, fixed};

/// The 97.5 % quantile of the normal distribution, as cutechess approximates it.
const QUANTILE: f64 = 1.957_161_931_656;

/// A player's Elo difference to its opponents, and its error.
fn elo(games: Trinomial) -> [f64; 2] {
    let counts = GameCounts {
        games,
        ..GameCounts::default()
    };
    let spread = counts.spread(false);
    let [low, high] = spread.ends(QUANTILE).map(elo_of);
    // An even score is 0, not -0.
    [elo_of(spread.score) + 0.0, (high - low) / 2.0]
}

/// A share in per cent; `nan` without games.
fn percent(share: Option<f64>) -> String {
    fixed(100.0 * share.unwrap_or(f64::NAN), 1)
}

/// The lines of a match of two for its first player: results with White, with Black and for White
/// against Black, and the Elo difference. `white` has its games with White, `all` all its games.
pub fn match_lines(name: &str, white: Trinomial, all: Trinomial) -> String {
    let black = Trinomial {
        wins: all.wins - white.wins,
        losses: all.losses - white.losses,
        draws: all.draws - white.draws,
    };
    let mut both = white;
    both += black.mirror();
    let mut text = String::new();
    for (games, of) in [
        (white, format!("{name} playing White")),
        (black, format!("{name} playing Black")),
        (both, "White vs Black".to_owned()),
    ] {
        if let Some(score) = games.mean() {
            let Trinomial {
                wins,
                losses,
                draws,
            } = games;
            let (score, count) = (fixed(score, 3), games.games());
            let _ = writeln!(
                text,
                "...      {of}: {wins} - {losses} - {draws}  [{score}] {count}"
            );
        }
    }
    let [difference, error] = elo(all).map(|it| fixed(it, 1));
    let decisive = (all.wins + all.losses) as f64;
    let lead = all.wins as f64 - all.losses as f64;
    let los = 50.0 + 50.0 * libm::erf(lead / (2.0 * decisive).sqrt());
    let _ = writeln!(
        text,
        "Elo difference: {difference} +/- {error}, LOS: {} %, DrawRatio: {} %",
        fixed(los, 1),
        percent(all.draw_ratio())
    );
    text
}

/// The table of more than two players: first the `seeds` challengers of a gauntlet, then the others
/// by score. Ranks begin at 0 in a gauntlet, else at 1. Ends with an empty line.
pub fn table(players: &[(&str, Trinomial)], seeds: Option<usize>) -> String {
    let key = |place: usize, games: Trinomial| match games.mean() {
        _ if seeds.is_some_and(|seeds| place < seeds) => -1.0,
        None => 2.0,
        Some(score) => 1.0 - score,
    };
    let mut ranked: Vec<_> = players.iter().enumerate().collect();
    // cutechess-cli prints tied players in reverse order.
    ranked.reverse();
    ranked.sort_by(|one, other| key(one.0, one.1.1).total_cmp(&key(other.0, other.1.1)));
    let mut text = format!(
        "{:>4} {:<25} {:>7} {:>7} {:>7} {:>7} {:>7} \n",
        "Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"
    );
    let first = usize::from(seeds.is_none());
    for (rank, (_, (name, games))) in (first..).zip(ranked) {
        let [difference, error] = elo(*games).map(|it| fixed(it, 0));
        let count = games.games();
        let _ = writeln!(
            text,
            "{rank:>4} {name:<25} {difference:>7} {error:>7} {count:>7} {:>6}% {:>6}% ",
            percent(games.mean()),
            percent(games.draw_ratio())
        );
    }
    text + "\n"
}

/// The state of a test.
pub fn test_line(level: &Level) -> String {
    let (value, lower, upper) = (level.value, level.lower, level.upper);
    let verdict = if value >= upper {
        " - H1 was accepted"
    } else if value <= lower {
        " - H0 was accepted"
    } else {
        ""
    };
    let [shown, lower, shown_upper] = [value, lower, upper].map(general);
    format!(
        "SPRT: llr {shown} ({}%), lbound {lower}, ubound {shown_upper}{verdict}\n",
        fixed(100.0 * value / upper + 0.0, 1)
    )
}

/// A number with three significant digits, as C prints it with `%.3g`.
fn general(value: f64) -> String {
    let text = format!("{value:.2e}");
    let Some((digits, Ok(exponent))) = text.split_once('e').map(|(it, e)| (it, e.parse::<i32>()))
    else {
        return fixed(value, 0);
    };
    let is_plain = (-4..3).contains(&exponent);
    let digits = if is_plain {
        format!("{value:.*}", (2 - exponent) as usize)
    } else {
        digits.to_owned()
    };
    let short = digits.trim_end_matches('0').trim_end_matches('.');
    let digits = if digits.contains('.') { short } else { &digits };
    if is_plain {
        return digits.to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(wins: u64, losses: u64, draws: u64) -> Trinomial {
        Trinomial {
            losses,
            draws,
            wins,
        }
    }

    /// Numbers by the formulas of `elo.cpp`, computed apart.
    #[test]
    fn a_match_has_its_colours_and_one_decimal() {
        assert_eq!(
            match_lines("a", games(5, 1, 4), games(7, 3, 10)),
            "...      a playing White: 5 - 1 - 4  [0.700] 10\n\
             ...      a playing Black: 2 - 2 - 6  [0.500] 10\n\
             ...      White vs Black: 7 - 3 - 10  [0.600] 20\n\
             Elo difference: 70.4 +/- 111.6, LOS: 89.7 %, DrawRatio: 50.0 %\n"
        );
        assert_eq!(
            match_lines("a", games(1, 0, 0), games(1, 0, 0)),
            "...      a playing White: 1 - 0 - 0  [1.000] 1\n\
             ...      White vs Black: 1 - 0 - 0  [1.000] 1\n\
             Elo difference: inf +/- nan, LOS: 84.1 %, DrawRatio: 0.0 %\n"
        );
        let even = match_lines("a", games(1, 1, 0), games(2, 2, 0));
        assert!(even.contains("difference: 0.0 +/- "), "{even}");
    }

    #[test]
    fn many_players_have_a_table_without_normalized_elo() {
        let players = [
            ("a", games(1, 1, 2)),
            ("b", games(3, 1, 0)),
            ("c", games(1, 3, 0)),
            ("d", games(0, 0, 0)),
        ];
        assert_eq!(
            table(&players, None),
            "Rank Name                          Elo     +/-   Games   Score    Draw \n\
             \x20  1 b                             191     nan       4   75.0%    0.0% \n\
             \x20  2 a                               0     296       4   50.0%   50.0% \n\
             \x20  3 c                            -191     nan       4   25.0%    0.0% \n\
             \x20  4 d                             nan     nan       0    nan%    nan% \n\n"
        );
        let gauntlet = table(&players, Some(1));
        let ranks = gauntlet.lines().skip(1);
        let ranks: Vec<_> = ranks
            .map(|line| line.split_whitespace().take(2).collect::<String>())
            .collect();
        assert_eq!(ranks, ["0a", "1b", "2c", "3d", ""]);
    }

    #[test]
    fn a_test_has_three_digits() {
        let level = |value| Level {
            value,
            lower: -2.944_438,
            upper: 2.944_438,
        };
        assert_eq!(
            test_line(&level(-1.4722)),
            "SPRT: llr -1.47 (-50.0%), lbound -2.94, ubound 2.94\n"
        );
        assert_eq!(
            test_line(&level(3.0)),
            "SPRT: llr 3 (101.9%), lbound -2.94, ubound 2.94 - H1 was accepted\n"
        );
        let shown = [0.0, 0.0999, 0.000_012_34, 12.35, 123_456.0, 999.6].map(general);
        assert_eq!(
            shown,
            ["0", "0.0999", "1.23e-05", "12.3", "1.23e+05", "1e+03"]
        );
    }
}
