//! `--dump-cnf` and `--dump-smt2`: each query of a check as a file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use engines::QueryText;

use crate::arguments::DumpArguments;
use crate::numbered_file::numbered;

pub struct QueryDump<'a> {
    arguments: &'a DumpArguments,
    written: usize,
    /// What went wrong first.
    error: Option<String>,
}

impl<'a> QueryDump<'a> {
    pub fn new(arguments: &'a DumpArguments) -> Self {
        Self { arguments, written: 0, error: None }
    }

    pub fn is_wanted(&self) -> bool {
        self.arguments.dump_cnf.is_some() || self.arguments.dump_smt2.is_some()
    }

    pub fn write(&mut self, query: &QueryText<'_>) {
        self.written += 1;
        let DumpArguments { dump_cnf, dump_smt2 } = self.arguments;
        let results = [
            dump_cnf.as_ref().map(|path| write_file(&numbered(path, self.written), |out| query.write_cnf(out))),
            dump_smt2.as_ref().map(|path| write_file(&numbered(path, self.written), |out| query.write_smt2(out))),
        ];
        for result in results.into_iter().flatten() {
            self.error = self.error.take().or(result.err());
        }
    }

    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }
}

fn write_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let whole = || {
        let mut out = BufWriter::new(File::create(path)?);
        write(&mut out)?;
        out.flush()
    };
    whole().map_err(|error| format!("a query cannot be written to {}: {error}", path.display()))
}
