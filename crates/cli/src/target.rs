//! For which machine a compiler makes code, as far as its name and its arguments say so.
//!
//! Programs are checked for x86 with System V's conventions, in 32 or 64 bits. Elsewhere `char`, `long`, bit-fields or the
//! order of bytes are others.

use program::DataModel;

/// The names by which compilers are called, behind what they make code for: `arm-linux-gnueabihf-gcc`.
const COMPILERS: [&str; 4] = ["gcc", "clang", "cc", "tcc"];
/// Those of compilers for C++.
const FOR_CPP: [&str; 3] = ["g++", "clang++", "c++"];
/// How the names of machines begin.
const MACHINES: &[&str] = &[
    "aarch64",
    "alpha",
    "amd64",
    "arc",
    "arm",
    "avr",
    "bfin",
    "csky",
    "hppa",
    "i386",
    "i486",
    "i586",
    "i686",
    "ia64",
    "loongarch",
    "m68k",
    "microblaze",
    "mips",
    "msp430",
    "nios2",
    "or1k",
    "powerpc",
    "ppc",
    "riscv",
    "s390",
    "sh4",
    "sparc",
    "thumb",
    "wasm",
    "x86_64",
    "xtensa",
];
/// Systems where sizes or layouts are others on x86, too.
const OTHER_SYSTEMS: [&str; 6] = ["windows", "mingw", "msvc", "cygwin", "gnux32", "uefi"];

/// The data model that a compilation is for, if that is said; another machine or language is an error, in words.
pub fn data_model(words: &[String]) -> Result<Option<DataModel>, String> {
    let mut model = None;
    let is_option = |word: &&String| word.starts_with('-');
    // A wrapper such as `ccache` may come before the compiler.
    for program in words.iter().take_while(|word| !is_option(word)) {
        let name = compiler_name(program);
        if FOR_CPP.iter().any(|known| name.ends_with(known)) {
            return Err(format!("`{program}`, which takes it for C++"));
        }
        if let Some(triple) = triple_of(name) {
            model = Some(model_of(triple).ok_or_else(|| for_another_machine(triple))?);
        }
    }
    let mut rest = words.iter().skip_while(|word| !is_option(word));
    while let Some(word) = rest.next() {
        let joined = word.strip_prefix("--target=").map(str::to_owned);
        let triple = match word.as_str() {
            "-target" | "--target" | "-arch" => rest.next().cloned(),
            _ => joined,
        };
        if let Some(triple) = triple {
            model = Some(model_of(&triple).ok_or_else(|| for_another_machine(&triple))?);
        }
        let language = match word.as_str() {
            "-x" => rest.next().cloned(),
            word => word.strip_prefix("-x").or_else(|| word.strip_prefix("--language=")).map(str::to_owned),
        };
        if language.as_deref().is_some_and(|language| !matches!(language, "c" | "cpp-output" | "none")) {
            return Err(format!("`{word}`: it is no C"));
        }
        match word.as_str() {
            "-m32" => model = Some(DataModel::Ilp32),
            "-m64" => model = Some(DataModel::Lp64),
            _ => {}
        }
    }
    Ok(model)
}

fn for_another_machine(triple: &str) -> String {
    format!("a compiler for `{triple}`, and only x86 is supported")
}

/// The last part of a path, without a version behind it.
fn compiler_name(program: &str) -> &str {
    let name = program.rsplit('/').next().unwrap_or(program);
    let is_version = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    match name.rsplit_once('-') {
        Some((name, version)) if is_version(version) => name,
        _ => name,
    }
}

/// `arm-linux-gnueabihf` of `arm-linux-gnueabihf-gcc`.
fn triple_of(compiler: &str) -> Option<&str> {
    let is_for =
        |name: &&str| COMPILERS.iter().any(|known| name.strip_suffix(known).is_some_and(|rest| rest.ends_with('-')));
    let name = Some(compiler).filter(is_for)?;
    let (triple, _) = name.rsplit_once('-')?;
    MACHINES.iter().any(|machine| triple.starts_with(machine)).then_some(triple)
}

fn model_of(triple: &str) -> Option<DataModel> {
    if OTHER_SYSTEMS.iter().any(|system| triple.contains(system)) {
        return None;
    }
    match triple.split('-').next()? {
        "x86_64" | "amd64" | "x86_64h" => Some(DataModel::Lp64),
        "i386" | "i486" | "i586" | "i686" => Some(DataModel::Ilp32),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Result<Option<DataModel>, String> {
        data_model(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_say_the_width() {
        assert_eq!(of("cc -c a.c"), Ok(None));
        assert_eq!(of("cc -m32 -c a.c"), Ok(Some(DataModel::Ilp32)));
        assert_eq!(of("cc -m32 -m64 -c a.c"), Ok(Some(DataModel::Lp64)));
        assert_eq!(of("clang --target=i686-linux-gnu -c a.c"), Ok(Some(DataModel::Ilp32)));
        assert_eq!(of("clang -target x86_64-pc-linux-gnu -m32 -c a.c"), Ok(Some(DataModel::Ilp32)));
    }

    #[test]
    fn names_say_the_machine() {
        assert_eq!(of("/usr/bin/x86_64-linux-gnu-gcc-12 -c a.c"), Ok(Some(DataModel::Lp64)));
        assert_eq!(of("ccache i686-linux-gnu-gcc -c a.c"), Ok(Some(DataModel::Ilp32)));
        assert_eq!(of("musl-gcc -c a.c"), Ok(None));
        assert_eq!(of("afl-clang -c arm-gcc.c"), Ok(None));
        for line in [
            "arm-linux-gnueabihf-gcc -c a.c",
            "distcc aarch64-linux-gnu-gcc-12.2 -c a.c",
            "x86_64-w64-mingw32-gcc -c a.c",
            "clang --target=riscv64 -c a.c",
            "clang -arch arm64 -c a.c",
        ] {
            assert!(of(line).is_err_and(|reason| reason.contains("only x86")), "{line}");
        }
    }

    #[test]
    fn other_languages_are_refused() {
        assert!(
            of("g++ -c a.c").is_err() && of("/usr/bin/clang++-15 -c a.c").is_err() && of("gcc -x c++ -c a.c").is_err()
        );
        assert_eq!(of("gcc -x c -c a.c"), Ok(None));
        assert_eq!(of("gcc -xc -c a.c"), Ok(None));
    }
}
