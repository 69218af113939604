//! `leitai engine` as used by another program: through pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::common::{Sandbox, leitai, run, stderr};
use leitai_config::parse;
use leitai_game::{Line, Position};
use leitai_games::xiangqi::{Xiangqi, XiangqiRules};
use leitai_players::player::{Budget, InProcess, Player};

const PATIENCE: Duration = Duration::from_mins(1);

/// A running engine.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command: Command = leitai();
        command.arg("engine").args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        Self {
            child,
            input,
            lines,
        }
    }

    pub(crate) fn send_line(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("open");
        input.write_all(bytes).expect("it listens");
        input.flush().expect("it listens");
    }

    /// Returns the lines up to one with this start.
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("no `{start}` but {heard:#?}"));
            let found = line.starts_with(start);
            heard.push(line);
            if found {
                return heard;
            }
        }
    }

    pub(crate) fn best(&mut self) -> String {
        let said = self.until("bestmove ");
        let last = said.last().expect("a line");
        last.split(' ').nth(1).expect("a move").to_owned()
    }

    /// Waits for the end; returns whether it was a success.
    pub(crate) fn ends(mut self) -> bool {
        drop(self.input.take());
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        panic!("it does not end");
    }
}

const CONFIG: &str = r#"
game = "xiangqi"

[rules]
repetition = "check"

[limits]
nodes = 1000

[tournament]
pairs = 1

[[variant]]
name = "other"
search = { quiescence = false }

[[variant]]
name = "some"
search = { preset = "full", table_mb = 1 }
"#;

/// A whole game at fixed nodes, twice in one process, has the same moves as the player in
/// tournaments.
#[test]
fn fixed_nodes_give_the_moves_of_a_tournament() {
    let sandbox = Sandbox::new();
    let path = sandbox.write("players.toml", CONFIG);
    let config = parse(CONFIG, "players", &leitai_games::all())
        .expect("a config")
        .config;
    assert_eq!(config.game.name(), Xiangqi::NAME);
    let rules: XiangqiRules = config.game.rules.typed();
    assert_ne!(rules, XiangqiRules::default());
    let mut engine = Engine::start(&[&path, "--variant", "some"]);
    engine.send_line("uci");
    assert!(engine.until("uciok")[0].ends_with("(some)"));
    let mut player = InProcess::new(&config.variants[1], &config.game).expect("its game");
    let budget = Budget {
        nodes: Some(1500),
        ..Budget::default()
    };
    let openings = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        "4ka3/4a4/4b4/9/2n6/6N2/9/4B4/4A4/2BAK1R2 w - - 3 9",
    ];
    for fen in openings {
        engine.send_line("ucinewgame");
        let mut line = Line::new(Xiangqi::from_fen(fen).expect("a position"));
        let game = leitai_players::player::GameId::default();
        player.new_game(game, line.start(), &AtomicBool::new(false));
        let mut moves = String::new();
        let mut plies = 0;
        while line.verdict(rules).is_none() && plies < 100 {
            let choice = player
                .choose(&line, &budget, &AtomicBool::new(false))
                .expect("no failure");
            let mv = choice.mv.expect("a move");
            engine.send_line(&format!("position fen {fen} moves{moves}"));
            engine.send_line("go nodes 1500");
            let said = engine.until("bestmove ");
            let found = said.last().expect("a line").split(' ').nth(1);
            assert_eq!(
                found,
                Some(&*Xiangqi::move_text(mv)),
                "ply {plies}: {said:#?}"
            );
            let info = &said[said.len() - 2];
            assert!(
                info.contains(&format!(" nodes {} ", choice.nodes)),
                "{info}"
            );
            moves.push(' ');
            moves.push_str(&Xiangqi::move_text(mv));
            line.play(mv);
            plies += 1;
        }
        assert!(plies > 20, "a game");
    }
    engine.send_line("quit");
    assert!(engine.ends());
}

#[test]
fn ucci_is_spoken_from_hello_to_bye() {
    let mut engine = Engine::start(&["--protocol", "ucci"]);
    engine.send_line("ucci");
    let hello = engine.until("ucciok");
    assert!(hello.contains(&"option usemillisec type check default false".to_owned()));
    engine.send_line("setoption usemillisec true");
    engine.send_line("position startpos moves h2e2 h9g7");
    engine.send_line("banmoves h0g2");
    let began = Instant::now();
    engine.send_line("go time 60");
    assert_ne!(engine.best(), "h0g2");
    assert!(began.elapsed() < Duration::from_secs(20), "milliseconds");
    engine.send_line("quit");
    assert_eq!(engine.until("bye").len(), 1);
    assert!(engine.ends());
}

