//! What each construct of C11 and GNU C becomes.

mod parser_support;

use parser_support::{check, check_decl, check_expr, dump, parse};

#[test]
fn empty_units_and_stray_semicolons() {
    check("", "");
    check(";;;", "");
    check("/* only */ // comments", "");
}

#[test]
fn precedence_and_associativity() {
    check_expr("a + b * c - d", "(- (+ a (* b c)) d)");
    check_expr(
        "a << 1 + 2 < b == c & d ^ e | f && g || h",
        "(|| (&& (| (^ (& (== (< (<< a (+ 1 2)) b) c) d) e) f) g) h)",
    );
    check_expr("a / b / c % d", "(% (/ (/ a b) c) d)");
    check_expr("a = b += c", "(= a (+= b c))");
    check_expr("a ? b : c ? d : e", "(? a b (? c d e))");
    check_expr("a ? b, c : d", "(? a (, b c) d)");
    check_expr("a, b, c", "(, (, a b) c)");
    check_expr("a <<= b >>= c &= d ^= e |= f", "(<<= a (>>= b (&= c (^= d (|= e f)))))");
    check_expr("a *= b /= c %= d -= e", "(*= a (/= b (%= c (-= d e))))");
    check_expr("a > b >= c <= d != e", "(!= (<= (>= (> a b) c) d) e)");
}

#[test]
fn prefix_and_postfix_operators() {
    check_expr("-+!~*&a", "(- (+ (! (~ (* (& a))))))");
    check_expr("++a, --a, a++, a--", "(, (, (, (++_ a) (--_ a)) (_++ a)) (_-- a))");
    check_expr("*p++", "(* (_++ p))");
    check_expr("a.b->c[d](e, f)", "(call ([] (-> (. a b) c) d) e f)");
    check_expr("f()", "(call f)");
    check_expr("__real__ z + __imag z", "(+ (real z) (imag z))");
    check_expr("__extension__ a", "a");
}

#[test]
fn casts_sizes_and_compound_literals() {
    check_expr("(T) - a", "(cast T (- a))");
    check_expr("(a) - b", "(- a b)");
    check_expr("(int (*)(void)) f", "(cast pointer to function() returning int f)");
    check_expr("(T)(unsigned char)a + b", "(+ (cast T (cast unsigned char a)) b)");
    check_expr(
        "sizeof a + sizeof(a) + sizeof(T) + sizeof (T *)",
        "(+ (+ (+ (sizeof a) (sizeof a)) (sizeof T)) (sizeof pointer to T))",
    );
    check_expr("sizeof(a)[0]", "(sizeof ([] a 0))");
    check_expr("_Alignof(T) + __alignof__ a", "(+ (alignof T) (alignof a))");
    check_expr("(T[]){1, 2}[0]", "([] (literal array[] of T {1, 2}) 0)");
    check_expr("sizeof (T){1}", "(sizeof (literal T {1}))");
    check_expr("&(struct P){.x = 1}", "(& (literal struct P {.x = 1}))");
}

#[test]
fn gnu_expressions() {
    check_expr("a ?: b", "(?: a b)");
    check_expr("&&label", "(&& label)");
    check_expr("__builtin_offsetof(struct S, a.b[2].c)", "(offsetof struct S .a.b[2].c)");
    check_expr("__builtin_va_arg(ap, int *)", "(va_arg ap pointer to int)");
    check_expr("__builtin_types_compatible_p(int, T)", "(types_compatible int, T)");
    check_expr("__builtin_choose_expr(1, a, b)", "(choose 1 a b)");
    check_expr("_Generic(a, int: 1, T *: 2, default: 3)", "(generic a [int: 1] [pointer to T: 2] [default: 3])");
    check_expr("__builtin_expect(!!(x), 0)", "(call __builtin_expect (! (! x)) 0)");
    check(
        "int f(void) { return ({ int y = 1; y + 1; }); }",
        "
        define f: function() returning int
          block
            return ({
                declare y: int = 1
                do (+ y 1)
              })
        ",
    );
}

#[test]
fn integer_constants() {
    check_expr("0 + 42u + 0x2AUL + 052ll + 0b101010LLU", "(+ (+ (+ (+ 0 42u) 42ul) 42ll) 42ull)");
    check_expr("18446744073709551616", "18446744073709551616");
    check_expr("3i", "3i");
}

