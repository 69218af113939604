//! The request of a fastchess command line, or of a file that fastchess saved.

use super::engine::Engine;
use super::log::LogTo;
use super::table::Dialect;
use crate::cli::prelude::*;
use leitai_config::{BookFormat, GateModel, TableResults};
use leitai_players::play::Pin;
use leitai_report::LivePgn;
use leitai_stats::{ErrorRates, Hypotheses, Model};

/// A complete request.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(super) struct MatchRequest {
    pub(super) dialect: Dialect,
    pub(super) engines: Vec<Engine>,
    pub(super) rounds: u64,
    /// True if `-rounds` was given.
    pub(super) has_rounds: bool,
    /// The file of `-config`.
    pub(super) saved: Option<PathBuf>,
    pub(super) games: u64,
    /// `-repeat` of cutechess: number of games from an opening.
    pub(super) repeats: Option<u64>,
    /// True if the engines keep their colours.
    pub(super) noswap: bool,
    /// True if the second engine begins.
    pub(super) reverse: bool,
    pub(super) openings: Openings,
    pub(super) sprt: Option<Sprt>,
    pub(super) draw: Option<Draw>,
    pub(super) resign: Option<Resign>,
    pub(super) max_moves: Option<u64>,
    pub(super) tables: Tables,
    pub(super) chess960: bool,
    /// Number of engines, the first ones, that each play the others; `None`: round robin.
    pub(super) gauntlet: Option<usize>,
    pub(super) seed: Option<u64>,
    pub(super) recover: bool,
    pub(super) strict: bool,
    pub(super) check_mate_pvs: bool,
    /// In milliseconds.
    pub(super) startup: u64,
    pub(super) new_game: u64,
    pub(super) ping: Option<u64>,
    pub(super) output: Output,
    pub(super) run: Run,
    /// Notes for the user about the translation.
    pub(super) notes: Vec<String>,
}

/// `-openings`.
#[derive(Clone, Debug, Default)]
pub(super) struct Openings {
    pub(super) file: String,
    pub(super) format: Option<BookFormat>,
    pub(super) random: bool,
    pub(super) plies: Option<u64>,
    /// From 1.
    pub(super) start: u64,
}

/// `-sprt`.
#[derive(Clone, Debug, Default)]
pub(super) struct Sprt {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    /// Empty if it is not given: `normalized`.
    pub(super) model: String,
    /// True if the test counts games instead of pairs.
    pub(super) counts_games: bool,
}

/// `-draw`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    pub(super) move_number: u64,
    pub(super) move_count: u64,
    pub(super) score: u64,
}

/// `-resign`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resign {
    pub(super) move_count: u64,
    pub(super) score: u64,
    pub(super) twosided: bool,
}

/// `-tb` and its companions.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    pub(super) path: Option<String>,
    pub(super) pieces: u64,
    pub(super) ignore_fifty: bool,
    /// `-tbadjudicate`.
    pub(super) results: TableResults,
}

/// Output options.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(super) struct Output {
    /// The program whose lines are printed.
    pub(super) dialect: Dialect,
    /// True with `-output format=cutechess`; always true in the dialect cutechess.
    pub(super) cutechess: bool,
    /// `None`: only at the end.
    pub(super) rating_interval: Option<u64>,
    pub(super) score_interval: Option<u64>,
    /// `-outcomeinterval` of cutechess; `None`: only at the end.
    pub(super) outcome_interval: Option<u64>,
    pub(super) penta: bool,
    pub(super) pgn: Option<Pgn>,
    pub(super) epd: Option<Epd>,
    pub(super) log: Option<LogTo>,
    /// True if the dialogue with engines is printed, as cutechess does.
    pub(super) debug: bool,
    pub(super) latency: bool,
    /// `-testEnv`: prints each warning on one line, and removes the record of a finished match.
    pub(super) test_env: bool,
}

/// `-epdout`.
#[derive(Clone, Debug)]
pub(super) struct Epd {
    /// Empty: named after the time.
    pub(super) file: String,
    pub(super) append: bool,
}

