//! Coverage of the intervals of ratings in simulated tournaments of players with a known law.
//!
//! The ratings of each tournament are compared with the ratings of all simulated tournaments
//! together, which approximate the result of the same schedule with infinitely many openings.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use serde::Serialize;

use super::{Bout, Cluster, RatingOptions, rate};
use crate::logistic::score_from_elo;
use crate::selfcheck::Simulator;
use crate::{Clusters, Pentanomial, RandomNumbers, estimate_clustered};

/// Differences between the players of a simulated tournament.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "law", rename_all = "kebab-case")]
pub enum PlayerLaw {
    /// All games are independent.
    Independent {
        /// Elo from the strongest player to the weakest, in equal steps.
        spread: f64,
        /// Standard deviation of the effect of an opening on each player, in Elo.
        suit: f64,
    },
    /// All except the last play alike: the same games from the same opening, unless a player
    /// deviates.
    NearIdentical {
        /// Share of the openings in which a player deviates, 0 to 1.
        share: f64,
        /// Elo that every second one of the deviating players is weaker there.
        gap: f64,
        /// Elo that the last player is weaker.
        weaker: f64,
    },
}

/// A tournament to simulate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SimulatedField {
    /// Differences between the players.
    #[serde(flatten)]
    pub law: PlayerLaw,
    /// Number of players, 2 or more.
    pub players: usize,
    /// Number of openings, 1 or more.
    pub openings: usize,
    /// Share of the maximum possible draws, 0 to 1: this share of even games is drawn.
    pub draws: f64,
    /// Standard deviation of an opening's value for the first mover, in Elo.
    pub lean: f64,
    /// Value of the first move in all openings, in Elo.
    pub first_move: f64,
    /// Share of the openings that two players play, 0 to 1.
    pub played: f64,
    /// True if only the first player meets the others.
    pub gauntlet: bool,
}

/// A pair: its players, starting with the first mover of the first game, and that player's half
/// points in both games.
type Pair = ([usize; 2], [u32; 2]);

impl SimulatedField {
    /// Plays the pairs of an opening.
    fn opening(&self, random: &mut RandomNumbers) -> Vec<Pair> {
        let lean = self.first_move + self.lean * random.normal();
        let last = self.players - 1;
        let mut strength = vec![0.0; self.players];
        let mut own_way = vec![true; self.players];
        match self.law {
            PlayerLaw::Independent { spread, suit } => {
                for (player, elo) in strength.iter_mut().enumerate() {
                    let place = 0.5 - player as f64 / last as f64;
                    *elo = spread * place + suit * random.normal();
                }
            }
            PlayerLaw::NearIdentical { share, gap, weaker } => {
                for player in 0..last {
                    own_way[player] = random.uniform() < share;
                    if own_way[player] && player % 2 == 1 {
                        strength[player] = -gap;
                    }
                }
                strength[last] = -weaker;
                own_way[last] = false;
            }
        }
        let meet = |random: &mut RandomNumbers, one: f64, two: f64| {
            let mut play = |ahead: f64| game(random, ahead + lean, self.draws);
            [play(one - two), 2 - play(two - one)]
        };
        // Games of the players that play alike: among themselves, and against the last.
        let alike = game(random, lean, self.draws);
        let against = meet(random, 0.0, strength[last]);
        let mut pairs = Vec::new();
        for one in 0..self.players {
            for two in one + 1..self.players {
                if self.gauntlet && one > 0 || random.uniform() >= self.played {
                    continue;
                }
                let results = if own_way[one] || own_way[two] {
                    meet(random, strength[one], strength[two])
                } else if two == last {
                    against
                } else {
                    [alike, 2 - alike]
                };
                pairs.push(([one, two], results));
            }
        }
        pairs
    }

    /// Measures the coverage of intervals in tournaments 0 to `runs` of a seed. The number of
    /// threads makes no difference.
    pub fn measure(&self, seed: u64, runs: u64, threads: NonZeroUsize) -> RatingCheck {
        let played = Simulator::new(threads).run_all(runs, |number, _| self.play(seed, number));
        self.sum_up(&played)
    }

