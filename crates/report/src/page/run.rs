//! The sections of a run or a gate, in the order of reading.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};

use super::charts;
use super::course::{Course, MAX};
use super::elements::{code, figure, figures, hint, list, section, sentence, table, text};
use super::move_costs::MoveCosts;
use super::number::grouped;
use crate::gate::{Candidate, GateSummary, Outcome, lines};
use crate::terminal::{failing_warning, pairing_sentence};
use crate::{CauseCount, FailureSummary, Latency, PairingRow, PvSummary, Summary, VariantRow};
use leitai_runs::figures::number::{interval, percent, signed};
use leitai_stats::Ranged;

/// The contents of a run's page.
#[derive(Debug)]
pub struct RunPage<'a> {
    /// Its name for people.
    pub name: &'a str,
    /// Its config with overrides, as given.
    pub source: &'a str,
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

/// The HTML of parts, which is empty without a section.
pub(crate) fn parts_of(
    parts: impl IntoIterator<Item = (&'static str, Option<Markup>)>,
) -> Vec<Part> {
    let parts = parts.into_iter();
    parts
        .map(|(name, html)| (name, html.unwrap_or_default().into_string()))
        .collect()
}

impl RunPage<'_> {
    /// The title of the page.
    pub fn title(&self) -> String {
        format!("{} · {}", self.name, self.summary.game)
    }

    /// The heading of the page.
    pub fn heading(&self) -> String {
        html! { h1 { (text(self.name)) } }.into_string()
    }

    /// The sections about the results.
    pub fn results(&self) -> Vec<Part> {
        let parts = [
            ("verdict", Some(verdict(self))),
            ("figures", Some(key_figures(self.summary))),
            ("warnings", Some(warnings(self))),
            ("test", self.gate.map(tests)),
            ("standings", Some(standings(self.summary))),
            ("cross-table", cross_table(self)),
            ("course", strength(self)),
            ("pairs", pentanomials(self.summary)),
            ("endings", endings(self.summary)),
            ("players", players(self)),
            ("workers", workers(self.summary)),
            ("openings", Some(openings(self.summary))),
        ];
        parts_of(parts)
    }

    /// The section about the origin of the data.
    pub fn origin(&self) -> String {
        let config = self.config.lines().map(text);
        let body = html! {
            pre { code {
                @for (place, command) in self.commands.iter().enumerate() {
                    @if place > 0 { "\n" }
                    (text(command))
                }
            } }
            p.hint { "Run " (code(self.run)) "." }
            details {
                summary { "Config " (code(self.source)) }
                pre { code {
                    @for (place, line) in config.enumerate() {
                        @if place > 0 { "\n" }
                        (line)
                    }
                } }
            }
        };
        section("The same again", &body).into_string()
    }
}

fn against(versus: &PairingRow) -> Markup {
    html! { (code(&versus.first)) " against " (code(&versus.second)) }
}

/// The verdict of the run, in sentences.
fn verdict(page: &RunPage<'_>) -> Markup {
    if let Some(gate) = page.gate {
        let badge = |candidate: &Candidate| match candidate.verdict {
            Some(outcome @ (Outcome::Accepted | Outcome::PlayedAlike)) => ("good", outcome.name()),
            Some(outcome @ (Outcome::Rejected | Outcome::Failed)) => ("bad", outcome.name()),
            Some(outcome @ Outcome::Inconclusive) => ("open", outcome.name()),
            None => ("open", "undecided"),
        };
        return html! {
            @for candidate in &gate.candidates {
                @let (class, word) = badge(candidate);
                p.lead { span.verdict.(class) { (word) } " " (sentence(&candidate.sentence)) }
            }
        };
    }
    if page.summary.games == 0 {
        return html! { p.lead { "No games yet." } };
    }
    let first = page.summary.variants.first().map(|row| row.name.as_str());
    let of_first = |versus: &&PairingRow| {
        let names = [versus.first.as_str(), versus.second.as_str()];
        first.is_some_and(|first| names.contains(&first))
    };
    html! {
        @for versus in page.summary.pairings.iter().filter(of_first).take(MAX) {
            p.lead { (sentence(&pairing_sentence(versus))) }
        }
    }
}

fn key_figures(summary: &Summary) -> Markup {
    let played = (summary.pairs_played < summary.pairs)
        .then(|| format!("{} of ", grouped(summary.pairs_played)));
    let plies = summary
        .mean_plies
        .map_or("-".to_owned(), |plies| format!("{plies:.0}"));
    figures(&[
        ("games", grouped(summary.games)),
        (
            "pairs",
            played.unwrap_or_default() + &grouped(summary.pairs),
        ),
        ("openings", grouped(summary.distinct_openings as u64)),
        (
            &format!("{} score", summary.first_score),
            percent(summary.first_mover_score),
        ),
        ("draws", percent(summary.draw_rate)),
        ("plies per game", plies),
    ])
}

