//! A `[[tune.parameter]]` entry and the numbers that it names.

use super::bounds::Bounds;
use super::raw::RawParameter;
use crate::glob::Glob;
use crate::number::{OPTIONS, SearchNumber};
use crate::problem::{Problem, Problems};
use crate::values::{Spanned, Text, flag_or};
use crate::{Number, Variant};
use leitai_base::count::quoted;
use leitai_base::suggest::nearest_names;

/// A number and its path.
pub(super) type Named = (Number, String);

/// An entry with the numbers that its path names.
pub(super) struct Entry<'r> {
    pub(super) path: &'r Text,
    pub(super) glob: Glob,
    pub(super) except: Vec<Glob>,
    /// True if squares move with their mirror images.
    pub(super) mirror: bool,
    pub(super) group: Option<&'r Text>,
    pub(super) bounds: Bounds<'r>,
    pub(super) named: Vec<Number>,
}

/// The purpose of the named numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Tuned by games.
    Played,
    /// Fitted to the results of games.
    Fitted,
}

impl<'r> Entry<'r> {
    pub(super) fn check(
        raw: &'r Spanned<RawParameter>,
        of: Purpose,
        variant: &Variant,
        all: &[Named],
        problems: &mut Problems,
    ) -> Option<Self> {
        let fields = raw.get_ref();
        let Some(path) = &fields.path else {
            return Problem::error(raw.span(), "a parameter without a path")
                .help("add `path = \"eval.material.*\"`, or another path")
                .refuse(problems);
        };
        let bounds = Bounds::check(fields, path, problems);
        if let Some(group) = &fields.group
            && group.get_ref().trim().is_empty()
        {
            return Problem::error(group.span(), "a group without a name")
                .label("it is the name of the dimension")
                .help("write one, such as `group = \"mobility\"`, or remove the key")
                .refuse(problems);
        }
        if of == Purpose::Fitted
            && let Some(problem) = not_fittable_error(path, all)
        {
            return problem.refuse(problems);
        }
        let found = numbers(path, variant, all, problems);
        let except = fields.except.iter().flatten();
        let except: Option<Vec<Glob>> = except
            .map(|text| numbers(text, variant, all, problems).map(|(glob, _)| glob))
            .collect();
        let (glob, named) = found?;
        let is_square = |number: &Number| number.mirrored().is_some();
        if let (Some(mirror), false) = (&fields.mirror, named.iter().any(is_square)) {
            Problem::warning(mirror.span(), "`mirror` does nothing")
                .label("the path names no squares")
                .help("remove it")
                .report(problems);
        }
        Some(Self {
            path,
            glob,
            except: except?,
            mirror: flag_or(&fields.mirror, true),
            group: fields.group.as_deref(),
            bounds: bounds?,
            named,
        })
    }
}

/// The error for a path that cannot be fitted to results, if it is one.
fn not_fittable_error(path: &Text, all: &[Named]) -> Option<Problem> {
    let typed = path.get_ref().as_str();
    let is_other = typed.starts_with("search.") || typed.starts_with(OPTIONS);
    let glob = Glob::parse(typed).ok();
    let met = |(number, path): &Named| {
        !number.is_eval() && glob.as_ref().is_some_and(|glob| glob.matches(path))
    };
    (is_other || all.iter().any(met)).then(|| {
        let message = format!("`{typed}` cannot be fitted to results");
        Problem::error(path.span(), message)
            .label("only numbers of the evaluation add up to the value of a position")
            .help("name it by the `path` of a `[[tune.parameter]]`: games tune it there")
    })
}

/// The pattern, and the numbers of the variant that match it, at least one.
pub(super) fn numbers(
    text: &Text,
    variant: &Variant,
    all: &[Named],
    problems: &mut Problems,
) -> Option<(Glob, Vec<Number>)> {
    let typed = text.get_ref().as_str();
    let glob = Glob::parse(typed).map_err(|wrong| {
        Problem::error(text.span(), format!("`{typed}` is not a path of numbers"))
            .label(wrong)
            .help("write it like `eval.material.*` or `eval.pst.horse[*][*]`")
            .report(problems);
    });
    let glob = glob.ok()?;
    let met = all.iter().filter(|(_, path)| glob.matches(path));
    let named: Vec<Number> = met.map(|(number, _)| number.clone()).collect();
    if named.is_empty() {
        let is_option = typed.starts_with(OPTIONS) && variant.program.is_none();
        if is_option && problems.iter().any(Problem::is_error) {
            // The variant may be a program whose settings have the reported errors.
            return None;
        }
        return no_match_error(text, &glob, variant, all).refuse(problems);
    }
    Some((glob, named))
}

