//! Results in the formats of fastchess, cutechess, OpenBench and fishtest, which scripts read and
//! authors paste into commit messages.
//!
//! Except in [`cutechess`], the formulas are those of fastchess (`elo_pentanomial.cpp`, `elo_wdl.cpp`, `stats.hpp`):
//! intervals are 1.96 standard errors of the score on either side, and the error is half their
//! width in Elo. Undefined numbers, as with a score of 100 %, are printed as `inf` and `nan`, as
//! fastchess does.

pub mod cutechess;
#[cfg(test)]
mod tests;

use std::f64::consts::LN_10;
use std::fmt::Write as _;
use std::path::Path;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::games::time_control;
use super::gate::{Candidate, GateSummary};
use super::{Results, gate};
use leitai_base::foreign::shown_path;
use leitai_config::{Config, Control, GateModel, Limits, TestKind, Variant};
use leitai_stats::normal::Z95 as Z;
use leitai_stats::{ErrorRates, Level, Pentanomial, Trinomial};

/// Results of a player's games and pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// The games.
    pub games: Trinomial,
    /// The pairs of these games.
    pub pairs: Pentanomial,
    /// Level pairs whose games were both drawn.
    pub both_drawn: u64,
}

impl GameCounts {
    /// Counts a pair by the half points of its games; the games are counted separately.
    pub fn pair(&mut self, half_points: [u8; 2]) {
        let cell = half_points.map(|points| usize::from(points.min(2)));
        self.pairs.0[cell[0] + cell[1]] += 1;
        self.both_drawn += u64::from(half_points == [1, 1]);
    }

    /// The counts of the opponent.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            games: self.games.mirror(),
            pairs: self.pairs.mirror(),
            ..self
        }
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.pairs += other.pairs;
        self.both_drawn += other.both_drawn;
    }

    fn points(&self) -> f64 {
        self.games.wins as f64 + 0.5 * self.games.draws as f64
    }

    /// The points in per cent.
    fn percent(&self) -> f64 {
        100.0 * self.points() / self.games.games() as f64
    }

    /// Level pairs, or drawn games, in per cent.
    fn draw_percent(&self, penta: bool) -> f64 {
        let [draws, all] = if penta {
            [self.pairs.0[2], self.pairs.pairs()]
        } else {
            [self.games.draws, self.games.games()]
        };
        100.0 * (draws as f64 / all as f64)
    }

    /// The mean and variance of the units' scores, the number of units, and the games in each.
    fn spread(&self, penta: bool) -> Spread {
        let games = [self.games.losses, self.games.draws, self.games.wins];
        let counts = if penta { &self.pairs.0[..] } else { &games };
        let units = counts.iter().sum::<u64>() as f64;
        let last = (counts.len() - 1) as f64;
        let shares = (0..).zip(counts);
        let shares = shares.map(|(place, &count)| (f64::from(place) / last, count as f64 / units));
        let score: f64 = shares.clone().map(|(points, share)| points * share).sum();
        let variance = shares
            .map(|(points, share)| share * (points - score).powi(2))
            .sum();
        Spread {
            score,
            variance,
            units,
            games: if penta { 2.0 } else { 1.0 },
        }
    }
}

impl From<&Results> for GameCounts {
    fn from(results: &Results) -> Self {
        let pairs = results.pentanomial;
        Self {
            games: Trinomial {
                losses: results.losses,
                draws: results.draws,
                wins: results.wins,
            },
            pairs: Pentanomial(pairs),
            both_drawn: results.draws.saturating_sub(pairs[1] + pairs[3]) / 2,
        }
    }
}

/// Mean and variance of the scores of games or of pairs.
#[derive(Clone, Copy, Debug)]
struct Spread {
    score: f64,
    variance: f64,
    units: f64,
    games: f64,
}

impl Spread {
    fn ends(&self, quantile: f64) -> [f64; 2] {
        let width = quantile * (self.variance / self.units).sqrt();
        [self.score - width, self.score + width]
    }

    fn elo(&self) -> [f64; 2] {
        let [low, high] = self.ends(Z).map(elo_of);
        [elo_of(self.score), (high - low) / 2.0]
    }

