//! Games in WTHOR (`.wtb`), the binary format of the French federation's archive.
//!
//! A header of 16 bytes has the number of games and their year; each game has 68 bytes: the numbers of
//! tournament and players, whose names are in other files, black's discs at the end and with best
//! play, and up to 60 moves, ten for each row and one for each column.

use crate::forms::WTHOR_HEADER as HEADER;
use crate::records::play_after_pass;
use crate::{Othello, card, square_name};
use leitai_base::count::count;
use leitai_game::card::Rules;
use leitai_game::{Position, Side};
use leitai_interchange::pgn::{Game, Tags, result_text};
use leitai_interchange::{Bytes, Damage, GameLocation, GameReader, TextError};

/// Bytes of a game.
const GAME: usize = 68;

/// The remedy for a file that ends early.
const TRUNCATED: &str = "download the file again";

/// Squares of a board.
const SQUARES: i32 = 64;

/// Reads the games of a file one by one.
#[derive(Debug)]
pub struct WthorReader<'r> {
    bytes: Bytes<'r>,
    /// The number of games and their year, once the header is read.
    header: Option<(u32, u16)>,
    depth: u8,
    games: u32,
    notes: Vec<String>,
}

impl<'r> WthorReader<'r> {
    /// The games in `bytes`.
    pub fn new(bytes: Bytes<'r>) -> Self {
        Self {
            bytes,
            header: None,
            depth: 0,
            games: 0,
            notes: Vec::new(),
        }
    }

    fn header(&mut self) -> Result<(u32, u16), TextError> {
        if let Some(header) = self.header {
            return Ok(header);
        }
        let Some(header) = self.bytes.take::<HEADER>()? else {
            let problem = "it ends within the header of WTHOR";
            return Err(TextError::file(self.bytes.name(), problem, TRUNCATED));
        };
        let [_, _, _, _, n1, n2, n3, n4, _, _, y1, y2, size, _, depth, _] = header;
        if !matches!(size, 0 | 8) {
            let problem = format!("its boards have {size} x {size} squares");
            let help = "leitai reads WTHOR files of 8 x 8 boards only";
            return Err(TextError::file(self.bytes.name(), problem, help));
        }
        self.depth = depth;
        let number = u32::from_le_bytes([n1, n2, n3, n4]);
        Ok(*self.header.insert((number, u16::from_le_bytes([y1, y2]))))
    }

    /// Notes bytes behind the last game.
    fn end(&mut self) -> Result<(), TextError> {
        if self.bytes.take::<1>()?.is_some() {
            let name = leitai_base::foreign::shown(self.bytes.name());
            let games = count(self.games.into(), "game", "games");
            self.notes.push(format!(
                "{name}: ignored bytes after the {games} of its header"
            ));
        }
        Ok(())
    }

    fn location(&self) -> GameLocation<'_> {
        GameLocation {
            name: self.bytes.name(),
            line: 0,
            game: self.games.into(),
        }
    }

    fn game(&self, record: &[u8; GAME], year: u16, rules: Rules) -> Result<Game, Damage> {
        let location = self.location();
        let number = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let [real, best] = [record[6], record[7]];
        let margin = 2 * i32::from(real) - SQUARES;
        if margin > SQUARES {
            let problem = format!("black has {real} discs at the end");
            let help = "a board has 64 squares".to_owned();
            return Err(location.damage(None, problem, help));
        }
        let points = 1 + margin.signum();
        let mut tags = Tags::of(card());
        tags.push("Game", Othello::NAME);
        tags.push("Event", &format!("tournament {}", number(0)));
        if year > 0 {
            tags.push("Date", &format!("{year:04}.??.??"));
        }
        tags.push("Black", &format!("player {}", number(2)));
        tags.push("White", &format!("player {}", number(4)));
        tags.push("Result", result_text(u8::try_from(points).ok()));
        tags.push("Score", &format!("{margin:+}"));
        if best <= 64 && self.depth > 0 {
            let margin = 2 * i32::from(best) - SQUARES;
            tags.push("BestScore", &format!("{margin:+}"));
            tags.push("BestScoreEmpties", &self.depth.to_string());
        }
        let mut game = Game::new(&Othello::initial(), tags, rules);
        game.number = self.games.into();
        game.points = u8::try_from(points).ok();
        let moves: Vec<u8> = record[8..]
            .iter()
            .copied()
            .take_while(|mv| *mv != 0)
            .collect();
        for (index, mv) in moves.iter().enumerate() {
            let text = square(*mv).map_or_else(|| format!("{mv}"), square_name);
            // Passes are left out: the side to move has the move, or the other one after a pass.
            let side = mover(&game);
            play_after_pass(&mut game, side, &text, moves.len() - index)
                .map_err(|(ply, problem, help)| location.damage(Some(ply), problem, help))?;
        }
        Ok(game)
    }
}