#[test]
fn a_large_table_is_made_beside_the_conversation() {
    let mut engine = Engine::start(&[]);
    engine.send_line("uci");
    let hello = engine.until("uciok");
    let hash = "option name Hash type spin default 16 min 0 max 4096".to_owned();
    assert!(hello.contains(&hash), "{hello:#?}");
    // Allocation takes seconds: neither a clock nor `stop` waits for it.
    let mut helped = false;
    engine.send_line("setoption name Hash value 256");
    engine.send_line("joho position startpos moves h2e2");
    for go in [
        "go movetime 10",
        "go infinite\nstop",
        "go wtime 10 btime 10",
    ] {
        engine.send_line(go);
        let said = engine.until("bestmove ");
        let searched =
            |line: &String| line.starts_with("info depth ") && !line.contains(" depth 0 ");
        assert!(said.iter().any(searched), "{said:#?}");
        helped |= said[0].starts_with("info string the table is not ready");
    }
    assert!(helped);
    engine.send_line("isready");
    engine.until("readyok");
    // `quit` does not wait for the allocation.
    engine.send_line("setoption name Hash value 512");
    engine.send_line("quit");
    assert!(engine.ends());
}

#[test]
fn time_is_kept() {
    let mut engine = Engine::start(&[]);
    for go in [
        "go movetime 60",
        "go wtime 1500 btime 1500",
        "go wtime 100 btime 9 movestogo 1",
        "go movetime 0",
    ] {
        engine.send_line("isready");
        engine.until("readyok");
        let began = Instant::now();
        engine.send_line(go);
        engine.until("bestmove ");
        // On an otherwise idle machine this takes less than 100 ms.
        assert!(began.elapsed() < Duration::from_secs(5), "{go}");
    }
    assert!(engine.ends());
}

#[test]
fn abuse_is_survived() {
    let mut engine = Engine::start(&["--variant", "plain"]);
    engine.send(b"stop\nponderhit\n\n\r\n   \nxyzzy \xff\xfe\x00\x1b[2J\ngo\nstop\n");
    engine.until("info string unknown command");
    engine.until("bestmove ");
    // Longer than the line limit.
    engine.send(&vec![b'x'; 3 << 20]);
    engine.send(b"\n");
    engine.until("info string a line of more than");
    let repeated = "h0g2 h9g7 g2h0 g7h9 ".repeat(2_000);
    engine.send_line(&format!("position startpos moves {repeated}"));
    engine.send_line("go depth 2");
    assert_ne!(engine.best(), "(none)");
    engine.send_line(&format!(
        "position startpos moves {}",
        "h0g2 h9g7 g2h0 g7h9 ".repeat(6_000)
    ));
    engine.until("info string position refused: 24000 moves");
    // A search during another search: each gets its answer.
    engine.send_line("position startpos");
    engine.send_line("go infinite");
    engine.send_line("setoption name Hash value 1");
    engine.send_line("setoption name Hash value 99999999999999999999");
    engine.until("info string `Hash` takes");
    engine.send_line("position startpos moves h2e2");
    engine.send_line("go depth 1");
    engine.until("bestmove ");
    let second = engine.best();
    let mut line = Line::new(Xiangqi::initial());
    line.play(line.position().parse_move("h2e2").expect("legal"));
    assert!(line.position().parse_move(&second).is_ok(), "{second}");
    engine.send_line("go infinite");
    engine.send_line("ucinewgame");
    engine.until("bestmove ");
    engine.send_line("isready");
    engine.until("readyok");
    // The end of the input ends the engine, even during a search or within a line.
    engine.send_line("go infinite");
    engine.send(b"isrea");
    assert!(engine.ends());
}

#[test]
fn unplayable_variants_are_refused() {
    let output = run(&["engine", "--game", "othello", "--protocol", "ucci"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the protocol `ucci` does not support Othello"));
    let output = run(&["engine", "--variant", "best"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there are full, plain"));
    let sandbox = Sandbox::new();
    let path = sandbox.write("players.toml", CONFIG);
    let output = run(&["engine", &path, "--variant", "x"]);
    assert!(stderr(&output).contains("no variant `x`; there are other, some"));
}
