//! `[tune.pool]`: games against variants other than the start.

use serde::Serialize;

use super::raw::RawPool;
use crate::Variant;
use crate::form::Spanned;
use crate::problem::{Problem, Problems};
use crate::raw::Text;
use crate::value::{ranged, ranged_or, variant};

const USUAL_PAIRS: u64 = 200;
const USUAL_CHECKPOINTS: u32 = 4;

/// The pool: frozen variants that play against the start, the checkpoints and the result. A variant
/// that beats the start is not necessarily stronger against others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PoolStage {
    /// Indices of the variants, in the order of the table; not empty, without duplicates and
    /// without the tuned one.
    pub variants: Vec<usize>,
    /// Indices of variants that also play against the pool, for comparison; without members of the
    /// pool, duplicates and the tuned one.
    pub references: Vec<usize>,
    /// Pairs per pairing, 1 to 10^6.
    pub pairs: u64,
    /// Number of intermediate values that also play, each after an equal share of the games, 0 to
    /// 20; 0 if games tune no numbers.
    pub checkpoints: u32,
}

/// Checks `[tune.pool]`.
pub(super) fn pool(
    raw: &Spanned<RawPool>,
    tuned: usize,
    is_played: bool,
    variants: &[Variant],
    problems: &mut Problems,
) -> Option<PoolStage> {
    let fields = raw.get_ref();
    let typed = fields.variants.as_ref().map(Spanned::get_ref);
    let Some(typed) = typed.filter(|typed| !typed.is_empty()) else {
        let span = fields.variants.as_ref().map_or(raw.span(), Spanned::span);
        return Problem::error(span, "a pool of nobody")
            .help(
                "name at least one variant that stays as it is: `variants = [\"reference\"]` under \
                 `[tune.pool]`",
            )
            .refuse(problems);
    };
    let members = named(typed, tuned, &[], variants, problems);
    let references = fields.references.as_ref().map(Spanned::get_ref);
    let references = references.map(Vec::as_slice).unwrap_or_default();
    let references = named(references, tuned, &members, variants, problems);
    let pairs = fields.pairs.as_ref();
    let pairs = ranged_or(pairs, USUAL_PAIRS, "tune.pool.pairs", problems);
    let checkpoints = match &fields.checkpoints {
        None if is_played => Some(USUAL_CHECKPOINTS),
        None => Some(0),
        Some(number) => {
            let found = ranged(number, "tune.pool.checkpoints", problems);
            if !is_played && found.is_some_and(|found| found > 0) {
                Problem::error(number.span(), "`checkpoints` of nothing")
                    .label("without `games` there are no values on the way")
                    .help("remove it")
                    .report(problems);
            }
            found
        }
    };
    Some(PoolStage {
        variants: members,
        references,
        pairs: pairs?,
        checkpoints: checkpoints?,
    })
}

/// The indices of the variants with these names, excluding the tuned one and `others`.
fn named(
    typed: &[Text],
    tuned: usize,
    others: &[usize],
    variants: &[Variant],
    problems: &mut Problems,
) -> Vec<usize> {
    let mut members: Vec<usize> = Vec::new();
    for name in typed {
        let Some(member) = variant(name, variants, problems) else {
            continue;
        };
        let typed = name.get_ref();
        if member == tuned {
            let message = format!("`{typed}` is the variant that is tuned");
            Problem::error(name.span(), message)
                .label("it plays against the pool anyway")
                .help("take it out, and name others, which stay as they are")
                .report(problems);
        } else if members.contains(&member) || others.contains(&member) {
            Problem::error(name.span(), format!("`{typed}` is in the pool twice"))
                .help("name it once")
                .report(problems);
        } else {
            members.push(member);
        }
    }
    members
}
