//! Memory that holds tokens. Objects keep a token for a stretch of bytes; a stretch that is read, written or copied in
//! part is first divided into its bytes, and bytes that are read together become one stretch again. Bytes found
//! indeterminate become variables.

use execute::{AccessCode, Arg, Op, OpaqueStretch, Origin, Place, Value};
use program::{LibraryFunction, ObjectName, Property, RmwOp, Type, printed};
use terms::TermId;

use crate::stepper::{Stepper, Stop};
use crate::symbols::InputName;
use crate::trail::Input;

impl Stepper<'_> {
    /// Reads memory that may hold tokens. `false` if the machine can do so.
    pub(crate) fn load(&mut self, target: u32, address: Arg, access: AccessCode) -> Result<bool, Stop> {
        let length = u64::from(access.bytes);
        let Ok(place) = self.machine.state.memory.place(self.machine.value(address), length, false) else {
            return Ok(false);
        };
        self.gather(place, length);
        if access.ty != Type::Int(1) || self.opaque_inside(place, length).is_empty() {
            return Ok(false);
        }
        self.machine.execute(&mut self.environment)?;
        let loaded = self.machine.thread().register(target);
        let truth = self.symbols.term(loaded, 1);
        let value = self.symbols.value(truth, None);
        self.machine.thread_mut().set(target, value);
        Ok(true)
    }

    fn opaque_inside(&self, place: Place, length: u64) -> &[OpaqueStretch] {
        self.machine.state.memory.object(place.slot).opaque_inside(place.offset, length)
    }

    /// Makes one stretch of all tokens and bytes in an area, unless there are no tokens.
    fn gather(&mut self, place: Place, length: u64) {
        match *self.opaque_inside(place, length) {
            [] => return,
            [only] if (only.offset, only.length) == (place.offset, length) => return,
            _ => {}
        }
        self.determine_place(place, length);
        self.divide(place, length);
        let term = self.bytes_term(place, length);
        let value = self.symbols.value(term, None);
        let pointer_bytes = self.machine.code().pointer_bytes;
        self.machine.state.memory.object_mut(place.slot).store(place.offset, length, value, pointer_bytes);
    }

    /// The bytes of an area, divided before, as one term.
    fn bytes_term(&mut self, place: Place, length: u64) -> TermId {
        let byte = |stepper: &mut Self, offset: u64| {
            let at = Place { offset, ..place };
            match stepper.opaque_inside(at, 1).first() {
                Some(stretch) => stepper.symbols.of_token(stretch.token).term,
                None => {
                    let byte = stepper.machine.state.memory.object(place.slot).bytes()[offset as usize];
                    stepper.symbols.terms.constant(8, u64::from(byte))
                }
            }
        };
        let mut whole = byte(self, place.offset);
        for offset in place.offset + 1..place.offset + length {
            let high = byte(self, offset);
            whole = self.symbols.terms.concat(high, whole);
        }
        whole
    }

    /// Divides all stretches that overlap an area into bytes.
    fn divide(&mut self, place: Place, length: u64) {
        for stretch in self.opaque_inside(place, length).to_vec() {
            let symbol = self.symbols.of_token(stretch.token);
            let mut bytes = Vec::new();
            for index in 0..stretch.length {
                let low = index as u32 * 8;
                let term = self.symbols.terms.extract(symbol.term, low + 7, low);
                bytes.push((stretch.offset + index, self.symbols.value(term, None)));
            }
            let pointer_bytes = self.machine.code().pointer_bytes;
            let object = self.machine.state.memory.object_mut(place.slot);
            object.replace_opaque(stretch.offset, stretch.length, None);
            bytes.into_iter().for_each(|(offset, value)| object.store(offset, 1, value, pointer_bytes));
        }
    }

    /// Divides the stretches that stick out of an area which is about to be written or copied.
    fn divide_edges(&mut self, place: Place, length: u64) {
        let end = place.offset + length;
        let sticks_out =
            |stretch: &OpaqueStretch| stretch.offset < place.offset || stretch.offset + stretch.length > end;
        if self.opaque_inside(place, length).iter().any(sticks_out) {
            self.divide(place, length);
        }
    }

    pub(crate) fn divide_around(&mut self, address: Arg, length: u64) {
        if let Ok(place) = self.machine.state.memory.place(self.machine.value(address), length, false) {
            self.divide_edges(place, length);
        }
    }

    pub(crate) fn divide_for_copy(&mut self, target: Arg, source: Arg, size: Arg) {
        let size = self.machine.value(size).bits;
        self.divide_around(source, size);
        self.divide_around(target, size);
    }

    pub(crate) fn divide_for_reallocation(&mut self, address: Arg, size: Arg) {
        let size = self.machine.value(size).bits;
        if let Ok(place) = self.machine.state.memory.place(self.machine.value(address), 0, false) {
            let kept = size.min(self.machine.state.memory.object(place.slot).size.saturating_sub(place.offset));
            self.divide_edges(place, kept);
        }
    }

    /// A read-modify-write or compare-exchange on tokens. `false` if the machine can do it.
    pub(crate) fn update(&mut self, op: &Op) -> Result<bool, Stop> {
        let (Op::ReadModifyWrite { address, access, .. } | Op::CompareExchange { address, access, .. }) = op else {
            unreachable!("{op:?} should update memory")
        };
        let (access, length) = (*access, u64::from(access.bytes));
        let address = self.machine.value(*address);
        let Ok(place) = self.machine.state.memory.place(address, length, true) else { return Ok(false) };
        self.gather(place, length);
        let old = self.machine.state.memory.object(place.slot).load(place.offset, length, self.pointer_bytes());
        match op {
            Op::ReadModifyWrite { target, op, value, .. } => {
                let value = self.machine.value(*value);
                if !old.is_opaque() && !value.is_opaque() {
                    return Ok(false);
                }
                let new = self.combine(*op, old, value, access.bytes * 8);
                self.machine.update(*target, address, access, &mut self.environment, |_| new)?;
            }
            Op::CompareExchange { registers, expected, desired, weak: false, .. } => {
                let (expected, desired) = (self.machine.value(*expected), self.machine.value(*desired));
                if !old.is_opaque() && !expected.is_opaque() && !desired.is_opaque() {
                    return Ok(false);
                }
                self.expect_one_object(old, expected)?;
                let bits = access.bytes * 8;
                let (a, b) = (self.symbols.term(old, bits), self.symbols.term(expected, bits));
                let equal = self.symbols.terms.eq(a, b);
                let equal = self.truth(equal)?;
                let operands = (address, desired);
                self.machine.exchange_if(*registers, operands, access, false, equal, &mut self.environment)?;
            }
            Op::CompareExchange { expected, desired, .. } => {
                if !old.is_opaque() && !self.is_opaque(*expected) && !self.is_opaque(*desired) {
                    return Ok(false);
                }
                return Err(self.unsupported("a weak compare-exchange of inputs".to_owned()));
            }
            _ => unreachable!("{op:?} should update memory"),
        }
        Ok(true)
    }

    fn pointer_bytes(&self) -> u64 {
        self.machine.code().pointer_bytes
    }

    fn combine(&mut self, op: RmwOp, old: Value, value: Value, bits: u8) -> Value {
        let provenance = self.symbols.provenance(if op == RmwOp::Exchange { value } else { old });
        let (a, b) = (self.symbols.term(old, bits), self.symbols.term(value, bits));
        let terms = &mut self.symbols.terms;
        let new = match op {
            RmwOp::Exchange => b,
            RmwOp::Add => terms.add(a, b),
            RmwOp::Sub => terms.sub(a, b),
            RmwOp::And => terms.bit_and(a, b),
            RmwOp::Or => terms.bit_or(a, b),
            RmwOp::Xor => terms.bit_xor(a, b),
            RmwOp::Nand => {
                let both = terms.bit_and(a, b);
                terms.bit_not(both)
            }
        };
        self.symbols.value(new, provenance)
    }

    pub(crate) fn set_memory(&mut self, target: Arg, byte: Arg, size: Arg) -> Result<bool, Stop> {
        let size = self.machine.value(size).bits;
        self.divide_around(target, size);
        let value = self.machine.value(byte);
        if !value.is_opaque() {
            return Ok(false);
        }
        let place = self.machine.state.memory.place(self.machine.value(target), size, true).ok();
        self.machine.execute(&mut self.environment)?;
        if let Some(place) = place {
            let term = self.symbols.term(value, 8);
            let value = self.symbols.value(term, None);
            let pointer_bytes = self.pointer_bytes();
            let object = self.machine.state.memory.object_mut(place.slot);
            (place.offset..place.offset + size).for_each(|offset| object.store(offset, 1, value, pointer_bytes));
        }
        Ok(true)
    }

    /// Makes variables of the indeterminate bytes of an area that is about to be read.
    pub(crate) fn determine(&mut self, address: Value, length: u64) {
        if let Ok(place) = self.machine.state.memory.place(address, length, false) {
            self.determine_place(place, length);
        }
    }

    fn determine_place(&mut self, place: Place, length: u64) {
        while let Some(found) = self.machine.state.memory.next_indeterminate(place, length) {
            let zeros = vec![0; found.length as usize];
            self.machine.state.memory.object_mut(place.slot).fix(found.offset, &zeros);
            self.make_variable(Place { offset: found.offset, ..place }, found.length, found.origin);
        }
    }

    /// Puts variables in the place of bytes. Where some have been copied, each byte has its own, named by where it came from.
    fn make_variable(&mut self, place: Place, length: u64, (object, start): Origin) {
        let most = if self.machine.state.memory.settled().is_some() { 1 } else { 8 };
        for index in (0..length).step_by(most as usize) {
            let (offset, length) = (start + index, (length - index).min(most));
            let term = self.symbols.input(InputName::Memory(object, offset, length));
            self.trail.push_input(Input::Memory { object, offset, length, term });
            let value = self.symbols.value(term, None);
            let pointer_bytes = self.pointer_bytes();
            let written = self.machine.state.memory.object_mut(place.slot);
            written.store(place.offset + index, length, value, pointer_bytes);
        }
        self.symbolic = true;
    }

    /// What output found indeterminate was printed as zeros; variables take their place. Copies are not found by their name.
    pub(crate) fn replace_determined(&mut self) -> Result<(), Stop> {
        if self.machine.state.memory.settled().is_some() {
            return Err(self.unsupported("output of uninitialised memory".to_owned()));
        }
        for found in std::mem::take(&mut self.machine.record.memory) {
            let is_found = |object: &execute::Object| object.is_alive() && object.name == found.object;
            let slot = self.machine.state.memory.objects().find(|(_, object)| is_found(object)).map(|(slot, _)| slot);
            if let Some(slot) = slot {
                let origin = (found.object, found.offset);
                self.make_variable(Place { slot, offset: found.offset }, found.bytes.len() as u64, origin);
            }
        }
        Ok(())
    }

    /// Output of tokens: no property depends on what is printed, only on what is read for it. `false` if there are no
    /// tokens.
    pub(crate) fn library(
        &mut self,
        target: Option<u32>,
        function: LibraryFunction,
        arguments: &[Arg],
    ) -> Result<bool, Stop> {
        let in_memory = self.machine.state.memory.objects().any(|(_, object)| !object.opaque_stretches().is_empty());
        if !in_memory && !arguments.iter().any(|&argument| self.is_opaque(argument)) {
            return Ok(false);
        }
        let next = self.machine.thread().pc + 1;
        let is_used = target.is_some_and(|target| self.machine.code().liveness().is_live(next, target));
        let reads_matter = self.selects(Property::ValidDeref) || self.selects(Property::NoDataRace);
        let follows = matches!(function, LibraryFunction::Vprintf | LibraryFunction::ReadPrinted);
        let reads = follows && (reads_matter || !arguments.first().is_some_and(|&format| self.only_prints(format)));
        if is_used || reads || function == LibraryFunction::Snprintf {
            return Err(self.unsupported("output that depends on inputs".to_owned()));
        }
        self.machine.next();
        Ok(true)
    }
    /// Whether the format, from wherever it is read, has conversions that print, and none that stores.
    fn only_prints(&self, format: Arg) -> bool {
        let format = self.machine.value(format);
        let place = (!format.is_opaque()).then(|| self.machine.state.memory.place(format, 1, false).ok()).flatten();
        match place.map(|place| self.machine.state.memory.object(place.slot).name) {
            Some(ObjectName::Global(global)) => printed::only_prints(self.machine.code().program, global),
            _ => false,
        }
    }
}
