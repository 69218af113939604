//! The information of very many players: a weighted graph of meetings, and equations in its
//! Laplacian.
//!
//! The solver uses conjugate gradients with a preconditioner that eliminates the graph player by
//! player, fewest opponents first. An exact elimination would connect all opponents of the player
//! with each other; instead each is connected with one other, drawn so that the expectation is
//! right (Gao, Kyng and Spielman, "Robust and practical solution of Laplacian equations by
//! approximate elimination", 2023, algorithm 4; Kyng and Sachdeva, FOCS 2016). Trees and cycles of
//! any length are eliminated exactly; few iterations suffice if opponents are mixed at random. Time
//! and memory grow slightly faster than the number of meetings. (Scaling by the diagonal instead
//! takes as many iterations as a chain of players is long, minutes for some thousands.)

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::RandomNumbers;

/// Maximum number of iterations: a system that needs more is beyond double precision.
const MAX_ITERATIONS: usize = 1_000;

/// A graph with weights above 0, and its elimination.
pub(super) struct Laplacian {
    /// Connected groups, with the indices of their members.
    groups: Vec<Vec<usize>>,
    /// Sum of the weights at each place.
    diagonal: Vec<f64>,
    /// Start of each place's edges in `edges`, followed by the end of the last.
    begins: Vec<usize>,
    /// Other end and weight of each edge.
    edges: Vec<(usize, f64)>,
    eliminated: Vec<Step>,
}

/// The elimination of one place.
struct Step {
    place: usize,
    /// Sum of the place's weights; 0 for the last of its group.
    weight: f64,
    /// Its remaining neighbours, with their shares of the sum.
    neighbours: Vec<(usize, f64)>,
}

impl Laplacian {
    /// Creates the graph from edges, each with two places below `size` and a weight; `groups` are
    /// its connected components.
    pub(super) fn new(size: usize, groups: &[Vec<usize>], list: &[(usize, usize, f64)]) -> Self {
        let mut adjacent = vec![Vec::new(); size];
        for &(one, two, weight) in list.iter().filter(|edge| edge.2 > 0.0) {
            adjacent[one].push((two, weight));
            adjacent[two].push((one, weight));
        }
        for neighbours in &mut adjacent {
            merge(neighbours, |sum, more| *sum += more);
        }
        let weights = |edges: &Vec<(usize, f64)>| edges.iter().map(|edge| edge.1).sum();
        let mut begins = vec![0];
        begins.extend(adjacent.iter().scan(0, |end, edges| {
            *end += edges.len();
            Some(*end)
        }));
        Self {
            groups: groups.to_vec(),
            diagonal: adjacent.iter().map(weights).collect(),
            begins,
            edges: adjacent.iter().flatten().copied().collect(),
            eliminated: eliminate(adjacent),
        }
    }

    /// Solves `L x = b` for `N` right sides at once, with mean 0 of x in each group, to a relative
    /// error of about `tolerance`. The mean of b in each group is ignored. `None` if that is beyond
    /// double precision.
    pub(super) fn solve<const N: usize>(
        &self,
        b: &[[f64; N]],
        tolerance: f64,
    ) -> Option<Vec<[f64; N]>> {
        let mut rest = b.to_vec();
        self.centre(&mut rest);
        let mut x = vec![[0.0; N]; b.len()];
        let mut towards = self.precondition(&rest);
        let mut energy = dots(&rest, &towards);
        let enough = energy.map(|energy| energy * tolerance * tolerance);
        let mut direction = towards.clone();
        for _ in 0..MAX_ITERATIONS {
            if !energy.iter().all(|energy| energy.is_finite()) {
                return None;
            }
            if (0..N).all(|lane| energy[lane] <= enough[lane]) {
                self.centre(&mut x);
                return Some(x);
            }
            let image = self.times(&direction);
            let lengths = dots(&direction, &image);
            // A solved right side does not change any more.
            let rates = ratio(&energy, &lengths);
            let open = |lane: usize| energy[lane] > enough[lane];
            let step: [f64; N] =
                std::array::from_fn(|lane| if open(lane) { rates[lane] } else { 0.0 });
            for (i, (direction, image)) in direction.iter().zip(&image).enumerate() {
                for lane in 0..N {
                    x[i][lane] += step[lane] * direction[lane];
                    rest[i][lane] -= step[lane] * image[lane];
                }
            }
            towards = self.precondition(&rest);
            let next = dots(&rest, &towards);
            let turn = ratio(&next, &energy);
            energy = next;
            for (d, towards) in direction.iter_mut().zip(&towards) {
                for lane in 0..N {
                    d[lane] = towards[lane] + turn[lane] * d[lane];
                }
            }
        }
        None
    }

