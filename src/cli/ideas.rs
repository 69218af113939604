//! Finds the test that wins most from a stream of ideas: `gate --plan --prior`, `calc plan
//! --prior`.

use super::prelude::*;
use leitai_session::gate::recorded_results;
use leitai_stats::{Choice, Comparison, FittedPrior, IdeaPrior};

/// The source of the prior of changes.
#[derive(Clone, Debug)]
pub(super) enum Ideas {
    /// From the command line.
    Law(IdeaPrior),
    /// The gates of the gate's own record.
    Record,
    /// The gates of another record.
    File(PathBuf),
}

impl Ideas {
    /// Parses a word of the command line.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text.parse::<IdeaPrior>() {
            Ok(law) => Ok(Self::Law(law)),
            Err(_) if text == "record" => Ok(Self::Record),
            Err(_) if Path::new(text).is_file() => Ok(Self::File(text.into())),
            Err(bad) if text.contains('(') => Err(bad.to_string()),
            Err(_) => Err(format!(
                "no such file: `{text}`; give a law such as `N(-1,4)`, `record`, or a record"
            )),
        }
    }

    /// The distribution, and its fit if it was fitted.
    pub(super) fn law(&self, own: &Path) -> Result<(IdeaPrior, Option<FittedPrior>), Failure> {
        let path = match self {
            Self::Law(law) => return Ok((*law, None)),
            Self::Record => own,
            Self::File(path) => path,
        };
        if !path.exists() {
            bail!(
                "there is no record {} to learn a prior of changes from",
                shown_path(path)
            );
        }
        let results = recorded_results(path, games())?;
        let fitted = IdeaPrior::fit(&results)?;
        eprint(&format!(
            "the prior of changes is {}: errors {:.2} and {:.2}, from {} candidates of recorded gates",
            fitted.prior, fitted.mean_error, fitted.deviation_error, fitted.results
        ));
        Ok((fitted.prior, Some(fitted)))
    }
}

/// The comparison as text, to follow another text.
pub(super) fn below(comparison: &Comparison) -> String {
    let Comparison {
        prior,
        max_pairs,
        yours,
        usual,
        best,
        uncapped,
        ..
    } = comparison;
    let cap = max_pairs.map_or_else(
        || "without a cap".to_owned(),
        |pairs| format!("of at most {pairs} pairs"),
    );
    let mut text = format!("\n\nideas from {prior} Elo: gain of a test {cap}\n\n");
    let header = ",test,Elo/M,elo0,elo1,alpha,beta,games/idea,accepted,weaker";
    let mut rows = vec![leitai_report::header(header)];
    let mut row = |name: &str, choice: &Choice| {
        let won = choice.gain;
        let error = match 1e6 * won.elo_per_game_error {
            0.0 => String::new(),
            error => format!(" ± {error:.1}"),
        };
        rows.push(vec![
            name.to_owned(),
            choice.test.to_string(),
            format!("{:.1}{error}", 1e6 * won.elo_per_game + 0.0),
            format!("{:.2}", choice.elo0 + 0.0),
            format!("{:.2}", choice.elo1 + 0.0),
            format!("{:.3}", choice.alpha),
            format!("{:.3}", choice.beta),
            format!("{:.0}", won.games),
            format!("{:.2} %", 100.0 * won.accepted),
            format!("{:.1} %", 100.0 * won.weaker),
        ]);
    };
    row("this test", yours);
    row("usual", usual);
    if let Some(best) = best {
        row("best", &best.choice);
    }
    if let Some(uncapped) = uncapped {
        row("no cap", uncapped);
    }
    text += &table(&rows, 2, |column| column < 2);
    text.push_str(
        "\n\nElo/M: Elo won by a million games, with the standard error of simulated tests; \
         weaker: share of the accepted that are weaker",
    );
    let Some(best) = best else {
        return text;
    };
    let rate = |choice: &Choice| choice.gain.elo_per_game;
    let span = |[low, high]: [f64; 2]| format!("{low:.2} to {high:.2}");
    let (searched, alike) = (best.searched, best.alike);
    let times = |name: &str, choice: &Choice| {
        if rate(choice) > 0.0 {
            let times = rate(&best.choice) / rate(choice);
            format!("{times:.1} times the gain of {name}")
        } else {
            format!("while {name} wins nothing")
        }
    };
    let _ = if rate(&best.choice) > rate(yours) {
        let (this, that) = (times("this test", yours), times("the usual one", usual));
        write!(text, "\nthe best wins {this}, {that}")
    } else {
        write!(
            text,
            "\nno other test in the search wins more than this test"
        )
    };
    let _ = write!(
        text,
        "\nsearched by formula, {} at alpha {}: elo0 {}, elo1 {}, beta {}\n\
         flat: tests with at least 95 % of the best have elo0 {}, elo1 {}, beta {}",
        best.choice.test,
        best.choice.alpha,
        span(searched.elo0),
        span(searched.elo1),
        span(searched.beta),
        span(alike.elo0),
        span(alike.elo1),
        span(alike.beta),
    );
    if uncapped.is_some() {
        text.push_str("\nno cap: the best one that may play as many pairs as it needs");
    }
    text
}
