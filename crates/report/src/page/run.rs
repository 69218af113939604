//! The sections of a run or a gate, in the order of reading.

use std::fmt::Write as _;

use super::charts;
use super::course::{Course, MOST};
use super::html::{escape_lines, items, section, table};
use super::number::grouped;
use super::spent::Spent;
use super::words::sentence as in_html;
use crate::gate::{Candidate, GateSummary, Outcome, lines};
use crate::terminal::sentence as pairing_sentence;
use crate::xml::escape;
use crate::{FailureSummary, Latency, PvSummary, Row, Summary, Versus};
use leitai_runs::figures::number::{interval, percent, signed};
use leitai_stats::Ranged;

/// The contents of a run's page.
#[derive(Debug)]
pub struct RunPage<'a> {
    /// Name of its config.
    pub name: &'a str,
    /// The results.
    pub summary: &'a Summary,
    /// The verdict of a gate.
    pub gate: Option<&'a GateSummary>,
    /// Strength over pairs.
    pub course: &'a Course,
    /// True if the page has a viewer, which cells of the cross table open.
    pub has_viewer: bool,
    /// The identity of the run.
    pub run: &'a str,
    /// The text of the config.
    pub config: &'a str,
    /// The commands that reproduce the run.
    pub commands: &'a [String],
}

/// A part of a page: its name, and its HTML, empty if there is nothing to show.
pub type Part = (&'static str, String);

impl RunPage<'_> {
    /// The title of the page.
    pub fn title(&self) -> String {
        format!("{} · {}", self.name, self.summary.game)
    }

    /// The heading of the page.
    pub fn heading(&self) -> String {
        format!("<h1>{}</h1>\n", escape(self.name))
    }

    /// The sections about the results.
    pub fn results(&self) -> Vec<Part> {
        vec![
            ("verdict", verdict(self)),
            ("figures", figures(self.summary)),
            ("warnings", warnings(self)),
            ("test", self.gate.map_or_else(String::new, tests)),
            ("standings", standings(self.summary)),
            ("cross-table", cross_table(self)),
            ("course", strength(self)),
            ("pairs", pentanomials(self.summary)),
            ("endings", endings(self.summary)),
            ("players", players(self)),
            ("workers", workers(self.summary)),
            ("openings", openings(self.summary)),
        ]
    }

    /// The section about the origin of the data.
    pub fn origin(&self) -> String {
        let commands: Vec<String> = self.commands.iter().map(|it| escape(it)).collect();
        section(
            "The same again",
            &format!(
                "<pre><code>{}</code></pre>\n<p class=\"hint\">Run <code>{}</code>.</p>\n\
                 <details><summary>Config <code>{}</code></summary><pre><code>{}</code></pre></details>\n",
                commands.join("\n"),
                escape(self.run),
                escape(self.name),
                escape_lines(self.config)
            ),
        )
    }
}

fn against(versus: &Versus) -> String {
    let [first, second] = [&versus.first, &versus.second].map(|name| escape(name));
    format!("<code>{first}</code> against <code>{second}</code>")
}

/// The verdict of the run, in sentences.
fn verdict(page: &RunPage<'_>) -> String {
    let mut text = String::new();
    if let Some(gate) = page.gate {
        for candidate in &gate.candidates {
            let (class, word) = match candidate.verdict {
                Some(outcome @ (Outcome::Accepted | Outcome::PlayedAlike)) => {
                    ("good", outcome.name())
                }
                Some(outcome @ (Outcome::Rejected | Outcome::Failed)) => ("bad", outcome.name()),
                Some(outcome @ Outcome::Inconclusive) => ("open", outcome.name()),
                None => ("open", "undecided"),
            };
            let _ = writeln!(
                text,
                "<p class=\"lead\"><span class=\"verdict {class}\">{word}</span> {}</p>",
                in_html(&candidate.sentence)
            );
        }
        return text;
    }
    if page.summary.games == 0 {
        return "<p class=\"lead\">No games yet.</p>\n".to_owned();
    }
    let first = page.summary.variants.first().map(|row| row.name.as_str());
    let of_first = |versus: &&Versus| {
        let names = [versus.first.as_str(), versus.second.as_str()];
        first.is_some_and(|first| names.contains(&first))
    };
    for versus in page.summary.pairings.iter().filter(of_first).take(MOST) {
        let _ = writeln!(
            text,
            "<p class=\"lead\">{}</p>",
            in_html(&pairing_sentence(versus))
        );
    }
    text
}

