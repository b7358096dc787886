//! Records with members, bit-fields, attributes and pragmas that are chosen at random, and a program that prints their layouts.

use std::fmt::Write;

/// Pseudo-random numbers (Knuth's MMIX generator), the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// Types with alignments below and above those of what they stand for.
const TYPEDEFS: &str = "enum kind { NONE, SOME = 3 };\n\
    typedef int low1 __attribute__((aligned(1)));\n\
    typedef long long low4 __attribute__((aligned(4)));\n\
    typedef short high8 __attribute__((aligned(8)));\n\
    typedef int high16 __attribute__((aligned(16)));\n\
    typedef low1 pair[2];\n\
    typedef high16 again;\n\
    typedef struct { char c; int i; } inner;\n\
    typedef inner low_inner __attribute__((aligned(2)));\n";
const TYPES: [&str; 18] = [
    "char",
    "short",
    "int",
    "long",
    "long long",
    "double",
    "float",
    "char *",
    "_Bool",
    "enum kind",
    "low1",
    "low4",
    "high8",
    "high16",
    "again",
    "inner",
    "low_inner",
    "pair",
];
/// Types of bit-fields, each with the greatest width: none is spread over nine bytes, which the interpreter does not support.
const FIELD_TYPES: [(&str, usize); 12] = [
    ("char", 8),
    ("signed char", 8),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long long", 50),
    ("_Bool", 1),
    ("enum kind", 32),
    ("low1", 32),
    ("low4", 50),
    ("high8", 16),
    ("high16", 32),
];

/// One record: its declaration and its members, with whether each is a bit-field.
fn record(random: &mut Random, number: usize) -> (String, String, Vec<(String, bool)>) {
    let name = format!("{} s{number}", random.one_of(&["struct", "struct", "struct", "union"]));
    let (mut members, mut text) = (Vec::new(), String::new());
    for index in 0..1 + random.below(5) {
        let own = random.one_of(&["", "", "", "", " __attribute__((packed))", " __attribute__((aligned(4)))"]);
        let member = format!("m{index}");
        if random.below(5) < 2 {
            let (ty, most) = FIELD_TYPES[random.below(FIELD_TYPES.len())];
            let width = if random.below(8) == 0 { 0 } else { 1 + random.below(most) };
            if width == 0 || random.below(6) == 0 {
                let _ = write!(text, " {ty} : {width};");
                continue;
            }
            let _ = write!(text, " {ty} {member} : {width}{own};");
            members.push((member, true));
        } else {
            let ty = random.one_of(&TYPES);
            // Elements with an alignment beyond their size are an error.
            let can_repeat = !matches!(ty, "high8" | "high16" | "again");
            let array = if can_repeat { random.one_of(&["", "", "", "[3]"]) } else { "" };
            let _ = write!(text, " {ty} {member}{array}{own};");
            members.push((member, false));
        }
    }
    let own = random.one_of(&[
        "",
        "",
        "",
        " __attribute__((packed))",
        " __attribute__((aligned(8)))",
        " __attribute__((packed, aligned(2)))",
    ]);
    let declaration = format!("{name} {{{text} char last; }}{own};");
    let declaration = match random.below(4) {
        0 => format!("#pragma pack(push, {})\n{declaration}\n#pragma pack(pop)", 1 << random.below(4)),
        _ => declaration,
    };
    (name, declaration, members)
}

/// A program that prints sizes, alignments and offsets of so many records, and which bytes their bit-fields are in.
pub fn program_with_records(seed: u64, count: usize) -> String {
    let mut random = Random(seed);
    let (mut declarations, mut lines) = (TYPEDEFS.to_owned(), String::new());
    for number in 0..count {
        let (name, declaration, members) = record(&mut random, number);
        let _ = writeln!(declarations, "{declaration}\nstatic {name} g{number};");
        let _ = writeln!(
            lines,
            "    printf(\"{number} %d %d %d\\n\", (int)sizeof({name}), (int)_Alignof({name}), (int)__builtin_offsetof({name}, last));"
        );
        for (member, is_bit_field) in members {
            let _ = match is_bit_field {
                true => writeln!(
                    lines,
                    "    memset(&g{number}, 0, sizeof g{number}); g{number}.{member} = -1; show(&g{number}, sizeof g{number});"
                ),
                false => writeln!(lines, "    printf(\" %d\", (int)__builtin_offsetof({name}, {member}));"),
            };
        }
    }
    format!(
        "{declarations}static void show(void *object, int size) {{\n    unsigned char *bytes = object;\n    \
         for (int i = 0; i < size; i++) if (bytes[i]) printf(\" %d:%d\", i, bytes[i]);\n}}\n\
         int main(void) {{\n{lines}    return 0;\n}}\n"
    )
}
