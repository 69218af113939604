//! `leitai calc simulate ratings`: measure the coverage of rating intervals.

use crate::cli::prelude::*;
use leitai_stats::{Covered, PlayerLaw, RatingCheck, SimulatedField};

const EXAMPLE: &str = "\
Examples:
  leitai calc simulate ratings --players 12 --openings 40
  leitai calc simulate ratings --players 6 --openings 20 --law near-identical --share 0.1
  leitai calc simulate ratings --players 4 --openings 160 --suit 100 --played 0.5 --json";

/// Simulate ratings: measure how often the 95 % intervals of differences, and those of scores
/// against all opponents, contain the truth.
///
/// Tournaments are drawn at random: every two players meet with both colours from each opening, and
/// are rated by openings as `leitai rate` does. The truth is the rating of all tournaments
/// together. The result depends on the seed alone, not on the number of threads.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Arguments {
    /// Number of players
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::value_parser!(u16).range(2..=200))]
    players: u16,
    /// Number of openings of each tournament
    #[arg(long, value_name = "N", default_value_t = 40,
          value_parser = clap::value_parser!(u16).range(1..=10_000))]
    openings: u16,
    /// Differences between players
    #[arg(long, default_value = "independent")]
    law: Law,
    /// Independent players: Elo from the strongest to the weakest
    #[arg(long, value_name = "ELO", default_value_t = 300.0, value_parser = elo)]
    spread: f64,
    /// Independent players: standard deviation of the effect of openings on players, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 0.0, value_parser = elo)]
    suit: f64,
    /// Near-identical players: share of the openings in which a player deviates, 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.1, value_parser = share)]
    share: f64,
    /// Near-identical players: Elo that every second deviating player is weaker there
    #[arg(long, value_name = "ELO", default_value_t = 0.0, value_parser = elo,
          allow_negative_numbers = true)]
    gap: f64,
    /// Near-identical players: Elo that the last player is weaker than all others
    #[arg(long, value_name = "ELO", default_value_t = 200.0, value_parser = elo,
          allow_negative_numbers = true)]
    weaker: f64,
    /// Share of even games that are drawn, 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.4, value_parser = share)]
    draws: f64,
    /// Standard deviation of the value of openings for the first mover, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 100.0, value_parser = elo)]
    lean: f64,
    /// Value of the first move in every opening, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 30.0, value_parser = elo,
          allow_negative_numbers = true)]
    first_move: f64,
    /// Share of the openings that two players play, at random, 0 to 1
    #[arg(long, value_name = "P", default_value_t = 1.0, value_parser = share)]
    played: f64,
    /// Only the first player meets the others
    #[arg(long)]
    gauntlet: bool,
    /// Number of tournaments to simulate
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    runs: u64,
    /// The seed of all random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON: the request, and the results as `measured`
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Differences between players.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Law {
    /// Independent games, players at equal distances
    Independent,
    /// All except the last play the same games from the same opening, except in a share of the
    /// openings
    NearIdentical,
}

#[derive(Serialize)]
struct RatingsOutput {
    #[serde(flatten)]
    field: SimulatedField,
    seed: u64,
    measured: RatingCheck,
}

fn elo(text: &str) -> Result<f64, String> {
    number("a number of Elo from -2000 to 2000", text, |elo| {
        elo.abs() <= 2000.0
    })
}

fn share(text: &str) -> Result<f64, String> {
    number("a share from 0 to 1, such as 0.1", text, |share| {
        (0.0..=1.0).contains(&share)
    })
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let json = Json::for_inputs(arguments.json.as_ref(), [])?;
    let field = SimulatedField {
        law: match arguments.law {
            Law::Independent => PlayerLaw::Independent {
                spread: arguments.spread,
                suit: arguments.suit,
            },
            Law::NearIdentical => PlayerLaw::NearIdentical {
                share: arguments.share,
                gap: arguments.gap,
                weaker: arguments.weaker,
            },
        },
        players: arguments.players.into(),
        openings: arguments.openings.into(),
        draws: arguments.draws,
        lean: arguments.lean,
        first_move: arguments.first_move,
        played: arguments.played,
        gauntlet: arguments.gauntlet,
    };
    let seed = arguments.seed;
    let measured = field.measure(seed, arguments.runs, arguments.threads.get());
    if measured.differences.is_none() {
        bail!(
            "in none of the tournaments could all players be rated together\n\
             help: let them meet more often, or be less far apart"
        );
    }
    let answer = RatingsOutput {
        field,
        seed,
        measured,
    };
    json.answer(&answer, || text(&answer))
}

fn text(answer: &RatingsOutput) -> String {
    let (field, measured) = (&answer.field, &answer.measured);
    let law = match field.law {
        PlayerLaw::Independent { spread, suit } => {
            format!("independent, {spread} Elo apart; openings suit players by {suit} Elo")
        }
        PlayerLaw::NearIdentical { share, gap, weaker } => format!(
            "alike except in {share} of the openings, {gap} Elo there, and one {weaker} Elo weaker"
        ),
    };
    let mut lines = vec![
        format!(
            "{} players, {}: {law}",
            field.players,
            count(field.openings as u64, "opening", "openings")
        ),
        format!(
            "{}, {} with a rating for all, seed {}",
            count(measured.tournaments, "tournament", "tournaments"),
            measured.rated,
            answer.seed
        ),
        String::new(),
        "95 % intervals      contain the truth".to_owned(),
    ];
    let covered = [
        ("differences", measured.differences),
        ("  of those alike", measured.among_alike),
        ("scores", measured.rows),
    ];
    for (name, covered) in covered {
        if let Some(Covered { share, error }) = covered {
            let (share, error) = (100.0 * share, 100.0 * error);
            lines.push(format!("{name:<18}  {share:.1} % ± {error:.1}"));
        }
    }
    if let Some(ratio) = measured.claimed_over_real {
        lines.push(format!("\nerror claimed over the real one: {ratio:.2}"));
    }
    lines.join("\n")
}
