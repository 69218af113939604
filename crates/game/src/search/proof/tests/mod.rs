//! Compares solvers with each other and with plain search.

mod graph;
mod limits;
mod lines;
mod order;
mod verdicts;
mod zones;

use super::{AndOr, Counting, Solution, SolveLimits, Solver, SolverKind, SolverParams};

/// The tested solver parameters.
fn variants() -> Vec<SolverParams> {
    let mut variants = Vec::new();
    for &kind in SolverKind::ALL {
        let params = SolverParams {
            kind,
            ..SolverParams::default()
        };
        match kind {
            SolverKind::AlphaBeta => {
                for (table, deepening) in [(0, 2), (1, 2), (4, 1), (10, 2), (18, 3)] {
                    variants.push(SolverParams {
                        table,
                        deepening,
                        max_depth: 128,
                        ..params.clone()
                    });
                }
            }
            SolverKind::Pn | SolverKind::PnPlus => {
                for counting in [Counting::Sum, Counting::Weak] {
                    variants.push(SolverParams {
                        counting,
                        ..params.clone()
                    });
                }
            }
            SolverKind::DfPn | SolverKind::DfPnPlus => variants.extend(depth_first(&params)),
        }
    }
    variants
}

/// Variants with all switches of the depth-first solvers.
fn depth_first(params: &SolverParams) -> Vec<SolverParams> {
    let mut variants = Vec::new();
    for table in [0, 2, 4, 10, 18] {
        for epsilon in [0, 25] {
            for tca in [false, true] {
                for &counting in Counting::ALL {
                    variants.push(SolverParams {
                        table,
                        epsilon,
                        tca,
                        counting,
                        ..params.clone()
                    });
                }
            }
        }
    }
    variants
}

const NEVER: &dyn Fn() -> bool = &|| false;

/// Solves with a new solver.
fn solved<G: AndOr>(params: &SolverParams, game: &mut G, nodes: Option<u64>) -> Solution<G> {
    let limits = SolveLimits { nodes, stop: NEVER };
    Solver::new(params).solve(game, limits, None)
}