    fn normalized(&self) -> [f64; 2] {
        let scale = (self.games * self.variance).sqrt();
        let of = |score: f64| (score - 0.5) / scale * (800.0 / LN_10);
        let [low, high] = self.ends(Z).map(of);
        [of(self.score), (high - low) / 2.0]
    }

    fn los(&self) -> f64 {
        let errors = (self.score - 0.5) / (2.0 * self.variance / self.units).sqrt();
        100.0 * (1.0 - libm::erf(-errors)) / 2.0
    }
}

fn elo_of(score: f64) -> f64 {
    -400.0 * libm::log10(1.0 / score - 1.0)
}

/// A number with the given number of decimals; C++ words for infinities and NaN.
fn fixed(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    format!("{value:.digits$}")
}

fn with_error([value, error]: [f64; 2]) -> String {
    format!("{} +/- {}", fixed(value, 2), fixed(error, 2))
}

/// The block of a match of two players in the format of fastchess, without its frame: `setting` is
/// the text in brackets. `penta` selects pairs as units, else games.
pub fn match_block(names: [&str; 2], setting: &str, counts: &GameCounts, penta: bool) -> String {
    let spread = counts.spread(penta);
    let [first, second] = names;
    let [ll, ld, level, wd, ww] = counts.pairs.0;
    let mut text = format!(
        "Results of {first} vs {second} ({setting}):\nElo: {}, nElo: {}\n",
        with_error(spread.elo()),
        with_error(spread.normalized())
    );
    let _ = write!(
        text,
        "LOS: {} %, DrawRatio: {} %",
        fixed(spread.los(), 2),
        fixed(counts.draw_percent(penta), 2)
    );
    if penta {
        let ratio = (ww + wd) as f64 / (ld + ll) as f64;
        let _ = write!(text, ", PairsRatio: {}", fixed(ratio, 2));
    }
    let _ = writeln!(
        text,
        "\nGames: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({} %)",
        counts.games.games(),
        counts.games.wins,
        counts.games.losses,
        counts.games.draws,
        counts.points(),
        fixed(counts.percent(), 2)
    );
    if penta {
        let ratio = (level - counts.both_drawn.min(level)) as f64 / counts.both_drawn as f64;
        let _ = writeln!(
            text,
            "Ptnml(0-2): {:?}, WL/DD Ratio: {}",
            counts.pairs.0,
            fixed(ratio, 2)
        );
    }
    text
}

/// The table of many players in the format of fastchess, the strongest first.
pub fn ranking(players: &[(&str, GameCounts)], penta: bool, has_pairs: bool) -> String {
    let mut ranked: Vec<(&str, &GameCounts, Spread)> = players
        .iter()
        .map(|(name, counts)| (*name, counts, counts.spread(penta)))
        .collect();
    ranked.sort_by(|(.., one), (.., other)| other.score.total_cmp(&one.score));
    let lengths = players.iter().map(|(name, _)| name.chars().count());
    let width = lengths.fold(25, usize::max);
    let mut text = format!(
        "{:<4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"
    );
    if has_pairs {
        let _ = write!(text, " {:>20}", "Ptnml(0-2)");
    }
    text.push('\n');
    for (rank, (name, counts, spread)) in (1..).zip(ranked) {
        let ([elo, error], [normalized, of_normalized]) = (spread.elo(), spread.normalized());
        let _ = write!(
            text,
            "{rank:>4} {name:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9}% {:>9}%",
            fixed(elo, 2),
            fixed(error, 2),
            fixed(normalized, 2),
            fixed(of_normalized, 2),
            counts.games.games(),
            fixed(counts.percent(), 1),
            fixed(counts.draw_percent(penta), 1)
        );
        if has_pairs {
            let pairs = penta.then(|| format!("{:?}", counts.pairs.0));
            let _ = write!(text, " {:>20}", pairs.unwrap_or_default());
        }
        text.push('\n');
    }
    text
}

/// The evidence of a test as a share of the bound on its side, in per cent.
fn progress(level: &Level) -> f64 {
    let bound = if level.value < 0.0 {
        level.lower
    } else {
        level.upper
    };
    100.0 * (level.value / bound)
}

/// The state of a test in the format of fastchess, which gives progress to H0 a minus.
pub fn test_line(level: &Level, elo: [f64; 2]) -> String {
    let share = progress(level).copysign(level.value);
    format!(
        "LLR: {:.2} ({share:.1}%) {}\n",
        level.value,
        bounds(level, elo)
    )
}

