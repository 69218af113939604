//! Patterns for the paths of numbers.

use super::number::OPTIONS;

/// A pattern for paths of numbers, compared part by part: a name between dots or an index in
/// brackets matches itself, and `*` matches any one.
///
/// `eval.material.*` matches `eval.material.rook`, but neither `eval.end.material.rook` (one more
/// name) nor `eval.pst.rook[0][0]` (two more indices).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob(String);

/// A part of a path: whether it is an index, and its text, for an index with the closing bracket.
type Part<'t> = (bool, &'t str);

impl Glob {
    /// Reads a pattern.
    ///
    /// # Errors
    /// The message describes the problem.
    pub(super) fn parse(text: &str) -> Result<Glob, &'static str> {
        for (is_index, part) in parts(text) {
            let inner = if is_index {
                let inner = part.strip_suffix(']').filter(|inner| !inner.contains(']'));
                inner.ok_or("a bracket is not closed")?
            } else {
                part
            };
            if inner.is_empty() {
                return Err("a part of it is empty");
            }
            if inner.contains('*') && inner != "*" && !text.starts_with(OPTIONS) {
                return Err("`*` matches a whole name or index, not letters");
            }
        }
        Ok(Glob(text.to_owned()))
    }

    /// Returns whether the pattern matches the path.
    pub(super) fn matches(&self, path: &str) -> bool {
        let (own, path) = (parts(&self.0), parts(path));
        let mut pairs = own.iter().zip(&path);
        own.len() == path.len()
            && pairs.all(|(own, part)| own == part || (is_any(own) && own.0 == part.0))
    }

    /// Returns whether the pattern matches one path only.
    pub(super) fn is_exact(&self) -> bool {
        !parts(&self.0).iter().any(is_any)
    }
}

fn is_any((_, text): &Part) -> bool {
    matches!(*text, "*" | "*]")
}

/// The names and indices of a path or pattern.
fn parts(text: &str) -> Vec<Part<'_>> {
    // The name of an option may contain dots and brackets.
    if let Some(name) = text.strip_prefix(OPTIONS) {
        return vec![(false, "options"), (false, name)];
    }
    let segments = text
        .split('.')
        .map(|segment| segment.split('[').enumerate());
    segments
        .flatten()
        .map(|(place, part)| (place > 0, part))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_part_by_part() {
        let matches = |glob: &str, path: &str| Glob::parse(glob).unwrap().matches(path);
        for (glob, path) in [
            ("eval.material.*", "eval.material.rook"),
            ("eval.*.*", "eval.mobility.rook"),
            ("eval.end.*.*", "eval.end.mobility.rook"),
            ("eval.pst.horse[*][*]", "eval.pst.horse[3][4]"),
            ("eval.pst.*[3][*]", "eval.pst.horse[3][4]"),
            ("search.*.*", "search.null_move.reduction"),
            ("options.*", "options.Skill v1.2 [x"),
            ("options.Skill v1.2 [x", "options.Skill v1.2 [x"),
        ] {
            assert!(matches(glob, path), "{glob} {path}");
        }
        for (glob, path) in [
            ("eval.material.*", "eval.end.material.rook"),
            ("eval.*.*", "eval.pst.horse[3][4]"),
            ("eval.*.*[*][*]", "eval.pst.horse"),
            ("eval.pst.*[3][*]", "eval.pst.horse[4][3]"),
            ("search.*", "search.null_move.reduction"),
            ("*.*", "eval.material.rook"),
            ("options.a.*", "options.a.b"),
        ] {
            assert!(!matches(glob, path), "{glob} {path}");
        }
    }

    #[test]
    fn invalid_patterns_are_refused() {
        for text in [
            "",
            "eval..x",
            "eval.ro*",
            "eval.pst.horse[3",
            "eval.x[3]y",
            "a.[1]",
        ] {
            assert!(Glob::parse(text).is_err(), "{text}");
        }
        assert!(Glob::parse("eval.material.rook").unwrap().is_exact());
        assert!(!Glob::parse("eval.squares[*]").unwrap().is_exact());
    }
}
