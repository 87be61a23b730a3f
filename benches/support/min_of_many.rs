//! Shortest of many runs for pieces of work that run in turn, so that all meet the same conditions.
#![allow(dead_code, unreachable_pub, reason = "each bench takes a part")]

use std::time::{Duration, Instant};

/// Shortest time of one run of each piece, in nanoseconds. A turn repeats a piece until `slice` is filled.
pub fn min_of_many(turns: usize, slice: Duration, pieces: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let repeats: Vec<u32> = pieces
        .iter_mut()
        .map(|piece| {
            piece();
            let start = Instant::now();
            piece();
            let once = start.elapsed().max(Duration::from_nanos(20));
            u32::try_from(slice.as_nanos() / once.as_nanos()).unwrap_or(u32::MAX)
        })
        .collect();
    let mut best = vec![f64::MAX; pieces.len()];
    for _ in 0..turns {
        for ((piece, repeats), best) in pieces.iter_mut().zip(&repeats).zip(&mut best) {
            let repeats = (*repeats).max(1);
            let start = Instant::now();
            for _ in 0..repeats {
                piece();
            }
            let time = start.elapsed().as_secs_f64() * 1e9 / f64::from(repeats);
            *best = best.min(time);
        }
    }
    best
}
