//! Addresses in single bytes. Memory whose bytes are accessed in different sizes has a cell for each byte; an address that
//! is stored there is taken apart, and put together again when all of its bytes are read at once, in their order.
//!
//! A byte of an address is a byte of the number that the address is (`addresses`). Where objects have no bases it is a variable
//! of its own, which stands for "byte k of this pointer", is moved from cell to cell and never computed with: where anything
//! else is made of it, or where a byte comes from another thread, so that it is not known which one it is, the execution
//! is not followed.

use events::CellKey;
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::SymValue;
use symbolic::value::union;
use terms::{Term, TermId, Terms};

use crate::memory::CellRef;
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::SymState;
use crate::unfolder::UnfoldFailure;

const WHAT: &str = "byte-wise access to a pointer";

/// Choices between addresses that are followed when one is put together.
const MAX_CHOICES: u32 = 32;

/// The terms that stand for bytes of addresses.
#[derive(Clone, Debug, Default)]
pub(crate) struct AddressBytes {
    meaning: FxHashMap<TermId, AddressByte>,
    /// By object, offset and index.
    variables: FxHashMap<(TermId, TermId, u32), TermId>,
}

#[derive(Clone, Debug)]
struct AddressByte {
    address: SymValue,
    index: u32,
}

/// What bytes that are read together make.
struct Assembled {
    value: SymValue,
    /// When it is not known what the bytes are.
    broken: TermId,
}

impl AddressBytes {
    /// Byte `index` of a pointer, counted from the lowest.
    pub fn byte_of_address(&mut self, pass: &mut Pass<'_>, address: &SymValue, index: u32) -> SymValue {
        let SymValue::Pointer { object, offset, targets } = address else {
            unreachable!("only an address should be taken apart");
        };
        let key = (*object, *offset, index);
        if let Some(&variable) = self.variables.get(&key) {
            let known = self.meaning.get_mut(&variable).expect("a variable should have a meaning");
            if let SymValue::Pointer { targets: known, .. } = &mut known.address {
                *known = union(known, targets);
            }
            return SymValue::Int(variable);
        }
        let number = if pass.has_bases() { pass.number_of(address) } else { None };
        let variable = match number {
            Some(number) => pass.terms().extract(number, index * 8 + 7, index * 8),
            None => pass.terms().bv_variable("address_byte", 8),
        };
        self.variables.insert(key, variable);
        self.meaning.insert(variable, AddressByte { address: address.clone(), index });
        SymValue::Int(variable)
    }

    /// What has been read from these cells, lowest first: a number, where it is not certain to be a whole pointer. Where objects
    /// have no bases, the state is restricted to executions in which it is known.
    pub fn put_together(
        &mut self,
        pass: &mut Pass<'_>,
        state: &mut SymState,
        place: &CellRef,
        cells: &[(CellKey, TermId)],
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        let bytes: Vec<TermId> = cells.iter().map(|&(_, byte)| byte).collect();
        if !cells.iter().any(|&(cell, _)| pass.survey.holds_address_bytes(cell)) {
            return Ok(SymValue::Int(concatenated(pass.terms(), &bytes)));
        }
        let unsure: FxHashSet<TermId> = cells
            .iter()
            .filter(|&&(cell, _)| pass.survey.holds_address_bytes(cell))
            .flat_map(|&(_, byte)| leaves(&pass.graph.terms, byte))
            .filter(|&leaf| matches!(pass.graph.terms.get(leaf), Term::Variable(_)))
            .collect();
        let mut choices = MAX_CHOICES;
        let assembled = self.assemble(pass, &bytes, &unsure, &mut choices)?;
        let broken = pass.terms().and(place.condition, assembled.broken);
        if pass.has_bases() {
            pass.note_layout(state, broken);
        } else {
            pass.cut_address_bytes(state, broken, step)?;
        }
        Ok(assembled.value)
    }

