//! All games of a run, in schedule order. Unless a clock limited play or times are requested, two
//! exports of the same run are equal byte for byte.

use std::collections::HashSet;
use std::io::{self, Write};
use std::iter;
use std::ops::ControlFlow;
use std::time::{SystemTime, UNIX_EPOCH};

use thiserror::Error;

use crate::game_selection::GameFilter;
use leitai_base::foreign::excerpt;
use leitai_config::{Config, Limits, TimeControl};
use leitai_game::Side;
use leitai_game::card::AnyPosition;
use leitai_game::eval::Score;
use leitai_interchange::pgn::{Game, MoveComment, Tags, event_of, own_tags, pgn_text, round_of};
use leitai_players::play::PairRecord;
use leitai_runs::gate::recorded_standings;
use leitai_runs::store::{FinishedAt, PairRow, Pairs, RunHandle, Store};
use leitai_runs::tournament::{
    CountedPairs, Exclusion, PairStarts, Plan, RunError, Standings, TunePlan, for_each_row,
};

/// An error while writing the games.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The record cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The games cannot be written.
    #[error("cannot write the games")]
    Write(#[from] io::Error),
}

/// Options of an export.
#[derive(Clone, Copy, Debug, Default)]
pub struct Export {
    /// True to include games outside of the run's results, each marked with a tag.
    pub beyond: bool,
    /// True to include dates and move times even if no clock limited play.
    pub times: bool,
}

/// Writes the selected games of `run` as PGN. Returns the set of games outside of its results.
///
/// # Errors
/// The record cannot be read, or `out` cannot be written.
pub fn write_games(
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
    notation: usize,
    (export, mut filter): (Export, GameFilter),
    out: &mut dyn Write,
) -> Result<CountedPairs, ExportError> {
    let (standings, reach) = recorded_standings(plan, store, run)?;
    filter.start(plan, standings.played);
    let sides = plan.config.game.card.facts().pgn.players;
    recorded_games(plan, store, run, (&standings, &reach), export, |game| {
        if filter.takes(&game, sides) {
            writeln!(out, "{}", pgn_text(&game, notation))?;
        }
        Ok::<_, ExportError>(())
    })?;
    Ok(reach)
}

/// Passes the recorded games of `run` to `take`, numbered from 1, in the form of games read from
/// its export.
///
/// # Errors
/// The record cannot be read, or the error of `take`.
pub fn recorded_games<E: From<RunError>>(
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
    (standings, reach): (&Standings, &CountedPairs),
    export: Export,
    take: impl FnMut(Game) -> Result<(), E>,
) -> Result<(), E> {
    let is_gate = plan.config.gate.is_some();
    let places = PairStarts::of(plan, standings);
    let controls = plan.config.limits_by_variant();
    let variants = plan.config.variants.iter();
    let games = Recorded {
        config: &plan.config,
        event: event_of(run.id()),
        names: variants.map(|variant| variant.name.as_str()).collect(),
        controls: controls.iter().map(time_control).collect(),
        times: export.times || plan.config.is_timed(),
    };
    Recorded::each(store.pairs(run), take, |row| {
        let index = row.record.index;
        let is_beyond = reach.of_pair(index);
        if is_beyond.is_some() && !export.beyond {
            return None;
        }
        let start = plan.start(&plan.schedule.pair(index))?;
        let opening = plan.book.get(row.opening)?;
        let cluster = places.of_pair(index).and_then(|place| place.cluster);
        let own = own_tags(cluster.as_deref(), is_gate, is_beyond.map(Exclusion::name));
        Some(games.pair(row, (&opening.id(), &*start), &own))
    })
}

/// The tag with the evidence of a game that was lost by a failure.
pub(super) const FAILURE_TAG: &str = "Failure";
/// Number of characters of that tag: the standard allows lines of at most 255.
const LONGEST_TAG: usize = 240;

/// The failure that ended a game of a pair, as a tag; without `times` only data that is the same
/// whenever the same games are played.
pub(super) fn failure_tag(pair: &PairRecord, number: usize, times: bool) -> Option<String> {
    let evidence = pair.evidence.of(pair.replays() + 1, number)?;
    let cause = pair.games[number].verdict.cause;
    let text = if times {
        evidence.sentence_without_position(cause)
    } else {
        evidence.reproducible().sentence_without_position(cause)
    };
    Some(excerpt(&text, LONGEST_TAG))
}

/// The tag with the number of a tune game's batch, from 0.
const BATCH_TAG: &str = "Batch";

