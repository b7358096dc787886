//! Generated programs as C text: one statement per line, complete without any header, and only what is used declared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Write};

use base::Id;
use program::DataModel;

use crate::c_program::{
    ArrayVar, AtomicVar, BareOperation, Barrier, Block, CExpr, CNode, COperator, CPlace, CProgram, CTarget, CVariable,
    Condition, GlobalVar, Helper, LocalVar, LockKind, LockOrigin, LoopForm, Mutex, NodeTarget, NodeVar, PointerVar,
    ReferenceCopy, ReferenceVar, Rwlock, Semaphore, Statement, Stretch, Thread, ThreadArgument, ThreadStart,
    TryAcquire, UnionMember, UnionVar, UpdateBuiltin,
};
use crate::expectation::ExpectationOptions;

/// What the headers would declare, in the sizes of glibc on x86-64, so that no preprocessor is needed.
const PROLOGUE: &str = "\
typedef unsigned long pthread_t;
typedef union { char bytes[56]; long align; } pthread_attr_t;
typedef union { char bytes[4]; int align; } pthread_mutexattr_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
typedef union { char bytes[48]; long align; } pthread_cond_t;
typedef union { char bytes[4]; int align; } pthread_condattr_t;
typedef union { char bytes[56]; long align; } pthread_rwlock_t;
typedef union { char bytes[8]; long align; } pthread_rwlockattr_t;
typedef union { char bytes[32]; long align; } pthread_barrier_t;
typedef union { char bytes[4]; int align; } pthread_barrierattr_t;
typedef union { char bytes[32]; long align; } sem_t;
struct timespec { long tv_sec, tv_nsec; };
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_detach(pthread_t);
extern int pthread_mutexattr_init(pthread_mutexattr_t *);
extern int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutex_destroy(pthread_mutex_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
extern int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_cond_signal(pthread_cond_t *);
extern int pthread_cond_broadcast(pthread_cond_t *);
extern int pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *);
extern int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
extern int pthread_rwlock_trywrlock(pthread_rwlock_t *);
extern int pthread_rwlock_timedrdlock(pthread_rwlock_t *, const struct timespec *);
extern int pthread_rwlock_timedwrlock(pthread_rwlock_t *, const struct timespec *);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
extern int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
extern int pthread_barrier_wait(pthread_barrier_t *);
union reference { int *pointer; unsigned long number; unsigned halves[2]; };
struct node { int value; struct node *next; };
union words { int ints[2]; short shorts[4]; unsigned char bytes[8]; };
extern void *memset(void *, int, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memmove(void *, const void *, unsigned long);
extern char *getenv(const char *);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
extern int sem_init(sem_t *, int, unsigned);
extern int sem_wait(sem_t *);
extern int sem_trywait(sem_t *);
extern int sem_timedwait(sem_t *, const struct timespec *);
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
        let shared: BTreeSet<DeclaredName> =
            functions.iter().flat_map(|function| &function.mentioned).copied().collect();
        let in_main = main.mentioned.iter().filter(|name| !matches!(name, DeclaredName::Handle(_))).copied();
        let mut used: BTreeSet<DeclaredName> = shared.iter().copied().chain(in_main).collect();
        let setup = lock_setup(self, &mut used);
        write_options(self, f)?;
        f.write_str(PROLOGUE)?;
        used.iter().try_for_each(|name| f.write_str(&declaration(self, *name)))?;
        if used.contains(&DeclaredName::Table) {
            f.write_str(&table_declaration(self))?;
        }
        functions.iter().try_for_each(|function| f.write_str(&function.text))?;
        f.write_str(&main.with_handles(&shared, &setup, self.options.failures.creation))
    }
}

fn write_options(program: &CProgram, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let ExpectationOptions { no_spurious_wake_ups, failures, data_model } = program.options;
    let options = [
        (no_spurious_wake_ups, "no-spurious-wakeups"),
        (failures.allocation, "malloc-may-fail"),
        (failures.creation, "create-may-fail"),
        (data_model == DataModel::Ilp32, "ilp32"),
    ];
    options.into_iter().filter(|(is_set, _)| *is_set).try_for_each(|(_, name)| writeln!(f, "// OPTION {name}"))
}

