//! Units and results that the server has lost.

use std::time::Instant;

use super::FleetPool;
use leitai_base::threads::lock;

impl FleetPool {
    /// Offers all units again that have no answer: the server has lost its queue.
    pub(in super::super) fn offer_again(&self) {
        let mut state = lock(&self.state);
        let state = &mut *state;
        state.held.clear();
        for offered in state.offered.values_mut() {
            offered.attempt += 1;
            offered.since = Instant::now();
            self.send_offer(offered);
        }
        self.offer_replays_again(state);
    }

    /// Forgets positions in the stream of results, which the server has lost.
    pub(in super::super) fn forget_positions(&self) {
        let mut state = lock(&self.state);
        let state = &mut *state;
        (state.collected, state.recorded) = (0, 0);
        let early = state.early.values_mut().map(|early| &mut early.sequence);
        let completed = state.completed.iter_mut().map(|(sequence, _)| sequence);
        early.chain(completed).for_each(|sequence| *sequence = 0);
    }
}
