//! Recorded runs.

use std::collections::{BTreeMap, HashSet};

use super::repeated_games::{DateAndRound, GameKey};
use super::{Game, Result, Results, gate_note};
use crate::store::{Opening, RunEntry, Store, WorkerName};
use crate::tournament::{CountedPairs, PairStart};
use leitai_base::count::count;
use leitai_game::Side;
use leitai_interchange::TextError;
use leitai_interchange::pgn::{event_of, round_of};
use leitai_players::play::GameRecord;

/// Adds the pairs of a recorded run. A pair that repeats an earlier one of the same players move
/// for move is left out, as in `leitai report`, and a note gives the number of such pairs. Pairs
/// out of `reach` are also left out, unless [`Results::takes_excluded`] is set. `place` returns the
/// start of a pair by its number; if it returns `None`, the opening of the book is not related to
/// others. `by_the_clock` is true if the clock limits play, so that workers affect the errors.
///
/// # Errors
/// The record cannot be read, or contains another game than earlier files.
pub fn read_record(
    store: &Store,
    entry: &RunEntry,
    name: &str,
    reach: &CountedPairs,
    place: impl Fn(u64) -> Option<PairStart>,
    by_the_clock: bool,
    results: &mut Results,
) -> Result<()> {
    results.plays(Some(&entry.meta.game), name)?;
    let book = store.openings(&entry.handle)?;
    let openings: BTreeMap<usize, Opening> = book.held.into_iter().collect();
    let variants = &entry.meta.variants;
    let players = variants
        .iter()
        .map(|variant| results.players.number(variant));
    let players: Vec<u32> = players.collect();
    let mut seen = HashSet::new();
    let event = event_of(entry.handle.id());
    let (mut read, mut repeated, mut failed) = (0_u64, 0_u64, 0_u64);
    for row in store.pairs(&entry.handle) {
        let row = row?;
        if reach.of_pair(row.record.index).is_some() && !results.takes_excluded {
            continue;
        }
        read += 1;
        failed += row.record.faults().count() as u64;
        let numbered = row.record.games.iter().zip(&row.record.hashes).enumerate();
        let known: Vec<bool> = numbered
            .map(|(number, (game, hash))| {
                let players = [game.first, game.second].map(|player| players.get(player));
                let round = round_of(row.record.index, number);
                let keys = [
                    GameKey::of((&event, round.as_str())),
                    GameKey::of((players, *hash)),
                ];
                results
                    .known
                    .take(&keys.map(|key| (key, DateAndRound::default())))
                    .before
            })
            .collect();
        // Omitted pairs also show which openings are related.
        let opening = match place(row.record.index) {
            Some(place) => Some(results.opening(&place.position, place.cluster.as_deref())),
            None => openings
                .get(&row.opening)
                .map(|opening| results.opening(&opening.fen, None)),
        };
        if !seen.insert((row.pairing, row.record.transcript())) {
            repeated += 1;
            continue;
        }
        let game = |game: &GameRecord| {
            let first = *players.get(game.first)?;
            let second = *players.get(game.second)?;
            (first != second).then_some(Game {
                first,
                second,
                file: 0,
                half_points: game.verdict.half_points(Side::First),
                opening,
                round: None,
            })
        };
        let games: Option<Vec<Game>> = row.record.games.iter().map(game).collect();
        let Some(games) = games else { continue };
        results.known.repeated += known.iter().map(|&known| u64::from(known)).sum::<u64>();
        match games.as_slice() {
            &[one, two] if one.first == two.second && known == [false, false] => {
                let worker = row.worker.0.as_ref().map_or("", WorkerName::as_str);
                results.add_pair([one, two], by_the_clock.then_some(worker));
            }
            _ => {
                let games = games.into_iter().zip(known);
                let new = games.filter(|(_, known)| !known);
                new.for_each(|(game, _)| results.add_game(game));
            }
        }
    }
    results.notes.extend(notes(name, repeated, failed));
    let told = reach.note(results.takes_excluded);
    results
        .notes
        .extend(told.map(|told| format!("{name}: {told}")));
    results.end_file(name);
    if is_gate(&entry.meta.config) {
        results.notes.push(gate_note(name));
    } else if read < entry.meta.pairs {
        results.notes.push(format!(
            "{name}: the run is not finished: {read} of {} pairs",
            entry.meta.pairs
        ));
    }
    if read == 0 {
        let gap = reach.gap().map(|gap| gap.to_string());
        let problem = gap.unwrap_or_else(|| "the run has no finished pair".to_owned());
        let help = "continue it with `leitai run`, or choose another with `--run`";
        return Err(TextError::file(name, problem, help).into());
    }
    Ok(())
}

/// Notes about repeated pairs and about games that ended in failures.
fn notes(name: &str, repeated: u64, failed: u64) -> impl Iterator<Item = String> {
    let note = |number, one, many, end| {
        (number > 0).then(|| format!("{name}: {} {end}", count(number, one, many)))
    };
    let repeated = note(
        repeated,
        "pair repeats an earlier one move by move: it is",
        "pairs repeat an earlier one move by move: they are",
        "no evidence and left out",
    );
    let failed = note(
        failed,
        "game ended by a failure of its loser: such games count",
        "games ended by failures of their losers: they count",
        "unchanged",
    );
    repeated.into_iter().chain(failed)
}

/// Returns whether a run with this resolved config is a gate.
fn is_gate(config: &str) -> bool {
    let config: Result<serde_json::Value, _> = serde_json::from_str(config);
    config.is_ok_and(|config| config.get("gate").is_some_and(serde_json::Value::is_object))
}
