//! Patterns of paths.

use super::number::OPTIONS;

/// A pattern that paths of numbers are held against, part by part: a name between
/// dots or a place in brackets stands for itself, and `*` for any one.
///
/// `eval.material.*` is met by `eval.material.rook`, not by
/// `eval.end.material.rook` (one name more) nor by `eval.pst.rook[0][0]` (two
/// places more).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob(Vec<Part>);

/// One part of a pattern; `None` for any.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Name(Option<String>),
    Place(Option<String>),
}

impl Glob {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Glob, &'static str> {
        parts(text).map(Glob)
    }

    /// Whether the path is one of those that it stands for.
    pub(super) fn meets(&self, path: &str) -> bool {
        // A path that is odd, such as that of an option with brackets in its name,
        // is still met by itself.
        parts(path).is_ok_and(|path| {
            self.0.len() == path.len()
                && self.0.iter().zip(&path).all(|pair| match pair {
                    (Part::Name(None), Part::Name(_)) | (Part::Place(None), Part::Place(_)) => true,
                    (own, other) => own == other,
                })
        })
    }

    /// Whether it stands for one path only.
    pub(super) fn is_exact(&self) -> bool {
        let is_any = |part: &Part| matches!(part, Part::Name(None) | Part::Place(None));
        !self.0.iter().any(is_any)
    }
}

fn parts(text: &str) -> Result<Vec<Part>, &'static str> {
    // The name of an option may have dots and brackets.
    if let Some(name) = text.strip_prefix(OPTIONS) {
        let name = Some(name).filter(|name| *name != "*").map(str::to_owned);
        return Ok(vec![
            Part::Name(Some("options".to_owned())),
            Part::Name(name),
        ]);
    }
    let mut parts = Vec::new();
    for segment in text.split('.') {
        let (name, mut places) = segment.split_at(segment.find('[').unwrap_or(segment.len()));
        parts.push(Part::Name(part(name)?));
        while !places.is_empty() {
            let place = places
                .strip_prefix('[')
                .and_then(|rest| rest.split_once(']'));
            let (place, rest) = place.ok_or("a bracket is not closed")?;
            parts.push(Part::Place(part(place)?));
            places = rest;
        }
    }
    Ok(parts)
}

fn part(text: &str) -> Result<Option<String>, &'static str> {
    match text {
        "" => Err("a part of it is empty"),
        "*" => Ok(None),
        _ if text.contains('*') => Err("`*` stands for a whole name or place, not for letters"),
        _ => Ok(Some(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_meet_part_by_part() {
        let meets = |glob: &str, path: &str| Glob::parse(glob).unwrap().meets(path);
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
            assert!(meets(glob, path), "{glob} {path}");
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
            assert!(!meets(glob, path), "{glob} {path}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_said() {
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
