//! Games in progress, from a stream of events.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::sleep;

use leitai_base::threads::lock;
use leitai_config::GameChoice;
use leitai_game::Move;
use leitai_game::card::GameCard;
use leitai_game::eval::Score;
use leitai_interchange::pgn::{Game, MoveComment, Tags};
use leitai_report::page::{Boards, GameData};

/// The shortest interval between messages to a browser.
const PERIOD: Duration = Duration::from_millis(250);
/// The interval of messages without news, which keep the connection open.
const ALIVE: Duration = Duration::from_secs(4);
/// The most bytes in a line of events: positions and comments on moves are far shorter.
const LONGEST: u64 = 1 << 20;

/// The number of a pair, and of its game, from 1.
type Number = (u64, u64);

/// Games in progress of a run.
#[derive(Clone)]
pub struct Live(Arc<Inner>);

struct Inner {
    now: Mutex<Now>,
    news: watch::Sender<u64>,
}

#[derive(Default)]
struct Now {
    run: String,
    card: Option<&'static dyn GameCard>,
    games: BTreeMap<Number, InProgress>,
    /// The remote workers, as the event has them.
    workers: Value,
}

/// A game in progress.
struct InProgress {
    players: [String; 2],
    game: Game,
    seconds: [f64; 2],
    /// The clocks after the last move, in games with clocks.
    clocks: Option<[f64; 2]>,
    /// The time of the last move.
    moved: Instant,
    /// Number of moves from the book.
    book: usize,
    /// The last principal variation of each player: its first ply, and its moves.
    lines: [(usize, Vec<String>); 2],
}

/// The message to a browser.
#[derive(Serialize)]
struct LiveMessage<'a> {
    games: Vec<Value>,
    /// The watched game, as the data of a viewer.
    watched: Option<Watched<'a>>,
    /// The remote workers; `null` without any.
    workers: &'a Value,
}

#[derive(Serialize)]
struct Watched<'a> {
    pair: u64,
    of_pair: u64,
    #[serde(flatten)]
    boards: Boards,
    players: &'a [String; 2],
    games: [GameData; 1],
    lines: &'a [(usize, Vec<String>); 2],
}

impl Live {
    /// Follows games from events as lines of JSON, which a thread reads to their end.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn follow(
        events: impl Read + Send + 'static,
        cards: Vec<&'static dyn GameCard>,
        ended: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<Self> {
        let live = Self(Arc::new(Inner {
            now: Mutex::default(),
            news: watch::Sender::new(0),
        }));
        let receiver = live.clone();
        let thread = std::thread::Builder::new().name("events".to_owned());
        thread.spawn(move || {
            let mut events = BufReader::new(events);
            let mut line = Vec::new();
            while let Ok(1..) = events.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
                if let Ok(event) = serde_json::from_slice(&line) {
                    receiver.take_event(&event, &cards);
                }
                line.clear();
            }
            ended();
        })?;
        Ok(live)
    }

    fn take_event(&self, event: &Value, cards: &[&'static dyn GameCard]) {
        let mut now = lock(&self.0.now);
        let text = |key: &str| event[key].as_str().unwrap_or_default();
        let number = || Some((event["pair"].as_u64()?, event["game"].as_u64()?));
        match text("event") {
            "stage-begun" => {
                let card = cards.iter().find(|card| card.name() == text("game"));
                *now = Now {
                    run: text("run").to_owned(),
                    card: card.copied(),
                    ..Now::default()
                };
            }
            "game-begun" => {
                let Some((number, begun)) = number().zip(begun(now.card, event)) else {
                    return;
                };
                now.games.remove(&(number.0, number.1.saturating_sub(1)));
                now.games.insert(number, begun);
            }
            "move" => {
                let Some(game) = number().and_then(|number| now.games.get_mut(&number)) else {
                    return;
                };
                game.play(event, text("move"), text("player"));
            }
            "pair" => {
                let pair = event["pair"].as_u64();
                now.games.retain(|(of, _), _| Some(*of) != pair);
            }
            "workers" => now.workers = event["workers"].clone(),
            "stage-ended" => {
                now.games.clear();
                now.workers = Value::Null;
            }
            _ => return,
        }
        drop(now);
        self.0.news.send_modify(|version| *version += 1);
    }

    /// The message for a browser that watches that game, or the first one.
    fn message(&self, run: &str, watched: Option<Number>) -> String {
        let now = lock(&self.0.now);
        let is_it = now.run == run;
        let games = now.games.iter().filter(|_| is_it);
        let rows = games.clone().map(|(&(pair, game), state)| {
            json!({
                "pair": pair,
                "game": game,
                "players": state.players,
                "plies": state.game.play.len(),
                "seconds": state.seconds,
                "clocks": state.clocks,
                "to_move": state.game.play.position().side_to_move().index(),
                "since": state.moved.elapsed().as_millis() as u64,
            })
        });
        let chosen = watched.and_then(|number| now.games.get_key_value(&number));
        let chosen = chosen.filter(|_| is_it).or_else(|| games.clone().next());
        let watched = chosen.and_then(|(&(pair, game), it)| {
            let mut boards = Boards::new(now.card?)?.with_fens();
            let mut shown = boards.add(&it.game, pair, [Some(0), Some(1)])?;
            shown.book = it.book;
            Some(Watched {
                pair,
                of_pair: game,
                boards,
                players: &it.players,
                games: [shown],
                lines: &it.lines,
            })
        });
        let message = LiveMessage {
            games: rows.collect(),
            watched,
            workers: if is_it { &now.workers } else { &Value::Null },
        };
        serde_json::to_string(&message).unwrap_or_default()
    }

    /// A stream of messages, one after each change.
    pub(super) fn stream(
        &self,
        run: String,
        watched: Option<Number>,
    ) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let live = self.clone();
        let news = self.0.news.subscribe();
        let stream = unfold((live, news, true), move |(live, mut news, is_first)| {
            let run = run.clone();
            async move {
                if !is_first {
                    sleep(PERIOD).await;
                    news.changed().await.ok()?;
                }
                news.borrow_and_update();
                let event = Event::default().data(live.message(&run, watched));
                Some((Ok(event), (live, news, false)))
            }
        });
        Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE))
    }
}

