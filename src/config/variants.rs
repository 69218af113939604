//! The players: names, inheritance, numbers.

use std::ops::Range;

use super::eval::{OthelloLayer, RawXiangqiEval, XiangqiLayer};
use super::layer::{EvalLayer, Layer};
use super::problem::Problem;
use super::program::Program;
use super::program_check::{self, Ground};
use super::raw::{RawOthelloEval, Text};
use super::reader::Fields;
use super::search::{RawSearch, SearchLayer};
use super::{EvalParams, GameChoice, Variant, presets};
use crate::eval::Evaluation;
use crate::eval::othello::DiscSquare;
use crate::eval::xiangqi::XiangqiEvaluation;

/// One `[[variant]]` table, each value checked by itself.
struct Draft {
    name: Option<Text>,
    base: Option<Text>,
    /// Where the table begins.
    span: Range<usize>,
    layer: Layer,
    /// Where its command stands, and the program if nothing is wrong with it.
    program: Option<(Range<usize>, Option<Program>)>,
}

impl Draft {
    fn read(mut fields: Fields, ground: &Ground, problems: &mut Vec<Problem>) -> Self {
        let span = fields.span();
        let name = fields.take::<String>("name", "`variant.name`", problems);
        if name.is_absent() {
            problems.push(
                Problem::error(span.clone(), "a variant without a name")
                    .help("add `name = \"...\"` to it"),
            );
        }
        let base = fields.take("base", "`variant.base`", problems);
        let search = fields
            .take::<RawSearch>("search", "`search`", problems)
            .value();
        let eval = match ground.game {
            Some(GameChoice::Xiangqi(_)) => fields
                .take::<RawXiangqiEval>("eval", "`eval`", problems)
                .value()
                .map(|raw| XiangqiLayer::check(raw.get_ref(), problems))
                .map(|layer| EvalLayer::Xiangqi(Box::new(layer))),
            Some(GameChoice::Othello) => fields
                .take::<RawOthelloEval>("eval", "`eval`", problems)
                .value()
                .map(|raw| OthelloLayer::check(raw.get_ref(), problems))
                .map(EvalLayer::Othello),
            // Which keys are right depends on the game, which is unknown.
            None => {
                fields.skip("eval");
                None
            }
        };
        let program = program_check::program(&mut fields, ground, problems);
        fields.finish(problems);
        if let Some((command, _)) = &program {
            let own = search.as_ref().map(|raw| ("search", raw.span()));
            let own = own.or_else(|| eval.as_ref().map(|_| ("eval", span.clone())));
            if let Some((key, place)) = own {
                problems.push(
                    Problem::error(place, format!("`{key}` of another program cannot be set"))
                        .context(command.clone(), "the program")
                        .help(format!(
                            "remove `{key}`, or set what the program offers: `options = {{ ... }}`"
                        )),
                );
            }
        }
        Self {
            name: name.value(),
            base: base.value(),
            program,
            span,
            layer: Layer {
                search: search
                    .map(|raw| SearchLayer::check(raw.get_ref(), problems))
                    .unwrap_or_default(),
                eval,
            },
        }
    }

    fn is_called(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|own| own.get_ref() == name)
    }
}

/// Checks the list of variants; empty if it cannot be resolved.
pub(super) fn variants(
    tables: Vec<Fields>,
    ground: &Ground,
    problems: &mut Vec<Problem>,
) -> Vec<Variant> {
    let drafts: Vec<Draft> = tables
        .into_iter()
        .map(|fields| Draft::read(fields, ground, problems))
        .collect();
    check_names(&drafts, problems);
    let bases = check_bases(&drafts, problems);
    check_heirs(&drafts, &bases, problems);
    ground
        .game
        .and_then(presets::default_variant)
        .map_or_else(Vec::new, |start| {
            let resolve = |index| resolve(&drafts, &bases, index, start.clone());
            let variants: Vec<Variant> = (0..drafts.len()).map(resolve).collect();
            check_conflicts(&drafts, &variants, problems);
            check_lazy_evaluation(&drafts, &bases, &variants, problems);
            variants
        })
}

/// Characters of the longest name that a table has room for.
const LONGEST_NAME: usize = 60;

fn check_names(drafts: &[Draft], problems: &mut Vec<Problem>) {
    for (index, draft) in drafts.iter().enumerate() {
        let Some(name) = &draft.name else { continue };
        let text = name.get_ref();
        if text.trim().is_empty() {
            problems.push(
                Problem::error(name.span(), "the name of a variant is empty")
                    .help("names stand in tables and game records: give it one"),
            );
        } else if text.trim() != text
            || text.chars().any(char::is_control)
            || text.chars().count() > LONGEST_NAME
        {
            problems.push(
                Problem::error(
                    name.span(),
                    format!(
                        "a name with blanks around it, with control characters, or longer than \
                         {LONGEST_NAME} characters"
                    ),
                )
                .help("names stand in tables and game records: keep them plain and short"),
            );
        }
        let earlier = drafts[..index].iter().find(|other| other.is_called(text));
        if let Some(first) = earlier.and_then(|other| other.name.as_ref()) {
            problems.push(
                Problem::error(name.span(), format!("two variants are called `{text}`"))
                    .context(first.span(), "the first one")
                    .help("give each variant a name of its own"),
            );
        }
    }
}

