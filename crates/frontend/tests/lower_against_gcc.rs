//! Programs print and return the same under the interpreter as compiled by the system compiler, in both data models.
//! Where there is no compiler (or none for 32 bits) the comparison is skipped with a message.

mod lower_support;
#[path = "lower_support/records.rs"]
mod records;

use std::path::Path;
use std::process::Command;

use base::Budget;
use execute::{End, FixedChoices, RoundRobin, RunOptions, run};
use frontend::{CompileOptions, PreprocessOptions, compile};
use lower_support::{describe, well_formed};
use program::{DataModel, PropertySet, Visibility};
use records::program_with_records;

const HEADERS: &str = "#include <assert.h>\n#include <ctype.h>\n#include <errno.h>\n#include <pthread.h>\n\
    #include <semaphore.h>\n#include <stdarg.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
    #include <string.h>\n";

/// Fails unless the program prints and returns the same natively and interpreted, in both data models.
#[expect(clippy::print_stderr, reason = "a skipped comparison must be seen")]
fn same_as_native(source: &str) {
    let directory = tempfile::tempdir().expect("a temporary directory should be available");
    let file = directory.path().join("test.c");
    std::fs::write(&file, format!("{HEADERS}{source}")).expect("the test program should be writable");
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        match native(&file, directory.path(), model) {
            Some(expected) => assert_eq!(interpreted(&file, model), expected, "in {model}"),
            None => eprintln!("skipped for {model}: no system compiler for it"),
        }
    }
}

/// What was printed, and the exit status.
type Observed = (String, i32);

fn native(file: &Path, directory: &Path, model: DataModel) -> Option<Observed> {
    let binary = directory.join("test");
    let mut command = Command::new("cc");
    command.args(["-w", "-O0", "-pthread", "-o"]).arg(&binary).arg(file);
    if model == DataModel::Ilp32 {
        command.args(["-m32", "-msse2", "-mfpmath=sse"]);
    }
    let compiled = command.arg("-latomic").output().ok()?;
    if !compiled.status.success() {
        return None;
    }
    let output = Command::new(&binary).output().ok()?;
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code()?))
}

fn interpreted(file: &Path, model: DataModel) -> Observed {
    let preprocess = PreprocessOptions { ilp32: model == DataModel::Ilp32, ..PreprocessOptions::default() };
    let options = CompileOptions { data_model: model, preprocess, ..CompileOptions::default() };
    let program = match compile(&[file.to_owned()], &options) {
        Ok(compiled) => compiled.program,
        Err(failure) => panic!("{}", describe(&failure)),
    };
    well_formed(&program);
    let visibility = Visibility::new(&program);
    let options = RunOptions::new(PropertySet::EMPTY);
    let result = run(
        &program,
        &visibility,
        &options,
        &mut RoundRobin::new(1),
        &mut FixedChoices::default(),
        &Budget::unlimited(),
    );
    let output = String::from_utf8_lossy(&result.output).into_owned();
    match result.end {
        End::Finished { status, .. } => (output, status),
        other => panic!("the execution ended with {other:?} after printing {output}"),
    }
}

/// Members, bit-fields, `packed`, `aligned` on members, records and typedefs, and `#pragma pack`, in all combinations.
#[test]
fn generated_records_have_the_same_layout() {
    for seed in 1..=6 {
        same_as_native(&program_with_records(seed, 150));
    }
}

#[test]
fn integer_conversions_and_arithmetic() {
    same_as_native(
        r#"
        int main(void) {
            signed char c = -5; unsigned char u = 250; short s = -300; unsigned short us = 65000;
            int i = -7; unsigned n = 4000000000u; long l = -123456789; unsigned long ul = 3000000000ul;
            long long ll = -5000000000ll; unsigned long long ull = 0xfedcba9876543210ull;
            printf("%d %d %d\n", c + u, c * s, us << 3);
            printf("%u %d %d\n", n + i, i / 2, i % 3);
            printf("%d %d %d %d\n", i < n, (long)i < (long)n, l < ul, c < u);
            printf("%lld %llu %lld\n", ll / 7, ull / 7, ll % 1000);
            printf("%d %d %d\n", (char)300, (unsigned char)-1, (short)70000);
            printf("%d %u %lld\n", i >> 1, n >> 4, ll >> 3);
            printf("%llu %llx\n", ull << 4, ull ^ (ull >> 7));
            printf("%d %d %d\n", !i, ~i, -c);
            printf("%d\n", (_Bool)256 + (_Bool)0.5 + (_Bool)0);
            printf("%u\n", (unsigned)-1 / 2);
            i += u; i -= 3; i *= 2; i <<= 3; i |= 1; i ^= 0x55; i %= 1000; printf("%d\n", i);
            u += 10; c -= 128; us *= 3; printf("%d %d %d\n", u, c, us);
            printf("%d %d\n", u++ + ++c, us-- - --s);
            enum e { A = -1, B, C = 10 } e = C; enum f { D, E } f = E;
            printf("%d %d %d\n", e, f - 2 < 0, A < 0u);
            printf("%d %d\n", sizeof(long) > 4 ? 1 : 1, (int)sizeof(int));
            return (int)(ull % 200);
        }"#,
    );
}

