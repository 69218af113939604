//! Counts on the command line.

use crate::cli::prelude::*;
use leitai_stats::{MAX_COUNT, Multinomial, Pentanomial, Trinomial};

/// Reads `LL,LD,MID,WD,WW`.
pub(super) fn pentanomial(text: &str) -> Result<Pentanomial, String> {
    numbers(text, "LL,LD,MID,WD,WW").map(Pentanomial)
}

/// Reads `L,D,W`.
pub(super) fn trinomial(text: &str) -> Result<Trinomial, String> {
    let [losses, draws, wins] = numbers(text, "L,D,W")?;
    Ok(Trinomial {
        losses,
        draws,
        wins,
    })
}

fn numbers<const K: usize>(text: &str, names: &str) -> Result<[u64; K], String> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let mut numbers = [0; K];
    if fields.len() != K {
        return Err(format!(
            "{} numbers where {K} belong: {names}",
            fields.len()
        ));
    }
    for (number, field) in numbers.iter_mut().zip(&fields) {
        let count = field.parse().ok().filter(|count| *count <= MAX_COUNT);
        *number = count.ok_or_else(|| {
            format!("`{field}` is not a count: expected {K} whole numbers up to 10^15, {names}")
        })?;
    }
    Ok(numbers)
}

/// The results to evaluate.
#[derive(Clone, Copy, Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct CountArguments {
    /// Pairs of games with colours swapped: both lost, a loss and a draw,
    /// level, a win and a draw, both won.
    #[arg(long, value_name = "LL,LD,MID,WD,WW", value_parser = pentanomial)]
    pentanomial: Option<Pentanomial>,
    /// Single games: lost, drawn, won.
    #[arg(long, value_name = "L,D,W", value_parser = trinomial)]
    trinomial: Option<Trinomial>,
}

impl CountArguments {
    pub(super) fn get(self) -> Result<Counts, Failure> {
        Counts::given(self.pentanomial, self.trinomial).context("give --pentanomial or --trinomial")
    }
}

/// Results of pairs, or of unpaired games.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counts {
    Pairs(Pentanomial),
    Games(Trinomial),
}

impl Counts {
    /// Returns the counts given on the command line.
    pub(super) fn given(pairs: Option<Pentanomial>, games: Option<Trinomial>) -> Option<Self> {
        pairs.map(Self::Pairs).or(games.map(Self::Games))
    }

    pub(super) fn multinomial(self) -> Multinomial {
        match self {
            Self::Pairs(pairs) => pairs.into(),
            Self::Games(games) => games.into(),
        }
    }

    /// Number of pairs; `None` for unpaired games.
    pub(super) fn pairs(self) -> Option<u64> {
        match self {
            Self::Pairs(pairs) => Some(pairs.pairs()),
            Self::Games(_) => None,
        }
    }

    /// Returns a warning about counts of games.
    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Self::Pairs(_) => None,
            Self::Games(_) => {
                Some("treats games as independent; for games played in pairs, give the pair counts")
            }
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pairs(pairs) => {
                let [ll, ld, level, wd, ww] = pairs.0;
                write!(
                    out,
                    "{} ({} games): LL {ll}, LD {ld}, level {level}, WD {wd}, WW {ww}",
                    count(pairs.pairs(), "pair", "pairs"),
                    pairs.games()
                )
            }
            Self::Games(games) => write!(
                out,
                "{}: {} lost, {} drawn, {} won",
                count(games.games(), "game", "games"),
                games.losses,
                games.draws,
                games.wins
            ),
        }
    }
}
