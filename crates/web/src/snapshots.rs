//! Data that changes while clients view it: recreated in a separate thread as long as clients
//! request it, without slowing the games.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use tokio::time::timeout;

use leitai_base::threads::lock;
use leitai_players::schedule::hexadecimal;

/// The least age of a snapshot before the next is made.
const PERIOD: Duration = Duration::from_secs(1);
/// The least pause after a snapshot, as a multiple of the time that it took: with two processors in
/// play, snapshots take at most one hundredth of their time.
pub(super) const REST: u32 = 50;
/// A publisher ends after this time without requests.
const IDLE_TIMEOUT: Duration = Duration::from_mins(1);
/// The longest wait for the first snapshot.
const WAIT: Duration = Duration::from_mins(1);

/// The data at one moment, as JSON.
#[derive(Debug)]
pub(super) struct Snapshot {
    etag: String,
    pub(super) json: Bytes,
}

impl Snapshot {
    fn new(json: String) -> Self {
        let digest = Sha256::digest(&json);
        let etag = format!("\"{}\"", hexadecimal(&digest[..16]));
        let json = Bytes::from(json);
        Self { etag, json }
    }

    /// The response to a client that may have this snapshot already.
    pub(super) fn response(&self, headers: &HeaderMap) -> Response {
        let known = headers.get(IF_NONE_MATCH).and_then(|it| it.to_str().ok());
        let etag = (ETAG, self.etag.clone());
        if known == Some(self.etag.as_str()) {
            return (StatusCode::NOT_MODIFIED, [etag]).into_response();
        }
        let kind = (CONTENT_TYPE, "application/json".to_owned());
        ([etag, kind], self.json.clone()).into_response()
    }
}

/// The reason for a missing snapshot: a message for a person.
pub(super) type Trouble = String;

type Latest = Option<Result<Arc<Snapshot>, Trouble>>;

/// Makes snapshots in its own thread.
pub(super) struct Publisher {
    sender: watch::Sender<Latest>,
    asked: Arc<AtomicU64>,
    born: Instant,
    begun: Instant,
}

impl Publisher {
    /// Publishes a snapshot.
    pub(super) fn publish(&self, json: String) {
        self.sender.send_if_modified(|latest| {
            let is_same = matches!(latest, Some(Ok(it)) if it.json == json);
            if !is_same {
                *latest = Some(Ok(Arc::new(Snapshot::new(json))));
            }
            !is_same
        });
    }

    /// Excludes work that the publisher limits itself from the time of this snapshot.
    pub(super) fn exclude(&mut self, work: Duration) {
        self.begun += work;
    }

    /// Waits until the next snapshot is due; returns whether clients still request it.
    pub(super) fn rest(&mut self) -> bool {
        let took = self.begun.elapsed();
        thread::sleep(PERIOD.max(took * REST));
        self.begun = Instant::now();
        let asked = Duration::from_millis(self.asked.load(Ordering::Relaxed));
        self.born.elapsed().saturating_sub(asked) < IDLE_TIMEOUT
    }
}

/// Makes snapshots until no client requests them.
type Work = dyn Fn(&mut Publisher) -> Result<(), Trouble> + Send + Sync;

/// Snapshots of one source.
#[derive(Clone)]
pub(super) struct Snapshots {
    name: String,
    work: Arc<Work>,
    asked: Arc<AtomicU64>,
    born: Instant,
    latest: Arc<Mutex<Option<watch::Receiver<Latest>>>>,
}

impl Snapshots {
    /// Snapshots that `work` makes in a thread of that name.
    pub(super) fn new(
        name: &str,
        work: impl Fn(&mut Publisher) -> Result<(), Trouble> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.to_owned(),
            work: Arc::new(work),
            asked: Arc::default(),
            born: Instant::now(),
            latest: Arc::default(),
        }
    }

    /// The latest snapshot, available at once except for the first.
    pub(super) fn latest(&self) -> impl Future<Output = Result<Arc<Snapshot>, Trouble>> + use<> {
        let receiver = self.receiver();
        async move {
            let mut receiver = receiver?;
            let found = timeout(WAIT, receiver.wait_for(Option::is_some)).await;
            match found {
                Ok(Ok(latest)) => latest.clone().unwrap_or_else(|| Err(String::new())),
                Ok(Err(_)) => Err("the thread that reads the data has ended".to_owned()),
                Err(_) => Err("reading takes longer than a minute".to_owned()),
            }
        }
    }

    fn receiver(&self) -> Result<watch::Receiver<Latest>, Trouble> {
        let now = self.born.elapsed().as_millis() as u64;
        self.asked.store(now, Ordering::Relaxed);
        let mut latest = lock(&self.latest);
        if let Some(receiver) = &*latest
            && receiver.has_changed().is_ok()
        {
            return Ok(receiver.clone());
        }
        let (sender, receiver) = watch::channel(None);
        let mut publisher = Publisher {
            sender,
            asked: Arc::clone(&self.asked),
            born: self.born,
            begun: Instant::now(),
        };
        let work = Arc::clone(&self.work);
        let thread = thread::Builder::new().name(self.name.clone());
        thread
            .spawn(move || {
                if let Err(trouble) = work(&mut publisher) {
                    publisher.sender.send_replace(Some(Err(trouble)));
                    // A client that asks again soon gets the same trouble.
                    thread::sleep(PERIOD);
                }
            })
            .map_err(|error| format!("no thread: {error}"))?;
        *latest = Some(receiver.clone());
        Ok(receiver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moves_are_not_sent_again() {
        let snapshot = Snapshot::new("{}".to_owned());
        let first = snapshot.response(&HeaderMap::new());
        assert_eq!(first.status(), StatusCode::OK);
        let mut headers = HeaderMap::new();
        headers.insert(IF_NONE_MATCH, first.headers()[ETAG].clone());
        assert_eq!(
            snapshot.response(&headers).status(),
            StatusCode::NOT_MODIFIED
        );
        let other = Snapshot::new("[]".to_owned());
        assert_eq!(other.response(&headers).status(), StatusCode::OK);
    }

    #[test]
    fn snapshots_are_made_on_request() {
        let snapshots = Snapshots::new("test", |publisher| {
            publisher.publish("1".to_owned());
            Ok(())
        });
        assert!(snapshots.latest.lock().expect("free").is_none());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.expect("a runtime");
        assert_eq!(runtime.block_on(snapshots.latest()).expect("one").json, "1");
        // The thread has ended: the next request starts it again.
        let bad = Snapshots::new("test", |_| Err("no file".to_owned()));
        for _ in 0..2 {
            let trouble = runtime.block_on(bad.latest()).expect_err("none");
            assert_eq!(trouble, "no file");
        }
    }
}
