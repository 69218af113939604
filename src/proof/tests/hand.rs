#[test]
fn scratch() {
    use super::super::rules::Board;
    use super::super::*;
    use super::brute::*;
    let board = |text: &str| {
        let rows: Vec<&str> = text.split_whitespace().collect();
        let mut board = Board::empty(rows.len() as u8);
        for (row, letters) in (0..).zip(rows) {
            for (col, letter) in (0..).zip(letters.chars()) {
                board.set(
                    Spot { col, row },
                    match letter {
                        'X' => Some(Stone::Black),
                        'O' => Some(Stone::White),
                        _ => None,
                    },
                );
            }
        }
        board
    };
    for (name, text, (col, row), to_move, claim, master, escape, depth) in [
        (
            "atari",
            "..... ..O.. .OXO. ..... .....",
            (2, 2),
            Stone::White,
            Claim::Captured,
            Master::Defender,
            5,
            1,
        ),
        (
            "ladder",
            "...... ..X... .XO... .X.... ...... ......",
            (2, 2),
            Stone::Black,
            Claim::Captured,
            Master::Defender,
            4,
            6,
        ),
        (
            "net",
            "...... ..XX.. .XO... .X.... ...... ......",
            (2, 2),
            Stone::Black,
            Claim::Captured,
            Master::Defender,
            4,
            3,
        ),
        (
            "escape",
            "..... ..O.. .OX.. ..O.. .....",
            (2, 2),
            Stone::Black,
            Claim::Escapes,
            Master::Attacker,
            3,
            3,
        ),
        (
            "eyes",
            ".X.XO XXXXO OOOOO ..... .....",
            (1, 0),
            Stone::White,
            Claim::Escapes,
            Master::Attacker,
            9,
            3,
        ),
    ] {
        let board = board(text);
        let target = Spot { col, row };
        let game = Match {
            target,
            attacker: board.at(target).unwrap().other(),
            master,
            escape,
        };
        for seed in 1..400 {
            let mut dice = Dice(seed * 7919);
            let prover = Deep {
                game,
                claim,
                nodes: vec![],
                dice: &mut dice,
                fuel: 300_000,
                is_lazy: true,
            };
            if let Some(full) = prover.certificate(&board, to_move, depth) {
                let sparse = full.clone().shrunk();
                println!(
                    "{name} {} {}\n{sparse}",
                    full.nodes.len(),
                    check(&sparse, Effort::default()).unwrap().positions
                );
                break;
            }
        }
    }
    let mut dice = Dice(99);
    let mut found = [0, 0];
    while found != [2, 2] {
        let Some((board, target)) = random_problem(&mut dice, 3, 60) else {
            continue;
        };
        let attacker = board.at(target).unwrap().other();
        let solve = |master, to_move| {
            Retrograde::new(
                Match {
                    target,
                    attacker,
                    master,
                    escape: 99,
                },
                &board,
                to_move,
                20000,
            )
            .unwrap()
        };
        let (d, a) = (
            solve(Master::Defender, attacker),
            solve(Master::Attacker, attacker),
        );
        if !d.is_captured() && a.is_captured() && found[0] < 2 {
            let (d, a) = (
                d.certificate(&mut dice).shrunk(),
                a.certificate(&mut dice).shrunk(),
            );
            if d.nodes.len() + a.nodes.len() < 60 {
                println!("ko\n{d}\n{a}");
                found[0] += 1;
            }
        }
        if !a.is_captured() && found[1] < 2 && super::super::life::life(&board, target).is_none() {
            let a = a.certificate(&mut dice).shrunk();
            if a.nodes.len() < 15 {
                println!("cycle\n{a}");
                found[1] += 1;
            }
        }
    }
}
