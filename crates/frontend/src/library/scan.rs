//! `scanf` and `fscanf`: any number of the objects get any value each that the format allows.

use program::print_format::Length;
use program::{BinaryOp, Operand, RegisterId, Rvalue, Type};

use super::call::CallLowering;
use super::environment::{ask, question_arguments, scanned_count};
use super::scan_format::{Directive, ScanConversion, directives};
use super::text::counted_type;
use crate::ctype::{IntKind, TypeId, TypeTable};
use crate::emit::value::{CValue, Lowered};

/// No input is longer than that, so that what follows it can be counted, too.
const FARTHEST: u64 = 0x7fff_0000;

/// What is known while a format is followed.
struct ScanProgress {
    /// How many objects were stored: the result of the call.
    count: Operand,
    /// Conversions before that count.
    counted: u64,
    /// Something has been matched since the last conversion that counts: whether it was, the result does not tell.
    doubtful: bool,
    /// As `doubtful`, since the last `%n`.
    doubtful_again: bool,
    /// Characters since the last `%n`, at least.
    least: u64,
    /// Only characters of the format itself have been read so far.
    exact: bool,
    /// What the last `%n` stored, and whether it did.
    position: Option<(RegisterId, RegisterId)>,
}

/// `format` is the index of the format.
pub fn scanf(call: &mut CallLowering, format: usize) -> Lowered<CValue> {
    let text = call.site.arguments.get(format).and_then(|&argument| call.literal_bytes(argument)).map(<[u8]>::to_vec);
    let given = call.site.arguments.len().saturating_sub(format + 1);
    let stored = |directives: &Vec<Directive<'_>>| {
        directives.iter().filter(|directive| matches!(directive, Directive::Stored(_))).count()
    };
    let directives = text.as_deref().and_then(directives).filter(|directives| stored(directives) == given);
    let Some(directives) = directives else {
        call.evaluate_arguments()?;
        return Ok(call.unsupported(format!("`{}` with this format", call.site.name), call.site.result));
    };
    let values = question_arguments(call)?;
    let count = scanned(call, &values, format, &directives)?;
    store_directives(call, &directives, &values[format + 1..], count)?;
    Ok(CValue::scalar(count, TypeTable::INT))
}

/// Asks for input, and how many conversions succeed.
fn scanned(
    call: &mut CallLowering,
    values: &[CValue],
    format: usize,
    directives: &[Directive<'_>],
) -> Lowered<Operand> {
    let question = call.site.name.rsplit('_').next().unwrap_or(call.site.name);
    let mut asked: Vec<Operand> = values[..=format].iter().map(|value| value.operand).collect();
    if format == 1 {
        asked[0] = call.emit_with(|emit, span| emit.stream_number(asked[0], span));
    }
    let stream = (format == 1).then_some(values[0].operand);
    let is_more = match stream {
        None => call.prelude_value("__gordian_begin_scan_in", Vec::new()),
        Some(stream) => call.prelude_value("__gordian_begin_scan", vec![stream]),
    };
    call.pin(is_more);
    ask(call, question, asked);
    let counts = |directive: &&Directive<'_>| match directive {
        Directive::Stored(conversion) => !matches!(conversion, ScanConversion::Position { .. }),
        _ => false,
    };
    let count = scanned_count(call, directives.iter().filter(counts).count() as u64);
    let (ty, left, right) = (Type::Int(32), is_more, Operand::int(32, 0));
    let is_over = Rvalue::Binary { op: BinaryOp::Eq, ty, left, right, signed: false };
    let is_over = call.compute(is_over, Type::BOOL);
    let count = call.choose(is_over, ty, Operand::int(32, u64::MAX), count);
    call.pin(count);
    let is_seen = call.link().uses_stream_state || call.link().uses_end_indicator || call.link().uses_errno;
    match stream {
        _ if !is_seen => {}
        None => call.call_prelude("__gordian_end_scan_in", vec![count]),
        Some(stream) => call.call_prelude("__gordian_end_scan", vec![stream, count]),
    }
    Ok(count)
}