/// Passes the recorded games of a tune to `take` in the order of its batches, numbered from 1.
/// Games of incomplete batches are marked with a tag, and included only if `export` requests them.
///
/// # Errors
/// The record cannot be read, or the error of `take`.
pub fn tune_games<E: From<RunError>>(
    plan: TunePlan<'_>,
    store: &Store,
    run: &RunHandle,
    export: Export,
    take: impl FnMut(Game) -> Result<(), E>,
) -> Result<(), E> {
    let batches = store.batches(run).map_err(RunError::from)?;
    let batches: HashSet<u64> = batches.iter().map(|batch| batch.number).collect();
    let names = [0, 1].map(|player| plan.player_name(player));
    let control = time_control(&plan.limits());
    let games = Recorded {
        config: &plan.config,
        event: event_of(run.id()),
        names: names.iter().map(String::as_str).collect(),
        controls: vec![control; 2],
        times: export.times || plan.limits().time.is_some(),
    };
    Recorded::each(store.pairs(run), take, |row| {
        let pair = row.record.index;
        let batch = pair / plan.batch_size();
        let beyond = (!batches.contains(&batch)).then_some(Exclusion::Gap.name());
        if beyond.is_some() && !export.beyond {
            return None;
        }
        let spec = plan.schedule.pair(pair);
        let opening = plan.book.get(spec.opening)?;
        let batch = batch.to_string();
        let own = iter::once((BATCH_TAG, &*batch)).chain(own_tags(None, false, beyond));
        Some(games.pair(row, (&opening.id(), &*plan.start(&spec)?), &own))
    })
}

/// Common data of the games of a run.
struct Recorded<'a> {
    config: &'a Config,
    event: String,
    /// Names and time controls of the players.
    names: Vec<&'a str>,
    controls: Vec<String>,
    /// True if times are included.
    times: bool,
}

impl Recorded<'_> {
    /// Passes on the games made from each pair in order, numbered from 1.
    fn each<E: From<RunError>>(
        pairs: Pairs<'_>,
        mut take: impl FnMut(Game) -> Result<(), E>,
        make: impl Fn(&PairRow) -> Option<Vec<Game>> + Sync,
    ) -> Result<(), E> {
        let pairs = pairs.map(|row| row.map_err(RunError::from));
        let mut number = 0;
        for_each_row(pairs, make, |_, games| {
            for mut game in games.into_iter().flatten() {
                number += 1;
                game.number = number;
                take(game)?;
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    /// The games of a pair from that opening, with additional tags.
    fn pair<'t>(
        &self,
        row: &PairRow,
        opening: (&str, &dyn AnyPosition),
        own: &(impl Iterator<Item = (&'static str, &'t str)> + Clone),
    ) -> Vec<Game> {
        let games = (0..row.record.games.len()).map(|number| {
            let mut game = self.game(row, number, opening);
            let own = own.clone();
            own.for_each(|(name, value)| game.tags.push(name, value));
            game
        });
        games.collect()
    }

    /// Game 0 or 1 of a pair from that opening, in the form of a game that was read.
    fn game(&self, row: &PairRow, number: usize, opening: (&str, &dyn AnyPosition)) -> Game {
        let (id, start) = opening;
        let recorded = &row.record.games[number];
        let style = &self.config.game.card.facts().pgn;
        let mut tags = Tags::of(self.config.game.card);
        tags.push("Game", style.game);
        tags.push("Event", &self.event);
        tags.push("Round", &round_of(row.record.index, number));
        let played = [recorded.first, recorded.second];
        if let Some(date) = date(row.finished).filter(|_| self.times) {
            tags.push("Date", &date);
        }
        for (side, player) in style.players.iter().zip(played) {
            if let Some(name) = self.names.get(player) {
                tags.push(side, name);
            }
        }
        tags.push("Result", recorded.verdict.result_text());
        tags.push("Opening", id);
        tags.push("Termination", recorded.verdict.cause.name());
        tags.push("PlyCount", &recorded.plies.len().to_string());
        let controls = played.map(|player| self.controls.get(player).map_or("?", String::as_str));
        if controls[0] == controls[1] {
            tags.push("TimeControl", controls[0]);
        } else {
            for (side, control) in style.players.iter().zip(controls) {
                tags.push(&format!("{side}TimeControl"), control);
            }
        }
        if let Some(failure) = failure_tag(&row.record, number, self.times) {
            tags.push(FAILURE_TAG, &failure);
        }
        let mut game = Game::new(start, tags, self.config.game.rules);
        let micros = recorded.times.micros.iter().copied().map(Some);
        let micros = micros.chain(iter::repeat(None));
        for (ply, micros) in recorded.plies.iter().zip(micros) {
            game.play(ply.mv);
            let seconds = micros.filter(|_| self.times).map(|it| f64::from(it) / 1e6);
            let score = ply.score.map(Score::from);
            let searched = MoveComment::new(score, ply.depth, ply.nodes.into(), seconds);
            game.searched.push(searched);
        }
        game.points = Some(recorded.verdict.half_points(Side::First));
        game
    }
}

/// Limits for the tag `TimeControl`: `60+0.6` per game, `40/60` for every 40 moves, `40/60:20/30` in
/// stages, `*60` for an hourglass, `60 byoyomi 5` with byoyomi, `40/60+0.6` as other managers write
/// it, `0.1/move`; `-` if no clock limits play.
pub(super) fn time_control(limits: &Limits) -> String {
    match limits.time {
        None => "-".to_owned(),
        Some(TimeControl::PerMove(time)) => format!("{}/move", time.as_secs_f64()),
        Some(TimeControl::Clock(clock)) if clock.hourglass => {
            format!("*{}", clock.base.as_secs_f64())
        }
        Some(TimeControl::Clock(clock)) => {
            let stages = clock.stages().map(|stage| {
                let moves = stage.moves.map(|moves| format!("{moves}/"));
                let [base, increment] = [stage.base, stage.increment].map(|it| it.as_secs_f64());
                let more = (increment > 0.0).then(|| format!("+{increment}"));
                let [moves, more] = [moves, more].map(Option::unwrap_or_default);
                format!("{moves}{base}{more}")
            });
            let byoyomi = match clock.byoyomi.as_secs_f64() {
                0.0 => String::new(),
                time => format!(" byoyomi {time}"),
            };
            stages.collect::<Vec<_>>().join(":") + &byoyomi
        }
    }
}

/// The date in UTC, `YYYY.MM.DD`.
fn date(FinishedAt(millis): FinishedAt) -> Option<String> {
    let [year, month, day] = civil(millis?.div_euclid(86_400_000));
    Some(format!("{year:04}.{month:02}.{day:02}"))
}

/// A time in UTC, `YYYY-MM-DDTHH:MM:SSZ`; `None` if unknown.
pub fn utc(time: SystemTime) -> Option<String> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    let seconds = i64::try_from(since.as_secs())
        .ok()
        .filter(|&seconds| seconds > 0)?;
    let [year, month, day] = civil(seconds.div_euclid(86_400));
    let [hour, minute, second] = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60];
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
    ))
}