/// The error for a pattern that matches no number.
fn no_match_error(text: &Text, glob: &Glob, variant: &Variant, all: &[Named]) -> Problem {
    let (typed, name) = (text.get_ref().as_str(), variant.name.as_str());
    let problem = |message| Problem::error(text.span(), message);
    let unknown = problem(format!("`{name}` has no number `{typed}`"));
    match (typed.strip_prefix(OPTIONS), &variant.program) {
        (Some(_), None) => {
            return problem(format!("`{name}` has no options: it plays in this process"))
                .help("tune its `search.` or `eval.`, or name another variant by `variant`");
        }
        (Some(option), Some(program)) => {
            let mut options = program.profile.options.iter();
            let other = options.find(|(name, _)| glob.matches(&format!("{OPTIONS}{name}")));
            let unknown = match other {
                Some((name, text)) => unknown.label(format!(
                    "`{name}` is set to `{text}`, which is not a number here"
                )),
                None => unknown,
            };
            let name = other.map_or(option, |(name, _)| name);
            let name = if name.contains('*') { "NAME" } else { name };
            return unknown
                .help(format!(
                    "set the option to a number in the variant, as the start of the tune: \
                     `options = {{ {name:?} = 0.25 }}`"
                ))
                .help("a number has up to 9 decimals and no exponent: write 0.25, not 2.5e-1");
        }
        (None, Some(_)) => {
            return unknown
                .label("it is another program")
                .help("an engine can be tuned only by `options.NAME`");
        }
        (None, None) => {}
    }
    if let Some(player) = variant.player {
        return unknown
            .label(format!("it is the player `{}`", player.name()))
            .help("numbers of a search and its evaluation are tuned, or options of a program");
    }
    let off = SearchNumber::all().into_iter().find_map(|number| {
        let (_, group) = number.group?;
        let is_off = number.get(&variant.search).is_none();
        (is_off && glob.matches(&Number::Search(number).path())).then_some(group)
    });
    if let Some(group) = off {
        return problem(format!("`search.{group}` is off in `{name}`")).help(format!(
            "turn it on in the variant, `search = {{ {group} = true }}`, or do not tune it"
        ));
    }
    let search = typed.strip_prefix("search.");
    let eval = typed.strip_prefix("eval.");
    let is_switch = eval.is_some_and(|path| variant.eval.table().is_switch(path));
    if search.is_some_and(SearchNumber::is_other) || is_switch {
        return problem(format!("`{typed}` is not a number"))
            .label("this is a switch or a choice")
            .help("compare two variants by `leitai gate` instead");
    }
    let shapes = path_patterns(all);
    let names: Vec<&str> = shapes.iter().map(String::as_str).collect();
    let near = nearest_names(typed, &names);
    unknown.help(if near.is_empty() {
        "paths are such as `eval.material.*` or `search.null_move.reduction`".to_owned()
    } else {
        format!("did you mean {}?", quoted(near))
    })
}

/// The paths in short form: `[*]` for the indices of squares, and `*` for the names in groups.
fn path_patterns(all: &[Named]) -> Vec<String> {
    let mut shapes: Vec<String> = Vec::new();
    for (_, path) in all {
        let name = path.split('[').next().unwrap_or_default();
        let shape = format!("{name}{}", "[*]".repeat(path.matches('[').count()));
        let group = shape.rsplit_once('.').map(|(group, last)| {
            let places = last.find('[').map_or("", |at| &last[at..]);
            format!("{group}.*{places}")
        });
        shapes.extend([Some(shape), group].into_iter().flatten());
    }
    shapes.sort();
    shapes.dedup();
    shapes
}
