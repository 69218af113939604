//! Records, their runs, and the games in progress.

mod follow;
mod list;
mod live;
mod pages;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};
use tokio::task::spawn_blocking;

use self::follow::Followed;
pub use self::live::Live;
pub use self::pages::RunRequest;
use self::pages::{NO_RUN, unavailable};
use super::files::file;
use super::snapshots::{Snapshot, Snapshots, Trouble};
use leitai_base::threads::lock;
use leitai_players::player::Dialogues;
use leitai_runs::store::{Mode, Store, StoreProblem};
use leitai_session::KnownGames;

/// The most runs that are kept ready.
const MAX: usize = 64;

/// The data that a server shows.
#[derive(Clone, Debug)]
pub struct Source {
    /// The records.
    pub records: Vec<PathBuf>,
    /// The games that the records may belong to.
    pub games: &'static KnownGames,
    /// The name of this program.
    pub program: &'static str,
}

/// The runs of records, as served to clients.
#[derive(Clone)]
pub struct Records {
    source: Source,
    list: Snapshots,
    followed: Arc<Mutex<HashMap<String, Arc<Followed>>>>,
    /// The games in progress of one of the runs.
    pub live: Option<Live>,
    /// Dialogues between Leitai and programs, from the folder in which they were kept.
    pub dialogues: Option<Dialogues>,
    /// Receives requests that control the run; without it, they are refused.
    pub control: Option<Arc<dyn Fn(RunRequest) + Send + Sync>>,
}

impl Records {
    /// Serves the runs of these records. A record may be created later.
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

    /// The pages of the records.
    pub fn router(self) -> Router {
        Router::new()
            .route("/", get(pages::start))
            .route("/runs", get(pages::runs))
            .route("/verdicts.json", get(pages::verdicts))
            .route("/run/{run}", get(pages::run))
            .route("/run/{run}/state", get(pages::run_state))
            .route("/run/{run}/games", get(pages::run_games))
            .route("/run/{run}/dialogue", get(pages::run_dialogue))
            .route("/run/{run}/live", get(pages::run_live))
            .route("/control", post(pages::control))
            .route("/compare", get(pages::compare))
            .route("/app/{name}", get(file))
            .with_state(self)
    }

    /// The run with that identity or prefix, or the response without it.
    async fn run(&self, id: String) -> Result<Arc<Followed>, (StatusCode, String)> {
        let records = self.clone();
        // Another process may lock its record for a while.
        let found = spawn_blocking(move || records.find(&id)).await;
        found
            .unwrap_or_else(|error| Err(error.to_string()))
            .map_err(|trouble| {
                let (status, text) = NO_RUN;
                (status, format!("{text}\n{trouble}").trim_end().to_owned())
            })
    }

    /// The state of a run. After an error the next request searches for the run again: its
    /// record may be gone, or elsewhere.
    async fn state(&self, run: &Followed) -> Result<Arc<Snapshot>, (StatusCode, Trouble)> {
        let state = run.state.latest().await;
        state.map_err(|trouble| {
            lock(&self.followed).remove(&run.id);
            unavailable(trouble)
        })
    }

    /// Finds a run; the error names the records that cannot be read.
    fn find(&self, id: &str) -> Result<Arc<Followed>, Trouble> {
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(String::new());
        }
        if let Some(run) = lock(&self.followed).get(id) {
            return Ok(Arc::clone(run));
        }
        let mut troubles = Vec::new();
        let mut found: Option<(&PathBuf, String)> = None;
        for record in &self.source.records {
            let entry = match Store::open(record, Mode::Read).and_then(|store| store.run(id)) {
                Ok(entry) => entry,
                Err(error) => match error.problem {
                    StoreProblem::AmbiguousRun(..) => return Err(error.to_string()),
                    StoreProblem::NoRun(_) => continue,
                    _ => {
                        troubles.push(error.to_string());
                        continue;
                    }
                },
            };
            let id = entry.meta.id;
            if found.as_ref().is_some_and(|(_, known)| *known != id) {
                return Err(format!("Several runs begin with `{id:.12}`."));
            }
            found.get_or_insert((record, id));
        }
        let (record, id) = found.ok_or_else(|| troubles.join("\n"))?;
        let mut followed = lock(&self.followed);
        if followed.len() >= MAX && !followed.contains_key(&id) {
            // Clients that still follow one of them cause it to be created again.
            followed.clear();
        }
        let run = followed.entry(id.clone());
        let run = run.or_insert_with(|| Arc::new(Followed::new(&self.source, record, &id)));
        Ok(Arc::clone(run))
    }
}
