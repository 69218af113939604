//! The game in play, and its engines.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::sync::watch;

use super::game_state::{GameState, line_view};
use leitai_base::foreign::shown_path;
use leitai_base::threads::lock;
use leitai_config::{Config, run_name};
use leitai_game::Side;
use leitai_players::player::Budget;
use leitai_players::schedule::Book;
use leitai_report::page::{Boards, SelectableMove};
use leitai_session::human::{Advice, AdviceRequest, Adviser, HumanGame, Line, budget_of, save};

/// Lines of an analysis.
const LINES: usize = 3;
/// The most openings listed by name.
const OPENINGS: usize = 1000;
/// The reason to refuse moves and searches after the end.
const GAME_OVER: &str = "the game is over";
/// The name of a human player.
const PERSON: &str = "person";

/// The game's setting.
pub struct GameSetting {
    /// The config with the variants and their game.
    pub config: Config,
    /// The name of the config.
    pub name: String,
    /// The openings to choose from.
    pub book: Book,
    /// The record for saved games.
    pub record: PathBuf,
}

/// A request of the page.
#[derive(Debug, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Order {
    /// Begins a game.
    New(NewGame),
    /// Plays a move.
    Move {
        /// The move in any notation.
        text: String,
    },
    /// Takes back the last move and the answer to it.
    Back,
    /// Shows the move that the variant would play.
    Hint,
    /// Lets the variant move for the person.
    Go,
    /// Begins an analysis.
    Analyse,
    /// Stops the search in progress.
    Stop,
    /// Saves the game in the record.
    Save,
}

/// The choices for a new game.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewGame {
    /// The number of the variant.
    variant: usize,
    /// The side of the person, 0 or 1; absent for both.
    side: Option<usize>,
    /// The number of the opening; absent for the usual start.
    opening: Option<usize>,
    /// A position in place of an opening.
    fen: Option<String>,
    /// The variant's limits per move; the config's limits if all are absent.
    nodes: Option<u64>,
    depth: Option<u32>,
    millis: Option<u64>,
}

/// A game, and the pages that show it.
#[derive(Clone)]
pub struct PlayRoom(Arc<Inner>);

struct Inner {
    played: GameSetting,
    adviser: Adviser,
    state: Mutex<Now>,
    news: watch::Sender<u64>,
}

struct Now {
    game: HumanGame,
    number: u64,
    variant: usize,
    human: Option<Side>,
    budget: Budget,
    thinking: Option<(&'static str, Arc<AtomicBool>)>,
    lines: Vec<Line>,
    message: String,
}

impl PlayRoom {
    /// Begins a game from the usual start against the first variant. Returns `None` for a game
    /// without a board, or if no thread can be had.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn new(played: GameSetting) -> std::io::Result<Self> {
        let adviser = Adviser::begin(played.config.clone())?;
        let start = played.config.game.card.initial();
        let rules = played.config.game.rules;
        let now = Now {
            game: HumanGame::new(&*start, "", rules, [PERSON; 2], None),
            number: 0,
            variant: 0,
            human: None,
            budget: Budget::default(),
            thinking: None,
            lines: Vec::new(),
            message: String::new(),
        };
        let room = Self(Arc::new(Inner {
            played,
            adviser,
            state: Mutex::new(now),
            news: watch::Sender::new(1),
        }));
        let _ = room.execute(Order::New(NewGame {
            side: Some(0),
            ..NewGame::default()
        }));
        Ok(room)
    }

    pub(super) fn news(&self) -> watch::Receiver<u64> {
        self.0.news.subscribe()
    }

    fn announce_change(&self) {
        self.0.news.send_modify(|version| *version += 1);
    }

    pub(super) fn title(&self) -> String {
        let GameSetting { name, config, .. } = &self.0.played;
        format!("{} · {}", run_name(name, &[]), config.game.name())
    }

