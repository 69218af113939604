//! A mock that speaks the protocol of `XBoard`, correctly or badly.

use std::io::{self, BufRead};
use std::thread::sleep;
use std::time::Duration;

use leitai_game::card::Game;
use leitai_game::{Line, Position, Side};
use leitai_games::xiangqi::Xiangqi;

use crate::playing::{chosen, print_line};

pub(crate) fn play(mode: &str) {
    let mut line = Line::new(Xiangqi::initial());
    // True after the end of a game; ignores `go` until the next game.
    let mut over = false;
    // True between `hard` and `easy`, and after `go` until `force`.
    let (mut is_hard, mut is_playing) = (false, false);
    // Bits for the replies to its features.
    let mut told = 0;
    for command in io::stdin().lock().lines() {
        let Ok(command) = command else { break };
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            ["protover", _] if mode == "endless-options" => {
                for number in 0_u64.. {
                    print_line(&format!("feature option=\"o{number} -check 0\""));
                }
            }
            ["protover", _] if mode == "features" => {
                print_line(
                    "# feature done=1 comes later\n\
                     feature memory=1 smp=1 san=1 ping=1\n\
                     feature option=\"Style -combo Solid /// *Risky\" option=\"Use TB -check 0\"\n\
                     feature usermove=1 myname=\"Mock 1\" done=1",
                );
            }
            ["memory", "64"] => told |= 1,
            ["cores", "2"] => told |= 2,
            ["rejected", "san"] => told |= 4,
            ["option", "Style=Solid"] => told |= 8,
            ["option", "Use", "TB=1"] => told |= 16,
            ["protover", _] if mode == "no-done" => print_line("feature myname=\"Mock 1\" ping=1"),
            ["protover", _] if mode == "late-done" => {
                print_line("feature done=0");
                sleep(Duration::from_millis(2_500));
                print_line("feature myname=\"Mock 1\" ping=1\nfeature done=1");
            }
            ["protover", _] if mode == "no-ping" => print_line("feature done=1"),
            ["protover" | "ping", _] if mode.starts_with("old-") => {
                print_line(&format!("Error (unknown command): {command}"));
            }
            ["protover", _] => {
                print_line("\x1b[1mMock\x1b[0m\nfeature myname=\"Mock 1\" ping=1 done=1");
            }
            ["ping", _] if mode == "no-ping" => panic!("it has no `ping`"),
            ["ping", number] => print_line(&format!("pong {number}")),
            ["new"] => {
                assert!(
                    mode != "features" || told == 31,
                    "what it asks for, it was not told"
                );
                line = Line::new(Xiangqi::initial());
                over = mode == "deaf-after-claim" && over;
            }
            ["setboard", ..] => {
                let fen = command.trim_start_matches("setboard ");
                line = Line::new(Xiangqi::from_fen(fen).expect("a position"));
            }
            ["usermove", mv] | [mv] if line.position().parse_move(mv).is_ok() => {
                let mv = line.position().parse_move(mv);
                line.play(mv.expect("a legal move"));
                if is_hard && is_playing {
                    answer(&mut line);
                }
            }
            ["sd", _] if mode == "no-depth" => {
                print_line("Illegal move: sd 1");
                over = true;
            }
            ["hard"] => is_hard = true,
            ["force"] => is_playing = false,
            ["go"] if !over => {
                is_playing = true;
                over = go(mode, &mut line);
            }
            ["quit"] => break,
            _ => {}
        }
    }
}

/// Answers `go`; returns whether the game is over for it.
fn go(mode: &str, line: &mut Line<Xiangqi>) -> bool {
    let side = line.position().side_to_move();
    let [won, lost] = match side {
        Side::First => ["1-0", "0-1"],
        Side::Second => ["0-1", "1-0"],
    };
    let late = line.len() >= 4;
    match mode {
        "resigns" if late => print_line("resign"),
        "claims-loss" if late => print_line(&format!("{lost} {{mated}}")),
        "claims-win" if late => print_line(&format!("{won} {{mate}}")),
        "claims-draw" | "deaf-after-claim" if late => print_line("1/2-1/2 {3 repetitions}"),
        "wrong-side" if late => print_line("move a9a8\nmove a0a1"),
        "other-notation" => {
            let mv = chosen(line);
            print_line(&format!("move {}", line.position().written(mv, 1)));
            line.play(mv);
            return false;
        }
        "talks" => {
            print_line("# move a0a0\n# 1 2 3 4\ntelluser a good move\nIllegal move: sd 1");
            answer(line);
            return false;
        }
        "complains" => {
            print_line("tellusererror out of memory");
            return false;
        }
        "offers-draw" => {
            print_line("tellics draw\noffer draw");
            answer(line);
            return false;
        }
        "claims-and-plays" if late => {
            print_line("1/2-1/2 {3 repetitions}");
            answer(line);
            return false;
        }
        "plays-and-claims" if late => {
            answer(line);
            print_line("1/2-1/2 {3 repetitions}");
        }
        "old-my-move" | "old-numbered" | "old-both" | "old-bare" => {
            let mv = Xiangqi::move_text(chosen(line));
            let (numbered, own) = (format!("3. ... {mv}"), format!("My move is : {mv}"));
            print_line(&match mode {
                "old-my-move" => own,
                "old-numbered" => numbered,
                "old-both" => format!("{numbered}\n{own}"),
                _ => format!("2 -7 0 40 pv\n{mv}"),
            });
            line.play(chosen(line));
            return false;
        }
        "resigns-on-server" if late => print_line("tellics resign"),
        "computer-resigns" if late => print_line("computer resigns"),
        "side-resigns" if late => print_line(match side {
            Side::First => "1-0 {White resigns}",
            Side::Second => "Black resigns",
        }),
        "twice" => {
            let mv = Xiangqi::move_text(chosen(line));
            answer(line);
            sleep(Duration::from_millis(3));
            print_line(&format!("move {mv}"));
            return false;
        }
        "two-moves" => {
            answer(line);
            print_line("move a0a0");
            return false;
        }
        _ => {
            answer(line);
            return false;
        }
    }
    true
}

fn answer(line: &mut Line<Xiangqi>) {
    let mv = chosen(line);
    print_line(&format!("2 -7 0 40 pv\nmove {}", Xiangqi::move_text(mv)));
    line.play(mv);
}
