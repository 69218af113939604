//! A worker: plays units of all runs on the server, and stores only a cache of files.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Context, Message};
use async_nats::{Client, jetstream};
use futures_util::StreamExt;
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};

use self::queue::{find_queue, millis_of_lease};
use super::access::Access;
use super::cache::Cache;
use super::connect::{FleetError, MAX_OUTAGE, connect, connects};
use super::coordinator::runtime;
use super::files::{Files, is_rejection};
use super::messages::{BUILD, RunNote, UNIT};
use super::pool::key_of;
use super::streams::{ROOM, context, origin_of, publish, short};
use leitai_base::threads::{lock, spawn_scoped};
use leitai_game::Cause;
use leitai_game::card::Games;
use leitai_players::play::{Cancel, Unit};
use leitai_players::schedule::hexadecimal;
use leitai_runs::tournament::{PairReply, Plan, read_unit, reply_message};
use leitai_session::{Failure, Listener, machine_speed};

mod alive;
mod queue;
mod runs;

/// The time for which a request for a unit waits on the server.
const QUESTION: Duration = Duration::from_secs(20);
/// Time for games to finish when the worker should leave, before they are given back.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);
/// Delay before the next request of a worker that refuses the offered run, so that others get its
/// units.
const ASIDE: Duration = Duration::from_secs(30);
/// Delay before a retry.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// The time for which a measured speed is used to scale clocks.
const SPEED_HOLDS: Duration = Duration::from_hours(1);
/// Interval of checks whether the worker should leave.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Options of a worker.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The worker's name, and the server.
    pub access: Access,
    /// The build of this program: its commit, or the digest of its file.
    pub build: &'static str,
    /// The number of pairs at once.
    pub threads: NonZeroUsize,
    /// Leaves after this time without a unit.
    pub idle_exit: Option<Duration>,
    /// The folder for files; by default the user's cache folder.
    pub cache: Option<PathBuf>,
    /// The size limit of the folder in bytes.
    pub cache_bytes: u64,
}

/// The result of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerResult {
    /// The number of played pairs.
    pub played: u64,
    /// The reason for leaving.
    pub leave: Leave,
}

/// A reason for leaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// A signal.
    Cancelled,
    /// `leitai fleet drain`.
    Drained,
    /// No units for too long.
    Idle,
    /// The worker's results are refused.
    Rejected,
    /// The server refuses the worker.
    Refused,
}

/// A run that this worker plays.
struct Run {
    plan: RwLock<Plan>,
    /// Set when the run has ended, or the worker leaves.
    cancel: AtomicBool,
    /// True if the run's limits name a reference speed.
    has_reference: bool,
    /// Time of the speed measurement for scaled clocks, if any.
    measured: Mutex<Option<Instant>>,
}

impl Run {
    /// Returns whether the speed for scaled clocks must be measured again.
    fn must_scale(&self) -> bool {
        let is_old = |measured: Instant| measured.elapsed() >= SPEED_HOLDS;
        // A locked mutex means that a thread measures, and waits for running games.
        let measured = self.measured.try_lock();
        measured.map_or(true, |measured| measured.is_some_and(is_old))
    }
}

/// A prepared run.
struct PreparedRun {
    /// The coordinator's note, and its process, as units name it.
    note: RunNote,
    leader: String,
    /// The run, or the reason why this worker refuses it.
    run: Result<Arc<Run>, String>,
}

struct Worker<'a> {
    options: &'a WorkerOptions,
    games: &'a Games,
    listener: Arc<dyn Listener>,
    cancel: &'a Cancel,
    runtime: Handle,
    client: Client,
    context: Context,
    queue: PullConsumer,
    /// The lease of the coordinator that was the last to begin a run, in milliseconds.
    lease_ms: Arc<AtomicU64>,
    cache: Cache,
    runs: Mutex<HashMap<String, PreparedRun>>,
    preparing: Mutex<()>,
    state: Mutex<State>,
    changed: Condvar,
    playing: AtomicU64,
    played: AtomicU64,
    nps: AtomicU64,
    /// Distinguishes the worker from others of the same name.
    instance: String,
}