    fn times<const N: usize>(&self, x: &[[f64; N]]) -> Vec<[f64; N]> {
        let row = |place: usize| {
            let mut sum = x[place].map(|x| self.diagonal[place] * x);
            for &(other, weight) in &self.edges[self.begins[place]..self.begins[place + 1]] {
                add(&mut sum, -weight, &x[other]);
            }
            sum
        };
        (0..x.len()).map(row).collect()
    }

    /// Solves the equations of the approximately eliminated graph.
    fn precondition<const N: usize>(&self, b: &[[f64; N]]) -> Vec<[f64; N]> {
        let mut x = b.to_vec();
        for step in &self.eliminated {
            let value = x[step.place];
            for &(neighbour, part) in &step.neighbours {
                add(&mut x[neighbour], part, &value);
            }
            let inverse = if step.weight > 0.0 {
                1.0 / step.weight
            } else {
                0.0
            };
            x[step.place] = value.map(|value| value * inverse);
        }
        for step in self.eliminated.iter().rev() {
            let mut sum = x[step.place];
            for &(neighbour, part) in &step.neighbours {
                add(&mut sum, part, &x[neighbour]);
            }
            x[step.place] = sum;
        }
        self.centre(&mut x);
        x
    }

    fn centre<const N: usize>(&self, x: &mut [[f64; N]]) {
        for group in &self.groups {
            let mut means = [0.0; N];
            for &i in group {
                for (mean, x) in means.iter_mut().zip(&x[i]) {
                    *mean += x / group.len() as f64;
                }
            }
            for &i in group {
                for (x, mean) in x[i].iter_mut().zip(&means) {
                    *x -= mean;
                }
            }
        }
    }
}

/// Adds a multiple of `more`.
fn add<const N: usize>(to: &mut [f64; N], factor: f64, more: &[f64; N]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to += factor * more;
    }
}

/// Returns the quotients; 0 for a division by 0.
fn ratio<const N: usize>(of: &[f64; N], by: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|lane| {
        if of[lane] > 0.0 {
            of[lane] / by[lane]
        } else {
            0.0
        }
    })
}

fn dots<const N: usize>(one: &[[f64; N]], two: &[[f64; N]]) -> [f64; N] {
    let mut sums = [0.0; N];
    for (one, two) in one.iter().zip(two) {
        for lane in 0..N {
            sums[lane] += one[lane] * two[lane];
        }
    }
    sums
}

