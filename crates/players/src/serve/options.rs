//! Engine options: those of the protocol, and every setting of the search and number of the
//! evaluation with its range.

use std::time::Duration;

use super::task::DEFAULT_OVERHEAD;
use super::{Player, Protocol};
use leitai_base::count::quoted;
use leitai_base::settings::{Group, Kind, Settings};
use leitai_config::SearchNumber;
use leitai_game::card::{GameCard, Rules};
use leitai_game::numbers::{Entry, EvalParams, Shape};
use leitai_game::search::SearchParams;

/// One option and its value.
struct EngineOption {
    name: String,
    kind: ValueKind,
    value: i64,
    /// The value that the search uses. It differs from `value` while that one conflicts with other
    /// options.
    in_force: i64,
    /// Number of options that were set before this one.
    set: u64,
    target: Target,
}

/// The kind of an option's values.
#[derive(Clone, Copy)]
enum ValueKind {
    Setting(Kind),
    /// Only the game's name.
    Game,
    /// No value: a button.
    Button,
}

/// The effect of an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Sets a setting of the search.
    Search(SearchNumber),
    /// Switches the group of this number on or off.
    Switch(usize),
    /// Sets a number of the evaluation.
    Eval(Entry),
    NewGame,
    Lines,
    Overhead,
    Milliseconds,
    /// Sets the rule with this index.
    Rule(usize),
    /// No effect; the other program may set the option.
    Formality,
}

/// All options.
pub(super) struct Options {
    protocol: Protocol,
    card: &'static dyn GameCard,
    base: SearchParams,
    base_eval: EvalParams,
    /// True if options of square tables are announced; they can be set in any case.
    squares: bool,
    choices: Vec<EngineOption>,
    /// Number of options set so far.
    sets: u64,
    /// Warning about options without effect.
    pub(super) warning: Option<String>,
}

/// The setting for the size of the table.
const TABLE: &str = "table_mb";

const ONE: Kind = range(1, 1);
const LINES: Kind = range(1, 128);
const OVERHEAD: Kind = range(0, 5000);

const fn range(least: i64, most: i64) -> Kind {
    Kind::Number { least, most }
}

impl Options {
    /// Creates the options of a player.
    pub(super) fn new(protocol: Protocol, player: &Player) -> Self {
        let eval = &player.eval;
        let mut options = Self {
            protocol,
            card: player.game.card,
            base: player.search.clone(),
            base_eval: eval.clone(),
            squares: player.announces_squares,
            choices: Vec::new(),
            sets: 0,
            warning: None,
        };
        let flag = Kind::Flag;
        let overhead = DEFAULT_OVERHEAD.as_millis() as i64;
        match protocol {
            Protocol::Uci | Protocol::Usi => {
                // USI option names must not contain spaces.
                let [variant, ponder, reserve, clear] = match protocol {
                    Protocol::Usi => ["USI_Variant", "USI_Ponder", "MoveOverhead", "ClearHash"],
                    _ => ["UCI_Variant", "Ponder", "Move Overhead", "Clear Hash"],
                };
                options.push(variant, ValueKind::Game, 0, Target::Formality);
                options.add_rules(&player.game.rules);
                options.add("Threads", ONE, 1, Target::Formality);
                options.add(ponder, flag, 0, Target::Formality);
                options.add("MultiPV", LINES, 1, Target::Lines);
                options.add(reserve, OVERHEAD, overhead, Target::Overhead);
                options.push(clear, ValueKind::Button, 0, Target::NewGame);
            }
            Protocol::Ucci => {
                options.add("usemillisec", flag, 0, Target::Milliseconds);
                options.add("threads", ONE, 1, Target::Formality);
                options.add("ponder", flag, 0, Target::Formality);
                options.add("moveoverhead", OVERHEAD, overhead, Target::Overhead);
                options.push("newgame", ValueKind::Button, 0, Target::NewGame);
            }
        }
        options.add_settings();
        for (entry, &value) in eval.table().entries().zip(eval.values()) {
            let kind = entry.key().setting.kind;
            options.add(&format!("eval.{entry}"), kind, value, Target::Eval(entry));
        }
        options
    }

    /// Adds the rules that have an option in the protocol.
    fn add_rules(&mut self, rules: &Rules) {
        for &(option, name) in self.card.facts().rule_options {
            let mut rules_by_place = rules.list().iter().enumerate();
            if let Some((place, rule)) = rules_by_place.find(|(_, rule)| rule.name == name) {
                self.add(option, rule.kind, rules.get(place), Target::Rule(place));
            }
        }
    }