struct State {
    leave: Option<Leave>,
    /// The reason why the server refuses this worker.
    refused: Option<FleetError>,
    last_unit: Instant,
}

/// Plays units until the worker is asked to leave, or has been idle for too long.
///
/// # Errors
/// There is no connection, the server is too old or holds no fleet, or the folder of files cannot
/// be written.
pub fn run_worker(
    options: &WorkerOptions,
    games: &Games,
    cancel: &Cancel,
    listener: &Arc<dyn Listener>,
) -> Result<WorkerResult, Failure> {
    let runtime = runtime()?;
    let folder = Cache::prepare(options.cache.clone())?;
    let connected = runtime.block_on(async {
        let may_wait = |_| !cancel.is_draining();
        let client = match connect(&options.access, listener, may_wait).await {
            Err(_) if cancel.is_draining() => return Ok(None),
            connected => connected?,
        };
        let context = context(&client, &options.access);
        let Some(queue) = find_queue(&context, cancel, &**listener).await? else {
            return Ok(None);
        };
        let files = Files::of(&context).await?;
        let name = &options.access.name;
        let rejection = format!("rejected.{name}");
        // A coordinator creates lost streams again.
        let begun = Instant::now();
        let rejection = loop {
            match files.last(&rejection).await {
                Err(_) if begun.elapsed() < MAX_OUTAGE => sleep(RETRY_DELAY).await,
                read => break read?,
            }
            if cancel.is_draining() {
                return Ok(None);
            }
        };
        if rejection.is_some_and(|message| is_rejection(&message)) {
            return Err(rejected(name));
        }
        Ok(Some((client, context, queue, files)))
    })?;
    let Some((client, context, queue, files)) = connected else {
        return Ok(WorkerResult {
            played: 0,
            leave: Leave::Cancelled,
        });
    };
    let handle = runtime.handle().clone();
    let lease = millis_of_lease(&queue);
    let worker = Worker {
        options,
        games,
        listener: Arc::clone(listener),
        cancel,
        runtime: handle.clone(),
        client,
        context,
        queue,
        lease_ms: Arc::new(AtomicU64::new(lease)),
        cache: Cache {
            folder,
            most_bytes: options.cache_bytes,
            files,
            runtime: handle,
            used: Mutex::default(),
        },
        runs: Mutex::default(),
        preparing: Mutex::default(),
        state: Mutex::new(State {
            leave: None,
            refused: None,
            last_unit: Instant::now(),
        }),
        changed: Condvar::new(),
        playing: AtomicU64::new(0),
        played: AtomicU64::new(0),
        nps: AtomicU64::new(0),
        instance: instance()?,
    };
    let worked = worker.work();
    // Makes sure that the last messages have been sent.
    let _ = runtime.block_on(async { timeout(RETRY_DELAY, worker.client.flush()).await });
    worked
}

