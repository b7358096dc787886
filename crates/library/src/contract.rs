//! The type of a row.

use program::SyncOp;

#[derive(Clone, Copy, Debug)]
pub struct LibraryRow {
    /// Functions that do the same.
    pub names: &'static [&'static str],
    pub meaning: FunctionMeaning,
    pub arguments: &'static [Argument],
    /// What the arguments must satisfy for the call to succeed.
    pub demands: &'static [Demand],
    pub result: CallOutcome,
    /// Whether a call may leave a number in `errno`, so that what stands there after a success is not specified.
    pub uses_errno: bool,
    /// State inside the library that the function uses without protecting it from other threads.
    pub hidden: Option<HiddenUse>,
    /// What every verdict about a program that calls the function rests on.
    pub assumes: Option<&'static str>,
}

/// Who gives the function its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionMeaning {
    /// The row itself: accesses and results are derived from it.
    Contract,
    /// A hint to the scheduler beside what the row says.
    Yield,
    /// A model in C, in the front end's prelude.
    Model,
    /// Code of its own in the front end.
    Lowered,
    /// An operation of the crate `sync` on what the first argument points to.
    Sync(SyncOp),
}

#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// A number, here one with which the call is right.
    Number(i64),
    Pointer(Pointer),
    /// Something else, as C text with which the call is right.
    Other(&'static str),
    /// A format, then what it prints, here as C text.
    Format(&'static str),
}

#[derive(Clone, Copy, Debug)]
pub struct Pointer {
    pub access: ArgumentAccess,
    pub extent: AccessExtent,
    pub nullable: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentAccess {
    Read,
    /// Anything may stand there afterwards, within the ranges of the members.
    Write,
    /// Read and written; what the models know of the contents stays.
    Update,
    /// A stream (`FILE *`) that is open.
    Stream,
}

/// How many bytes an access touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessExtent {
    Bytes(u64),
    /// An object of this type: the one that the parameter points to.
    Object(&'static str),
    /// As many as this argument says.
    Argument(u8),
    /// The product of two arguments.
    Product(u8, u8),
    /// A string with its end.
    Text,
    /// A string with its end, or so many bytes as this argument says.
    TextUpTo(u8),
    /// The beginning of a string or block, as far as its contents make the function read.
    Part,
}

/// The argument must lie between the bounds, or the call fails with one of these errors.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    pub argument: u8,
    pub low: i64,
    pub high: i64,
    /// Numbers between the bounds that are refused as well.
    pub except: &'static [i64],
    /// A pointer without which nothing is demanded.
    pub given: Option<u8>,
    pub errors: &'static [i32],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HiddenUse {
    /// The name of the state, see [`crate::hidden_states`].
    pub state: &'static str,
    pub writes: bool,
}

/// How long a value that was chosen stays the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    Call,
    Process,
    /// In the process, for each value of the first argument.
    PerArgument,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChosenNumber {
    pub low: i64,
    pub high: i64,
    pub lifetime: Lifetime,
}

/// Failures that may have any reason: error numbers from 1 to 133.
pub const ANY_ERROR: &[i32] = &[];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallOutcome {
    Void,
    Constant(i64),
    /// 0, or one of these error numbers. Without any, the call fails only if it breaks a demand.
    ErrorNumber(&'static [i32]),
    /// 0, or -1 and one of these numbers in `errno`.
    Status(&'static [i32]),
    /// 0, or -1 and `EINVAL` in `errno` if a demand is broken.
    CheckedStatus,
    /// As many as this argument says or fewer, or -1 and any error.
    Count(u8),
    /// As many as this argument says or fewer.
    UpTo(u8),
    Number(ChosenNumber),
    /// This argument, a pointer.
    Argument(u8),
    /// This argument, a pointer, or null.
    ArgumentOrNull(u8),
    /// What the model says; here the C condition on the result `r` that holds if the call succeeded, if it can fail.
    Model(Option<&'static str>),
}

impl LibraryRow {
    pub const fn new(names: &'static [&'static str], arguments: &'static [Argument], result: CallOutcome) -> Self {
        let uses_errno = result.fails_with_errno();
        let meaning = FunctionMeaning::Contract;
        LibraryRow { names, meaning, arguments, demands: &[], result, uses_errno, hidden: None, assumes: None }
    }

    pub const fn model(names: &'static [&'static str], arguments: &'static [Argument], result: CallOutcome) -> Self {
        LibraryRow { meaning: FunctionMeaning::Model, ..LibraryRow::new(names, arguments, result) }
    }

    pub const fn lowered(names: &'static [&'static str], arguments: &'static [Argument], result: CallOutcome) -> Self {
        LibraryRow { meaning: FunctionMeaning::Lowered, ..LibraryRow::new(names, arguments, result) }
    }

    pub const fn yielding(self) -> Self {
        LibraryRow { meaning: FunctionMeaning::Yield, ..self }
    }

    pub const fn demanding(self, demands: &'static [Demand]) -> Self {
        LibraryRow { demands, ..self }
    }

    /// The result does not tell that the function may fail, or says so in another way than others do.
    pub const fn using_errno(self) -> Self {
        LibraryRow { uses_errno: true, ..self }
    }

    pub const fn reading(self, state: &'static str) -> Self {
        LibraryRow { hidden: Some(HiddenUse { state, writes: false }), ..self }
    }

    pub const fn writing(self, state: &'static str) -> Self {
        LibraryRow { hidden: Some(HiddenUse { state, writes: true }), ..self }
    }

    pub const fn assuming(self, text: &'static str) -> Self {
        LibraryRow { assumes: Some(text), ..self }
    }

    /// The arguments that are pointers, with their places.
    pub fn pointers(&self) -> impl Iterator<Item = (usize, Pointer)> {
        self.arguments.iter().enumerate().filter_map(|(index, argument)| match argument {
            Argument::Pointer(pointer) => Some((index, *pointer)),
            _ => None,
        })
    }
}

impl Argument {
    pub const fn reads(extent: AccessExtent) -> Self {
        Argument::Pointer(Pointer { access: ArgumentAccess::Read, extent, nullable: false })
    }

    pub const fn writes(extent: AccessExtent) -> Self {
        Argument::Pointer(Pointer { access: ArgumentAccess::Write, extent, nullable: false })
    }

    pub const fn updates(extent: AccessExtent) -> Self {
        Argument::Pointer(Pointer { access: ArgumentAccess::Update, extent, nullable: false })
    }

    pub const fn or_null(self) -> Self {
        match self {
            Argument::Pointer(pointer) => Argument::Pointer(Pointer { nullable: true, ..pointer }),
            other => other,
        }
    }
}

impl Demand {
    pub const fn between(argument: u8, low: i64, high: i64, errors: &'static [i32]) -> Self {
        Demand { argument, low, high, except: &[], given: None, errors }
    }

    pub const fn except(self, except: &'static [i64]) -> Self {
        Demand { except, ..self }
    }

    /// The demand is one only if this argument, a pointer, is not null.
    pub const fn if_given(self, pointer: u8) -> Self {
        Demand { given: Some(pointer), ..self }
    }

    pub fn allows(&self, number: i64) -> bool {
        (self.low..=self.high).contains(&number) && !self.except.contains(&number)
    }
}

impl CallOutcome {
    /// Whether failures of this kind are told in `errno`.
    const fn fails_with_errno(self) -> bool {
        matches!(
            self,
            CallOutcome::Status(_) | CallOutcome::CheckedStatus | CallOutcome::Count(_) | CallOutcome::Model(Some(_))
        )
    }
}
