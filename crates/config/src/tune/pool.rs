//! `[tune.pool]`: games against variants other than the start.

use serde::Serialize;

use super::raw::RawPool;
use crate::Variant;
use crate::problem::{Problem, Problems};
use crate::values::{Spanned, Text, ranged_or, variant};

const DEFAULT_PAIRS: u64 = 200;
const DEFAULT_CHECKPOINTS: u32 = 4;

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
        return Problem::error(span, "a pool without variants")
            .help(
                "name at least one variant that stays as it is: `variants = [\"reference\"]` under \
                 `[tune.pool]`",
            )
            .refuse(problems);
    };
    let members = named(typed, tuned, &[], variants, problems);
    let references = fields.references.iter().flat_map(Spanned::get_ref);
    let references = named(references, tuned, &members, variants, problems);
    let usual = if is_played { DEFAULT_CHECKPOINTS } else { 0 };
    let typed = &fields.checkpoints;
    let checkpoints = ranged_or(typed, usual, "tune.pool.checkpoints", problems);
    if let (Some(number), false, 1..) = (typed, is_played, checkpoints) {
        Problem::error(number.span(), "`checkpoints` without games")
            .label("without `games` there are no intermediate values")
            .help("remove it")
            .report(problems);
    }
    Some(PoolStage {
        variants: members,
        references,
        pairs: ranged_or(&fields.pairs, DEFAULT_PAIRS, "tune.pool.pairs", problems),
        checkpoints,
    })
}

/// The indices of the variants with these names, excluding the tuned one and `others`.
fn named<'r>(
    typed: impl IntoIterator<Item = &'r Text>,
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
            Problem::error(name.span(), format!("`{typed}` is the tuned variant"))
                .label("it plays against the pool anyway")
                .help("remove it, and name others, which stay as they are")
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
