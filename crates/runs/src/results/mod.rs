//! Reads results in several formats, as input for the ratings.
//!
//! ```text
//! pgn     tag pairs of games, of any game ┐
//! table   counts, one line per meeting    ├ Results ─ evidence ─> clusters
//! record  a recorded run                  ┘
//! ```
//!
//! Files may be merged: players are identified by name alone, and a game in several files counts
//! once. [`Results::notes`] reports everything that was dropped or irregular.

mod evidence;
mod pairing;
pub mod pgn;
mod rated;
mod record;
mod repeated_games;
pub mod table;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasherDefault;
use std::num::NonZeroU64;

use thiserror::Error;

use leitai_base::count::count;
use leitai_base::foreign::Foreign;
use leitai_interchange::TextError;
use leitai_stats::{Multinomial, Pairing, Pentanomial, Trinomial};

pub use evidence::{ClusterBy, Evidence};
pub use pgn::{read_own, read_pgn};
pub use record::read_record;
use repeated_games::KeyMaker;
pub use table::{is_table, read_table};

/// The result of reading results.
pub type Result<T, E = ReadError> = std::result::Result<T, E>;

/// An error while reading results.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A line is invalid.
    #[error("{name}, line {line}: {problem}\n  {text}\nhelp: {help}")]
    Line {
        /// Name of the file.
        name: Foreign,
        /// Number of the line, from 1.
        line: u64,
        /// The problem.
        problem: Foreign,
        /// The line.
        text: Foreign,
        /// The remedy.
        help: Foreign,
    },
    /// A record cannot be read.
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
}

/// A numbered list of distinct names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    /// Returns the number of `name`, adding it if it is new.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The number of `name`, if it is known.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).map(|number| *number as usize)
    }

    /// All names, in the order of their numbers.
    pub fn all(&self) -> &[String] {
        &self.names
    }
}

/// One finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// Number of the player with the first move.
    pub first: u32,
    /// Number of the other player, different from `first`.
    pub second: u32,
    /// Number of the file, from 0; [`Results::add_game`] sets it.
    pub file: u32,
    /// Half points of the player with the first move: 0 to 2.
    pub half_points: u8,
    /// Number of the opening in [`Results::openings`], if known.
    pub opening: Option<u32>,
    /// Hash of the round and its event, if known.
    pub round: Option<NonZeroU64>,
}

/// The summed results of one player, against one opponent or all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games won, drawn and lost, except those in `totals`.
    pub games: Trinomial,
    /// Pairs with known totals only.
    pub totals: Pentanomial,
}

impl Counts {
    /// Number of games, and twice the points in them.
    pub fn games_and_half_points(&self) -> [u64; 2] {
        let Trinomial { draws, wins, .. } = self.games;
        let single = wins.saturating_mul(2).saturating_add(draws);
        let pairs = self.totals.0.into_iter().zip(0_u64..);
        let in_pairs = pairs.map(|(pairs, half_points)| pairs.saturating_mul(half_points));
        let games = self.games.games().saturating_add(self.totals.games());
        [games, in_pairs.fold(single, u64::saturating_add)]
    }

    /// The same results for the opponent.
    #[must_use]
    pub fn mirror(self) -> Self {
        let (games, totals) = (self.games.mirror(), self.totals.mirror());
        Self { games, totals }
    }

    fn add(&mut self, other: Self) {
        self.games += other.games;
        self.totals += other.totals;
    }
}