/// The number of a square from its row and column.
fn square(mv: u8) -> Option<usize> {
    let (row, column) = (usize::from(mv / 10), usize::from(mv % 10));
    let is_on_board = (1..=8).contains(&row) && (1..=8).contains(&column);
    is_on_board.then(|| 8 * (row - 1) + column - 1)
}

/// The side that makes the next move: the other one where a pass is forced.
fn mover(game: &Game) -> Side {
    let position = game.play.position();
    let side = position.side_to_move();
    if position.is_legal(crate::PASS) {
        side.other()
    } else {
        side
    }
}

impl GameReader for WthorReader<'_> {
    fn next_game(&mut self, rules: Rules) -> Result<Option<Result<Game, Damage>>, TextError> {
        let (number, year) = self.header()?;
        if self.games >= number {
            self.end()?;
            return Ok(None);
        }
        self.games += 1;
        let Some(record) = self.bytes.take()? else {
            let missing = number - self.games + 1;
            let games = count(missing.into(), "game is missing", "games are missing");
            let problem = format!("the file ends early: {games}");
            if self.games == 1 {
                return Err(TextError::file(self.bytes.name(), problem, TRUNCATED));
            }
            let damage = self.location().damage(None, problem, TRUNCATED);
            self.games = number;
            return Ok(Some(Err(damage)));
        };
        Ok(Some(self.game(&record, year, rules)))
    }

    fn name(&self) -> &str {
        self.bytes.name()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::is_wthor;
    use crate::{Transcript, read_transcript};
    use leitai_game::MoveList;

    fn head(games: u32, size: u8) -> Vec<u8> {
        let [a, b, c, d] = games.to_le_bytes();
        vec![20, 24, 1, 15, a, b, c, d, 0, 0, 0xE8, 7, size, 0, 24, 0]
    }

    fn record(score: u8, moves: &str) -> Vec<u8> {
        let mut record = vec![1, 0, 2, 0, 3, 1, score, 38];
        let line = Transcript::read(&Othello::initial(), moves).line;
        let squares = line.moves().filter(|mv| *mv != crate::PASS);
        record.extend(squares.map(|mv| (mv.0 / 8 * 10 + mv.0 % 8 + 11) as u8));
        record.resize(GAME, 0);
        record
    }

    type Read = (Vec<Result<Game, String>>, Vec<String>);

    fn read(bytes: &[u8]) -> Result<Read, String> {
        let mut reader = WthorReader::new(Bytes::new(bytes, "a.wtb"));
        let mut games = Vec::new();
        let rules = card().rules();
        while let Some(game) = reader.next_game(rules).map_err(|error| error.to_string())? {
            games.push(game.map_err(|damage| damage.to_string()));
        }
        Ok((games, reader.notes()))
    }

    #[test]
    fn games_are_read_with_their_results() {
        let bytes = [
            head(3, 8),
            record(40, "f5d6c3d3c4"),
            record(32, "f5"),
            record(0, ""),
        ]
        .concat();
        assert!(is_wthor(&bytes));
        let (games, notes) = read(&bytes).unwrap();
        let games: Vec<_> = games.into_iter().map(Result::unwrap).collect();
        let line = read_transcript(&Othello::initial(), "f5d6c3d3c4").unwrap();
        assert_eq!(games[0].play.moves(), line.moves().collect::<Vec<_>>());
        let points: Vec<_> = games.iter().map(|game| game.points).collect();
        assert_eq!(points, [Some(2), Some(1), Some(0)]);
        assert_eq!(games[0].tags.players(), Some(["player 2", "player 259"]));
        for (name, value) in [
            ("Event", "tournament 1"),
            ("Date", "2024.??.??"),
            ("Result", "1-0"),
            ("Score", "+16"),
            ("BestScore", "+12"),
        ] {
            assert_eq!(games[0].tags.get(name), Some(value));
        }
        assert!(notes.is_empty(), "{notes:?}");
        // Boards of size 0 are those of 8 x 8 squares.
        assert_eq!(
            read(&[head(1, 0), record(40, "f5")].concat())
                .unwrap()
                .0
                .len(),
            1
        );
        // Passes are left out.
        let moves = "c4c3f5b4a4a5c2a3";
        let line = read_transcript(&Othello::initial(), &format!("{moves}pass")).unwrap();
        let position = line.position();
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        let moves = format!("{moves}{}", Othello::move_text(legal[0]));
        let (games, _) = read(&[head(1, 8), record(40, &moves)].concat()).unwrap();
        assert_eq!(games[0].as_ref().unwrap().play.len(), 10);
    }

    #[test]
    fn damaged_files_are_reported() {
        let good = record(40, "f5d6c3d3c4");
        let mut illegal = good.clone();
        illegal[9] = 11;
        let mut many = good.clone();
        many[6] = 65;
        let (games, _) = read(&[head(4, 8), illegal, many, good.clone()].concat()).unwrap();
        let errors: Vec<_> = games
            .iter()
            .filter_map(|game| game.as_ref().err())
            .collect();
        assert_eq!((games.len(), errors.len()), (4, 3));
        assert!(errors[0].contains("game 1, ply 2"), "{errors:?}");
        assert!(errors[1].contains("65 discs"), "{errors:?}");
        assert!(
            errors[2].contains("ends early: 1 game is missing"),
            "{errors:?}"
        );
        // Whole games of a file that ends early are read, if there are any.
        let cut = [head(4, 8), good.clone(), good.clone()].concat();
        for (length, missing) in [(2, 2), (1, 3)] {
            let end = cut.len() - GAME * (2 - length) - 1;
            let read = read(&cut[..end]);
            if length == 2 {
                let (games, _) = read.unwrap();
                assert!(games[0].is_ok() && games.len() == 2);
                let error = games[1].as_ref().unwrap_err();
                assert!(error.contains("3 games are missing"), "{error}");
            } else {
                assert!(
                    read.unwrap_err().contains("4 games are missing"),
                    "{missing}"
                );
            }
        }
        let (_, notes) = read(&[head(1, 8), good.clone(), good].concat()).unwrap();
        assert_eq!(
            notes,
            ["a.wtb: ignored bytes after the 1 game of its header"]
        );
        assert!(read(&head(1, 10)).unwrap_err().contains("10 x 10"));
        assert!(read(&head(1, 8)[..9]).unwrap_err().contains("ends within"));
    }

    #[test]
    fn other_files_are_not_wthor() {
        let mut no_square = [head(1, 8), record(40, "f5")].concat();
        no_square[HEADER + 8] = 99;
        let header = head(1, 8);
        for bytes in [
            &header[..],
            &head(1, 10),
            &no_square,
            &header[..15],
            &header[..10],
        ] {
            assert!(is_wthor(bytes), "{bytes:?}");
        }
        let players = [&head(0, 0)[..8], &[5, 0, 0, 0, 0, 0, 0, 0]].concat();
        for bytes in [&players[..], b"[Event \"x\"]\n\n1. f5 d6 *", &[0; 84], b""] {
            assert!(!is_wthor(bytes), "{bytes:?}");
        }
    }
}
