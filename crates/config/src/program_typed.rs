//! The keys of a `[[variant]]` for an external program, as typed.

use std::collections::BTreeMap;
use std::ops::Range;

use schemars::{JsonSchema, Schema, json_schema};

use super::problem::Problems;
use super::reader::{Fields, KeyLookup};
use super::values::{Form, Name, Of, RawTable, RawValue, Spanned, Text, Time, Whole};
use super::{Letters, Passing};
use leitai_base::settings::choice;

/// Defines the keys of a program, each with the type of its value: reading from a table,
/// inheritance from a base, and lookup of positions.
macro_rules! keys {
    ($($(#[$attribute:meta])+ $key:ident: $value:ty,)*) => {
        /// A variant's settings of a program, as typed.
        #[derive(Clone, Default, JsonSchema)]
        #[schemars(rename = "program")]
        pub(super) struct Typed {
            $($(#[$attribute])+ pub(super) $key: Option<$value>,)*
            /// True if a value had the wrong type, which has been reported.
            #[schemars(skip)]
            pub(super) broken: bool,
        }

        impl Typed {
            pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Self {
                let mut typed = Self::default();
                $(
                    let place = concat!("`variant.", stringify!($key), "`");
                    match fields.take(stringify!($key), place, problems) {
                        KeyLookup::Value(value) => typed.$key = Some(value),
                        KeyLookup::Absent => {}
                        KeyLookup::Broken => typed.broken = true,
                    }
                )*
                typed
            }

            /// Takes absent keys from the base.
            fn or(self, base: &Typed) -> Typed {
                Typed {
                    $($key: self.$key.or_else(|| base.$key.clone()),)*
                    broken: self.broken || base.broken,
                }
            }

            /// The keys that are set, with their positions.
            fn places(&self) -> impl Iterator<Item = (&'static str, Range<usize>)> {
                let places = [$((stringify!($key), self.$key.as_ref().map(|it| it.span())),)*];
                places.into_iter().filter_map(|(key, place)| Some((key, place?)))
            }
        }
    };
}

keys! {
    /// A named player of the game that is neither a search nor a program; excludes `command`.
    player: Text,
    /// The external program that plays, and its arguments. A bare name is searched in `PATH`, a
    /// path is relative to the config's folder.
    command: Spanned<Vec<Text>>,
    /// The settings of a known program.
    preset: Text,
    /// The program's protocol; required without a `preset`.
    protocol: Text,
    /// Letters for elephant and horse in a FEN; `BN` if absent.
    letters: Of<Name<Letters>>,
    /// The number of Red's home rank in moves; detected if absent.
    rank_base: Of<Whole<0, 1>>,
    /// Fields of a FEN: 6 if absent; 4 omits the two dashes.
    fen_fields: Of<FenFields>,
    /// CECP: send moves after the word `usermove`.
    usermove: Spanned<bool>,
    /// UCCI: send times in milliseconds if the program offers it; true if absent.
    milliseconds: Spanned<bool>,
    /// GTP, `NBoard`: the treatment of passes; `send` if absent.
    passes: Of<Name<Passing>>,
    /// UCI, UCCI, CECP: think on the opponent's time; requires a clock or a time per move.
    ponder: Spanned<bool>,
    /// Number of nodes by which the program may exceed a node limit plus a tenth.
    node_margin: Of<Whole<0, 1_000_000_000_000_000>>,
    /// Restart the program for every game.
    restart: Spanned<bool>,
    /// Lines sent unchanged after the greeting.
    init: Spanned<Vec<Text>>,
    /// Options by name; the program must offer them and accept the values.
    #[schemars(with = "Option<BTreeMap<String, Of<Scalar>>>")]
    options: Spanned<RawTable>,
    /// The treatment of options that the program does not offer, or whose value it rejects: an
    /// error (`refuse`, if absent), or a message (`skip`).
    unknown_options: Of<Name<Habit>>,
    /// Additional environment variables.
    #[schemars(with = "Option<BTreeMap<String, Of<Scalar>>>")]
    environment: Spanned<RawTable>,
    /// Working folder, relative to the config's folder.
    folder: Text,
    /// Timeout of the greeting, and of the start of a game; 10 s if absent.
    startup: Of<Time>,
    /// Timeout of the start of a game; that of the greeting if absent.
    new_game: Of<Time>,
    /// Timeout of a move under a node or depth limit; if absent 10 s, and a second more for each
    /// 1,000 nodes of a limit, at most an hour.
    stall: Of<Time>,
    /// Timeout of the reply to a ping (`isready`) before a move; that of the move if absent.
    ping: Of<Time>,
}

choice! {
    /// The treatment of options that a program does not accept.
    pub(super) enum Habit {
        /// An error.
        Refuse = "refuse",
        /// A message.
        Skip = "skip",
    }
}

/// The form of `fen_fields`; other numbers are refused later.
pub(super) struct FenFields;

impl Form for FenFields {
    type Value = i64;

    fn schema() -> Schema {
        json_schema!({ "enum": [4, 6] })
    }
}

/// The form of an option's value; other types are refused later.
struct Scalar;

impl Form for Scalar {
    type Value = RawValue;

    fn schema() -> Schema {
        json_schema!({ "type": ["string", "number", "boolean"] })
    }
}

impl Typed {
    /// Applies these settings over those of a base: a key replaces the base's, and an option or
    /// environment variable replaces the one of the same name.
    pub(super) fn over(mut self, base: &Typed) -> Typed {
        let is_option = str::eq_ignore_ascii_case;
        self.options = merged(self.options, base.options.as_ref(), is_option);
        self.environment = merged(self.environment, base.environment.as_ref(), str::eq);
        self.or(base)
    }

    /// The kind of player, if it is no search, and the position of its key.
    pub(super) fn other(&self) -> Option<(&'static str, Range<usize>)> {
        let program = self.command.as_ref().map(|it| ("program", it.span()));
        program.or_else(|| self.player.as_ref().map(|it| ("player", it.span())))
    }

    /// The position of the key, if it is set.
    pub(super) fn place(&self, key: &str) -> Option<Range<usize>> {
        let mut places = self.places();
        places.find_map(|(name, place)| (name == key).then_some(place))
    }

    /// The first key that has no meaning without a `command`.
    pub(super) fn stray(&self) -> Option<(&'static str, Range<usize>)> {
        let mut places = self.places();
        places.find(|(key, _)| !matches!(*key, "player" | "command"))
    }
}

/// The entries of both tables; for equal names the variant's own.
fn merged(
    own: Option<Spanned<RawTable>>,
    base: Option<&Spanned<RawTable>>,
    same: impl Fn(&str, &str) -> bool,
) -> Option<Spanned<RawTable>> {
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
