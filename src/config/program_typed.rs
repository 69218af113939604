//! The keys of a `[[variant]]` that is another program, as typed.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;

use super::problem::Problem;
use super::raw::{Number, Text};
use super::reader::{Fields, Found};
use super::search::Raw;

/// Texts by name.
pub(super) type Texts = BTreeMap<Text, Spanned<Raw>>;

/// What one variant says of a program, as typed.
#[derive(Clone, Default)]
pub(super) struct Typed {
    /// The name of a player that is no program and no search of ours either.
    pub(super) player: Option<Text>,
    pub(super) command: Option<Spanned<Vec<Text>>>,
    pub(super) preset: Option<Text>,
    pub(super) protocol: Option<Text>,
    pub(super) letters: Option<Text>,
    pub(super) rank_base: Option<Number>,
    pub(super) fen_fields: Option<Number>,
    pub(super) usermove: Option<Spanned<bool>>,
    pub(super) milliseconds: Option<Spanned<bool>>,
    pub(super) passes: Option<Text>,
    pub(super) node_margin: Option<Number>,
    pub(super) restart: Option<Spanned<bool>>,
    pub(super) init: Option<Spanned<Vec<Text>>>,
    pub(super) options: Option<Spanned<Texts>>,
    pub(super) environment: Option<Spanned<Texts>>,
    pub(super) folder: Option<Text>,
    pub(super) startup: Option<Text>,
    pub(super) stall: Option<Text>,
    /// Whether a value had the wrong type, which has been reported.
    pub(super) broken: bool,
}

impl Typed {
    pub(super) fn read(fields: &mut Fields, problems: &mut Vec<Problem>) -> Self {
        let mut broken = false;
        macro_rules! take {
            ($key:literal) => {
                match fields.take($key, concat!("`variant.", $key, "`"), problems) {
                    Found::Value(value) => Some(value),
                    Found::Absent => None,
                    Found::Broken => {
                        broken = true;
                        None
                    }
                }
            };
        }
        Self {
            player: take!("player"),
            command: take!("command"),
            preset: take!("preset"),
            protocol: take!("protocol"),
            letters: take!("letters"),
            rank_base: take!("rank_base"),
            fen_fields: take!("fen_fields"),
            usermove: take!("usermove"),
            milliseconds: take!("milliseconds"),
            passes: take!("passes"),
            node_margin: take!("node_margin"),
            restart: take!("restart"),
            init: take!("init"),
            options: take!("options"),
            environment: take!("environment"),
            folder: take!("folder"),
            startup: take!("startup"),
            stall: take!("stall"),
            broken,
        }
    }

    /// These words laid over those of a base: a key replaces that of the base,
    /// an option or a variable of the environment the one of its name.
    pub(super) fn over(self, base: &Typed) -> Typed {
        fn or<T: Clone>(own: Option<T>, base: Option<&T>) -> Option<T> {
            own.or_else(|| base.cloned())
        }
        Typed {
            player: or(self.player, base.player.as_ref()),
            command: or(self.command, base.command.as_ref()),
            preset: or(self.preset, base.preset.as_ref()),
            protocol: or(self.protocol, base.protocol.as_ref()),
            letters: or(self.letters, base.letters.as_ref()),
            rank_base: or(self.rank_base, base.rank_base.as_ref()),
            fen_fields: or(self.fen_fields, base.fen_fields.as_ref()),
            usermove: or(self.usermove, base.usermove.as_ref()),
            milliseconds: or(self.milliseconds, base.milliseconds.as_ref()),
            passes: or(self.passes, base.passes.as_ref()),
            node_margin: or(self.node_margin, base.node_margin.as_ref()),
            restart: or(self.restart, base.restart.as_ref()),
            init: or(self.init, base.init.as_ref()),
            options: merged(
                self.options,
                base.options.as_ref(),
                str::eq_ignore_ascii_case,
            ),
            environment: merged(self.environment, base.environment.as_ref(), str::eq),
            folder: or(self.folder, base.folder.as_ref()),
            startup: or(self.startup, base.startup.as_ref()),
            stall: or(self.stall, base.stall.as_ref()),
            broken: self.broken || base.broken,
        }
    }

    /// Who plays, if it is no search of ours: in a word, and where that is said.
    pub(super) fn other(&self) -> Option<(&'static str, Range<usize>)> {
        let program = self.command.as_ref().map(|it| ("program", it.span()));
        program.or_else(|| self.player.as_ref().map(|it| ("player", it.span())))
    }

    /// The first key that means nothing without a `command`.
    pub(super) fn stray(&self) -> Option<(&'static str, Range<usize>)> {
        fn at<T>(value: Option<&Spanned<T>>) -> Option<Range<usize>> {
            value.map(Spanned::span)
        }
        [
            ("preset", at(self.preset.as_ref())),
            ("protocol", at(self.protocol.as_ref())),
            ("letters", at(self.letters.as_ref())),
            ("rank_base", at(self.rank_base.as_ref())),
            ("fen_fields", at(self.fen_fields.as_ref())),
            ("usermove", at(self.usermove.as_ref())),
            ("milliseconds", at(self.milliseconds.as_ref())),
            ("passes", at(self.passes.as_ref())),
            ("node_margin", at(self.node_margin.as_ref())),
            ("restart", at(self.restart.as_ref())),
            ("init", at(self.init.as_ref())),
            ("options", at(self.options.as_ref())),
            ("environment", at(self.environment.as_ref())),
            ("folder", at(self.folder.as_ref())),
            ("startup", at(self.startup.as_ref())),
            ("stall", at(self.stall.as_ref())),
        ]
        .into_iter()
        .find_map(|(key, span)| span.map(|span| (key, span)))
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
