//! A format string with its arguments, wherever they come from: the memory of a machine, or a record of what was there.

use crate::format::{FormatArgument, FormatConversion, FormatPiece, pieces};
use crate::value::{mask, sign_extend};

/// What a conversion needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A number of so many bytes.
    Number { bytes: u64 },
    /// The text that an address names, at most so many bytes of it.
    Text { limit: Option<usize> },
}

/// What a conversion gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    Number(u64),
    Text(Vec<u8>),
}

/// Why there is no text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatError<E> {
    Unsupported(String),
    /// There is no such argument.
    Argument(E),
}

/// The text that a format makes of its arguments, which `next` gives in their order.
pub fn format_text<E>(
    format: &[u8],
    pointer_bits: u8,
    next: impl FnMut(Wanted) -> Result<Given, E>,
) -> Result<Vec<u8>, FormatError<E>> {
    let mut arguments = Arguments { next, pointer_bits };
    let mut output = Vec::new();
    for piece in pieces(format) {
        let mut conversion = match piece {
            FormatPiece::Text(text) => {
                output.extend_from_slice(text);
                continue;
            }
            FormatPiece::Conversion(conversion) => conversion,
            FormatPiece::Unknown(text) => {
                return Err(FormatError::Unsupported(format!("printf conversion `{text}`")));
            }
        };
        if conversion.width_from_argument {
            let width = sign_extend(arguments.number(4)?, 32);
            let is_set = conversion.set_width(width);
            is_set.ok_or_else(|| FormatError::Unsupported(format!("printf width {width}")))?;
        }
        if conversion.precision_from_argument {
            let precision = sign_extend(arguments.number(4)?, 32);
            let is_set = conversion.set_precision(precision);
            is_set.ok_or_else(|| FormatError::Unsupported(format!("printf precision {precision}")))?;
        }
        let argument = arguments.of(&conversion)?;
        conversion.format(argument, &mut output);
    }
    Ok(output)
}

struct Arguments<N> {
    next: N,
    pointer_bits: u8,
}

impl<E, N: FnMut(Wanted) -> Result<Given, E>> Arguments<N> {
    fn of(&mut self, conversion: &FormatConversion) -> Result<FormatArgument, FormatError<E>> {
        Ok(match conversion.kind {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' => {
                let bits = conversion.length.bits(self.pointer_bits);
                let value = self.number(u64::from(bits.max(32)) / 8)? & mask(bits);
                match conversion.kind {
                    b'd' | b'i' => FormatArgument::Signed(sign_extend(value, bits)),
                    _ => FormatArgument::Unsigned(value),
                }
            }
            b'p' => FormatArgument::Unsigned(self.number(u64::from(self.pointer_bits) / 8)?),
            b's' => match self.next(Wanted::Text { limit: conversion.precision })? {
                Given::Text(text) => FormatArgument::Text(text),
                Given::Number(_) => unreachable!("a text should be given where a text is wanted"),
            },
            _ => FormatArgument::Float(f64::from_bits(self.number(8)?)),
        })
    }

    fn number(&mut self, bytes: u64) -> Result<u64, FormatError<E>> {
        match self.next(Wanted::Number { bytes })? {
            Given::Number(bits) => Ok(bits),
            Given::Text(_) => unreachable!("a number should be given where a number is wanted"),
        }
    }

    fn next(&mut self, wanted: Wanted) -> Result<Given, FormatError<E>> {
        (self.next)(wanted).map_err(FormatError::Argument)
    }
}