fn eliminate(mut adjacent: Vec<Vec<(usize, f64)>>) -> Vec<Step> {
    // A fixed seed, so that the elimination is reproducible.
    let mut random = RandomNumbers::new(0, 0);
    let mut gone = vec![false; adjacent.len()];
    // Edges to remaining places; parallel edges count separately.
    let mut degrees: Vec<usize> = adjacent.iter().map(Vec::len).collect();
    let places = degrees.iter().enumerate();
    let mut queue: BinaryHeap<_> = places
        .map(|(place, &degree)| Reverse((degree, place)))
        .collect();
    let mut steps = Vec::with_capacity(adjacent.len());
    while let Some(Reverse((degree, place))) = queue.pop() {
        if gone[place] {
            continue;
        }
        let mut neighbours = std::mem::take(&mut adjacent[place]);
        neighbours.retain(|&(other, _)| !gone[other]);
        merge(&mut neighbours, |sum, more| *sum += more);
        // The place gained edges since it was queued, and another place may have fewer.
        if neighbours.len() > degree {
            queue.push(Reverse((neighbours.len(), place)));
            adjacent[place] = neighbours;
            continue;
        }
        gone[place] = true;
        neighbours.sort_by(|one, two| one.1.total_cmp(&two.1).then(one.0.cmp(&two.0)));
        // Sums of the weights from each neighbour to the last.
        let mut sums = vec![0.0; neighbours.len() + 1];
        for (at, &(_, weight)) in neighbours.iter().enumerate().rev() {
            sums[at] = sums[at + 1] + weight;
        }
        let total = sums[0];
        for &(other, _) in &neighbours {
            degrees[other] = degrees[other].saturating_sub(1);
        }
        for (at, &(one, weight)) in neighbours.iter().enumerate() {
            let (left, later) = (sums[at + 1], &neighbours[at + 1..]);
            // Rounding may leave no later neighbour; then the last one is used.
            let Some(last) = later.len().checked_sub(1) else {
                break;
            };
            let beyond = left - random.uniform() * left;
            let drawn = sums[at + 2..].partition_point(|&sum| sum >= beyond);
            let two = later[drawn.min(last)].0;
            let joined = weight * (left / total);
            if joined > 0.0 {
                adjacent[one].push((two, joined));
                adjacent[two].push((one, joined));
                degrees[one] += 1;
                degrees[two] += 1;
            }
        }
        // With more neighbours, each keeps about as many edges as before.
        if let [(other, _)] = neighbours[..] {
            queue.push(Reverse((degrees[other], other)));
        }
        for edge in &mut neighbours {
            edge.1 /= total;
        }
        steps.push(Step {
            place,
            weight: total,
            neighbours,
        });
    }
    steps
}

/// Sorts cells by key, and combines cells of the same key with `add`.
pub(super) fn merge<K: Ord + Copy, V: Copy>(cells: &mut Vec<(K, V)>, add: impl Fn(&mut V, V)) {
    cells.sort_unstable_by_key(|cell| cell.0);
    cells.dedup_by(|next, cell| {
        let same = next.0 == cell.0;
        if same {
            add(&mut cell.1, next.1);
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the largest error of a solution, relative to its largest number.
    fn off(size: usize, edges: &[(usize, usize, f64)]) -> f64 {
        let graph = Laplacian::new(size, &[(0..size).collect()], edges);
        // A second right side is 0.
        let mut x: Vec<_> = (0..size)
            .map(|i| [((i * 37 + 11) % 101) as f64, 0.0])
            .collect();
        graph.centre(&mut x);
        let got = graph.solve(&graph.times(&x), 1e-12).expect("solved");
        assert!(got.iter().all(|x| x[1] == 0.0));
        let differences = got.iter().zip(&x).map(|(got, x)| (got[0] - x[0]).abs());
        differences.fold(0.0, f64::max) / 100.0
    }

    #[test]
    fn chains_circles_grids_and_crowds_are_solved() {
        let size = 5_000;
        let chain: Vec<_> = (1..size)
            .map(|i| (i - 1, i, 1.0 + (i % 7) as f64))
            .collect();
        assert!(off(size, &chain) < 1e-6);
        let circle = [&chain[..], &[(size - 1, 0, 2.0)]].concat();
        assert!(off(size, &circle) < 1e-6);
        let across = |i: usize| (i >= 70).then(|| (i - 70, i, 0.5));
        let grid: Vec<_> = chain
            .iter()
            .copied()
            .chain((0..size).filter_map(across))
            .collect();
        assert!(off(size, &grid) < 1e-6);
        // One player meets all others: each opponent has at most one other.
        let star: Vec<_> = (1..size).map(|i| (0, i, 1.0 + (i % 5) as f64)).collect();
        assert!(off(size, &star) < 1e-6);
        let pairs = (1..size - 1).map(|i| (i, i + 1, 0.25));
        let wheel: Vec<_> = star.into_iter().chain(pairs).collect();
        assert!(off(size, &wheel) < 1e-6);
        // Weights from 1e-6 to 1.
        let anybody = (0..size * 3).map(|i| (i % size, (i * 7_919 + i / size * 13 + 1) % size));
        let anybody = anybody.filter(|(one, two)| one != two);
        let crowd: Vec<_> = anybody
            .zip(0..)
            .map(|((one, two), i)| (one, two, 10_f64.powi(-(i % 7))))
            .chain(chain.iter().copied())
            .collect();
        assert!(off(size, &crowd) < 1e-6);
    }
}
