//! Where the figures of a crowd stand.

use pchr::scene::Bounds;

use super::Instances;

/// Distance of scattered figures as a share of their width, and of their rows as a share of their height: they overlap.
const CLOSER: [f64; 2] = [0.75, 0.4];

/// Steps of the sequence that scatters: 1 / p and 1 / p², where p is the plastic number (Roberts 2018, "R2").
const STEPS: [f64; 2] = [0.754_877_666_246_693, 0.569_840_290_998_053_2];

/// Returns the number and the origin of each figure, from the highest to the lowest. Figure 0 stands at the world's origin; coordinates
/// are whole numbers. `one` has the bounds of a figure.
pub(super) fn places(instances: Instances, one: Option<Bounds>) -> Vec<(u16, [f32; 2])> {
    let Bounds { min, max } = one.unwrap_or(Bounds { min: [0.0; 2], max: [0.0; 2] });
    let ([left, bottom], [right, top]) = (min.map(f64::from), max.map(f64::from));
    let sides = [right - left, top - bottom].map(|side| side.ceil().max(1.0));
    let count = instances.count;
    let columns = f64::from(count).sqrt().ceil();
    let rows = (f64::from(count) / columns).ceil();
    let middle =
        ((rows / 2.0).floor() * columns + (columns / 2.0).floor()).min(f64::from(count) - 1.0);
    let cell = |index: f64| [index % columns, (index / columns).floor()];
    let place = |number: u16| {
        let at = f64::from(number);
        let cells = match instances.scattered {
            true => {
                let [x, y] = STEPS.map(|step| (0.5 + at * step).fract() - 0.5);
                [x * columns * CLOSER[0], y * rows * CLOSER[1]]
            }
            false => {
                let ([x, y], [from_x, from_y]) =
                    (cell((at + middle) % f64::from(count)), cell(middle));
                [x - from_x, from_y - y]
            }
        };
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
        let [x, y] = [(cells[0] * sides[0]).round() as f32, (cells[1] * sides[1]).round() as f32];
        (number, [x, y])
    };
    let mut places: Vec<_> = (0..count).map(place).collect();
    places.sort_by(|(_, [_, a]), (_, [_, b])| b.total_cmp(a));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Option<Bounds> = Some(Bounds { min: [-3.0, 0.0], max: [6.5, 20.0] });

    fn of(count: u16, scattered: bool) -> Vec<(u16, [f32; 2])> {
        places(Instances { count, scattered }, ONE)
    }

    #[test]
    fn a_grid_has_rows_from_the_top_and_the_first_figure_in_its_middle() {
        let grid = of(5, false);
        assert_eq!(
            grid,
            [
                (1, [-10.0, 20.0]),
                (2, [0.0, 20.0]),
                (3, [10.0, 20.0]),
                (0, [0.0, 0.0]),
                (4, [-10.0, 0.0]),
            ]
        );
    }

    #[test]
    fn scattered_figures_stand_apart_around_the_first() {
        let places = of(100, true);
        assert!(places.is_sorted_by(|(_, a), (_, b)| a[1] >= b[1]));
        assert!(places.contains(&(0, [0.0, 0.0])));
        let near = |[x, y]: [f32; 2], [u, v]: [f32; 2]| (x - u).abs() < 4.0 && (y - v).abs() < 4.0;
        for (number, place) in &places {
            let others = places.iter().filter(|(other, at)| other != number && near(*at, *place));
            assert_eq!(others.count(), 0, "{number}");
        }
        assert_eq!(of(1, true), [(0, [0.0, 0.0])]);
    }
}