fn warnings(page: &RunPage<'_>) -> Markup {
    let of_gate = page.gate.map(|gate| gate.warnings.as_slice());
    let mut warnings = of_gate.unwrap_or(&page.summary.warnings).to_vec();
    if page.gate.is_none() {
        let rates = page.summary.error_rates_reason.clone();
        let rates = rates.filter(|reason| !warnings.contains(reason));
        warnings.splice(..0, failing_warning(page.summary).into_iter().chain(rates));
    }
    html! {
        @if !warnings.is_empty() {
            div.warning role="note" { h2 { "Before you believe it" } (list(&warnings)) }
        }
    }
}

/// The test of each candidate of a gate.
fn tests(gate: &GateSummary) -> Markup {
    section(
        "Test",
        &html! { @for candidate in &gate.candidates { (test(candidate)) } },
    )
}

fn test(candidate: &Candidate) -> Markup {
    let level = &candidate.level;
    let words = format!(
        "evidence {:.2}, between {:.2} for H0 and {:.2} for H1",
        level.value, level.lower, level.upper
    );
    let rows = lines(candidate);
    let rows = rows.iter();
    let rows = rows.map(|(name, value)| vec![text(name), sentence(value)]);
    html! {
        h3 { (code(&candidate.name)) }
        (figure(charts::gauge(level, &words), &text(&words)))
        (table("facts", ["", ""], rows))
    }
}

/// Largest magnitude of these intervals.
fn reach<'a>(ranges: impl Iterator<Item = &'a Ranged>) -> f64 {
    let limits = ranges.flat_map(|range| [range.low, range.value, range.high]);
    let most = limits.flatten().map(f64::abs).fold(0.0, f64::max);
    most.clamp(10.0, 1000.0)
}

