//! The JSON Schema of a config (draft-07), for completion and checks in editors.
//!
//! It is generated from the code that reads and checks a config: the tables as typed, the settings
//! of the search, and the rules and numbers of each game.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::Games;
use super::adjudication::RawAdjudication;
use super::check::{MAX_VARIANTS, Seed};
use super::checks::Checks;
use super::failures::RawFailures;
use super::gate::RawGate;
use super::kept::Kept;
use super::limits::RawLimits;
use super::openings::RawOpenings;
use super::pairs::PairForm;
use super::program_typed::Typed;
use super::study::RawStudy;
use super::tournament::RawTournament;
use super::tune::RawTune;
use super::values::{Form as _, VisibleText};
use leitai_base::settings::{Group, Kind, Setting, SettingValue, Settings};
use leitai_game::card::{GameCard, NamedPlayer, programs_of, protocols_of};
use leitai_game::numbers::{Key, KeyGroup, NumberTable, Preset, Shape};
use leitai_game::search::{PRESETS, SearchParams, Stage};

/// The JSON Schema (draft-07) of the configs of these games, with the names of the books included
/// in the program.
///
/// It accepts all valid configs, and refuses unknown keys and values of a wrong type or out of range.
/// It does not detect missing or conflicting keys, or names without a variant.
pub fn schema(games: &Games, books: &[&str]) -> Value {
    let mut generator = SchemaSettings::draft07().into_generator();
    let mut openings = table::<RawOpenings>(&mut generator);
    let examples: Vec<String> = books.iter().map(|name| format!("leitai:{name}")).collect();
    openings["properties"]["file"]["examples"] = json!(examples);
    let names: Vec<&str> = games.iter().map(GameCard::name).collect();
    let cases = games.iter().map(case_of);
    let mut root = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A config of Leitai",
        "type": "object",
        "properties": {
            "game": described("The game.", json!({ "enum": names })),
            "seed": described("Seed of all random numbers; 0 if absent.", Seed::schema().into()),
            "rules": one_of_games(games, "The rules of the game.", "rules"),
            "limits": described("The limits of a move; at least one.", reference::<RawLimits>(&mut generator)),
            "openings": described("The openings of the games.", openings),
            "adjudication": described("Rules for ending games early.", reference::<RawAdjudication>(&mut generator)),
            "tournament": described("The pairings and their number of games.", reference::<RawTournament>(&mut generator)),
            "gate": described("A sequential test of candidates against a base.", reference::<RawGate>(&mut generator)),
            "tune": described("The tuned numbers of a variant, the algorithm and the number of games.", reference::<RawTune>(&mut generator)),
            "failures": described("The policy for pairs in which a player failed.", reference::<RawFailures>(&mut generator)),
            "checks": described("Checks of the lines of play that programs report.", reference::<Checks>(&mut generator)),
            "record": described("What the record keeps of programs' output besides their moves.", reference::<Kept>(&mut generator)),
            "pairs": described("The games of a pair.", reference::<PairForm>(&mut generator)),
            "study": described("A suite of positions, and the search depth of each variant.", reference::<RawStudy>(&mut generator)),
            "variant": described("The players.", json!({
                "type": "array",
                "minItems": 1,
                "maxItems": MAX_VARIANTS,
                "items": { "$ref": "#/definitions/variant" },
            })),
        },
        "additionalProperties": false,
        "required": ["game", "variant"],
        "allOf": cases.collect::<Vec<_>>(),
    });
    let variant = variant(games, &mut generator);
    let mut definitions = generator.take_definitions(true);
    definitions.insert("variant".to_owned(), variant);
    definitions.insert("search".to_owned(), search());
    for card in games.iter() {
        let name = card.name();
        definitions.insert(format!("rules-{name}"), rules(card));
        let (eval, stage) = eval(card);
        definitions.insert(format!("eval-{name}"), eval);
        if let Some(stage) = stage {
            definitions.insert(format!("stage-{name}"), stage);
        }
    }
    root["definitions"] = Value::Object(definitions);
    let mut schema = Schema::try_from(root).unwrap_or_default();
    NoNull.transform(&mut schema);
    schema.to_value()
}

/// The schema of a table as typed.
fn table<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    T::json_schema(generator).to_value()
}

fn reference<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    // Draft-07 ignores keywords next to a reference.
    json!({ "allOf": [generator.subschema_for::<T>()] })
}

fn described(text: &str, mut schema: Value) -> Value {
    schema["description"] = json!(text);
    schema
}

