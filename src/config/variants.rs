//! The players: inheritance, and the numbers that come of it.

use std::ops::Range;

use super::draft::Draft;
use super::games_table::has_costly_terms;
use super::lineage::{check_bases, check_names, lineage};
use super::problem::Problem;
use super::program::Program;
use super::program_check::{self, CheckContext};
use super::program_typed::Typed;
use super::reader::Fields;
use super::search::SearchLayer;
use super::{GameChoice, Limits, Variant, presets};
use crate::game::Position;
use crate::games::go::Capture;
use crate::games::othello::Othello;
use crate::games::xiangqi::Xiangqi;
use crate::search::Tactics;

/// Checks the list of variants; empty if it cannot be resolved.
pub(super) fn variants(
    tables: Vec<Fields>,
    context: &CheckContext,
    problems: &mut Vec<Problem>,
) -> Vec<Variant> {
    let drafts: Vec<Draft> = tables
        .into_iter()
        .map(|fields| Draft::read(fields, context.game, problems))
        .collect();
    check_names(&drafts, problems);
    for (place, _) in drafts.iter().filter_map(|draft| draft.limits.as_ref()) {
        if context.is_study {
            problems.push(
                Problem::error(
                    place.clone(),
                    "a study gives all its players the same limits",
                )
                .help("remove `limits` here: `[study]` and `[study.games]` set them"),
            );
        }
    }
    let bases = check_bases(&drafts, problems);
    let programs = programs(&drafts, &bases, context, problems);
    let start = |game| Some((game, presets::default_variant(game)?));
    context
        .game
        .and_then(start)
        .map_or_else(Vec::new, |(game, start)| {
            let resolve = |(index, program)| {
                let mut variant = resolve(&drafts, &bases, index, start.clone());
                variant.program = program;
                variant
            };
            let variants: Vec<Variant> = programs.into_iter().enumerate().map(resolve).collect();
            check_conflicts(&drafts, &variants, problems);
            check_lazy_evaluation(game, (&drafts, &bases), &variants, problems);
            check_idle_stages(game, &drafts, &variants, problems);
            check_endgame(game, (&drafts, &bases), &variants, problems);
            check_solver(game, (&drafts, &bases), &variants, problems);
            check_solver_limits(&drafts, &variants, context, problems);
            if context.is_study && game.is_go() {
                check_solves(&drafts, &variants, problems);
            }
            variants
        })
}

