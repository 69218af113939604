//! Solvers against each other and against plain search.

mod graph;
mod verdicts;

use super::{AndOr, Counting, Solution, SolveLimits, Solver, SolverKind, SolverParams};

/// The ways to solve that are tested, each with the size of its table.
fn variants() -> Vec<SolverParams> {
    let mut variants = Vec::new();
    for kind in SolverKind::ALL {
        for table in [0, 4, 10, 18] {
            for epsilon in [0, 25] {
                for tca in [false, true] {
                    for counting in Counting::ALL {
                        variants.push(SolverParams {
                            kind: *kind,
                            table,
                            epsilon,
                            tca,
                            counting: *counting,
                            ..SolverParams::default()
                        });
                    }
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
    Solver::new(params.clone()).solve(game, limits, None)
}