    /// Sets the rules that have an option.
    pub(super) fn choose_rules(&self, rules: &mut Rules) {
        for choice in &self.choices {
            if let Target::Rule(place) = choice.target {
                rules.set(place, choice.value);
            }
        }
    }

    fn add_settings(&mut self) {
        let mut params = self.base.clone();
        let mut usual = params.clone();
        for (_, group) in &mut usual.groups() {
            // Groups that are off have the usual numbers.
            group.turn(true);
        }
        let mut last = None;
        let (solver, prover) = (self.card.has_solver(), self.card.facts().has_prover);
        let has = |group: Option<(usize, &str)>| match group.map(|(_, name)| name) {
            Some("endgame") => solver,
            Some("solver") => prover,
            _ => true,
        };
        let settings = SearchNumber::settings().into_iter();
        let numbers = self.card.numbers();
        for setting in settings.filter(|it| has(it.group) && it.is_used_with(numbers)) {
            let begins = setting.group.filter(|_| setting.group != last);
            if let Some((at, group)) = begins
                && let Group::Switch(switch) = &params.groups()[at].1
            {
                let on = i64::from(switch.is_on());
                self.add(group, Kind::Flag, on, Target::Switch(at));
            }
            last = setting.group;
            let name = setting.to_string();
            let name = match (name.as_str(), self.protocol) {
                (TABLE, Protocol::Uci) => "Hash",
                (TABLE, Protocol::Usi) => "USI_Hash",
                (TABLE, Protocol::Ucci) => "hashsize",
                (name, _) => name,
            };
            let value = setting.get(&usual).unwrap_or_default();
            self.add(name, setting.setting.kind, value, Target::Search(setting));
        }
    }

    fn add(&mut self, name: &str, kind: Kind, value: i64, target: Target) {
        self.push(name, ValueKind::Setting(kind), value, target);
    }

    fn push(&mut self, name: &str, kind: ValueKind, value: i64, target: Target) {
        self.choices.push(EngineOption {
            name: name.to_owned(),
            kind,
            value,
            in_force: value,
            set: 0,
            target,
        });
    }

    /// Formats the lines that announce the options.
    pub(super) fn list(&self) -> String {
        let is_announced = |choice: &&EngineOption| match choice.target {
            Target::Eval(entry) => self.squares || matches!(entry.key().shape, Shape::One),
            _ => true,
        };
        let announced = self.choices.iter().filter(is_announced);
        let lines: Vec<String> = announced.map(|choice| self.line(choice)).collect();
        lines.join("\n")
    }

    fn line(&self, choice: &EngineOption) -> String {
        let word = match self.protocol {
            Protocol::Uci | Protocol::Usi => "name ",
            Protocol::Ucci => "",
        };
        let (name, value) = (&choice.name, choice.value);
        let rest = match choice.kind {
            ValueKind::Button => "button".to_owned(),
            ValueKind::Game => format!("combo default {0} var {0}", self.card.name()),
            ValueKind::Setting(Kind::Flag) => format!("check default {}", value != 0),
            ValueKind::Setting(Kind::Number { least, most }) => {
                format!("spin default {value} min {least} max {most}")
            }
            ValueKind::Setting(Kind::Choice(names)) => {
                let default = names.get(value as usize).unwrap_or(&"");
                format!("combo default {default} var {}", names.join(" var "))
            }
        };
        format!("option {word}{name} type {rest}")
    }

