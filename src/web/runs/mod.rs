//! Records, their runs, and the games in progress.

mod compare;
mod control;
mod follow;
mod list;
mod live;
mod pages;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::routing::{get, post};
use tokio::task::spawn_blocking;

pub use self::control::Wish;
use self::follow::Followed;
pub use self::live::Live;
use super::files::file;
use super::snapshots::Snapshots;
use crate::player::Dialogues;
use crate::session::KnownGames;
use crate::store::{Mode, Store};

/// Runs that are kept ready at once.
const MOST: usize = 64;

/// What is served.
#[derive(Clone, Debug)]
pub struct Source {
    /// The records.
    pub records: Vec<PathBuf>,
    /// The games that they may be of.
    pub games: &'static KnownGames,
    /// What this program is called.
    pub program: &'static str,
}

/// The runs of records, for whoever asks.
#[derive(Clone)]
pub struct Records {
    source: Source,
    list: Snapshots,
    followed: Arc<Mutex<HashMap<String, Arc<Followed>>>>,
    live: Option<Live>,
    dialogues: Option<Dialogues>,
    control: Option<Arc<dyn Fn(Wish) + Send + Sync>>,
}

impl Records {
    /// The runs of these records. A record that is not there yet may come.
    pub fn new(source: Source) -> Self {
        let listed = source.clone();
        Self {
            list: Snapshots::new("web-list", move |publisher| list::list(&listed, publisher)),
            source,
            followed: Arc::default(),
            live: None,
            dialogues: None,
            control: None,
        }
    }

    /// Also the games in progress of a run of them.
    #[must_use]
    pub fn with_live(self, live: Live) -> Self {
        let live = Some(live);
        Self { live, ..self }
    }

    /// Also what was said between Leitai and programs, of a folder where that was kept.
    #[must_use]
    pub fn with_dialogues(self, dialogues: Dialogues) -> Self {
        let dialogues = Some(dialogues);
        Self { dialogues, ..self }
    }

    /// Also takes wishes for that run.
    #[must_use]
    pub fn with_control(self, control: impl Fn(Wish) + Send + Sync + 'static) -> Self {
        let control: Option<Arc<dyn Fn(Wish) + Send + Sync>> = Some(Arc::new(control));
        Self { control, ..self }
    }

    /// Their pages.
    pub fn router(self) -> Router {
        Router::new()
            .route("/", get(pages::start))
            .route("/runs", get(pages::runs))
            .route("/runs/state", get(pages::runs_state))
            .route("/run/{run}", get(pages::run))
            .route("/run/{run}/state", get(pages::run_state))
            .route("/run/{run}/games", get(pages::run_games))
            .route("/run/{run}/dialogue", get(pages::run_dialogue))
            .route("/run/{run}/live", get(pages::run_live))
            .route("/control", post(control::control))
            .route("/compare", get(compare::compare))
            .route("/app/{name}", get(file))
            .with_state(self)
    }

    /// The run of that identity, or of one that begins so; `None` if there is none.
    async fn run(&self, id: String) -> Option<Arc<Followed>> {
        let records = self.clone();
        // Another process may keep its record locked for a while.
        let found = spawn_blocking(move || records.find(&id)).await;
        found.ok().flatten()
    }

    fn find(&self, id: &str) -> Option<Arc<Followed>> {
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = followed.iter().find(|(known, _)| known.starts_with(id));
        if let Some((_, run)) = known {
            return Some(Arc::clone(run));
        }
        for record in &self.source.records {
            let store = Store::open(record, Mode::Read).ok();
            let entry = store.and_then(|store| store.run(id).ok());
            if let Some(entry) = entry {
                let run = Arc::new(Followed::new(&self.source, record, &entry.meta.id));
                if followed.len() >= MOST {
                    // Whoever still looks at one of them has it made anew.
                    followed.clear();
                }
                followed.insert(entry.meta.id, Arc::clone(&run));
                return Some(run);
            }
        }
        None
    }
}