/// The table of functions, with prototypes of all that may be in it.
fn table_declaration(program: &CProgram) -> String {
    let entries = program.table.iter();
    let names: Vec<String> =
        entries.map(|entry| entry.map_or("0".to_owned(), |helper| helper_name(program, helper))).collect();
    let helpers = (0..program.helpers.len()).map(Helper::new);
    let prototypes: String = helpers.map(|helper| format!("int {}(int);\n", helper_name(program, helper))).collect();
    format!("{prototypes}int (*table[{}])(int) = {{{}}};\n", names.len(), names.join(", "))
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
            let id = program.start(id).runs;
            threads.entry(id).or_insert_with(|| thread_function(program, id))
        } else {
            // A thread starts only threads with greater numbers.
            return helpers.into_values().chain(threads.into_values().rev()).collect();
        };
        let (more_called, more_started) = (printed.called.clone(), printed.started());
        called.extend(more_called.into_iter().filter(|id| !helpers.contains_key(id)));
        let is_new = |id: &Thread| !threads.contains_key(&program.start(*id).runs);
        started.extend(more_started.into_iter().filter(is_new));
    }
}

/// Whatever has a declaration. The order is that of the declarations: a pointer stands behind what it points to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DeclaredName {
    Global(GlobalVar),
    Array(ArrayVar),
    Union(UnionVar),
    Atomic(AtomicVar),
    /// The global structure.
    Object,
    Node(NodeVar),
    Pointer(PointerVar),
    Reference(ReferenceVar),
    /// The time limit of all operations that have one.
    Soon,
    Table,
    /// What a lock is copied from.
    Template(u8),
    Mutex(Mutex),
    Condition(Condition),
    Semaphore(Semaphore),
    Rwlock(Rwlock),
    Barrier(Barrier),
    Handle(Thread),
}

fn declaration(program: &CProgram, name: DeclaredName) -> String {
    match name {
        DeclaredName::Global(id) => match program.globals[id.index()] {
            0 => format!("int {id};\n"),
            value => format!("int {id} = {value};\n"),
        },
        DeclaredName::Array(id) => {
            let values = &program.arrays[id.index()];
            let items: Vec<String> = values.iter().map(i32::to_string).collect();
            format!("int {id}[{}] = {{{}}};\n", values.len(), items.join(", "))
        }
        DeclaredName::Union(id) => format!("union words {id} = {{{{{}}}}};\n", program.unions[id.index()]),
        DeclaredName::Pointer(id) => {
            format!("int *{id} = {};\n", BodyPrinter::new(program).target(&program.pointers[id.index()]))
        }
        DeclaredName::Atomic(id) => format!("_Atomic int {id} = {};\n", program.atomics[id.index()]),
        DeclaredName::Object => "struct node object;\n".to_owned(),
        DeclaredName::Node(id) => format!("struct node *{id} = &object;\n"),
        DeclaredName::Reference(id) => format!("union reference {id} = {{&{}}};\n", GlobalVar(0)),
        DeclaredName::Soon => "const struct timespec soon = {1, 0};\n".to_owned(),
        // Stands behind the prototypes of its entries.
        DeclaredName::Table => String::new(),
        DeclaredName::Template(kind) => format!("pthread_mutex_t template{kind} = {};\n", initialiser(kind)),
        DeclaredName::Mutex(id) => lock_declaration("mutex", id, program.mutex(id)),
        DeclaredName::Condition(id) => lock_declaration("cond", id, program.condition(id)),
        DeclaredName::Semaphore(id) => format!("sem_t {id};\n"),
        DeclaredName::Rwlock(id) => lock_declaration("rwlock", id, program.rwlock(id)),
        DeclaredName::Barrier(id) => format!("pthread_barrier_t {id};\n"),
        DeclaredName::Handle(id) => format!("pthread_t {};\n", handle(id)),
    }
}

/// The static initialiser of a mutex; its kind is where glibc has it.
fn initialiser(kind: u8) -> String {
    if kind == 0 { "{{0}}".to_owned() } else { format!("{{{{[16] = {kind}}}}}") }
}