/// The program of each variant, by its own words over those that it inherits.
fn programs(
    drafts: &[Draft],
    bases: &[Option<usize>],
    context: &CheckContext,
    problems: &mut Vec<Problem>,
) -> Vec<Option<Box<Program>>> {
    let one = |index: usize| {
        let chain = lineage(bases, index);
        let base = chain.get(1).copied();
        let typed = typed(drafts, &chain);
        let draft = &drafts[index];
        let mut found = Vec::new();
        let program = match (&typed.command, base) {
            (None, _) => {
                program_check::refuse_strays(&typed, &mut found);
                found.extend(draft.limits_itself.clone().map(no_limits_of_itself));
                None
            }
            (Some(_), Some(base)) if !is_program(drafts, bases, base) => {
                found.extend(no_heir(draft, &drafts[base]));
                None
            }
            (Some(_), _) => {
                found.extend(own_search(draft, &typed));
                let limits = limits(drafts, &chain).unwrap_or(context.limits);
                let by_itself = limits_itself(drafts, &chain);
                program_check::program(typed, (&limits, by_itself), context, &mut found)
            }
        };
        (program.map(Box::new), found)
    };
    (0..drafts.len())
        .map(|index| {
            let (program, found) = one(index);
            // What is wrong with a base is wrong with its offspring, and said once.
            for problem in found {
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
            program
        })
        .collect()
}

/// What the variants of a lineage say of a program, the first one's words on top.
fn typed(drafts: &[Draft], chain: &[usize]) -> Typed {
    let mut words = chain.iter().rev().map(|&index| drafts[index].typed.clone());
    let first = words.next().unwrap_or_default();
    words.fold(first, |base, own| own.over(&base))
}

fn is_program(drafts: &[Draft], bases: &[Option<usize>], index: usize) -> bool {
    typed(drafts, &lineage(bases, index)).command.is_some()
}

/// The limits that a lineage has of its own.
fn limits(drafts: &[Draft], chain: &[usize]) -> Option<Limits> {
    let own = |index: &usize| drafts[*index].limits.as_ref();
    chain.iter().find_map(own).map(|(_, limits)| *limits)
}

/// Whether a lineage says that the program limits itself.
fn limits_itself(drafts: &[Draft], chain: &[usize]) -> bool {
    let mut said = chain.iter().map(|&index| &drafts[index]);
    let said = said.find(|draft| draft.limits.is_some());
    said.is_some_and(|draft| draft.limits_itself.is_some())
}

/// Refuses a search that is to limit itself.
fn no_limits_of_itself(place: Range<usize>) -> Problem {
    Problem::error(place, "only another program can limit itself")
        .help("give limits: `limits = { depth = 6 }`, or leave them to `[limits]`")
}

/// Refuses a program that inherits from a search: there is nothing to inherit.
fn no_heir(draft: &Draft, base: &Draft) -> Option<Problem> {
    let (command, name) = (draft.typed.command.as_ref()?, draft.base.as_ref()?);
    let problem = Problem::error(name.span(), "a program inherits nothing from a search")
        .context(command.span(), "the program")
        .context(base.span.clone(), "the search")
        .help("remove `base`");
    Some(problem)
}

/// Refuses a search or an evaluation of a program's own.
fn own_search(draft: &Draft, typed: &Typed) -> Option<Problem> {
    let ((place, key), command) = (draft.own.clone()?, typed.command.as_ref()?);
    let problem = Problem::error(place, format!("`{key}` of another program cannot be set"))
        .context(command.span(), "the program")
        .help(format!(
            "remove `{key}`, or set what the program offers: `options = {{ ... }}`"
        ));
    Some(problem)
}

/// Refuses searches whose parts do not fit together.
fn check_conflicts(drafts: &[Draft], variants: &[Variant], problems: &mut Vec<Problem>) {
    for (draft, variant) in drafts.iter().zip(variants) {
        if let Some((message, help)) = variant.search.conflict() {
            problems.push(
                Problem::error(draft.span.clone(), message)
                    .label(format!("in the variant `{}`", variant.name))
                    .help(help),
            );
        }
    }
}

/// Warns where costly terms are to be left out of an evaluation that has none. A
/// preset that turns everything on may do so: it is made for every evaluation.
fn check_lazy_evaluation(
    game: GameChoice,
    (drafts, bases): (&[Draft], &[Option<usize>]),
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
        let help = match game {
            GameChoice::Xiangqi(_) => {
                "remove it, or choose an evaluation that has such terms: `eval = { preset = \
                 \"leitai\" }`"
            }
            GameChoice::Othello(_) => "remove it: no evaluation of Othello has such terms",
            GameChoice::Go(_) => "remove it: there are no such terms in Go block capture",
        };
        let inherited = draft.layer.search.lazy_evaluation().is_none();
        let warning = if inherited {
            Problem::warning(draft.span.clone(), message).context(asked.clone(), "inherited")
        } else {
            Problem::warning(asked.clone(), message)
        };
        let label = format!("in the variant `{}`", variant.name);
        problems.push(warning.label(label).help(help));
    }
}

/// Warns of ordering stages that a variant names itself and that never get a move
/// in its game. Presets are made for every game.
fn check_idle_stages(
    game: GameChoice,
    drafts: &[Draft],
    variants: &[Variant],
    problems: &mut Vec<Problem>,
) {
    for (draft, variant) in drafts.iter().zip(variants) {
        for (stage, place) in draft.layer.search.stages() {
            let (idle, name) = match game {
                GameChoice::Xiangqi(_) => (stage.idle_in::<Xiangqi>(), "Xiangqi"),
                GameChoice::Othello(_) => (stage.idle_in::<Othello>(), "Othello"),
                GameChoice::Go(_) => (stage.idle_in::<Capture>(), "Go block capture"),
            };
            let Some(why) = idle else { continue };
            let message = format!("the stage `{}` does nothing in {name}: {why}", stage.name());
            problems.push(
                Problem::warning(place.clone(), message)
                    .label(format!("in the variant `{}`", variant.name))
                    .help("take it out of `ordering`"),
            );
        }
    }
}

