//! Words for results.

/// Half points of the side that wins with `1-0`, by PGN's words or the Chinese ones (红胜, 红先负, 和;
/// Red is that side). `None` for an unfinished game, and for words that are no result.
pub fn half_points(result: &str) -> Option<u8> {
    match result {
        "1-0" | "红胜" | "紅勝" | "红先胜" | "紅先勝" | "黑负" => Some(2),
        "0-1" | "黑胜" | "黑勝" | "红先负" | "紅先負" | "红负" => Some(0),
        "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" | "和" | "和棋" | "红先和" | "紅先和" => {
            Some(1)
        }
        _ => None,
    }
}

/// A result in the first mover's half points.
pub fn result_text(points: Option<u8>) -> &'static str {
    match points {
        None => "*",
        Some(0) => "0-1",
        Some(1) => "1/2-1/2",
        Some(_) => "1-0",
    }
}
