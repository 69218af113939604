//! A variant's own search settings, checked against the search's lists of settings.

mod raw;

use std::marker::PhantomData;
use std::ops::Range;

use super::SearchNumber;
use super::form::Spanned;
use super::named::named;
use super::problem::{Problem, Problems};
use super::raw::Text;
use super::reader::{read_table, unknown_key, wrong_type};
use super::value::{choice, in_range};
use leitai_base::settings::{Group, Kind, Settings};
use leitai_game::card::GameCard;
use leitai_game::numbers::Preset;
use leitai_game::search::{PRESETS, SearchParams, Stage};
pub(super) use raw::{Raw, RawSearch};

/// A variant's own search settings.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchLayer {
    preset: Option<SearchParams>,
    /// Each stage with its position.
    ordering: Option<Vec<(Stage, Range<usize>)>>,
    words: Vec<Word>,
    /// The keys that it sets explicitly, with their positions.
    asked: Vec<(String, Range<usize>)>,
}

/// A single change of a search.
#[derive(Clone, Copy, Debug)]
enum Word {
    /// The group at this index is on or off.
    Switch(usize, bool),
    /// The setting has this value.
    Set(SearchNumber, i64),
}

impl SearchLayer {
    /// Checks the settings; `game` may have presets of its own.
    pub(super) fn check(raw: &RawSearch, game: Card, problems: &mut Problems) -> Self {
        let mut usual = SearchParams::default();
        let own = usual.list();
        let groups = usual.groups();
        let mut layer = Self::default();
        for (key, value) in &raw.0 {
            let name = key.get_ref().as_str();
            if name == "preset" {
                layer.preset = text(value, "search.preset", problems)
                    .and_then(|name| named_search(&name, game, problems));
            } else if name == "ordering" {
                layer.ordering = ordering(value, problems);
            } else if let Some(setting) = SearchNumber::find(None, name) {
                let path = format!("search.{name}");
                let number = number(value, &path, setting.setting.kind, problems);
                if number.is_some_and(|number| number > 0) {
                    layer.asked.push((name.to_owned(), key.span()));
                }
                let word = number.map(|number| Word::Set(setting, number));
                layer.words.extend(word);
            } else if let Some(at) = groups.iter().position(|(group, _)| *group == name) {
                let (_, group) = &groups[at];
                if !matches!(value.get_ref(), Raw::Flag(false)) {
                    layer.asked.push((name.to_owned(), key.span()));
                }
                layer.group(at, group, name, value, problems);
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
        value: &Spanned<Raw>,
        problems: &mut Problems,
    ) {
        let list = group.list();
        match (value.get_ref(), group) {
            (Raw::Table(table), _) => {
                self.words.push(Word::Switch(at, true));
                for (key, value) in table {
                    let member = key.get_ref().as_str();
                    let path = format!("search.{name}.{member}");
                    let Some(setting) = SearchNumber::find(Some(at), member) else {
                        let place = format!("`search.{name}`");
                        let known: Vec<&str> = list.iter().map(|setting| setting.name).collect();
                        unknown_key(key.span(), member, &place, &known).report(problems);
                        continue;
                    };
                    let number = number(value, &path, setting.setting.kind, problems);
                    let word = number.map(|number| Word::Set(setting, number));
                    self.words.extend(word);
                }
            }
            (Raw::Flag(on), Group::Switch(_)) => self.words.push(Word::Switch(at, *on)),
            (found, group) => {
                let names: Vec<_> = list.iter().map(|setting| setting.name).collect();
                let (expected, off) = match group {
                    Group::Always(_) => (
                        "a table",
                        "; a stage is off where `search.ordering` does not name it",
                    ),
                    Group::Switch(_) => ("`true`, `false` or a table", ""),
                };
                Problem::error(value.span(), format!("wrong type in `search.{name}`"))
                    .label(format!("expected {expected}, found {}", found.what()))
                    .help(format!("its keys are {}{off}", names.join(", ")))
                    .report(problems);
            }
        }
    }

    /// Position of that key, if the variant sets it explicitly and not by a preset.
    pub(super) fn asked(&self, key: &str) -> Option<&Range<usize>> {
        let found = self.asked.iter().find(|(asked, _)| asked == key);
        found.map(|(_, place)| place)
    }

    /// The ordering stages that it names itself, with their positions.
    pub(super) fn stages(&self) -> &[(Stage, Range<usize>)] {
        self.ordering.as_deref().unwrap_or_default()
    }

    /// Position of the key for exact endgames, if set explicitly and not by a preset.
    pub(super) fn endgame(&self) -> Option<&Range<usize>> {
        self.asked("endgame")
    }

    /// Position of the key for a solver, if set explicitly and not by a preset.
    pub(super) fn solver(&self) -> Option<&Range<usize>> {
        self.asked("solver")
    }

    pub(super) fn apply(&self, params: &mut SearchParams) {
        if let Some(preset) = &self.preset {
            params.clone_from(preset);
        }
        if let Some(ordering) = &self.ordering {
            params.ordering = ordering.iter().map(|(stage, _)| *stage).collect();
        }
        for &word in &self.words {
            match word {
                Word::Switch(at, on) => params.groups()[at].1.turn(on),
                Word::Set(setting, number) => setting.set(params, number),
            }
        }
    }
}

/// Converts a value to its number.
pub(super) fn number(
    value: &Spanned<Raw>,
    path: &str,
    kind: Kind,
    problems: &mut Problems,
) -> Option<i64> {
    match (value.get_ref(), kind) {
        (Raw::Number(number), Kind::Number { least, most }) => {
            let number = Spanned::new(value.span(), *number);
            in_range(&number, path, least..=most, problems)
        }
        (Raw::Flag(flag), Kind::Flag) => Some(i64::from(*flag)),
        (Raw::Text(name), Kind::Choice(names)) => {
            let known: Vec<(&str, i64)> = names.iter().copied().zip(0..).collect();
            let name = Spanned::new(value.span(), name.clone());
            choice(&name, &format!("value of `{path}`"), &known, problems)
        }
        (Raw::Fraction(fraction), Kind::Number { least, most }) => {
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
            mismatch(value, path, &expected, problems)
        }
    }
}

/// The whole numbers next to a fraction, within the range.
fn near(fraction: f64, least: i64, most: i64) -> String {
    let [below, above] = [fraction.floor(), fraction.ceil()].map(|near| near as i64);
    let near: Vec<String> = [below, above]
        .into_iter()
        .filter(|near| (least..=most).contains(near))
        .map(|near| near.to_string())
        .collect();
    match &near[..] {
        [below, above] if below != above => format!("{below} or {above}"),
        [only, ..] => only.clone(),
        [] => format!("from {least} to {most}"),
    }
}

/// The text, if the value is one.
pub(super) fn text(value: &Spanned<Raw>, path: &str, problems: &mut Problems) -> Option<Text> {
    match value.get_ref() {
        Raw::Text(name) => Some(Spanned::new(value.span(), name.clone())),
        _ => mismatch(value, path, "a name", problems),
    }
}

fn mismatch<T>(
    value: &Spanned<Raw>,
    path: &str,
    expected: &str,
    problems: &mut Problems,
) -> Option<T> {
    let found = value.get_ref().what();
    wrong_type(value.span(), &format!("`{path}`"), expected, found).refuse(problems)
}

fn ordering(value: &Spanned<Raw>, problems: &mut Problems) -> Option<Vec<(Stage, Range<usize>)>> {
    let Raw::List(names) = value.get_ref() else {
        return mismatch(value, "search.ordering", "a list of stages", problems);
    };
    let known: Vec<_> = Stage::ALL
        .iter()
        .map(|stage| (stage.name(), *stage))
        .collect();
    let mut stages: Vec<(Stage, Text)> = Vec::new();
    for name in names {
        let Some(name) = text(name, "search.ordering", problems) else {
            continue;
        };
        let Some(stage) = choice(&name, "ordering stage", &known, problems) else {
            continue;
        };
        if let Some((_, first)) = stages.iter().find(|(other, _)| *other == stage) {
            let message = format!("the stage `{}` stands twice", stage.name());
            Problem::error(name.span(), message)
                .context(first.span(), "first here")
                .help("the second one would never get a move")
                .report(problems);
            continue;
        }
        if let Some((before, first)) = stages.iter().find(|(other, _)| other.claims_all()) {
            let message = format!("the stage `{}` never gets a move", stage.name());
            Problem::warning(name.span(), message)
                .context(first.span(), format!("`{}` takes all moves", before.name()))
                .report(problems);
        }
        stages.push((stage, name));
    }
    let named = stages.into_iter();
    Some(named.map(|(stage, name)| (stage, name.span())).collect())
}

/// The game of a config, if known.
type Card = Option<&'static dyn GameCard>;

/// The presets of a game: its own come before others of the same name.
fn presets(game: Card) -> Vec<Preset> {
    let own = game.map_or(&[][..], |card| card.facts().searches);
    let shared = PRESETS
        .iter()
        .filter(|one| Preset::find(own, one.name).is_none());
    shared.chain(own).copied().collect()
}

/// The search preset named by the config.
pub(super) fn named_search(
    name: &Text,
    game: Card,
    problems: &mut Problems,
) -> Option<SearchParams> {
    named(name, &presets(game), read_search, problems)
}

fn read_search(text: &str) -> Result<SearchParams, Problem> {
    let mut problems = Vec::new();
    let raw = read_table(text, PhantomData)?;
    let layer = SearchLayer::check(&raw, None, &mut problems);
    let mut params = SearchParams::default();
    layer.apply(&mut params);
    problems.into_iter().next().map_or(Ok(params), Err)
}

/// Returns the search preset of that name (`plain`, `full`): the game's own, or else the
/// general one.
pub fn search_preset(game: Option<&'static dyn GameCard>, name: &str) -> Option<SearchParams> {
    read_search(Preset::find(&presets(game), name)?.text).ok()
}
