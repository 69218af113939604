//! The effective settings of a config, for display.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::clock::BYOYOMI;
use super::duration::time_text;
use super::{Config, TestKind};

impl Config {
    /// All effective settings as JSON. The [resolved](Config::resolved) form is the basis of
    /// identities, so it leaves out usual values of keys that are newer than the first records, the
    /// locations of files, and stages that are runs of their own. This form includes them, and
    /// unset values are `null`.
    ///
    /// # Errors
    /// None in practice: every part can be written as JSON.
    pub fn effective(&self) -> Result<Value, serde_json::Error> {
        let mut all = serde_json::to_value(self)?;
        let openings = &self.openings;
        let of_openings = &mut all["openings"];
        set(of_openings, "file", &openings.file)?;
        set(of_openings, "format", openings.format)?;
        set(of_openings, "plies", openings.plies)?;
        set(of_openings, "start", openings.start)?;
        set(&mut all, "failures", self.failures)?;
        let tolerate = self.failures.tolerate.to_string();
        set(&mut all["failures"], "tolerate", tolerate)?;
        fill_limits(&mut all["limits"]);
        set(&mut all, "checks", self.checks)?;
        set(&mut all, "record", &self.kept)?;
        set(&mut all, "pairs", self.pairs)?;
        let (rules, own) = (&self.adjudication, &mut all["adjudication"]);
        if let Some(resign) = rules.resign {
            set(&mut own["resign"], "by", resign.by)?;
        }
        if let Some(draw) = rules.draw {
            set(&mut own["draw"], "reset", draw.reset)?;
        }
        fill(own, &["syzygy"], &Value::Null);
        if let Some(tables) = &rules.syzygy {
            set(&mut own["syzygy"], "path", &tables.folders)?;
        }
        if let Some(gate) = &self.gate {
            let of_gate = &mut all["gate"];
            set(of_gate, "alike_pairs", gate.alike_pairs)?;
            set(of_gate, "test", TestSettings::from(gate.test))?;
        }
        if let Some(tune) = &self.tune {
            let of_tune = &mut all["tune"];
            set(of_tune, "proof", &tune.proof)?;
            set(of_tune, "frozen", &tune.frozen)?;
            set(of_tune, "texel", &tune.texel)?;
            set(of_tune, "second", &tune.second)?;
            set(of_tune, "pool", &tune.pool)?;
        }
        for (index, variant) in self.variants.iter().enumerate() {
            let of_variant = &mut all["variants"][index];
            if variant.limits.is_some() {
                fill_limits(&mut of_variant["limits"]);
            }
            if let Some(program) = &variant.program {
                let of_program = &mut of_variant["program"];
                set(of_program, "startup", program.startup)?;
                set(of_program, "stall", program.stall)?;
                set(of_program, "ping", program.ping)?;
                set(of_program, "new_game", program.new_game)?;
                set(of_program, "ponder", program.ponder)?;
                set(&mut of_program["profile"], "passes", program.profile.passes)?;
            }
        }
        Ok(all)
    }
}

/// The value with each duration as text in a config's notation: `"200ms"`.
pub fn with_times_as_text(value: Value) -> Value {
    mapped(value, |members| {
        let part = |key| members.get(key).and_then(Value::as_u64);
        match (members.len(), part("secs"), part("nanos")) {
            (2, Some(secs), Some(nanos)) => {
                let time = Duration::from_secs(secs) + Duration::from_nanos(nanos);
                Value::String(time_text(time))
            }
            _ => Value::Object(members),
        }
    })
}

/// A resolved config in the keys and values of a config: times as text, `clock` and `movetime`
/// instead of `time`, `test` by its name.
pub fn as_typed(resolved: &Value) -> Value {
    mapped(with_times_as_text(resolved.clone()), |members| {
        let mut typed = Map::new();
        for (key, value) in members {
            match (key.as_str(), value) {
                ("time", Value::Object(control)) if control.len() == 1 => {
                    typed.extend(control.into_iter().flat_map(time_control));
                }
                ("test", Value::Object(test)) if test.len() == 1 => {
                    for (name, settings) in test {
                        typed.insert(key.clone(), Value::String(name));
                        if let Value::Object(settings) = settings {
                            typed.extend(settings);
                        }
                    }
                }
                (_, value) => {
                    typed.insert(key, value);
                }
            }
        }
        Value::Object(typed)
    })
}