/// The index of each variant's base; none where it is missing or would lead
/// in a circle.
fn check_bases(drafts: &[Draft], problems: &mut Vec<Problem>) -> Vec<Option<usize>> {
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
                problems.push(
                    Problem::error(base.span(), format!("no variant `{}`", base.get_ref()))
                        .alternatives(base.get_ref(), names),
                );
            }
            found
        })
        .collect();
    for index in 0..drafts.len() {
        let circle = circle(&bases, index);
        if circle.is_empty() {
            continue;
        }
        let name = |index: usize| {
            drafts[index]
                .name
                .as_ref()
                .map_or("?", |name| name.get_ref())
        };
        let way: Vec<&str> = circle.iter().map(|index| name(*index)).collect();
        let span = drafts[index]
            .base
            .as_ref()
            .map_or(drafts[index].span.clone(), Text::span);
        let message = format!("`{}` inherits from itself", name(index));
        problems.push(Problem::error(span, message).label(format!(
            "{} -> {}",
            way.join(" -> "),
            name(index)
        )));
        // Cut, so that the circle is reported once and resolving ends.
        bases[index] = None;
    }
    bases
}

/// Refuses inheritance from and by programs: there is nothing to inherit.
fn check_heirs(drafts: &[Draft], bases: &[Option<usize>], problems: &mut Vec<Problem>) {
    for (draft, base) in drafts.iter().zip(bases) {
        let (Some(base), Some(name)) = (base, &draft.base) else {
            continue;
        };
        let program = draft.program.as_ref().or(drafts[*base].program.as_ref());
        if let Some((command, _)) = program {
            problems.push(
                Problem::error(name.span(), "nothing is inherited by or from a program")
                    .context(command.clone(), "the program")
                    .help("remove `base`"),
            );
        }
    }
}

/// The variants on the way from `start` back to itself; empty if there is no
/// such way.
fn circle(bases: &[Option<usize>], start: usize) -> Vec<usize> {
    let mut way = vec![start];
    let mut at = start;
    while let Some(next) = bases[at] {
        if next == start {
            return way;
        }
        if way.len() > bases.len() {
            break;
        }
        way.push(next);
        at = next;
    }
    Vec::new()
}

/// Refuses searches whose parts do not fit together.
fn check_conflicts(drafts: &[Draft], variants: &[Variant], problems: &mut Vec<Problem>) {
    for (draft, variant) in drafts.iter().zip(variants) {
        if let Some((message, mend)) = variant.search.conflict() {
            problems.push(
                Problem::error(draft.span.clone(), message)
                    .label(format!("in the variant `{}`", variant.name))
                    .help(mend),
            );
        }
    }
}

/// Warns where costly terms are to be left out of an evaluation that has none. A
/// preset that turns everything on may do so: it is made for every evaluation.
fn check_lazy_evaluation(
    drafts: &[Draft],
    bases: &[Option<usize>],
    variants: &[Variant],
    problems: &mut Vec<Problem>,
) {
    for (index, (draft, variant)) in drafts.iter().zip(variants).enumerate() {
        let asked = lineage(bases, index)
            .into_iter()
            .find_map(|at| drafts[at].layer.search.lazy_evaluation());
        let Some(asked) = asked else { continue };
        if variant.search.lazy_evaluation == 0 || has_costly_terms(&variant.eval) {
            continue;
        }
        let message = "`lazy_evaluation` does nothing: the evaluation has no costly terms to \
                       leave out";
        let mend = match variant.eval {
            EvalParams::Xiangqi(_) => {
                "remove it, or choose an evaluation that has such terms: `eval = { preset = \
                 \"leitai\" }`"
            }
            EvalParams::Othello(_) => "remove it: no evaluation of Othello has such terms",
        };
        let inherited = draft.layer.search.lazy_evaluation().is_none();
        let warning = if inherited {
            Problem::warning(draft.span.clone(), message).context(asked.clone(), "inherited")
        } else {
            Problem::warning(asked.clone(), message)
        };
        let label = format!("in the variant `{}`", variant.name);
        problems.push(warning.label(label).help(mend));
    }
}

fn has_costly_terms(eval: &EvalParams) -> bool {
    match eval {
        EvalParams::Xiangqi(params) => XiangqiEvaluation::new(params).is_costly(),
        EvalParams::Othello(params) => DiscSquare::new(*params).is_costly(),
    }
}

/// The variant, its base, the base of that, and so on.
fn lineage(bases: &[Option<usize>], index: usize) -> Vec<usize> {
    let mut chain = vec![index];
    let mut at = index;
    while let Some(base) = bases[at] {
        chain.push(base);
        at = base;
    }
    chain
}

/// Lays the variant's own words over those of its base, and so on down to the
/// first form.
fn resolve(drafts: &[Draft], bases: &[Option<usize>], index: usize, start: Variant) -> Variant {
    let mut variant = start;
    for index in lineage(bases, index).into_iter().rev() {
        drafts[index].layer.apply(&mut variant);
    }
    if let Some((_, Some(program))) = &drafts[index].program {
        variant.program = Some(Box::new(program.clone()));
    }
    variant.name = drafts[index]
        .name
        .as_ref()
        .map_or_else(String::new, |name| name.get_ref().clone());
    variant
}
