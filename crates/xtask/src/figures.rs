//! Means, medians and a fit, as tables need them.

/// The arithmetic mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The geometric mean of positive values; 0 of nothing.
pub fn geometric_mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { mean(&values.iter().map(|value| value.ln()).collect::<Vec<_>>()).exp() }
}

/// The middle value, the upper one of two; 0 of nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The exponent k of the power law y = c·xᵏ that fits the points best (least squares of the logarithms).
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let centre = |pick: fn(&(f64, f64)) -> f64| mean(&logs.iter().map(pick).collect::<Vec<_>>());
    let (x, y) = (centre(|point| point.0), centre(|point| point.1));
    let covariance: f64 = logs.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let variance: f64 = logs.iter().map(|point| (point.0 - x).powi(2)).sum();
    covariance / variance
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn figures_are_right() {
        assert!(near(mean(&[1.0, 2.0, 6.0]), 3.0) && near(geometric_mean(&[1.0, 4.0, 16.0]), 4.0));
        assert!(near(median(&[9.0, 1.0, 5.0]), 5.0) && near(median(&[]), 0.0));
        let square: Vec<(f64, f64)> = (1..6).map(|n| (f64::from(n), 3.0 * f64::from(n * n))).collect();
        assert!(near(exponent(&square), 2.0));
    }
}