/// Results of any number of files.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The players.
    pub players: Names,
    /// The openings, by their position.
    pub openings: Names,
    /// Notes about the files, for readers of the ratings.
    pub notes: Vec<String>,
    /// True to include games of our own runs that their results exclude.
    pub takes_excluded: bool,
    /// Games that are not paired yet.
    games: Vec<Game>,
    /// `RepeatedGames` pairs, with the worker that played them under a time limit, if known.
    pairs: Vec<([Game; 2], Option<u32>)>,
    /// The workers.
    workers: Names,
    /// The first recorded settings of each player, with the file.
    settings: HashMap<String, (String, String)>,
    /// The games of the files so far.
    known: repeated_games::RepeatedGames,
    /// Number of games in each file, including those that earlier files contain.
    files: BTreeMap<String, u64>,
    /// Number of games up to the end of the last file.
    ended: u64,
    /// Counts of single games, by first mover.
    counted: Vec<Pairing>,
    /// Counts of pairs.
    totals: Vec<Pairing>,
    /// Maps an opening to a related one with a smaller number.
    together: BTreeMap<u32, u32>,
    /// The game of all results, and the file that names it.
    played: Option<(String, String)>,
    /// Files that do not name their game.
    silent: BTreeSet<String>,
}

impl Results {
    /// Records the settings of a player in a run. Adds a note if an earlier file has a player of
    /// that name with other settings.
    pub fn record_settings(&mut self, player: &str, settings: String, name: &str) {
        match self.settings.get(player) {
            None => {
                let settings = (settings, name.to_owned());
                self.settings.insert(player.to_owned(), settings);
            }
            Some((earlier, _)) if *earlier == settings => {}
            Some((_, first)) => self.notes.push(format!(
                "`{player}` has other settings or limits in {name} than in {first}: they are \
                 rated as one player"
            )),
        }
    }

    /// Sets the game of file `name`, or notes that the file does not name its game.
    ///
    /// # Errors
    /// An earlier file has another game.
    fn plays(&mut self, game: Option<&str>, name: &str) -> Result<()> {
        let Some(game) = game else {
            if !self.silent.contains(name) {
                self.silent.insert(name.to_owned());
            }
            return Ok(());
        };
        match &self.played {
            None => self.played = Some((game.to_owned(), name.to_owned())),
            Some((other, _)) if other == game => {}
            Some((other, first)) => {
                let whose = if first == name { "others" } else { first };
                let games = if first == name {
                    "in it are"
                } else {
                    "has games"
                };
                let problem = format!(
                    "there are games of {game} in it, and {whose} {games} of {other}: strength in \
                     one does not apply to the other"
                );
                let help = "rate the games of each by themselves";
                return Err(TextError::file(name, problem, help).into());
            }
        }
        Ok(())
    }

    /// A note about files that do not name their game.
    fn silence(&self) -> Option<String> {
        let (game, first) = self.played.as_ref()?;
        let silent = self.silent.iter().filter(|name| *name != first);
        let names: Vec<&str> = silent.map(String::as_str).collect();
        (!names.is_empty()).then(|| {
            format!(
                "{}: it names no game (tags `Game`, `Variant`); {game} is assumed, as in {first}",
                names.join(", ")
            )
        })
    }

    /// Returns the number of the opening at `position`, and merges it with the cluster of
    /// `cluster`, if there is one. The merge affects all games from that opening.
    pub fn opening(&mut self, position: &str, cluster: Option<&str>) -> u32 {
        let opening = self.openings.number(position);
        if let Some(cluster) = cluster {
            let cluster = self.openings.number(cluster);
            let (one, two) = (self.cluster_of(opening), self.cluster_of(cluster));
            if one != two {
                self.together.insert(one.max(two), one.min(two));
            }
        }
        opening
    }

    /// Returns the first opening of this one's cluster.
    fn cluster_of(&self, mut opening: u32) -> u32 {
        while let Some(&smaller) = self.together.get(&opening) {
            opening = smaller;
        }
        opening
    }

    /// Returns the number of games in file `name`.
    pub fn games_of(&self, name: &str) -> u64 {
        self.files.get(name).copied().unwrap_or_default()
    }

