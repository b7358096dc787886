//! Results as drawings (SVG): how many tasks are solved within how much time each, and one run against another, task by
//! task. Axes of time are logarithmic.

use std::fmt::Write;

use crate::comparison::{ResultComparison, escape};
use crate::result_file::Record;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 52.0;
/// The least time that is told apart, in seconds.
const LEAST: f64 = 0.01;
const COLOURS: [&str; 6] = ["#1b62b5", "#c23b22", "#2a8a43", "#8a4fb0", "#b8860b", "#444444"];

/// A logarithmic axis of CPU seconds.
#[derive(Clone, Copy)]
struct TimeAxis {
    /// Powers of ten at which it ends.
    last: i32,
    from: f64,
    to: f64,
}

impl TimeAxis {
    const FIRST: i32 = -2;

    fn new(longest: f64, from: f64, to: f64) -> Self {
        Self { last: (longest.max(1.0).log10().ceil() as i32).max(Self::FIRST + 1), from, to }
    }

    fn at(self, seconds: f64) -> f64 {
        let part = (seconds.max(LEAST).log10() - f64::from(Self::FIRST)) / f64::from(self.last - Self::FIRST);
        self.from + part.clamp(0.0, 1.0) * (self.to - self.from)
    }

    fn ticks(self) -> impl Iterator<Item = (f64, String)> {
        (Self::FIRST..=self.last).map(move |power| {
            let seconds = 10f64.powi(power);
            let label = if power < 0 { format!("{seconds:.*}", (-power) as usize) } else { format!("{seconds:.0}") };
            (self.at(seconds), label)
        })
    }
}

/// One line for each run: the n-th fastest solved task, and its time.
pub fn quantiles(runs: &[(String, Vec<Record>)]) -> String {
    let times: Vec<Vec<f64>> = runs.iter().map(|(_, records)| solved_times(records)).collect();
    let longest = times.iter().flatten().copied().fold(1.0, f64::max);
    let most = times.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let axis = TimeAxis::new(longest, HEIGHT - BOTTOM, TOP);
    let across = |count: f64| LEFT + count / most as f64 * (WIDTH - LEFT - RIGHT);
    let mut out = frame("solved tasks, fastest first", "CPU seconds");
    for (y, label) in axis.ticks() {
        grid_line(&mut out, (LEFT, y), (WIDTH - RIGHT, y));
        text(&mut out, (LEFT - 6.0, y + 4.0), "end", &label);
    }
    let step = tick_distance(most);
    for count in (0..=most).step_by(step) {
        text(&mut out, (across(count as f64), HEIGHT - BOTTOM + 18.0), "middle", &count.to_string());
    }
    for (index, ((name, _), times)) in runs.iter().zip(&times).enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let mut points = String::new();
        for (rank, seconds) in times.iter().enumerate() {
            let _ = write!(points, "{:.1},{:.1} ", across(rank as f64 + 1.0), axis.at(*seconds));
        }
        let _ = writeln!(
            out,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
            points.trim()
        );
        let y = TOP + 16.0 + 16.0 * index as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"4\" fill=\"{colour}\"/>",
            LEFT + 12.0,
            y - 6.0
        );
        text(&mut out, (LEFT + 32.0, y), "start", &format!("{name}: {} solved", times.len()));
    }
    out + "</svg>\n"
}

fn solved_times(records: &[Record]) -> Vec<f64> {
    let mut times: Vec<f64> = records.iter().filter(|record| record.is_solved()).map(|record| record.cpu_s).collect();
    times.sort_by(f64::total_cmp);
    times
}

fn tick_distance(most: usize) -> usize {
    let steps = (0..).flat_map(|power| [1, 2, 5].map(|factor| factor * 10usize.pow(power)));
    steps.take(18).find(|step| most / step <= 10).unwrap_or(most)
}