#[test]
fn floating_point() {
    same_as_native(
        r#"
        float half(float x) { return x / 2; }
        int main(void) {
            double d = 1.0 / 3; float f = 0.1f; int i = -7; unsigned u = 4000000000u; long long ll = 1ll << 60;
            printf("%.17g %.9g %.9g\n", d, f, half(f));
            printf("%.17g %.9g\n", d * f, f * 3);
            printf("%d %u %lld\n", (int)-2.9, (unsigned)3e9, (long long)1e18);
            printf("%.17g %.17g %.9g\n", (double)i, (double)u, (float)ll);
            printf("%d %d %d %d\n", d < f, d >= f, d != d, f == 0.1);
            d += i; f -= 1; d++; --f; printf("%.17g %.9g\n", d, f);
            printf("%d\n", d ? 1 : 2);
            char c = 3.9; printf("%d\n", c);
            return !(0.0 == -0.0);
        }"#,
    );
}

#[test]
fn structures_unions_and_arrays() {
    same_as_native(
        r#"
        struct point { int x, y; };
        struct shape { char tag; struct point p[2]; union { int i; unsigned char b[4]; } u; double d; short s[3]; };
        struct shape global = { 'g', { { 1, 2 }, { 3, 4 } }, { 0x01020304 }, 2.5, { 7, 8, 9 } };
        struct point make(int x, int y) { struct point p = { x, y }; return p; }
        int sum(struct shape s) { s.p[0].x += 100; return s.p[0].x + s.p[1].y + s.u.b[1] + s.s[2]; }
        struct shape twice(struct shape s) { s.p[1] = make(s.p[1].x * 2, s.p[1].y * 2); return s; }
        struct nested { struct { int a, b; }; union { int c; char d[4]; }; };
        int main(void) {
            struct shape local = global, other;
            other = twice(local);
            printf("%d %d %d\n", sum(local), sum(other), local.p[0].x);
            printf("%d %d\n", make(5, 6).y, twice(global).p[1].x);
            printf("%d %d\n", (int)sizeof(struct shape), (int)__builtin_offsetof(struct shape, u.b[2]));
            struct nested n = { .b = 3, .c = 0x41424344 };
            n.a = n.b + n.d[1]; printf("%d %c\n", n.a, n.d[0]);
            int a[3][4] = { { 1 }, { [2] = 5, 6 }, 7, 8 }, *p = &a[1][0];
            printf("%d %d %d %d\n", a[0][0], p[2], p[3], a[2][1]);
            printf("%d %d\n", (int)(&a[2][3] - p), p < &a[2][0]);
            struct point *q = (struct point[]) { { 1, 2 }, { 3, 4 } };
            q++; printf("%d %d\n", q->x, (*q).y);
            char text[] = "hello", fixed[8] = "abc"; printf("%s %s %d %d\n", text, fixed, (int)sizeof text, fixed[7]);
            return global.u.b[0];
        }"#,
    );
}

