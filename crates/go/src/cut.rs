//! The cheapest points that separate two others.

use std::collections::VecDeque;

/// The points to close so that no path leads from `from` to `to`: a set of minimum cost (Ford and
/// Fulkerson 1956), the one nearest to `from`. `beside` gives the points adjacent to a point,
/// `price` the cost of closing one, or `None` if it cannot be closed. Empty if no point needs to be
/// closed, and if separation costs `most` or more.
///
/// Points are numbers below `count`.
pub fn least_cut(
    count: usize,
    beside: impl Fn(usize) -> [Option<usize>; 4],
    price: impl Fn(usize) -> Option<u32>,
    [from, to]: [usize; 2],
    most: u32,
) -> Vec<usize> {
    let mut flow = Flow {
        through: vec![0; count],
        out: vec![[0; 4]; count],
        came: Vec::new(),
        beside,
        price,
    };
    for _ in 0..most {
        if !flow.increase(from, to) {
            let is_cut = |&point: &usize| {
                flow.came[2 * point].is_some() && flow.came[2 * point + 1].is_none()
            };
            return (0..count).filter(is_cut).collect();
        }
    }
    Vec::new()
}

/// A flow through points, whose capacities are their prices.
struct Flow<B, P> {
    /// The flow through each point.
    through: Vec<u32>,
    /// The flow from each point to its neighbours.
    out: Vec<[u32; 4]>,
    /// For the entry (even) and exit (odd) side of each point: its predecessor in the last search.
    came: Vec<Option<usize>>,
    beside: B,
    price: P,
}

impl<B: Fn(usize) -> [Option<usize>; 4], P: Fn(usize) -> Option<u32>> Flow<B, P> {
    /// Increases the flow from one point to the other by one; false if the flow is maximal.
    fn increase(&mut self, from: usize, to: usize) -> bool {
        let (source, sink) = (2 * from, 2 * to + 1);
        self.came = vec![None; 2 * self.through.len()];
        self.came[source] = Some(source);
        let mut open = VecDeque::from([source]);
        while let Some(node) = open.pop_front() {
            for next in self.next(node).into_iter().flatten() {
                if self.came[next].is_none() {
                    self.came[next] = Some(node);
                    open.push_back(next);
                }
            }
        }
        if self.came[sink].is_none() {
            return false;
        }
        let mut node = sink;
        while node != source {
            let Some(before) = self.came[node] else {
                return false;
            };
            self.shift(before, node);
            node = before;
        }
        true
    }

    /// The nodes to which one unit can flow, or flow back.
    fn next(&self, node: usize) -> [Option<usize>; 5] {
        let point = node / 2;
        let beside = (self.beside)(point);
        let mut next = [None; 5];
        if node % 2 == 1 {
            for (slot, other) in next.iter_mut().zip(beside) {
                *slot = other.map(|other| 2 * other);
            }
            next[4] = (self.through[point] > 0).then_some(node - 1);
        } else {
            for (slot, other) in next.iter_mut().zip(beside) {
                let flows = |&other: &usize| {
                    let back = (self.beside)(other);
                    let place = back.iter().position(|&it| it == Some(point));
                    place.is_some_and(|place| self.out[other][place] > 0)
                };
                *slot = other.filter(flows).map(|other| 2 * other + 1);
            }
            let is_open = (self.price)(point).is_none_or(|price| self.through[point] < price);
            next[4] = is_open.then_some(node + 1);
        }
        next
    }

    /// Moves one more unit from a node to the next.
    fn shift(&mut self, from: usize, to: usize) {
        let (a, b) = (from / 2, to / 2);
        if a == b {
            let through = &mut self.through[a];
            *through = if to > from {
                *through + 1
            } else {
                *through - 1
            };
            return;
        }
        let forth = from % 2 == 1;
        let (start, end) = if forth { (a, b) } else { (b, a) };
        let beside = (self.beside)(start);
        if let Some(place) = beside.iter().position(|&it| it == Some(end)) {
            let out = &mut self.out[start][place];
            *out = if forth { *out + 1 } else { *out - 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SIDE: usize = 5;

    fn beside(point: usize) -> [Option<usize>; 4] {
        let (row, col) = (point / SIDE, point % SIDE);
        [
            (row > 0).then(|| point - SIDE),
            (col > 0).then(|| point - 1),
            (col + 1 < SIDE).then(|| point + 1),
            (row + 1 < SIDE).then(|| point + SIDE),
        ]
    }

    /// Returns whether a path leads from the first point to the last around the closed ones.
    fn leads(closed: &[usize]) -> bool {
        let mut seen = [false; SIDE * SIDE];
        let mut open = vec![0];
        while let Some(point) = open.pop() {
            if !closed.contains(&point) && !std::mem::replace(&mut seen[point], true) {
                open.extend(beside(point).into_iter().flatten());
            }
        }
        seen[SIDE * SIDE - 1]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        /// The result is a cut, and no set of two points is a cheaper one.
        #[test]
        fn the_cut_is_one_and_cheap(prices in proptest::collection::vec(0_u32..4, SIDE * SIDE)) {
            let last = SIDE * SIDE - 1;
            // 3 means that the point cannot be closed.
            let price = |point: usize| match prices[point] {
                _ if point == 0 || point == last => None,
                3 => None,
                price => Some(price),
            };
            let cut = least_cut(SIDE * SIDE, beside, price, [0, last], 100);
            let free: Vec<usize> = (0..=last).filter(|&it| price(it) == Some(0)).collect();
            if cut.is_empty() {
                let closable: Vec<usize> = (0..=last).filter(|&it| price(it).is_some()).collect();
                prop_assert!(leads(&closable), "they cannot be kept apart");
                return Ok(());
            }
            prop_assert!(!leads(&cut));
            let cost: u32 = cut.iter().filter_map(|&it| price(it)).sum();
            for a in 1..last {
                for b in a..last {
                    let Some(of_both) = price(a).zip(price(b)).map(|(one, other)| one + other) else {
                        continue;
                    };
                    let closed: Vec<usize> = free.iter().copied().chain([a, b]).collect();
                    prop_assert!(leads(&closed) || of_both >= cost || a == b, "{a} and {b} cut");
                }
            }
        }
    }
}
