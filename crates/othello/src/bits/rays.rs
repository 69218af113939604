//! The squares visible from each square.

/// The squares visible from one square in each of the eight directions: one cache line.
#[repr(align(64))]
pub(super) struct Rays {
    /// Towards higher squares: right, down-left, down, down-right.
    pub(super) up: [u64; 4],
    /// Towards lower squares: left, up-right, up, up-left.
    pub(super) down: [u64; 4],
}

pub(super) static RAYS: [Rays; 64] = rays();

const fn rays() -> [Rays; 64] {
    const STEPS: [(i8, i8); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    const NONE: Rays = Rays {
        up: [0; 4],
        down: [0; 4],
    };
    let mut all = [NONE; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (file, row) = STEPS[direction];
            all[square].up[direction] = ray(square, file, row);
            all[square].down[direction] = ray(square, -file, -row);
            direction += 1;
        }
        square += 1;
    }
    all
}

const fn ray(square: usize, file_step: i8, row_step: i8) -> u64 {
    let mut set = 0;
    let mut file = (square % 8) as i8 + file_step;
    let mut row = (square / 8) as i8 + row_step;
    while file >= 0 && file < 8 && row >= 0 && row < 8 {
        set |= 1 << (8 * row + file);
        file += file_step;
        row += row_step;
    }
    set
}
