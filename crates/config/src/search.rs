//! A variant's own search settings, checked against the search's lists of settings.

use std::ops::Range;

use super::SearchNumber;
use super::problem::{Problem, Problems, unknown_key, wrong_type};
use super::reader::{named_preset, read_table};
use super::values::{RawTable, RawValue, Spanned, Text, choice, in_range};
use leitai_base::settings::{Group, Kind, Settings};
use leitai_game::card::GameCard;
use leitai_game::numbers::Preset;
use leitai_game::search::{PRESETS, SearchParams, Stage};

/// A variant's own search settings.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchLayer {
    preset: Option<SearchParams>,
    /// Each stage with its position.
    ordering: Option<Vec<(Stage, Range<usize>)>>,
    changes: Vec<Change>,
    /// The keys that turn something on explicitly, with their positions.
    explicit: Vec<(String, Range<usize>)>,
}

/// A single change of a search.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// The group at this index is on or off.
    Switch(usize, bool),
    /// The setting has this value.
    Set(SearchNumber, i64),
}

impl SearchLayer {
    /// Checks the settings; `game` may have presets of its own.
    pub(super) fn check(raw: &RawTable, game: Card, problems: &mut Problems) -> Self {
        let mut usual = SearchParams::default();
        let own = usual.list();
        let groups = usual.groups();
        let mut layer = Self::default();
        for (key, value) in raw {
            let name = key.get_ref().as_str();
            if name == "preset" {
                layer.preset = text(value, "search.preset", problems)
                    .and_then(|name| named_preset(&name, &presets(game), read_search, problems));
            } else if name == "ordering" {
                layer.ordering = ordering(value, problems);
            } else if let Some(setting) = SearchNumber::find(None, name) {
                let path = format!("search.{name}");
                let number = number(value, &path, setting.setting.kind, problems);
                if number.is_some_and(|number| number > 0) {
                    layer.explicit.push((name.to_owned(), key.span()));
                }
                let change = number.map(|number| Change::Set(setting, number));
                layer.changes.extend(change);
            } else if let Some(at) = groups.iter().position(|(group, _)| *group == name) {
                if !matches!(value.get_ref(), RawValue::Flag(false)) {
                    layer.explicit.push((name.to_owned(), key.span()));
                }
                layer.group(at, &groups[at].1, name, value, problems);
            } else {
                let own = own.iter().map(|setting| setting.name);
                let groups = groups.iter().map(|(name, _)| *name);
                let known = ["preset", "ordering"].into_iter().chain(own).chain(groups);
                let known: Vec<&str> = known.collect();
                unknown_key(key.span(), name, "`search`", &known).report(problems);
            }
        }
        layer
    }

    fn group(
        &mut self,
        at: usize,
        group: &Group<'_>,
        name: &str,
        value: &Spanned<RawValue>,
        problems: &mut Problems,
    ) {
        let names: Vec<&str> = group.list().iter().map(|setting| setting.name).collect();
        match (value.get_ref(), group) {
            (RawValue::Table(table), _) => {
                self.changes.push(Change::Switch(at, true));
                for (key, value) in table {
                    let member = key.get_ref().as_str();
                    let Some(setting) = SearchNumber::find(Some(at), member) else {
                        let place = format!("`search.{name}`");
                        unknown_key(key.span(), member, &place, &names).report(problems);
                        continue;
                    };
                    let path = format!("search.{name}.{member}");
                    let number = number(value, &path, setting.setting.kind, problems);
                    let change = number.map(|number| Change::Set(setting, number));
                    self.changes.extend(change);
                }
            }
            (RawValue::Flag(on), Group::Switch(_)) => self.changes.push(Change::Switch(at, *on)),
            (found, group) => {
                let (expected, off) = match group {
                    Group::Always(_) => (
                        "a table",
                        "; a stage is off where `search.ordering` does not name it",
                    ),
                    Group::Switch(_) => ("`true`, `false` or a table", ""),
                };
                Problem::error(value.span(), format!("wrong type in `search.{name}`"))
                    .label(format!("expected {expected}, found {}", found.type_name()))
                    .help(format!("its keys are {}{off}", names.join(", ")))
                    .report(problems);
            }
        }
    }

    /// Position of that key, if the variant turns it on explicitly and not by a preset.
    pub(super) fn explicit(&self, key: &str) -> Option<&Range<usize>> {
        let found = self.explicit.iter().find(|(explicit, _)| explicit == key);
        found.map(|(_, place)| place)
    }

    /// The ordering stages that it names itself, with their positions.
    pub(super) fn stages(&self) -> &[(Stage, Range<usize>)] {
        self.ordering.as_deref().unwrap_or_default()
    }

    /// Replaces the values that the layer sets.
    pub(super) fn apply(&self, params: &mut SearchParams) {
        if let Some(preset) = &self.preset {
            params.clone_from(preset);
        }
        if let Some(ordering) = &self.ordering {
            params.ordering = ordering.iter().map(|(stage, _)| *stage).collect();
        }
        for &change in &self.changes {
            match change {
                Change::Switch(at, on) => params.groups()[at].1.turn(on),
                Change::Set(setting, number) => setting.set(params, number),
            }
        }
    }
}

