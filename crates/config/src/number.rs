//! Numbers of a variant, identified by their paths; a tuner changes them.

mod decimal;
mod search;

use std::fmt;

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::Variant;
use leitai_game::numbers::Entry;

pub use decimal::Decimal;
pub use search::SearchNumber;

/// One number of a resolved [`Variant`].
///
/// Its path is the one in a config, within the variant: `eval.material.rook`,
/// `eval.end.pst.horse[3][4]`, `eval.squares[0]`, `eval.late.mobility`,
/// `search.null_move.reduction`, `options.Skill Level`. A number is one place in memory. A config's
/// `eval.material.rook` sets both phases unless `end` is set too, but the number of that path is
/// the middlegame's alone; likewise Othello's `eval.mobility` is the first stage's. `[tune]` ties
/// it to the numbers of the later stages; see [`TunedDimension`](super::TunedDimension).
///
/// Flags and choices are no numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// A number of a game's evaluation.
    Eval(Entry),
    /// A number of the search.
    Search(SearchNumber),
    /// An option of an external program that the config sets to a number.
    Option {
        /// Its name.
        name: String,
        /// The number of decimals of its value.
        decimals: u8,
    },
}

/// The error for a text that is not the path of a number.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no number of a variant is called `{0}`")]
pub struct UnknownNumber(pub String);

/// The prefix of an option's name.
pub(super) const OPTIONS: &str = "options.";

impl Number {
    /// All numbers of `variant`, each once, in a fixed order: evaluation and search for a search,
    /// and for a program the options that its config sets to numbers.
    pub fn all(variant: &Variant) -> Vec<Number> {
        if variant.player.is_some() {
            return Vec::new();
        }
        if let Some(program) = &variant.program {
            let options = program.profile.options.iter();
            let numbers = options.filter_map(|(name, text)| Number::option(name, text));
            return numbers.collect();
        }
        let eval = variant.eval.table().numbers().map(Number::Eval);
        let search = SearchNumber::all().into_iter().map(Number::Search);
        let search = search.filter(|number| number.get(variant).is_some());
        eval.chain(search).collect()
    }

    /// The number with that path, in the game that the variant plays.
    ///
    /// # Errors
    /// No number has the path.
    pub fn parse(text: &str, variant: &Variant) -> Result<Number, UnknownNumber> {
        let number = if let Some(name) = text.strip_prefix(OPTIONS) {
            let program = variant.program.as_ref();
            let option = program.and_then(|program| program.option(name));
            let text = option.map_or("0", |(_, text)| text);
            (!name.is_empty()).then(|| Number::option(name, text).unwrap_or_else(|| whole(name)))
        } else if let Some(name) = text.strip_prefix("search.") {
            SearchNumber::parse(name).map(Number::Search)
        } else {
            let entry = text.strip_prefix("eval.");
            let entry = entry.and_then(|path| variant.eval.table().find(path));
            entry.filter(Entry::is_number).map(Number::Eval)
        };
        number.ok_or_else(|| UnknownNumber(text.to_owned()))
    }

    /// An option with that value; `None` if the value is no number.
    fn option(name: &str, text: &str) -> Option<Self> {
        let decimals = Decimal::parse(text)?.decimals;
        let name = name.to_owned();
        Some(Number::Option { name, decimals })
    }

    /// The number of decimals: the value is in units of the last.
    pub fn decimals(&self) -> u8 {
        match self {
            Number::Option { decimals, .. } => *decimals,
            Number::Eval(_) | Number::Search(_) => 0,
        }
    }

    /// The same number with another number of decimals, if it is an option.
    pub(super) fn with_decimals(&self, decimals: u8) -> Self {
        match self {
            Number::Option { name, .. } => Number::Option {
                name: name.clone(),
                decimals,
            },
            other => other.clone(),
        }
    }

    /// The path; equal to the `Display` text.
    pub fn path(&self) -> String {
        self.to_string()
    }

    /// The number of the evaluation, if it is one.
    pub fn of_eval(&self) -> Option<Entry> {
        match self {
            Number::Eval(entry) => Some(*entry),
            Number::Search(_) | Number::Option { .. } => None,
        }
    }

    /// The value; `None` if the variant has no such number: it belongs to another game, to a
    /// disabled group, to an option that is not set to a number with at most its
    /// [`decimals`](Self::decimals), or to the wrong kind of player.
    pub fn get(&self, variant: &Variant) -> Option<i64> {
        match (self, &variant.program) {
            (Number::Option { name, decimals }, Some(program)) => {
                Decimal::parse(program.option(name)?.1)?.units_with(*decimals)
            }
            (Number::Eval(entry), None) if variant.is_search() => variant.eval.get(*entry),
            (Number::Search(number), None)
                if variant.is_search() && number.is_used_with(variant.eval.table()) =>
            {
                number.get(&variant.search)
            }
            _ => None,
        }
    }

    /// Sets the value, and keeps the text of an option whose value is equal. Returns false, without
    /// a change, if the variant has no such number or the value is out of [`range`](Number::range).
    pub fn set(&self, variant: &mut Variant, value: i64) -> bool {
        let (least, most) = self.range();
        let Some(old) = self
            .get(variant)
            .filter(|_| (least..=most).contains(&value))
        else {
            return false;
        };
        if value == old {
            // An equal value of an option may have fewer decimals.
            return true;
        }
        match (self, &mut variant.program) {
            (&Number::Option { ref name, decimals }, Some(program)) => {
                let value = Decimal {
                    units: value,
                    decimals,
                };
                let name = program
                    .option(name)
                    .map_or(name, |(known, _)| known)
                    .clone();
                program.profile.options.insert(name, value.to_string());
            }
            (Number::Eval(entry), _) => return variant.eval.set(*entry, value),
            (Number::Search(number), _) => number.set(&mut variant.search, value),
            (Number::Option { .. }, None) => return false,
        }
        true
    }

    /// The minimum and the maximum. The range of a program's option is unknown before the program
    /// starts, so it is 32 bits, in units of the last decimal.
    pub fn range(&self) -> (i64, i64) {
        match self {
            Number::Eval(entry) => entry.range(),
            Number::Search(number) => number.range(),
            Number::Option { .. } => (i32::MIN.into(), i32::MAX.into()),
        }
    }

    /// Returns whether it is an additive value in evaluation units. Numbers of Go blocks are not:
    /// they multiply, limit and count.
    pub fn is_eval(&self) -> bool {
        self.of_eval().is_some_and(|entry| entry.key().is_additive)
    }

    /// The numbers that a config sets along with this one unless it sets them separately: for a
    /// number in the first stage, the same number in each later stage, in order; otherwise none.
    pub(super) fn in_later_stages(&self) -> Vec<Number> {
        let later = self.of_eval().map(Entry::in_later_stages);
        let later = later.unwrap_or_default().into_iter();
        later.map(Number::Eval).collect()
    }

    /// The number that a symmetry of the board makes equal, possibly itself: for a square the one
    /// on the mirrored file, and for a tuple that is its own mirror image the one of the reversed
    /// pattern.
    pub fn mirrored(&self) -> Option<Number> {
        self.of_eval()?.mirrored().map(Number::Eval)
    }
}

/// An option of whole numbers.
fn whole(name: &str) -> Number {
    let (name, decimals) = (name.to_owned(), 0);
    Number::Option { name, decimals }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Eval(entry) => write!(f, "eval.{entry}"),
            Number::Search(number) => write!(f, "search.{number}"),
            Number::Option { name, .. } => write!(f, "{OPTIONS}{name}"),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests;
