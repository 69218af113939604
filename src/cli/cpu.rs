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
