//! Distribution of processors over worker threads: a function of the topology.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use leitai_platform::processors::Processor;

/// Chooses `sets` sets of `size` processors, or `None` if there are too few.
///
/// A second processor of a core is used only if the sets do not fit otherwise, and then by the same
/// set if possible. A set is within one last-level cache if it fits there, or else within one node.
/// Each set comes from the node with the most unused processors: the nodes are equally busy.
pub(super) fn place(
    processors: &[Processor],
    sets: usize,
    size: usize,
) -> Option<Vec<Vec<Processor>>> {
    let cores = cores(processors);
    let siblings = cores.iter().map(Vec::len).max()?;
    let shares = (1..=siblings).map(|share| {
        let parts = cores.iter().map(|core| &core[..share.min(core.len())]);
        parts.map(<[Processor]>::to_vec).collect()
    });
    // Last attempt: sets may share a core; the first processors of all cores before the second ones.
    let ranks = (0..siblings).flat_map(|rank| cores.iter().filter_map(move |core| core.get(rank)));
    let single = ranks.map(|&processor| vec![processor]).collect();
    let mut shares = shares.chain([single]);
    shares.find_map(|free: Vec<Vec<Processor>>| {
        let mut free = Free(free);
        (0..sets).map(|_| free.take(size)).collect()
    })
}

/// The processors of each core, sorted by node and cache.
pub(super) fn cores(processors: &[Processor]) -> Vec<Vec<Processor>> {
    let mut cores: BTreeMap<_, Vec<Processor>> = BTreeMap::new();
    for &processor in processors {
        let place = (processor.node, processor.cache, processor.core);
        cores.entry(place).or_default().push(processor);
    }
    cores.into_values().collect()
}

/// Unused cores, or parts of cores, each used by one set only.
struct Free(Vec<Vec<Processor>>);

impl Free {
    /// Takes a set of processors; `None` if too few are left.
    fn take(&mut self, size: usize) -> Option<Vec<Processor>> {
        let cache = |it: &Processor| (it.node, Some(it.cache));
        let node = |it: &Processor| (it.node, None);
        let all = |_: &Processor| (0, None);
        let nodes = self.counts(node);
        let fitting = |place: fn(&Processor) -> Place| {
            let counts = self.counts(place).into_iter();
            let fitting = counts.filter(|(_, count)| *count >= size);
            let unused = |(place, count): &(Place, usize)| {
                let in_node = nodes.get(&(place.0, None)).copied();
                (in_node, *count, Reverse(*place))
            };
            fitting
                .max_by_key(unused)
                .map(|(chosen, _)| (place, chosen))
        };
        let (place, chosen) = fitting(cache)
            .or_else(|| fitting(node))
            .or_else(|| fitting(all))?;
        let mut taken = Vec::new();
        self.0.retain(|core| {
            let is_taken = taken.len() < size && place(&core[0]) == chosen;
            if is_taken {
                taken.extend_from_slice(core);
            }
            !is_taken
        });
        taken.truncate(size);
        Some(taken)
    }

    /// The number of unused processors in each place.
    fn counts(&self, place: fn(&Processor) -> Place) -> BTreeMap<Place, usize> {
        let mut counts = BTreeMap::new();
        for core in &self.0 {
            *counts.entry(place(&core[0])).or_default() += core.len();
        }
        counts
    }
}

