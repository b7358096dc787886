//! `scanf` and `fscanf`: any number of the objects get any value each that the format allows.

use program::print_format::Length;
use program::{BinaryOp, Operand, RegisterId, Rvalue, Type};

use super::Lowerer;
use super::call::CallSite;
use super::scan_format::{Conversion, Directive, directives};
use super::value::{Lowered, Value};
use crate::ctype::{IntKind, TypeId, TypeTable};

/// No input is longer than that, so that what follows it can be counted, too.
const FARTHEST: u64 = 0x7fff_0000;

/// What is known while a format is followed.
struct Progress {
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

impl Lowerer<'_, '_> {
    /// `format` is the index of the format.
    pub fn scanf(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Value> {
        let text = site.arguments.get(format).and_then(|&argument| self.literal_bytes(argument)).map(<[u8]>::to_vec);
        let given = site.arguments.len().saturating_sub(format + 1);
        let stored = |directives: &Vec<Directive<'_>>| {
            directives.iter().filter(|directive| matches!(directive, Directive::Stored(_))).count()
        };
        let directives = text.as_deref().and_then(directives).filter(|directives| stored(directives) == given);
        let Some(directives) = directives else {
            self.evaluate_arguments(site)?;
            return Ok(self.unsupported(format!("`{}` with this format", site.name), site.result, site.span));
        };
        let values = self.question_arguments(site)?;
        let count = self.scanned(site, &values, format, &directives)?;
        self.store_directives(&directives, &values[format + 1..], count, site)?;
        Ok(Value::scalar(count, TypeTable::INT))
    }

    /// Asks for input, and how many conversions succeed.
    fn scanned(
        &mut self,
        site: &CallSite<'_>,
        values: &[Value],
        format: usize,
        directives: &[Directive<'_>],
    ) -> Lowered<Operand> {
        let question = site.name.rsplit('_').next().unwrap_or(site.name);
        let mut asked: Vec<Operand> = values[..=format].iter().map(|value| value.operand).collect();
        if format == 1 {
            asked[0] = self.stream_number(asked[0], site.span);
        }
        let stream = (format == 1).then_some(values[0].operand);
        let is_more = match stream {
            None => self.prelude_value("__gordian_begin_scan_in", Vec::new(), site),
            Some(stream) => self.prelude_value("__gordian_begin_scan", vec![stream], site),
        };
        self.f.builder.pin(is_more);
        self.ask(question, asked, site);
        let counts = |directive: &&Directive<'_>| match directive {
            Directive::Stored(conversion) => !matches!(conversion, Conversion::Position { .. }),
            _ => false,
        };
        let count = self.scanned_count(directives.iter().filter(counts).count() as u64, site);
        let (ty, left, right) = (Type::Int(32), is_more, Operand::int(32, 0));
        let is_over = Rvalue::Binary { op: BinaryOp::Eq, ty, left, right, signed: false };
        let is_over = self.compute(is_over, Type::BOOL, site.span);
        let count = self.choose(is_over, ty, Operand::int(32, u64::MAX), count, site.span);
        self.f.builder.pin(count);
        let is_seen = self.link.uses_stream_state || self.link.uses_end_indicator || self.link.uses_errno;
        match stream {
            _ if !is_seen => {}
            None => self.call_prelude("__gordian_end_scan_in", vec![count], site),
            Some(stream) => self.call_prelude("__gordian_end_scan", vec![stream, count], site),
        }
        Ok(count)
    }

    fn store_directives(
        &mut self,
        directives: &[Directive<'_>],
        pointers: &[Value],
        count: Operand,
        site: &CallSite<'_>,
    ) -> Lowered<()> {
        let mut pointers = pointers.iter();
        let mut progress = Progress {
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
                    self.store_directive(conversion, pointer, &mut progress, site)?;
                }
            }
        }
        Ok(())
    }

    fn store_directive(
        &mut self,
        conversion: Conversion<'_>,
        pointer: Value,
        progress: &mut Progress,
        site: &CallSite<'_>,
    ) -> Lowered<()> {
        if let Conversion::Position { length } = conversion {
            return self.store_scan_position(length, pointer, progress, site);
        }
        let is_stored = self.more_than(progress.count, progress.counted as i64, site);
        let is_missing = self.not(is_stored, site.span);
        self.unless(is_missing, site.span, |lowerer| lowerer.store_scanned(conversion, pointer, site))?;
        progress.counted += 1;
        progress.least += 1;
        (progress.doubtful, progress.doubtful_again, progress.exact) = (false, false, false);
        Ok(())
    }

    /// Stores what a conversion gave.
    fn store_scanned(&mut self, conversion: Conversion<'_>, pointer: Value, site: &CallSite<'_>) -> Lowered<()> {
        let ty = match conversion {
            Conversion::Integer { length, signed: true, .. } | Conversion::Position { length } => {
                self.counted_type(length)
            }
            Conversion::Integer { length, .. } => self.unsigned_type(length),
            Conversion::Float => TypeTable::FLOAT,
            Conversion::Double => TypeTable::DOUBLE,
            Conversion::Character => TypeTable::CHAR,
            Conversion::Set { longest, set } => {
                let set = self.bytes_place(set.iter().copied().chain([0]).collect(), site.span);
                let set = self.address_of(set, site.span)?.operand;
                return self.fill_text("__gordian_scan_set", pointer, vec![Operand::int(64, longest), set], site);
            }
            Conversion::Text { longest } => {
                return self.fill_text("__gordian_scan_text", pointer, vec![Operand::int(64, longest)], site);
            }
            Conversion::Characters { count } => {
                return self.fill_text("__gordian_scan_characters", pointer, vec![Operand::int(64, count)], site);
            }
        };
        let place = self.place_of_type(pointer, ty, site.span)?;
        let value = match conversion {
            Conversion::Integer { range: Some(range), .. } => self.wrapped_input(ty, range, site),
            _ => self.input(ty, site.span),
        };
        self.store(place, value, site.span)
    }