    /// Plays and rates tournament `number` of a seed.
    fn play(&self, seed: u64, number: u64) -> RatedField {
        let mut random = RandomNumbers::new(seed, number);
        let mut lines = Lines::new();
        let mut clusters = Vec::new();
        let mut pairs = vec![Clusters::default(); self.players];
        let mut counts = vec![Pentanomial::default(); self.players];
        for opening in 0..self.openings {
            let mut cluster = Cluster {
                bouts: Vec::new(),
                copies: 1,
            };
            for ([one, two], results) in self.opening(&mut random) {
                let [first, second] = results;
                for (first, second, half_points) in [(one, two, first), (two, one, 2 - second)] {
                    let line = lines.entry((first, second)).or_default();
                    *line = (line.0 + 1, line.1 + half_points);
                    cluster.bouts.push(bout(first, second, 1, half_points));
                }
                let cell = (first + second) as usize;
                for (player, cell) in [(one, cell), (two, 4 - cell)] {
                    pairs[player].record(opening, cell);
                    counts[player].0[cell] += 1;
                }
            }
            clusters.push(cluster);
        }
        let rated = rate(self.players, &clusters, &RatingOptions::default());
        let rated = rated.ok().filter(|rated| rated.groups.len() == 1);
        let differences = rated.and_then(|rated| {
            let of = |(i, j)| Some([rated.difference(i, j).value?, rated.difference_error(i, j)?]);
            self.contrasts().map(of).collect()
        });
        let rows = counts.iter().zip(&pairs).map(|(&counts, pairs)| {
            let score = estimate_clustered(counts, pairs.effect()).score;
            [score.low.unwrap_or(0.0), score.high.unwrap_or(1.0)]
        });
        RatedField {
            rows: rows.collect(),
            differences,
            lines,
        }
    }

    /// Returns the two players of each difference.
    fn contrasts(&self) -> impl Iterator<Item = (usize, usize)> {
        let players = self.players;
        (0..players).flat_map(move |i| (i + 1..players).map(move |j| (i, j)))
    }

    /// Returns whether both players of a difference play alike.
    fn among_alike(&self, (_, second): (usize, usize)) -> bool {
        matches!(self.law, PlayerLaw::NearIdentical { .. }) && second + 1 < self.players
    }

    fn sum_up(&self, played: &[RatedField]) -> RatingCheck {
        let mut lines = Lines::new();
        for (&line, &(games, half_points)) in played.iter().flat_map(|field| &field.lines) {
            let all = lines.entry(line).or_default();
            *all = (
                all.0.saturating_add(games),
                all.1.saturating_add(half_points),
            );
        }
        let mut points = vec![(0.0, 0.0); self.players];
        let mut clusters = Vec::new();
        for (&(first, second), &(games, half_points)) in &lines {
            let won = f64::from(half_points) / 2.0;
            for (player, won) in [(first, won), (second, f64::from(games) - won)] {
                points[player].0 += won;
                points[player].1 += f64::from(games);
            }
            let bouts = vec![bout(first, second, games, half_points)];
            clusters.push(Cluster { bouts, copies: 1 });
        }
        let truth = rate(self.players, &clusters, &RatingOptions::default()).ok();
        let truth: Option<Vec<f64>> = truth.and_then(|truth| {
            let value = |(i, j)| truth.difference(i, j).value;
            self.contrasts().map(value).collect()
        });
        let contrasts: Vec<_> = self.contrasts().collect();
        let (mut all, mut alike) = (Vec::new(), Vec::new());
        let mut scatter = vec![[0.0; 2]; contrasts.len()];
        let rated = played.iter().filter_map(|field| field.differences.as_ref());
        for (differences, truth) in rated.clone().filter_map(|d| Some((d, truth.as_ref()?))) {
            let hit = |&([value, error], truth): &([f64; 2], f64)| {
                (value - truth).abs() <= 1.96 * error + 1e-9
            };
            let cells = differences.iter().copied().zip(truth.iter().copied());
            let hits: Vec<bool> = cells.clone().map(|cell| hit(&cell)).collect();
            all.push(share(hits.iter().copied()));
            let among = contrasts
                .iter()
                .zip(&hits)
                .filter(|(of, _)| self.among_alike(**of));
            alike.push(share(among.map(|(_, &hit)| hit)));
            for (sums, ([value, error], truth)) in scatter.iter_mut().zip(cells) {
                sums[0] += error * error;
                sums[1] += (value - truth).powi(2);
            }
        }
        let ratio = scatter.iter().filter(|sums| sums[1] > 0.0);
        let ratio: Vec<f64> = ratio.map(|sums| (sums[0] / sums[1]).sqrt()).collect();
        let rows = played.iter().map(|field| {
            let rows = field
                .rows
                .iter()
                .zip(&points)
                .filter(|(_, points)| points.1 > 0.0);
            share(rows.map(|([low, high], (won, games))| {
                let score = won / games;
                *low <= score + 1e-12 && score <= *high + 1e-12
            }))
        });
        RatingCheck {
            tournaments: played.len() as u64,
            rated: rated.count() as u64,
            differences: Covered::of(&all),
            among_alike: Covered::of(&alike),
            rows: Covered::of(&rows.collect::<Vec<_>>()),
            claimed_over_real: mean(&ratio),
        }
    }
}