fn lock_declaration(object: &str, id: impl Display, origin: LockOrigin) -> String {
    match origin {
        LockOrigin::Static(kind) => format!("pthread_{object}_t {id} = {};\n", initialiser(kind.number())),
        LockOrigin::Member => format!("struct {{ int before; pthread_{object}_t lock; }} box_{id};\n"),
        LockOrigin::Element => format!("pthread_{object}_t row_{id}[2];\n"),
        origin if origin.is_behind_pointer() => format!("pthread_{object}_t *{id};\n"),
        _ => format!("pthread_{object}_t {id};\n"),
    }
}

/// What `main` does to make the locks that are used, which may need further declarations.
fn lock_setup(program: &CProgram, used: &mut BTreeSet<DeclaredName>) -> String {
    let mut lines = Vec::new();
    for name in used.clone() {
        let (object, id, origin) = match name {
            DeclaredName::Mutex(id) => ("mutex", id.to_string(), program.mutex(id)),
            DeclaredName::Condition(id) => ("cond", id.to_string(), program.condition(id)),
            DeclaredName::Rwlock(id) => ("rwlock", id.to_string(), program.rwlock(id)),
            _ => continue,
        };
        if let LockOrigin::Copied(kind) | LockOrigin::HeapCopied(kind) = origin {
            used.insert(DeclaredName::Template(kind.number()));
        }
        lines.extend(lock_setup_lines(object, &id, origin));
    }
    lines.into_iter().map(|line| format!("    {line}\n")).collect()
}

fn lock_setup_lines(object: &str, id: &str, origin: LockOrigin) -> Vec<String> {
    let initialise = |address: String, kind: LockKind| {
        if kind == LockKind::Normal {
            return vec![format!("pthread_{object}_init({address}, 0);")];
        }
        vec![
            format!("pthread_{object}attr_t attr_{id};"),
            format!("pthread_{object}attr_init(&attr_{id});"),
            format!("pthread_{object}attr_settype(&attr_{id}, {});", kind.number()),
            format!("pthread_{object}_init({address}, &attr_{id});"),
        ]
    };
    let allocate = format!("{id} = malloc(sizeof *{id});");
    let after = |first: String, rest: Vec<String>| [first].into_iter().chain(rest).collect();
    match origin {
        LockOrigin::Zeroed | LockOrigin::Static(_) | LockOrigin::Member | LockOrigin::Element => Vec::new(),
        LockOrigin::Attributes(kind) => initialise(format!("&{id}"), kind),
        LockOrigin::Filled => vec![format!("memset(&{id}, 0, sizeof {id});")],
        LockOrigin::Copied(kind) => vec![format!("{id} = template{};", kind.number())],
        LockOrigin::Calloc => vec![format!("{id} = calloc(1, sizeof *{id});")],
        LockOrigin::Heap(kind) => after(allocate, initialise(id.to_owned(), kind)),
        LockOrigin::HeapFilled => vec![allocate, format!("memset({id}, 0, sizeof *{id});")],
        LockOrigin::HeapCopied(kind) => vec![allocate, format!("*{id} = template{};", kind.number())],
        LockOrigin::Local(kind) => vec![
            format!("pthread_{object}_t local_{id} = {};", initialiser(kind.number())),
            format!("{id} = &local_{id};"),
        ],
        LockOrigin::LocalCall(kind) => {
            let mut lines = vec![format!("pthread_{object}_t local_{id};")];
            lines.extend(initialise(format!("&local_{id}"), kind));
            lines.push(format!("{id} = &local_{id};"));
            lines
        }
    }
}

/// What stands for the address of a lock.
fn lock_address(id: impl Display, origin: LockOrigin) -> String {
    match origin {
        LockOrigin::Member => format!("&box_{id}.lock"),
        LockOrigin::Element => format!("&row_{id}[1]"),
        origin if origin.is_behind_pointer() => id.to_string(),
        _ => format!("&{id}"),
    }
}

/// A function's text and the shared names in it.
struct Printed {
    text: String,
    mentioned: BTreeSet<DeclaredName>,
    called: BTreeSet<Helper>,
}

impl Printed {
    fn started(&self) -> Vec<Thread> {
        let handles = self.mentioned.iter();
        handles.filter_map(|name| if let DeclaredName::Handle(thread) = name { Some(*thread) } else { None }).collect()
    }

