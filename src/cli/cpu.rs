//! Checks whether this processor can run the build.

/// The reason why this processor cannot run the build, if any.
///
/// Asks the processor itself: the standard library's detection macro answers at compile time when
/// the feature is switched on for the whole build.
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

/// Executes the faster build in the same folder if this processor supports it: a release for x86-64
/// contains `leitai` for the level x86-64-v2, and `leitai-v3`. If there is no such file, or it does
/// not start, this build continues.
pub(super) fn hand_over() {
    #[cfg(all(
        target_arch = "x86_64",
        not(all(target_feature = "avx2", target_feature = "bmi2"))
    ))]
    {
        use std::arch::is_x86_feature_detected as has;
        // The level x86-64-v3.
        let has_level = has!("avx2")
            && has!("bmi1")
            && has!("bmi2")
            && has!("fma")
            && has!("lzcnt")
            && has!("movbe");
        if let Some(program) = std::env::current_exe().ok().filter(|_| has_level) {
            let mut faster = program.file_stem().unwrap_or_default().to_owned();
            faster.push("-v3");
            faster.push(std::env::consts::EXE_SUFFIX);
            let faster = program.with_file_name(faster);
            if faster.is_file() {
                leitai_platform::processes::execute(faster.as_os_str());
            }
        }
    }
}

/// A note on processor features that the build does not use, if any, for commands that measure or
/// take long.
pub(super) fn unused() -> Option<&'static str> {
    #[cfg(all(
        target_arch = "x86_64",
        not(all(target_feature = "avx2", target_feature = "bmi2"))
    ))]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2") {
        return Some(
            "note: this build does not use AVX2 and BMI2, which this processor has: move \
             generation takes up to twice as long, endgames more. Build it with\n  \
             RUSTFLAGS=\"-C target-cpu=x86-64-v3\" cargo build --release",
        );
    }
    None
}