    /// Puts bytes together; `unsure` are variables of which it is not known whether they are bytes of addresses.
    fn assemble(
        &mut self,
        pass: &mut Pass<'_>,
        bytes: &[TermId],
        unsure: &FxHashSet<TermId>,
        choices: &mut u32,
    ) -> Result<Assembled, UnfoldFailure> {
        let is_doubtful = |leaf: &TermId| unsure.contains(leaf) || self.meaning.contains_key(leaf);
        let doubtful: Vec<bool> =
            bytes.iter().map(|&byte| leaves(&pass.graph.terms, byte).iter().any(is_doubtful)).collect();
        let never = pass.graph.terms.boolean(false);
        if !doubtful.contains(&true) {
            return Ok(Assembled { value: SymValue::Int(concatenated(pass.terms(), bytes)), broken: never });
        }
        if let Some(address) = self.whole_address(pass, bytes) {
            return Ok(Assembled { value: address, broken: never });
        }
        let choice = bytes.iter().zip(&doubtful).find_map(|(&byte, &doubtful)| match pass.graph.terms.get(byte) {
            Term::Ite(condition, ..) if doubtful => Some(condition),
            _ => None,
        });
        match (choice, choices.checked_sub(1)) {
            (Some(condition), Some(left)) => {
                *choices = left;
                let side = |first: bool| -> Vec<TermId> {
                    let chosen = |&byte: &TermId| match pass.graph.terms.get(byte) {
                        Term::Ite(same, then, otherwise) if same == condition => {
                            if first {
                                then
                            } else {
                                otherwise
                            }
                        }
                        _ => byte,
                    };
                    bytes.iter().map(chosen).collect()
                };
                let (then, otherwise) = (side(true), side(false));
                let then = self.assemble(pass, &then, unsure, choices)?;
                let otherwise = self.assemble(pass, &otherwise, unsure, choices)?;
                let value = pass.select(condition, &then.value, &otherwise.value)?;
                Ok(Assembled { value, broken: pass.terms().ite(condition, then.broken, otherwise.broken) })
            }
            _ => {
                let value = match pass.has_bases() {
                    true => concatenated(pass.terms(), bytes),
                    false => pass.terms().constant(bytes.len() as u32 * 8, 0),
                };
                let value = SymValue::Int(value);
                Ok(Assembled { value, broken: pass.graph.terms.boolean(true) })
            }
        }
    }

    /// The pointer all of whose bytes these are, in their order.
    fn whole_address(&self, pass: &Pass<'_>, bytes: &[TermId]) -> Option<SymValue> {
        let first = self.meaning.get(bytes.first()?)?;
        let [object, offset] = first.address.components().0;
        let is_its = |(index, byte): (u32, &TermId)| self.variables.get(&(object, offset, index)) == Some(byte);
        let is_whole = bytes.len() as u64 == pass.program.data_model.pointer_bytes() && first.index == 0;
        (is_whole && (0..).zip(bytes).all(is_its)).then(|| first.address.clone())
    }
}

impl Pass<'_> {
    /// Executions in which `broken` holds use bytes of an address in a way that is not followed.
    pub fn cut_address_bytes(
        &mut self,
        state: &mut SymState,
        broken: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        match self.graph.terms.as_boolean(broken) {
            Some(true) => return Err(UnfoldFailure::NotSupported(WHAT.to_owned())),
            Some(false) => {}
            None => self.cut_where(state, broken, WHAT, step),
        }
        Ok(())
    }
}

fn concatenated(terms: &mut Terms, bytes: &[TermId]) -> TermId {
    let (&lowest, rest) = bytes.split_first().expect("an access should have at least one byte");
    rest.iter().fold(lowest, |low, &high| terms.concat(high, low))
}

/// The terms among which conditions choose.
fn leaves(terms: &Terms, term: TermId) -> Vec<TermId> {
    let (mut open, mut seen, mut leaves) = (vec![term], FxHashSet::default(), Vec::new());
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.get(term) {
            Term::Ite(_, then, otherwise) => open.extend([then, otherwise]),
            _ => leaves.push(term),
        }
    }
    leaves
}
