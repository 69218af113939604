//! The request of a fastchess command line, or of a file that fastchess saved.

use std::collections::HashMap;

use anyhow::bail;

use super::engine::Engine;
use crate::cli::failure::Failure;
use crate::play::Pin;

/// A complete request.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(super) struct Ask {
    pub(super) engines: Vec<Engine>,
    pub(super) rounds: u64,
    pub(super) games: u64,
    pub(super) openings: Openings,
    pub(super) sprt: Option<Sprt>,
    pub(super) draw: Option<Draw>,
    pub(super) resign: Option<Resign>,
    pub(super) max_moves: Option<u64>,
    pub(super) tables: Tables,
    pub(super) chess960: bool,
    /// This many first engines each play the others; `None`: round robin.
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
    pub(super) format: Option<Book>,
    pub(super) random: bool,
    pub(super) plies: Option<u64>,
    /// From 1.
    pub(super) start: u64,
}

/// The form of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Book {
    Epd,
    Pgn,
}

/// `-sprt`.
#[derive(Clone, Debug)]
pub(super) struct Sprt {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) model: String,
}

impl Default for Sprt {
    fn default() -> Self {
        Self {
            elo0: 0.0,
            elo1: 0.0,
            alpha: 0.0,
            beta: 0.0,
            model: "normalized".to_owned(),
        }
    }
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
    pub(super) results: Results,
}

/// `-tbadjudicate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Results {
    #[default]
    Both,
    Wins,
    Draws,
}

/// Output options.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(super) struct Output {
    pub(super) cutechess: bool,
    /// `None`: only at the end.
    pub(super) rating_interval: Option<u64>,
    pub(super) score_interval: Option<u64>,
    pub(super) penta: bool,
    pub(super) pgn: Option<Pgn>,
    pub(super) latency: bool,
    /// True if each warning is printed on one line.
    pub(super) test_env: bool,
}

/// `-pgnout`, `-event`, `-site` and `-crc32`.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(super) struct Pgn {
    pub(super) file: String,
    pub(super) append: bool,
    pub(super) notation: &'static str,
    pub(super) nodes: bool,
    pub(super) nps: bool,
    pub(super) min: bool,
    pub(super) crc: bool,
    pub(super) event: String,
    pub(super) site: String,
}

impl Default for Pgn {
    fn default() -> Self {
        Self {
            file: String::new(),
            append: true,
            notation: "san",
            nodes: false,
            nps: false,
            min: false,
            crc: false,
            event: "Fastchess Tournament".to_owned(),
            site: "?".to_owned(),
        }
    }
}

/// Options for the execution, without effect on the games.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// 0 and below: the number of processors minus this many.
    pub(super) concurrency: i64,
    pub(super) force: bool,
    /// The processors, or any.
    pub(super) affinity: Option<Pin>,
    pub(super) print_config: bool,
    pub(super) store: Option<String>,
    pub(super) dialogue: Option<String>,
}

/// Rounds of a test without `-rounds`: fastchess replaces 0 by 500,000.
const SPRT_ROUNDS: u64 = 500_000;

impl Default for Ask {
    fn default() -> Self {
        Self {
            engines: Vec::new(),
            rounds: 2,
            games: 2,
            openings: Openings {
                start: 1,
                ..Openings::default()
            },
            sprt: None,
            draw: None,
            resign: None,
            max_moves: None,
            tables: Tables::default(),
            chess960: false,
            gauntlet: None,
            seed: None,
            recover: false,
            strict: false,
            check_mate_pvs: false,
            startup: 10_000,
            new_game: 60_000,
            ping: None,
            output: Output {
                cutechess: false,
                rating_interval: Some(10),
                score_interval: Some(1),
                penta: true,
                pgn: None,
                latency: false,
                test_env: false,
            },
            run: Run {
                concurrency: 1,
                force: false,
                affinity: None,
                print_config: false,
                store: None,
                dialogue: None,
            },
            notes: Vec::new(),
        }
    }
}

impl Ask {
    /// Completes and checks the request, as fastchess does.
    ///
    /// # Errors
    /// The request cannot be played, or not in pairs.
    pub(super) fn settle(&mut self) -> Result<(), Failure> {
        // Fastchess swaps the two numbers if only that makes sense.
        if self.games > 2 {
            std::mem::swap(&mut self.games, &mut self.rounds);
        }
        if self.sprt.is_some() && self.rounds == 0 {
            self.rounds = SPRT_ROUNDS;
        }
        if self.games != 2 {
            bail!(
                "`-games {}` asks for rounds of other than two games, and pairs are the unit of \
                 leitai: two games from one opening with colours swapped\nhelp: `-games 2 -repeat`",
                self.games
            );
        }
        if !(1..=1_000_000_000).contains(&self.rounds) {
            bail!("`-rounds` is a number from 1 to 1000000000");
        }
        self.settle_engines()?;
        self.settle_sprt()?;
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
                bail!("`-seeds {seeds}`: there are {} engines", self.engines.len());
            }
            if seeds > 1 {
                self.notes.push(format!(
                    "the first {seeds} engines meet the others, but not each other as in fastchess"
                ));
            }
        }
        Ok(())
    }

    fn settle_engines(&mut self) -> Result<(), Failure> {
        if self.engines.len() < 2 {
            bail!("two engines are needed at least\nhelp: `-engine cmd=PROGRAM name=NAME`");
        }
        for (number, engine) in (1..).zip(&mut self.engines) {
            engine.settle(number)?;
        }
        let mut seen: HashMap<String, usize> = HashMap::new();
        for engine in &mut self.engines {
            let times = seen.entry(engine.name.clone()).or_default();
            *times += 1;
            if *times > 1 {
                engine.name = format!("{}_{times}", engine.name);
            }
        }
        Ok(())
    }

    fn settle_sprt(&self) -> Result<(), Failure> {
        let Some(sprt) = &self.sprt else {
            return Ok(());
        };
        let within = |rate: f64| rate > 0.0 && rate < 1.0;
        if sprt.elo0 >= sprt.elo1 {
            bail!("`-sprt`: elo0 must be less than elo1");
        }
        if !within(sprt.alpha) || !within(sprt.beta) || sprt.alpha + sprt.beta >= 1.0 {
            bail!("`-sprt`: alpha and beta lie between 0 and 1, and together below 1");
        }
        match sprt.model.as_str() {
            "normalized" | "logistic" => {}
            "bayesian" => bail!(
                "`model=bayesian` is not supported: what its bounds mean depends on the draws\n\
                 help: state the hypotheses in Elo by `model=logistic`; `leitai calc sprt` \
                 weighs results by either"
            ),
            _ => bail!("`-sprt`: the model is `normalized` or `logistic`"),
        }
        if self.engines.len() != 2 {
            bail!(
                "`-sprt` tests the first of two engines, and there are {}",
                self.engines.len()
            );
        }
        Ok(())
    }
}
