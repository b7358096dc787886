//! What a call of `printf` or a relative does with its arguments, if its format is a literal whose conversions are known.
//!
//! The format is brought into a form in which conversions take their arguments one after the other and print something:
//! arguments that the format names (`%2$d`) are put into that order, `%m` is a string, and `%n` is left out, since it is
//! the lowering of the call that stores.

use program::print_format::{Conversion, Length, Piece, WidthOrPrecision, pieces};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintPlan {
    pub steps: Vec<PrintStep>,
    /// The format in its new form.
    pub format: Vec<u8>,
    /// How many arguments the call must have.
    pub needed: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrintStep {
    /// A stretch of the new format.
    Text {
        start: usize,
        length: usize,
    },
    Print(Print),
    /// How much has been printed so far is stored as a number of this length where the argument points to.
    Store {
        argument: usize,
        length: Length,
    },
}

/// A conversion that prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Print {
    pub conversion: Conversion,
    pub width: Option<usize>,
    pub precision: Option<usize>,
    pub value: PrintSource,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrintSource {
    /// So many arguments behind the format.
    Argument(usize),
    /// The text of the number in `errno`.
    ErrorText,
}

impl Print {
    /// What it takes, in its order.
    pub fn sources(&self) -> impl Iterator<Item = PrintSource> {
        let fields = [self.width, self.precision].into_iter().flatten().map(PrintSource::Argument);
        fields.chain([self.value])
    }
}

impl PrintPlan {
    /// The plan of a format; `None` if one of its conversions is not known.
    pub fn new(format: &[u8]) -> Option<Self> {
        let mut plan = Self { steps: Vec::new(), format: Vec::new(), needed: 0 };
        let mut order = ArgumentOrder::default();
        for piece in pieces(format) {
            match piece {
                Piece::Text(text) => plan.text(text),
                Piece::Conversion(conversion) => plan.conversion(conversion, &mut order)?,
                Piece::Unknown(_) => return None,
            }
        }
        plan.needed = order.needed;
        Some(plan)
    }

    /// The least number of characters that are printed before the n-th step.
    pub fn least_before(&self, step: usize) -> u32 {
        let least = |step: &PrintStep| match step {
            PrintStep::Text { length, .. } => *length as u32,
            PrintStep::Print(print) => match print.conversion.kind {
                b's' => 0,
                // Of a zero with no digits nothing is printed.
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' if print.conversion.precision.is_some() => 0,
                _ => 1,
            },
            PrintStep::Store { .. } => 0,
        };
        self.steps[..step].iter().map(least).sum()
    }

    fn text(&mut self, text: &[u8]) {
        let start = self.format.len();
        self.format.extend_from_slice(text);
        self.steps.push(PrintStep::Text { start, length: text.len() });
        if text == b"%" {
            self.format.push(b'%');
        }
    }

    fn conversion(&mut self, conversion: Conversion, order: &mut ArgumentOrder) -> Option<()> {
        let mut field = |field: Option<WidthOrPrecision>| match field {
            Some(WidthOrPrecision::Argument(position)) => order.take(position).map(Some),
            _ => Some(None),
        };
        let (width, precision) = (field(conversion.width)?, field(conversion.precision)?);
        let value = match conversion.takes_argument() {
            true => PrintSource::Argument(order.take(conversion.position)?),
            false => PrintSource::ErrorText,
        };
        if let (true, PrintSource::Argument(argument)) = (conversion.stores(), value) {
            self.steps.push(PrintStep::Store { argument, length: conversion.length });
            return Some(());
        }
        let plain = |field: Option<WidthOrPrecision>| match field {
            Some(WidthOrPrecision::Argument(_)) => Some(WidthOrPrecision::Argument(None)),
            other => other,
        };
        let conversion = Conversion {
            width: plain(conversion.width),
            precision: plain(conversion.precision),
            position: None,
            kind: if conversion.takes_argument() { conversion.kind } else { b's' },
            ..conversion
        };
        conversion.write(&mut self.format);
        self.steps.push(PrintStep::Print(Print { conversion, width, precision, value }));
        Some(())
    }
}

/// Arguments are named, or taken one after the other: C has no mixture.
#[derive(Default)]
struct ArgumentOrder {
    next: usize,
    named: bool,
    needed: usize,
}

impl ArgumentOrder {
    fn take(&mut self, position: Option<usize>) -> Option<usize> {
        let argument = match position {
            Some(position) if self.next == 0 => {
                self.named = true;
                position
            }
            None if !self.named => {
                self.next += 1;
                self.next - 1
            }
            _ => return None,
        };
        self.needed = self.needed.max(argument + 1);
        Some(argument)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(format: &str) -> Option<(String, Vec<PrintSource>)> {
        let plan = PrintPlan::new(format.as_bytes())?;
        let printed = plan.steps.iter().filter_map(|step| match step {
            PrintStep::Print(print) => Some(print.sources().collect::<Vec<_>>()),
            _ => None,
        });
        Some((String::from_utf8_lossy(&plan.format).into_owned(), printed.flatten().collect()))
    }

    #[test]
    fn arguments_come_one_after_the_other() {
        use PrintSource::{Argument, ErrorText};
        let cases = [
            ("%d %s %% %lu\n", "%d %s %% %lu\n", vec![Argument(0), Argument(1), Argument(2)]),
            ("%-*.*f", "%-*.*f", vec![Argument(0), Argument(1), Argument(2)]),
            ("%2$s %1$d %2$s", "%s %d %s", vec![Argument(1), Argument(0), Argument(1)]),
            ("%2$*1$d", "%*d", vec![Argument(0), Argument(1)]),
            ("%s: %m (%d)", "%s: %s (%d)", vec![Argument(0), ErrorText, Argument(1)]),
            ("ab%n%d%hhn %%n", "ab%d %%n", vec![Argument(1)]),
        ];
        for (format, plain, expected) in cases {
            assert_eq!(sources(format), Some((plain.to_owned(), expected)), "{format}");
        }
        for format in ["%ls", "%", "%l", "%1$d %d", "%d %1$d", "%Lf"] {
            assert_eq!(sources(format), None, "{format}");
        }
    }

    #[test]
    fn what_is_printed_at_least() {
        let least = |format: &str| PrintPlan::new(format.as_bytes()).map(|plan| plan.least_before(plan.steps.len()));
        assert_eq!(least("ab%d%%"), Some(4));
        assert_eq!(least("%s%.0d%n"), Some(0));
    }

    #[test]
    fn missing_arguments_are_noticed() {
        assert_eq!(PrintPlan::new(b"%d %3$d").map(|plan| plan.needed), None);
        assert_eq!(PrintPlan::new(b"%3$d").map(|plan| plan.needed), Some(3));
        assert_eq!(PrintPlan::new(b"%m%*d").map(|plan| plan.needed), Some(2));
    }
}