    /// The choices for a new game, as JSON.
    pub(super) fn setup(&self) -> String {
        let GameSetting {
            config,
            name,
            book,
            record,
        } = &self.0.played;
        let variants = config.variants.iter().map(|variant| variant.name.as_str());
        let openings = (0..book.len().min(OPENINGS)).map(|index| book.id(index));
        json!({
            "config": name,
            "game": config.game.name(),
            "sides": config.game.card.side_names(),
            "variants": variants.collect::<Vec<_>>(),
            "openings": openings.collect::<Vec<_>>(),
            "record": shown_path(record).to_string(),
        })
        .to_string()
    }

    /// The current state of the game, as JSON.
    pub(super) fn state(&self) -> String {
        let now = lock(&self.0.state);
        let config = &self.0.played.config;
        let Some(boards) = Boards::new(config.game.card) else {
            return "null".to_owned();
        };
        let mut boards = boards.with_fens();
        let line = now.game.line();
        let shown = boards.add(&now.game.game, 0, [Some(0), Some(1)]);
        let is_persons = now.game.verdict().is_none() && !now.game.is_opponents_turn();
        let state = GameState {
            boards,
            players: self.names(&now),
            games: shown.into_iter().collect(),
            version: *self.0.news.borrow(),
            human: now.human.map(Side::index),
            thinking: now.thinking.as_ref().map(|(purpose, _)| *purpose),
            legal: if is_persons {
                SelectableMove::all(line)
            } else {
                Vec::default()
            },
            lines: now.lines.iter().map(|it| line_view(line, it)).collect(),
            message: now.message.clone(),
        };
        serde_json::to_string(&state).unwrap_or_default()
    }

    fn names(&self, now: &Now) -> [String; 2] {
        let variant = self.0.played.config.variants.get(now.variant);
        let variant = variant.map_or_else(String::new, |it| it.name.clone());
        Side::BOTH.map(|side| match now.human {
            Some(human) if human != side => variant.clone(),
            _ => PERSON.to_owned(),
        })
    }

    /// Executes a request of the page.
    ///
    /// # Errors
    /// A message for a person, if the request cannot be executed.
    pub(super) fn execute(&self, order: Order) -> Result<(), String> {
        let mut now = lock(&self.0.state);
        now.message.clear();
        let done = self.carry_out(&mut now, order);
        self.answer_if_due(&mut now);
        drop(now);
        self.announce_change();
        done
    }

    fn carry_out(&self, now: &mut Now, order: Order) -> Result<(), String> {
        match order {
            Order::New(choices) => self.begin(now, &choices),
            Order::Move { text } => {
                if now.game.is_opponents_turn() {
                    return Err("it is not your turn".to_owned());
                }
                let mv = now.game.line().position().parse_move(&text);
                let mv = mv.map_err(|error| error.to_string())?;
                now.clear_search();
                let is_played = now.game.play(mv, None);
                is_played.then_some(()).ok_or_else(|| GAME_OVER.to_owned())
            }
            Order::Back => {
                now.clear_search();
                now.game.take_back();
                Ok(())
            }
            Order::Stop => {
                now.stop();
                Ok(())
            }
            Order::Hint => self.ask(now, "hint"),
            Order::Go => self.ask(now, "move"),
            Order::Analyse => self.ask(now, "analysis"),
            Order::Save => self.save(now),
        }
    }