impl Default for Epd {
    fn default() -> Self {
        Self {
            file: String::new(),
            append: true,
        }
    }
}

/// `-pgnout`, `-event`, `-site` and `-crc32`.
#[derive(Clone, Debug)]
pub(super) struct Pgn {
    /// Empty: named after the time.
    pub(super) file: String,
    pub(super) append: bool,
    pub(super) crc: bool,
    /// Regular expressions of lines that comments quote.
    pub(super) lines: Vec<String>,
    pub(super) style: LivePgn,
}

impl Default for Pgn {
    fn default() -> Self {
        Self {
            file: String::new(),
            append: true,
            crc: false,
            lines: Vec::new(),
            style: LivePgn {
                event: "Fastchess Tournament".to_owned(),
                site: "?".to_owned(),
                variant: None,
                notation: "san",
                book: false,
                nodes: false,
                nps: false,
                seldepth: false,
                hashfull: false,
                tbhits: false,
                timeleft: false,
                latency: false,
                pv: false,
                min: false,
            },
        }
    }
}

/// Options for the execution, without effect on the games.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// 0 and below: the number of processors minus this many.
    pub(super) concurrency: i64,
    pub(super) force: bool,
    /// The processors, or any.
    pub(super) affinity: Option<Pin>,
    /// `-wait`, in milliseconds.
    pub(super) wait: u64,
    pub(super) print_config: bool,
    pub(super) store: Option<String>,
    pub(super) dialogue: Option<String>,
}

/// Rounds of a test with `-rounds 0`, as in fastchess.
const SPRT_ROUNDS: u64 = 500_000;

/// Fewer rounds than a test needs.
const FEW_ROUNDS: u64 = 100;

impl MatchRequest {
    /// A request without options.
    pub(super) fn new(dialect: Dialect) -> Self {
        let is_cutechess = dialect == Dialect::Cutechess;
        let once = if is_cutechess { 1 } else { 2 };
        Self {
            dialect,
            rounds: once,
            games: once,
            openings: Openings {
                start: 1,
                ..Openings::default()
            },
            startup: 10_000,
            new_game: 60_000,
            output: Output {
                dialect,
                cutechess: is_cutechess,
                rating_interval: Some(10).filter(|_| !is_cutechess),
                score_interval: Some(1),
                penta: true,
                ..Output::default()
            },
            run: Run {
                concurrency: 1,
                ..Run::default()
            },
            ..Self::default()
        }
    }

    /// Completes and checks the request, as fastchess does.
    ///
    /// # Errors
    /// The request cannot be played.
    pub(super) fn settle(&mut self) -> Result<(), Failure> {
        match self.dialect {
            // Fastchess swaps the two numbers if only that makes sense.
            Dialect::Fastchess if self.games > 2 => {
                std::mem::swap(&mut self.games, &mut self.rounds);
            }
            Dialect::Fastchess => {}
            Dialect::Cutechess => {
                // It plays any number of games at once.
                self.run.force = true;
                self.settle_encounters()?;
            }
        }
        if self.sprt.is_some() && self.rounds == 0 {
            self.rounds = SPRT_ROUNDS;
        }
        if self.sprt.is_some() && !self.has_rounds && self.rounds < FEW_ROUNDS {
            self.notes.push(format!(
                "`-sprt` without `-rounds` plays {} rounds, as {} does; a test needs thousands: \
                 `-rounds 50000`",
                self.rounds,
                self.dialect.program()
            ));
        }
        if !(1..=2).contains(&self.games) {
            bail!(
                "`-games` or `-rounds` must be 1 or 2, the games of a round\nhelp: give `-games 2`"
            );
        }
        if self.games != 2 {
            // Pairs are counted where there are pairs.
            self.output.penta = false;
        }
        if !(1..=1_000_000_000).contains(&self.rounds) {
            bail!("`-rounds` must be from 1 to 1000000000");
        }
        self.settle_engines()?;
        self.settle_sprt()?;
        let ending = Path::new(&self.openings.file).extension();
        let ends_so = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
        let is_pgn = match self.openings.format {
            Some(format) => format == BookFormat::Pgn,
            None => ends_so,
        };
        if let Some(pgn) = &mut self.output.pgn {
            pgn.style.book = is_pgn;
        }
        let named = !self.openings.file.is_empty();
        if self.chess960 && !named {
            bail!("`-variant fischerandom` needs a book of its openings: `-openings file=`");
        }
        if self.tables.path.is_none() && self.tables.pieces > 0 {
            let note = "`-tbpieces` has no effect without `-tb`";
            self.notes.push(note.to_owned());
        }
        if self.output.cutechess {
            self.output.penta = false;
        }
        if let Some(seeds) = self.gauntlet {
            if !(1..self.engines.len()).contains(&seeds) {
                bail!("`-seeds {seeds}` must be below the number of engines");
            }
            if seeds > 1 {
                self.notes.push(format!(
                    "the first {seeds} engines play the others, and unlike fastchess not each other"
                ));
            }
        }
        Ok(())
    }