/// The bounds of a test, and its hypotheses.
fn bounds(Level { lower, upper, .. }: &Level, [elo0, elo1]: [f64; 2]) -> String {
    format!("({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]")
}

/// The score of a match in fastchess's `format=cutechess`.
pub fn score_line(names: [&str; 2], counts: &GameCounts) -> String {
    let [first, second] = names;
    let (games, all) = (counts.games, counts.games.games());
    let results = [games.wins, games.losses, games.draws].map(|it| it.to_string());
    let (results, score) = (results.join(" - "), counts.points() / all as f64);
    format!(
        "Score of {first} vs {second}: {results}  [{}] {all}\n",
        fixed(score, 3)
    )
}

/// The Elo difference of a match in fastchess's `format=cutechess`.
pub fn difference_line(counts: &GameCounts) -> String {
    let spread = counts.spread(false);
    format!(
        "Elo difference: {}, LOS: {} %, DrawRatio: {} %\n",
        with_error(spread.elo()),
        fixed(spread.los(), 2),
        fixed(
            100.0 * counts.games.draws as f64 / counts.games.games() as f64,
            2
        )
    )
}

/// The state of a test in fastchess's `format=cutechess`.
pub fn format_cutechess_test_line(level: &Level) -> String {
    let (value, lower, upper) = (level.value, level.lower, level.upper);
    let verdict = if value >= upper {
        " - H1 was accepted"
    } else if value < lower {
        " - H0 was accepted"
    } else {
        ""
    };
    format!(
        "SPRT: llr {value:.2} ({:.1}%), lbound {lower:.2}, ubound {upper:.2}{verdict}\n",
        progress(level)
    )
}

/// The format of the block for a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockStyle {
    /// The format of OpenBench.
    OpenBench,
    /// The format of fishtest.
    Fishtest,
    /// The format of fastchess.
    Fastchess,
}

/// The candidates of a gate, one block each, separated by blank lines.
pub fn gate_blocks(style: BlockStyle, summary: &GateSummary, config: &Config) -> String {
    let candidates = summary.candidates.iter().map(|candidate| Candidate {
        level: level_of(summary, candidate),
        ..candidate.clone()
    });
    let blocks = candidates.map(|candidate| match style {
        BlockStyle::OpenBench => openbench(summary, &candidate, config),
        BlockStyle::Fishtest => fishtest(summary, &candidate),
        BlockStyle::Fastchess => {
            let setting = setting(config, [&candidate.name, &summary.base]);
            let names = [candidate.name.as_str(), &summary.base];
            let counts = GameCounts::from(&candidate.results);
            let pairs = summary.test.kind != TestKind::Trinomial;
            let block = match_block(names, &setting, &counts, pairs);
            let elo = [summary.test.elo0, summary.test.elo1];
            format!("{block}{}", test_line(&candidate.level, elo))
        }
    });
    let blocks: Vec<String> = blocks.map(|block| block.trim_end().to_owned()).collect();
    blocks.join("\n\n")
}

/// The state of the test between the bounds that other programs print: Wald's, even for a test with
/// narrower bounds against overshoot.
fn level_of(summary: &GateSummary, candidate: &Candidate) -> Level {
    let test = &summary.test;
    let is_single = summary.candidates.len() == 1 || test.control == Control::None;
    match ErrorRates::new(test.alpha, test.beta) {
        Ok(rates) if is_single && matches!(test.kind, TestKind::Gsprt { .. }) => {
            let (lower, upper) = rates.wald_bounds();
            Level {
                lower,
                upper,
                ..candidate.level
            }
        }
        _ => candidate.level,
    }
}