    /// Sets the option of that name, which is not case-sensitive. Returns whether the option begins
    /// a new game. `refuses` returns the reason why a table of this size in MiB is impossible.
    ///
    /// # Errors
    /// There is no such option, it does not accept the value, or memory is insufficient: the
    /// message.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: &str,
        refuses: fn(u32) -> Option<String>,
    ) -> Result<bool, String> {
        let mut choices = self.choices.iter_mut();
        let choice = choices.find(|choice| choice.name.eq_ignore_ascii_case(name));
        let choice = choice.ok_or_else(|| format!("no option `{name}`"))?;
        let game = self.card.name();
        let number = match choice.kind {
            ValueKind::Button => return Ok(true),
            ValueKind::Game => value.eq_ignore_ascii_case(game).then_some(0),
            ValueKind::Setting(kind) => read(kind, value),
        };
        let Some(number) = number else {
            let name = &choice.name;
            let takes = match choice.kind {
                ValueKind::Setting(Kind::Number { least, most }) => {
                    format!("a whole number from {least} to {most}")
                }
                ValueKind::Setting(Kind::Flag) => "true or false".to_owned(),
                ValueKind::Setting(Kind::Choice(names)) => names.join(", "),
                ValueKind::Game | ValueKind::Button => game.to_owned(),
            };
            return Err(format!("`{name}` takes {takes}, not `{value}`: unchanged"));
        };
        if let Target::Search(setting) = choice.target
            && setting.setting.name == TABLE
            && number > choice.value
            && let Some(reason) = refuses(number as u32)
        {
            let name = &choice.name;
            return Err(format!("`{name}` stays {}: {reason}", choice.value));
        }
        self.sets += 1;
        choice.value = number;
        choice.set = self.sets;
        self.apply();
        Ok(false)
    }

    /// Applies a consistent set of options: all if they are consistent, otherwise as many as
    /// possible, in the order in which they were set.
    fn apply(&mut self) {
        self.warning = None;
        let set = |choice: &mut EngineOption| std::mem::replace(&mut choice.in_force, choice.value);
        let before: Vec<i64> = self.choices.iter_mut().map(set).collect();
        if self.conflict().is_none() {
            return;
        }
        for (choice, before) in self.choices.iter_mut().zip(before) {
            choice.in_force = before;
        }
        let differs = |choice: &EngineOption| choice.in_force != choice.value;
        let places = 0..self.choices.len();
        let mut held: Vec<usize> = places.filter(|&at| differs(&self.choices[at])).collect();
        held.sort_by_key(|&at| self.choices[at].set);
        let reason = loop {
            let tried = held.len();
            let mut reason = None;
            held.retain(|&at| {
                let before = self.choices[at].in_force;
                self.choices[at].in_force = self.choices[at].value;
                let conflict = self.conflict();
                let refused = conflict.is_some();
                if refused {
                    self.choices[at].in_force = before;
                    reason = reason.take().or(conflict);
                }
                refused
            });
            if held.len() == tried || held.is_empty() {
                break reason;
            }
        };
        let names = quoted(held.iter().map(|&at| &self.choices[at].name));
        self.warning = reason.map(|reason| format!("options without effect: {names}: {reason}"));
    }

    /// Returns the conflict of the applied options with one another or with the game.
    fn conflict(&self) -> Option<String> {
        self.params().conflict().map(|(reason, _)| reason)
    }

    /// Returns the search settings with the options applied.
    pub(super) fn params(&self) -> SearchParams {
        let mut params = self.base.clone();
        for choice in &self.choices {
            match choice.target {
                Target::Switch(at) => params.groups()[at].1.turn(choice.in_force != 0),
                Target::Search(setting) => setting.set(&mut params, choice.in_force),
                _ => {}
            }
        }
        params
    }

    /// Returns the evaluation with the options applied.
    pub(super) fn eval(&self) -> EvalParams {
        let mut eval = self.base_eval.clone();
        for choice in &self.choices {
            if let Target::Eval(entry) = choice.target {
                eval.set(entry, choice.value);
            }
        }
        eval
    }

    fn value(&self, target: Target) -> Option<i64> {
        let mut choices = self.choices.iter();
        Some(choices.find(|choice| choice.target == target)?.value)
    }

    /// Returns whether times are in milliseconds, if the protocol has this option.
    pub(super) fn milliseconds(&self) -> bool {
        self.value(Target::Milliseconds) == Some(1)
    }

    /// Returns the time that communication between the programs may take.
    pub(super) fn overhead(&self) -> Duration {
        Duration::from_millis(self.value(Target::Overhead).unwrap_or(0) as u64)
    }

    /// Returns the number of requested lines.
    pub(super) fn lines(&self) -> usize {
        self.value(Target::Lines).unwrap_or(1) as usize
    }
}

/// Parses a value of this kind and returns it as a number.
fn read(kind: Kind, value: &str) -> Option<i64> {
    let is = |word: &str| word.eq_ignore_ascii_case(value);
    let number = match kind {
        Kind::Number { .. } => value.parse().ok()?,
        Kind::Flag if is("true") || is("on") => 1,
        Kind::Flag if is("false") || is("off") => 0,
        Kind::Flag => return None,
        Kind::Choice(names) => names.iter().position(|name| is(name))? as i64,
    };
    kind.holds(number).then_some(number)
}
