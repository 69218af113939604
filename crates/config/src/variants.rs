//! The variants: inheritance and the resulting numbers.

use std::ops::Range;

use super::context::CheckContext;
use super::draft::Draft;
use super::lineage::{check_bases, check_names, lineage};
use super::problem::{Problem, Problems};
use super::program::Program;
use super::program_typed::Typed;
use super::reader::Fields;
use super::values::{Spanned, Text};
use super::{GameChoice, Limits, Variant, presets, program_check};

use leitai_game::card::NamedPlayer;
use leitai_game::search::{SearchParams, Stage};

/// Checks the list of variants; empty if it cannot be resolved.
pub(super) fn variants(
    tables: Vec<Fields>,
    context: &CheckContext,
    problems: &mut Problems,
) -> Vec<Variant> {
    let drafts: Vec<Draft> = tables
        .into_iter()
        .map(|fields| Draft::read(fields, context.game, problems))
        .collect();
    check_names(&drafts, problems);
    for (place, _) in drafts.iter().filter_map(|draft| draft.limits.as_ref()) {
        if context.is_study {
            let message = "a study gives all its players the same limits";
            Problem::error(place.clone(), message)
                .help("remove `limits` here: `[study]` and `[study.games]` set them")
                .report(problems);
        }
    }
    check_equal_time(&drafts, context, problems);
    let bases = check_bases(&drafts, problems);
    let players = players(&drafts, &bases, context, problems);
    let (Some(game), Some(first)) = (context.game, drafts.first()) else {
        return Vec::new();
    };
    // Programs need no preset, and reading one takes as long as the rest of their config.
    let are_programs = players.iter().all(|(program, _)| program.is_some());
    let start = match (!are_programs).then(|| presets::default_variant(game)) {
        None => presets::bare_variant(game),
        Some(Ok(start)) => start,
        Some(Err(error)) => {
            Problem::error(first.span.clone(), error.to_string()).report(problems);
            return Vec::new();
        }
    };
    let resolve = |(index, (program, player))| Variant {
        program,
        player,
        ..resolve(&drafts, &bases, index, start.clone())
    };
    let variants: Vec<Variant> = players.into_iter().enumerate().map(resolve).collect();
    let checks = VariantChecks {
        drafts: &drafts,
        bases: &bases,
        context,
        game,
    };
    for (index, variant) in variants.iter().enumerate() {
        let label = format!("in the variant `{}`", variant.name);
        let found = checks.problems(index, variant).into_iter();
        problems.extend(found.map(|problem| problem.label(label.as_str())));
    }
    variants
}

