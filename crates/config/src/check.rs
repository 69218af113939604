//! The whole config: reads and checks every table, and reports all problems at once.

use std::ops::Range;

use super::adjudication::{self, RawAdjudication};
use super::context::CheckContext;
use super::failures::{self, RawFailures};
use super::files::Find;
use super::gate::{self, RawGate};
use super::limits::{self, Limits, RawLimits};
use super::openings::{self, Exhausted, Openings, RawOpenings};
use super::problem::{Diagnostics, Problem, Problems};
use super::reader::{Fields, KeyLookup};
use super::study::{self, RawStudy, SolverStudy, Study};
use super::tournament::{self, RawTournament};
use super::tune::{self, RawTune};
use super::values::{Of, Spanned, Whole, choice, ranged};
use super::variants::variants;
use super::{Checks, Config, GameChoice, Games, Kept, Loaded, PairForm, Purpose, Variant, rules};

/// The seed of all random numbers.
pub(super) type Seed = Whole<0, { i64::MAX }>;
/// Gives half a million pairings: enough for any tournament, and few enough to compare all names
/// with each other.
pub(super) const MAX_VARIANTS: usize = 1_000;

/// Reads and checks the config; `find` resolves the names of files.
pub(super) fn check(
    purpose: Purpose,
    text: &str,
    name: &str,
    games: &Games,
    find: Find,
) -> Result<Loaded, Diagnostics> {
    let mut problems = Vec::new();
    let config = match Fields::parse(text) {
        Ok(fields) => read(purpose, fields, games, find, &mut problems),
        Err(problem) => problem.refuse(&mut problems),
    };
    problems.sort_by_key(|problem| problem.span.start);
    let is_broken = problems.iter().any(Problem::is_error);
    let diagnostics = Diagnostics {
        name: name.to_owned(),
        text: text.to_owned(),
        problems,
    };
    match config {
        Some((config, study, solver_study)) if !is_broken => Ok(Loaded {
            config,
            study,
            solver_study,
            warnings: diagnostics,
        }),
        _ => Err(diagnostics),
    }
}

/// The config and its study of either kind, if no required part is missing.
fn read(
    purpose: Purpose,
    mut fields: Fields,
    games: &Games,
    find: Find,
    problems: &mut Problems,
) -> Option<(Config, Option<Study>, Option<SolverStudy>)> {
    let start = fields.span();
    let game = game(&mut fields, games, problems);
    let seed = fields.take::<Of<Seed>>("seed", "`seed`", problems).value();
    let seed = ranged(&seed, "seed", problems);
    let raw_study = fields.take::<Spanned<RawStudy>>("study", "`[study]`", problems);
    let is_study = !raw_study.is_absent();
    let raw_tournament =
        fields.take::<Spanned<RawTournament>>("tournament", "`[tournament]`", problems);
    let raw_gate = fields.take::<Spanned<RawGate>>("gate", "`[gate]`", problems);
    let is_gate = !raw_gate.is_absent();
    let raw_tune = fields.take::<Spanned<RawTune>>("tune", "`[tune]`", problems);
    let is_tune = !raw_tune.is_absent();
    let is_played = !is_study || is_gate || is_tune || !raw_tournament.is_absent();
    let plays = is_played && purpose == Purpose::Play;
    let limits = limits(&mut fields, plays, problems);
    let raw_openings = fields.take::<Spanned<RawOpenings>>("openings", "`[openings]`", problems);
    let are_openings_broken = matches!(raw_openings, KeyLookup::Broken);
    let raw_openings = raw_openings.value();
    let named = raw_openings.as_ref();
    // Broken openings count as named, to avoid reporting them as missing.
    let is_named = are_openings_broken || named.is_some_and(|raw| raw.get_ref().file.is_some());
    let are_usual = |game: GameChoice| !game.card.usual_openings(&game.rules).is_empty();
    let has_book = is_named || game.is_some_and(are_usual);
    let openings = openings(raw_openings.as_ref(), game, is_gate, find, problems);
    let raw = fields.take::<RawAdjudication>("adjudication", "`[adjudication]`", problems);
    let adjudication = raw
        .value()
        .map(|raw| adjudication::adjudication(&raw, game, find, problems));
    let raw_failures = fields.take::<Spanned<RawFailures>>("failures", "`[failures]`", problems);
    let raw_failures = raw_failures.value();
    let failures = raw_failures
        .as_ref()
        .map(|raw| failures::failures(raw.get_ref(), problems));
    let (checks, kept, pairs) = plain_tables(&mut fields, is_tune, problems);
    let fewest = if plays && !is_tune { 2 } else { 1 };
    let context = CheckContext {
        game,
        games,
        limits,
        is_study,
        find,
    };
    let (count, variants) = players(&mut fields, &context, fewest, problems);
    // Unknown names are not reported if broken variants may explain them.
    let are_whole = variants.len() == count;
    let timed = variants.iter().filter_map(|variant| variant.limits);
    let is_timed = timed.chain([limits]).any(|limits| limits.time.is_some());
    let played = [place(&raw_gate), place(&raw_tune)];
    let others = [
        ("tournament", place(&raw_tournament)),
        ("study", place(&raw_study)),
    ];
    check_exclusive(played, others, has_book || is_timed, game, problems);
    let tournament = match raw_tournament {
        KeyLookup::Value(raw) if !is_gate && !is_tune => {
            tournament::tournament(&raw, count, &variants, problems)
        }
        KeyLookup::Absent if plays && !is_gate && !is_tune => {
            tournament::no_pairs(start).refuse(problems)
        }
        _ => None,
    };
    let is_enough = are_whole && count >= fewest;
    let gate = raw_gate.value().filter(|_| is_enough);
    let gate = gate.and_then(|raw| gate::gate(&raw, &variants, (pairs, game), problems));
    let tune = raw_tune.value().filter(|_| is_enough);
    let tune = tune.and_then(|raw| tune::tune(&raw, &variants, &limits, find, problems));
    let (mut study, mut solver_study) = (None, None);
    match raw_study.value() {
        Some(raw) if game.is_some_and(|game| game.card.facts().has_prover) => {
            let whole = are_whole.then_some(&*variants);
            solver_study = study::solvers(&raw, whole, find, problems);
        }
        Some(raw) => {
            let openings = raw_openings.as_ref().map(Spanned::span);
            study = study::study(&raw, count, openings.as_ref(), find, problems);
        }
        None => {}
    }
    if let Some(raw) = &raw_failures {
        let has_games = study.as_ref().is_some_and(|study| study.games.is_some());
        if (study.is_some() || solver_study.is_some()) && !has_games && !plays {
            failures::without_games(raw.span()).report(problems);
        }
    }
    fields.finish(problems);
    let config = Config {
        game: game?,
        seed: seed.unwrap_or_default(),
        limits,
        openings,
        adjudication: adjudication.unwrap_or_default(),
        tournament,
        gate,
        tune,
        failures: failures.unwrap_or_default(),
        checks,
        kept,
        pairs,
        variants,
    };
    Some((config, study, solver_study))
}