#[test]
fn bit_fields() {
    same_as_native(
        r#"
        struct flags { unsigned a : 3; int b : 5; unsigned c : 10; unsigned : 0; unsigned d : 20; char e; int f : 12; };
        struct packed { char a; int b : 20; long long c : 40; } __attribute__((packed));
        struct wide { unsigned long long a : 40; long long b : 20; };
        struct flags g = { 5, -3, 1000, 70000, 'x', -100 };
        int main(void) {
            struct flags s = { 0 }; struct wide w = { 1 };
            s.a = 9; s.b = -7; s.c = g.c + 1; s.d = ~0; s.f = 2047; s.f++;
            printf("%d %d %d %d %d\n", s.a, s.b, s.c, s.d, s.f);
            printf("%d %d %d %d %c %d\n", g.a, g.b, g.c, g.d, g.e, g.f);
            printf("%d %d %d\n", (int)sizeof(struct flags), (int)sizeof(struct packed), (int)sizeof(struct wide));
            printf("%d %d\n", (s.a = 12), (s.b += 3));
            w.a = 0xffffffffffull; w.b = -5; w.a += 2; printf("%llu %lld\n", (unsigned long long)w.a, (long long)w.b);
            g = s; g.a ^= 7; printf("%d %d %d\n", g.a, g.b, g.a - 8 < 0);
            return s.a;
        }"#,
    );
}

#[test]
fn control_flow() {
    same_as_native(
        r#"
        int classify(int n) {
            switch (n) {
            case 0: return 10;
            case 1: case 2: n += 100;
            case 3: n++; break;
            case 10 ... 20: n = -n; break;
            case 1000 ... 2000: return 7;
            default: n = 5;
            }
            return n;
        }
        void duff(char *to, const char *from, int count) {
            int n = (count + 3) / 4;
            switch (count % 4) {
            case 0: do { *to++ = *from++;
            case 3: *to++ = *from++;
            case 2: *to++ = *from++;
            case 1: *to++ = *from++;
                    } while (--n > 0);
            }
        }
        int jump(int n) {
            int total = 0;
        again:
            if (n <= 0) goto out;
            { int local[2] = { n, n }; total += local[0] + local[1]; if (n == 3) { n -= 2; goto again; } }
            n--;
            goto again;
        out:
            return total;
        }
        int main(void) {
            for (int i = -1; i < 4; i++) printf("%d ", classify(i));
            printf("%d %d %d\n", classify(15), classify(1500), classify(999));
            char buffer[12] = ""; duff(buffer, "hello world", 11); printf("%s\n", buffer);
            printf("%d\n", jump(5));
            int i = 0, j = 0;
            while (1) { if (++i > 10) break; if (i % 2) continue; j += i; }
            do { j--; } while (j > 3 && i--);
            for (;;) { for (int k = 0; ; k++) { if (k == 3) goto done; j += k; } }
        done:
            printf("%d %d\n", i, j);
            int x = 0; int r = (x++ || x++) && (x++ , x > 1); printf("%d %d\n", x, r);
            int *p = 0; printf("%d %d\n", p && *p, !p || *p);
            printf("%d %s\n", x > 1 ? x : -x, x ? "yes" : "no");
            printf("%d\n", ({ int y = x; y *= 3; y + 1; }));
            printf("%d\n", x ?: 9);
            return j & 0x7f;
        }"#,
    );
}

#[test]
fn functions_and_pointers_to_them() {
    same_as_native(
        r#"
        int add(int a, int b) { return a + b; }
        int sub(int a, int b) { return a - b; }
        int (*table[])(int, int) = { add, sub, &add };
        typedef int binary(int, int);
        int apply(binary *f, int a, int b) { return (*f)(a, b); }
        int old(a, b, c) int a; char b; short *c; { return a + b + *c; }
        int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
        static int counter(void) { static int n = 5; return ++n; }
        struct ops { binary *f; int (*g)(int (*)(int, int)); };
        int use(int (*f)(int, int)) { return f(10, 3); }
        int main(void) {
            short s = 4;
            printf("%d %d %d\n", table[0](1, 2), table[1](1, 2), apply(table[2], 5, 6));
            printf("%d %d\n", old(1, 300, &s), fact(7));
            counter(); counter(); printf("%d\n", counter());
            struct ops o = { sub, use }; printf("%d %d\n", o.f(9, 4), o.g(o.f));
            int (*choose)(int, int) = s > 3 ? add : sub; printf("%d\n", choose(1, 1));
            printf("%d\n", __func__[0]);
            return apply(sub, 50, 8);
        }"#,
    );
}