    /// `main` keeps the handles that no other function uses in its own variables.
    fn with_handles(&self, shared: &BTreeSet<DeclaredName>, setup: &str, creation_fails: bool) -> String {
        let own = self.mentioned.difference(shared).filter_map(|name| match name {
            // What a failed creation leaves of it would be anything, and the explorer tries few values.
            DeclaredName::Handle(thread) if creation_fails => Some(format!("    pthread_t {} = 0;\n", handle(*thread))),
            DeclaredName::Handle(thread) => Some(format!("    pthread_t {};\n", handle(*thread))),
            _ => None,
        });
        self.text.replacen("{\n", &format!("{{\n{}{setup}", own.collect::<String>()), 1)
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
    match program.start(id).result {
        Some(local) => {
            printer.locals.insert(local);
            printer.line(format!("return (void *)(long){local};"));
        }
        None => printer.line("return 0;"),
    }
    printer.finish(&format!("void *{id}(void *arg)"), 0)
}

fn main_function(program: &CProgram) -> Printed {
    let mut printer = BodyPrinter::new(program);
    for (index, value) in program.semaphores.iter().enumerate() {
        let semaphore = printer.name(Semaphore::new(index), DeclaredName::Semaphore);
        printer.line(format!("sem_init(&{semaphore}, 0, {value});"));
    }
    for (index, count) in program.barriers.iter().enumerate() {
        let barrier = printer.name(Barrier::new(index), DeclaredName::Barrier);
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
    mentioned: BTreeSet<DeclaredName>,
    called: BTreeSet<Helper>,
    has_own_node: bool,
}

impl<'a> BodyPrinter<'a> {
    fn new(program: &'a CProgram) -> Self {
        let (locals, mentioned, called) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Self { program, text: String::new(), depth: 1, loops: 0, locals, mentioned, called, has_own_node: false }
    }

    fn finish(self, head: &str, parameters: u32) -> Printed {
        let locals = self.locals.iter().filter(|local| local.0 >= parameters);
        let locals: String = locals.map(|local| format!("    int {local} = 0;\n")).collect();
        let own = if self.has_own_node { "    struct node own = {0};\n" } else { "" };
        let text = format!("{head} {{\n{locals}{own}{}}}\n", self.text);
        Printed { text, mentioned: self.mentioned, called: self.called }
    }

    fn line(&mut self, text: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = 4 * self.depth);
    }

    fn name<I: Display + Copy>(&mut self, id: I, kind: impl Fn(I) -> DeclaredName) -> I {
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
                let quoted = text.replace('"', "'");
                self.line(format!("if (!{text}) __assert_fail(\"{quoted}\", \"generated.c\", 1, \"f\");"));
            }
            Statement::Call(helper, arguments) => {
                let text = self.call(*helper, arguments);
                self.line(format!("{text};"));
            }
            Statement::SetEntry(index, helper) => {
                let mask = self.table_mask();
                let index = self.expression(index);
                let entry = helper.map_or("0".to_owned(), |helper| {
                    self.called.insert(helper);
                    helper_name(self.program, helper)
                });
                self.line(format!("table[{index} & {mask}] = {entry};"));
            }
            Statement::AtomicStore(place, order, value) => {
                let (place, value) = (self.place(place), self.expression(value));
                self.line(format!("__atomic_store_n(&{place}, {value}, {});", order.number()));
            }
            Statement::Fence(order) => self.line(format!("__atomic_thread_fence({});", order.number())),
            Statement::PointNode(node, target) => {
                let (node, target) = (self.node_pointer(*node), self.node_target(*target));
                self.line(format!("{node} = {target};"));
            }
            Statement::Link(node, target) => {
                let (node, target) = (self.member(*node, "next"), self.node_target(*target));
                self.line(format!("{node} = {target};"));
            }
            Statement::CopyNode(target, source) => {
                let (target, source) = (self.node(*target), self.node(*source));
                self.line(format!("{target} = {source};"));
            }
            Statement::FreeNode(node) => {
                let node = self.node_pointer(*node);
                self.line(format!("free({node});"));
            }
            Statement::Refer(reference, target) => {
                let (reference, target) = (self.reference(*reference), self.target(target));
                self.line(format!("{reference}.pointer = {target};"));
            }
            Statement::CopyReference { target, source, how } => self.copy_reference(*target, *source, *how),
            Statement::Create(thread) => self.create(*thread),
            Statement::JoinInto(thread, place) => {
                self.mentioned.insert(DeclaredName::Handle(*thread));
                let place = self.place(place);
                let join = format!("pthread_join({}, &result);", handle(*thread));
                self.line(format!("{{ void *result = 0; {join} {place} = (int)(long)result; }}"));
            }
            Statement::Join(thread) => {
                self.mentioned.insert(DeclaredName::Handle(*thread));
                self.line(format!("pthread_join({}, 0);", handle(*thread)));
            }
            Statement::Detach(thread) => {
                self.mentioned.insert(DeclaredName::Handle(*thread));
                self.line(format!("pthread_detach({});", handle(*thread)));
            }
            Statement::Bare(operation, mutex) => {
                let mutex = self.mutex(*mutex);
                self.line(match operation {
                    BareOperation::Lock => format!("pthread_mutex_lock({mutex});"),
                    BareOperation::Unlock => format!("pthread_mutex_unlock({mutex});"),
                    BareOperation::Initialise => format!("pthread_mutex_init({mutex}, 0);"),
                    BareOperation::Destroy => format!("pthread_mutex_destroy({mutex});"),
                    BareOperation::Fill => format!("memset({mutex}, 0, sizeof(pthread_mutex_t));"),
                });
            }
            synchronised => self.synchronisation(synchronised),
        }
    }

    fn create(&mut self, thread: Thread) {
        self.mentioned.insert(DeclaredName::Handle(thread));
        let ThreadStart { runs, argument, checked, .. } = self.program.start(thread);
        let argument = match argument {
            ThreadArgument::Null => "0".to_owned(),
            ThreadArgument::Number(number) => format!("(void *){number}L"),
            ThreadArgument::Pointer(target) => self.target(&target),
        };
        let call = format!("pthread_create(&{}, 0, {runs}, {argument})", handle(thread));
        self.line(if checked { format!("if ({call} != 0) return 0;") } else { format!("{call};") });
    }

    fn copy_reference(&mut self, target: ReferenceVar, source: ReferenceVar, how: ReferenceCopy) {
        let (target, source) = (self.reference(target), self.reference(source));
        let lines = match how {
            ReferenceCopy::Assignment => vec![format!("{target} = {source};")],
            ReferenceCopy::Block => vec![format!("memmove(&{target}, &{source}, 8);")],
            ReferenceCopy::Number => vec![format!("{target}.number = {source}.number;")],
            ReferenceCopy::BlockHalves => {
                [0, 4].map(|at| format!("memmove((char *)&{target} + {at}, (char *)&{source} + {at}, 4);")).to_vec()
            }
            ReferenceCopy::NumberHalves => {
                [0, 1].map(|at| format!("{target}.halves[{at}] = {source}.halves[{at}];")).to_vec()
            }
            ReferenceCopy::LowerHalf => vec![format!("{target}.halves[0] = {source}.halves[0];")],
        };
        lines.into_iter().for_each(|line| self.line(line));
    }

    /// The declaration of a reference mentions a global.
    fn reference(&mut self, id: ReferenceVar) -> ReferenceVar {
        self.mentioned.insert(DeclaredName::Global(GlobalVar(0)));
        self.name(id, DeclaredName::Reference)
    }

    fn node_pointer(&mut self, node: NodeVar) -> NodeVar {
        self.mentioned.insert(DeclaredName::Object);
        self.name(node, DeclaredName::Node)
    }

    fn node(&mut self, node: CNode) -> String {
        match node {
            CNode::Behind(pointer) => format!("*{}", self.node_pointer(pointer)),
            CNode::Global => {
                self.mentioned.insert(DeclaredName::Object);
                "object".to_owned()
            }
            CNode::Local => {
                self.has_own_node = true;
                "own".to_owned()
            }
        }
    }

    fn member(&mut self, node: CNode, member: &str) -> String {
        match node {
            CNode::Behind(pointer) => format!("{}->{member}", self.node_pointer(pointer)),
            other => format!("{}.{member}", self.node(other)),
        }
    }

    fn node_target(&mut self, target: NodeTarget) -> String {
        match target {
            NodeTarget::Null => "0".to_owned(),
            NodeTarget::Fresh => "calloc(1, sizeof(struct node))".to_owned(),
            NodeTarget::Global => format!("&{}", self.node(CNode::Global)),
            NodeTarget::Local => format!("&{}", self.node(CNode::Local)),
            NodeTarget::Same(pointer) => self.node_pointer(pointer).to_string(),
            NodeTarget::Next(node) => self.member(node, "next"),
        }
    }

    /// The mask of indices of the table, all of whose possible entries are needed.
    fn table_mask(&mut self) -> usize {
        self.mentioned.insert(DeclaredName::Table);
        self.called.extend((0..self.program.helpers.len()).map(Helper::new));
        self.program.table.len() - 1
    }

    fn counted_loop(&mut self, form: LoopForm, rounds: u32, condition: &Option<CExpr>, body: &Block) {
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
                let address = self.mutex(*mutex);
                self.line(format!("if (pthread_mutex_trylock({address}) == 0) {{"));
                self.indented(body);
                self.depth += 1;
                self.unlock(*mutex);
                self.depth -= 1;
                self.line("}");
            }
            Statement::ReadLocked(lock, body) => self.rwlocked("rdlock", *lock, body),
            Statement::WriteLocked(lock, body) => self.rwlocked("wrlock", *lock, body),
            Statement::WaitFor { mutex, event, again, condition, body } => {
                let event = self.condition(*event);
                let keyword = if *again { "while" } else { "if" };
                self.lock(*mutex);
                let (condition, address) = (self.expression(condition), self.mutex(*mutex));
                self.line(format!("{keyword} (!{condition}) pthread_cond_wait({event}, {address});"));
                self.block(body);
                self.unlock(*mutex);
            }
            Statement::Notify { mutex, event, broadcast, body } => {
                let event = self.condition(*event);
                self.lock(*mutex);
                self.block(body);
                self.line(format!("pthread_cond_{}({event});", if *broadcast { "broadcast" } else { "signal" }));
                self.unlock(*mutex);
            }
            Statement::TimedWait { mutex, event, condition, result, body } => {
                let event = self.condition(*event);
                self.locals.insert(*result);
                self.lock(*mutex);
                let (condition, address, soon) = (self.expression(condition), self.mutex(*mutex), self.soon());
                let wait = format!("pthread_cond_timedwait({event}, {address}, {soon})");
                self.line(format!("if (!{condition}) {result} = {wait};"));
                self.block(body);
                self.unlock(*mutex);
            }
            Statement::Attempt { attempt, result, then, otherwise } => {
                self.locals.insert(*result);
                let (take, give_back) = self.attempt(*attempt);
                self.line(format!("{result} = {take};"));
                self.line(format!("if ({result} == 0) {{"));
                self.indented(then);
                self.line(format!("    {give_back}"));
                self.line("}");
                if !otherwise.is_empty() {
                    self.braced("else", otherwise, "");
                }
            }
            Statement::CopyLock { target, source, by_assignment } => {
                let (target, source) = (self.mutex(*target), self.mutex(*source));
                self.line(match by_assignment {
                    true => format!("*({target}) = *({source});"),
                    false => format!("memcpy({target}, {source}, sizeof(pthread_mutex_t));"),
                });
            }
            Statement::SemaphoreWait(semaphore) => {
                let semaphore = self.name(*semaphore, DeclaredName::Semaphore);
                self.line(format!("sem_wait(&{semaphore});"));
            }
            Statement::SemaphorePost(semaphore) => {
                let semaphore = self.name(*semaphore, DeclaredName::Semaphore);
                self.line(format!("sem_post(&{semaphore});"));
            }
            Statement::BarrierWait(barrier) => {
                let barrier = self.name(*barrier, DeclaredName::Barrier);
                self.line(format!("pthread_barrier_wait(&{barrier});"));
            }
            other => unreachable!("{other:?} should be printed with the plain statements"),
        }
    }

    fn soon(&mut self) -> &'static str {
        self.mentioned.insert(DeclaredName::Soon);
        "&soon"
    }

    /// The call, and what undoes it.
    fn attempt(&mut self, attempt: TryAcquire) -> (String, String) {
        let (object, kind, address, timed) = match attempt {
            TryAcquire::Mutex { lock, timed } => ("pthread_mutex", "lock", self.mutex(lock), timed),
            TryAcquire::Read { lock, timed } => ("pthread_rwlock", "rdlock", self.reader_writer_lock(lock), timed),
            TryAcquire::Write { lock, timed } => ("pthread_rwlock", "wrlock", self.reader_writer_lock(lock), timed),
            TryAcquire::Semaphore { semaphore, timed } => {
                ("sem", "wait", format!("&{}", self.name(semaphore, DeclaredName::Semaphore)), timed)
            }
        };
        let call = match timed {
            true => format!("{object}_timed{kind}({address}, {})", self.soon()),
            false => format!("{object}_try{kind}({address})"),
        };
        (call, format!("{object}_{}({address});", if object == "sem" { "post" } else { "unlock" }))
    }

    fn mutex(&mut self, mutex: Mutex) -> String {
        let mutex = self.name(mutex, DeclaredName::Mutex);
        lock_address(mutex, self.program.mutex(mutex))
    }

    fn condition(&mut self, condition: Condition) -> String {
        let condition = self.name(condition, DeclaredName::Condition);
        lock_address(condition, self.program.condition(condition))
    }

    fn reader_writer_lock(&mut self, lock: Rwlock) -> String {
        let lock = self.name(lock, DeclaredName::Rwlock);
        lock_address(lock, self.program.rwlock(lock))
    }

    fn lock(&mut self, mutex: Mutex) {
        let mutex = self.mutex(mutex);
        self.line(format!("pthread_mutex_lock({mutex});"));
    }

    fn unlock(&mut self, mutex: Mutex) {
        let mutex = self.mutex(mutex);
        self.line(format!("pthread_mutex_unlock({mutex});"));
    }

    fn rwlocked(&mut self, how: &str, lock: Rwlock, body: &Block) {
        let lock = self.reader_writer_lock(lock);
        self.line(format!("pthread_rwlock_{how}({lock});"));
        self.block(body);
        self.line(format!("pthread_rwlock_unlock({lock});"));
    }

    fn place(&mut self, place: &CPlace) -> String {
        match place {
            CPlace::Global(id) => self.name(*id, DeclaredName::Global).to_string(),
            CPlace::Local(id) => {
                self.locals.insert(*id);
                id.to_string()
            }
            CPlace::Element(array, index) => self.element(*array, index),
            CPlace::Anywhere(array, index) => {
                format!("{}[{}]", self.name(*array, DeclaredName::Array), self.expression(index))
            }
            CPlace::Behind(pointer) => format!("*{}", self.pointer(*pointer)),
            CPlace::Atomic(id) => self.name(*id, DeclaredName::Atomic).to_string(),
            CPlace::Argument => "*(int *)arg".to_owned(),
            CPlace::Value(node) => self.member(*node, "value"),
            CPlace::Referred(id) => format!("*{}.pointer", self.reference(*id)),
            CPlace::Piece(id, member, index) => {
                let id = self.name(*id, DeclaredName::Union);
                let (member, mask) = match member {
                    UnionMember::Ints => ("ints", 1),
                    UnionMember::Shorts => ("shorts", 3),
                    UnionMember::Bytes => ("bytes", 7),
                };
                match &**index {
                    CExpr::Constant(value) => format!("{id}.{member}[{}]", value & mask),
                    computed => format!("{id}.{member}[{} & {mask}]", self.expression(computed)),
                }
            }
        }
    }

    fn stretch(&mut self, Stretch { variable, offset }: Stretch) -> String {
        match variable {
            CVariable::Union(id) => format!("(char *)&{} + {offset}", self.name(id, DeclaredName::Union)),
            CVariable::Global(id) => format!("(char *)&{} + {offset}", self.name(id, DeclaredName::Global)),
        }
    }

    /// A pointer's declaration mentions what it points to at the start.
    fn pointer(&mut self, id: PointerVar) -> PointerVar {
        if self.mentioned.insert(DeclaredName::Pointer(id)) {
            let program = self.program;
            self.target(&program.pointers[id.index()]);
        }
        id
    }

    fn element(&mut self, array: ArrayVar, index: &CExpr) -> String {
        let array = self.name(array, DeclaredName::Array);
        match index {
            CExpr::Constant(value) => format!("{array}[{value}]"),
            computed => {
                let mask = self.program.arrays[array.index()].len() - 1;
                format!("{array}[{} & {mask}]", self.expression(computed))
            }
        }
    }

    fn target(&mut self, target: &CTarget) -> String {
        match target {
            CTarget::Global(id) => format!("&{}", self.name(*id, DeclaredName::Global)),
            CTarget::Element(array, index) => format!("&{}", self.element(*array, index)),
            CTarget::Same(pointer) => self.pointer(*pointer).to_string(),
            CTarget::Null => "0".to_owned(),
            CTarget::Fresh => "calloc(1, sizeof(int))".to_owned(),
            CTarget::Grown(pointer) => format!("realloc({}, 2 * sizeof(int))", self.pointer(*pointer)),
            CTarget::Own(local) => {
                self.locals.insert(*local);
                format!("&{local}")
            }
            CTarget::Value(node) => format!("&{}", self.member(*node, "value")),
            CTarget::Referred(id) => format!("{}.pointer", self.reference(*id)),
        }
    }

    fn call(&mut self, helper: Helper, arguments: &[CExpr]) -> String {
        self.called.insert(helper);
        let arguments: Vec<String> = arguments.iter().map(|argument| self.expression(argument)).collect();
        format!("{}({})", helper_name(self.program, helper), arguments.join(", "))
    }

    /// The text of an expression that can stand anywhere without further parentheses.
    fn expression(&mut self, expression: &CExpr) -> String {
        match expression {
            CExpr::Constant(value) if *value < 0 => format!("({value})"),
            CExpr::Constant(value) => value.to_string(),
            CExpr::Place(place) => self.place(place),
            CExpr::Input { mask } => format!("(__VERIFIER_nondet_int() & {mask})"),
            CExpr::Not(operand) => format!("(!{})", self.expression(operand)),
            CExpr::Binary(operator @ (COperator::ShiftLeft | COperator::ShiftRight), left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                format!("({left} {} ({right} & 3))", operator.symbol())
            }
            CExpr::Binary(
                operator @ (COperator::Mean | COperator::TenthLess | COperator::QuotientIsSmall),
                left,
                right,
            ) => {
                let (left, right, symbol) = (self.expression(left), self.expression(right), operator.symbol());
                match operator {
                    COperator::Mean => format!("(int)(((double){left} {symbol} {right}) / 2)"),
                    COperator::TenthLess => format!("(int)((float){left} * 0.1f {symbol} (float){right} * 0.5f)"),
                    _ => format!("((float){left} {symbol} {right} < 0.5f)"),
                }
            }
            CExpr::Binary(operator @ COperator::Hash, left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                format!("(int)((unsigned){left} * 33u {} (unsigned char){right})", operator.symbol())
            }
            CExpr::Binary(operator, left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                format!("({left} {} {right})", operator.symbol())
            }
            CExpr::Conditional(condition, then, otherwise) => {
                let condition = self.expression(condition);
                format!("({condition} ? {} : {})", self.expression(then), self.expression(otherwise))
            }
            CExpr::Call(helper, arguments) => self.call(*helper, arguments),
            CExpr::Dispatch(index, argument) => {
                let mask = self.table_mask();
                let (index, argument) = (self.expression(index), self.expression(argument));
                format!("table[{index} & {mask}]({argument})")
            }
            CExpr::ArgumentNumber => "(int)(long)arg".to_owned(),
            CExpr::IsSet(name) => format!("(getenv(\"{name}\") != 0)"),
            CExpr::AtomicLoad(place, order) => format!("__atomic_load_n(&{}, {})", self.place(place), order.number()),
            CExpr::OrderedSwap { place, expected, desired, orders: (success, failure) } => {
                let place = self.place(place);
                let (expected, desired) = (self.expression(expected), self.expression(desired));
                let (success, failure) = (success.number(), failure.number());
                format!(
                    "__atomic_compare_exchange_n(&{place}, &(int){{ {expected} }}, {desired}, 0, {success}, {failure})"
                )
            }
            CExpr::Update(builtin, place, order, value) => {
                let (place, value) = (self.place(place), self.expression(value));
                match builtin {
                    UpdateBuiltin::SyncFetchAndAdd => format!("__sync_fetch_and_add(&{place}, {value})"),
                    UpdateBuiltin::SyncSubAndFetch => format!("__sync_sub_and_fetch(&{place}, {value})"),
                    ordered => {
                        format!("__atomic_{}(&{place}, {value}, {})", ordered_name(*ordered), order.number())
                    }
                }
            }
            CExpr::Swap { gives_success, place, expected, desired } => {
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
