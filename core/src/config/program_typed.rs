//! The keys of a `[[variant]]` that is another program, as typed.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;

use super::problem::Problems;
use super::raw::Text;
use super::reader::{Fields, Found};
use super::search::Raw;

/// Texts by name.
pub(super) type Texts = BTreeMap<Text, Spanned<Raw>>;

/// The keys of a program, each with the type of its value: what is said of them is taken
/// from a table, laid over what a base says, and found by its place.
macro_rules! keys {
    ($($key:ident: $value:ty,)*) => {
        /// What one variant says of a program, as typed.
        #[derive(Clone, Default)]
        pub(super) struct Typed {
            $(pub(super) $key: Option<Spanned<$value>>,)*
            /// Whether a value had the wrong type, which has been reported.
            pub(super) broken: bool,
        }

        impl Typed {
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
                let places = [$((stringify!($key), self.$key.as_ref().map(Spanned::span)),)*];
                places.into_iter().filter_map(|(key, place)| Some((key, place?)))
            }
        }
    };
}

keys! {
    // The name of a player that is no program and no search of ours either.
    player: String,
    command: Vec<Text>,
    preset: String,
    protocol: String,
    letters: String,
    rank_base: i64,
    fen_fields: i64,
    usermove: bool,
    milliseconds: bool,
    passes: String,
    node_margin: i64,
    restart: bool,
    init: Vec<Text>,
    options: Texts,
    unknown_options: String,
    environment: Texts,
    folder: String,
    startup: String,
    stall: String,
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
