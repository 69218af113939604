//! Results by worker, and tests for differences between workers.

use serde::Serialize;

use super::number::{interval, or_dash, percent, signed};
use super::summary::Results;
use crate::tournament::{Standings, WorkerTally};
use leitai_config::Config;
use leitai_stats::{Homogeneity, Ranged, estimate, same_cells, same_means};

/// The workers of a run with several.
#[derive(Clone, Debug, Serialize)]
pub struct WorkersSummary {
    /// True if the clock limits play, so that intervals also account for workers.
    pub by_the_clock: bool,
    /// The workers in the order of their names, the process that records the run first.
    pub rows: Vec<WorkerRow>,
    /// Test that the outcomes of pairs have the same probabilities on all workers; `None` with too
    /// few pairs.
    pub same_outcomes: Option<Homogeneity>,
    /// Test that pairs have the same mean score on all workers.
    pub same_means: Option<Homogeneity>,
    /// Results of each pairing for these workers alone.
    pub pairings: Vec<PairingOfWorkers>,
}

/// One worker. Its results are those of the first variants of the pairings.
#[derive(Clone, Debug, Serialize)]
pub struct WorkerRow {
    /// Name of the worker; `None` for the process that records the run.
    pub name: Option<String>,
    /// Pairs that count.
    pub pairs: u64,
    /// Number of games in these pairs.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Share of the points, 0 to 1.
    pub score: Option<f64>,
    /// Elo with its 95 % interval over pairs; absent with more than one pairing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo: Option<Ranged>,
    /// Number of time losses, including those in games that were played again.
    pub time_losses: u64,
    /// Number of other failures.
    pub failures: u64,
    /// Mean wall-clock time of a pair in seconds, including pairs that do not count.
    pub seconds_per_pair: Option<f64>,
}

/// Results of a pairing for these workers only, without generalization to others.
#[derive(Clone, Debug, Serialize)]
pub struct PairingOfWorkers {
    /// The variant to which the numbers refer.
    pub first: String,
    /// The opponent.
    pub second: String,
    /// Elo with a 95 % interval that accounts for openings alone.
    pub elo: Ranged,
    /// True if other intervals also account for workers; false if one worker has played nearly all
    /// games.
    pub over_workers: bool,
    /// Variance of the mean score between workers, relative to that of independent pairs; `None` if
    /// it cannot be estimated.
    pub variance_ratio: Option<f64>,
    /// Probability of at least this ratio if workers do not differ, 0 to 1.
    pub variance_p: Option<f64>,
}

/// The p-value below which a difference between workers is reported.
const SMALL: f64 = 0.01;

impl WorkersSummary {
    /// Summarizes the workers of a run with a time limit, if there are several. Without a time
    /// limit the table would differ between runs with identical games.
    pub fn by_the_clock(config: &Config, standings: &Standings) -> Option<Self> {
        config.is_timed().then(|| Self::all(config, standings))?
    }

    /// Summarizes the workers of any run, if there are several.
    pub fn all(config: &Config, standings: &Standings) -> Option<Self> {
        let workers = &standings.workers;
        if workers.len() < 2 {
            return None;
        }
        let tallies: Vec<_> = standings.tallies().collect();
        let tables = (0..tallies.len()).map(|pairing| workers.of_pairing(pairing));
        let tables: Vec<_> = tables.collect();
        let name = |index: usize| config.variants[index].name.clone();
        let pairings = tallies.iter().zip(&tables);
        let effects = standings.effects_of_openings().zip(standings.effects());
        let pairings = pairings.zip(effects);
        let pairings = pairings.map(|(((variants, tally), table), (effect, of_all))| {
            let means = same_means(table);
            PairingOfWorkers {
                first: name(variants[0]),
                second: name(variants[1]),
                elo: Results::of(tally, effect).estimate.elo,
                over_workers: of_all.workers.is_some(),
                variance_ratio: means.map(|test| test.ratio()),
                variance_p: means.map(|test| test.p),
            }
        });
        let all_of = |test: fn(&[_]) -> Option<Homogeneity>| {
            Homogeneity::sum(tables.iter().filter_map(|table| test(table)))
        };
        let rows = workers.tallies().into_iter();
        Some(Self {
            by_the_clock: config.is_timed(),
            rows: rows.map(|it| row(it, tallies.len() == 1)).collect(),
            same_outcomes: all_of(same_cells),
            same_means: all_of(same_means),
            pairings: pairings.collect(),
        })
    }

