//! The baseline and the candidates.

use super::RawGate;
use crate::Variant;
use crate::problem::{Problem, Problems};
use crate::raw::Text;
use crate::value::variant;

/// The index of the baseline.
pub(super) fn base(raw: &RawGate, variants: &[Variant], problems: &mut Problems) -> Option<usize> {
    let base = raw.base.as_ref();
    base.map_or(Some(0), |text| variant(text, variants, problems))
}

/// The indices of the candidates.
pub(super) fn candidates(
    raw: &RawGate,
    base: usize,
    variants: &[Variant],
    problems: &mut Problems,
) -> Option<Vec<usize>> {
    if let (Some(one), Some(several)) = (&raw.candidate, &raw.candidates) {
        let message = "`candidate` and `candidates` exclude each other";
        return Problem::error(several.span(), message)
            .context(one.span(), "the other one")
            .help("keep one of the two")
            .refuse(problems);
    }
    let texts: Vec<&Text> = match (&raw.candidate, &raw.candidates) {
        (Some(one), _) => vec![one],
        (None, Some(several)) if several.get_ref().is_empty() => {
            return Problem::error(several.span(), "a gate without candidates")
                .help("name a variant, or leave `candidates` out: then all but the base")
                .refuse(problems);
        }
        (None, Some(several)) => several.get_ref().iter().collect(),
        (None, None) => {
            let all = 0..variants.len();
            return Some(all.filter(|&index| index != base).collect());
        }
    };
    let mut found: Vec<usize> = Vec::with_capacity(texts.len());
    for text in texts {
        let index = variant(text, variants, problems)?;
        let name = text.get_ref();
        if index == base {
            let message = format!("`{name}` cannot be tested against itself");
            return Problem::error(text.span(), message)
                .label("this is the base")
                .help("name another variant here, or as `base`")
                .refuse(problems);
        }
        if found.contains(&index) {
            let message = format!("the candidate `{name}` is named twice");
            return Problem::error(text.span(), message)
                .help("remove one of the two")
                .refuse(problems);
        }
        found.push(index);
    }
    Some(found)
}
