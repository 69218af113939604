//! Creates the search engine in a separate thread, since a large table takes seconds.

use std::sync::{Arc, Mutex};
use std::thread::{self, Builder, JoinHandle};
use std::time::Duration;

use super::Output;
use leitai_base::threads::lock;
use leitai_game::card::{GameChoice, Thinker};
use leitai_game::numbers::EvalParams;
use leitai_game::search::SearchParams;

/// The search engine of one session, ready or under construction.
pub(super) struct EngineSlot {
    game: GameChoice,
    output: Output,
    order: Arc<Mutex<Order>>,
    /// The construction thread.
    maker: Option<JoinHandle<Option<Box<dyn Thinker>>>>,
    thinker: Option<Box<dyn Thinker>>,
}

/// The parameters of the construction.
struct Order {
    params: SearchParams,
    eval: EvalParams,
    /// True during construction. Afterwards the engine has been sent.
    at_work: bool,
    /// Number of `readyok` to send after the construction.
    asked: usize,
}

/// Polling interval while waiting for an engine.
const POLL: Duration = Duration::from_millis(1);

/// Table size in MiB of a substitute engine, which is created immediately.
const SMALL_TABLE: u32 = 1;

impl EngineSlot {
    /// Creates an empty slot; `output` sends `readyok`.
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
            maker: None,
            thinker: None,
        }
    }

    /// Requests an engine with these parameters. If they have changed, the new engine has no
    /// learned state.
    pub(super) fn request(&mut self, params: SearchParams, eval: EvalParams) {
        self.collect();
        let mut order = lock(&self.order);
        let is_same = order.params == params && order.eval == eval;
        order.params = params;
        order.eval = eval;
        // After a panic of the construction thread, no other one runs yet.
        let is_made = self.maker.is_some() && (order.at_work || is_same);
        if is_made || (self.thinker.is_some() && is_same) {
            return;
        }
        order.at_work = true;
        drop(order);
        let old = self.thinker.take();
        let (game, output, order) = (self.game, self.output.clone(), self.order.clone());
        let maker = Builder::new().name("table".to_owned()).spawn(move || {
            // Frees the old engine first, since both may not fit into memory.
            drop(old);
            make(&game, &order, &output)
        });
        self.maker = maker.ok();
        if self.maker.is_none() {
            // Construction without a thread blocks, but is correct.
            self.thinker = make(&self.game, &self.order, &self.output);
        }
    }

    /// Sends `readyok` as soon as the engine is ready.
    pub(super) fn answer_when_ready(&self) {
        let mut order = lock(&self.order);
        if order.at_work {
            order.asked += 1;
        } else {
            drop(order);
            (self.output)("readyok");
        }
    }

    /// Clears the learned state of the game.
    pub(super) fn new_game(&mut self) {
        self.collect();
        // An engine under construction has no learned state.
        if let Some(thinker) = &mut self.thinker {
            thinker.new_game();
        }
    }

    /// Waits for the engine while `is_patient` returns true. Returns whether the engine is ready.
    pub(super) fn wait(&mut self, is_patient: &dyn Fn() -> bool) -> bool {
        loop {
            self.collect();
            if self.maker.is_none() || !is_patient() {
                return self.maker.is_none() && self.thinker.is_some();
            }
            thread::sleep(POLL);
        }
    }

    /// Returns the engine, if it is ready.
    pub(super) fn thinker(&mut self) -> Option<&mut (dyn Thinker + 'static)> {
        self.thinker.as_deref_mut()
    }

    /// Creates a substitute engine immediately, with a small table. `None` if the game has no
    /// engine with these parameters.
    pub(super) fn substitute(&self) -> Option<Box<dyn Thinker>> {
        let order = lock(&self.order);
        let (mut params, eval) = (order.params.clone(), order.eval.clone());
        drop(order);
        params.table_mb = params.table_mb.min(SMALL_TABLE);
        self.game.card.thinker(&params, &eval, &self.game.rules)
    }

    /// Takes the engine of a construction thread that has ended, or is about to.
    fn collect(&mut self) {
        let is_over = |maker: &mut JoinHandle<_>| maker.is_finished() || !lock(&self.order).at_work;
        if let Some(maker) = self.maker.take_if(is_over) {
            self.thinker = maker.join().ok().flatten();
        }
    }
}

/// Creates the requested engine, and again if the request changes in the meantime.
fn make(game: &GameChoice, order: &Mutex<Order>, output: &Output) -> Option<Box<dyn Thinker>> {
    loop {
        let wanted = lock(order);
        let (params, eval) = (wanted.params.clone(), wanted.eval.clone());
        drop(wanted);
        let thinker = game.card.thinker(&params, &eval, &game.rules);
        let mut order = lock(order);
        if params == order.params && eval == order.eval {
            order.at_work = false;
            let asked = std::mem::take(&mut order.asked);
            drop(order);
            for _ in 0..asked {
                output("readyok");
            }
            return thinker;
        }
    }
}