    /// The header of the table; `#` marks columns of numbers.
    pub fn header(&self) -> Vec<&'static str> {
        let mut header = vec!["worker", "#pairs", "#games", "#W", "#D", "#L", "#score"];
        if self.pairings.len() == 1 {
            header.extend(["#Elo", "#95 %"]);
        }
        header.extend(["#time losses", "#other failures", "#s per pair"]);
        header
    }

    /// The rows of the table.
    pub fn cells(&self) -> Vec<Vec<String>> {
        self.rows.iter().map(WorkerRow::cells).collect()
    }

    /// The table's subject and its conclusions, in sentences.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![match &self.pairings[..] {
            [only] => format!("Results are those of `{}`.", only.first),
            _ => "Results are those of the first-named of each pairing.".to_owned(),
        }];
        let tests = [
            ("outcomes of pairs", self.same_outcomes),
            ("mean scores", self.same_means),
        ];
        let told = tests.iter().filter_map(|(what, test)| {
            let test = (*test)?;
            let (freedom, p) = (test.freedom, chance(test.p));
            Some(format!(
                "{what}: χ² {:.1}, {freedom} d.f., p {p}",
                test.chi_square
            ))
        });
        let told: Vec<String> = told.collect();
        if !told.is_empty() {
            sentences.push(format!(
                "The same on all workers? {}. A small p is a reason to look at a machine, and \
                 none to leave its results out.",
                told.join("; ")
            ));
        }
        if self.by_the_clock {
            sentences.push(
                if self.pairings.iter().any(|pairing| pairing.over_workers) {
                    "The clock limited play: other intervals hold for workers like these and \
                     include the variance between them."
                } else {
                    "The clock limited play: these results do not apply to other workers, because \
                     one worker played nearly all pairs, or all pairs had the same result; \
                     intervals hold for these workers."
                }
                .to_owned(),
            );
            sentences.extend(self.pairings.iter().map(PairingOfWorkers::sentence));
        }
        sentences
    }

    /// Returns the pairings in which workers differ by more than pairs do. A test that assumes
    /// independent pairs ignores such differences.
    pub fn scattered(&self) -> impl Iterator<Item = &PairingOfWorkers> {
        let by_the_clock = self.by_the_clock;
        let differ = move |it: &&PairingOfWorkers| by_the_clock && it.variance_p < Some(SMALL);
        let known = self.pairings.iter().filter(|it| it.variance_p.is_some());
        known.filter(differ)
    }
}

fn row(tally: &WorkerTally, with_elo: bool) -> WorkerRow {
    let (pairs, games) = tally.all();
    let estimate = estimate(pairs);
    WorkerRow {
        name: tally.name.as_ref().map(ToString::to_string),
        pairs: pairs.pairs(),
        games: games.games(),
        wins: games.wins,
        draws: games.draws,
        losses: games.losses,
        score: estimate.score.value,
        elo: with_elo.then_some(estimate.elo),
        time_losses: tally.time_losses,
        failures: tally.failures,
        seconds_per_pair: (tally.played > 0)
            .then(|| tally.elapsed_us as f64 / 1e6 / tally.played as f64),
    }
}

impl WorkerRow {
    fn cells(&self) -> Vec<String> {
        let name = self.name.as_deref().unwrap_or("(this process)");
        let mut cells = vec![
            name.to_owned(),
            self.pairs.to_string(),
            self.games.to_string(),
            self.wins.to_string(),
            self.draws.to_string(),
            self.losses.to_string(),
            percent(self.score),
        ];
        if let Some(elo) = &self.elo {
            cells.extend([signed(elo.value), interval(elo)]);
        }
        cells.extend([
            self.time_losses.to_string(),
            self.failures.to_string(),
            or_dash(self.seconds_per_pair, |seconds| format!("{seconds:.2}")),
        ]);
        cells
    }
}

impl PairingOfWorkers {
    fn sentence(&self) -> String {
        format!(
            "`{}` against `{}` on these workers alone: {} Elo (95 %: {}); the variance \
             between workers is {} times that of independent pairs.",
            self.first,
            self.second,
            signed(self.elo.value),
            interval(&self.elo),
            or_dash(self.variance_ratio, |ratio| format!("{ratio:.2}"))
        )
    }

    /// A warning that the test assumes independent pairs and ignores differences of workers.
    pub fn warning(&self) -> String {
        format!(
            "`{}`: its results differ between workers by more than pairs do (variance ratio {}, p \
             {}): the test assumes independent pairs, and its error rates hold only for these \
             workers; check whether a machine is overloaded or slow",
            self.first,
            or_dash(self.variance_ratio, |ratio| format!("{ratio:.2}")),
            or_dash(self.variance_p, chance),
        )
    }
}

/// Formats a probability with a few digits.
fn chance(p: f64) -> String {
    if p < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

/// A note about a run with a time limit that a single named worker has played.
pub(super) fn one_worker(config: &Config, standings: &Standings) -> Option<String> {
    let [only] = &standings.workers.tallies()[..] else {
        return None;
    };
    let name = only.name.as_ref().filter(|_| config.is_timed())?;
    Some(format!(
        "play was limited by the clock, and worker `{name}` played all of it: its results may \
         differ on other machines"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_chances_are_printed_as_small() {
        assert_eq!(chance(0.000_4), "< 0.001");
        assert_eq!(chance(0.012_3), "0.012");
    }
}