/// Converts a value to its number.
pub(super) fn number(
    value: &Spanned<RawValue>,
    path: &str,
    kind: Kind,
    problems: &mut Problems,
) -> Option<i64> {
    match (value.get_ref(), kind) {
        (RawValue::Number(number), Kind::Number { least, most }) => {
            let number = Spanned::new(value.span(), *number);
            in_range(&number, path, least..=most, problems)
        }
        (RawValue::Flag(flag), Kind::Flag) => Some(i64::from(*flag)),
        (RawValue::Text(name), Kind::Choice(names)) => {
            let name = Spanned::new(value.span(), name.clone());
            number_of_choice(&name, &format!("value of `{path}`"), names, problems)
        }
        (RawValue::Fraction(fraction), Kind::Number { least, most }) => {
            let near = near(*fraction, least, most);
            Problem::error(value.span(), format!("`{path}` is not a whole number"))
                .label("has a point or an exponent")
                .help(format!("put a whole number in its place: {near}"))
                .refuse(problems)
        }
        (_, kind) => {
            let expected = match kind {
                Kind::Number { .. } => "a whole number".to_owned(),
                Kind::Flag => "`true` or `false`".to_owned(),
                Kind::Choice(names) => format!("one of \"{}\"", names.join("\", \"")),
            };
            mismatch(value, path, &expected).refuse(problems)
        }
    }
}

/// The index of the name; `noun` names the choice in the message.
pub(super) fn number_of_choice(
    name: &Text,
    noun: &str,
    names: &[&str],
    problems: &mut Problems,
) -> Option<i64> {
    let known: Vec<(&str, i64)> = names.iter().copied().zip(0..).collect();
    choice(name, noun, &known, problems)
}

/// The whole numbers next to a fraction, within the range.
fn near(fraction: f64, least: i64, most: i64) -> String {
    let near = [fraction.floor(), fraction.ceil()].map(|near| near as i64);
    let is_in_range = |near: i64| (least..=most).contains(&near);
    match near.map(is_in_range) {
        [true, true] if near[0] != near[1] => format!("{} or {}", near[0], near[1]),
        [true, _] => near[0].to_string(),
        [false, true] => near[1].to_string(),
        [false, false] => format!("from {least} to {most}"),
    }
}

/// The text, if the value is one.
pub(super) fn text(value: &Spanned<RawValue>, path: &str, problems: &mut Problems) -> Option<Text> {
    match value.get_ref() {
        RawValue::Text(name) => Some(Spanned::new(value.span(), name.clone())),
        _ => mismatch(value, path, "a name").refuse(problems),
    }
}

/// The error for a value of the wrong type.
pub(super) fn mismatch(value: &Spanned<RawValue>, path: &str, expected: &str) -> Problem {
    let found = value.get_ref().type_name();
    wrong_type(value.span(), &format!("`{path}`"), expected, found)
}

fn ordering(
    value: &Spanned<RawValue>,
    problems: &mut Problems,
) -> Option<Vec<(Stage, Range<usize>)>> {
    let RawValue::List(names) = value.get_ref() else {
        return mismatch(value, "search.ordering", "a list of stages").refuse(problems);
    };
    let known: Vec<_> = Stage::ALL
        .iter()
        .map(|stage| (stage.name(), *stage))
        .collect();
    let mut stages: Vec<(Stage, Range<usize>)> = Vec::new();
    for name in names {
        let name = text(name, "search.ordering", problems);
        let stage = name.and_then(|name| {
            let stage = choice(&name, "ordering stage", &known, problems)?;
            Some((stage, name.span()))
        });
        let Some((stage, place)) = stage else {
            continue;
        };
        if let Some((_, first)) = stages.iter().find(|(other, _)| *other == stage) {
            let message = format!("the stage `{}` is listed twice", stage.name());
            Problem::error(place, message)
                .context(first.clone(), "first here")
                .help("the second one would never get a move")
                .report(problems);
            continue;
        }
        if let Some((before, first)) = stages.iter().find(|(other, _)| other.claims_all()) {
            let message = format!("the stage `{}` never gets a move", stage.name());
            Problem::warning(place.clone(), message)
                .context(
                    first.clone(),
                    format!("`{}` takes all moves", before.name()),
                )
                .report(problems);
        }
        stages.push((stage, place));
    }
    Some(stages)
}

/// The game of a config, if known.
type Card = Option<&'static dyn GameCard>;

/// The presets of a game: its own come before others of the same name.
fn presets(game: Card) -> Vec<Preset> {
    let own = game.map_or(&[][..], |card| card.facts().searches);
    let is_wide = game.is_some_and(|card| card.initial().count_legal_moves() > WIDE);
    let has_own = Preset::find(own, FULL_OF_WIDE.name).is_some();
    let of_wide = (is_wide && !has_own).then_some(&FULL_OF_WIDE);
    let own: Vec<&Preset> = own.iter().chain(of_wide).collect();
    let shared = PRESETS.iter().filter(|preset| {
        let mut own = own.iter();
        own.all(|other| other.name != preset.name)
    });
    shared.chain(own.iter().copied()).copied().collect()
}

/// Most moves of the usual start of a game for the pruning of late moves.
const WIDE: usize = 100;

/// The full search of a game with hundreds of moves, where the best one is often late in the order:
/// in Gomoku late move pruning loses 500 Elo at 3,000 nodes.
const FULL_OF_WIDE: Preset = Preset::new("full", "preset = 'full'\nlate_move_pruning = false");

fn read_search(text: &str) -> Result<SearchParams, Problem> {
    let mut problems = Vec::new();
    let layer = SearchLayer::check(&read_table(text)?, None, &mut problems);
    let mut params = SearchParams::default();
    layer.apply(&mut params);
    problems.into_iter().next().map_or(Ok(params), Err)
}

/// Returns the search preset of that name (`plain`, `full`): the game's own, or else the
/// general one.
pub fn search_preset(game: Option<&'static dyn GameCard>, name: &str) -> Option<SearchParams> {
    read_search(Preset::find(&presets(game), name)?.text).ok()
}