#[test]
fn variadic_functions() {
    same_as_native(
        r#"
        struct pair { int a; double b; };
        double total(const char *kinds, ...) {
            va_list list, copy; double sum = 0;
            va_start(list, kinds); va_copy(copy, list);
            for (; *kinds; kinds++) switch (*kinds) {
                case 'i': sum += va_arg(list, int); break;
                case 'd': sum += va_arg(list, double); break;
                case 'l': sum += va_arg(list, long long); break;
                case 's': sum += *va_arg(list, char *); break;
                case 'p': { struct pair p = va_arg(list, struct pair); sum += p.a + p.b; } break;
            }
            sum += va_arg(copy, int);
            va_end(list); va_end(copy);
            return sum;
        }
        int count(int n, va_list list) { int s = 0; while (n-- > 0) s += va_arg(list, int); return s; }
        int forward(int n, ...) { va_list list; va_start(list, n); int s = count(n, list); va_end(list); return s; }
        int main(void) {
            struct pair p = { 3, 0.5 }; char c = 7; float f = 1.5f;
            printf("%g\n", total("idlsip", 1, 2.5, 1000000000000ll, "A", c, p));
            printf("%g %d\n", total("id", 1, f), forward(4, 1, 2, 3, 4));
            printf("%5d|%-5d|%05d|%x|%c|%%|%s|%ld|%hhd|%+d|%.3s\n", 42, 42, 42, 255, 'z', "str", -1l, 300, 5, "abcdef");
            return forward(0);
        }"#,
    );
}

#[test]
fn initialisers() {
    same_as_native(
        r#"
        struct in { int a, b; char c[4]; }; struct out { int k; struct in i[2]; int *p; const char *s; };
        int target[3] = { 10, 20, 30 };
        struct out g = { 1, { { 2, 3, "ab" }, { .b = 5, .c = { 'x', 'y' } } }, &target[1], "text" };
        struct out h = { .i[1].a = 7, .i[1].b = 8, .p = target + 2, .k = 9, .s = 1 + "skip" };
        struct out flat = { 1, 2, 3, 'a', 'b', 'c', 'd', 4, 5, "z" };
        int ranges[10] = { [2 ... 4] = 6, [8] = 1, 2 }; int unsized[] = { [5] = 1, 2 };
        long address = (long)&target[2]; unsigned char bytes[] = "a\0b";
        union u { int i; char c[4]; } un = { .c = { 1, 2, 3, 4 } };
        struct flex { int n; int data[]; } fl = { 3, { 1, 2, 3 } };
        char *names[] = { "one", "two" }, grid[2][4] = { "abc", "xy" };
        int main(void) {
            printf("%d %d %d %s %d %s %d %s\n", g.k, g.i[0].b, g.i[1].a, g.i[0].c, g.i[1].b, g.i[1].c, *g.p, g.s);
            printf("%d %d %d %s\n", h.i[1].a, h.i[1].b, *h.p, h.s);
            printf("%d %d %c %d %d %s\n", flat.i[0].a, flat.i[0].b, flat.i[0].c[3], flat.i[1].a, flat.i[1].b, flat.i[1].c);
            for (int i = 0; i < 10; i++) printf("%d ", ranges[i]);
            printf("%d %d %d %d\n", (int)sizeof unsized, unsized[6], *(int *)address, (int)sizeof bytes);
            printf("%x %d %s %s\n", un.i, fl.data[2], names[1], grid[1]);
            struct out l = { 4, { [1] = { 1, 2 } }, target }; struct in z = { 0 }; struct in c = l.i[1];
            printf("%d %d %d %d %d %d\n", l.k, l.i[0].a, l.i[1].b, *l.p, z.c[3], c.b);
            int n = 3, v[n + 1]; for (int i = 0; i <= n; i++) v[i] = i * i;
            printf("%d %d\n", v[3], (int)(sizeof v / sizeof v[0]));
            int *heap = malloc(3 * sizeof *heap); memset(heap, 1, 12); memcpy(heap, target, 8);
            printf("%d %d %d\n", heap[0], heap[1], heap[2]); free(heap);
            return ((struct in) { 1, 2 }).b;
        }"#,
    );
}

