//! The keys of a `[[variant]]` that is another program, as typed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::form::{Name, Of, Spanned, Time, Whole};
use super::problem::Problems;
use super::raw::{Number, Text};
use super::reader::{Fields, Found};
use super::search::Raw;
use super::{Letters, Passing, Protocol};
use leitai_base::settings::choice;

/// Texts by name.
pub(super) type Texts = BTreeMap<Text, Spanned<Raw>>;

/// The keys of a program, each with the type of its value: what is said of them is taken
/// from a table, laid over what a base says, and found by its place.
macro_rules! keys {
    ($($(#[$attribute:meta])+ $key:ident: $value:ty,)*) => {
        /// What one variant says of a program, as typed.
        #[derive(Clone, Default, JsonSchema)]
        #[schemars(rename = "program")]
        pub(super) struct Typed {
            $($(#[$attribute])+ pub(super) $key: Option<$value>,)*
            /// Whether a value had the wrong type, which has been reported.
            #[schemars(skip)]
            pub(super) broken: bool,
        }

        impl Typed {
            /// All keys.
            pub(super) const KEYS: &[&str] = &[$(stringify!($key)),*];

            pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Self {
                let mut typed = Self::default();
                $(
                    let place = concat!("`variant.", stringify!($key), "`");
                    match fields.take(stringify!($key), place, problems) {
                        Found::Value(value) => typed.$key = Some(value),
                        Found::Absent => {}
                        Found::Broken => typed.broken = true,
                    }
                )*
                typed
            }

            /// A key of the base holds where this says nothing.
            fn or(self, base: &Typed) -> Typed {
                Typed {
                    $($key: self.$key.or_else(|| base.$key.clone()),)*
                    broken: self.broken || base.broken,
                }
            }

            /// The keys that are said, and where.
            fn places(&self) -> impl Iterator<Item = (&'static str, Range<usize>)> {
                let places = [$((stringify!($key), self.$key.as_ref().map(|it| it.span())),)*];
                places.into_iter().filter_map(|(key, place)| Some((key, place?)))
            }
        }
    };
}

keys! {
    /// A player that this program brings and that is no search of ours; not beside `command`.
    player: Text,
    /// The player is another program: it and its arguments. A bare name is looked for in `PATH`, a
    /// path from the config's folder.
    command: Spanned<Vec<Text>>,
    /// The ways of a known program.
    preset: Text,
    /// What the program speaks; needed without a `preset`.
    protocol: Of<Name<Protocol>>,
    /// Letters for elephant and horse in a FEN; `BN` if absent.
    letters: Of<Name<Letters>>,
    /// The number of Red's home rank in moves; found out if absent.
    rank_base: Of<Whole<0, 1>>,
    /// Fields of a FEN: 6 if absent; 4 is without the two dashes.
    #[schemars(with = "Option<FenFields>")]
    fen_fields: Number,
    /// CECP: moves are sent after the word `usermove`.
    usermove: Spanned<bool>,
    /// UCCI: times in milliseconds, where the program offers it; true if absent.
    milliseconds: Spanned<bool>,
    /// GTP, `NBoard`: whether passes are spoken of; `send` if absent.
    passes: Of<Name<Passing>>,
    /// Nodes that it may report beyond a node limit and a tenth of it.
    node_margin: Of<Whole<0, 1_000_000_000>>,
    /// Start the program anew for every game.
    restart: Spanned<bool>,
    /// Lines that are sent as they stand after the greeting.
    init: Spanned<Vec<Text>>,
    /// Options by name; the program must offer them, and take the value.
    #[schemars(with = "Option<BTreeMap<String, Scalar>>")]
    options: Spanned<Texts>,
    /// What becomes of options that the program does not offer, or whose value it does not take:
    /// an error (`refuse`, if absent), or a message.
    unknown_options: Of<Name<Habit>>,
    /// Environment variables that are added.
    #[schemars(with = "Option<BTreeMap<String, Scalar>>")]
    environment: Spanned<Texts>,
    /// Working folder, from the config's folder.
    folder: Text,
    /// How long the greeting, or the beginning of a game, may take; 10 s if absent.
    startup: Of<Time>,
    /// How long a move may take under a node or depth limit; 10 s if absent.
    stall: Of<Time>,
}

choice! {
    /// What becomes of options that a program does not take.
    pub(super) enum Habit {
        /// An error.
        Refuse = "refuse",
        /// A message.
        Skip = "skip",
    }
}

/// What the schema says of `fen_fields`.
struct FenFields;

impl JsonSchema for FenFields {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "fen_fields".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": [4, 6] })
    }
}

/// What the schema says of the value of an option.
struct Scalar;

impl JsonSchema for Scalar {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "option".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "integer", "boolean"] })
    }
}

impl Typed {
    /// These words laid over those of a base: a key replaces that of the base,
    /// an option or a variable of the environment the one of its name.
    pub(super) fn over(mut self, base: &Typed) -> Typed {
        let is_option = str::eq_ignore_ascii_case;
        self.options = merged(self.options, base.options.as_ref(), is_option);
        self.environment = merged(self.environment, base.environment.as_ref(), str::eq);
        self.or(base)
    }

    /// Who plays, if it is no search of ours: in a word, and where that is said.
    pub(super) fn other(&self) -> Option<(&'static str, Range<usize>)> {
        let program = self.command.as_ref().map(|it| ("program", it.span()));
        program.or_else(|| self.player.as_ref().map(|it| ("player", it.span())))
    }

    /// Where the key is said.
    pub(super) fn place(&self, key: &str) -> Option<Range<usize>> {
        let mut places = self.places();
        places.find_map(|(said, place)| (said == key).then_some(place))
    }

    /// The first key that means nothing without a `command`.
    pub(super) fn stray(&self) -> Option<(&'static str, Range<usize>)> {
        let mut places = self.places();
        places.find(|(key, _)| !matches!(*key, "player" | "command"))
    }
}

/// The entries of both; where names are the same, the variant's own.
fn merged(
    own: Option<Spanned<Texts>>,
    base: Option<&Spanned<Texts>>,
    same: impl Fn(&str, &str) -> bool,
) -> Option<Spanned<Texts>> {
    let (Some(own), Some(base)) = (&own, base) else {
        return own.or_else(|| base.cloned());
    };
    let mut all = base.get_ref().clone();
    all.retain(|name, _| {
        let mut names = own.get_ref().keys();
        !names.any(|other| same(name.get_ref(), other.get_ref()))
    });
    all.extend(own.get_ref().clone());
    Some(Spanned::new(own.span(), all))
}
