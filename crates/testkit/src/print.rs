//! Generated programs as C text: one statement per line, complete without any header, and only what is used declared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Write};

use base::Id;

use crate::c_program::{
    ArrayVar, BareOperation, Barrier, Block, CProgram, Condition, Expr, GlobalVar, Helper, LocalVar, LoopForm, Member,
    Mutex, Operator, Place, PointerVar, Rwlock, Semaphore, Statement, Stretch, Target, Thread, UnionVar, UpdateBuiltin,
    Variable,
};

/// What the headers would declare, in the sizes of glibc on x86-64, so that no preprocessor is needed.
const PROLOGUE: &str = "\
typedef unsigned long pthread_t;
typedef union { char bytes[56]; long align; } pthread_attr_t;
typedef union { char bytes[4]; int align; } pthread_mutexattr_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
typedef union { char bytes[48]; long align; } pthread_cond_t;
typedef union { char bytes[4]; int align; } pthread_condattr_t;
typedef union { char bytes[56]; long align; } pthread_rwlock_t;
typedef union { char bytes[32]; long align; } pthread_barrier_t;
typedef union { char bytes[4]; int align; } pthread_barrierattr_t;
typedef union { char bytes[32]; long align; } sem_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_detach(pthread_t);
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutex_destroy(pthread_mutex_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_cond_signal(pthread_cond_t *);
extern int pthread_cond_broadcast(pthread_cond_t *);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
extern int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
extern int pthread_barrier_wait(pthread_barrier_t *);
union words { int ints[2]; short shorts[4]; unsigned char bytes[8]; };
extern void *memset(void *, int, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memmove(void *, const void *, unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
extern int sem_init(sem_t *, int, unsigned);
extern int sem_wait(sem_t *);
extern int sem_post(sem_t *);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
";

impl Display for CProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let main = main_function(self);
        let functions = used_functions(self, &main);
        let shared: BTreeSet<Name> = functions.iter().flat_map(|function| &function.mentioned).copied().collect();
        let in_main = main.mentioned.iter().filter(|name| !matches!(name, Name::Handle(_))).copied();
        f.write_str(PROLOGUE)?;
        for name in shared.iter().copied().chain(in_main).collect::<BTreeSet<Name>>() {
            f.write_str(&declaration(self, name))?;
        }
        functions.iter().try_for_each(|function| f.write_str(&function.text))?;
        f.write_str(&main.with_handles(&shared))
    }
}

/// The functions that `main` starts or calls, directly or not: each stands behind those that it mentions.
fn used_functions(program: &CProgram, main: &Printed) -> Vec<Printed> {
    let mut helpers: BTreeMap<Helper, Printed> = BTreeMap::new();
    let mut threads: BTreeMap<Thread, Printed> = BTreeMap::new();
    let mut called: Vec<Helper> = main.called.iter().copied().collect();
    let mut started: Vec<Thread> = main.started();
    loop {
        let printed = if let Some(id) = called.pop() {
            helpers.entry(id).or_insert_with(|| helper_function(program, id))
        } else if let Some(id) = started.pop() {
            threads.entry(id).or_insert_with(|| thread_function(program, id))
        } else {
            // A thread starts only threads with greater numbers.
            return helpers.into_values().chain(threads.into_values().rev()).collect();
        };
        let (more_called, more_started) = (printed.called.clone(), printed.started());
        called.extend(more_called.into_iter().filter(|id| !helpers.contains_key(id)));
        started.extend(more_started.into_iter().filter(|id| !threads.contains_key(id)));
    }
}

/// Whatever has a declaration. The order is that of the declarations: a pointer stands behind what it points to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Global(GlobalVar),
    Array(ArrayVar),
    Union(UnionVar),
    Pointer(PointerVar),
    Mutex(Mutex),
    Condition(Condition),
    Semaphore(Semaphore),
    Rwlock(Rwlock),
    Barrier(Barrier),
    Handle(Thread),
}

fn declaration(program: &CProgram, name: Name) -> String {
    match name {
        Name::Global(id) => match program.globals[id.index()] {
            0 => format!("int {id};\n"),
            value => format!("int {id} = {value};\n"),
        },
        Name::Array(id) => {
            let values = &program.arrays[id.index()];
            let items: Vec<String> = values.iter().map(i32::to_string).collect();
            format!("int {id}[{}] = {{{}}};\n", values.len(), items.join(", "))
        }
        Name::Union(id) => format!("union words {id} = {{{{{}}}}};\n", program.unions[id.index()]),
        Name::Pointer(id) => {
            format!("int *{id} = {};\n", BodyPrinter::new(program).target(&program.pointers[id.index()]))
        }
        Name::Mutex(id) => format!("pthread_mutex_t {id};\n"),
        Name::Condition(id) => format!("pthread_cond_t {id};\n"),
        Name::Semaphore(id) => format!("sem_t {id};\n"),
        Name::Rwlock(id) => format!("pthread_rwlock_t {id};\n"),
        Name::Barrier(id) => format!("pthread_barrier_t {id};\n"),
        Name::Handle(id) => format!("pthread_t {};\n", handle(id)),
    }
}

