//! Error rates and lengths of the test in simulated matches.

use super::{five_percent, hypotheses};
use crate::RandomNumbers;
use crate::gsprt::{BayesElo, GameSprt, Gsprt, draw_elo_of_rate};
use crate::logistic::score_from_elo;
use crate::simulation::independent;
use crate::{Decision, Model, SequentialTest};

/// Returns the share of runs that accept H1, and the mean number of pairs.
fn simulate(fresh: &Gsprt, law: &[f64; 5], runs: u32, seed: u64) -> (f64, f64) {
    let mut dice = RandomNumbers::new(seed, 0);
    let (mut accepted, mut pairs) = (0, 0);
    for _ in 0..runs {
        let mut test = fresh.clone();
        while test.decision().is_none() {
            test.record(dice.outcome(law)).expect("a cell");
        }
        accepted += u32::from(test.decision() == Some(Decision::Accepted));
        pairs += test.counts().pairs();
    }
    let runs = f64::from(runs);
    (f64::from(accepted) / runs, pairs as f64 / runs)
}

fn law(elo: f64, draws: f64) -> [f64; 5] {
    independent(score_from_elo(elo) - draws / 2.0, draws)
}

#[test]
fn errors_are_as_rare_as_asked() {
    let test = Gsprt::new(hypotheses(0.0, 40.0, Model::Logistic), five_percent());
    let (wrong, _) = simulate(&test, &law(0.0, 0.5), 800, 1);
    let (right, _) = simulate(&test, &law(40.0, 0.5), 800, 2);
    // 0.05 plus three standard errors of the simulation.
    assert!(wrong < 0.074, "{wrong}");
    assert!(right > 0.926, "{right}");
    // The correction stops earlier because it uses the error rate in full.
    let plain = test.clone().without_overshoot_correction();
    let (_, corrected) = simulate(&test, &law(20.0, 0.5), 300, 3);
    let (_, longer) = simulate(&plain, &law(20.0, 0.5), 300, 3);
    assert!(corrected < longer, "{corrected} {longer}");
}

/// The law of a game: loss, draw, win.
fn game_law(elo: f64, draw_elo: f64) -> [f64; 3] {
    let share = |x: f64| 1.0 / (1.0 + libm::pow(10.0, x / 400.0));
    let (win, loss) = (share(draw_elo - elo), share(draw_elo + elo));
    [loss, 1.0 - win - loss, win]
}

/// Returns the share of runs that accept H1 and the mean number of games, of pairs from openings
/// that favour one side by `bias`.
fn simulate_games(fresh: &GameSprt, elo: f64, [draws, bias]: [f64; 2], runs: u32) -> (f64, f64) {
    let mut random = RandomNumbers::new(5, 0);
    let draw_elo = draw_elo_of_rate(draws);
    let laws = [elo + bias, elo - bias].map(|elo| game_law(elo, draw_elo));
    let (mut accepted, mut games) = (0, 0_u64);
    for _ in 0..runs {
        let mut test = fresh.clone();
        while test.decision().is_none() {
            for law in &laws {
                test.record_game(random.outcome(law) as u8);
            }
            games += 2;
        }
        accepted += u32::from(test.decision() == Some(Decision::Accepted));
    }
    let runs = f64::from(runs);
    (f64::from(accepted) / runs, games as f64 / runs)
}

fn bayes_elo(elo1: f64) -> GameSprt {
    GameSprt::of_bayes_elo([0.0, elo1], five_percent()).expect("an order")
}

#[test]
fn errors_on_games_are_as_rare_as_asked() {
    let test = bayes_elo(60.0);
    for bias in [0.0, 100.0] {
        let (wrong, _) = simulate_games(&test, 0.0, [0.5, bias], 800);
        let (right, _) = simulate_games(&test, 60.0, [0.5, bias], 800);
        assert!(wrong < 0.074, "{wrong}");
        assert!(right > 0.926, "{right}");
    }
}

#[test]
#[ignore = "prints the table of docs/statistics.md; a minute in release"]
fn error_rate_table_of_games() {
    println!("scale, draws, bias: H1 accepted at H0, at H1; games");
    for (draws, bias) in [
        (0.3, 0.0),
        (0.5, 0.0),
        (0.5, 100.0),
        (0.5, 200.0),
        (0.8, 0.0),
    ] {
        let draw_elo = draw_elo_of_rate(draws);
        let at = BayesElo {
            elo: 20.0,
            draw_elo,
        };
        let logistic = hypotheses(0.0, at.logistic().expect("finite"), Model::Logistic);
        let logistic = GameSprt::new(logistic, five_percent());
        for (name, test) in [("BayesElo", bayes_elo(20.0)), ("logistic", logistic)] {
            let (wrong, games0) = simulate_games(&test, 0.0, [draws, bias], 4000);
            let (right, games1) = simulate_games(&test, 20.0, [draws, bias], 4000);
            println!("{name} {draws} {bias}: {wrong:.4} {right:.4}; {games0:.0} {games1:.0}");
        }
    }
}

#[test]
#[ignore = "prints the table of docs/statistics.md; a minute in release"]
fn error_rate_table() {
    println!("model, elo0, elo1, draws, batch, correction: H1 accepted at H0, at H1; games");
    for (model, elo0, elo1, draws, batch, corrected) in [
        (Model::Logistic, 0.0, 5.0, 0.5, 1, true),
        (Model::Logistic, 0.0, 5.0, 0.5, 1, false),
        (Model::Logistic, 0.0, 5.0, 0.5, 32, true),
        (Model::Logistic, 0.0, 5.0, 0.5, 32, false),
        (Model::Logistic, 0.0, 30.0, 0.5, 1, true),
        (Model::Logistic, 0.0, 30.0, 0.5, 1, false),
        (Model::Logistic, 0.0, 100.0, 0.05, 1, true),
        (Model::Logistic, 0.0, 100.0, 0.05, 1, false),
        (Model::Normalized, 0.0, 5.0, 0.5, 1, true),
        (Model::Normalized, 0.0, 30.0, 0.5, 1, true),
    ] {
        let mut test = Gsprt::new(hypotheses(elo0, elo1, model), five_percent())
            .in_batches_of(batch.try_into().expect("not 0"));
        if !corrected {
            test = test.without_overshoot_correction();
        }
        let runs = if elo1 > 20.0 { 10_000 } else { 2000 };
        // The standard deviation of a game is √(1-d)/2 near equality.
        let unit = match model {
            Model::Logistic => 1.0,
            Model::Normalized => (1.0_f64 - draws).sqrt(),
        };
        let (wrong, games0) = simulate(&test, &law(elo0 * unit, draws), runs, 10);
        let (right, games1) = simulate(&test, &law(elo1 * unit, draws), runs, 20);
        println!(
            "{model:?} {elo0} {elo1} {draws} {batch} {corrected}: {wrong:.4} {right:.4}; {:.0} {:.0}",
            2.0 * games0,
            2.0 * games1
        );
    }
}