/// The game of an event, with its moves from the book.
fn begun(card: Option<&'static dyn GameCard>, event: &Value) -> Option<InProgress> {
    let card = card?;
    let fen = event["fen"].as_str()?;
    let tags = || Tags::of(card);
    let rules = GameChoice::usual(card).rules;
    let mut game = Game::new(&*card.initial(), tags(), rules);
    for text in event["book"].as_array().into_iter().flatten() {
        let mv = text
            .as_str()
            .map(|text| game.play.position().parse_move(text));
        let Some(Ok(mv)) = mv else { break };
        game.play(mv);
        game.searched.push(MoveComment::default());
    }
    if game.play.position().to_fen() != fen {
        game = Game::new(&*card.read(fen).ok()?, tags(), rules);
    }
    let mut players = [String::new(), String::new()];
    let first = game.play.position().side_to_move().index();
    event["to_move"].as_str()?.clone_into(&mut players[first]);
    Some(InProgress {
        players,
        book: game.play.len(),
        game,
        seconds: [0.0; 2],
        clocks: None,
        moved: Instant::now(),
        lines: Default::default(),
    })
}

impl InProgress {
    /// Plays the move of an event.
    fn play(&mut self, event: &Value, text: &str, player: &str) {
        let position = self.game.play.position();
        let side = position.side_to_move().index();
        let Ok(mv) = position.parse_move(text) else {
            return;
        };
        player.clone_into(&mut self.players[side]);
        let seconds = event["seconds"].as_f64().unwrap_or_default();
        self.seconds[side] += seconds;
        self.clocks = event["clocks"].as_array().and_then(|clocks| {
            let [mover, other] = [clocks.first()?.as_f64()?, clocks.get(1)?.as_f64()?];
            let clocks = [[mover, other], [other, mover]];
            Some(clocks[side])
        });
        let pv = event["pv"].as_array().into_iter().flatten();
        let line = &self.game.play;
        let mut on = line.boxed();
        let pv = pv.map_while(|text| {
            let mv = on.position().parse_move(text.as_str()?).ok()?;
            on.play(mv);
            Some(mv)
        });
        let pv: Vec<Move> = pv.collect();
        self.lines[side] = (line.len(), Boards::written(&**line, &pv));
        self.moved = Instant::now();
        let score = event["score"].as_i64();
        let score = score.and_then(|score| Score::try_from(score).ok());
        let depth = event["depth"].as_u64().unwrap_or_default();
        let nodes = event["nodes"].as_u64().unwrap_or_default();
        self.game.play(mv);
        self.game.searched.push(MoveComment::new(
            score,
            u8::try_from(depth).unwrap_or(u8::MAX),
            nodes,
            Some(seconds),
        ));
    }
}
