//! A program whose games are defined wrongly says so and does nothing.

use std::process::Command;

use leitai::{Entry, main_with};
use leitai_game::card::OwnPlayer;
use leitai_games::othello::Othello;
use leitai_games::xiangqi::Xiangqi;

use crate::common::stderr;

/// Set in the process that is such a program.
const FLAWED: &str = "LEITAI_TEST_OF_FLAWS";

const fn called(name: &'static str) -> OwnPlayer<Othello> {
    let new = |_| unreachable!("it never plays");
    let about = "never plays";
    OwnPlayer { name, about, new }
}

static PLAYERS: [OwnPlayer<Othello>; 3] = [called("idle"), called("idle"), called(" ")];

#[test]
fn games_and_players_without_a_name_of_their_own_are_refused() {
    if std::env::var_os(FLAWED).is_some() {
        let othello = PLAYERS
            .iter()
            .fold(Entry::new::<Othello>(), |entry, it| entry.with_player(it));
        let xiangqi = Entry::new::<Xiangqi>().with_player(&PLAYERS[0]);
        main_with([othello, xiangqi, Entry::new::<Xiangqi>()]);
        return;
    }
    let test = "library::flaws::games_and_players_without_a_name_of_their_own_are_refused";
    let mut program = Command::new(std::env::current_exe().expect("this program"));
    program.args([test, "--exact", "--nocapture"]);
    let output = program.env(FLAWED, "1").output().expect("it runs");
    let told = stderr(&output);
    let (_, flaws) = told
        .split_once("error: this program cannot play its games\n")
        .expect(&told);
    assert_eq!(
        flaws.trim_end().lines().collect::<Vec<_>>(),
        [
            "game \"othello\": two players are called \"idle\"",
            "game \"othello\": a player has no name",
            "game \"xiangqi\": the player \"idle\" plays othello",
            "game \"xiangqi\": another game has that name",
        ]
    );
}