    /// Converts games and rounds of cutechess, which plays `-games` in each of `-rounds`, and each
    /// opening `-repeat` times.
    fn settle_encounters(&mut self) -> Result<(), Failure> {
        let games = self.games.saturating_mul(self.rounds);
        (self.games, self.rounds) = match self.repeats {
            None | Some(1) => (1, games),
            Some(2) => (2, games.div_ceil(2)),
            Some(repeats) => bail!(
                "`-repeat {repeats}`: an opening is played once or twice, with colours swapped\n\
                 help: `-repeat` plays it twice"
            ),
        };
        if self.games == 2 && !games.is_multiple_of(2) {
            self.notes.push(format!(
                "`-repeat` plays pairs: {} games instead of {games}",
                games + 1
            ));
        }
        Ok(())
    }

    fn settle_engines(&mut self) -> Result<(), Failure> {
        if self.engines.len() < 2 {
            bail!("at least two engines are needed\nhelp: `-engine cmd=PROGRAM name=NAME`");
        }
        for (number, engine) in (1..).zip(&mut self.engines) {
            engine.settle(number)?;
        }
        for at in 1..self.engines.len() {
            let name = self.engines[at].name.clone();
            if self.engines[..at].iter().any(|it| it.name == name) {
                let mut numbered = (2..).map(|number: u64| format!("{name}_{number}"));
                let is_free = |other: &String| self.engines.iter().all(|it| it.name != *other);
                self.engines[at].name = numbered.find(is_free).unwrap_or_default();
            }
        }
        Ok(())
    }

    fn settle_sprt(&mut self) -> Result<(), Failure> {
        let Some(sprt) = &mut self.sprt else {
            return Ok(());
        };
        let model = match sprt.model.as_str() {
            // Bounds of cutechess-cli are Elo: it divides them by the scale of BayesElo.
            "" if self.dialect == Dialect::Cutechess => GateModel::Logistic,
            "" | "normalized" => GateModel::Normalized,
            "logistic" => GateModel::Logistic,
            "bayesian" => GateModel::Bayesian,
            _ => bail!("`-sprt`: the model is `normalized`, `logistic` or `bayesian`"),
        };
        model.name().clone_into(&mut sprt.model);
        if model == GateModel::Bayesian && self.output.penta {
            self.output.penta = false;
            let note = "`model=bayesian` counts games: the report has no pairs";
            self.notes.push(note.to_owned());
        }
        sprt.counts_games = !self.output.penta || self.dialect == Dialect::Cutechess;
        Hypotheses::new(sprt.elo0, sprt.elo1, Model::Logistic).context("`-sprt`")?;
        ErrorRates::new(sprt.alpha, sprt.beta).context("`-sprt`")?;
        if self.engines.len() != 2 {
            bail!(
                "`-sprt` takes exactly two engines, and tests the first; there are {}",
                self.engines.len()
            );
        }
        Ok(())
    }
}
