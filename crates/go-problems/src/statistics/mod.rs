//! Statistics of the study: paired results of two solvers, and the predictions of a number.

mod auc;
mod paired;
mod signed_rank;
mod signs;

pub use auc::{Auc, Scored, auc};
pub use paired::{
    CostPair, geometric_ratio_clustered, penalised, penalised_mean, ratio_of_means_clustered,
};
pub use signed_rank::{SignedRank, signed_rank};
pub use signs::{by_cluster, sign_test};
