//! Games from PGN files in our own style.

use super::{Game, PgnEnding, PgnPlayer, PgnTags, WrittenGame};

/// Tags that are written in any case, in addition to those of the players.
const WRITTEN: &str =
    "PlyCount Game Event Round Date Site Result FEN SetUp Opening Variation Format Termination";

/// The game as PGN with a line break at its end. All tags are kept, known ones in our order, the
/// others after them; players are named in the game's own terms (`Red` for `White`), the result is
/// the first mover's, and a `FEN` of the usual start is omitted.
pub fn pgn_text(game: &Game, notation: usize) -> String {
    let tags = &game.tags;
    let (sides, _) = tags.sides();
    let moves = game.play.moves();
    let style = &game.play.start().card().facts().pgn;
    let elo_tags = sides.map(|side| format!("{side}Elo"));
    let team_tags = sides.map(|side| format!("{side}Team"));
    let elo = |side: usize| tags.get(&elo_tags[side])?.parse().ok();
    let player = |side: usize| PgnPlayer {
        name: tags.known(sides[side]),
        team: tags.known(&team_tags[side]),
        elo: elo(side),
    };
    let mut written = vec![style.opening_code];
    written.extend(WRITTEN.split(' '));
    written.extend(sides);
    written.extend(team_tags.iter().map(String::as_str));
    for side in [0, 1] {
        // Values that are not numbers are kept as text.
        written.extend(elo(side).map(|_: i32| elo_tags[side].as_str()));
    }
    let mut extra: Vec<(&str, &str)> = Vec::new();
    for (name, value) in tags.iter() {
        let is_it = |other: &&str| other.eq_ignore_ascii_case(name);
        let again = extra.iter().any(|(other, _)| is_it(other));
        if !again && !written.iter().any(is_it) {
            extra.push((name, value));
        }
    }
    WrittenGame {
        tags: PgnTags {
            event: tags.known("Event"),
            round: tags.known("Round"),
            date: tags.known("Date"),
            site: tags.known("Site"),
            players: [player(0), player(1)],
            opening_code: tags.known(style.opening_code),
            opening: tags.known("Opening"),
            variation: tags.known("Variation"),
            extra: &extra,
        },
        start: game.play.start(),
        moves: &moves,
        searched: &game.searched,
        ending: PgnEnding {
            points: game.points,
            termination: tags.known("Termination"),
        },
        notation,
    }
    .to_string()
}