/// The tables without cross-references: `[checks]`, `[record]` and `[pairs]`, which a tune does not
/// have.
fn plain_tables(
    fields: &mut Fields,
    is_tune: bool,
    problems: &mut Problems,
) -> (Checks, Kept, PairForm) {
    let checks = fields.take("checks", "`[checks]`", problems).value();
    let kept = fields.take("record", "`[record]`", problems).value();
    let pairs = fields.take::<Spanned<PairForm>>("pairs", "`[pairs]`", problems);
    let pairs = pairs.value();
    if let Some(pairs) = pairs.as_ref().filter(|_| is_tune) {
        Problem::error(pairs.span(), "a tune plays two games from each opening")
            .label("its estimates rest on colours that are swapped")
            .help("leave out `[pairs]`")
            .report(problems);
    }
    (
        checks.unwrap_or_default(),
        kept.unwrap_or_default(),
        pairs.map(Spanned::into_inner).unwrap_or_default(),
    )
}

/// `[limits]`, which is required if games are played.
fn limits(fields: &mut Fields, plays: bool, problems: &mut Problems) -> Limits {
    let start = fields.span();
    match fields.take::<Spanned<RawLimits>>("limits", "`[limits]`", problems) {
        KeyLookup::Value(raw) => return limits::limits(&raw, problems),
        KeyLookup::Absent if plays => limits::no_limits(start).report(problems),
        KeyLookup::Broken | KeyLookup::Absent => {}
    }
    Limits::default()
}