#[test]
fn library_models() {
    same_as_native(
        r#"
        int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
        void bye(void) { printf("bye\n"); }
        int main(void) {
            char a[32] = "hello", *end;
            strcat(a, " world"); printf("%d %s %d\n", (int)strlen(a), strchr(a, 'w'), strcmp(a, "hello") > 0);
            printf("%d %d %ld ", atoi("  -42x"), abs(-3), strtol("0x1fz", &end, 0));
            printf("%ld %lx\n", strtol("777", 0, 8), strtoul("ff", 0, 16));
            printf("%s %d %d\n", end, isdigit('5') != 0, toupper('q'));
            int v[] = { 5, 3, 9, 1 }, key = 9; qsort(v, 4, sizeof *v, compare);
            int found = (int)((int *)bsearch(&key, v, 4, 4, compare) - v);
            printf("%d %d %d %d %d\n", v[0], v[1], v[2], v[3], found);
            printf("%d %d %d\n", memcmp("abc", "abd", 3) < 0, strncmp("abx", "aby", 2), (int)strspn("aab", "a"));
            char *copy = strdup(a); puts(copy); free(copy); putchar('!'); putchar('\n');
            printf("%d %d %d\n", __builtin_popcount(255), __builtin_clz(1), __builtin_ctz(8));
            for (char *t = strtok(a, " "); t; t = strtok(0, " ")) puts(t);
            int r, over = __builtin_add_overflow(2147483647, 1, &r); printf("%d %d ", over, r);
            over = __builtin_mul_overflow(5, 6, &r); printf("%d %d\n", over, r);
            atexit(bye);
            if (v[0] == 1) exit(3);
            return 1;
        }"#,
    );
}

#[test]
fn pragma_pack() {
    same_as_native(
        r#"
        #pragma pack(push)
        #pragma pack(1)
        struct bytes { unsigned char a; unsigned long long b; };
        struct bits { unsigned f : 5; int g : 31; short : 0; unsigned h : 3; char c; };
        #pragma pack(8)
        struct wide { unsigned f : 5; int g : 31; short s : 9; };
        #pragma pack(2)
        struct pairs { char a; int b; double d; char c; __attribute__((aligned(8))) char e; };
        #pragma pack(pop)
        struct plain { char a; int b; };
        union over { struct bytes s; unsigned short u; long long l; };
        union over v = {{0x79, 0x1122334455667788ull}};
        int main(void) {
            printf("%d %d %d %d %d\n", (int)sizeof(struct bytes), (int)sizeof(struct bits), (int)sizeof(struct pairs),
                   (int)sizeof(struct plain), (int)sizeof(union over));
            printf("%x %llx\n", v.u, v.l);
            struct bits b; memset(&b, 0, sizeof b); b.f = 21; b.g = -77; b.h = 5; b.c = 9;
            for (unsigned i = 0; i < sizeof b; i++) printf("%02x ", ((unsigned char *)&b)[i]);
            printf("%d %d\n", (int)__builtin_offsetof(struct pairs, d), (int)__builtin_offsetof(struct pairs, e));
            return 0;
        }"#,
    );
}

#[test]
fn atomics_and_threads() {
    same_as_native(
        r#"
        atomic_int count; _Atomic unsigned char small = 250; _Atomic double real = 1; atomic_flag flag = ATOMIC_FLAG_INIT;
        int plain; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; sem_t sem; pthread_once_t once = PTHREAD_ONCE_INIT;
        __thread int own = 3;
        void init(void) { plain += 1000; }
        void *work(void *arg) {
            pthread_once(&once, init);
            for (int i = 0; i < 10; i++) { pthread_mutex_lock(&m); plain++; pthread_mutex_unlock(&m); atomic_fetch_add(&count, 2); }
            own += (int)(long)arg; sem_post(&sem);
            return (void *)(long)own;
        }
        int main(void) {
            pthread_t t[3]; void *result; int sum = 0;
            sem_init(&sem, 0, 0);
            for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
            for (int i = 0; i < 3; i++) { pthread_join(t[i], &result); sum += (int)(long)result; }
            for (int i = 0; i < 3; i++) sem_wait(&sem);
            printf("%d %d %d %d\n", plain, count, sum, own);
            small += 10; real *= 2.5; count--; ++count; printf("%d %g %d\n", small, real, count);
            int expected = 5; _Bool swapped = atomic_compare_exchange_strong(&count, &expected, 1);
            printf("%d %d ", swapped, expected); printf("%d\n", atomic_exchange(&count, 9));
            int first = atomic_flag_test_and_set(&flag), second = atomic_flag_test_and_set(&flag);
            int added = __sync_add_and_fetch(&plain, 5), equal = __sync_bool_compare_and_swap(&plain, 0, 1);
            printf("%d %d %d %d\n", first, second, added, equal);
            return sem_trywait(&sem) == -1 && errno == EAGAIN;
        }"#,
    );
}