/// Refuses exact endgames in a game that nobody solves.
fn check_endgame(
    game: GameChoice,
    (drafts, bases): (&[Draft], &[Option<usize>]),
    variants: &[Variant],
    problems: &mut Vec<Problem>,
) {
    for (index, variant) in variants.iter().enumerate() {
        let name = match game {
            GameChoice::Xiangqi(_) if !Xiangqi::HAS_SOLVER => Xiangqi::NAME,
            GameChoice::Othello(_) if !Othello::HAS_SOLVER => Othello::NAME,
            GameChoice::Go(_) if !Capture::HAS_SOLVER => Capture::NAME,
            _ => continue,
        };
        if variant.search.endgame.is_none() {
            continue;
        }
        let message = format!("`search.endgame`: {name} has no exact solver");
        let asked = |layer: &'_ SearchLayer| layer.endgame().cloned();
        let problem = not_in_this_game(drafts, bases, (index, variant), message, asked);
        let help = match game {
            GameChoice::Go(_) => {
                "remove it, or write `endgame = false`; what solves problems of Go is \
                 `search.solver`"
            }
            _ => "remove it, or write `endgame = false`",
        };
        problems.extend(problem.map(|problem| problem.help(help)));
    }
}

/// Refuses solvers of problems with a goal in a game without one.
fn check_solver(
    game: GameChoice,
    (drafts, bases): (&[Draft], &[Option<usize>]),
    variants: &[Variant],
    problems: &mut Vec<Problem>,
) {
    for (index, variant) in variants.iter().enumerate() {
        let (name, help) = match game {
            GameChoice::Go(_) => continue,
            GameChoice::Xiangqi(_) => (
                Xiangqi::NAME,
                "remove it, or write `solver = false`: solvers play `game = \"go\"`",
            ),
            GameChoice::Othello(_) => (
                Othello::NAME,
                "remove it, or write `solver = false`: solvers play `game = \"go\"`; what \
                 solves endgames of Othello is `search.endgame`",
            ),
        };
        if variant.search.solver.is_none() {
            continue;
        }
        let message = format!("`search.solver`: {name} has no goal that a solver could prove");
        let asked = |layer: &'_ SearchLayer| layer.solver().cloned();
        let problem = not_in_this_game(drafts, bases, (index, variant), message, asked);
        problems.extend(problem.map(|problem| problem.help(help)));
    }
}

/// Refuses solvers that nothing would stop.
fn check_solver_limits(
    drafts: &[Draft],
    variants: &[Variant],
    context: &CheckContext,
    problems: &mut Vec<Problem>,
) {
    for (draft, variant) in drafts.iter().zip(variants) {
        let limits = variant.limits.unwrap_or(context.limits);
        let is_limited = limits.nodes.is_some() || limits.time.is_some();
        // Where nothing is said at all, that is said elsewhere.
        if variant.search.solver.is_none() || is_limited || limits.depth.is_none() {
            continue;
        }
        problems.push(
            Problem::error(
                draft.span.clone(),
                "`depth` does not limit a solver: it searches where the proof is nearest",
            )
            .label(format!(
                "the variant `{}` has `search.solver`",
                variant.name
            ))
            .help("give `nodes` or a time: `limits = { nodes = 10000 }`"),
        );
    }
}

/// Refuses variants without a solver in a study of solvers.
fn check_solves(drafts: &[Draft], variants: &[Variant], problems: &mut Vec<Problem>) {
    for (draft, variant) in drafts.iter().zip(variants) {
        if variant.program.is_none() && variant.search.solver.is_none() {
            problems.push(
                Problem::error(draft.span.clone(), "a study of solvers needs a solver")
                    .label(format!("the variant `{}` has none", variant.name))
                    .help("add `search = { solver = { kind = \"df-pn+\" } }`"),
            );
        }
    }
}

/// A problem with a part of a search, where the variant or its base asks for it; none
/// where the base hears of it.
fn not_in_this_game(
    drafts: &[Draft],
    bases: &[Option<usize>],
    (index, variant): (usize, &Variant),
    message: String,
    asked: impl Fn(&SearchLayer) -> Option<Range<usize>>,
) -> Option<Problem> {
    let found = lineage(bases, index)
        .into_iter()
        .find_map(|at| Some((at, asked(&drafts[at].layer.search)?)));
    match found {
        Some((at, place)) if at == index => Some(Problem::error(place, message)),
        Some(_) => None,
        None => Some(
            Problem::error(drafts[index].span.clone(), message)
                .label(format!("in the variant `{}`", variant.name)),
        ),
    }
}

/// Lays the variant's own words over those of its base, and so on down to the
/// first form.
fn resolve(drafts: &[Draft], bases: &[Option<usize>], index: usize, start: Variant) -> Variant {
    let mut variant = start;
    for index in lineage(bases, index).into_iter().rev() {
        drafts[index].layer.apply(&mut variant);
    }
    variant.limits = limits(drafts, &lineage(bases, index));
    variant.name = drafts[index]
        .name
        .as_ref()
        .map_or_else(String::new, |name| name.get_ref().clone());
    variant
}
