//! Small programs that use a library function as its row in the crate `library` allows, or break one demand of it.

use library::{
    AccessExtent, Argument, ArgumentAccess, CallOutcome, Demand, FunctionMeaning, Header, LibraryRow, Pointer,
};
use program::Property;

/// A program, and the answer that would be wrong.
#[derive(Clone, Debug)]
pub struct LibraryProgram {
    /// The function and what is done to it.
    pub name: String,
    pub text: String,
    pub property: Property,
    pub wrong: WrongAnswer,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrongAnswer {
    Proved,
    Violated,
}

/// What the programs of a header include, to be preprocessed once.
pub fn includes(header: &Header) -> String {
    let names = ["pthread.h", "stdio.h", "time.h", header.name];
    let lines = names.iter().map(|name| format!("#include <{name}>\n"));
    std::iter::once("#define _GNU_SOURCE\n".to_owned()).chain(lines).collect()
}

/// Objects that the calls name.
const OBJECTS: &str = "
void __VERIFIER_assert(int condition);
extern int *__errno_location(void);
static pthread_mutex_t mutex;
static pthread_rwlock_t rwlock;
static pthread_cond_t cond;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static char text[4] = \"a,b\";
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
";

/// All programs about a row.
pub fn programs(row: &LibraryRow, header: &Header) -> Vec<LibraryProgram> {
    let mut all = Vec::new();
    let right = LibraryCall::new(row);
    all.push(right.program("used well", Property::ValidDeref, WrongAnswer::Violated, header, ""));
    for (index, pointer) in row.pointers() {
        let null = LibraryCall { null: Some(index), ..right };
        match pointer.nullable {
            true => all.push(null.program("null", Property::ValidDeref, WrongAnswer::Violated, header, "")),
            false => all.push(null.program("null", Property::ValidDeref, WrongAnswer::Proved, header, "")),
        }
        if pointer.access == ArgumentAccess::Stream {
            continue;
        }
        if pointer.extent == AccessExtent::Part {
            continue;
        }
        let short = LibraryCall { short: Some(index), ..right };
        all.push(short.program("short", Property::ValidDeref, WrongAnswer::Proved, header, ""));
        let race = format!("((char *)&argument{index})[0] = 'x';");
        all.push(right.program("race", Property::NoDataRace, WrongAnswer::Proved, header, &race));
    }
    if row.hidden.is_some_and(|hidden| hidden.writes) {
        let again = format!("{};", right.text());
        all.push(right.program("called twice", Property::NoDataRace, WrongAnswer::Proved, header, &again));
    }
    if copies_text(row, header) {
        let overlap = LibraryCall { onto_itself: true, ..right };
        all.push(overlap.program("overlap", Property::ValidDeref, WrongAnswer::Proved, header, ""));
    }
    if row.uses_errno {
        let call = format!("    *__errno_location() = 0;\n    {};\n", right.text());
        let check = "    __VERIFIER_assert(*__errno_location() == 0);\n";
        let text = match can_fail(row) {
            None => format!("{call}{check}"),
            Some(success) => {
                let success = success.replacen('r', &format!("({})", right.text()), 1);
                format!("    *__errno_location() = 0;\n    if ({success}) {{\n    {check}    }}\n")
            }
        };
        all.push(right.finished("errno", Property::Assert, WrongAnswer::Proved, header, "", &text));
    }
    if let Some(success) = can_fail(row) {
        let condition = success.replacen('r', &format!("({})", right.text()), 1);
        all.push(right.asserting("failure", &condition, header));
    }
    for demand in row.demands {
        if matches!(row.result, CallOutcome::Model(_)) {
            continue;
        }
        for refused in demand.except.iter().copied().chain([demand.low - 1]) {
            let broken = LibraryCall { broken: Some((demand, refused)), ..right };
            let condition = format!("({}) == 0", broken.text());
            all.push(broken.asserting("demand", &condition, header));
        }
        if let Some(pointer) = demand.given {
            let refused = demand.except.first().copied().unwrap_or(demand.low - 1);
            let free = LibraryCall { broken: Some((demand, refused)), null: Some(usize::from(pointer)), ..right };
            let condition = format!("({}) == 0", free.text());
            all.push(LibraryProgram {
                wrong: WrongAnswer::Violated,
                ..free.asserting("no demand", &condition, header)
            });
        }
    }
    all
}

/// Whether the function writes a text that it reads elsewhere.
fn copies_text(row: &LibraryRow, header: &Header) -> bool {
    let access = |index: usize| match row.arguments.get(index) {
        Some(Argument::Pointer(pointer)) => Some(pointer.access),
        _ => None,
    };
    let is_model = header.name == "string.h" && row.meaning == FunctionMeaning::Model;
    is_model && access(0) == Some(ArgumentAccess::Write) && access(1) == Some(ArgumentAccess::Read)
}

/// The condition on the result `r` that says that a call has succeeded, if calls may fail.
fn can_fail(row: &LibraryRow) -> Option<&'static str> {
    match row.result {
        CallOutcome::Model(condition) => condition,
        CallOutcome::Status(_) => Some("r == 0"),
        CallOutcome::ErrorNumber(errors) if !errors.is_empty() && row.meaning == FunctionMeaning::Contract => {
            Some("r == 0")
        }
        _ => None,
    }
}