/// One point for each task that either solves: the time of the first against that of the second. What one of them does
/// not solve lies on its far edge.
pub fn scatter(comparison: &ResultComparison, first: &str, second: &str) -> String {
    let pairs: Vec<&(Record, Record)> =
        comparison.pairs.iter().filter(|(one, other)| one.is_solved() || other.is_solved()).collect();
    let time = |record: &Record| if record.is_solved() { record.cpu_s } else { 0.0 };
    let longest = pairs.iter().map(|(one, other)| time(one).max(time(other))).fold(1.0, f64::max);
    // The last decade is where tasks without an answer lie.
    let right = TimeAxis::new(longest * 10.0, LEFT, WIDTH - RIGHT);
    let up = TimeAxis { from: HEIGHT - BOTTOM, to: TOP, ..right };
    let mut out = frame(&format!("{first}: CPU seconds"), &format!("{second}: CPU seconds"));
    for ((x, label), (y, _)) in right.ticks().zip(up.ticks()) {
        grid_line(&mut out, (x, TOP), (x, HEIGHT - BOTTOM));
        grid_line(&mut out, (LEFT, y), (WIDTH - RIGHT, y));
        let label = if x >= WIDTH - RIGHT - 1.0 { "none".to_owned() } else { label };
        text(&mut out, (x, HEIGHT - BOTTOM + 18.0), "middle", &label);
        text(&mut out, (LEFT - 6.0, y + 4.0), "end", &label);
    }
    let _ = writeln!(
        out,
        "<line x1=\"{LEFT}\" y1=\"{}\" x2=\"{}\" y2=\"{TOP}\" stroke=\"#999\" stroke-dasharray=\"5 4\"/>",
        HEIGHT - BOTTOM,
        WIDTH - RIGHT
    );
    let place = |axis: TimeAxis, record: &Record| if record.is_solved() { axis.at(record.cpu_s) } else { axis.to };
    for (one, other) in &pairs {
        let colour = if one.expected == "true" { COLOURS[0] } else { COLOURS[1] };
        let (x, y) = (place(right, one), place(up, other));
        let title = escape(&format!("{} {}", one.task, one.property));
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\" fill-opacity=\"0.55\"><title>{title}</title></circle>"
        );
    }
    text(&mut out, (WIDTH - RIGHT - 8.0, TOP + 14.0), "end", "blue: the property holds; red: it is violated");
    out + "</svg>\n"
}

fn frame(below: &str, beside: &str) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/>\n",
        WIDTH - LEFT - RIGHT,
        HEIGHT - TOP - BOTTOM
    );
    text(&mut out, ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12.0), "middle", below);
    let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
    let _ = writeln!(
        out,
        "<text x=\"16\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {middle})\">{}</text>",
        escape(beside)
    );
    out
}

fn grid_line(out: &mut String, from: (f64, f64), to: (f64, f64)) {
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#e4e4e4\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(out: &mut String, at: (f64, f64), anchor: &str, words: &str) {
    let _ =
        writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>", at.0, at.1, escape(words));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_results::result;
    use crate::verdict::{Status, TaskVerdict};

    fn records(times: &[u64]) -> Vec<Record> {
        let solved = |(number, &time): (usize, &u64)| {
            Record::new(&result(&format!("t{number}<.c"), Some(TaskVerdict::True), Status::Correct, time))
        };
        times.iter().enumerate().map(solved).collect()
    }

    #[test]
    fn a_line_has_a_point_for_each_solved_task() {
        let runs = [("one".to_owned(), records(&[10, 5_000, 200])), ("two & three".to_owned(), records(&[]))];
        let svg = quantiles(&runs);
        let points = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("points");
        assert_eq!(points.split(' ').count(), 3);
        assert!(svg.contains("one: 3 solved") && svg.contains("two &amp; three: 0 solved"));
        let heights: Vec<f64> =
            points.split(' ').map(|point| point.split(',').nth(1).unwrap().parse().unwrap()).collect();
        assert!(heights[0] > heights[1] && heights[1] > heights[2], "slower is higher: {heights:?}");
    }

    #[test]
    fn points_lie_inside_the_frame_and_names_are_escaped() {
        let comparison = ResultComparison::new(&records(&[1, 900_000, 30]), &records(&[5, 1, 1]));
        let svg = scatter(&comparison, "a", "b");
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("t0&lt;.c") && !svg.contains("NaN"));
    }

    #[test]
    fn ticks_are_few_and_round() {
        assert_eq!([tick_distance(1), tick_distance(37), tick_distance(459)], [1, 5, 50]);
    }
}
