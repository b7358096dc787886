//! Terms against a naive oracle: rewriting, evaluation, bit-blasting, depth and text.

mod arrays;
mod blasting;
mod depth;
mod oracle;
mod printing;
mod proofs;
mod random;
mod rewriting;
mod smtlib_reader;
mod text_form;