#[derive(Clone, Copy)]
struct LibraryCall<'r> {
    row: &'r LibraryRow,
    null: Option<usize>,
    short: Option<usize>,
    /// A demand, and a number that breaks it.
    broken: Option<(&'r Demand, i64)>,
    /// The first argument points to where the second one does.
    onto_itself: bool,
}

impl<'r> LibraryCall<'r> {
    fn new(row: &'r LibraryRow) -> Self {
        LibraryCall { row, null: None, short: None, broken: None, onto_itself: false }
    }

    fn text(&self) -> String {
        let arguments: Vec<String> =
            self.row.arguments.iter().enumerate().map(|(index, argument)| self.argument(index, argument)).collect();
        format!("{}({})", self.row.names[0], arguments.join(", "))
    }

    fn argument(&self, index: usize, argument: &Argument) -> String {
        let refused = self.broken.filter(|(demand, _)| usize::from(demand.argument) == index);
        match argument {
            Argument::Number(number) => refused.map_or(*number, |(_, refused)| refused).to_string(),
            Argument::Other(text) | Argument::Format(text) => (*text).to_owned(),
            Argument::Pointer(_) if self.null == Some(index) => "(void *)0".to_owned(),
            Argument::Pointer(Pointer { access: ArgumentAccess::Stream, .. }) => "stderr".to_owned(),
            Argument::Pointer(_) if self.onto_itself && index == 0 => "(void *)&argument1".to_owned(),
            Argument::Pointer(_) => format!("(void *)&argument{index}"),
        }
    }

    /// The objects that pointers point to.
    fn objects(&self) -> String {
        let number = |n: u8| match self.row.arguments[usize::from(n)] {
            Argument::Number(number) => number as u64,
            _ => 1,
        };
        let mut text = String::new();
        for (index, pointer) in self.row.pointers().filter(|(_, pointer)| pointer.access != ArgumentAccess::Stream) {
            let less = u64::from(self.short == Some(index));
            let declaration = match pointer.extent {
                AccessExtent::Object(ty) if less == 0 => format!("{ty} argument{index}"),
                AccessExtent::Object(ty) => format!("char argument{index}[sizeof({ty}) - 1]"),
                AccessExtent::Bytes(bytes) => format!("char argument{index}[{}]", bytes - less),
                AccessExtent::Argument(n) => format!("char argument{index}[{}]", number(n) - less),
                AccessExtent::Product(m, n) => format!("char argument{index}[{}]", number(m) * number(n) - less),
                AccessExtent::Part => format!("char argument{index}[4] = \"abc\""),
                AccessExtent::Text if pointer.access == ArgumentAccess::Read => {
                    format!("char argument{index}[{}] = \"abc\"", 4 - less)
                }
                AccessExtent::Text => format!("char argument{index}[{}]", 4 - less),
                AccessExtent::TextUpTo(n) => {
                    let length = number(n) - less;
                    format!("char argument{index}[{length}] = {{{}}}", vec!["'a'"; length as usize].join(", "))
                }
            };
            text += &format!("static __attribute__((aligned(16))) {declaration};\n");
        }
        text
    }

    fn program(
        &self,
        what: &str,
        property: Property,
        wrong: WrongAnswer,
        header: &Header,
        thread: &str,
    ) -> LibraryProgram {
        let call = format!("    {};\n", self.text());
        self.finished(what, property, wrong, header, thread, &call)
    }

    fn asserting(&self, what: &str, condition: &str, header: &Header) -> LibraryProgram {
        let check = format!("    __VERIFIER_assert({condition});\n");
        self.finished(what, Property::Assert, WrongAnswer::Proved, header, "", &check)
    }

    fn finished(
        &self,
        what: &str,
        property: Property,
        wrong: WrongAnswer,
        header: &Header,
        thread: &str,
        call: &str,
    ) -> LibraryProgram {
        let name = format!("{}: {what}", self.row.names[0]);
        let mut text = OBJECTS.to_owned();
        match header.name {
            "semaphore.h" => text += "static sem_t semaphore;\n",
            "threads.h" => text += "static mtx_t c11_mutex;\nstatic cnd_t c11_cond;\n",
            _ => {}
        }
        text += &self.objects();
        let setup = match self.row.names[0] {
            "pthread_cond_timedwait" | "pthread_cond_clockwait" => "    pthread_mutex_lock(&mutex);\n",
            "cnd_timedwait" => "    mtx_lock(&c11_mutex);\n",
            _ => "",
        };
        if thread.is_empty() {
            text += &format!("int main(void) {{\n{setup}{call}    return 0;\n}}\n");
        } else {
            text += &format!(
                "static void *thread(void *own) {{\n    {thread}\n    return 0;\n}}\nint main(void) {{\n    pthread_t \
                 other;\n{setup}    pthread_create(&other, 0, thread, 0);\n{call}    pthread_join(other, 0);\n    \
                 return 0;\n}}\n"
            );
        }
        LibraryProgram { name, text, property, wrong }
    }
}