    /// Ends file `name`, with a note on the number of games that an earlier file contains.
    fn end_file(&mut self, name: &str) {
        let repeated = self.known.repeated;
        let pairings = self.counted.iter().chain(&self.totals);
        let single = self.games.len() as u64 + 2 * self.pairs.len() as u64;
        let games = pairings.fold(single, |sum, pairing| {
            sum.saturating_add(pairing.results.games())
        });
        let here = games.saturating_sub(self.ended).saturating_add(repeated);
        self.files.insert(name.to_owned(), here);
        self.ended = games;
        if repeated > 0 {
            let games = count(repeated, "game is", "games are");
            self.notes.push(format!(
                "{name}: {games} in an earlier file too, and counted once"
            ));
        }
        if self.files.len() > 1 && self.known.nameless > 0 {
            let games = std::mem::take(&mut self.known.nameless);
            self.notes.push(format!(
                "{games} of the games so far have neither moves nor a round: whether several files \
                 have the same ones cannot be known, and all are counted"
            ));
        }
        self.known.next_file();
    }

    /// Adds a game; [`evidence`](Results::evidence) pairs it.
    pub fn add_game(&mut self, game: Game) {
        let file = self.files.len() as u32;
        self.games.push(Game { file, ..game });
    }

    /// Adds a pair. With a time limit all pairs of one `worker` are related; `None` counts as a
    /// worker too.
    pub fn add_pair(&mut self, pair: [Game; 2], worker: Option<&str>) {
        let worker = worker.map(|name| self.workers.number(name));
        self.pairs.push((pair, worker));
    }

    /// Adds unpaired games in which `first` always moved first.
    pub fn add_counted(&mut self, first: u32, second: u32, counts: Trinomial) {
        self.counted.push(Pairing {
            first: first as usize,
            second: second as usize,
            results: Multinomial::from(counts),
        });
    }

    /// Adds pairs with known totals only, from the view of `first`.
    pub fn add_totals(&mut self, first: u32, second: u32, counts: Pentanomial) {
        let [first, second] = [first, second].map(|player| player as usize);
        self.totals.push(Pairing::of_pairs(first, second, counts));
    }

    /// Returns each player's results, in the order of [`Results::players`].
    pub fn counts(&self) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); self.players.all().len()];
        for ([one, two], results) in self.meetings() {
            counts[one].add(results);
            counts[two].add(results.mirror());
        }
        counts
    }

    /// Returns the results of every two players that met, from the view of the first, whose number
    /// is the smaller.
    pub fn meetings(&self) -> BTreeMap<[usize; 2], Counts> {
        let mut meetings: HashMap<[u32; 2], Counts, BuildHasherDefault<KeyMaker>> =
            HashMap::default();
        let mut add = |one: u32, two: u32, results: Counts| {
            let is_ordered = one < two;
            let results = if is_ordered {
                results
            } else {
                results.mirror()
            };
            let players = if is_ordered { [one, two] } else { [two, one] };
            meetings.entry(players).or_default().add(results);
        };
        let of_games = |games: Trinomial| Counts {
            games,
            ..Counts::default()
        };
        for game in self
            .games
            .iter()
            .chain(self.pairs.iter().flat_map(|(pair, _)| pair))
        {
            let mut one = Trinomial::default();
            one.record(game.half_points);
            add(game.first, game.second, of_games(one));
        }
        for pairing in self.counted.iter().chain(&self.totals) {
            let results = match *pairing.results.counts() {
                [losses, draws, wins] => of_games(Trinomial {
                    losses,
                    draws,
                    wins,
                }),
                [ll, ld, mid, wd, ww] => Counts {
                    totals: Pentanomial([ll, ld, mid, wd, ww]),
                    ..Counts::default()
                },
                _ => continue,
            };
            add(pairing.first as u32, pairing.second as u32, results);
        }
        let meetings = meetings.into_iter();
        meetings
            .map(|(players, counts)| (players.map(|player| player as usize), counts))
            .collect()
    }
}

/// A note about pairs of a gate.
fn gate_note(name: &str) -> String {
    format!(
        "{name}: pairs of a gate, which continues or stops according to its results: ratings from \
         them are biased, most where it stopped early; `leitai report` has the verdict"
    )
}

#[cfg(test)]
mod tests;