    fn fill_text(&mut self, model: &str, target: Value, own: Vec<Operand>, site: &CallSite<'_>) -> Lowered<()> {
        let target = self.convert(target, TypeTable::VOID_POINTER, site.span)?.operand;
        let arguments = std::iter::once(target).chain(own).collect();
        self.call_prelude(model, arguments, site);
        Ok(())
    }

    /// A number in the range, cut to the type: any at all if the range has as many.
    fn wrapped_input(&mut self, ty: TypeId, (low, high): (i64, i64), site: &CallSite<'_>) -> Value {
        let value = self.input(ty, site.span);
        let Some(Type::Int(bits)) = self.link.types.register_type(ty) else { return value };
        if i128::from(high) - i128::from(low) >= (1 << bits) - 1 {
            return value;
        }
        self.f.builder.pin(value.operand);
        let inside = self.is_between(value.operand, bits, library::Range { low, high }, site.span);
        let otherwise = Operand::int(bits, low as u64);
        Value::scalar(self.choose(inside, Type::Int(bits), value.operand, otherwise, site.span), ty)
    }

    /// The unsigned integer of this length.
    fn unsigned_type(&mut self, length: Length) -> TypeId {
        match length {
            Length::Char => TypeTable::UNSIGNED_CHAR,
            Length::Short => self.link.types.int(IntKind::UnsignedShort),
            Length::Int => TypeTable::UNSIGNED,
            Length::Long | Length::Size => TypeTable::UNSIGNED_LONG,
            Length::LongLong => TypeTable::UNSIGNED_LONG_LONG,
        }
    }

    fn more_than(&mut self, count: Operand, than: i64, site: &CallSite<'_>) -> Operand {
        let left = Operand::int(32, u64::from(than as u32));
        let less = Rvalue::Binary { op: BinaryOp::Slt, ty: Type::Int(32), left, right: count, signed: false };
        let more = self.compute(less, Type::BOOL, site.span);
        self.f.builder.pin(more)
    }

    /// `%n`: how much was read so far. It is stored as soon as everything before it was found; where the result does not tell
    /// whether it was, a negative number says that it was not.
    fn store_scan_position(
        &mut self,
        length: Length,
        pointer: Value,
        progress: &mut Progress,
        site: &CallSite<'_>,
    ) -> Lowered<()> {
        let int = Type::Int(32);
        let (position, was_stored) = self.scan_position(progress, site);
        let input = self.input(TypeTable::INT, site.span).operand;
        self.f.builder.pin(input);
        let mut is_stored = match progress.counted {
            0 => Operand::TRUE,
            counted => self.more_than(progress.count, counted as i64 - 1, site),
        };
        if progress.doubtful {
            let further = self.more_than(progress.count, progress.counted as i64, site);
            if progress.doubtful_again {
                let found = self.more_than(input, -1, site);
                is_stored = self.both(is_stored, found, site);
            }
            is_stored = self.both(is_stored, Operand::Register(was_stored), site);
            is_stored = self.either(further, is_stored, site.span);
        }
        self.f.builder.pin(is_stored);
        let least = Operand::int(32, progress.least);
        let left = Operand::Register(position);
        let next = Rvalue::Binary { op: BinaryOp::Add, ty: int, left, right: least, signed: false };
        let next = self.compute(next, int, site.span);
        self.f.builder.pin(next);
        let value = match progress.exact {
            true => next,
            false => {
                let room = library::Range { low: 0, high: FARTHEST as i64 };
                let near = self.is_between(input, 32, room, site.span);
                let less = Rvalue::Binary { op: BinaryOp::Slt, ty: int, left: input, right: next, signed: false };
                let less = self.compute(less, Type::BOOL, site.span);
                let far = self.not(near, site.span);
                let other = self.either(less, far, site.span);
                self.choose(other, int, next, input, site.span)
            }
        };
        self.f.builder.pin(value);
        let is_missing = self.not(is_stored, site.span);
        self.unless(is_missing, site.span, |lowerer| {
            let ty = lowerer.counted_type(length);
            let place = lowerer.place_of_type(pointer, ty, site.span)?;
            let value = lowerer.convert(Value::scalar(value, TypeTable::INT), ty, site.span)?;
            lowerer.store(place, value, site.span)
        })?;
        self.f.builder.assign(position, value, site.span);
        self.f.builder.assign(was_stored, is_stored, site.span);
        (progress.least, progress.doubtful_again) = (0, false);
        Ok(())
    }

    /// What the `%n` before stored, and whether it did.
    fn scan_position(&mut self, progress: &mut Progress, site: &CallSite<'_>) -> (RegisterId, RegisterId) {
        *progress.position.get_or_insert_with(|| {
            let position = self.f.builder.pinned(Type::Int(32));
            let was_stored = self.f.builder.pinned(Type::BOOL);
            self.f.builder.assign(position, Operand::int(32, 0), site.span);
            self.f.builder.assign(was_stored, Operand::TRUE, site.span);
            (position, was_stored)
        })
    }

    fn both(&mut self, left: Operand, right: Operand, site: &CallSite<'_>) -> Operand {
        let ty = Type::BOOL;
        let both = Rvalue::Binary { op: BinaryOp::And, ty, left, right, signed: false };
        let both = self.compute(both, ty, site.span);
        self.f.builder.pin(both)
    }
}
