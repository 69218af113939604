//! Warnings about a plan before its first game: identical players, and openings that lead into each
//! other.

use std::borrow::Cow;

use super::Listener;
use leitai_players::schedule::{Connected, Opening, OpeningConnections};
use leitai_runs::tournament::Plan;

/// Limit of searched positions for related openings: one second.
const MAX_SEARCHED: u64 = 1_000_000;
/// Warns if at least one in this number of openings is related. Fewer cost only a few pairs, like
/// transpositions in any book.
const FEW: usize = 20;
/// Number of openings from which related ones are searched first.
const SAMPLE: usize = 24;
/// Number of related openings to name.
const MAX_LISTED: usize = 3;

/// Warns of plans whose games give less information than they seem to.
pub fn warn(plan: &Plan, listener: &dyn Listener) {
    for &[one, other] in plan.schedule.pairings() {
        if plan.config.are_same_player(one, other) {
            let name = |index: usize| &plan.config.variants[index].name;
            listener.warn(format!(
                "`{}` and `{}` resolve to the same player, under two names: games between \
                 them show no change\nhelp: `leitai check --json` shows what each resolves to",
                name(one),
                name(other)
            ));
        }
    }
    warn_of_few_nodes(plan, listener);
    if !plan.book.is_checked() {
        return;
    }
    let sample = OpeningConnections::of_sample(SAMPLE, &plan.book, MAX_SEARCHED);
    if sample.found.is_empty() {
        return;
    }
    let leads = OpeningConnections::within(&plan.book, MAX_SEARCHED);
    if FEW * leads.openings() >= plan.book.len()
        && let Some(text) = related_openings_text(plan.book.len(), &leads, |index| {
            plan.book.get(index as usize)
        })
    {
        listener.warn(text);
    }
}

/// Warns of searches with fewer nodes than the usual start has moves.
fn warn_of_few_nodes(plan: &Plan, listener: &dyn Listener) {
    let moves = plan.config.game.initial().count_legal_moves();
    let limits = plan.config.limits_by_variant();
    let mut searches = plan.config.variants.iter().zip(limits);
    let few = searches.find(|(variant, limits)| {
        variant.is_search() && limits.nodes.is_some_and(|nodes| nodes < moves as u64)
    });
    if let Some((variant, _)) = few {
        listener.warn(format!(
            "the usual start has {moves} moves, and `{}` searches fewer nodes: it does not see all \
             moves\nhelp: raise `nodes` under `[limits]`",
            variant.name
        ));
    }
}

/// The indices of the openings that [`related_openings_text`] names.
pub(crate) fn listed(leads: &OpeningConnections) -> Vec<u32> {
    let listed = leads.found.iter().take(MAX_LISTED).flatten();
    listed.map(|it| it.index).collect()
}

/// Describes openings of a book of `count` that lead into each other; `None` without any. `opening`
/// returns one of [`listed`].
pub(crate) fn related_openings_text<'a>(
    count: usize,
    leads: &OpeningConnections,
    opening: impl Fn(u32) -> Option<Cow<'a, Opening>>,
) -> Option<String> {
    let (&[from, to], _) = leads.found.split_first()?;
    let name = |Connected { index, line }| {
        let id = opening(index).map(|opening| opening.id().into_owned());
        let at = (line > 0).then(|| format!(" (line {line})"));
        format!("`{}`{}", id.unwrap_or_default(), at.unwrap_or_default())
    };
    let mut listed = vec![format!("{} leads to {}", name(from), name(to))];
    let others = leads.found.iter().take(MAX_LISTED).skip(1);
    listed.extend(others.map(|&[from, to]| format!("{} to {}", name(from), name(to))));
    if let more @ 1.. = leads.found.len().saturating_sub(MAX_LISTED) {
        listed.push(format!("and {more} more"));
    }
    Some(format!(
        "{} of {} openings lead into each other: their games can share positions, so their pairs \
         are not independent\n  {}\n\
         help: keep one position per line: `leitai convert GAMES --ply N` writes one per game \
         (`--every` writes all); `leitai openings generate` makes unrelated openings",
        leads.openings(),
        count,
        listed.join(", ")
    ))
}
