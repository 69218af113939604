//! A `[[tune.parameter]]` entry and the numbers that it names.

use super::bounds::Bounds;
use super::raw::RawParameter;
use crate::form::Spanned;
use crate::glob::Glob;
use crate::number::{OPTIONS, SearchNumber};
use crate::problem::{Problem, Problems};
use crate::raw::Text;
use crate::suggest::nearest_names;
use crate::{Number, Variant};
use leitai_base::count::quoted;

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
    pub(super) bounds: Bounds,
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
                .help("add `path = \"eval.material.*\"`, or what else is to be tuned")
                .refuse(problems);
        };
        let bounds = Bounds::check(fields, path.span(), problems);
        if let Some(group) = &fields.group
            && group.get_ref().trim().is_empty()
        {
            return Problem::error(group.span(), "a group without a name")
                .label("it is the name of the dimension")
                .help("write one, such as `group = \"mobility\"`, or remove the key")
                .refuse(problems);
        }
        if let Some(problem) = unfit(path, of, all) {
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
                .label("the path names no square of a table")
                .help("remove it")
                .report(problems);
        }
        Some(Self {
            path,
            glob,
            except: except?,
            mirror: fields
                .mirror
                .as_ref()
                .is_none_or(|mirror| *mirror.get_ref()),
            group: fields.group.as_deref(),
            bounds: bounds?,
            named,
        })
    }
}

/// The error for a path that cannot be fitted to results, if `of` is a fit.
fn unfit(path: &Text, of: Purpose, all: &[Named]) -> Option<Problem> {
    if of == Purpose::Played {
        return None;
    }
    let typed = path.get_ref().as_str();
    let is_other = typed.starts_with("search.") || typed.starts_with(OPTIONS);
    let glob = Glob::parse(typed).ok();
    let met = |(number, path): &Named| {
        !number.is_eval() && glob.as_ref().is_some_and(|glob| glob.meets(path))
    };
    (is_other || all.iter().any(met)).then(|| {
        let message = format!("`{typed}` cannot be fitted to results");
        Problem::error(path.span(), message)
            .label("only numbers of the evaluation add up to what a position is worth")
            .help("name it by the `path` of a `[[tune.parameter]]`: there games decide")
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
        Problem::error(text.span(), format!("`{typed}` is no path of numbers"))
            .label(wrong)
            .help("write it like `eval.material.*` or `eval.pst.horse[*][*]`")
            .report(problems);
    });
    let glob = glob.ok()?;
    let met = all.iter().filter(|(_, path)| glob.meets(path));
    let named: Vec<Number> = met.map(|(number, _)| number.clone()).collect();
    if named.is_empty() {
        return nothing(text, &glob, variant, all).refuse(problems);
    }
    Some((glob, named))
}

/// The error for a pattern that matches no number.
fn nothing(text: &Text, glob: &Glob, variant: &Variant, all: &[Named]) -> Problem {
    let (typed, name) = (text.get_ref().as_str(), variant.name.as_str());
    let problem = |message| Problem::error(text.span(), message);
    if let Some(option) = typed.strip_prefix(OPTIONS) {
        if variant.program.is_none() {
            return problem(format!("`{name}` has no options: it plays in this process"))
                .help("tune its `search.` or `eval.`, or say by `variant` who else is tuned");
        }
        return problem(format!("`{name}` has no number `{typed}`")).help(format!(
            "give the option a whole number in the variant, for the tuner to start from: \
             `options = {{ {option:?} = 0 }}`"
        ));
    }
    if variant.program.is_some() {
        return problem(format!("`{name}` has no number `{typed}`"))
            .label("it is another program")
            .help("of a program only `options.NAME` can be tuned");
    }
    if let Some(player) = variant.player {
        return problem(format!("`{name}` has no number `{typed}`"))
            .label(format!("it is the player `{}`", player.name()))
            .help("numbers of a search and its evaluation are tuned, or options of a program");
    }
    let off = SearchNumber::all().into_iter().find_map(|number| {
        let group = number.group_that_is_off(&variant.search)?;
        glob.meets(&Number::Search(number).path()).then_some(group)
    });
    if let Some(group) = off {
        return problem(format!("`search.{group}` is off in `{name}`")).help(format!(
            "turn it on in the variant, `search = {{ {group} = true }}`, or do not tune it"
        ));
    }
    let search = typed.strip_prefix("search.");
    let known = typed.strip_prefix("eval.");
    let table = variant.eval.table();
    let is_switch = known.is_some_and(|path| table.is_switch(path));
    if search.is_some_and(SearchNumber::is_other) || is_switch {
        return problem(format!("`{typed}` is no number"))
            .label("it is a switch or a choice")
            .help("compare two variants by `leitai gate` instead");
    }
    let shapes = shapes(all);
    let names: Vec<&str> = shapes.iter().map(String::as_str).collect();
    let near = nearest_names(typed, &names);
    let problem = problem(format!("`{name}` has no number `{typed}`"));
    if near.is_empty() {
        problem.help("paths are such as `eval.material.*` or `search.null_move.reduction`")
    } else {
        problem.help(format!("did you mean {}?", quoted(near)))
    }
}

/// The paths in short form: `[*]` for the indices of squares, and `*` for the names in groups.
fn shapes(all: &[Named]) -> Vec<String> {
    let mut shapes: Vec<String> = Vec::new();
    for (_, path) in all {
        let shape = match path.find('[') {
            Some(at) => {
                let places = path.matches('[').count();
                format!("{}{}", &path[..at], "[*]".repeat(places))
            }
            None => path.clone(),
        };
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