/// Results of one tournament.
#[derive(Clone, Debug)]
struct RatedField {
    /// The 95 % limits of each player's score.
    rows: Vec<[f64; 2]>,
    /// Each difference and its error; `None` if not all players could be rated
    /// together.
    differences: Option<Vec<[f64; 2]>>,
    lines: Lines,
}

/// Games, and half points of the first mover, by first and second mover.
type Lines = BTreeMap<(usize, usize), (u32, u32)>;

fn bout(first: usize, second: usize, games: u32, half_points: u32) -> Bout {
    Bout {
        first,
        second,
        moved_first: true,
        games,
        half_points,
    }
}

/// A share of intervals that contain the truth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Covered {
    /// The share, 0 to 1.
    pub share: f64,
    /// Standard error of `share` over the tournaments.
    pub error: f64,
}

impl Covered {
    fn of(shares: &[Option<f64>]) -> Option<Self> {
        let shares: Vec<f64> = shares.iter().copied().flatten().collect();
        let share = mean(&shares)?;
        let squares: f64 = shares.iter().map(|x| (x - share).powi(2)).sum();
        let count = shares.len() as f64;
        Some(Self {
            share,
            error: (squares / (count - 1.0).max(1.0) / count).sqrt(),
        })
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn share(hits: impl Iterator<Item = bool>) -> Option<f64> {
    let hits: Vec<f64> = hits.map(|hit| f64::from(u8::from(hit))).collect();
    mean(&hits)
}

/// Coverage of the intervals in simulated tournaments.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatingCheck {
    /// Number of tournaments.
    pub tournaments: u64,
    /// Tournaments in which all players could be rated together.
    pub rated: u64,
    /// Coverage of all differences of ratings.
    pub differences: Option<Covered>,
    /// Coverage of differences between players that play alike.
    pub among_alike: Option<Covered>,
    /// Coverage of scores against all opponents together.
    pub rows: Option<Covered>,
    /// The claimed error divided by the real one, both as root mean squares, averaged over the
    /// differences.
    pub claimed_over_real: Option<f64>,
}

/// Half points of a player in a random game with a lead of `elo`.
fn game(random: &mut RandomNumbers, elo: f64, draws: f64) -> u32 {
    let score = score_from_elo(elo);
    let draw = draws * 2.0 * score.min(1.0 - score);
    let at = random.uniform();
    if at < score - draw / 2.0 {
        2
    } else {
        u32::from(at < score + draw / 2.0)
    }
}
