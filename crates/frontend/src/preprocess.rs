//! From a path to preprocessed text: `.i` files are read as they are, everything else goes through the system
//! compiler's `-E`. Whatever goes wrong becomes a diagnostic that says what to do.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use base::{Diagnostic, FileId, Files, Span};
use tempfile::TempDir;

use crate::lexer::LineMarkers;

/// How to preprocess.
#[derive(Clone, Debug, Default)]
pub struct PreprocessOptions {
    /// `-I` directories, in order.
    pub include_directories: Vec<PathBuf>,
    /// `-D` definitions: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// `-include` files, in order.
    pub includes: Vec<PathBuf>,
    /// Use the 32-bit headers and predefined macros (`-m32`). Default: false.
    pub ilp32: bool,
    /// Further arguments for the compiler.
    pub extra_arguments: Vec<String>,
    /// The compiler to use, possibly with arguments. Default: `$CC`, or the first of `cc`, `gcc` and `clang` there is.
    pub compiler: Option<String>,
}

/// Text that is ready for the lexer.
#[derive(Debug)]
pub struct Preprocessed {
    /// The file the user named.
    pub file: FileId,
    pub text: Vec<u8>,
    pub markers: LineMarkers,
    pub warnings: Vec<Diagnostic>,
}

/// Reads and, unless its name ends in `.i`, preprocesses a file. Its text is registered in `files`.
pub fn preprocess(
    path: &Path,
    options: &PreprocessOptions,
    files: &mut Files,
) -> Result<Preprocessed, Vec<Diagnostic>> {
    let original = read_source(path).map_err(|diagnostic| vec![diagnostic])?;
    let file = files.intern(&path.to_string_lossy());
    files.set_text(file, displayable(&original));
    if path.extension().is_some_and(|extension| extension == "i") {
        return Ok(Preprocessed { file, text: original, markers: LineMarkers::Ignore, warnings: Vec::new() });
    }
    if let Some(diagnostic) = crate::lexer::not_text(&original, file) {
        return Err(vec![diagnostic]);
    }
    run_preprocessor(path, file, options, files)
}

fn read_source(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    if path.as_os_str().is_empty() {
        return Err(Diagnostic::error("no-file", "the name of the input file is empty"));
    }
    let name = path.display();
    if path.is_dir() {
        return Err(Diagnostic::error("is-directory", format!("`{name}` is a directory, not a C file")));
    }
    read_limited(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Diagnostic::error("no-file", format!("there is no file `{name}`")),
        io::ErrorKind::PermissionDenied => {
            Diagnostic::error("unreadable", format!("no permission to read the file `{name}`"))
        }
        _ => Diagnostic::error("unreadable", format!("the file `{name}` cannot be read: {error}")),
    })
}

/// No file of interest is larger; a device such as `/dev/zero` has no end at all.
const MAX_FILE_BYTES: u64 = 1 << 28;

/// The contents of a file, or an error if there is no end to them.
pub fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let mut contents = Vec::new();
    fs::File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut contents)?;
    if contents.len() as u64 > MAX_FILE_BYTES {
        let message = format!("it has more than {MAX_FILE_BYTES} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(contents)
}

/// Reads the texts of `wanted` files for excerpts, where they are not known yet and can be had.
pub fn load_texts(wanted: &[FileId], files: &mut Files) {
    for &file in wanted {
        let unknown = files.get(file).filter(|known| known.text.is_none()).map(|known| PathBuf::from(&known.path));
        if let Some(text) = unknown.filter(|path| path.is_file()).and_then(|path| read_limited(&path).ok()) {
            files.set_text(file, displayable(&text));
        }
    }
}

/// Text for excerpts: a byte that is not UTF-8 becomes one `?`, so that columns stay right.
fn displayable(bytes: &[u8]) -> Arc<str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.into();
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text.into()
}

// ---------------------------------------------------------------------------------------------------------------------
// Running the compiler

fn run_preprocessor(
    path: &Path,
    file: FileId,
    options: &PreprocessOptions,
    files: &mut Files,
) -> Result<Preprocessed, Vec<Diagnostic>> {
    let (compiler, output) = first_working_compiler(path, options).map_err(|diagnostic| vec![diagnostic])?;
    let mut messages = compiler_messages(&String::from_utf8_lossy(&output.stderr), files);
    if output.status.success() {
        messages.retain(|message| !message.is_error());
        return Ok(Preprocessed { file, text: output.stdout, markers: LineMarkers::Follow, warnings: messages });
    }
    messages.retain(Diagnostic::is_error);
    if messages.is_empty() {
        messages.push(unexplained_failure(&compiler, &output));
    }
    if options.ilp32 && works_without_m32(path, options) {
        for message in &mut messages {
            message.help = Some("the 32-bit headers are missing: install `gcc-multilib`".to_owned());
        }
    }
    Err(messages)
}

/// Headers of our own, which stand before the system's: the name and the text of each.
const OWN_HEADERS: [(&str, &str); 1] = [("stdatomic.h", include_str!("headers/stdatomic.h"))];

/// A directory with [`OWN_HEADERS`], which lasts as long as the value.
fn own_headers() -> io::Result<TempDir> {
    let directory = tempfile::Builder::new().prefix("gordian-headers-").tempdir()?;
    for (name, text) in OWN_HEADERS {
        fs::write(directory.path().join(name), text)?;
    }
    Ok(directory)
}

