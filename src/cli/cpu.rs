//! Whether this processor can run what the program was built for.

/// What is wrong with running this build on this processor, if anything.
///
/// Asks the processor itself: the standard library's detection macro answers
/// at compile time when the feature is switched on for the whole build.
pub(super) fn unfit() -> Option<&'static str> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        use std::arch::x86_64::{__cpuid, __cpuid_count};
        const AVX2: u32 = 1 << 5;
        const BMI2: u32 = 1 << 8;
        let known = __cpuid(0).eax >= 7;
        let features = if known { __cpuid_count(7, 0).ebx } else { 0 };
        if features & AVX2 == 0 || features & BMI2 == 0 {
            return Some(
                "this build needs a processor of the x86-64-v3 level (AVX2, BMI2); for an older \
                 one build with\n  RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release",
            );
        }
    }
    None
}

/// Hands over to the build beside this one that uses what this processor has: a release for
/// x86-64 holds `leitai` for the level x86-64-v2, and `leitai-v3`. Where there is none, or it does
/// not start, this one goes on.
pub(super) fn hand_over() {
    #[cfg(all(
        unix,
        target_arch = "x86_64",
        not(all(target_feature = "avx2", target_feature = "bmi2"))
    ))]
    if is_v3() {
        use std::os::unix::process::CommandExt;
        let Some(faster) = std::env::current_exe().ok().map(beside) else {
            return;
        };
        if !faster.is_file() {
            return;
        }
        let mut words = std::env::args_os();
        let mut command = std::process::Command::new(faster);
        if let Some(name) = words.next() {
            command.arg0(name);
        }
        // It comes back only if it fails.
        let _ = command.args(words).exec();
    }
}

/// Whether this processor is of the level x86-64-v3.
#[cfg(all(
    unix,
    target_arch = "x86_64",
    not(all(target_feature = "avx2", target_feature = "bmi2"))
))]
fn is_v3() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("fma") && has!("lzcnt") && has!("movbe")
}

/// The name of the build of that level.
#[cfg(all(
    unix,
    target_arch = "x86_64",
    not(all(target_feature = "avx2", target_feature = "bmi2"))
))]
fn beside(program: std::path::PathBuf) -> std::path::PathBuf {
    let mut name = program.into_os_string();
    name.push("-v3");
    name.into()
}

/// What this processor could do faster if the program had been built for it, if
/// anything: what commands that measure or take long should not be silent about.
pub(super) fn unused() -> Option<&'static str> {
    #[cfg(all(
        target_arch = "x86_64",
        not(all(target_feature = "avx2", target_feature = "bmi2"))
    ))]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2") {
        return Some(
            "note: this build does not use AVX2 and BMI2, which this processor has: move \
             generation takes up to twice as long, endgames more. Build it without RUSTFLAGS \
             of your own, or with\n  RUSTFLAGS=\"-C target-cpu=x86-64-v3\" cargo build --release",
        );
    }
    None
}
