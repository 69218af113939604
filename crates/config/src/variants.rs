//! The variants: inheritance and the resulting numbers.

use std::ops::Range;

use super::draft::Draft;
use super::form::Spanned;
use super::lineage::{check_bases, check_names, lineage};
use super::problem::Problem;
use super::program::Program;
use super::program_check::{self, CheckContext};
use super::program_typed::Typed;
use super::raw::Text;
use super::reader::Fields;
use super::search::SearchLayer;
use super::{GameChoice, Games, Limits, Variant, presets};

use leitai_game::card::{GameCard, NamedPlayer};
use leitai_game::search::Stage;

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
    check_equal_time(&drafts, context, problems);
    let bases = check_bases(&drafts, problems);
    let others = others(&drafts, &bases, context, problems);
    let start = |game| match presets::default_variant(game) {
        Ok(start) => Some((game, start)),
        Err(error) => {
            let first = drafts.first()?;
            problems.push(Problem::error(first.span.clone(), error.to_string()));
            None
        }
    };
    context
        .game
        .and_then(start)
        .map_or_else(Vec::new, |(GameChoice { card, .. }, start)| {
            let resolve = |(index, (program, player))| {
                let variant = resolve(&drafts, &bases, index, start.clone());
                Variant {
                    program,
                    player,
                    ..variant
                }
            };
            let variants: Vec<Variant> = others.into_iter().enumerate().map(resolve).collect();
            check_conflicts(&drafts, &variants, problems);
            check_evaluations(&drafts, &variants, card, problems);
            check_lazy_evaluation(&drafts, &bases, &variants, card, problems);
            check_idle_stages(&drafts, &variants, card, problems);
            check_idle_techniques(&drafts, &variants, card, problems);
            check_solvers(&drafts, &bases, &variants, (card, context.games), problems);
            check_solver_limits(&drafts, &variants, context, problems);
            if context.is_study && card.has_prover() {
                check_solves(&drafts, &variants, problems);
            }
            variants
        })
}

/// Refuses `equal_time` in the limits of a single variant, and variants whose nodes cannot be
/// chosen by their speed.
fn check_equal_time(drafts: &[Draft], context: &CheckContext, problems: &mut Vec<Problem>) {
    for draft in drafts {
        if let Some((place, _)) = draft.limits.as_ref().filter(|(_, own)| own.equal_time) {
            Problem::error(place.clone(), "`equal_time` is about all variants")
                .help("write it under `[limits]`")
                .report(problems);
        }
        if !context.limits.equal_time {
            continue;
        }
        let limits = draft.limits.as_ref().map(|(place, _)| place);
        if let Some(place) = limits.or(draft.limits_itself.as_ref()) {
            let message = "limits of its own where all play at equal time";
            Problem::error(place.clone(), message)
                .help("remove them, or `equal_time` under `[limits]`")
                .report(problems);
        }
        if let Some(command) = &draft.typed.command {
            let message = "the speed of a program is not known before it plays";
            Problem::error(command.span(), message)
                .help(
                    "give a `movetime` or a `clock` under `[limits]` instead of `nodes` and \
                     `equal_time`",
                )
                .report(problems);
        }
    }
}