/// A function's text and the shared names in it.
struct Printed {
    text: String,
    mentioned: BTreeSet<Name>,
    called: BTreeSet<Helper>,
}

impl Printed {
    fn started(&self) -> Vec<Thread> {
        let handles = self.mentioned.iter();
        handles.filter_map(|name| if let Name::Handle(thread) = name { Some(*thread) } else { None }).collect()
    }

    /// `main` keeps the handles that no other function uses in its own variables.
    fn with_handles(&self, shared: &BTreeSet<Name>) -> String {
        let own = self.mentioned.difference(shared).filter_map(|name| match name {
            Name::Handle(thread) => Some(format!("    pthread_t {};\n", handle(*thread))),
            _ => None,
        });
        self.text.replacen("{\n", &format!("{{\n{}", own.collect::<String>()), 1)
    }
}

fn helper_function(program: &CProgram, id: Helper) -> Printed {
    let helper = &program.helpers[id.index()];
    let mut printer = BodyPrinter::new(program);
    let parameters: Vec<String> = (0..helper.parameters).map(|index| format!("int {}", LocalVar(index))).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    printer.block(&helper.body);
    let result = printer.expression(&helper.result);
    printer.line(format!("return {result};"));
    printer.finish(&format!("int {}({parameters})", helper_name(program, id)), helper.parameters)
}

fn helper_name(program: &CProgram, id: Helper) -> String {
    let prefix = if program.helpers[id.index()].atomic { "__VERIFIER_atomic_" } else { "" };
    format!("{prefix}{id}")
}

fn thread_function(program: &CProgram, id: Thread) -> Printed {
    let mut printer = BodyPrinter::new(program);
    printer.block(&program.threads[id.index()]);
    printer.line("return 0;");
    printer.finish(&format!("void *{id}(void *arg)"), 0)
}

fn main_function(program: &CProgram) -> Printed {
    let mut printer = BodyPrinter::new(program);
    for (index, value) in program.semaphores.iter().enumerate() {
        let semaphore = printer.name(Semaphore::new(index), Name::Semaphore);
        printer.line(format!("sem_init(&{semaphore}, 0, {value});"));
    }
    for (index, count) in program.barriers.iter().enumerate() {
        let barrier = printer.name(Barrier::new(index), Name::Barrier);
        printer.line(format!("pthread_barrier_init(&{barrier}, 0, {count});"));
    }
    printer.block(&program.main);
    printer.line("return 0;");
    printer.finish("int main(void)", 0)
}

fn handle(thread: Thread) -> String {
    format!("handle{}", thread.0)
}

/// Prints one function body.
struct BodyPrinter<'a> {
    program: &'a CProgram,
    text: String,
    depth: usize,
    /// Loops around the current statement: each has a counter of its own.
    loops: u32,
    locals: BTreeSet<LocalVar>,
    mentioned: BTreeSet<Name>,
    called: BTreeSet<Helper>,
}

impl<'a> BodyPrinter<'a> {
    fn new(program: &'a CProgram) -> Self {
        let (locals, mentioned, called) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Self { program, text: String::new(), depth: 1, loops: 0, locals, mentioned, called }
    }

    fn finish(self, head: &str, parameters: u32) -> Printed {
        let locals = self.locals.iter().filter(|local| local.0 >= parameters);
        let locals: String = locals.map(|local| format!("    int {local} = 0;\n")).collect();
        let text = format!("{head} {{\n{locals}{}}}\n", self.text);
        Printed { text, mentioned: self.mentioned, called: self.called }
    }