fn openbench(summary: &GateSummary, candidate: &Candidate, config: &Config) -> String {
    let counts = GameCounts::from(&candidate.results);
    let spread = counts.spread(true);
    let freedom = spread.units - 1.0;
    // The quantile for few pairs, as in OpenBench.
    let quantile = StudentsT::new(0.0, 1.0, freedom).map(|law| law.inverse_cdf(0.975));
    let [value, error] = match quantile {
        Ok(quantile) if freedom >= 1.0 => {
            let [low, high] = spread.ends(quantile).map(elo_of);
            let elo = elo_of(spread.score);
            [elo, (high - elo).max(elo - low)]
        }
        _ => [0.0, 0.0],
    };
    let elo = [summary.test.elo0, summary.test.elo1];
    let variant = config.variants.iter().find(|it| it.name == candidate.name);
    let time = limits_of(config, &candidate.name).map_or_else(String::new, |limits| {
        let unit = if limits.time.is_some() { "s" } else { "" };
        shown_limits(&limits) + unit
    });
    let mut settings = vec![time];
    for (name, unit) in [("Threads", ""), ("Hash", "MB")] {
        let value = variant.and_then(|variant| option(variant, name));
        settings.extend(value.map(|value| format!("{name}={value}{unit}")));
    }
    format!(
        "Elo   | {} +- {} (95%)\nSPRT  | {}\nLLR   | {:.2} {}\n\
         Games | N: {}\nPenta | {:?}",
        fixed(value, 2),
        fixed(error, 2),
        settings.join(" "),
        candidate.level.value,
        bounds(&candidate.level, elo),
        games_text(counts.games),
        counts.pairs.0
    )
}

/// The number of games and their results, as `OpenBench` and fishtest print them.
fn games_text(games: Trinomial) -> String {
    let (wins, losses, draws) = (games.wins, games.losses, games.draws);
    format!("{} W: {wins} L: {losses} D: {draws}", games.games())
}

fn fishtest(summary: &GateSummary, candidate: &Candidate) -> String {
    let counts = GameCounts::from(&candidate.results);
    let level = candidate.level;
    let gate::Terms { elo0, elo1, .. } = summary.test;
    let [open, close] = match summary.test.model {
        GateModel::Logistic => ['{', '}'],
        GateModel::Normalized => ['<', '>'],
        GateModel::Bayesian => ['[', ']'],
    };
    format!(
        "LLR: {:.2} ({:.2},{:.2}) {open}{elo0:.2},{elo1:.2}{close}\nTotal: {}\nPtnml(0-2): {}",
        level.value,
        level.lower,
        level.upper,
        games_text(counts.games),
        counts.pairs.0.map(|pairs| pairs.to_string()).join(", ")
    )
}

fn limits_of(config: &Config, name: &str) -> Option<Limits> {
    let place = config.variants.iter().position(|it| it.name == name)?;
    config.limits_by_variant().get(place).copied()
}

/// A setting of an engine, ignoring the case of its name.
fn option<'a>(variant: &'a Variant, name: &str) -> Option<&'a str> {
    let found = variant.program.as_ref()?.option(name);
    found.map(|(_, value)| value.as_str())
}

/// Limits in one word, by the time if there is one.
fn shown_limits(limits: &Limits) -> String {
    match (limits.time, limits.nodes, limits.depth) {
        (Some(_), ..) => time_control(limits),
        (None, Some(nodes), _) => format!("N={nodes}"),
        (None, None, Some(depth)) => format!("D={depth}"),
        (None, None, None) => String::new(),
    }
}

/// The text in brackets of fastchess for a match of two: time control, threads, hash and book.
pub fn setting(config: &Config, names: [&str; 2]) -> String {
    let variants = names.map(|name| config.variants.iter().find(|it| it.name == name));
    let either = |of: &dyn Fn(&Variant) -> String| {
        let [first, second] = variants.map(|variant| variant.map_or_else(String::new, of));
        if first == second {
            first
        } else {
            format!("{first} - {second}")
        }
    };
    let time = either(&|variant| match limits_of(config, &variant.name) {
        Some(limits) if limits.time.is_some() => time_control(&limits),
        Some(Limits {
            depth: Some(depth), ..
        }) => format!("{depth} plies"),
        Some(Limits {
            nodes: Some(nodes), ..
        }) => format!("{nodes} nodes"),
        _ => String::new(),
    });
    let set = |name, unit| {
        either(&|variant: &Variant| match option(variant, name) {
            Some(value) => format!("{value}{unit}"),
            None => "NULL".to_owned(),
        })
    };
    let mut text = format!("{time}, {}, {}", set("Threads", "t"), set("Hash", "MB"));
    let book = config
        .openings
        .file
        .as_ref()
        .and_then(|file| file.file_name());
    if let Some(book) = book {
        let _ = write!(text, ", {}", shown_path(Path::new(book)));
    }
    text
}
