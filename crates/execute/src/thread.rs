//! Threads: activations, registers, and what has become of the thread.

use program::FunctionId;

use crate::code::{Arg, Code, FunctionCode, Relative, Site};
use crate::value::{Provenance, Value, mask};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ThreadStatus {
    /// Stands before its next instruction, which may or may not be enabled.
    Live,
    /// Stopped for ever by a failed assume.
    Stopped,
    /// Loops for ever without a visible instruction: exactly known.
    Diverged,
    /// Ran so long without a visible instruction that it was cut off.
    Cut,
    Ended,
}

/// One activation of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    pub function: FunctionId,
    /// Where the caller continues, and the register (of the caller) that the result goes to.
    pub return_to: u32,
    pub target: Option<u32>,
    /// Where its registers, locals and stack objects begin in the thread's stacks.
    pub registers: u32,
    pub locals: u32,
    pub stack_objects: u32,
    /// The stack pointer to go back to.
    pub stack_pointer: u64,
}

#[derive(Clone, Debug)]
pub struct ExecThread {
    pub status: ThreadStatus,
    pub pc: u32,
    /// Nesting of atomic sections.
    pub section: u32,
    pub detached: bool,
    pub joined: bool,
    pub result: Value,
    /// The instruction that created the thread; none for the main thread.
    pub created: Option<Site>,
    pub frames: Vec<Frame>,
    pub registers: Vec<Value>,
    /// Addresses of the locals of all activations, dangling where they do not live; zero before their first life.
    pub locals: Vec<Value>,
    /// Made by `Allocate` with kind `Stack`.
    pub stack_objects: Vec<Provenance>,
    pub thread_locals: Vec<Value>,
    base: u32,
    locals_base: u32,
}

impl ExecThread {
    /// A thread about to execute `function`; arguments beyond the parameters are dropped, missing ones are zero.
    pub fn new(code: &Code, function: FunctionId, arguments: &[Value], thread_locals: Vec<Value>) -> Self {
        let mut thread = Self {
            status: ThreadStatus::Live,
            pc: 0,
            section: 0,
            detached: false,
            joined: false,
            result: Value::ZERO,
            created: None,
            frames: Vec::new(),
            registers: Vec::new(),
            locals: Vec::new(),
            stack_objects: Vec::new(),
            thread_locals,
            base: 0,
            locals_base: 0,
        };
        thread.enter(function, &code.functions[function], arguments, None, 0);
        thread
    }

    pub fn site(&self) -> Site {
        Site(self.pc)
    }

    /// The innermost place in code that the user wrote: where they called what runs now, if they did not write that.
    pub fn users_site(&self, code: &Code) -> Site {
        let calls = self.frames.iter().skip(1).rev().map(|frame| Site(frame.return_to - 1));
        [self.site()].into_iter().chain(calls).find(|&site| code.is_users(site)).unwrap_or(self.site())
    }

    #[inline]
    pub fn register(&self, register: u32) -> Value {
        self.registers[(self.base + register) as usize]
    }

    #[inline]
    pub fn set(&mut self, register: u32, value: Value) {
        self.registers[(self.base + register) as usize] = value;
    }

    #[inline]
    pub fn value(&self, code: &Code, arg: Arg) -> Value {
        match arg {
            Arg::Register(register) => self.register(register),
            Arg::Constant(index) => code.constants[index as usize],
            Arg::Address(index) => self.address(code, index),
        }
    }

    fn address(&self, code: &Code, index: u32) -> Value {
        let (base, offset) = match code.addresses[index as usize] {
            Relative::Local { local, offset } => (self.local(local), offset),
            Relative::ThreadLocal { index, offset } => (self.thread_locals[index as usize], offset),
        };
        base.with_bits(base.bits.wrapping_add_signed(offset) & mask(code.pointer_bits))
    }

    pub fn local(&self, local: u32) -> Value {
        self.locals[(self.locals_base + local) as usize]
    }

    pub fn set_local(&mut self, local: u32, address: Value) {
        self.locals[(self.locals_base + local) as usize] = address;
    }

    /// The addresses of the current activation's locals.
    pub fn own_locals(&self) -> &[Value] {
        &self.locals[self.locals_base as usize..]
    }

    /// The objects that the current activation made on the stack.
    pub fn own_stack_objects(&self) -> &[Provenance] {
        let start = self.frames.last().map_or(0, |frame| frame.stack_objects as usize);
        &self.stack_objects[start..]
    }

    /// Begins an activation; the caller continues after the present instruction.
    pub fn enter(
        &mut self,
        function: FunctionId,
        code: &FunctionCode,
        arguments: &[Value],
        target: Option<u32>,
        stack_pointer: u64,
    ) {
        self.frames.push(Frame {
            function,
            return_to: self.pc + 1,
            target,
            registers: self.registers.len() as u32,
            locals: self.locals.len() as u32,
            stack_objects: self.stack_objects.len() as u32,
            stack_pointer,
        });
        self.base = self.registers.len() as u32;
        self.locals_base = self.locals.len() as u32;
        self.registers.resize(self.registers.len() + code.registers as usize, Value::ZERO);
        self.locals.resize(self.locals.len() + code.locals as usize, Value::ZERO);
        for (&parameter, &argument) in code.parameters.iter().zip(arguments) {
            self.set(parameter, argument);
        }
        self.pc = code.entry;
    }

    /// Ends the current activation. `false` if it was the thread's first: the thread has no code left to run.
    pub fn leave(&mut self, result: Option<Value>) -> bool {
        let frame = self.frames.pop().expect("a running thread should have an activation");
        self.registers.truncate(frame.registers as usize);
        self.locals.truncate(frame.locals as usize);
        self.stack_objects.truncate(frame.stack_objects as usize);
        let Some(caller) = self.frames.last() else { return false };
        self.base = caller.registers;
        self.locals_base = caller.locals;
        self.pc = frame.return_to;
        if let (Some(target), Some(result)) = (frame.target, result) {
            self.set(target, result);
        }
        true
    }

    /// The registers of all activations that may still be used, zero in the place of the others.
    pub fn live_registers(&self, code: &Code) -> Vec<Value> {
        if self.status != ThreadStatus::Live {
            return self.registers.clone();
        }
        let liveness = code.liveness();
        let mut registers = Vec::with_capacity(self.registers.len());
        for (index, frame) in self.frames.iter().enumerate() {
            let callee = self.frames.get(index + 1);
            let (pc, defined) = callee.map_or((self.pc, None), |callee| (callee.return_to, callee.target));
            let end = callee.map_or(self.registers.len(), |callee| callee.registers as usize);
            for (register, &value) in (0..).zip(&self.registers[frame.registers as usize..end]) {
                let live = liveness.is_live(pc, register) && defined != Some(register);
                registers.push(if live { value } else { Value::ZERO });
            }
        }
        registers
    }

    pub fn end(&mut self, result: Value) {
        self.status = ThreadStatus::Ended;
        self.result = result;
        self.section = 0;
        self.registers = Vec::new();
    }
}