#[test]
fn floating_constants() {
    check_expr("1. + .5 + 1e3 + 1.5e-3f + 2.0L", "(+ (+ (+ (+ 1.0 0.5) 1000.0) 0.0015f) 2.0l)");
    check_expr("0x1.8p1", "3.0");
    check_expr("1.0f128 + 1.0q + 1.0i", "(+ (+ 1.0Float128 1.0Float128) 1.0i)");
    // The nearest float of this text is not the nearest float of its nearest double.
    check_expr("1.00000005960464483f", "1.0000001f");
}

#[test]
fn character_constants() {
    check_expr(r"'a' + '\n' + '\0' + '\'' + '\\'", "(+ (+ (+ (+ '97' '10') '0') '39') '92')");
    check_expr(r"'\xff' + '\377' + '\e'", "(+ (+ '-1' '-1') '27')");
    check_expr("'ab'", "'24930'");
    check_expr(r"L'\xffffffff' + L'é' + u'\u20ac' + U'\U0001F600'", "(+ (+ (+ L'-1' L'233') u'8364') U'128512')");
}

#[test]
fn string_literals() {
    check_expr(r#""a" "b" "\x41" "1""#, r#""abA1""#);
    check_expr(r#""tab\t\"quote\" \101""#, r#""tab\t\"quote\" A""#);
    check_expr(r#"L"wide" "narrow""#, r#"L"widenarrow""#);
    check_expr(r#"u8"é" u8"x""#, r#"u8"\xc3\xa9x""#);
    check_expr("\"a\\\nb\"", "\"ab\"");
    check_expr("__func__", "__func__");
}

#[test]
fn basic_types() {
    check_decl(
        "unsigned a; signed b; short int c; long unsigned int d;",
        "
        declare a: unsigned
        declare b: int
        declare c: short
        declare d: unsigned long
    ",
    );
    check_decl(
        "long long e; unsigned long long int f; char g; signed char h; int unsigned short i;",
        "
        declare e: long long
        declare f: unsigned long long
        declare g: char
        declare h: signed char
        declare i: unsigned short
    ",
    );
    check_decl(
        "_Bool a; float b; double c; long double d; double long e;",
        "
        declare a: bool
        declare b: float
        declare c: double
        declare d: long double
        declare e: long double
    ",
    );
    check_decl(
        "__int128 a; unsigned __int128 b; _Float128 c; __float128 d; __uint128_t e;",
        "
        declare a: int128
        declare b: unsigned int128
        declare c: float128
        declare d: float128
        declare e: unsigned int128
    ",
    );
    check_decl(
        "_Complex double a; float _Complex b; __complex__ c; _Complex _Float128 d; long double _Complex e;",
        "
        declare a: complex double
        declare b: complex float
        declare c: complex double
        declare d: complex other
        declare e: complex long double
    ",
    );
    check_decl(
        "__builtin_va_list ap; typedef float _Float32; _Float32 x;",
        "
        declare ap: va_list
        declare typedef _Float32: float
        declare x: _Float32
    ",
    );
}

#[test]
fn declarators() {
    check_decl(
        "int *a[3], (*b)[3], *(*c)(void), (*(*d[2])(int))[4];",
        "
        declare a: array[3] of pointer to int
        declare b: pointer to array[3] of int
        declare c: pointer to function() returning pointer to int
        declare d: array[2] of pointer to function(int) returning pointer to array[4] of int
    ",
    );
    check_decl(
        "const int *const volatile p; int *restrict q; int ((((x))));",
        "
        declare p: const volatile pointer to const int
        declare q: restrict pointer to int
        declare x: int
    ",
    );
    check_decl("void (*signal(int sig, void (*handler)(int)))(int);", "
        declare signal: function(sig: int, handler: pointer to function(int) returning void) returning pointer to function(int) returning void
    ");
    check_decl(
        "int m[2][3], v[];",
        "
        declare m: array[2] of array[3] of int
        declare v: array[] of int
    ",
    );
}

#[test]
fn parameters() {
    check_decl(
        "int f(); int g(void); int h(int, ...); int i(T, T x, T *);",
        "
        declare f: function(?) returning int
        declare g: function() returning int
        declare h: function(int, ...) returning int
        declare i: function(T, x: T, pointer to T) returning int
    ",
    );
    check_decl("int f(int a[static 3], int b[const], int c[*], int n, int d[n]);", "
        declare f: function(a: array[static 3] of int, b: array[const ] of int, c: array[*] of int, n: int, d: array[n] of int) returning int
    ");
    // A typedef name in parentheses is a parameter's type, another name is the parameter.
    check_decl("int f(int (T), int (x), int (*)(T), int(), int T);", "
        declare f: function(function(T) returning int, x: int, pointer to function(T) returning int, function(?) returning int, T: int) returning int
    ");
    check_decl("int f(a, b);", "declare f: function(K&R a b) returning int");
}

#[test]
fn storage_classes_and_function_specifiers() {
    check_decl(
        "static _Thread_local int a; extern __thread int b; register int c;",
        "
        declare static thread_local a: int
        declare extern thread_local b: int
        declare register c: int
    ",
    );
    check_decl(
        "_Noreturn void a(void); static __inline__ int b(void); int typedef U; U c;",
        "
        declare noreturn a: function() returning void
        declare static inline b: function() returning int
        declare typedef U: int
        declare c: U
    ",
    );
    check_decl(
        "_Alignas(16) int a; _Alignas(double) char b;",
        "
        declare alignas(16) a: int
        declare alignas(double) b: char
    ",
    );
    check_decl(
        "_Atomic int a; _Atomic(T *) b; int *_Atomic c;",
        "
        declare a: atomic int
        declare b: atomic(pointer to T)
        declare c: atomic pointer to int
    ",
    );
    check_decl(
        "typeof(int *) a; __typeof__(a + 1) b; __const c;",
        "
        declare a: typeof(pointer to int)
        declare b: typeof (+ a 1)
        declare c: const int
    ",
    );
}

#[test]
fn structs_unions_and_enums() {
    check_decl("struct S { int a, *b; unsigned c : 3, : 0; struct { int d; }; union U { int e; } f; };", "
        declare struct S { a: int; b: pointer to int; c: unsigned : 3; unsigned : 0; struct <record0> { d: int; }; f: union U { e: int; }; }
    ");
    check_decl(
        "struct { int a; } x, *y;",
        "
        declare x: struct <record0> { a: int; }
        declare y: pointer to struct <record0>
    ",
    );
    check_decl(
        "struct S; struct S *p; struct E {}; struct F { int n; char data[]; };",
        "
        declare struct S
        declare p: pointer to struct S
        declare struct E { }
        declare struct F { n: int; data: array[] of char; }
    ",
    );
    check_decl(
        "enum E { A, B = 2, C = A + B, } e; enum E f; enum { D };",
        "
        declare e: enum E { A, B = 2, C = (+ A B) }
        declare f: enum E
        declare enum <enum2> { D }
    ",
    );
    check_decl(
        "struct S { _Static_assert(1, \"ok\"); int a; ; };",
        "
        declare struct S { static_assert 1; a: int; }
    ",
    );
    check(
        "#pragma pack(push, 1)\nstruct S { int a; };\n#pragma pack(pop)\nstruct R { int a; };",
        "
        declare struct S pack(1) { a: int; }
        declare struct R { a: int; }
    ",
    );
}

#[test]
fn attributes_anywhere() {
    check_decl(
        "struct __attribute__((packed)) S { int a __attribute__((aligned(8))); } __attribute__((__aligned__));",
        "
        declare struct S [packed] [aligned] { [aligned 8] a: int; }
    ",
    );
    check_decl(
        "typedef int di __attribute__((mode(__DI__))); typedef int v4 __attribute__((vector_size(16)));",
        "
        declare typedef [mode DI] di: int
        declare typedef [vector_size 16] v4: int
    ",
    );
    check_decl(
        "extern int f(int) __asm__(\"\" \"g\") __attribute__((__nothrow__, __nonnull__(1, 2)));",
        "
        declare extern [nothrow] [nonnull] f: function(int) returning int asm \"g\"
    ",
    );
    check_decl(
        "__attribute__((constructor(101))) static void c(void); void d(void) __attribute__((destructor));",
        "
        declare static [constructor 101] c: function() returning void
        declare [destructor] d: function() returning void
    ",
    );
    check_decl(
        "int (__attribute__((cdecl)) *f)(void); int * __attribute__((unused)) p, __attribute__((weak)) q;",
        "
        declare [cdecl] f: pointer to function() returning int
        declare [unused] p: pointer to int
        declare [weak] q: int
    ",
    );
    check_decl(
        "static int __attribute__((noinline)) f(int x __attribute__((unused)), const char *fmt) { return 0; }",
        "
        define static [noinline] f: function([unused] x: int, fmt: pointer to const char) returning int
          block
            return 0
    ",
    );
    check_decl(
        "[[noreturn]] void f(void); void g(void) __attribute__((alias(\"f\"), const));",
        "
        declare [noreturn] f: function() returning void
        declare [alias \"f\"] [const] g: function() returning void
    ",
    );
    check(
        "void f(void) { __attribute__((unused)) int x; lab: __attribute__((unused)); __attribute__((fallthrough)); }",
        "
        define f: function() returning void
          block
            declare [unused] x: int
            label lab
              empty
            empty
    ",
    );
    check_expr("(int __attribute__((mode(QI)))) a", "(cast [mode QI] int a)");
}

#[test]
fn initialisers() {
    check_decl(
        "int a = 1, b[] = {1, 2, 3,}, c[2][2] = {{1}, {2, 3}}, d[] = {};",
        "
        declare a: int = 1
        declare b: array[] of int = {1, 2, 3}
        declare c: array[2] of array[2] of int = {{1}, {2, 3}}
        declare d: array[] of int = {}
    ",
    );
    check_decl(
        "struct P p = {.x = 1, .y[2].z = {3}, w: 4}; int a[] = {[2] = 1, [4 ... 6] = 2, [8] 3};",
        "
        declare p: struct P = {.x = 1, .y[2].z = {3}, .w = 4}
        declare a: array[] of int = {[2] = 1, [4 ... 6] = 2, [8] = 3}
    ",
    );
}

#[test]
fn old_style_functions_and_implicit_int() {
    check(
        "int f(a, b) int a; char *b; { return a; }",
        "
        define f: function(K&R a b) returning int
          declare a: int
          declare b: pointer to char
          block
            return a
    ",
    );
    check(
        "main() { } static x; *p;",
        "
        define main: function(?) returning int
          block
        declare static x: int
        declare p: pointer to int
    ",
    );
    let parsed = parse("main() { } static x;").expect("implicit int is only warned of");
    assert_eq!(
        parser_support::messages_of(&parsed.warnings),
        ["1:1: no type is given for `main`: taken as `int`", "1:19: no type is given for `x`: taken as `int`"]
    );
}

#[test]
fn statements() {
    check(
        "void f(int n) {
           if (n) ; else if (n > 1) g(); else { n = 2; }
           while (n) n--;
           do { continue; } while (n);
           for (int i = 0, j; i < n; i++, j--) break;
           for (;;) return;
           for (n = 0; ; ) goto end;
           end: return n;
         }",
        "
        define f: function(n: int) returning void
          block
            if n
              empty
            else if (> n 1)
              do (call g)
            else
              block
                do (= n 2)
            while n
              do (_-- n)
            repeat
              block
                continue
            while n
            for
              declare i: int = 0
              declare j: int
              while (< i n)
              step (, (_++ i) (_-- j))
              break
            for
              return
            for
              init (= n 0)
              goto end
            label end
              return n
        ",
    );
}

#[test]
fn a_dangling_else_belongs_to_the_nearest_if() {
    check(
        "void f(void) { if (a) if (b) c; else d; }",
        "
        define f: function() returning void
          block
            if a
              if b
                do c
              else
                do d
        ",
    );
}

#[test]
fn switches_and_labels() {
    check(
        "void f(int n) {
           switch (n) { case 1: case 2 ... 5: lab: n++; break; default: ; int after; case 'x': }
           __label__ a, b; a: goto *&&b; b: int declared = 1;
         }",
        "
        define f: function(n: int) returning void
          block
            switch n
              block
                case 1
                case 2 ... 5
                label lab
                  do (_++ n)
                break
                default
                  empty
                declare after: int
                case '120'
                  empty
            local labels a b
            label a
              goto * (&& b)
            label b
              declare declared: int = 1
        ",
    );
}

#[test]
fn inline_assembly() {
    check(
        "asm(\"nop\");
         void f(int a) {
           __asm__ __volatile__ (\"\" ::: \"memory\");
           asm volatile (\"x %0\" : \"=r\" (a), [b] \"+m\" (*p) : \"i\" (1) : \"cc\", \"memory\");
           asm goto (\"j\" : : : : out);
           out: ;
         }",
        "
        asm \"nop\"
        define f: function(a: int) returning void
          block
            asm volatile \"\" clobber \"memory\"
            asm volatile \"x %0\" out \"=r\" a out [b] \"+m\" (* p) in \"i\" 1 clobber \"cc\" clobber \"memory\"
            asm \"j\" goto out
            label out
              empty
        ",
    );
}

#[test]
fn typedef_names_follow_scopes() {
    check(
        "typedef int T;
         void f(void) { T * x; { int T = 2; T * x; } T * y; }
         void g(int T) { T * 2; }
         void h(void) { T T = 1; T * 2; }
         void i(void) { for (int T = 0; T * 2;) ; T z; }
         void j(void) { enum { T }; T * 2; }",
        "
        declare typedef T: int
        define f: function() returning void
          block
            declare x: pointer to T
            block
              declare T: int = 2
              do (* T x)
            declare y: pointer to T
        define g: function(T: int) returning void
          block
            do (* T 2)
        define h: function() returning void
          block
            declare T: T = 1
            do (* T 2)
        define i: function() returning void
          block
            for
              declare T: int = 0
              while (* T 2)
              empty
            declare z: T
        define j: function() returning void
          block
            declare enum <enum0> { T }
            do (* T 2)
        ",
    );
    // Members and labels live in name spaces of their own.
    check(
        "typedef int T; struct S { T T; }; void f(struct S *s) { s->T = 1; T: goto T; }",
        "
        declare typedef T: int
        declare struct S { T: T; }
        define f: function(s: pointer to struct S) returning void
          block
            do (= (-> s T) 1)
            label T
              goto T
        ",
    );
}

#[test]
fn a_local_typedef_ends_with_its_block() {
    check(
        "void f(void) { { typedef int U; U x; } U * y; }",
        "
        define f: function() returning void
          block
            block
              declare typedef U: int
              declare x: U
            do (* U y)
        ",
    );
}

#[test]
fn lexical_oddities() {
    check(
        "int a$b = 1; int d<::> = <% 1 %>;",
        "
        declare a$b: int = 1
        declare d: array[] of int = {1}
    ",
    );
    check(
        "int caf\\u00e9, été;",
        "
        declare café: int
        declare été: int
    ",
    );
    check(
        "# 12 \"file.h\" 1 3\n#pragma once\n#ident \"x\"\n  # 3\n#\nint x; /* a\nb */ int \\\ny; // z \\\n int w;",
        "
        declare x: int
        declare y: int
    ",
    );
    check("#line 7 \"a.c\"\nint x;", "declare x: int");
    assert!(parse_bytes(b"\xef\xbb\xbfint after_a_byte_order_mark;"));
    assert!(parse_bytes(b"char s[] = \"\xff\xfe\"; /* \xff */ // \xfe\n"));
}

fn parse_bytes(source: &[u8]) -> bool {
    frontend::parse_text("bytes.i", source, &mut base::Files::new()).is_ok()
}

#[test]
fn extension_and_auto_type() {
    check(
        "__extension__ typedef long long L; void f(void) { __extension__ L x = 1; __auto_type y = x; }",
        "
        declare typedef L: long long
        define f: function() returning void
          block
            declare x: L = 1
            declare y: auto type = x
    ",
    );
    check(
        "_Static_assert(sizeof(int) == 4, \"int\"); _Static_assert(1);",
        "
        static_assert (== (sizeof int) 4) \"int\"
        static_assert 1
    ",
    );
}

#[test]
fn the_dump_is_deterministic() {
    let source = "struct { int a; } x; enum { A, B } y; int f(int z) { return z ? x.a : y; }";
    assert_eq!(dump(source), dump(source));
}