/// The schema that applies to configs of this game.
fn case_of(card: &'static dyn GameCard) -> Value {
    json!({
        "if": { "required": ["game"], "properties": { "game": { "const": card.name() } } },
        "then": { "properties": {
            "rules": defined("rules", card),
            "variant": { "items": { "properties": { "eval": defined("eval", card) } } },
        } },
    })
}

/// A choice of all games' schemas: editors without support for conditions complete from all of
/// them.
fn one_of_games(games: &Games, text: &str, what: &str) -> Value {
    let ways = games.iter().map(|card| defined(what, card));
    described(text, json!({ "anyOf": ways.collect::<Vec<_>>() }))
}

/// A reference to a game's definition.
fn defined(what: &str, card: &'static dyn GameCard) -> Value {
    json!({ "$ref": format!("#/definitions/{what}-{}", card.name()) })
}

fn rules(card: &'static dyn GameCard) -> Value {
    let rules = card.rules();
    let settings = rules.list().iter().map(|it| (it.name, of_setting(it)));
    object(settings)
}

fn variant(games: &Games, generator: &mut SchemaGenerator) -> Value {
    let mut variant = table::<Typed>(generator);
    let programs = programs_of(games.iter()).into_iter();
    let programs: Vec<&str> = programs.map(|program| program.name).collect();
    let players = games.iter().flat_map(|card| games.players_of(card));
    let players: Vec<&str> = players.map(NamedPlayer::name).collect();
    let properties = &mut variant["properties"];
    properties["preset"]["enum"] = json!(programs);
    properties["protocol"]["enum"] = json!(protocols_of(games.iter()));
    if !players.is_empty() {
        properties["player"]["enum"] = json!(players);
    }
    properties["command"]["minItems"] = json!(1);
    properties["name"] = described(
        "The player's name, unlike all others.",
        VisibleText::schema().into(),
    );
    properties["base"] = described(
        "The variant from which it inherits all keys that are not set here.",
        json!({ "type": "string" }),
    );
    let limits = generator.subschema_for::<RawLimits>();
    properties["limits"] = described(
        "Limits of its own, all of them; `own`: the program limits itself, if its protocol allows it.",
        json!({ "anyOf": [limits, { "const": "own" }] }),
    );
    properties["search"] = described(
        "The settings of the search.",
        json!({ "allOf": [{ "$ref": "#/definitions/search" }] }),
    );
    properties["eval"] = one_of_games(games, "The numbers of the evaluation.", "eval");
    variant["required"] = json!(["name"]);
    variant["additionalProperties"] = json!(false);
    variant
}

/// The schema of a variant's `search`, from the search's own lists of settings.
fn search() -> Value {
    let mut usual = SearchParams::default();
    let own: Vec<(&str, Value)> = with_usual(&usual, usual.list()).collect();
    let stages: Vec<&str> = Stage::ALL.iter().map(|stage| stage.name()).collect();
    let ordering = json!({
        "type": "array",
        "items": { "enum": stages },
        "uniqueItems": true,
        "description": "The stages that order the moves.",
    });
    let preset = preset("The start of the search settings.", &PRESETS);
    let groups = usual.groups().map(|(name, mut group)| {
        let is_switch = matches!(group, Group::Switch(_));
        group.turn(true);
        let list = group.list();
        let members: Vec<_> = match group.settings() {
            Some(settings) => with_usual(settings, list).collect(),
            None => Vec::new(),
        };
        let table = object(members);
        let value = if is_switch {
            json!({ "anyOf": [{ "type": "boolean" }, table] })
        } else {
            table
        };
        (name, value)
    });
    let first = [("preset", preset), ("ordering", ordering)];
    object(first.into_iter().chain(own).chain(groups))
}

/// The schemas of settings, with their defaults.
fn with_usual<'s>(
    settings: &'s dyn Settings,
    list: &'static [Setting],
) -> impl Iterator<Item = (&'static str, Value)> + 's {
    list.iter().enumerate().map(|(place, setting)| {
        let mut schema = of_setting(setting);
        schema["default"] = json!(SettingValue(setting.kind, settings.get(place)));
        (setting.name, schema)
    })
}

fn of_setting(setting: &Setting) -> Value {
    described(setting.meaning.trim(), of_kind(setting.kind))
}

fn of_kind(kind: Kind) -> Value {
    match kind {
        Kind::Number { least, most } => number(least, most),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Choice(names) => json!({ "enum": names }),
    }
}

fn number(least: i64, most: i64) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most })
}