    fn begin(&self, now: &mut Now, choices: &NewGame) -> Result<(), String> {
        let variant = choices.variant;
        let side = |side: usize| Side::BOTH.get(side).copied().ok_or("there is no such side");
        let human = choices.side.map(side).transpose()?;
        let GameSetting { config, book, .. } = &self.0.played;
        let limits = config.limits_by_variant();
        let limits = limits.get(variant).ok_or("there is no such variant")?;
        let card = config.game.card;
        let fen = choices.fen.as_deref().map(str::trim);
        let (start, id) = match (fen.filter(|fen| !fen.is_empty()), choices.opening) {
            (Some(fen), _) => {
                let start = card.read(fen).map_err(|error| error.to_string())?;
                (start, String::new())
            }
            (None, Some(number)) => {
                let opening = book.get(number).ok_or("there is no such opening")?;
                (opening.position(), opening.id().into_owned())
            }
            (None, None) => (card.initial(), String::new()),
        };
        let asked = Budget {
            nodes: choices.nodes.filter(|&nodes| nodes > 0),
            depth: choices.depth.filter(|&depth| depth > 0),
            ..choices.millis.map_or_else(Budget::default, |millis| {
                Budget::of_time(Duration::from_millis(millis))
            })
        };
        now.clear_search();
        now.budget = if asked == Budget::default() {
            budget_of(limits)
        } else {
            asked
        };
        now.variant = variant;
        now.human = human;
        now.number += 1;
        let names = self.names(now);
        let names = names.each_ref().map(String::as_str);
        let opponent = now.human.map(Side::other);
        now.game = HumanGame::new(&*start, &id, config.game.rules, names, opponent);
        Ok(())
    }

    /// Lets the variant choose its move if it is its turn.
    fn answer_if_due(&self, now: &mut Now) {
        if now.thinking.is_none()
            && now.message.is_empty()
            && now.game.is_opponents_turn()
            && let Err(why) = self.ask(now, "move")
        {
            now.message = why;
        }
    }

    /// Starts a search of the position by the variant.
    fn ask(&self, now: &mut Now, purpose: &'static str) -> Result<(), String> {
        if now.game.verdict().is_some() {
            return Err(GAME_OVER.to_owned());
        }
        now.stop();
        now.lines.clear();
        let cancel = Arc::new(AtomicBool::new(false));
        let (room, asked) = (self.clone(), Arc::clone(&cancel));
        let is_analysis = purpose == "analysis";
        let budget = if is_analysis {
            // The search ends after this time, or when the user stops it.
            Budget::of_time(Duration::from_mins(1))
        } else {
            now.budget
        };
        let ask = AdviceRequest {
            variant: now.variant,
            line: now.game.line().boxed(),
            budget,
            lines: is_analysis.then_some(LINES),
            game: now.number,
            cancel: Arc::clone(&cancel),
            reply: Box::new(move |advice| room.take_advice(purpose, &asked, advice)),
        };
        let asked = self.0.adviser.ask(ask);
        asked.map_err(|_| "the variants have stopped responding".to_owned())?;
        now.thinking = Some((purpose, cancel));
        Ok(())
    }

    /// Takes the result of a search, unless it was cancelled.
    fn take_advice(&self, purpose: &'static str, asked: &Arc<AtomicBool>, advice: Advice) {
        let mut now = lock(&self.0.state);
        if !matches!(&now.thinking, Some((_, cancel)) if Arc::ptr_eq(cancel, asked)) {
            return;
        }
        if advice.is_last {
            now.thinking = None;
        }
        let variant = &self.0.played.config.variants[now.variant].name;
        match (purpose, advice.lines.first()) {
            (_, None) if advice.is_last => {
                now.message = format!("`{variant}` does not answer");
            }
            ("move", Some(line)) => {
                if !now.game.play(line.moves[0], Some(line.searched())) {
                    now.message = format!("`{variant}` chose an illegal move");
                }
                now.lines.clear();
            }
            (_, Some(_)) => now.lines = advice.lines,
            (_, None) => {}
        }
        // After a move or a search for the person, it may be the variant's turn.
        self.answer_if_due(&mut now);
        drop(now);
        self.announce_change();
    }

    fn save(&self, now: &mut Now) -> Result<(), String> {
        if now.game.line().is_empty() {
            return Err("no move has been made".to_owned());
        }
        let record = &self.0.played.record;
        save(record, &now.game).map_err(|error| error.to_string())?;
        now.message = format!("kept in {}", shown_path(record));
        Ok(())
    }
}

impl Now {
    /// Stops the search in progress.
    fn stop(&mut self) {
        if let Some((_, cancel)) = self.thinking.take() {
            cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Stops the search, and removes its lines.
    fn clear_search(&mut self) {
        self.stop();
        self.lines.clear();
    }
}
