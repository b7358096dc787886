//! From paths to a program: the front end's options, and what it has to say.

use std::path::{Path, PathBuf};

use clap::Args;
use frontend::{CompileOptions, Compiled, MayFail, PreprocessOptions, Stubs};
use program::DataModel;
use report::assumptions::Lifted;
use report::diagnostics;

use crate::failure::CommandFailure;
use crate::session::Session;

/// What to read and how.
#[derive(Clone, Debug, Args)]
pub struct SourceArguments {
    /// C files; several are linked into one program, or into one for each that has a `main`. A name ending in .i is taken as preprocessed, one in .yml as a
    /// task definition of SV-COMP
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Look for headers in this directory
    #[arg(short = 'I', value_name = "DIR", help_heading = "Input")]
    pub include_directories: Vec<PathBuf>,
    /// Define a macro: NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "MACRO", help_heading = "Input")]
    pub defines: Vec<String>,
    /// Include this file before each C file
    #[arg(long = "include", value_name = "FILE", help_heading = "Input")]
    pub includes: Vec<PathBuf>,
    /// Take the C files (unless given), -I, -D and -include from this compile_commands.json
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub compile_commands: Option<PathBuf>,
    /// Sizes of int, long and pointers: lp64 (64-bit Linux) or ilp32 [default: lp64, or as the task definition says]
    #[arg(long, value_name = "MODEL", value_parser = bench::task_definition::data_model, help_heading = "Input")]
    pub data_model: Option<DataModel>,
    /// Use this function as the entry point instead of main
    #[arg(long, value_name = "FUNCTION", conflicts_with = "thread", help_heading = "Input")]
    pub entry: Option<String>,
    /// Run this function before the threads given with --thread
    #[arg(long, value_name = "FUNCTION", requires = "thread", help_heading = "Input")]
    pub init: Option<String>,
    /// Run this function as a thread, for code without main; may be repeated
    #[arg(long, value_name = "FUNCTION", help_heading = "Input")]
    pub thread: Vec<String>,
    /// Pointer parameters of the functions given with --entry, --init and --thread are never null
    #[arg(long, help_heading = "Input")]
    pub nonnull: bool,
    /// What the compilation database says about single files
    #[arg(skip)]
    pub file_options: Vec<FileOptions>,
    /// Model this external function as one that returns any value and has no side effects; `all` for every external function
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub stub: Vec<String>,
    /// Let malloc, calloc, realloc and their like fail at any time: they return NULL
    #[arg(long, help_heading = "Input")]
    pub malloc_may_fail: bool,
    /// Let pthread_create fail at any time: it returns EAGAIN
    #[arg(long, help_heading = "Input")]
    pub create_may_fail: bool,
    /// Assume that condition variables have no spurious wake-ups
    #[arg(long = "no-spurious-wakeups", help_heading = "Input")]
    pub no_spurious_wake_ups: bool,
    /// The arguments of main: everything that follows [default: anything]
    #[arg(long, value_name = "ARGUMENT", num_args = 0.., allow_hyphen_values = true, help_heading = "Input")]
    pub args: Option<Vec<String>>,
    /// The program of a recorded run: handles are the numbers of that run.
    #[arg(skip)]
    pub is_recorded: bool,
}

/// Options of the compiler for one file alone, in their order.
#[derive(Clone, Debug)]
pub struct FileOptions {
    pub file: PathBuf,
    pub arguments: Vec<String>,
}

impl SourceArguments {
    /// The options for one of the files.
    pub fn options_of(&self, file: &Path) -> PreprocessOptions {
        let mut options = self.preprocess_options();
        let own = self.file_options.iter().find(|own| own.file == file);
        options.extra_arguments.extend(own.iter().flat_map(|own| own.arguments.clone()));
        options
    }

    pub fn preprocess_options(&self) -> PreprocessOptions {
        PreprocessOptions {
            include_directories: self.include_directories.clone(),
            defines: self.defines.clone(),
            includes: self.includes.clone(),
            ilp32: self.data_model == Some(DataModel::Ilp32),
            ..PreprocessOptions::default()
        }
    }

    pub fn compile_options(&self) -> CompileOptions {
        CompileOptions {
            data_model: self.data_model.unwrap_or_default(),
            preprocess: self.preprocess_options(),
            entry: self.entry.clone(),
            init: self.init.clone(),
            threads: self.thread.clone(),
            nonnull: self.nonnull,
            file_options: self.file_options.iter().map(|own| (own.file.clone(), own.arguments.clone())).collect(),
            stubs: Stubs { all: self.stub.iter().any(|name| name == "all"), names: self.stub.clone() },
            failures: MayFail { allocation: self.malloc_may_fail, creation: self.create_may_fail },
            arguments: self.args.clone(),
            no_spurious_wake_ups: self.no_spurious_wake_ups,
            handles_are_numbers: self.is_recorded,
            ..CompileOptions::default()
        }
    }
}

impl SourceArguments {
    /// The assumptions that the options lift.
    pub fn lifted_assumptions(&self) -> Lifted {
        Lifted { malloc_may_fail: self.malloc_may_fail, create_may_fail: self.create_may_fail }
    }
}

/// More warnings than this bury what matters.
const MAX_WARNINGS: usize = 10;

/// Reads all files into one program; warnings go to standard error.
pub fn read(arguments: &SourceArguments, session: &Session) -> Result<Compiled, CommandFailure> {
    let compiled = frontend::compile(&arguments.files, &arguments.compile_options())
        .map_err(|frontend::CompileFailure { files, diagnostics }| CommandFailure::Input { diagnostics, files })?;
    let warnings = &compiled.warnings;
    let shown = &warnings[..warnings.len().min(MAX_WARNINGS)];
    if !shown.is_empty() {
        session.remark(&(diagnostics::render(shown, &compiled.program.files, session.err) + "\n"));
    }
    if warnings.len() > shown.len() {
        session.remark(&format!("... and {} more warnings\n\n", warnings.len() - shown.len()));
    }
    Ok(compiled)
}