fn store_directives(
    call: &mut CallLowering,
    directives: &[Directive<'_>],
    pointers: &[CValue],
    count: Operand,
) -> Lowered<()> {
    let mut pointers = pointers.iter();
    let mut progress = ScanProgress {
        count,
        counted: 0,
        doubtful: false,
        doubtful_again: false,
        least: 0,
        exact: true,
        position: None,
    };
    for directive in directives {
        match *directive {
            Directive::Space => progress.exact = false,
            Directive::Literal | Directive::Skipped => {
                progress.exact &= *directive == Directive::Literal;
                progress.least += 1;
                (progress.doubtful, progress.doubtful_again) = (true, true);
            }
            Directive::Stored(conversion) => {
                let &pointer = pointers.next().expect("every conversion should have its pointer");
                store_directive(call, conversion, pointer, &mut progress)?;
            }
        }
    }
    Ok(())
}

fn store_directive(
    call: &mut CallLowering,
    conversion: ScanConversion<'_>,
    pointer: CValue,
    progress: &mut ScanProgress,
) -> Lowered<()> {
    if let ScanConversion::Position { length } = conversion {
        return store_scan_position(call, length, pointer, progress);
    }
    let is_stored = more_than(call, progress.count, progress.counted as i64);
    let is_missing = call.not(is_stored);
    call.unless(is_missing, |call| store_scanned(call, conversion, pointer))?;
    if let ScanConversion::Characters { count } = conversion {
        // The first conversion that fails may have come to the end of the input.
        call.pin(is_missing);
        let came_here = match progress.counted {
            0 => Operand::TRUE,
            counted => more_than(call, progress.count, counted as i64 - 1),
        };
        let failed = both(call, is_missing, came_here);
        let succeeded = call.not(failed);
        call.unless(succeeded, |call| {
            fill_text(call, "__gordian_scan_some_characters", pointer, vec![Operand::int(64, count)])
        })?;
    }
    progress.counted += 1;
    progress.least += 1;
    (progress.doubtful, progress.doubtful_again, progress.exact) = (false, false, false);
    Ok(())
}

/// Stores what a conversion gave.
fn store_scanned(call: &mut CallLowering, conversion: ScanConversion<'_>, pointer: CValue) -> Lowered<()> {
    let ty = match conversion {
        ScanConversion::Integer { length, signed: true, .. } | ScanConversion::Position { length } => {
            counted_type(call, length)
        }
        ScanConversion::Integer { length, .. } => unsigned_type(call, length),
        ScanConversion::Float => TypeTable::FLOAT,
        ScanConversion::Double => TypeTable::DOUBLE,
        ScanConversion::Character => TypeTable::CHAR,
        ScanConversion::Set { longest, set } => {
            let set = call.emit_with(|emit, span| emit.bytes_place(set.iter().copied().chain([0]).collect(), span));
            let set = call.address_of(set)?.operand;
            return fill_text(call, "__gordian_scan_set", pointer, vec![Operand::int(64, longest), set]);
        }
        ScanConversion::Text { longest } => {
            return fill_text(call, "__gordian_scan_text", pointer, vec![Operand::int(64, longest)]);
        }
        ScanConversion::Characters { count } => {
            return fill_text(call, "__gordian_scan_characters", pointer, vec![Operand::int(64, count)]);
        }
    };
    let place = call.place_of_type(pointer, ty)?;
    let value = match conversion {
        ScanConversion::Integer { range: Some(range), .. } => wrapped_input(call, ty, range),
        _ => call.input(ty),
    };
    call.store(place, value)
}

fn fill_text(call: &mut CallLowering, model: &str, target: CValue, own: Vec<Operand>) -> Lowered<()> {
    let target = call.convert(target, TypeTable::VOID_POINTER)?.operand;
    let arguments = std::iter::once(target).chain(own).collect();
    call.call_prelude(model, arguments);
    Ok(())
}

/// A number in the range, cut to the type: any at all if the range has as many.
fn wrapped_input(call: &mut CallLowering, ty: TypeId, (low, high): (i64, i64)) -> CValue {
    let value = call.input(ty);
    let Some(Type::Int(bits)) = call.types().register_type(ty) else { return value };
    if i128::from(high) - i128::from(low) >= (1 << bits) - 1 {
        return value;
    }
    call.pin(value.operand);
    let inside = call.is_between(value.operand, bits, library::NumberRange { low, high });
    let otherwise = Operand::int(bits, low as u64);
    CValue::scalar(call.choose(inside, Type::Int(bits), value.operand, otherwise), ty)
}

/// The unsigned integer of this length.
fn unsigned_type(call: &mut CallLowering, length: Length) -> TypeId {
    match length {
        Length::Char => TypeTable::UNSIGNED_CHAR,
        Length::Short => call.link_mut().types.int(IntKind::UnsignedShort),
        Length::Int => TypeTable::UNSIGNED,
        Length::Long | Length::Size => TypeTable::UNSIGNED_LONG,
        Length::LongLong => TypeTable::UNSIGNED_LONG_LONG,
    }
}

fn more_than(call: &mut CallLowering, count: Operand, than: i64) -> Operand {
    let left = Operand::int(32, u64::from(than as u32));
    let less = Rvalue::Binary { op: BinaryOp::Slt, ty: Type::Int(32), left, right: count, signed: false };
    let more = call.compute(less, Type::BOOL);
    call.pin(more)
}

/// `%n`: how much was read so far. It is stored as soon as everything before it was found; where the result does not tell
/// whether it was, a negative number says that it was not.
fn store_scan_position(
    call: &mut CallLowering,
    length: Length,
    pointer: CValue,
    progress: &mut ScanProgress,
) -> Lowered<()> {
    let int = Type::Int(32);
    let (position, was_stored) = scan_position(call, progress);
    let input = call.input(TypeTable::INT).operand;
    call.pin(input);
    let mut is_stored = match progress.counted {
        0 => Operand::TRUE,
        counted => more_than(call, progress.count, counted as i64 - 1),
    };
    if progress.doubtful {
        let further = more_than(call, progress.count, progress.counted as i64);
        if progress.doubtful_again {
            let found = more_than(call, input, -1);
            is_stored = both(call, is_stored, found);
        }
        is_stored = both(call, is_stored, Operand::Register(was_stored));
        is_stored = call.either(further, is_stored);
    }
    call.pin(is_stored);
    let least = Operand::int(32, progress.least);
    let left = Operand::Register(position);
    let next = Rvalue::Binary { op: BinaryOp::Add, ty: int, left, right: least, signed: false };
    let next = call.compute(next, int);
    call.pin(next);
    let value = match progress.exact {
        true => next,
        false => {
            let room = library::NumberRange { low: 0, high: FARTHEST as i64 };
            let near = call.is_between(input, 32, room);
            let less = Rvalue::Binary { op: BinaryOp::Slt, ty: int, left: input, right: next, signed: false };
            let less = call.compute(less, Type::BOOL);
            let far = call.not(near);
            let other = call.either(less, far);
            call.choose(other, int, next, input)
        }
    };
    call.pin(value);
    let is_missing = call.not(is_stored);
    call.unless(is_missing, |call| {
        let ty = counted_type(call, length);
        let place = call.place_of_type(pointer, ty)?;
        let value = call.convert(CValue::scalar(value, TypeTable::INT), ty)?;
        call.store(place, value)
    })?;
    call.assign(position, value);
    call.assign(was_stored, is_stored);
    (progress.least, progress.doubtful_again) = (0, false);
    Ok(())
}

/// What the `%n` before stored, and whether it did.
fn scan_position(call: &mut CallLowering, progress: &mut ScanProgress) -> (RegisterId, RegisterId) {
    *progress.position.get_or_insert_with(|| {
        let position = call.pinned(Type::Int(32));
        let was_stored = call.pinned(Type::BOOL);
        call.assign(position, Operand::int(32, 0));
        call.assign(was_stored, Operand::TRUE);
        (position, was_stored)
    })
}

fn both(call: &mut CallLowering, left: Operand, right: Operand) -> Operand {
    let ty = Type::BOOL;
    let both = Rvalue::Binary { op: BinaryOp::And, ty, left, right, signed: false };
    let both = call.compute(both, ty);
    call.pin(both)
}