/// A player other than a search: a program or a named player.
type Other = (Option<Box<Program>>, Option<&'static dyn NamedPlayer>);

/// The player of each variant that is no search, from its own settings and its inherited ones.
fn others(
    drafts: &[Draft],
    bases: &[Option<usize>],
    context: &CheckContext,
    problems: &mut Vec<Problem>,
) -> Vec<Other> {
    let one = |index: usize| {
        let chain = lineage(bases, index);
        let base = chain.get(1).copied();
        let typed = typed(drafts, &chain);
        let draft = &drafts[index];
        let mut found = Vec::new();
        if typed.command.is_none() {
            program_check::refuse_strays(&typed, &mut found);
            found.extend(draft.limits_itself.clone().map(no_limits_of_itself));
        }
        let mut player = None;
        let program = match (&typed.command, &typed.player) {
            (None, None) => None,
            _ if base.is_some_and(|base| is_search(drafts, bases, base)) => {
                found.extend(base.and_then(|base| nothing_inherited(draft, &drafts[base])));
                None
            }
            (command, Some(name)) => {
                found.extend(command.as_ref().map(|command| not_both(name, command)));
                found.extend(own_search(draft, &typed));
                player = named_player(name, context, &mut found);
                None
            }
            (Some(_), None) => {
                found.extend(own_search(draft, &typed));
                let limits = limits(drafts, &chain).unwrap_or(context.limits);
                let by_itself = limits_itself(drafts, &chain);
                program_check::program(typed, (&limits, by_itself), context, &mut found)
            }
        };
        ((program.map(Box::new), player), found)
    };
    (0..drafts.len())
        .map(|index| {
            let (other, found) = one(index);
            // An error in a base recurs in its derived variants, and is reported once.
            for problem in found {
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
            other
        })
        .collect()
}

/// The player of that name.
fn named_player(
    name: &Text,
    context: &CheckContext,
    problems: &mut Vec<Problem>,
) -> Option<&'static dyn NamedPlayer> {
    let card = context.game?.card;
    let players: Vec<_> = context.games.players_of(card).collect();
    let given = name.get_ref().as_str();
    let found = players.iter().find(|player| player.name() == given);
    let problem = if found.is_none() {
        let problem = Problem::error(name.span(), format!("unknown player `{given}`"));
        Some(if players.is_empty() {
            let title = card.facts().title;
            problem.help(format!(
                "this program has no players of {title} but its own search, and other programs: \
                 `command = [\"...\"]`"
            ))
        } else {
            problem.alternatives(given, players.iter().map(|player| player.name()))
        })
    } else if context.is_study {
        let message = "a study looks into the search of its players, and this one is no search";
        Some(
            Problem::error(name.span(), message)
                .help("remove the variant, or let it play a `[tournament]` without `[study]`"),
        )
    } else {
        None
    };
    problems.extend(problem);
    found.copied()
}

/// The error for a variant with both a player and a program.
fn not_both(name: &Text, command: &Spanned<Vec<Text>>) -> Problem {
    Problem::error(
        name.span(),
        "a variant has a `player` or a `command`, not both",
    )
    .context(command.span(), "the program")
    .help("remove one of them")
}

/// The program settings of a lineage; the first variant's override the others.
fn typed(drafts: &[Draft], chain: &[usize]) -> Typed {
    let mut words = chain.iter().rev().map(|&index| drafts[index].typed.clone());
    let first = words.next().unwrap_or_default();
    words.fold(first, |base, own| own.over(&base))
}

fn is_search(drafts: &[Draft], bases: &[Option<usize>], index: usize) -> bool {
    typed(drafts, &lineage(bases, index)).other().is_none()
}

/// The limits set in a lineage, if any.
fn limits(drafts: &[Draft], chain: &[usize]) -> Option<Limits> {
    let own = |index: &usize| drafts[*index].limits.as_ref();
    chain.iter().find_map(own).map(|(_, limits)| *limits)
}

/// Returns whether a lineage lets the program limit itself.
fn limits_itself(drafts: &[Draft], chain: &[usize]) -> bool {
    let mut said = chain.iter().map(|&index| &drafts[index]);
    let said = said.find(|draft| draft.limits.is_some());
    said.is_some_and(|draft| draft.limits_itself.is_some())
}

/// The error for a search without limits of its own.
fn no_limits_of_itself(place: Range<usize>) -> Problem {
    Problem::error(place, "only another program can limit itself")
        .help("give limits: `limits = { depth = 6 }`, or leave them to `[limits]`")
}

/// The error for a program or a player with a search as its base: there is nothing to inherit.
fn nothing_inherited(draft: &Draft, base: &Draft) -> Option<Problem> {
    let ((who, place), name) = (draft.typed.other()?, draft.base.as_ref()?);
    let message = format!("a {who} inherits nothing from a search");
    let problem = Problem::error(name.span(), message)
        .context(place, format!("the {who}"))
        .context(base.span.clone(), "the search")
        .help("remove `base`");
    Some(problem)
}

/// The error for search or evaluation settings of a program or player.
fn own_search(draft: &Draft, typed: &Typed) -> Option<Problem> {
    let ((place, key), (who, said)) = (draft.own.clone()?, typed.other()?);
    let message = format!("`{key}` of another {who} cannot be set");
    let help = if typed.command.is_some() {
        format!("remove `{key}`, or set what the program offers: `options = {{ ... }}`")
    } else {
        format!("remove `{key}`: the player goes its own ways")
    };
    let problem = Problem::error(place, message);
    Some(problem.context(said, format!("the {who}")).help(help))
}

/// Refuses searches with conflicting settings.
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

/// Warns of variants that omit costly terms of an evaluation without such terms. A preset that
/// turns everything on may do so, because it is made for every evaluation.
fn check_lazy_evaluation(
    drafts: &[Draft],
    bases: &[Option<usize>],
    variants: &[Variant],
    card: &dyn GameCard,
    problems: &mut Vec<Problem>,
) {
    for (index, (draft, variant)) in drafts.iter().zip(variants).enumerate() {
        let asked = lineage(bases, index)
            .into_iter()
            .find_map(|at| drafts[at].layer.search.asked("lazy_evaluation"));
        let Some(asked) = asked else { continue };
        if variant.search.lazy_evaluation == 0 || card.has_costly_terms(&variant.eval) == Some(true)
        {
            continue;
        }
        let message = "`lazy_evaluation` does nothing: the evaluation has no costly terms to \
                       leave out";
        let inherited = draft.layer.search.asked("lazy_evaluation").is_none();
        let warning = if inherited {
            Problem::warning(draft.span.clone(), message).context(asked.clone(), "inherited")
        } else {
            Problem::warning(asked.clone(), message)
        };
        let label = format!("in the variant `{}`", variant.name);
        problems.push(warning.label(label).help(card.facts().no_costly_terms));
    }
}

/// Warns of ordering stages named by a variant that never get a move in its game. Presets are
/// exempt, because they are made for every game.
fn check_idle_stages(
    drafts: &[Draft],
    variants: &[Variant],
    card: &dyn GameCard,
    problems: &mut Vec<Problem>,
) {
    for (draft, variant) in drafts.iter().zip(variants) {
        for (stage, place) in draft.layer.search.stages() {
            let Some(why) = card.idle_stage(*stage) else {
                continue;
            };
            let game = card.facts().title;
            let message = format!("the stage `{}` does nothing in {game}: {why}", stage.name());
            problems.push(
                Problem::warning(place.clone(), message)
                    .label(format!("in the variant `{}`", variant.name))
                    .help("take it out of `ordering`"),
            );
        }
    }
}

/// Warns of techniques turned on by a variant that do nothing in its game, or without another one.
fn check_idle_techniques(
    drafts: &[Draft],
    variants: &[Variant],
    card: &dyn GameCard,
    problems: &mut Vec<Problem>,
) {
    let in_game = [
        ("exchange_pruning", Stage::GoodExchanges),
        ("quiescence", Stage::GoodCaptures),
        ("capture_history", Stage::MvvLva),
        ("prob_cut", Stage::GoodCaptures),
        ("check_extension", Stage::SafeChecks),
    ];
    for (draft, variant) in drafts.iter().zip(variants) {
        let search = &variant.search;
        let has = |stages: &[Stage]| search.ordering.iter().any(|stage| stages.contains(stage));
        let alone = [
            (
                "capture_history",
                search.capture_history.is_some() && !has(&[Stage::MvvLva, Stage::GoodExchanges]),
                "without the stage `mvv-lva` or `good-exchanges`, whose captures it ranks",
            ),
            (
                "history_pruning",
                search.history_pruning.is_some() && !search.history.penalty,
                "without `history.penalty = true`: no move has a bad score",
            ),
            (
                "history",
                search.history.far && !has(&[Stage::ContinuationHistory]),
                "by its key `far` without the stage `continuation-history`",
            ),
        ];
        let title = card.facts().title;
        let idle = in_game.iter().filter_map(|&(key, stage)| {
            let why = card.idle_stage(stage)?;
            Some((key, format!("in {title}: {why}")))
        });
        let mut idle: Vec<(&str, String)> = idle.collect();
        for (key, is_idle, why) in alone {
            if is_idle && idle.iter().all(|(other, _)| *other != key) {
                idle.push((key, why.to_owned()));
            }
        }
        for (key, why) in idle {
            if let Some(place) = draft.layer.search.asked(key) {
                let problem =
                    Problem::warning(place.clone(), format!("`{key}` does nothing {why}"));
                problems.push(problem.label(format!("in the variant `{}`", variant.name)));
            }
        }
    }
}

/// Refuses exact endgames and solvers in a game without them.
fn check_evaluations(
    drafts: &[Draft],
    variants: &[Variant],
    card: &dyn GameCard,
    problems: &mut Vec<Problem>,
) {
    for (draft, variant) in drafts.iter().zip(variants) {
        if variant.is_search() && card.has_costly_terms(&variant.eval).is_none() {
            let message = format!("{} has no evaluation with these numbers", card.name());
            let problem = Problem::error(draft.span.clone(), message);
            problems.push(problem.label(format!("in the variant `{}`", variant.name)));
        }
    }
}

fn check_solvers(
    drafts: &[Draft],
    bases: &[Option<usize>],
    variants: &[Variant],
    (card, games): (&dyn GameCard, &Games),
    problems: &mut Vec<Problem>,
) {
    let name = card.name();
    for (index, variant) in variants.iter().enumerate() {
        if variant.search.endgame.is_some() && !card.has_solver() {
            let message = format!("`search.endgame`: {name} has no exact solver");
            let asked = |layer: &'_ SearchLayer| layer.endgame().cloned();
            let problem = not_in_this_game(drafts, bases, (index, variant), message, asked);
            let other = if card.has_prover() {
                card.facts().other_solver
            } else {
                ""
            };
            let help = also("remove it, or write `endgame = false`", other);
            problems.extend(problem.map(|problem| problem.help(help)));
        }
        if variant.search.solver.is_some() && !card.has_prover() {
            let message = format!("`search.solver`: {name} has no goal that a solver could prove");
            let asked = |layer: &'_ SearchLayer| layer.solver().cloned();
            let problem = not_in_this_game(drafts, bases, (index, variant), message, asked);
            let able: Vec<_> = games.iter().filter(|it| it.has_prover()).collect();
            let able: Vec<_> = able.iter().map(|it| format!("\"{}\"", it.name())).collect();
            let play = format!(
                "remove it, or write `solver = false`: solvers play `game = {}`",
                able.join(" or ")
            );
            let help = also(&play, card.facts().other_solver);
            problems.extend(problem.map(|problem| problem.help(help)));
        }
    }
}

/// A help text with an alternative.
fn also(help: &str, other: &str) -> String {
    match other {
        "" => help.to_owned(),
        other => format!("{help}; {other}"),
    }
}

/// Refuses solvers without a limit that can stop them.
fn check_solver_limits(
    drafts: &[Draft],
    variants: &[Variant],
    context: &CheckContext,
    problems: &mut Vec<Problem>,
) {
    for (draft, variant) in drafts.iter().zip(variants) {
        let limits = variant.limits.unwrap_or(context.limits);
        let is_limited = limits.nodes.is_some() || limits.time.is_some();
        // Missing limits are reported elsewhere.
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

/// The error for an unsupported part of a search, at the key of the variant that sets it; `None` if
/// a base sets it, because the error is reported there.
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

/// Applies the settings of the base, its base and so on, and then the variant's own.
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
