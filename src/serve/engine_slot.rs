//! Where what thinks is made: in a thread of its own, since a large table takes
//! seconds.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use super::Output;
use crate::card::{GameChoice, Thinker};
use crate::numbers::EvalParams;
use crate::search::SearchParams;

/// What thinks in one conversation, made or in the making.
pub(super) struct EngineSlot {
    game: GameChoice,
    output: Output,
    order: Arc<Mutex<Order>>,
    /// Where the thinker comes from when it is made.
    made: Option<Receiver<Box<dyn Thinker>>>,
    thinker: Option<Box<dyn Thinker>>,
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

/// How long it takes to see that an answer is wanted, if no thinker is there.
const GLANCE: Duration = Duration::from_millis(1);

/// MiB of the table of a thinker that helps out: made in no time.
const SMALL_TABLE: u32 = 1;

impl EngineSlot {
    /// Nothing is made yet. `output` says `readyok`.
    pub(super) fn new(
        game: GameChoice,
        params: SearchParams,
        eval: EvalParams,
        output: Output,
    ) -> Self {
        Self {
            game,
            output,
            order: Arc::new(Mutex::new(Order {
                params,
                eval,
                at_work: false,
                asked: 0,
            })),
            made: None,
            thinker: None,
        }
    }

    /// From now on the thinker is one with these parameters. It has learnt
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
        if is_made || (self.thinker.is_some() && !others) {
            return;
        }
        order.at_work = true;
        drop(order);
        let old = self.thinker.take();
        let (send, made) = sync_channel(1);
        self.made = Some(made);
        let (game, output) = (self.game, self.output.clone());
        let order = self.order.clone();
        let spawned = Builder::new().name("table".to_owned()).spawn(move || {
            // Before the new one, for both may not fit.
            drop(old);
            make(&game, &order, &output, &send);
        });
        if spawned.is_err() {
            // Slower, but no less right.
            let (send, made) = sync_channel(1);
            make(&self.game, &self.order, &self.output, &send);
            self.made = Some(made);
        }
    }

    /// Says `readyok` as soon as the thinker is there.
    pub(super) fn tell_when_ready(&self) {
        let mut order = lock(&self.order);
        if order.at_work {
            order.asked += 1;
        } else {
            drop(order);
            (self.output)("readyok");
        }
    }

    /// Forgets the game.
    pub(super) fn new_game(&mut self) {
        self.collect();
        // One in the making has learnt nothing.
        if let Some(thinker) = &mut self.thinker {
            thinker.new_game();
        }
    }

    /// Waits for the thinker as long as `is_patient`; whether it is there now.
    pub(super) fn wait(&mut self, is_patient: &dyn Fn() -> bool) -> bool {
        while let Some(made) = &self.made {
            match made.recv_timeout(GLANCE) {
                Ok(thinker) => {
                    self.thinker = Some(thinker);
                    self.made = None;
                }
                Err(RecvTimeoutError::Timeout) if is_patient() => {}
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => self.made = None,
            }
        }
        self.thinker.is_some()
    }

    /// The thinker, if it is there.
    pub(super) fn thinker(&mut self) -> Option<&mut (dyn Thinker + 'static)> {
        self.thinker.as_deref_mut()
    }

    /// A thinker that is there at once: the same but for a small table. `None` if the game
    /// has none with these parameters.
    pub(super) fn helper(&self) -> Option<Box<dyn Thinker>> {
        let order = lock(&self.order);
        let (mut params, eval) = (order.params.clone(), order.eval.clone());
        drop(order);
        params.table_mb = params.table_mb.min(SMALL_TABLE);
        self.game.card.thinker(&params, &eval, &self.game.rules)
    }

    fn collect(&mut self) {
        match self.made.as_ref().map(Receiver::try_recv) {
            Some(Ok(thinker)) => {
                self.thinker = Some(thinker);
                self.made = None;
            }
            Some(Err(TryRecvError::Disconnected)) => self.made = None,
            Some(Err(TryRecvError::Empty)) | None => {}
        }
    }
}

fn lock(order: &Mutex<Order>) -> MutexGuard<'_, Order> {
    order.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes what is ordered, and again if the order has changed meanwhile.
fn make(
    game: &GameChoice,
    order: &Mutex<Order>,
    output: &Output,
    send: &SyncSender<Box<dyn Thinker>>,
) {
    loop {
        let wanted = lock(order);
        let (params, eval) = (wanted.params.clone(), wanted.eval.clone());
        drop(wanted);
        let thinker = game.card.thinker(&params, &eval, &game.rules);
        let mut order = lock(order);
        if params == order.params && eval == order.eval {
            // If nobody takes it, the conversation is over.
            let _ = thinker.map(|thinker| send.send(thinker));
            order.at_work = false;
            let asked = std::mem::take(&mut order.asked);
            drop(order);
            for _ in 0..asked {
                output("readyok");
            }
            return;
        }
    }
}
