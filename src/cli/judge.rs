//! `leitai judge`: the referee's verdict on a list of moves.

use std::collections::BTreeMap;

use super::board::{given_moves, print_rows, read_move, read_start, read_words};
use super::entry::JudgeInput;
use super::games::{entries, entry_of};
use super::prelude::*;
use super::rules::RuleArguments;
use leitai_game::card::{AnyLine, Rules, Ways};
use leitai_game::protocol::UCI;
use leitai_game::{Cause, Verdict, View};

/// Judge a list of moves: are they legal, has the game ended, who won, and why.
///
/// The moves are played one by one and judged after each, by the chosen rules. The first verdict is
/// final; later moves are ignored and counted.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(super) struct Arguments {
    /// The game.
    #[arg(value_parser = games::parser())]
    game: Card,
    /// The position before the moves; by default the usual start.
    #[arg(long, allow_hyphen_values = true)]
    fen: Option<String>,
    /// The moves, in any notation of the game, separated by blanks; `-` is standard input.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    moves: String,
    /// The moves, without --moves.
    #[arg(value_name = "MOVE", conflicts_with = "moves")]
    words: Vec<String>,
    #[command(flatten)]
    rules: RuleArguments,
    /// Print JSON; see below.
    #[arg(long)]
    json: Option<PathBuf>,
}

fn after_help() -> String {
    let shared = examples("judge", "GAME --moves \"...\" --json");
    let keys = "JSON: result, winner, cause, plies, ignored (moves beyond the end), fen, board, and \
                the moves in each notation of the game by its name (chess: `uci`, `san`).";
    let own = entries().iter().filter_map(|entry| entry.judge);
    let own = own.map(|judge| format!("\n{}", judge.help));
    format!("{shared}\n\n{keys}{}", own.collect::<String>())
}

#[derive(Serialize)]
struct JudgeOutput {
    result: &'static str,
    winner: Option<&'static str>,
    cause: Option<Cause>,
    /// Plies played until the verdict.
    plies: usize,
    /// Moves given beyond the end of the game.
    ignored: usize,
    /// The position at the verdict.
    fen: String,
    /// The board at the verdict.
    board: Option<View>,
    /// The moves until the verdict in each notation of the game.
    #[serde(flatten)]
    moves: BTreeMap<&'static str, Vec<String>>,
}

/// The moves of a line in each notation of the game. That of the protocol UCI follows the rules, as
/// programs write moves.
fn notated(line: &dyn AnyLine, rules: &Rules) -> BTreeMap<&'static str, Vec<String>> {
    let card = line.start().card();
    let ways = Ways::of(UCI).under(*rules);
    let styles = card.facts().pgn.notations;
    let lists = styles.iter().map(|style| (style.name, Vec::new()));
    let mut lists: Vec<_> = lists.collect();
    let mut position = line.start().boxed();
    for mv in line.moves() {
        for (place, (name, list)) in lists.iter_mut().enumerate() {
            list.push(match *name {
                "uci" => card.move_for(&ways, mv),
                _ => position.written(mv, place),
            });
        }
        position.play(mv);
    }
    lists.into_iter().collect()
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let json = Json::for_inputs(arguments.json.as_ref(), [])?;
    let card = arguments.game;
    let rules = arguments.rules.only_of(card)?.rules;
    let moves = match &arguments.words[..] {
        [] => arguments.moves.clone(),
        words => words.join(" "),
    };
    if let Some(own) = entry_of(card).and_then(|entry| entry.judge) {
        return (own.run)(JudgeInput {
            fen: arguments.fen.clone(),
            moves: given_moves(&moves)?.into_owned(),
            rules,
            json,
        });
    }
    let mut line = read_start(card, arguments.fen.as_deref())?;
    let mut verdict = line.verdict(&rules);
    let mut moves = read_words(&*line, &moves)?.into_iter();
    while verdict.is_none() {
        let Some(text) = moves.next() else { break };
        let mv = read_move(&*line, &text)?;
        line.play(mv);
        verdict = line.verdict(&rules);
    }
    let winner = verdict.and_then(|verdict| verdict.winner);
    let answer = JudgeOutput {
        result: verdict.map_or("ongoing", Verdict::result_text),
        winner: winner.map(|side| card.side_names()[side.index()]),
        cause: verdict.map(|verdict| verdict.cause),
        plies: line.len(),
        ignored: moves.count(),
        fen: line.position().to_fen(),
        board: line.view(),
        moves: notated(&*line, &rules),
    };
    let ending = verdict.map_or_else(
        || "ongoing".to_owned(),
        |verdict| (card.facts().ending)(verdict),
    );
    if !json.is_printed() {
        print(&format!(
            "{ending} after {}",
            count(answer.plies as u64, "ply", "plies")
        ))?;
        if answer.ignored > 0 {
            let moves = count(answer.ignored as u64, "move", "moves");
            print(&format!("({moves} beyond the end ignored)"))?;
        }
        print_rows(answer.board.as_ref())?;
    }
    json.answer(&answer, || answer.fen.clone())
}