/// Refuses `equal_time` in the limits of a single variant, and variants whose nodes cannot be
/// chosen by their speed.
fn check_equal_time(drafts: &[Draft], context: &CheckContext, problems: &mut Problems) {
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
            let message = "own limits although all play at equal time";
            Problem::error(place.clone(), message)
                .help("remove them, or `equal_time` under `[limits]`")
                .report(problems);
        }
        if let Some(command) = &draft.typed.command {
            let message = "the speed of a program is unknown before it plays";
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
type OtherPlayer = (Option<Box<Program>>, Option<&'static dyn NamedPlayer>);

/// The player of each variant that is no search, from its own settings and its inherited ones.
fn players(
    drafts: &[Draft],
    bases: &[Option<usize>],
    context: &CheckContext,
    problems: &mut Problems,
) -> Vec<OtherPlayer> {
    let mut players = Vec::new();
    for index in 0..drafts.len() {
        let mut found = Vec::new();
        players.push(player(drafts, &lineage(bases, index), context, &mut found));
        // An error in a base recurs in its derived variants, and is reported once.
        for problem in found {
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
    }
    players
}

/// The player of the first variant of a lineage.
fn player(
    drafts: &[Draft],
    chain: &[usize],
    context: &CheckContext,
    problems: &mut Problems,
) -> OtherPlayer {
    let draft = &drafts[chain[0]];
    let typed = typed(drafts, chain);
    if typed.command.is_none() {
        program_check::refuse_strays(&typed, problems);
        if let Some(place) = &draft.limits_itself {
            Problem::error(place.clone(), "only another program can limit itself")
                .help("give limits: `limits = { depth = 6 }`, or leave them to `[limits]`")
                .report(problems);
        }
    }
    if typed.other().is_none() {
        return (None, None);
    }
    if let [_, base, ..] = chain
        && self::typed(drafts, &chain[1..]).other().is_none()
    {
        problems.extend(nothing_inherited(draft, &drafts[*base]));
        return (None, None);
    }
    if let (Some(command), Some(name)) = (&typed.command, &typed.player) {
        not_both(name, command).report(problems);
    }
    problems.extend(own_search(draft, &typed));
    if let Some(name) = &typed.player {
        return (None, named_player(name, context, problems));
    }
    let mut chained = chain.iter().map(|&index| &drafts[index]);
    let limited = chained.find(|draft| draft.limits.is_some());
    let limits_itself = limited.is_some_and(|draft| draft.limits_itself.is_some());
    let limits = limits(drafts, chain).unwrap_or(context.limits);
    let program = program_check::program(typed, (&limits, limits_itself), context, problems);
    (program.map(Box::new), None)
}

/// The player of that name.
fn named_player(
    name: &Text,
    context: &CheckContext,
    problems: &mut Problems,
) -> Option<&'static dyn NamedPlayer> {
    let card = context.game?.card;
    let players: Vec<_> = context.games.players_of(card).collect();
    let given = name.get_ref().as_str();
    let found = players.iter().find(|player| player.name() == given);
    if found.is_none() {
        let problem = Problem::error(name.span(), format!("unknown player `{given}`"));
        return if players.is_empty() {
            let title = card.facts().title;
            problem.help(format!(
                "this program has no players of {title} except its own search and other \
                 programs: `command = [\"...\"]`"
            ))
        } else {
            problem.alternatives(given, players.iter().map(|player| player.name()))
        }
        .refuse(problems);
    }
    if context.is_study {
        let message = "a study examines the search of its players, and this one is not a search";
        Problem::error(name.span(), message)
            .help("remove the variant, or let it play a `[tournament]` without `[study]`")
            .report(problems);
    }
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

/// The limits set in a lineage, if any.
fn limits(drafts: &[Draft], chain: &[usize]) -> Option<Limits> {
    let own = |index: &usize| drafts[*index].limits.as_ref();
    chain.iter().find_map(own).map(|(_, limits)| *limits)
}

/// The error for a program or a player with a search as its base: there is nothing to inherit.
fn nothing_inherited(draft: &Draft, base: &Draft) -> Option<Problem> {
    let ((kind, place), name) = (draft.typed.other()?, draft.base.as_ref()?);
    let message = format!("a {kind} inherits nothing from a search");
    let problem = Problem::error(name.span(), message)
        .context(place, format!("the {kind}"))
        .context(base.span.clone(), "the search")
        .help("remove `base`");
    Some(problem)
}

/// The error for search or evaluation settings of a program or player.
fn own_search(draft: &Draft, typed: &Typed) -> Option<Problem> {
    let ((place, key), (kind, other)) = (draft.own.clone()?, typed.other()?);
    let message = format!("`{key}` of another {kind} cannot be set");
    let help = match typed.command {
        Some(_) => "set an option of the program: `options = { ... }`",
        None => "choose a search as the player",
    };
    let problem = Problem::error(place, message).context(other, format!("the {kind}"));
    Some(problem.help(format!("remove `{key}`, or {help}")))
}

/// The checks of resolved variants.
struct VariantChecks<'c> {
    drafts: &'c [Draft],
    bases: &'c [Option<usize>],
    context: &'c CheckContext<'c>,
    game: GameChoice,
}

impl VariantChecks<'_> {
    /// The problems of one variant.
    fn problems(&self, index: usize, variant: &Variant) -> Vec<Problem> {
        let (draft, card) = (&self.drafts[index], self.game.card);
        let error = |message: &str| Problem::error(draft.span.clone(), message);
        let mut found = Vec::new();
        if let Some((message, help)) = variant.search.conflict() {
            found.push(error(&message).help(help));
        }
        if variant.is_search() && card.has_costly_terms(&variant.eval).is_none() {
            let name = card.name();
            found.push(error(&format!(
                "{name} has no evaluation with these numbers"
            )));
        }
        found.extend(self.idle_lazy_evaluation(index, variant));
        found.extend(self.idle_stages(draft));
        found.extend(self.idle_techniques(draft, variant));
        found.extend(self.missing_endgames(index, variant));
        found.extend(self.missing_prover(index, variant));
        let limits = variant.limits.unwrap_or(self.context.limits);
        let is_limited = limits.nodes.is_some() || limits.time.is_some();
        // Missing limits are reported elsewhere.
        if variant.search.solver.is_some() && !is_limited && limits.depth.is_some() {
            let message = "`depth` does not limit a solver: it searches where the proof is nearest";
            let help = "give `nodes` or a time: `limits = { nodes = 10000 }`";
            found.push(error(message).help(help));
        }
        let is_unfit = variant.program.is_none() && variant.search.solver.is_none();
        if self.context.is_study && card.facts().has_prover && is_unfit {
            let help = "add `search = { solver = { kind = \"df-pn+\" } }`";
            found.push(error("a study of solvers needs a solver").help(help));
        }
        found
    }

    /// The nearest variant in the lineage that turns on that key, and its position.
    fn origin(&self, index: usize, key: &str) -> Option<(usize, Range<usize>)> {
        lineage(self.bases, index)
            .into_iter()
            .find_map(|at| Some((at, self.drafts[at].layer.search.explicit(key)?.clone())))
    }

    /// Warns of costly terms that are omitted from an evaluation without such terms. A preset that
    /// turns everything on may do so, because it is made for every evaluation.
    fn idle_lazy_evaluation(&self, index: usize, variant: &Variant) -> Option<Problem> {
        let card = self.game.card;
        let (at, place) = self.origin(index, "lazy_evaluation")?;
        if variant.search.lazy_evaluation == 0 || card.has_costly_terms(&variant.eval) == Some(true)
        {
            return None;
        }
        let message = "`lazy_evaluation` does nothing: the evaluation has no costly terms to \
                       leave out";
        let warning = if at == index {
            Problem::warning(place, message)
        } else {
            Problem::warning(self.drafts[index].span.clone(), message).context(place, "inherited")
        };
        Some(warning.help(card.facts().no_costly_terms))
    }

    /// Warns of ordering stages that never get a move in the game. Presets are exempt, because they
    /// are made for every game.
    fn idle_stages(&self, draft: &Draft) -> impl Iterator<Item = Problem> {
        let card = self.game.card;
        draft
            .layer
            .search
            .stages()
            .iter()
            .filter_map(|(stage, place)| {
                let reason = card.idle_stage(*stage)?;
                let (stage, game) = (stage.name(), card.facts().title);
                let message = format!("the stage `{stage}` does nothing in {game}: {reason}");
                let problem = Problem::warning(place.clone(), message);
                Some(problem.help("remove it from `ordering`"))
            })
    }

    /// Warns of techniques that do nothing in the game, or without another one.
    fn idle_techniques(&self, draft: &Draft, variant: &Variant) -> Vec<Problem> {
        let (card, search) = (self.game.card, &variant.search);
        let history = &search.history;
        let has = |stages: &[Stage]| search.ordering.iter().any(|stage| stages.contains(stage));
        let alone = [
            (
                "capture_history",
                search.capture_history.is_some() && !has(&[Stage::MvvLva, Stage::GoodExchanges]),
                "without the stage `mvv-lva` or `good-exchanges`, whose captures it ranks",
            ),
            (
                "history_pruning",
                search.history_pruning.is_some() && !history.penalty,
                "without `history.penalty = true`: no move has a bad score",
            ),
            (
                "history",
                history.far && !has(&[Stage::ContinuationHistory]),
                "by its key `far` without the stage `continuation-history`",
            ),
            (
                "history",
                history.replies != 100 && !has(&[Stage::ContinuationHistory]),
                "by its key `replies` without the stage `continuation-history`",
            ),
            (
                "history",
                history.debit != 100 && !history.penalty,
                "by its key `debit` without `penalty = true`",
            ),
            (
                "history",
                (history.best != 100 || history.captures != 100) && history.penalty,
                "by its keys `best` and `captures` beside `penalty = true`",
            ),
            (
                "quiet_order",
                !has(&[Stage::StaticQuiets, Stage::ByPiece, Stage::FastestFirst]),
                "without the stage `static-quiets`, `by-piece` or `fastest-first`",
            ),
        ];
        let idle_in_game = [
            ("exchange_pruning", Stage::GoodExchanges),
            ("quiescence", Stage::GoodCaptures),
            ("capture_history", Stage::MvvLva),
            ("prob_cut", Stage::GoodCaptures),
            ("check_extension", Stage::SafeChecks),
        ]
        .into_iter()
        .filter_map(|(key, stage)| {
            let reason = card.idle_stage(stage)?;
            Some((key, format!("in {}: {reason}", card.facts().title)))
        });
        let title = card.facts().title;
        let unused = SearchParams::ORDER_VALUES
            .iter()
            .filter(|_| !card.numbers().has_order_values)
            .map(|key| {
                (
                    *key,
                    format!("in {title}: its order of moves has no such numbers"),
                )
            });
        let mut idle: Vec<(&str, String)> = idle_in_game.chain(unused).collect();
        for (key, is_idle, reason) in alone {
            if is_idle && idle.iter().all(|(other, _)| *other != key) {
                idle.push((key, reason.to_owned()));
            }
        }
        let warning = |(key, reason): (&str, String)| {
            let place = draft.layer.search.explicit(key)?.clone();
            let message = format!("`{key}` does nothing {reason}");
            Some(Problem::warning(place, message))
        };
        idle.into_iter().filter_map(warning).collect()
    }

    /// Refuses exact endgames in a game without them.
    fn missing_endgames(&self, index: usize, variant: &Variant) -> Option<Problem> {
        let card = self.game.card;
        variant
            .search
            .endgame
            .as_ref()
            .filter(|_| !card.has_solver())?;
        let message = format!("`search.endgame`: {} has no exact solver", card.name());
        let problem = self.not_in_this_game(index, "endgame", &message)?;
        let other = if card.facts().has_prover {
            card.facts().other_solver
        } else {
            ""
        };
        Some(problem.help(also("remove it, or write `endgame = false`", other)))
    }

    /// Refuses solvers in a game without a goal for them.
    fn missing_prover(&self, index: usize, variant: &Variant) -> Option<Problem> {
        let card = self.game.card;
        variant
            .search
            .solver
            .as_ref()
            .filter(|_| !card.facts().has_prover)?;
        let name = card.name();
        let message = format!("`search.solver`: {name} has no goal that a solver could prove");
        let problem = self.not_in_this_game(index, "solver", &message)?;
        let able = self.context.games.iter().filter(|it| it.facts().has_prover);
        let able: Vec<_> = able.map(|it| format!("\"{}\"", it.name())).collect();
        let help = format!(
            "remove it, or write `solver = false`: solvers play `game = {}`",
            able.join(" or ")
        );
        Some(problem.help(also(&help, card.facts().other_solver)))
    }

    /// The error for an unsupported part of a search, at the key of the variant that sets it; `None`
    /// if a base sets it, because the error is reported there.
    fn not_in_this_game(&self, index: usize, key: &str, message: &str) -> Option<Problem> {
        let place = match self.origin(index, key) {
            Some((at, place)) => Some(place).filter(|_| at == index)?,
            None => self.drafts[index].span.clone(),
        };
        Some(Problem::error(place, message))
    }
}

/// A help text with an alternative.
fn also(help: &str, other: &str) -> String {
    match other {
        "" => help.to_owned(),
        other => format!("{help}; {other}"),
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
