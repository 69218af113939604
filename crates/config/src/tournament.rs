//! `[tournament]`: the pairings and their number of pairs.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Variant;
use super::problem::{Problem, Problems};
use super::values::{Name, Of, Spanned, Text, Whole, ranged, setting, variant};
use leitai_base::settings::choice;

/// The pairings and their number of pairs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tournament {
    /// The kind of pairings.
    pub format: Format,
    /// Pairs (of two games) per pairing, 1 to 10^9.
    pub pairs: u64,
    /// The two sides of a gauntlet; `None`: the first variant plays each other one.
    #[serde(rename = "camps", skip_serializing_if = "Option::is_none")]
    pub sides: Option<GauntletSides>,
}

choice! {
    /// The kind of pairings.
    #[derive(Default)]
    pub enum Format {
        /// Every variant against every other.
        #[default]
        RoundRobin = "round-robin",
        /// Each challenger against each opponent: by default the first variant against each other
        /// one.
        Gauntlet = "gauntlet",
        /// Two variants.
        Duel = "duel",
    }
}

/// The two sides of a gauntlet, as indices of variants: not empty, disjoint and without duplicates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GauntletSides {
    /// The variants under test.
    pub challengers: Vec<usize>,
    /// The variants that each challenger plays.
    pub opponents: Vec<usize>,
}

/// `[tournament]` as typed.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "tournament")]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawTournament {
    /// The kind of pairings; `round-robin` if absent.
    format: Option<Of<Name<Format>>>,
    /// Pairs per pairing: two games from one opening, colours swapped.
    #[schemars(required)]
    pairs: Option<Of<Whole<1, MAX_PAIRS>>>,
    /// Gauntlet: the variants under test; if absent, the first variant, or all that are not
    /// opponents.
    challengers: Option<Spanned<Vec<Text>>>,
    /// Gauntlet: the variants that each challenger plays; all that are not challengers if absent.
    opponents: Option<Spanned<Vec<Text>>>,
}

/// More than any tournament plays.
pub(super) const MAX_PAIRS: i64 = 1_000_000_000;

/// Checks `[tournament]` against the valid variants among the `count` in the file.
pub(super) fn tournament(
    raw: &Spanned<RawTournament>,
    count: usize,
    variants: &[Variant],
    problems: &mut Problems,
) -> Option<Tournament> {
    let fields = raw.get_ref();
    let format = fields.format.as_ref();
    let format = format.map_or(Some(Format::default()), |name| {
        setting(name, "format", problems)
    });
    if let (Some(Format::Duel), Some(name), 3..) = (format, &fields.format, count) {
        let message = format!("a duel needs two variants, and there are {count}");
        Problem::error(name.span(), message)
            .help("a `round-robin` or a `gauntlet` takes any number")
            .report(problems);
    }
    if fields.pairs.is_none() {
        no_pairs(raw.span()).report(problems);
    }
    let pairs = ranged(&fields.pairs, "tournament.pairs", problems);
    // Unknown names are not reported if broken variants may explain them.
    let are_known = variants.len() == count;
    let sides = are_known.then(|| sides(fields, format, variants, problems));
    Some(Tournament {
        format: format?,
        pairs: pairs?,
        sides: sides.flatten(),
    })
}

/// The two sides of a gauntlet, if they are given and valid.
fn sides(
    raw: &RawTournament,
    format: Option<Format>,
    variants: &[Variant],
    problems: &mut Problems,
) -> Option<GauntletSides> {
    let span = raw.challengers.as_ref().or(raw.opponents.as_ref())?.span();
    if format? != Format::Gauntlet {
        let message = "only a gauntlet has `challengers` and `opponents`";
        return Problem::error(span, message)
            .help("add `format = \"gauntlet\"`")
            .refuse(problems);
    }
    let mut side = |names: &Option<Spanned<Vec<Text>>>, key| {
        let names = names.as_ref();
        names.map(|names| indices(names.get_ref(), names.span(), key, variants, problems))
    };
    let challengers = side(&raw.challengers, "challengers");
    let opponents = side(&raw.opponents, "opponents");
    // Variants not named on one side are on the other.
    let others = |side: Option<Vec<usize>>| -> Option<Vec<usize>> {
        let all = 0..variants.len();
        side.map(|side| all.filter(|index| !side.contains(index)).collect())
    };
    let sides = GauntletSides {
        challengers: challengers
            .clone()
            .unwrap_or_else(|| others(opponents.clone()?))?,
        opponents: opponents.unwrap_or_else(|| others(challengers?))?,
    };
    let mut challengers = sides.challengers.iter();
    if let Some(&both) = challengers.find(|&index| sides.opponents.contains(index)) {
        let message = format!("`{}` is a challenger and an opponent", variants[both].name);
        return Problem::error(span, message)
            .help("name it once: a variant does not play against itself")
            .refuse(problems);
    }
    if sides.challengers.is_empty() || sides.opponents.is_empty() {
        return Problem::error(span, "no variant is left for the other side")
            .help("name fewer variants here, or add some")
            .refuse(problems);
    }
    Some(sides)
}

/// The indices of the variants with these names, without duplicates; the list `key` is at `span`.
pub(super) fn indices(
    names: &[Text],
    span: Range<usize>,
    key: &str,
    variants: &[Variant],
    problems: &mut Problems,
) -> Option<Vec<usize>> {
    let mut found: Vec<usize> = Vec::new();
    for name in names {
        let index = variant(name, variants, problems)?;
        if found.contains(&index) {
            let message = format!("`{}` is named twice", name.get_ref());
            return Problem::error(name.span(), message)
                .help("remove one of the two")
                .refuse(problems);
        }
        found.push(index);
    }
    if found.is_empty() {
        return Problem::error(span, format!("`{key}` is empty"))
            .help("name a variant, or leave the key out")
            .refuse(problems);
    }
    Some(found)
}

/// The error for a missing number of games.
pub(super) fn no_pairs(span: Range<usize>) -> Problem {
    Problem::error(span, "the number of games is missing")
        .help("add `pairs = 100` under `[tournament]`: pairs of games for each two variants")
}

#[cfg(test)]
mod tests {
    use crate::games;

    use crate::parse;

    #[test]
    fn camps_that_make_no_gauntlet_are_refused() {
        let errors = |tournament: &str| {
            let text = format!(
                "game = \"othello\"\nlimits = {{ depth = 1 }}\n\
                 tournament = {{ pairs = 1, {tournament} }}\n\
                 variant = [{{ name = \"v0\" }}, {{ name = \"v1\" }}]\n"
            );
            let error = parse(&text, "test.toml", &games::all()).unwrap_err();
            error.to_string()
        };
        let gauntlet = |sides: &str| errors(&format!("format = \"gauntlet\", {sides}"));
        let cases = [
            (errors("opponents = [\"v1\"]"), "only a gauntlet"),
            (gauntlet("opponents = [\"v2\"]"), "unknown variant `v2`"),
            (gauntlet("opponents = []"), "is empty"),
            (gauntlet("opponents = [\"v1\", \"v1\"]"), "named twice"),
            (
                gauntlet("opponents = [\"v1\", \"v0\"]"),
                "no variant is left",
            ),
            (
                gauntlet("challengers = [\"v1\"], opponents = [\"v0\", \"v1\"]"),
                "`v1` is a challenger and an opponent",
            ),
        ];
        for (error, expected) in cases {
            assert!(error.contains(expected), "{error}");
        }
    }
}