    fn line(&mut self, text: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = 4 * self.depth);
    }

    fn name<I: Display + Copy>(&mut self, id: I, kind: impl Fn(I) -> Name) -> I {
        self.mentioned.insert(kind(id));
        id
    }

    fn braced(&mut self, head: impl Display, body: &Block, tail: impl Display) {
        self.line(format!("{head} {{"));
        self.indented(body);
        self.line(format!("}}{tail}"));
    }

    fn indented(&mut self, body: &Block) {
        self.depth += 1;
        self.block(body);
        self.depth -= 1;
    }

    fn block(&mut self, statements: &Block) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(place, value) => {
                let text = format!("{} = {};", self.place(place), self.expression(value));
                self.line(text);
            }
            Statement::Compound(place, operator, value) => {
                let text = format!("{} {}= {};", self.place(place), operator.symbol(), self.expression(value));
                self.line(text);
            }
            Statement::Increment(place) => {
                let text = self.place(place);
                // `*p++` would move the pointer.
                self.line(if text.starts_with('*') { format!("({text})++;") } else { format!("{text}++;") });
            }
            Statement::Point(pointer, target) => {
                let text = format!("{} = {};", self.pointer(*pointer), self.target(target));
                self.line(text);
            }
            Statement::Fill { target, length, value } => {
                let text = format!("memset({}, {}, {length});", self.stretch(*target), self.expression(value));
                self.line(text);
            }
            Statement::Copy { target, source, length } => {
                let function = if target.variable == source.variable { "memmove" } else { "memcpy" };
                let text = format!("{function}({}, {}, {length});", self.stretch(*target), self.stretch(*source));
                self.line(text);
            }
            Statement::Free(pointer) => {
                let pointer = self.pointer(*pointer);
                self.line(format!("free({pointer});"));
            }
            Statement::If { condition, then, otherwise } => {
                let head = format!("if ({})", self.expression(condition));
                self.braced(head, then, "");
                if !otherwise.is_empty() {
                    self.braced("else", otherwise, "");
                }
            }
            Statement::Loop { form, rounds, condition, body } => self.counted_loop(*form, *rounds, condition, body),
            Statement::Spin(condition) => {
                let text = format!("while (!{}) ;", self.expression(condition));
                self.line(text);
            }
            Statement::Break => self.line("break;"),
            Statement::Return => self.line("return 0;"),
            Statement::Assume(condition) => {
                let text = format!("__VERIFIER_assume({});", self.expression(condition));
                self.line(text);
            }
            Statement::Assert(condition) => {
                let text = self.expression(condition);
                self.line(format!("if (!{text}) __assert_fail(\"{text}\", \"generated.c\", 1, \"f\");"));
            }
            Statement::Call(helper, arguments) => {
                let text = self.call(*helper, arguments);
                self.line(format!("{text};"));
            }
            Statement::Create(thread) => {
                self.mentioned.insert(Name::Handle(*thread));
                self.line(format!("pthread_create(&{}, 0, {thread}, 0);", handle(*thread)));
            }
            Statement::Join(thread) => {
                self.mentioned.insert(Name::Handle(*thread));
                self.line(format!("pthread_join({}, 0);", handle(*thread)));
            }
            Statement::Detach(thread) => {
                self.mentioned.insert(Name::Handle(*thread));
                self.line(format!("pthread_detach({});", handle(*thread)));
            }
            Statement::Bare(operation, mutex) => {
                let mutex = self.name(*mutex, Name::Mutex);
                self.line(match operation {
                    BareOperation::Lock => format!("pthread_mutex_lock(&{mutex});"),
                    BareOperation::Unlock => format!("pthread_mutex_unlock(&{mutex});"),
                    BareOperation::Initialise => format!("pthread_mutex_init(&{mutex}, 0);"),
                    BareOperation::Destroy => format!("pthread_mutex_destroy(&{mutex});"),
                });
            }
            synchronised => self.synchronisation(synchronised),
        }
    }

    fn counted_loop(&mut self, form: LoopForm, rounds: u32, condition: &Option<Expr>, body: &Block) {
        let counter = format!("i{}", self.loops);
        let mut test = format!("{counter} < {rounds}");
        if let Some(condition) = condition {
            let _ = write!(test, " && {}", self.expression(condition));
        }
        self.loops += 1;
        match form {
            LoopForm::For => self.braced(format!("for (int {counter} = 0; {test}; {counter}++)"), body, ""),
            LoopForm::While => {
                self.line(format!("int {counter} = 0;"));
                self.line(format!("while ({test}) {{"));
                self.depth += 1;
                self.line(format!("{counter}++;"));
                self.block(body);
                self.depth -= 1;
                self.line("}");
            }
            LoopForm::DoWhile => {
                self.line(format!("int {counter} = 0;"));
                self.line("do {");
                self.depth += 1;
                self.line(format!("{counter}++;"));
                self.block(body);
                self.depth -= 1;
                self.line(format!("}} while ({test});"));
            }
        }
    }

    fn synchronisation(&mut self, statement: &Statement) {
        match statement {
            Statement::Atomic(body) => {
                self.line("__VERIFIER_atomic_begin();");
                self.block(body);
                self.line("__VERIFIER_atomic_end();");
            }
            Statement::Locked(mutex, body) => {
                self.lock(*mutex);
                self.block(body);
                self.unlock(*mutex);
            }
            Statement::Misnested { mutexes: (outer, inner), first, second, third } => {
                self.lock(*outer);
                self.block(first);
                self.lock(*inner);
                self.block(second);
                self.unlock(*outer);
                self.block(third);
                self.unlock(*inner);
            }
            Statement::TryLocked(mutex, body) => {
                let mutex = self.name(*mutex, Name::Mutex);
                self.line(format!("if (pthread_mutex_trylock(&{mutex}) == 0) {{"));
                self.indented(body);
                self.depth += 1;
                self.unlock(mutex);
                self.depth -= 1;
                self.line("}");
            }
            Statement::ReadLocked(lock, body) => self.rwlocked("rdlock", *lock, body),
            Statement::WriteLocked(lock, body) => self.rwlocked("wrlock", *lock, body),
            Statement::WaitFor { mutex, event, again, condition, body } => {
                let event = self.name(*event, Name::Condition);
                let keyword = if *again { "while" } else { "if" };
                self.lock(*mutex);
                let condition = self.expression(condition);
                self.line(format!("{keyword} (!{condition}) pthread_cond_wait(&{event}, &{mutex});"));
                self.block(body);
                self.unlock(*mutex);
            }
            Statement::Notify { mutex, event, broadcast, body } => {
                let event = self.name(*event, Name::Condition);
                self.lock(*mutex);
                self.block(body);
                self.line(format!("pthread_cond_{}(&{event});", if *broadcast { "broadcast" } else { "signal" }));
                self.unlock(*mutex);
            }
            Statement::SemaphoreWait(semaphore) => {
                let semaphore = self.name(*semaphore, Name::Semaphore);
                self.line(format!("sem_wait(&{semaphore});"));
            }
            Statement::SemaphorePost(semaphore) => {
                let semaphore = self.name(*semaphore, Name::Semaphore);
                self.line(format!("sem_post(&{semaphore});"));
            }
            Statement::BarrierWait(barrier) => {
                let barrier = self.name(*barrier, Name::Barrier);
                self.line(format!("pthread_barrier_wait(&{barrier});"));
            }
            other => unreachable!("{other:?} should be printed with the plain statements"),
        }
    }

    fn lock(&mut self, mutex: Mutex) {
        let mutex = self.name(mutex, Name::Mutex);
        self.line(format!("pthread_mutex_lock(&{mutex});"));
    }

    fn unlock(&mut self, mutex: Mutex) {
        self.line(format!("pthread_mutex_unlock(&{mutex});"));
    }

    fn rwlocked(&mut self, how: &str, lock: Rwlock, body: &Block) {
        let lock = self.name(lock, Name::Rwlock);
        self.line(format!("pthread_rwlock_{how}(&{lock});"));
        self.block(body);
        self.line(format!("pthread_rwlock_unlock(&{lock});"));
    }

    fn place(&mut self, place: &Place) -> String {
        match place {
            Place::Global(id) => self.name(*id, Name::Global).to_string(),
            Place::Local(id) => {
                self.locals.insert(*id);
                id.to_string()
            }
            Place::Element(array, index) => self.element(*array, index),
            Place::Anywhere(array, index) => {
                format!("{}[{}]", self.name(*array, Name::Array), self.expression(index))
            }
            Place::Behind(pointer) => format!("*{}", self.pointer(*pointer)),
            Place::Piece(id, member, index) => {
                let id = self.name(*id, Name::Union);
                let (member, mask) = match member {
                    Member::Ints => ("ints", 1),
                    Member::Shorts => ("shorts", 3),
                    Member::Bytes => ("bytes", 7),
                };
                match &**index {
                    Expr::Constant(value) => format!("{id}.{member}[{}]", value & mask),
                    computed => format!("{id}.{member}[{} & {mask}]", self.expression(computed)),
                }
            }
        }
    }

    fn stretch(&mut self, Stretch { variable, offset }: Stretch) -> String {
        match variable {
            Variable::Union(id) => format!("(char *)&{} + {offset}", self.name(id, Name::Union)),
            Variable::Global(id) => format!("(char *)&{} + {offset}", self.name(id, Name::Global)),
        }
    }

    /// A pointer's declaration mentions what it points to at the start.
    fn pointer(&mut self, id: PointerVar) -> PointerVar {
        if self.mentioned.insert(Name::Pointer(id)) {
            let program = self.program;
            self.target(&program.pointers[id.index()]);
        }
        id
    }

    fn element(&mut self, array: ArrayVar, index: &Expr) -> String {
        let array = self.name(array, Name::Array);
        match index {
            Expr::Constant(value) => format!("{array}[{value}]"),
            computed => {
                let mask = self.program.arrays[array.index()].len() - 1;
                format!("{array}[{} & {mask}]", self.expression(computed))
            }
        }
    }

    fn target(&mut self, target: &Target) -> String {
        match target {
            Target::Global(id) => format!("&{}", self.name(*id, Name::Global)),
            Target::Element(array, index) => format!("&{}", self.element(*array, index)),
            Target::Same(pointer) => self.pointer(*pointer).to_string(),
            Target::Null => "0".to_owned(),
            Target::Fresh => "calloc(1, sizeof(int))".to_owned(),
            Target::Grown(pointer) => format!("realloc({}, 2 * sizeof(int))", self.pointer(*pointer)),
            Target::Own(local) => {
                self.locals.insert(*local);
                format!("&{local}")
            }
        }
    }

    fn call(&mut self, helper: Helper, arguments: &[Expr]) -> String {
        self.called.insert(helper);
        let arguments: Vec<String> = arguments.iter().map(|argument| self.expression(argument)).collect();
        format!("{}({})", helper_name(self.program, helper), arguments.join(", "))
    }

    /// The text of an expression that can stand anywhere without further parentheses.
    fn expression(&mut self, expression: &Expr) -> String {
        match expression {
            Expr::Constant(value) if *value < 0 => format!("({value})"),
            Expr::Constant(value) => value.to_string(),
            Expr::Place(place) => self.place(place),
            Expr::Input { mask } => format!("(__VERIFIER_nondet_int() & {mask})"),
            Expr::Not(operand) => format!("(!{})", self.expression(operand)),
            Expr::Binary(operator @ (Operator::ShiftLeft | Operator::ShiftRight), left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                format!("({left} {} ({right} & 3))", operator.symbol())
            }
            Expr::Binary(
                operator @ (Operator::Mean | Operator::TenthLess | Operator::QuotientIsSmall),
                left,
                right,
            ) => {
                let (left, right, symbol) = (self.expression(left), self.expression(right), operator.symbol());
                match operator {
                    Operator::Mean => format!("(int)(((double){left} {symbol} {right}) / 2)"),
                    Operator::TenthLess => format!("(int)((float){left} * 0.1f {symbol} (float){right} * 0.5f)"),
                    _ => format!("((float){left} {symbol} {right} < 0.5f)"),
                }
            }
            Expr::Binary(operator @ Operator::Hash, left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                format!("(int)((unsigned){left} * 33u {} (unsigned char){right})", operator.symbol())
            }
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                format!("({left} {} {right})", operator.symbol())
            }
            Expr::Conditional(condition, then, otherwise) => {
                let condition = self.expression(condition);
                format!("({condition} ? {} : {})", self.expression(then), self.expression(otherwise))
            }
            Expr::Call(helper, arguments) => self.call(*helper, arguments),
            Expr::AtomicLoad(place) => format!("__atomic_load_n(&{}, 5)", self.place(place)),
            Expr::Update(builtin, place, value) => {
                let (place, value) = (self.place(place), self.expression(value));
                match builtin {
                    UpdateBuiltin::SyncFetchAndAdd => format!("__sync_fetch_and_add(&{place}, {value})"),
                    UpdateBuiltin::SyncSubAndFetch => format!("__sync_sub_and_fetch(&{place}, {value})"),
                    ordered => format!("__atomic_{}(&{place}, {value}, 5)", ordered_name(*ordered)),
                }
            }
            Expr::Swap { gives_success, place, expected, desired } => {
                let kind = if *gives_success { "bool" } else { "val" };
                let place = self.place(place);
                let (expected, desired) = (self.expression(expected), self.expression(desired));
                format!("__sync_{kind}_compare_and_swap(&{place}, {expected}, {desired})")
            }
        }
    }
}

fn ordered_name(builtin: UpdateBuiltin) -> &'static str {
    match builtin {
        UpdateBuiltin::FetchAdd | UpdateBuiltin::SyncFetchAndAdd => "fetch_add",
        UpdateBuiltin::AddFetch => "add_fetch",
        UpdateBuiltin::FetchSub | UpdateBuiltin::SyncSubAndFetch => "fetch_sub",
        UpdateBuiltin::FetchOr => "fetch_or",
        UpdateBuiltin::FetchAnd => "fetch_and",
        UpdateBuiltin::FetchXor => "fetch_xor",
        UpdateBuiltin::Exchange => "exchange_n",
    }
}