/// The value with each object changed, inner ones first.
fn mapped(value: Value, change: fn(Map<String, Value>) -> Value) -> Value {
    match value {
        Value::Array(values) => {
            let values = values.into_iter();
            values.map(|value| mapped(value, change)).collect()
        }
        Value::Object(members) => {
            let members = members.into_iter();
            change(
                members
                    .map(|(key, value)| (key, mapped(value, change)))
                    .collect(),
            )
        }
        value => value,
    }
}

/// The config keys of a time control.
fn time_control((kind, value): (String, Value)) -> Vec<(String, Value)> {
    let Value::Object(clock) = &value else {
        let key = if kind == "per-move" {
            "movetime".to_owned()
        } else {
            kind
        };
        return vec![(key, value)];
    };
    let later = clock.get("later").and_then(Value::as_array);
    let later = later.into_iter().flatten().filter_map(Value::as_object);
    let stages: Vec<_> = std::iter::once(clock)
        .chain(later)
        .map(stage_text)
        .collect();
    let is_hourglass = clock.get("hourglass") == Some(&json!(true));
    let word = if is_hourglass { "hourglass " } else { "" };
    let byoyomi = clock.get(BYOYOMI).and_then(Value::as_str);
    let byoyomi = byoyomi.map_or(String::new(), |time| format!(" {BYOYOMI} {time}"));
    let text = format!("{word}{}{byoyomi}", stages.join(", "));
    let mut keys = vec![(kind, Value::String(text))];
    if let Some(first) = clock.get("first_increment") {
        keys.push(("first_increment".to_owned(), first.clone()));
    }
    keys
}

/// A stage of a clock in a config's notation.
fn stage_text(stage: &Map<String, Value>) -> String {
    let part = |key: &str| stage.get(key).and_then(Value::as_str).unwrap_or_default();
    let moves = stage.get("moves").and_then(Value::as_u64);
    let moves = moves.map_or(String::new(), |moves| format!("{moves}/"));
    let increment = match part("increment") {
        "" | "0s" => String::new(),
        increment => format!("+{increment}"),
    };
    format!("{moves}{}{increment}", part("base"))
}

/// A value in a config's notation, without unset parts.
pub fn typed_text(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(typed_text).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(members) => {
            let set = members.iter().filter(|(_, value)| !value.is_null());
            let set = set.map(|(key, value)| format!("{key} = {}", typed_text(value)));
            format!("{{ {} }}", set.collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}

fn set(table: &mut Value, key: &str, value: impl Serialize) -> Result<(), serde_json::Error> {
    table[key] = serde_json::to_value(value)?;
    Ok(())
}

fn fill_limits(limits: &mut Value) {
    fill(limits, &["margin", "reference_nps"], &Value::Null);
    fill(limits, &["equal_time"], &json!(false));
    if let Some(clock) = limits.pointer_mut("/time/clock") {
        fill(clock, &["moves"], &Value::Null);
        fill(clock, &["first_increment", "hourglass"], &json!(false));
        fill(clock, &["later"], &json!([]));
    }
}

/// Sets absent keys.
fn fill(table: &mut Value, keys: &[&str], usual: &Value) {
    for key in keys {
        if table[key].is_null() {
            table[key] = usual.clone();
        }
    }
}

/// A test with its settings, in a common form for all tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TestSettings {
    /// Its name in a config.
    pub kind: &'static str,
    /// True if the bounds of a `gsprt` are corrected for the overshoot; `None` for other tests.
    pub overshoot: Option<bool>,
    /// The number of looks of a group-sequential test; `None` for other tests.
    pub looks: Option<u64>,
}

impl From<TestKind> for TestSettings {
    fn from(test: TestKind) -> Self {
        let (overshoot, looks) = match test {
            TestKind::Gsprt { overshoot } => (Some(overshoot), None),
            TestKind::Trinomial | TestKind::Strict => (None, None),
            TestKind::GroupSequential { looks } => (None, Some(looks)),
        };
        Self {
            kind: test.name(),
            overshoot,
            looks,
        }
    }
}
