//! Whether this processor can run what the program was built for.

/// What is wrong with running this build on this processor, if anything.
pub(super) fn unfit() -> Option<&'static str> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if !std::arch::is_x86_feature_detected!("avx2") || !std::arch::is_x86_feature_detected!("bmi2")
    {
        return Some(
            "this build needs a processor of the x86-64-v3 level (AVX2, BMI2); for an older one \
             build with\n  RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release",
        );
    }
    None
}
