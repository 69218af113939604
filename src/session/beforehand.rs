//! What is said of a plan before its first game: players that are the same, openings that
//! lead into each other.

use std::fmt::Write as _;

use super::Listener;
use crate::schedule::{Book, Leads};
use crate::tournament::Plan;

/// Positions that are looked at for openings that lead into each other: a second.
const LOOK: u64 = 1_000_000;
/// One opening in so many that is related is worth a word. Fewer cost a few pairs, as
/// transpositions in any book do.
const FEW: usize = 20;
/// Openings that are named where some lead into others.
const NAMED: usize = 3;

/// Warns of what makes the games of a plan tell less than they seem to.
pub(crate) fn warn(plan: &Plan, listener: &dyn Listener) {
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
    let leads = Leads::within(&plan.book, LOOK);
    if FEW * leads.openings() >= plan.book.len()
        && let Some(text) = leading(&plan.book, &leads)
    {
        listener.warn(text);
    }
}

/// What there is to say of openings that lead into each other, if there are any.
pub(crate) fn leading(book: &Book, leads: &Leads) -> Option<String> {
    let (&[from, to], _) = leads.found.split_first()?;
    let name = |place: usize| book.openings[place].id();
    let mut text = format!(
        "{} of {} openings lead into each other: games from them run into each other, and \
         several such pairs are one piece of evidence\n  ",
        leads.openings(),
        book.openings.len()
    );
    let _ = write!(text, "`{}` leads to `{}`", name(from), name(to));
    for &[from, to] in leads.found.iter().take(NAMED).skip(1) {
        let _ = write!(text, ", `{}` to `{}`", name(from), name(to));
    }
    if let more @ 1.. = leads.found.len().saturating_sub(NAMED) {
        let _ = write!(text, ", and {more} more");
    }
    text.push_str(
        "\nhelp: keep one position of each line: `leitai convert GAMES --ply N` writes one of each \
         game, where `--every` writes all; `leitai openings generate` makes unrelated ones",
    );
    Some(text)
}
