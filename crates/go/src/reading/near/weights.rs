//! The weights of the traits of a point.

use super::traits::TRAITS;

/// Weight of each trait by the side to move (the attacker first) and the liberties of the target:
/// 1, 2, 3 and more.
///
/// Multinomial logistic regression of the move that decided a position, among all points considered
/// there, in units of a sixteenth: 30,545 positions of the proofs and refutations that `df-pn`
/// found with all of them on boards of 19x19 points from quick self-play. Ridge penalty 1 on the
/// weights that all numbers of liberties share, 3 on the differences from them. The deciding move
/// is not among the best two in a tenth of the attacker's positions and an eighth of the
/// defender's, and not among the best six in fewer than one in a hundred.
pub(super) static WEIGHTS: [[[i16; TRAITS]; 4]; 2] = [
    [
        [
            23, -20, -7, 7, 43, -3, 7, 18, 0, -63, 21, 32, 36, -14, 2, -1, 13, -26, 77, 16, 4, 3,
            33, 26, -19, 0, 5, -6, 9, 4, 77, 2, 30, 16, 0, 5, -18, -1, 2,
        ],
        [
            34, -17, -5, 22, 34, 4, 4, 22, 0, -59, 11, 25, 28, -10, -3, 3, 10, -5, 83, 14, -1, 1,
            3, 12, -7, 0, -1, 1, 13, 10, 81, -7, 37, 0, 0, 9, -9, -5, 3,
        ],
        [
            59, -23, -4, 18, 68, 2, 11, 29, 0, -68, 7, 22, 27, -22, -8, 6, 25, 12, 74, 47, 17, 13,
            16, 5, -10, -2, 2, 0, 11, 8, 53, 1, 23, 12, 0, 2, -6, -5, 5,
        ],
        [
            44, -29, -11, 21, 64, -4, 6, 17, 0, -54, 10, 23, 34, -18, -2, -7, 27, -12, 73, 29, 19,
            4, 9, 9, -8, -2, -5, 7, 10, 4, 69, 0, 26, 10, 0, 0, -15, -7, 1,
        ],
    ],
    [
        [
            15, -33, -16, 27, 38, 2, -10, 4, 16, -27, 3, -3, -3, 2, 6, -2, -6, 30, 67, 8, -2, -7,
            10, -4, 10, -9, 5, 4, 1, 12, 7, 8, 17, 2, 0, -2, -11, 10, 0,
        ],
        [
            23, -28, -12, 29, 34, 8, -5, -3, 16, -29, 0, -8, 3, -1, 0, 1, -1, 34, 57, 22, 0, -2,
            15, -2, 9, -7, 2, 5, 7, 6, 11, 9, 7, 3, -2, -4, -4, 8, 0,
        ],
        [
            34, -31, 2, 30, 34, 15, -3, 9, 21, -42, -8, 2, 9, 2, -1, 1, -2, 39, 63, 25, 7, -12, 11,
            3, 9, -9, 0, 9, 8, 8, 14, 4, 10, 12, 4, -11, -9, 5, -1,
        ],
        [
            26, -39, 4, 27, 34, 19, -1, 3, 16, -34, -12, 1, 8, 1, 8, -6, -2, 38, 65, 22, 8, 1, 18,
            6, -1, -3, 0, 3, 8, 0, 11, 1, 6, 2, 1, -11, -7, 8, 1,
        ],
    ],
];
