//! Linear programs over exact fractions: minimise a cost that is not negative over equations in variables that are not negative.

use base::{Budget, StopReason};

use crate::linear::gcd;

/// A fraction in lowest terms with a positive denominator. Operations give up where numbers become too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    pub const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };
    pub const ONE: Ratio = Ratio { numerator: 1, denominator: 1 };

    pub fn integer(value: i128) -> Self {
        Self { numerator: value, denominator: 1 }
    }

    fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator, denominator).max(1) * denominator.signum();
        Some(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    pub fn numerator(self) -> i128 {
        self.numerator
    }

    pub fn denominator(self) -> i128 {
        self.denominator
    }

    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    fn is_negative(self) -> bool {
        self.numerator < 0
    }

    pub fn add(self, other: Self) -> Option<Self> {
        if self.is_zero() {
            return Some(other);
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    pub fn mul(self, other: Self) -> Option<Self> {
        if self.is_zero() || other.is_zero() {
            return Some(Self::ZERO);
        }
        Self::new(self.numerator.checked_mul(other.numerator)?, self.denominator.checked_mul(other.denominator)?)
    }

    fn div(self, other: Self) -> Option<Self> {
        Self::new(self.numerator.checked_mul(other.denominator)?, self.denominator.checked_mul(other.numerator)?)
    }

    fn neg(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }

    fn less(self, other: Self) -> Option<bool> {
        Some(self.add(other.neg())?.is_negative())
    }
}

/// Equations `rows · x = right` with `x ≥ 0`, and a cost for each variable.
#[derive(Clone, Debug, Default)]
pub struct LinearProgram {
    pub rows: Vec<Vec<Ratio>>,
    pub right: Vec<Ratio>,
    pub cost: Vec<Ratio>,
}

const MAX_PIVOTS: usize = 400;

/// So many multiplications count as one unit of work.
const MULTIPLICATIONS: usize = 8;

/// A cheapest solution; `None` if there is none, or numbers or pivots do not suffice.
pub fn minimise(program: &LinearProgram, budget: &Budget) -> Result<Option<Vec<Ratio>>, StopReason> {
    let mut stopped = None;
    let solution = minimise_within(program, &mut |work| match budget.spend(work) {
        Ok(()) => true,
        Err(reason) => {
            stopped = Some(reason);
            false
        }
    });
    stopped.map_or(Ok(solution), Err)
}

fn minimise_within(program: &LinearProgram, may_spend: &mut dyn FnMut(u64) -> bool) -> Option<Vec<Ratio>> {
    let mut tableau = Tableau::new(program)?;
    let (columns, count) = (program.cost.len(), program.rows.len());
    let mut artificial = vec![Ratio::ZERO; columns];
    artificial.resize(columns + count, Ratio::ONE);
    tableau.solve(&artificial, columns + count, may_spend)?;
    if (0..count).any(|row| tableau.basis[row] >= columns && !tableau.rows[row][columns + count].is_zero()) {
        return None;
    }
    tableau.drop_artificial(columns)?;
    let mut cost = program.cost.clone();
    cost.resize(columns + count, Ratio::ZERO);
    tableau.solve(&cost, columns, may_spend)?;
    let mut solution = vec![Ratio::ZERO; columns];
    for (row, &variable) in tableau.basis.iter().enumerate() {
        let value = tableau.rows[row][columns + count];
        if variable < columns {
            solution[variable] = value;
        } else if !value.is_zero() {
            return None;
        }
    }
    Some(solution)
}

struct Tableau {
    /// With the right side as the last column.
    rows: Vec<Vec<Ratio>>,
    basis: Vec<usize>,
}

impl Tableau {
    fn new(program: &LinearProgram) -> Option<Self> {
        let (columns, count) = (program.cost.len(), program.rows.len());
        let mut rows = Vec::new();
        for (index, (row, &right)) in program.rows.iter().zip(&program.right).enumerate() {
            let sign = if right.is_negative() { Ratio::integer(-1) } else { Ratio::ONE };
            let mut new: Vec<Ratio> = row.iter().map(|&one| one.mul(sign)).collect::<Option<_>>()?;
            new.resize(columns + count, Ratio::ZERO);
            new[columns + index] = Ratio::ONE;
            new.push(right.mul(sign)?);
            rows.push(new);
        }
        Some(Self { rows, basis: (columns..columns + count).collect() })
    }

    /// Minimises with the first `allowed` variables; those that are basic already may stay.
    fn solve(&mut self, cost: &[Ratio], allowed: usize, may_spend: &mut dyn FnMut(u64) -> bool) -> Option<()> {
        let work = (self.rows.len() * cost.len() / MULTIPLICATIONS) as u64;
        for pivots in 0..MAX_PIVOTS {
            if !may_spend(work) {
                return None;
            }
            let Some(entering) = self.entering(cost, allowed, pivots > 60)? else { return Some(()) };
            let row = self.leaving(entering)?;
            self.pivot(row, entering)?;
        }
        None
    }

    /// Puts variables of the program into the basis instead of artificial ones, which are zero, so that none of these grows
    /// again. A row in which that is not possible says nothing.
    fn drop_artificial(&mut self, columns: usize) -> Option<()> {
        for row in 0..self.rows.len() {
            if self.basis[row] < columns {
                continue;
            }
            match (0..columns).find(|&column| !self.rows[row][column].is_zero()) {
                Some(column) => self.pivot(row, column)?,
                None => self.rows[row].fill(Ratio::ZERO),
            }
        }
        Some(())
    }

    /// A variable that lowers the cost: the best one, or, against cycles, the first.
    fn entering(&self, cost: &[Ratio], allowed: usize, first: bool) -> Option<Option<usize>> {
        let mut best: Option<(usize, Ratio)> = None;
        for column in (0..allowed).filter(|column| !self.basis.contains(column)) {
            let mut reduced = cost[column];
            for (row, &variable) in self.basis.iter().enumerate() {
                if !cost[variable].is_zero() && !self.rows[row][column].is_zero() {
                    reduced = reduced.add(cost[variable].mul(self.rows[row][column])?.neg())?;
                }
            }
            if reduced.is_negative() {
                if first {
                    return Some(Some(column));
                }
                let is_better = match best {
                    Some((_, other)) => reduced.less(other)?,
                    None => true,
                };
                if is_better {
                    best = Some((column, reduced));
                }
            }
        }
        Some(best.map(|(column, _)| column))
    }

    fn leaving(&self, entering: usize) -> Option<usize> {
        let mut best: Option<(usize, Ratio)> = None;
        for (row, values) in self.rows.iter().enumerate() {
            let value = values[entering];
            if value.is_zero() || value.is_negative() {
                continue;
            }
            let ratio = values.last()?.div(value)?;
            let is_better = match best {
                None => true,
                Some((other, least)) => ratio.less(least)? || (ratio == least && self.basis[row] < self.basis[other]),
            };
            if is_better {
                best = Some((row, ratio));
            }
        }
        best.map(|(row, _)| row)
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let factor = self.rows[row][column];
        for value in &mut self.rows[row] {
            if !value.is_zero() {
                *value = value.div(factor)?;
            }
        }
        let pivot = self.rows[row].clone();
        for (index, values) in self.rows.iter_mut().enumerate() {
            let factor = values[column];
            if index == row || factor.is_zero() {
                continue;
            }
            for (value, &other) in values.iter_mut().zip(&pivot) {
                if !other.is_zero() {
                    *value = value.add(other.mul(factor)?.neg())?;
                }
            }
        }
        self.basis[row] = column;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[i128]) -> Vec<Ratio> {
        values.iter().map(|&value| Ratio::integer(value)).collect()
    }

    #[test]
    fn finds_the_cheapest_solution() {
        // x + y = 4, x - y + z = 1: the cost 3x + y + 2z is least for x = 5/2, y = 3/2.
        let program =
            LinearProgram { rows: vec![row(&[1, 1, 0]), row(&[1, -1, 1])], right: row(&[4, 1]), cost: row(&[1, 1, 9]) };
        let solution = minimise(&program, &Budget::unlimited()).expect("no limit").expect("there is a solution");
        assert_eq!(solution, vec![Ratio::new(5, 2).unwrap(), Ratio::new(3, 2).unwrap(), Ratio::ZERO]);
    }

    /// The second row is the first one twice: the artificial variable of one of them stays in the basis after the first phase.
    #[test]
    fn rows_that_say_nothing_new_do_no_harm() {
        let rows = vec![row(&[1, 1, -1, 0]), row(&[2, 2, -2, 0]), row(&[-1, 1, 0, 1])];
        let program = LinearProgram { rows, right: row(&[0, 0, 2]), cost: row(&[1, 5, 3, 4]) };
        let solution = minimise(&program, &Budget::unlimited()).expect("no limit").expect("there is a solution");
        let of = |index: usize| solution[index];
        assert_eq!(of(0).add(of(1)), Some(of(2)));
        let left = of(1).add(of(3)).and_then(|sum| sum.add(of(0).neg()));
        assert_eq!(left, Some(Ratio::integer(2)));
        assert_eq!(solution, vec![Ratio::ZERO, Ratio::ZERO, Ratio::ZERO, Ratio::integer(2)]);
    }

    #[test]
    fn knows_that_there_is_no_solution() {
        let program = LinearProgram { rows: vec![row(&[1, 1])], right: row(&[-1]), cost: row(&[1, 1]) };
        assert_eq!(minimise(&program, &Budget::unlimited()).expect("no limit"), None);
    }
}