fn standings(summary: &Summary) -> Markup {
    let rated = summary.variants.len() > 2;
    let strength = |row: &VariantRow| {
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
    let row = |(row, strength): (&VariantRow, &Ranged)| {
        let results = &row.results;
        let estimate = &results.estimate;
        let words = format!("{} ({})", signed(strength.value), interval(strength));
        let mut cells = vec![
            code(&row.name),
            text(&signed(strength.value)),
            text(&interval(strength)),
            PreEscaped(charts::interval(strength, most, &words)),
        ];
        let los = (!rated).then(|| percent(estimate.los_cautious));
        let counts = [
            percent(estimate.score.value),
            grouped(estimate.games),
            grouped(results.wins),
            grouped(results.draws),
            grouped(results.losses),
        ];
        cells.extend(los.into_iter().chain(counts).map(PreEscaped));
        cells
    };
    let rows = summary.variants.iter().zip(&strengths).map(row);
    let words = if rated {
        "The rating is Elo fitted to all results together, mean 0; the bar is \
         its 95 % interval for a run of fixed length."
    } else {
        "Elo is that of the score; the bar is its 95 % interval for a match of fixed length."
    };
    let table = table("standings", header, rows);
    section("Standings", &html! { (hint(words)) (table) })
}

/// Results of all variants against each other; cells open their games.
fn cross_table(page: &RunPage<'_>) -> Option<Markup> {
    let names = page.summary.variants.iter().map(|row| row.name.as_str());
    let names: Vec<&str> = names.collect();
    names.get(1)?;
    let heads: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let header = [""].into_iter().chain(heads.iter().map(String::as_str));
    let row = |&name: &&str| {
        let cells = names.iter().map(|&other| cell(page, name, other));
        std::iter::once(code(name)).chain(cells).collect()
    };
    let words = "Won, drawn and lost games of the variant on the left; a cell opens its games.";
    let table = table("cross", header, names.iter().map(row));
    Some(section("Head to head", &html! { (hint(words)) (table) }))
}

fn cell(page: &RunPage<'_>, name: &str, other: &str) -> Markup {
    let counts = page.summary.pairings.iter().find_map(|versus| {
        let it = &versus.results;
        match [versus.first.as_str(), &versus.second] {
            names if names == [name, other] => Some([it.wins, it.draws, it.losses]),
            names if names == [other, name] => Some([it.losses, it.draws, it.wins]),
            _ => None,
        }
    });
    let Some([won, drawn, lost]) = counts else {
        return Markup::default();
    };
    let words = format!("+{won} ={drawn} −{lost}");
    if !page.has_viewer || won + drawn + lost == 0 {
        return text(&words);
    }
    let players = serde_json::to_string(&[name, other]).unwrap_or_default();
    html! {
        button type="button" data-players=(text(&players))
            aria-label={ (words) ": games of " (text(name)) " and " (text(other)) } { (words) }
    }
}

fn strength(page: &RunPage<'_>) -> Option<Markup> {
    page.course.points.get(1)?;
    let pairings = page.summary.pairings.iter().take(MAX).enumerate();
    let panels = pairings.filter_map(|(place, versus)| {
        let title = format!("{} − {}", versus.first, versus.second);
        charts::course(page.course, place, &title)
    });
    let mut words = "Elo with a 95 % confidence sequence: the band holds at every moment at once, \
                     so that it may be watched and a run be stopped at will."
        .to_owned();
    if let more @ 1.. = page.summary.pairings.len().saturating_sub(MAX) {
        let _ = write!(words, " The other {more} pairings are not drawn.");
    }
    let body = html! {
        (hint(&words))
        div.panels.broad { @for panel in panels { figure { (PreEscaped(panel)) } } }
    };
    Some(section("Strength over pairs", &body))
}

fn pentanomials(summary: &Summary) -> Option<Markup> {
    summary.pairings.first()?;
    let chart = |versus: &PairingRow| {
        let counts @ [ll, ld, level, wd, ww] = versus.results.pentanomial;
        let words = format!(
            "{}: {ll} pairs both lost, {ld} lost and drawn, {level} level, {wd} won and drawn, \
             {ww} both won",
            versus.first
        );
        figure(charts::pentanomial(counts, &words), &against(versus))
    };
    let words = "Each opening is played with either colour: pairs by outcome, from both lost to \
                 both won.";
    let body = html! {
        (hint(words))
        div.panels { @for versus in &summary.pairings { (chart(versus)) } }
    };
    Some(section("Pairs", &body))
}

fn endings(summary: &Summary) -> Option<Markup> {
    summary.causes.first()?;
    let share = |games: u64| percent(Some(games as f64 / summary.games.max(1) as f64));
    let row = |count: &CauseCount| {
        let fault = if count.cause.is_failure() {
            " (a fault of the loser)"
        } else {
            ""
        };
        let name = html! { (count.cause.name()) (fault) };
        vec![name, text(&grouped(count.games)), text(&share(count.games))]
    };
    let rows = summary.causes.iter().map(row);
    let table = table("causes", ["Cause", "#Games", "#Share"], rows);
    Some(section("How games ended", &table))
}

/// Players' cost of moves, move times and failures.
fn players(page: &RunPage<'_>) -> Option<Markup> {
    let (costs, summary) = (&page.course.costs, page.summary);
    let has_moves = costs.iter().any(|cost| cost.moves > 0);
    let failures = summary
        .play
        .failures
        .iter()
        .flat_map(FailureSummary::sentences);
    let (times, lines) = (
        summary.play.latencies.iter(),
        summary.play.pv_warnings.iter(),
    );
    let lists: [(&str, Vec<String>); 3] = [
        ("Time for a move", times.map(Latency::sentence).collect()),
        ("Failures", failures.collect()),
        ("Lines of play", lines.map(PvSummary::sentence).collect()),
    ];
    if !has_moves && lists.iter().all(|(_, sentences)| sentences.is_empty()) {
        return None;
    }
    let header = "Variant,#Moves,#Nodes per move,#Depth,#ms per move,#Nodes per second";
    let body = html! {
        @if has_moves {
            (table("spent", header.split(','), costs.iter().map(MoveCosts::cells)))
        }
        @for (title, sentences) in lists.iter().filter(|(_, sentences)| !sentences.is_empty()) {
            h3 { (title) }
            (list(sentences))
        }
    };
    Some(section("Players", &body))
}

/// The share of each worker, if there are several.
fn workers(summary: &Summary) -> Option<Markup> {
    let workers = summary.play.workers.as_ref()?;
    let cells = |row: Vec<String>| row.iter().map(|cell| text(cell)).collect();
    let rows = workers.cells().into_iter().map(cells);
    let table = table("workers", workers.header(), rows);
    let body = html! { (table) (list(&workers.sentences())) };
    Some(section("Workers", &body))
}

fn openings(summary: &Summary) -> Markup {
    let row = |versus: &PairingRow| {
        let of = versus.information.filter(|it| it.is_near)?;
        let numbers = [
            grouped(of.pairs),
            format!("{:.2} ± {:.2}", 1e5 * of.per_pair, 1e5 * of.standard_error),
            percent(Some(of.draw_rate_of_equals)),
            percent(versus.results.draw_rate),
        ];
        let cells = std::iter::once(against(versus)).chain(numbers.map(PreEscaped));
        Some(cells.collect())
    };
    let rows: Vec<Vec<Markup>> = summary.pairings.iter().filter_map(row).collect();
    let header = "Pairing,#Pairs,#Information,#Draws of equals,#Draws".split(',');
    let begin = summary.start_ply;
    let begin = begin.map_or_else(String::new, |ply| format!(" Games begin at {ply}."));
    let words = format!(
        "{} different openings of {} were played, {} of them related to others.{begin}",
        grouped(summary.distinct_openings as u64),
        grouped(summary.book_openings as u64),
        grouped(summary.related_openings as u64)
    );
    let information = "Information is the evidence of a pair about a difference in strength, in 10⁻⁵ per \
                       square Elo, with its standard error; draws of equals are those that equally \
                       strong players would have. Of pairings of players that are near each other.";
    let body = html! {
        (hint(&words))
        @if !rows.is_empty() { (hint(information)) (table("openings", header, rows)) }
    };
    section("Openings", &body)
}