/// A node, and for caches the cache in it.
type Place = (usize, Option<Option<usize>>);

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine of two nodes with eight cores each; `number` returns the number of a processor from
    /// its node, the core there, and the rank in the core.
    fn two_nodes(siblings: usize, number: fn(usize, usize, usize) -> usize) -> Vec<Processor> {
        let mut all = Vec::new();
        for node in 0..2 {
            for core in 0..8 {
                all.extend((0..siblings).map(|rank| Processor {
                    number: number(node, core, rank),
                    core: number(node, core, 0),
                    // Two caches in each node.
                    cache: Some(number(node, core & 4, 0)),
                    node,
                }));
            }
        }
        all.sort_by_key(|it| it.number);
        all
    }

    /// The numbering of most servers: first processors of all cores, then all second ones.
    fn usual(node: usize, core: usize, rank: usize) -> usize {
        16 * rank + 8 * node + core
    }

    /// A numbering in which nodes alternate.
    fn interleaved(node: usize, core: usize, rank: usize) -> usize {
        16 * rank + 2 * core + node
    }

    /// A numbering in which the processors of a core are neighbours.
    fn neighbours(node: usize, core: usize, rank: usize) -> usize {
        16 * node + 2 * core + rank
    }

    fn numbers(sets: Option<Vec<Vec<Processor>>>) -> Vec<Vec<usize>> {
        let number = |set: Vec<Processor>| set.iter().map(|it| it.number).collect();
        sets.unwrap().into_iter().map(number).collect()
    }

    /// The number of repeated uses of a core.
    fn shared_cores(sets: &[Vec<Processor>]) -> usize {
        let mut cores: Vec<usize> = sets.iter().flatten().map(|it| it.core).collect();
        let all = cores.len();
        cores.sort_unstable();
        cores.dedup();
        all - cores.len()
    }

    #[test]
    fn single_threads_alternate_between_nodes_and_caches() {
        let sets = numbers(place(&two_nodes(2, usual), 5, 1));
        assert_eq!(sets, [[0], [8], [4], [12], [1]]);
        let sets = numbers(place(&two_nodes(2, neighbours), 4, 1));
        assert_eq!(sets, [[0], [16], [8], [24]]);
    }

    #[test]
    fn any_numbering_gives_the_same_places() {
        for number in [usual, interleaved, neighbours] {
            let machine = two_nodes(2, number);
            for (sets, size) in [(16, 1), (8, 2), (4, 4), (2, 8), (4, 3), (2, 6)] {
                let placed = place(&machine, sets, size).unwrap();
                assert_eq!(shared_cores(&placed), 0, "{sets} sets of {size}");
                for set in &placed {
                    assert_eq!(set.len(), size);
                    assert!(set.iter().all(|it| it.node == set[0].node), "{set:?}");
                    let fits = size <= 4;
                    assert!(!fits || set.iter().all(|it| it.cache == set[0].cache));
                }
                let on_first = placed.iter().filter(|set| set[0].node == 0).count();
                assert_eq!(2 * on_first, sets, "the nodes are equally busy");
            }
        }
    }

    #[test]
    fn siblings_are_used_when_the_sets_do_not_fit_otherwise() {
        let machine = two_nodes(2, neighbours);
        // One processor of each core before the second of any.
        let placed = place(&machine, 20, 1).unwrap();
        assert_eq!(shared_cores(&placed), 4);
        assert_eq!(shared_cores(&placed[..16]), 0);
        // Each set has whole cores for itself.
        let sets = numbers(place(&machine, 16, 2));
        assert_eq!(sets[..3], [[0, 1], [16, 17], [8, 9]]);
        let sets = numbers(place(&machine, 8, 4));
        assert_eq!(sets[0], [0, 1, 2, 3]);
        // Ten sets of three need 20 whole cores; there are 16.
        let placed = place(&machine, 10, 3).unwrap();
        let mut all: Vec<usize> = placed.iter().flatten().map(|it| it.number).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 30, "no processor is used twice");
        assert!(place(&machine, 33, 1).is_none());
        assert!(place(&machine, 11, 3).is_none());
        assert!(place(&[], 1, 1).is_none());
    }

    #[test]
    fn large_sets_cross_caches_and_then_nodes() {
        let machine = two_nodes(1, usual);
        let sets = numbers(place(&machine, 2, 6));
        assert_eq!(sets, [[0, 1, 2, 3, 4, 5], [8, 9, 10, 11, 12, 13]]);
        let sets = numbers(place(&machine, 1, 12));
        assert_eq!(sets[0], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        // The third set takes the rest of both nodes.
        let sets = numbers(place(&machine, 3, 5));
        assert_eq!(sets[2], [5, 6, 7, 13, 14]);
    }

    /// Four fast cores with two processors each, then four slow ones with one.
    #[test]
    fn hybrid_machines_have_cores_of_different_sizes() {
        let processor = |number: usize| Processor {
            number,
            core: if number < 8 { number & !1 } else { number },
            cache: Some(0),
            node: 0,
        };
        let machine: Vec<Processor> = (0..12).map(processor).collect();
        let sets = numbers(place(&machine, 8, 1));
        assert_eq!(sets.concat(), [0, 2, 4, 6, 8, 9, 10, 11]);
        let sets = numbers(place(&machine, 5, 2));
        assert_eq!(sets, [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]);
        let sets = numbers(place(&machine, 12, 1));
        assert_eq!(sets.concat(), [0, 2, 4, 6, 8, 9, 10, 11, 1, 3, 5, 7]);
    }

    #[test]
    fn without_topology_the_order_is_that_of_the_numbers() {
        let processor = |number| Processor {
            number,
            core: number,
            cache: None,
            node: 0,
        };
        let machine = [3, 5, 6, 9].map(processor);
        assert_eq!(numbers(place(&machine, 2, 2)), [[3, 5], [6, 9]]);
        assert_eq!(numbers(place(&machine, 1, 3)), [[3, 5, 6]]);
    }

    #[test]
    fn only_allowed_processors_are_used() {
        let mut machine = two_nodes(2, usual);
        // A container with three cores; one lacks its first processor.
        machine.retain(|it| [1, 17, 2, 18, 24].contains(&it.number));
        assert_eq!(numbers(place(&machine, 3, 1)), [[1], [2], [24]]);
        assert_eq!(numbers(place(&machine, 2, 2)), [[1, 17], [2, 18]]);
    }
}