/// The first compiler that can be started, and what it said.
fn first_working_compiler(path: &Path, options: &PreprocessOptions) -> Result<(String, Output), Diagnostic> {
    let headers = own_headers().map_err(|error| {
        Diagnostic::error("temporary-files", format!("headers cannot be written to the temporary directory: {error}"))
    })?;
    let candidates = candidate_compilers(options);
    for compiler in &candidates {
        match command(compiler, path, options, headers.path()).map(|mut command| command.output()) {
            Some(Ok(output)) => return Ok((compiler.clone(), output)),
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => {
                let message = format!("the C compiler `{compiler}` cannot be run: {error}");
                return Err(Diagnostic::error("no-compiler", message));
            }
            _ => {}
        }
    }
    let tried = candidates.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    Err(Diagnostic::error("no-compiler", format!("no C compiler for preprocessing was found (tried {tried})"))
        .help("install `gcc` or `clang`, or name one in the environment variable CC; `.i` files need none"))
}

fn candidate_compilers(options: &PreprocessOptions) -> Vec<String> {
    if let Some(compiler) = &options.compiler {
        return vec![compiler.clone()];
    }
    match std::env::var("CC").ok().filter(|compiler| !compiler.trim().is_empty()) {
        Some(compiler) => vec![compiler],
        None => ["cc", "gcc", "clang"].map(str::to_owned).to_vec(),
    }
}

/// Arguments that the preprocessor does not get: with exceptions, glibc's `pthread_cleanup_push` would be made of a `cleanup`
/// function without a body, although it means the same.
const FOR_THE_FRONT_END: [&str; 2] = ["-fexceptions", "-fnon-call-exceptions"];

/// `compiler` may carry arguments of its own, like `ccache gcc`.
fn command(compiler: &str, path: &Path, options: &PreprocessOptions, headers: &Path) -> Option<Command> {
    let mut words = compiler.split_whitespace();
    let mut command = Command::new(words.next()?);
    command.args(words).arg("-E");
    if options.ilp32 {
        command.arg("-m32");
    }
    for directory in &options.include_directories {
        command.arg("-I").arg(directory);
    }
    for define in &options.defines {
        command.arg("-D").arg(define);
    }
    for include in &options.includes {
        command.arg("-include").arg(include);
    }
    // Where the compiler optimises, glibc would make `toupper` of a table that has no model; it is a function as well.
    if options.extra_arguments.iter().any(|argument| argument.starts_with("-O")) {
        command.arg("-D__NO_CTYPE");
    }
    command.args(options.extra_arguments.iter().filter(|argument| !FOR_THE_FRONT_END.contains(&argument.as_str())));
    // Behind the user's directories, before the compiler's own.
    command.arg("-isystem").arg(headers);
    command.args(["-x", "c"]).arg(not_an_option(path));
    command.stdin(Stdio::null()).env("LC_ALL", "C");
    Some(command)
}

fn not_an_option(path: &Path) -> OsString {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        return Path::new(".").join(path).into_os_string();
    }
    path.as_os_str().to_owned()
}

fn works_without_m32(path: &Path, options: &PreprocessOptions) -> bool {
    let wide = PreprocessOptions { ilp32: false, ..options.clone() };
    first_working_compiler(path, &wide).is_ok_and(|(_, output)| output.status.success())
}

// ---------------------------------------------------------------------------------------------------------------------
// What the compiler said

/// The errors and warnings among the compiler's messages: `file:line:column: error: text`.
fn compiler_messages(stderr: &str, files: &mut Files) -> Vec<Diagnostic> {
    stderr.lines().filter_map(|line| compiler_message(line, files)).take(crate::parser::MAX_ERRORS).collect()
}

fn compiler_message(line: &str, files: &mut Files) -> Option<Diagnostic> {
    let kinds = [(": fatal error: ", true), (": error: ", true), (": warning: ", false)];
    let (place, text, is_error) = kinds
        .iter()
        .find_map(|&(kind, is_error)| line.split_once(kind).map(|(place, text)| (place, text, is_error)))?;
    let is_missing = text.ends_with("No such file or directory") || text.ends_with("file not found");
    let diagnostic = match (is_error, is_missing) {
        (true, true) => missing_header(text),
        (true, false) => Diagnostic::error("preprocessor", text),
        (false, _) => Diagnostic::warning("preprocessor", text),
    };
    Some(match place_of(place, files) {
        Some(span) => diagnostic.at(span),
        None => diagnostic,
    })
}

fn missing_header(text: &str) -> Diagnostic {
    // GCC: `a.h: No such file or directory`; Clang: `'a.h' file not found`.
    let name = text.split_once(": No such").map_or(text, |(name, _)| name);
    let name = name.trim_end_matches(" file not found").trim_matches('\'');
    Diagnostic::error("missing-header", format!("the header `{name}` was not found"))
        .help("give its directory with `-I`, or install the package that contains it")
}

/// `file:line:column`; a place on the command line or in a program (`cc1`) is none.
fn place_of(place: &str, files: &mut Files) -> Option<Span> {
    let (rest, column) = place.rsplit_once(':')?;
    let (path, line) = rest.rsplit_once(':')?;
    let (line, column) = (line.parse().ok()?, column.parse().ok()?);
    Some(Span { file: files.intern(path), line, column, length: 1 })
}

fn unexplained_failure(compiler: &str, output: &Output) -> Diagnostic {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let words = stderr.lines().map(str::trim).filter(|line| !line.is_empty()).take(3).collect::<Vec<_>>().join("; ");
    let status = output.status;
    Diagnostic::error("preprocessor", format!("preprocessing with `{compiler}` failed ({status}): {words}"))
}
