//! Benchmarks of whole runs: `cargo bench --bench runs -- NAME`, with a name of the list below and
//! its arguments; without a name, the overhead of the harness.

mod external;
#[cfg(feature = "fleet")]
mod fleet;
mod harness;
mod texel;
mod tuners;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    if external::is_program()? {
        return Ok(());
    }
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    match arguments.first().map(String::as_str) {
        None | Some("harness") => harness::run(),
        Some("external") => external::run(),
        #[cfg(feature = "fleet")]
        Some("fleet") => {
            fleet::run();
            Ok(())
        }
        Some("texel") => {
            texel::run();
            Ok(())
        }
        Some("tuners") => tuners::run(&arguments[1..]),
        Some(name) => Err(format!("no benchmark `{name}`").into()),
    }
}