/// What initialises a range of elements is evaluated once, and what follows goes on behind the last of them.
#[test]
fn ranges_of_elements() {
    same_as_native(
        r#"
        struct pair { int x, y; };
        struct line { struct pair end; int z; };
        struct box { struct pair corner[2]; int z; };
        int ones, tens;
        int one(void) { return ++ones; }
        int ten(void) { return tens += 10; }
        struct pair both(void) { ones++; return (struct pair){ ones, -ones }; }
        void show(const char *what, const void *at, int count) {
            const int *numbers = at;
            printf("%s, %d and %d:", what, ones, tens);
            for (int i = 0; i < count; i++) printf(" %d", numbers[i]);
            printf("\n");
            ones = tens = 0;
        }
        #define SHOW(type, ...) do { type object = __VA_ARGS__; show(#__VA_ARGS__, &object, sizeof(object) / 4); } while (0)
        typedef int three[3]; typedef int four[4]; typedef int table[2][3]; typedef int rows[3][2];
        typedef struct pair pairs[3]; typedef struct line lines[3]; typedef struct box boxes[2];
        const char *texts[2] = { [0 ... 1] = "text" };
        int *numbers[2] = { [0 ... 1] = (int[]){ 3 } };
        struct holder { int *p; const char *s; } holders[2] = { [0 ... 1] = { (int[]){ 4 }, "held" } };
        int main(void) {
            SHOW(three, { [0 ... 2] = one() });
            SHOW(three, { 5, [1 ... 2] = one() });
            SHOW(three, { [0 ... 2] = one(), [1] = ten() });
            SHOW(four, { [0 ... 2] = one(), [1 ... 3] = ten() });
            SHOW(table, { [0 ... 1][0 ... 1] = one(), 5 });
            SHOW(rows, { [0 ... 1] = one(), 5, 6 });
            SHOW(pairs, { [0 ... 1].x = one(), ten(), 3 });
            SHOW(pairs, { [0 ... 1] = one(), ten(), 3 });
            SHOW(pairs, { [0 ... 1] = { one(), ten() }, 3 });
            SHOW(pairs, { [0 ... 1] = both(), 3 });
            SHOW(pairs, { [0 ... 1] = { one(), ten() }, [0] = { 1, 2 } });
            SHOW(lines, { [0 ... 1].end = both(), 7, 8 });
            SHOW(lines, { [0 ... 1].end.x = one(), 7, 8, 9 });
            SHOW(boxes, { [0 ... 1].corner[0 ... 1] = { one(), ten() }, 9 });
            SHOW(boxes, { [0 ... 1].corner[0 ... 1].y = one(), ten(), 5, 6 });
            int *same[2] = { [0 ... 1] = (int[1]){ one() } };
            printf("%d %d\n", same[0] == same[1], ones);
            printf("%d %d\n", texts[0] == texts[1], numbers[0] == numbers[1]);
            printf("%d %d\n", holders[0].p == holders[1].p, holders[0].s == holders[1].s);
            return 0;
        }"#,
    );
}