fn preset(text: &str, presets: &[Preset]) -> Value {
    let names: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
    described(text, json!({ "enum": names }))
}

/// A table with only these keys.
fn object<'k>(keys: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    let keys = keys.into_iter().map(|(key, value)| (key.to_owned(), value));
    json!({
        "type": "object",
        "properties": keys.collect::<Map<_, _>>(),
        "additionalProperties": false,
    })
}

/// The schema of a variant's `eval` from the numbers of its game, and the schema of its later
/// stages, if any.
fn eval(card: &'static dyn GameCard) -> (Value, Option<Value>) {
    let table = card.numbers();
    let preset = preset("The start of the numbers.", table.presets);
    let keys = |group| group_keys(table, group);
    let (constant, staged) = table.groups.split_at(1);
    let of_stage: Vec<_> = staged.iter().flat_map(keys).collect();
    let stages = table.stages.iter().filter_map(|stage| stage.name);
    let stages = stages.map(|name| (name, defined("stage", card)));
    let first = std::iter::once(("preset", preset));
    let whole = first.chain(constant.iter().flat_map(keys)).chain(stages);
    let whole = object(whole.chain(of_stage.clone()));
    (whole, (table.stages.len() > 1).then(|| object(of_stage)))
}

/// The keys of a group, or the group as a key.
fn group_keys(table: &'static NumberTable, group: &'static KeyGroup) -> Vec<(&'static str, Value)> {
    let keys = &table.keys[group.keys.clone()];
    let keys = keys.iter().map(|it| (it.key.setting.name, of_key(&it.key)));
    let Some(name) = group.name else {
        return keys.collect();
    };
    let members: Vec<_> = keys.collect();
    let list: Vec<&Value> = members.iter().map(|(_, value)| value).collect();
    let list =
        json!({ "type": "array", "items": list, "minItems": list.len(), "maxItems": list.len() });
    let as_table = object(members.clone());
    let value = match group.per {
        Some(per) => described(
            &format!("By the names of {per}, or all of them in order."),
            json!({ "anyOf": [as_table, list] }),
        ),
        None => as_table,
    };
    vec![(name, value)]
}

fn of_key(key: &Key) -> Value {
    let one = of_kind(key.setting.kind);
    let schema = match &key.shape {
        Shape::One => one,
        Shape::List(names) => {
            let whole = list(&one, names.len());
            match &key.board {
                // The whole board, optionally in rows, instead of its square classes.
                Some(board) => json!({ "anyOf": [
                    whole,
                    list(&one, board.squares.len()),
                    list(&list(&one, board.columns), board.squares.len() / board.columns),
                ] }),
                None => whole,
            }
        }
        Shape::Grid { columns, names, .. } => list(&list(&one, *columns), names.len() / columns),
    };
    described(key.setting.meaning.trim(), schema)
}

fn list(of: &Value, count: usize) -> Value {
    json!({ "type": "array", "items": of, "minItems": count, "maxItems": count })
}

/// TOML has no null: absent keys are omitted.
struct NoNull;

impl Transform for NoNull {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let is_null = |value: &Value| value.is_null() || *value == json!("null");
        for key in ["type", "enum"] {
            let Some(Value::Array(values)) = schema.get_mut(key) else {
                continue;
            };
            values.retain(|value| !is_null(value));
            if let (true, [one]) = (key == "type", values.as_slice()) {
                let one = one.clone();
                schema.insert(key.to_owned(), one);
            }
        }
        let Some(Value::Array(ways)) = schema.get_mut("anyOf") else {
            return;
        };
        ways.retain(|way| way["type"] != "null");
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::schema;
    use crate::games;
    use crate::parse;

    /// The keys that a message offers instead of an unknown one.
    fn offered(text: &str) -> BTreeSet<String> {
        let told = parse(text, "x.toml", &games::all())
            .unwrap_err()
            .to_string();
        let choices = told.lines().find(|line| {
            line.contains("the choices are `game`") || line.contains("the choices are `name`")
        });
        let names = choices.unwrap_or_else(|| panic!("{told}")).split('`');
        names.skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn it_has_the_keys_that_are_read() {
        let schema = schema(&games::all(), &[]);
        let keys = |table: &serde_json::Value| -> BTreeSet<String> {
            table["properties"]
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect()
        };
        assert_eq!(keys(&schema), offered("zzzzzz = 1\ngame = \"othello\""));
        let variant = "game = \"othello\"\nvariant = [{ zzzzzz = 1 }]";
        assert_eq!(keys(&schema["definitions"]["variant"]), offered(variant));
    }
}
