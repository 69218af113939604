//! Command-line options for the rules of games.

use clap::builder::{BoolValueParser, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, FromArgMatches, value_parser};

use super::prelude::*;
use leitai_base::settings::{Kind, Setting, SettingValue, Settings};
use leitai_game::card::GameChoice;

/// The chosen rules of any game: option, setting and its number.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleArguments(Vec<(&'static str, &'static str, i64)>);

/// A rule of a game, with its option.
struct RuleOption {
    card: Card,
    setting: &'static Setting,
    usual: i64,
    name: &'static str,
}

/// All options; if several games share the name of an option, the first of them.
fn options() -> Vec<RuleOption> {
    let mut options: Vec<RuleOption> = Vec::new();
    for card in games().iter() {
        let rules = card.rules();
        for (place, setting) in rules.list().iter().enumerate() {
            let name = card.rule_option(setting.name);
            if options.iter().all(|other| other.name != name) {
                let usual = rules.get(place);
                options.push(RuleOption {
                    card,
                    setting,
                    usual,
                    name,
                });
            }
        }
    }
    options
}

impl RuleOption {
    fn argument(&self) -> Arg {
        let usual = SettingValue(self.setting.kind, self.usual);
        let meaning = self.setting.meaning.trim().trim_end_matches('.');
        let help = format!(
            "{}: {meaning}; `{usual}` if not given",
            self.card.facts().title
        );
        let argument = Arg::new(self.name).long(self.name).help(help);
        let argument = argument.hide_short_help(true).help_heading("Rules");
        match self.setting.kind {
            Kind::Number { least, most } => {
                let numbers = value_parser!(i64).range(least..=most);
                argument.value_name("N").value_parser(numbers)
            }
            Kind::Flag => {
                let flag = BoolValueParser::new().map(i64::from);
                let argument = argument.value_name("BOOL").value_parser(flag);
                argument.num_args(0..=1).default_missing_value("true")
            }
            Kind::Choice(names) => {
                let place = |name: String| names.iter().position(|known| *known == name);
                let choice = PossibleValuesParser::new(names);
                let choice = choice.map(move |name| place(name).map_or(0, |place| place as i64));
                argument.value_name("CHOICE").value_parser(choice)
            }
        }
    }

    /// The value on the command line; `None` if the option is absent.
    fn given(&self, matches: &ArgMatches) -> Option<i64> {
        let is_said = matches.value_source(self.name) == Some(ValueSource::CommandLine);
        is_said.then(|| matches.get_one(self.name).copied())?
    }
}

impl Args for RuleArguments {
    fn augment_args(command: Command) -> Command {
        command.args(options().iter().map(RuleOption::argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for RuleArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let options = options();
        let given = options.iter().filter_map(|option| {
            let number = option.given(matches)?;
            Some((option.name, option.setting.name, number))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl RuleArguments {
    /// Returns whether no rule was chosen.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The game with these rules; each rule must be one of the game's own.
    ///
    /// # Errors
    /// A rule belongs to another game, or the game cannot be played by it.
    pub(super) fn only_of(&self, card: Card) -> Result<GameChoice, Failure> {
        let is_own = |option: &str, name: &str| {
            let mut names = card.rules().list().iter().map(|setting| setting.name);
            names.any(|own| own == name && card.rule_option(own) == option)
        };
        for (option, name, _) in &self.0 {
            if !is_own(option, name) {
                let of = options().into_iter().find(|known| known.name == *option);
                let game = of.map_or("another game", |known| known.card.facts().title);
                bail!("--{option} is a rule of {game}: leave it out");
            }
        }
        self.of(card)
    }

    /// The game with those of these rules that are its own.
    ///
    /// # Errors
    /// The game cannot be played by one of the rules.
    pub(super) fn of(&self, card: Card) -> Result<GameChoice, Failure> {
        let mut game = GameChoice::usual(card);
        let list = game.rules.list();
        for (option, name, number) in &self.0 {
            let is_it =
                |setting: &Setting| setting.name == *name && card.rule_option(name) == *option;
            if let Some(place) = list.iter().position(is_it) {
                game.rules.set(place, *number);
            }
        }
        if let Some((name, why, help)) = card.refused_rule(&game.rules) {
            bail!("--{}: {why}\nhelp: {help}", card.rule_option(name));
        }
        Ok(game)
    }
}
