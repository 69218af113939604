//! Checks a player of this process: reproducibility, speed, and memory of its tables.

use std::time::{Duration, Instant};

use super::check::{Check, Examination, Kind, Status};
use super::compare::difference;
use super::{ExaminationContext, display};
use crate::play::Evidence;
use crate::player::{Budget, Choice, GameId, InProcess, Player, SearchReply};
use leitai_config::{Config, GameChoice, Variant};
use leitai_game::Cause;

/// Nodes of a search if the config has no limit, and the maximum.
const NODES: [u64; 2] = [10_000, 50_000];
/// Plies from the start to the second position.
const PLIES: usize = 8;
/// Duration of the speed measurement.
const SPRINT: Duration = Duration::from_millis(300);

/// Examines one player.
pub(super) fn examine(
    config: &Config,
    variant: &Variant,
    context: &ExaminationContext,
) -> Examination {
    let player = || InProcess::new(variant, &config.game);
    let mut checks = Vec::new();
    if let (Some(mut one), Some(mut other)) = (player(), player()) {
        let limits = variant.limits.unwrap_or(config.limits);
        let nodes = limits.nodes.unwrap_or(NODES[0]).min(NODES[1]);
        if let Some(faulty) = faulty_move(&config.game, &mut one, nodes, context) {
            checks.push(faulty);
        } else {
            checks.push(repeats(&config.game, &mut one, &mut other, nodes, context));
            checks.extend(speed(&config.game, &mut one, context));
            checks.extend(variant.is_search().then(|| memory(variant, context)));
        }
    }
    let kind = [Kind::Player, Kind::Search][usize::from(variant.is_search())];
    Examination::new(&variant.name, kind, None, checks)
}

/// The problem with the first move of a game, if any.
fn faulty_move(
    game: &GameChoice,
    player: &mut InProcess,
    nodes: u64,
    context: &ExaminationContext,
) -> Option<Check> {
    let line = game.line();
    player.new_game(GameId::default(), line.start(), context.cancel);
    let choice = player.choose(&*line, &Budget::of_nodes(nodes), context.cancel);
    let is_legal = |choice: &Choice| choice.mv.is_some_and(|mv| line.position().is_legal(mv));
    let cause = match choice {
        _ if context.is_cancelled() => return None,
        Ok(choice) if is_legal(&choice) => return None,
        Ok(_) => Cause::IllegalMove,
        Err(failure) => failure.cause(),
    };
    let evidence = Evidence::at(line.position(), 0, player.symptoms());
    let text = format!("it loses every game: {}", evidence.sentence(cause));
    Some(Check::failure("move", text))
}

/// Names of the searched positions.
const NAMES: [&str; 2] = ["at the usual start", "after some moves"];

/// Repeats the same searches: twice in one player, and once in another.
fn repeats(
    game: &GameChoice,
    one: &mut InProcess,
    other: &mut InProcess,
    nodes: u64,
    context: &ExaminationContext,
) -> Check {
    let budget = Budget::of_nodes(nodes);
    let start = game.line();
    let mut later = start.clone();
    one.new_game(GameId::default(), start.start(), context.cancel);
    for _ in 0..PLIES {
        let small = Budget::of_nodes(nodes.min(500));
        let choice = one.choose(&*later, &small, context.cancel).ok();
        let mv = choice.and_then(|choice| choice.mv);
        let Some(mv) = mv.filter(|&mv| later.position().is_legal(mv)) else {
            break;
        };
        later.play(mv);
        if later.position().count_legal_moves() == 0 {
            later.undo();
            break;
        }
    }
    let lines = [start, later];
    let round = |player: &mut InProcess| -> Vec<SearchReply> {
        let found = lines.iter().filter_map(|line| {
            player.new_game(GameId::default(), line.start(), context.cancel);
            let choice = player.choose(&**line, &budget, context.cancel).ok()?;
            let text = choice.mv.map(|mv| game.card.move_text(mv));
            Some(SearchReply {
                text: text.unwrap_or_else(|| "no move".to_owned()),
                depth: None,
                score: choice.score,
                nodes: Some(choice.nodes),
                most_nodes: Some(choice.nodes),
            })
        });
        found.collect()
    };
    let [first, second, third] = [round(one), round(one), round(other)];
    let most = first.iter().filter_map(|search| search.nodes).max();
    let different =
        difference(&NAMES, &first, &second).or_else(|| difference(&NAMES, &first, &third));
    let (status, text) = match different {
        _ if context.is_cancelled() => (Status::Warning, "cancelled".to_owned()),
        Some(difference) => (
            Status::Failure,
            format!(
                "repeated searches give different results: {difference}; if the game or the player \
                 is your own, it may use chance or keep a memory (`leitai::conformance` tests a \
                 game), otherwise this is a bug of Leitai"
            ),
        ),
        None => (
            Status::Ok,
            format!(
                "2 searches of {} nodes gave the same results after a new game and in another player",
                display::number(nodes)
            ),
        ),
    };
    let check = Check::new("repeats", status, text);
    check.figure("limit", nodes).figure("most", most)
}

fn speed(game: &GameChoice, player: &mut InProcess, context: &ExaminationContext) -> Option<Check> {
    let budget = Budget::of_time(context.pick(SPRINT, SPRINT / 3));
    let line = game.line();
    player.new_game(GameId::default(), line.start(), context.cancel);
    let begun = Instant::now();
    let choice = player.choose(&*line, &budget, context.cancel).ok()?;
    let seconds = begun.elapsed().as_secs_f64();
    let speed = (choice.nodes as f64 / seconds.max(1e-6)) as u64;
    Some(Check::ok("speed", display::speed(speed)).figure("nodes_per_second", speed))
}

fn memory(variant: &Variant, context: &ExaminationContext) -> Check {
    let table = u64::from(variant.search.table_mb);
    let text = format!("a table of {table} MiB");
    let help = "write a smaller `table_mb` under `search`, or play on fewer `--threads`";
    let check = context.memory(&text, table, help, Status::Ok);
    check.figure("table_mib", table)
}