/// A UTC time without its seconds, for tables; a dash for none.
pub fn minute(utc: Option<&str>) -> String {
    let minute = utc.and_then(|time| time.get(..16));
    minute.map_or_else(|| "-".to_owned(), |time| time.replace('T', " "))
}

/// The current date in UTC, `YYYY.MM.DD`.
pub(super) fn today() -> Option<String> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    date(FinishedAt(i64::try_from(since.as_millis()).ok()))
}

/// Year, month and day from the number of days since 1970-01-01, in the Gregorian calendar
/// (<https://howardhinnant.github.io/date_algorithms.html>, `civil_from_days`).
fn civil(days: i64) -> [i64; 3] {
    // Eras of 400 years begin on the first of March.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    [year + 400 * era + i64::from(month <= 2), month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_written_as_the_standard_and_others_do() {
        for (limits, tag) in [
            ("nodes = 5", "-"),
            ("movetime = \"100ms\"", "0.1/move"),
            ("clock = \"1:30+0\"", "90"),
            ("clock = \"60s+0.6s\"", "60+0.6"),
            ("clock = \"40/2h\"", "40/7200"),
            ("clock = \"40/60+0.6\", first_increment = true", "40/60+0.6"),
            ("clock = \"40/60, 20/30, 15+0.5\"", "40/60:20/30:15+0.5"),
            ("clock = \"hourglass 2min\"", "*120"),
            ("clock = \"2min byoyomi 5s\"", "120 byoyomi 5"),
        ] {
            let text = format!(
                "game = \"othello\"\nlimits = {{ {limits} }}\ntournament = {{ pairs = 1 }}\n\
                 variant = [{{ name = \"a\" }}, {{ name = \"b\" }}]"
            );
            let config = leitai_config::parse(&text, "t.toml", &leitai_games::all());
            assert_eq!(time_control(&config.unwrap().config.limits), tag);
        }
    }

    #[test]
    fn days_have_dates() {
        for (days, date) in [
            (0, [1970, 1, 1]),
            (-1, [1969, 12, 31]),
            (11_016, [2000, 2, 29]),
            (11_017, [2000, 3, 1]),
            (20_088, [2024, 12, 31]),
            (47_540, [2100, 2, 28]),
            (47_541, [2100, 3, 1]),
        ] {
            assert_eq!(civil(days), date);
        }
    }
}
