//! Benchmarks of computing: `cargo bench --bench core`; a word behind `--` selects those whose path
//! contains it, for example `cargo bench --bench core -- search`.

mod evaluate;
mod go;
mod othello;
mod perft;
mod positions;
mod proof;
mod search;
mod sprt;
mod store;

fn main() {
    divan::main();
}