#[test]
fn types_of_conditional_expressions() {
    same_as_native(
        r#"
        #define NAME(e) printf("%s: %s\n", #e, _Generic((e), int *: "int *", void *: "void *", const int *: "const int *", \
            volatile int *: "volatile int *", const volatile int *: "const volatile int *", const void *: "const void *", \
            volatile void *: "volatile void *", const volatile void *: "const volatile void *", int (*)[3]: "int (*)[3]", \
            const int (*)[3]: "const int (*)[3]", char *: "char *", const char *: "const char *", int **: "int **", \
            int *const *: "int *const *", long: "long", int: "int", unsigned: "unsigned", default: "another"))
        enum number { NONE, SOME };
        int z, *p, **pp, *const *ppc;
        const int *c, **cc; volatile int *v; void *any; const void *anyc; char *text; _Atomic int *atomic;
        int (*open)[], (*closed)[3]; const int (*constant)[3]; int (*old)(); int (*typed)(int);
        int main(void) {
            NAME(z ? p : (void *)0); NAME(z ? p : (void *)(void *)0); NAME(z ? p : (void *)(1 - 1)); NAME(z ? p : (void *)(0, 0));
            NAME(z ? p : (void *)(z * 0)); NAME(z ? p : (void *)NONE); NAME(z ? p : (void *)(int)0.0); NAME(z ? p : (const void *)0);
            NAME(z ? p : (void *)__builtin_choose_expr(1, 0, 1)); NAME(z ? p : _Generic(1, int: (void *)0));
            NAME(z ? p : ({ (void *)0; })); NAME(z ? p : (0, (void *)0)); NAME(z ? p : (void *)(char *)0);
            NAME(z ? p : (void *)(sizeof(int) - 4)); NAME(z ? p : (void *)(0 && z)); NAME(z ? p : (void *)!1);
            NAME(z ? p : (void *)(1 ? 0 : z)); NAME(z ? p : 1 ? (void *)0 : (void *)0); NAME(z ? p : (void *)(_Bool)0);
            NAME(z ? (void *)0 : p); NAME(z ? c : p); NAME(z ? p : c); NAME(z ? c : v); NAME(z ? c : any); NAME(z ? any : v);
            NAME(z ? anyc : p); NAME(z ? anyc : v); NAME(z ? open : closed); NAME(z ? closed : open); NAME(z ? constant : closed);
            NAME(z ? any : constant); NAME(z ? p : text); NAME(z ? ppc : pp); NAME(z ? cc : pp); NAME(z ? atomic : any);
            NAME(z ? p : 0); NAME(z ? 0 : c); NAME(c ?: p); NAME(p ?: c); NAME((void *)0 ?: p); NAME((const void *)0 ?: p);
            NAME(1 ?: 2L); NAME(0 ?: 'c'); NAME(0u ?: -1); NAME(p ?: any); NAME(&z ?: c); NAME(1 ? c : p); NAME(1 ? p : c);
            NAME(0 ? p : any); NAME(0 ? any : c); NAME(z ? "a" : (const char *)0); NAME(z ? "a" : text);
            printf("%d %d\n", (int)sizeof(*(z ? open : closed)), (0u ?: -1) > 0);
            printf("%d %d\n", (int)sizeof(*(8 ? (void *)((long)z * 0l) : (int *)8)), (int)sizeof(*(8 ? (void *)(5 * 0l) : (int *)8)));
            return 0;
        }"#,
    );
}

#[test]
fn alignments_and_wide_characters() {
    same_as_native(
        r#"
        #define SHOW(e) printf("%s: %d\n", #e, (int)(e))
        #define WIDE(e) printf("%s: %s\n", #e, _Generic((e), int: "int", long: "long", int *: "int *", long *: "long *", \
            default: "another"))
        typedef long long loose __attribute__((aligned(2))); typedef double strict __attribute__((aligned(16)));
        struct mixed { char c; long long l; double d; _Atomic long long a; };
        struct held { char c; _Alignas(double) char d; }; struct strictly { char c; _Alignas(strict) char d; };
        enum large { LARGE = 1LL << 40 };
        long long global; double globals[2]; _Alignas(double) char as_double; __typeof__(L'a') wide;
        int main(void) {
            long long local, *p = &local; _Alignas(16) double more;
            SHOW(_Alignof(long long)); SHOW(__alignof__(long long)); SHOW(_Alignof(double)); SHOW(__alignof(double));
            SHOW(_Alignof(_Atomic long long)); SHOW(__alignof__(_Atomic long long)); SHOW(_Alignof(const double[2]));
            SHOW(__alignof__(long long[2])); SHOW(_Alignof(loose)); SHOW(__alignof__(loose)); SHOW(_Alignof(strict));
            SHOW(_Alignof(struct mixed)); SHOW(__alignof__(struct mixed)); SHOW(_Alignof(enum large)); SHOW(__alignof__(enum large));
            SHOW(_Alignof(local)); SHOW(__alignof__(global)); SHOW(_Alignof(globals)); SHOW(_Alignof(*p)); SHOW(_Alignof(1LL));
            SHOW(_Alignof(more)); SHOW(_Alignof(as_double)); SHOW(__builtin_offsetof(struct held, d)); SHOW(_Alignof(void *));
            SHOW(__builtin_offsetof(struct strictly, d)); SHOW(_Alignof(float)); SHOW(_Alignof(short));
            WIDE(L'a'); WIDE(wide); WIDE(L"text"); WIDE(*L"text"); WIDE(+L'a'); WIDE(L'a' + 0);
            return L"xyz"[1] == 'y' && sizeof(L"xyz") == 16 ? 3 : 4;
        }"#,
    );
}
