//! Patterns for the paths of numbers.

use super::number::OPTIONS;

/// A pattern for paths of numbers, compared part by part: a name between dots or an index in
/// brackets matches itself, and `*` matches any one.
///
/// `eval.material.*` matches `eval.material.rook`, but neither `eval.end.material.rook` (one more
/// name) nor `eval.pst.rook[0][0]` (two more indices).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob(String);

/// A part of a pattern; `None` matches any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'t> {
    Name(Option<&'t str>),
    Place(Option<&'t str>),
}

impl Part<'_> {
    fn meets(self, other: Part<'_>) -> bool {
        match (self, other) {
            (Part::Name(own), Part::Name(other)) | (Part::Place(own), Part::Place(other)) => {
                own.is_none() || own == other
            }
            _ => false,
        }
    }
}

impl Glob {
    /// Reads a pattern.
    ///
    /// # Errors
    /// The message describes the problem.
    pub(super) fn parse(text: &str) -> Result<Glob, &'static str> {
        let wrong = parts(text).find_map(Result::err);
        wrong.map_or_else(|| Ok(Glob(text.to_owned())), Err)
    }

    /// Returns whether the pattern matches the path.
    pub(super) fn meets(&self, path: &str) -> bool {
        let mut path = parts(path);
        let mut next = |own: Part| matches!(path.next(), Some(Ok(it)) if own.meets(it));
        self.parts().all(&mut next) && path.next().is_none()
    }

    /// Returns whether the pattern matches one path only.
    pub(super) fn is_exact(&self) -> bool {
        let is_any = |part: Part| matches!(part, Part::Name(None) | Part::Place(None));
        !self.parts().any(is_any)
    }

    fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        parts(&self.0).filter_map(Result::ok)
    }
}

/// The parts of a path or pattern. The first invalid part is an error.
fn parts(text: &str) -> impl Iterator<Item = Result<Part<'_>, &'static str>> {
    // The name of an option may contain dots and brackets.
    let option = text.strip_prefix(OPTIONS).map(|name| {
        let name = Some(name).filter(|name| *name != "*");
        [Part::Name(Some("options")), Part::Name(name)].map(Ok)
    });
    let others = option.is_none().then(|| text.split('.').flat_map(segment));
    option
        .into_iter()
        .flatten()
        .chain(others.into_iter().flatten())
}

/// A name and the indices in brackets after it.
fn segment(text: &str) -> impl Iterator<Item = Result<Part<'_>, &'static str>> {
    let (name, mut places) = text.split_at(text.find('[').unwrap_or(text.len()));
    let place = move || {
        let (inside, rest) = match places.strip_prefix('[').map(|rest| rest.split_once(']')) {
            Some(Some(found)) => found,
            _ if places.is_empty() => return None,
            _ => {
                places = "";
                return Some(Err("a bracket is not closed"));
            }
        };
        places = rest;
        Some(part(inside).map(Part::Place))
    };
    std::iter::once(part(name).map(Part::Name)).chain(std::iter::from_fn(place))
}

fn part(text: &str) -> Result<Option<&str>, &'static str> {
    match text {
        "" => Err("a part of it is empty"),
        "*" => Ok(None),
        _ if text.contains('*') => Err("`*` stands for a whole name or place, not for letters"),
        _ => Ok(Some(text)),
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
