//! Names of variants, and their inheritance.

use std::iter::successors;

use super::draft::Draft;
use super::problem::{Problem, Problems};
use super::values::Text;

/// Maximum length of a name in characters, for tables.
const LONGEST_NAME: usize = 60;

/// Refuses names that are too long for tables, and duplicates.
pub(super) fn check_names(drafts: &[Draft], problems: &mut Problems) {
    for (index, draft) in drafts.iter().enumerate() {
        let Some(name) = &draft.name else { continue };
        let text = name.get_ref();
        if text.trim().is_empty() {
            Problem::error(name.span(), "the name of a variant is empty")
                .help("tables and game records print it: write a name")
                .report(problems);
        } else if text.trim() != text
            || text.chars().any(char::is_control)
            || text.chars().count() > LONGEST_NAME
        {
            let message = format!(
                "a name with blanks around it, with control characters, or longer than \
                 {LONGEST_NAME} characters"
            );
            Problem::error(name.span(), message)
                .help("tables and game records print it: keep it plain and short")
                .report(problems);
        }
        let earlier = drafts[..index].iter().find(|other| other.is_called(text));
        if let Some(first) = earlier.and_then(|other| other.name.as_ref()) {
            Problem::error(name.span(), format!("two variants are called `{text}`"))
                .context(first.span(), "the first one")
                .help("give each variant a name of its own")
                .report(problems);
        }
    }
}

/// The index of each variant's base; `None` if it is missing or would close a cycle.
pub(super) fn check_bases(drafts: &[Draft], problems: &mut Problems) -> Vec<Option<usize>> {
    let mut bases: Vec<Option<usize>> = drafts
        .iter()
        .map(|draft| {
            let base = draft.base.as_ref()?;
            let found = drafts
                .iter()
                .position(|other| other.is_called(base.get_ref()));
            if found.is_none() {
                let names = drafts.iter().filter(|other| !std::ptr::eq(*other, draft));
                let names = names.filter_map(|other| other.name.as_ref());
                let names = names.map(|name| name.get_ref().as_str());
                Problem::error(base.span(), format!("no variant `{}`", base.get_ref()))
                    .alternatives(base.get_ref(), names)
                    .report(problems);
            }
            found
        })
        .collect();
    for index in 0..drafts.len() {
        let names = cycle(&bases, index).into_iter();
        let names = names.map(|index| drafts[index].name.as_ref());
        let names = names.map(|name| name.map_or("?", |name| name.get_ref()));
        let names: Vec<&str> = names.collect();
        let Some(own) = names.first() else { continue };
        let base = drafts[index].base.as_ref();
        let span = base.map_or(drafts[index].span.clone(), Text::span);
        Problem::error(span, format!("`{own}` inherits from itself"))
            .label(format!("{} -> {own}", names.join(" -> ")))
            .report(problems);
        // Cut here to report the cycle once and to end the resolution.
        bases[index] = None;
    }
    bases
}

/// The variant, its base, that base's base, and so on.
pub(super) fn lineage(bases: &[Option<usize>], index: usize) -> Vec<usize> {
    successors(Some(index), |&at| bases[at]).collect()
}

/// The variants on the path from `start` back to itself; empty if there is no such path.
fn cycle(bases: &[Option<usize>], start: usize) -> Vec<usize> {
    let way = successors(Some(start), |&at| bases[at]);
    let mut way: Vec<usize> = way.take(bases.len() + 1).collect();
    let back = way.iter().skip(1).position(|&at| at == start);
    way.truncate(back.map_or(0, |back| back + 1));
    way
}
