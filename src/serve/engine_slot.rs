//! Where engines are made: in a thread of its own, since a large table takes
//! seconds.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use super::Voice;
use super::engine::Engine;
use crate::games::xiangqi::eval::{XiangqiEvaluation, XiangqiParams};
use crate::numbers::EvalParams;
use crate::search::{Search, SearchParams};

/// The engine of one conversation, made or in the making.
pub(super) struct EngineSlot {
    voice: Voice,
    order: Arc<Mutex<Order>>,
    /// Where the engine comes from when it is made.
    made: Option<Receiver<Box<Engine>>>,
    engine: Option<Box<Engine>>,
}

/// What the maker goes by.
struct Order {
    params: SearchParams,
    eval: EvalParams,
    /// Whether it is at work. If not, what it made has been sent.
    at_work: bool,
    /// How many `readyok` are owed when it is done.
    asked: usize,
}

/// How long it takes to see that an answer is wanted, if no engine is there.
const GLANCE: Duration = Duration::from_millis(1);

/// MiB of the table of an engine that helps out: made in no time.
const SMALL_TABLE: u32 = 1;

impl EngineSlot {
    /// Nothing is made yet. `voice` says `readyok`.
    pub(super) fn new(params: SearchParams, eval: EvalParams, voice: Voice) -> Self {
        Self {
            voice,
            order: Arc::new(Mutex::new(Order {
                params,
                eval,
                at_work: false,
                asked: 0,
            })),
            made: None,
            engine: None,
        }
    }

    /// From now on the engine is one with these parameters. It has learnt
    /// nothing if they are others than before.
    pub(super) fn want(&mut self, params: SearchParams, eval: EvalParams) {
        let shared = self.order.clone();
        let mut order = lock(&shared);
        self.collect();
        let others = order.params != params || order.eval != eval;
        order.params = params;
        order.eval = eval;
        // A maker that is lost to a panic has no successor yet.
        let is_made = order.at_work && self.made.is_some();
        if is_made || (self.engine.is_some() && !others) {
            return;
        }
        order.at_work = true;
        drop(order);
        let old = self.engine.take();
        let (send, made) = sync_channel(1);
        self.made = Some(made);
        let voice = self.voice.clone();
        let order = self.order.clone();
        let spawned = Builder::new().name("table".to_owned()).spawn(move || {
            // Before the new one, for both may not fit.
            drop(old);
            make(&order, &voice, &send);
        });
        if spawned.is_err() {
            // Slower, but no less right.
            let (send, made) = sync_channel(1);
            make(&self.order, &self.voice, &send);
            self.made = Some(made);
        }
    }

    /// Says `readyok` as soon as the engine is there.
    pub(super) fn tell_when_ready(&self) {
        let mut order = lock(&self.order);
        if order.at_work {
            order.asked += 1;
        } else {
            drop(order);
            (self.voice)("readyok");
        }
    }

    /// Forgets the game.
    pub(super) fn new_game(&mut self) {
        self.collect();
        // One in the making has learnt nothing.
        if let Some(engine) = &mut self.engine {
            engine.new_game();
        }
    }

    /// Waits for the engine as long as `is_patient`; whether it is there now.
    pub(super) fn wait(&mut self, is_patient: &dyn Fn() -> bool) -> bool {
        while let Some(made) = &self.made {
            match made.recv_timeout(GLANCE) {
                Ok(engine) => {
                    self.engine = Some(engine);
                    self.made = None;
                }
                Err(RecvTimeoutError::Timeout) if is_patient() => {}
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => self.made = None,
            }
        }
        self.engine.is_some()
    }

    /// The engine, if it is there.
    pub(super) fn engine(&mut self) -> Option<&mut Engine> {
        self.engine.as_deref_mut()
    }

    /// An engine that is there at once: the same but for a small table.
    pub(super) fn helper(&self) -> Engine {
        let order = lock(&self.order);
        let (mut params, eval) = (order.params.clone(), evaluation(&order.eval));
        drop(order);
        params.table_mb = params.table_mb.min(SMALL_TABLE);
        Search::new(params, eval)
    }

    fn collect(&mut self) {
        match self.made.as_ref().map(Receiver::try_recv) {
            Some(Ok(engine)) => {
                self.engine = Some(engine);
                self.made = None;
            }
            Some(Err(TryRecvError::Disconnected)) => self.made = None,
            Some(Err(TryRecvError::Empty)) | None => {}
        }
    }
}

/// The options are those of Xiangqi.
fn evaluation(params: &EvalParams) -> XiangqiEvaluation {
    XiangqiEvaluation::new(&XiangqiParams::of(params).unwrap_or_default())
}

fn lock(order: &Mutex<Order>) -> MutexGuard<'_, Order> {
    order.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes what is ordered, and again if the order has changed meanwhile.
fn make(order: &Mutex<Order>, voice: &Voice, send: &SyncSender<Box<Engine>>) {
    loop {
        let wanted = lock(order);
        let (params, eval) = (wanted.params.clone(), wanted.eval.clone());
        drop(wanted);
        let engine = Box::new(Search::new(params, evaluation(&eval)));
        let mut order = lock(order);
        if *engine.params() == order.params && eval == order.eval {
            // If nobody takes it, the conversation is over.
            let _ = send.send(engine);
            order.at_work = false;
            let asked = std::mem::take(&mut order.asked);
            drop(order);
            for _ in 0..asked {
                voice("readyok");
            }
            return;
        }
    }
}