fn figures(summary: &Summary) -> String {
    let pairs = if summary.pairs_played < summary.pairs {
        format!(
            "{} of {}",
            grouped(summary.pairs_played),
            grouped(summary.pairs)
        )
    } else {
        grouped(summary.pairs)
    };
    let plies = summary
        .mean_plies
        .map_or("-".to_owned(), |plies| format!("{plies:.0}"));
    let first = format!("{} score", summary.first_score);
    let figures = [
        ("games", grouped(summary.games)),
        ("pairs", pairs),
        ("openings", grouped(summary.distinct_openings as u64)),
        (first.as_str(), percent(summary.first_mover_score)),
        ("draws", percent(summary.draw_rate)),
        ("plies per game", plies),
    ];
    let mut text = String::from("<dl class=\"figures\">\n");
    for (name, value) in figures {
        let _ = writeln!(text, "<div><dt>{}</dt><dd>{value}</dd></div>", escape(name));
    }
    text.push_str("</dl>\n");
    text
}

fn warnings(page: &RunPage<'_>) -> String {
    let of_gate = page.gate.map(|gate| gate.warnings.as_slice());
    let all = of_gate.unwrap_or(&page.summary.warnings);
    let failing = page.summary.failing.iter().filter(|_| page.gate.is_none());
    let failing = failing.map(|name| {
        format!("failures ended all first games of `{name}`: Leitai stopped, and the results do not measure its strength")
    });
    let rates = page.summary.error_rates_reason.iter().cloned();
    let rates = rates.filter(|reason| page.gate.is_none() && !all.contains(reason));
    let all: Vec<String> = failing.chain(rates).chain(all.iter().cloned()).collect();
    if all.is_empty() {
        return String::new();
    }
    let items = items(&all);
    format!(
        "<div class=\"warning\" role=\"note\">\n<h3>Before you believe it</h3>\n<ul>\n{items}</ul>\n</div>\n"
    )
}

/// The test of each candidate of a gate.
fn tests(gate: &GateSummary) -> String {
    let each: String = gate.candidates.iter().map(test).collect();
    section("Test", &each)
}

fn test(candidate: &Candidate) -> String {
    let level = &candidate.level;
    let words = format!(
        "evidence {:.2}, between {:.2} for H0 and {:.2} for H1",
        level.value, level.lower, level.upper
    );
    let mut text = format!(
        "<h3><code>{}</code></h3>\n<figure>{}<figcaption>{words}</figcaption></figure>\n",
        escape(&candidate.name),
        charts::gauge(level, &words)
    );
    let rows = lines(candidate);
    let rows = rows
        .iter()
        .map(|(name, value)| vec![escape(name), in_html(value)]);
    text.push_str(&table("facts", &["", ""], &rows.collect::<Vec<_>>()));
    text
}

/// Largest magnitude of these intervals.
fn reach<'a>(ranges: impl Iterator<Item = &'a Ranged>) -> f64 {
    let limits = ranges.flat_map(|range| [range.low, range.value, range.high]);
    let most = limits.flatten().map(f64::abs).fold(0.0, f64::max);
    most.clamp(10.0, 1000.0)
}

fn standings(summary: &Summary) -> String {
    let rated = summary.variants.len() > 2;
    let strength = |row: &Row| {
        if !rated {
            return row.results.estimate.elo;
        }
        row.rating.map_or(Ranged::NOTHING, |it| {
            Ranged::new(Some(it.elo), it.elo_low, it.elo_high)
        })
    };
    let strengths: Vec<Ranged> = summary.variants.iter().map(strength).collect();
    let most = reach(strengths.iter());
    let mut header = vec![
        "Variant",
        if rated { "#Rating" } else { "#Elo" },
        "95 %",
        "",
    ];
    if !rated {
        header.push("#LOS");
    }
    header.extend(["#Score", "#Games", "#W", "#D", "#L"]);
    let row = |(row, strength): (&Row, &Ranged)| {
        let results = &row.results;
        let estimate = &results.estimate;
        let words = format!("{} ({})", signed(strength.value), interval(strength));
        let mut cells = vec![
            format!("<code>{}</code>", escape(&row.name)),
            signed(strength.value),
            escape(&interval(strength)),
            charts::interval(strength, most, &words),
        ];
        if !rated {
            cells.push(percent(estimate.los_cautious));
        }
        cells.extend([
            percent(estimate.score.value),
            grouped(estimate.games),
            grouped(results.wins),
            grouped(results.draws),
            grouped(results.losses),
        ]);
        cells
    };
    let rows: Vec<_> = summary.variants.iter().zip(&strengths).map(row).collect();
    let hint = if rated {
        "The rating is Elo fitted to all results together, mean 0; the bar is \
         its 95 % interval for a run of fixed length."
    } else {
        "Elo is that of the score; the bar is its 95 % interval for a match of fixed length."
    };
    section(
        "Standings",
        &format!(
            "<p class=\"hint\">{hint}</p>\n{}",
            table("standings", &header, &rows)
        ),
    )
}