/// Refuses tables that exclude each other, and a gate or a tune whose games would all start alike,
/// unless the games are known to `vary`.
fn check_exclusive(
    [gate, tune]: [Option<Range<usize>>; 2],
    others: [(&str, Option<Range<usize>>); 2],
    vary: bool,
    game: Option<GameChoice>,
    problems: &mut Problems,
) {
    let book = game.map_or("mine", |game| game.name());
    let folder = if game.is_some() { "openings/" } else { "" };
    for (kind, place) in [("gate", &gate), ("tune", &tune)] {
        let Some(place) = place.clone().filter(|_| !vary) else {
            continue;
        };
        Problem::error(place, format!("a {kind} without openings"))
            .label("every pair would start the same way, and many would be identical")
            .help(format!(
                "name a book under `[openings]`: `file = \"{folder}{book}.epd\"`; `leitai init` \
                 writes a config with a book"
            ))
            .report(problems);
    }
    let kind = if gate.is_some() { "gate" } else { "tune" };
    let others = others.map(|(other, place)| (kind, other, place));
    let both = ("tune", "gate", gate.clone().filter(|_| tune.is_some()));
    for (kind, other, place) in others.into_iter().chain([both]) {
        let Some(place) = place.filter(|_| gate.is_some() || tune.is_some()) else {
            continue;
        };
        let help = match (kind, other) {
            ("gate", "tournament") => {
                "remove `[tournament]`: `base` and `candidates` under `[gate]` name the players,\n\
                 and `max_pairs` limits the games"
            }
            ("tune", "gate") => {
                "remove `[gate]`: `proof = { elo0 = 0, elo1 = 5 }` under `[tune]` sets the test of\n\
                 the tuned variant"
            }
            _ => "put each into a file of its own",
        };
        Problem::error(
            place,
            format!("`[{other}]` and `[{kind}]` exclude each other"),
        )
        .help(help)
        .report(problems);
    }
}

/// `[openings]`, with or without a gate: a gate plays later laps unless the config says otherwise.
/// In Go extra plies would change the problems.
fn openings(
    raw: Option<&Spanned<RawOpenings>>,
    game: Option<GameChoice>,
    is_gate: bool,
    find: Find,
    problems: &mut Problems,
) -> Openings {
    let exhausted = if is_gate && game.is_some_and(|game| game.card.facts().varies) {
        Exhausted::Vary
    } else {
        Exhausted::Error
    };
    match raw {
        Some(raw) => openings::openings(raw.get_ref(), exhausted, find, problems),
        None => Openings {
            exhausted,
            ..Openings::default()
        },
    }
}

fn place<T>(found: &KeyLookup<Spanned<T>>) -> Option<Range<usize>> {
    match found {
        KeyLookup::Value(raw) => Some(raw.span()),
        KeyLookup::Absent | KeyLookup::Broken => None,
    }
}

/// The games that a config can name, in the config's notation.
fn known_names(games: &Games) -> String {
    let names = games.iter().map(|card| format!("\"{}\"", card.name()));
    let names: Vec<_> = names.collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{}` or `{last}", most.join("`, `")),
    }
}

/// The game and its rules.
fn game(fields: &mut Fields, games: &Games, problems: &mut Problems) -> Option<GameChoice> {
    let known: Vec<_> = games.iter().map(|card| (card.name(), card)).collect();
    let game = match fields.take("game", "`game`", problems) {
        KeyLookup::Value(name) => choice(&name, "game", &known, problems).map(GameChoice::usual),
        KeyLookup::Broken => None,
        KeyLookup::Absent => Problem::error(fields.span(), "the config names no game")
            .help(format!("add `game = {}` at the top", known_names(games)))
            .refuse(problems),
    };
    let raw = fields.take("rules", "`[rules]`", problems).value();
    match (game, raw) {
        (Some(game), Some(raw)) => Some(rules::rules(&raw, game, games, problems)),
        // Without a game it is unknown to which game the rules belong.
        (game, _) => game,
    }
}

/// The number of variants in the file, which must be at least `fewest`, and the variants that could
/// be resolved.
fn players(
    fields: &mut Fields,
    context: &CheckContext,
    fewest: usize,
    problems: &mut Problems,
) -> (usize, Vec<Variant>) {
    let start = fields.span();
    match fields.tables("variant", "`[[variant]]`", problems) {
        KeyLookup::Value(tables) => {
            let count = tables.len();
            if count < fewest {
                let span = tables.first().map_or(start, Fields::span);
                too_few(count, span).report(problems);
            }
            if let Some(first_too_many) = tables.get(MAX_VARIANTS) {
                let message = format!("{count} variants: at most {MAX_VARIANTS} can meet");
                Problem::error(first_too_many.span(), message).report(problems);
                return (count, Vec::new());
            }
            (count, variants(tables, context, problems))
        }
        KeyLookup::Broken => (0, Vec::new()),
        KeyLookup::Absent => {
            too_few(0, start).report(problems);
            (0, Vec::new())
        }
    }
}

fn too_few(count: usize, span: Range<usize>) -> Problem {
    let message = match count {
        0 => "there are no variants: a tournament needs at least two",
        _ => "there is only one variant: a tournament needs at least two",
    };
    Problem::error(span, message).help("add a `[[variant]]` table with a `name` for each player")
}