impl Worker<'_> {
    fn leave(&self, leave: Leave) {
        lock(&self.state).leave.get_or_insert(leave);
        self.changed.notify_all();
    }

    fn is_leaving(&self) -> bool {
        lock(&self.state).leave.is_some()
    }

    fn name(&self) -> &str {
        &self.options.access.name
    }

    fn work(&self) -> Result<WorkerResult, Failure> {
        let controls = self.runtime.block_on(self.client.subscribe("ctl.>"))?;
        thread::scope(|scope| {
            for _ in 0..self.options.threads.get() {
                let slot = thread::Builder::new().name("slot".to_owned());
                slot.spawn_scoped(scope, || self.run_slot())?;
            }
            spawn_scoped(scope, || {
                self.runtime.block_on(self.handle_controls(controls));
            });
            spawn_scoped(scope, || self.runtime.block_on(self.send_heartbeats()));
            self.wait();
            // Running games get some time; then their units are given back.
            let begun = Instant::now();
            while self.playing.load(Ordering::SeqCst) > 0 && begun.elapsed() < EXIT_TIMEOUT {
                thread::sleep(POLL_INTERVAL);
            }
            for run in lock(&self.runs).values().flat_map(|it| &it.run) {
                run.cancel.store(true, Ordering::SeqCst);
            }
            Ok::<_, Failure>(())
        })?;
        let leave = lock(&self.state).leave.unwrap_or(Leave::Idle);
        if leave == Leave::Rejected {
            return Err(rejected(self.name()));
        }
        if let Some(error) = lock(&self.state).refused.take() {
            return Err(error.into());
        }
        let played = self.played.load(Ordering::SeqCst);
        Ok(WorkerResult { played, leave })
    }

    /// Waits for a reason to leave.
    fn wait(&self) {
        let mut state = lock(&self.state);
        while state.leave.is_none() {
            let is_idle = self.playing.load(Ordering::SeqCst) == 0;
            let longest = self.options.idle_exit.filter(|_| is_idle);
            if self.cancel.is_draining() {
                state.leave = Some(Leave::Cancelled);
            } else if longest.is_some_and(|longest| state.last_unit.elapsed() >= longest) {
                state.leave = Some(Leave::Idle);
            } else {
                let waited = self.changed.wait_timeout(state, POLL_INTERVAL);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    /// Plays units one by one.
    fn run_slot(&self) {
        let mut held = None;
        while let Some(message) = held.take().or_else(|| self.next()) {
            let pause = match self.run_of(&message) {
                Ok(Some(run)) => {
                    held = self.play_on(&run, message);
                    continue;
                }
                Ok(None) => ASIDE,
                Err(error) => {
                    self.listener.warn(format!("{error:#}"));
                    RETRY_DELAY * 5
                }
            };
            self.return_message(&message);
            self.pause(pause);
        }
    }

    /// Waits, unless the worker leaves.
    fn pause(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_leaving() && Instant::now() < until {
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// The next unit; `None` if the worker leaves.
    fn next(&self) -> Option<Message> {
        let mut is_reported = false;
        // The first failure may mean that a coordinator has just recreated the queue.
        let mut failed = |why: String| {
            if !is_reported {
                let text = format!("no unit is available for now: {why}");
                self.listener.detail(text);
            }
            self.pause(if is_reported {
                RETRY_DELAY
            } else {
                RETRY_DELAY / 10
            });
            is_reported = true;
        };
        while !self.is_leaving() {
            // A server that restarts loses the request.
            let before = connects(&self.client);
            let question = async {
                let fetch = self.queue.batch().max_messages(1).expires(QUESTION);
                let mut messages = fetch.messages().await?;
                let mut answer = std::pin::pin!(messages.next());
                loop {
                    match timeout(POLL_INTERVAL, &mut answer).await {
                        Ok(answer) => return Ok::<_, Failure>(answer),
                        Err(_) if self.is_leaving() || connects(&self.client) != before => {
                            return Ok(None);
                        }
                        Err(_) => {}
                    }
                }
            };
            match self.runtime.block_on(question) {
                Ok(Some(Ok(message))) => {
                    lock(&self.state).last_unit = Instant::now();
                    return Some(message);
                }
                Ok(None) => {}
                Ok(Some(Err(error))) => failed(format!("{error}")),
                Err(error) => failed(format!("{error:#}")),
            }
        }
        None
    }

    /// Plays units of a run, starting with `first`. Returns the first unit of another run.
    fn play_on(&self, run: &Run, first: Message) -> Option<Message> {
        let lease = self.extend_lease(&first);
        self.scale_clocks(run);
        lease.abort();
        let plan = run.plan.read().unwrap_or_else(PoisonError::into_inner);
        let ours = origin_of(&first.subject);
        plan.work(&run.cancel, |play| {
            let mut message = first;
            loop {
                self.play(&plan, run, &message, play);
                message = self.next()?;
                let is_ours = origin_of(&message.subject) == ours;
                if !is_ours || run.cancel.load(Ordering::SeqCst) || run.must_scale() {
                    return Some(message);
                }
            }
        })
    }

    fn play(
        &self,
        plan: &Plan,
        run: &Run,
        message: &Message,
        play: &mut dyn FnMut(&Unit) -> Option<PairReply>,
    ) {
        let text = std::str::from_utf8(&message.payload).unwrap_or_default();
        let unit = match read_unit(plan.id(), text) {
            Ok(unit) if plan.has(&unit) => unit,
            _ => {
                self.listener
                    .warn("a unit arrived that is not part of its run");
                let _ = self.runtime.block_on(message.ack_with(AckKind::Term));
                return;
            }
        };
        self.playing.fetch_add(1, Ordering::SeqCst);
        let lease = self.extend_lease(message);
        // Another worker may have the resources that this one lacks.
        let lacks = |reply: &PairReply| {
            let stop = reply.as_ref().err();
            stop.is_some_and(|stop| stop.fault.cause == Cause::NoResources)
        };
        let answer = play(&unit).filter(|reply| {
            if lacks(reply) {
                self.listener
                    .warn("returns a unit: this machine could not start a program");
            }
            !lacks(reply)
        });
        if answer.is_some_and(|answer| self.send(run, text, plan.id(), &answer)) {
            self.played.fetch_add(1, Ordering::SeqCst);
            let _ = self.runtime.block_on(message.ack());
        } else {
            self.return_message(message);
        }
        lease.abort();
        self.playing.fetch_sub(1, Ordering::SeqCst);
        lock(&self.state).last_unit = Instant::now();
    }

    /// Sends an answer until the server has stored it; returns whether it has.
    fn send(&self, run: &Run, unit: &str, id: &str, answer: &PairReply) -> bool {
        let Ok(text) = reply_message(id, answer) else {
            return false;
        };
        let subject = format!("res.{}.{}", short(id), self.name());
        let mut is_reported = false;
        loop {
            // No message number: an equal number would replace the answer of another worker.
            let message = PublishMessage::build()
                .payload(text.clone().into())
                .header(UNIT, key_of(unit))
                .header(BUILD, self.options.build);
            let stored = publish(&self.context, subject.clone(), message);
            let Err(error) = self.runtime.block_on(stored) else {
                return true;
            };
            if !is_reported {
                is_reported = true;
                self.listener.warn(format!(
                    "the server does not store a result: {error}; the worker sends it again\n\
                     help: {ROOM}"
                ));
            }
            if self.is_leaving() || run.cancel.load(Ordering::SeqCst) {
                return false;
            }
            self.pause(RETRY_DELAY);
        }
    }

    /// Returns a unit to the queue.
    fn return_message(&self, message: &Message) {
        let _ = self.runtime.block_on(message.ack_with(AckKind::Nak(None)));
    }

    /// Extends the lease of a unit at intervals.
    fn extend_lease(&self, message: &Message) -> tokio::task::JoinHandle<()> {
        let lease = Arc::clone(&self.lease_ms);
        let acker = jetstream::message::Acker::new(self.context.clone(), message.reply.clone());
        self.runtime.spawn(async move {
            loop {
                let pulse = lease.load(Ordering::SeqCst) / 3;
                sleep(Duration::from_millis(pulse)).await;
                let _ = acker.ack_with(AckKind::Progress).await;
            }
        })
    }

    /// Scales the clocks of a run with a reference speed by the speed of this machine, measured on
    /// all threads while no thread plays the run.
    fn scale_clocks(&self, run: &Run) {
        if !run.has_reference {
            return;
        }
        let mut measured = lock(&run.measured);
        if measured.is_some_and(|measured| measured.elapsed() < SPEED_HOLDS) {
            return;
        }
        let mut plan = run.plan.write().unwrap_or_else(PoisonError::into_inner);
        match machine_speed(plan.config.game.card, self.options.threads) {
            Ok(nps) => {
                self.nps.store(nps as u64, Ordering::SeqCst);
                plan.scale_clocks(nps);
                *measured = Some(Instant::now());
            }
            Err(error) => {
                let text = format!("the speed cannot be measured: {error:#}");
                self.listener.warn(text);
            }
        }
    }
}

fn rejected(name: &str) -> Failure {
    anyhow!(
        "the fleet no longer accepts the answers of worker `{name}`: another machine has played a \
         pair differently\n\
         help: find the fault of this machine (memory, processor, build); `leitai fleet workers \
         --readmit {name}` accepts it again"
    )
}

/// A unique name for this process.
fn instance() -> Result<String, Failure> {
    let mut random = [0; 8];
    getrandom::fill(&mut random)?;
    Ok(hexadecimal(&random))
}