/// Results of all variants against each other; cells open their games.
fn cross_table(page: &RunPage<'_>) -> String {
    let summary = page.summary;
    let names: Vec<&str> = summary
        .variants
        .iter()
        .map(|row| row.name.as_str())
        .collect();
    if names.len() < 2 {
        return String::new();
    }
    let heads: Vec<String> = names
        .iter()
        .map(|name| format!("<code>{}</code>", escape(name)))
        .collect();
    let mut header = vec![""];
    header.extend(heads.iter().map(String::as_str));
    let rows = names.iter().zip(&heads).map(|(&name, head)| {
        let cells = names.iter().map(|&other| cell(page, name, other));
        std::iter::once(head.clone()).chain(cells).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let hint = "<p class=\"hint\">Won, drawn and lost games of the variant on the left; a cell opens its games.</p>\n";
    section(
        "Head to head",
        &format!("{hint}{}", table("cross", &header, &rows)),
    )
}

fn cell(page: &RunPage<'_>, name: &str, other: &str) -> String {
    let found = page.summary.pairings.iter().find_map(|versus| {
        let results = &versus.results;
        let counts = [results.wins, results.draws, results.losses];
        match (
            versus.first == name && versus.second == other,
            versus.first == other && versus.second == name,
        ) {
            (true, _) => Some(counts),
            (_, true) => Some([counts[2], counts[1], counts[0]]),
            _ => None,
        }
    });
    let Some([won, drawn, lost]) = found else {
        return String::new();
    };
    let words = format!("+{won} ={drawn} −{lost}");
    if !page.has_viewer || won + drawn + lost == 0 {
        return words;
    }
    let players = serde_json::to_string(&[name, other]).unwrap_or_default();
    format!(
        "<button type=\"button\" data-players=\"{}\" aria-label=\"{words}: games of {name} and \
         {other}\">{words}</button>",
        escape(&players),
        name = escape(name),
        other = escape(other)
    )
}

fn strength(page: &RunPage<'_>) -> String {
    if page.course.points.len() < 2 {
        return String::new();
    }
    let pairings = page.summary.pairings.iter().take(MOST).enumerate();
    let panels = pairings
        .filter_map(|(place, versus)| {
            let title = format!("{} − {}", versus.first, versus.second);
            charts::course(page.course, place, &title)
        })
        .fold(String::new(), |mut text, panel| {
            let _ = writeln!(text, "<figure>{panel}</figure>");
            text
        });
    let more = page.summary.pairings.len().saturating_sub(MOST);
    let more = if more > 0 {
        format!(" The other {more} pairings are not drawn.")
    } else {
        String::new()
    };
    let hint = format!(
        "<p class=\"hint\">Elo with a 95 % confidence sequence: the band holds at every moment at \
         once, so that it may be watched and a run be stopped at will.{more}</p>\n"
    );
    section(
        "Strength over pairs",
        &format!("{hint}<div class=\"panels broad\">\n{panels}</div>\n"),
    )
}

fn pentanomials(summary: &Summary) -> String {
    let mut figures = String::new();
    for versus in &summary.pairings {
        let counts = versus.results.pentanomial;
        let [ll, ld, level, wd, ww] = counts;
        let words = format!(
            "{}: {ll} pairs both lost, {ld} lost and drawn, {level} level, {wd} won and drawn, \
             {ww} both won",
            versus.first
        );
        let _ = writeln!(
            figures,
            "<figure>{}<figcaption>{}</figcaption></figure>",
            charts::pentanomial(counts, &words),
            against(versus)
        );
    }
    if figures.is_empty() {
        return figures;
    }
    let hint = "<p class=\"hint\">Each opening is played with either colour: pairs by outcome, from both lost to both won.</p>\n";
    section(
        "Pairs",
        &format!("{hint}<div class=\"panels\">\n{figures}</div>\n"),
    )
}

fn endings(summary: &Summary) -> String {
    if summary.causes.is_empty() {
        return String::new();
    }
    let share = |games: u64| percent(Some(games as f64 / summary.games.max(1) as f64));
    let rows = summary.causes.iter().map(|count| {
        let fault = if count.cause.is_failure() {
            " (a fault of the loser)"
        } else {
            ""
        };
        vec![
            format!("{}{fault}", escape(count.cause.name())),
            grouped(count.games),
            share(count.games),
        ]
    });
    section(
        "How games ended",
        &table(
            "causes",
            &["Cause", "#Games", "#Share"],
            &rows.collect::<Vec<_>>(),
        ),
    )
}

/// Players' cost of moves, move times and failures.
fn players(page: &RunPage<'_>) -> String {
    let mut text = String::new();
    let spent = &page.course.spent;
    if spent.iter().any(|it| it.moves > 0) {
        let rows: Vec<Vec<String>> = spent.iter().map(Spent::cells).collect();
        let header = [
            "Variant",
            "#Moves",
            "#Nodes per move",
            "#Depth",
            "#ms per move",
            "#Nodes per second",
        ];
        text.push_str(&table("spent", &header, &rows));
    }
    let mut list = |title: &str, sentences: Vec<String>| {
        if !sentences.is_empty() {
            let items = items(&sentences);
            let _ = write!(text, "<h3>{title}</h3>\n<ul>\n{items}</ul>\n");
        }
    };
    let summary = page.summary;
    list(
        "Time for a move",
        summary.latencies.iter().map(Latency::sentence).collect(),
    );
    list(
        "Failures",
        summary
            .failures
            .iter()
            .flat_map(FailureSummary::sentences)
            .collect(),
    );
    list(
        "Lines of play",
        summary
            .pv_warnings
            .iter()
            .map(PvSummary::sentence)
            .collect(),
    );
    if text.is_empty() {
        text
    } else {
        section("Players", &text)
    }
}

/// The share of each worker, if there are several.
fn workers(summary: &Summary) -> String {
    let Some(workers) = &summary.workers else {
        return String::new();
    };
    let rows = workers.cells();
    let table = table("workers", &workers.header(), &rows);
    let items = items(&workers.sentences());
    section("Workers", &format!("{table}<ul>\n{items}</ul>\n"))
}

fn openings(summary: &Summary) -> String {
    let rows: Vec<Vec<String>> = summary
        .pairings
        .iter()
        .filter_map(|versus| {
            let of = versus.information.filter(|it| it.is_near)?;
            Some(vec![
                against(versus),
                grouped(of.pairs),
                format!("{:.2} ± {:.2}", 1e5 * of.per_pair, 1e5 * of.standard_error),
                percent(Some(of.draw_rate_of_equals)),
                percent(versus.results.draw_rate),
            ])
        })
        .collect();
    let header = [
        "Pairing",
        "#Pairs",
        "#Information",
        "#Draws of equals",
        "#Draws",
    ];
    let begin = summary.start_ply;
    let begin = begin.map_or_else(String::new, |ply| format!(" Games begin at {ply}."));
    let hint = format!(
        "<p class=\"hint\">{} different openings of {} were played, {} of them related to others.{begin}</p>\n",
        grouped(summary.distinct_openings as u64),
        grouped(summary.book_openings as u64),
        grouped(summary.related_openings as u64)
    );
    if rows.is_empty() {
        return section("Openings", &hint);
    }
    let told = "<p class=\"hint\">Information is what a pair tells of a difference in strength, in \
                10⁻⁵ per square Elo, with its standard error; draws of equals are those that \
                equally strong players would have. Of pairings of players that are near each \
                other.</p>\n";
    section(
        "Openings",
        &format!("{hint}{told}{}", table("openings", &header, &rows)),
    )
}
