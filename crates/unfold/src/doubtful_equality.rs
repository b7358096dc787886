//! Pointers to different objects that may be equal all the same: a new object may lie where one has been whose life is over,
//! and the end of an object may be the beginning of another. Here objects have names and no addresses, so executions in
//! which that could decide something are cut.

use symbolic::{OBJECT_BITS, ObjectId, ObjectKey, SymValue};
use terms::TermId;

use crate::state::State;
use crate::unfolder::{Failure, Site, Unfolder};

impl Unfolder<'_> {
    /// Cuts executions in which the values point to different objects and it is not certain that they differ.
    pub fn cut_doubtful_equality(
        &mut self,
        state: &mut State,
        left: &SymValue,
        right: &SymValue,
        site: &Site,
    ) -> Result<(), Failure> {
        let (
            SymValue::Pointer { object: first, offset: first_offset, targets: first_targets },
            SymValue::Pointer { object: second, offset: second_offset, targets: second_targets },
        ) = (left, right)
        else {
            return Ok(());
        };
        let sides = [
            (*first, *first_offset, first_targets.clone(), *second, *second_offset, second_targets.clone()),
            (*second, *second_offset, second_targets.clone(), *first, *first_offset, first_targets.clone()),
        ];
        let (mut dangling, mut touching, mut shared) = (Vec::new(), Vec::new(), Vec::new());
        for (object, offset, targets, other, other_offset, others) in sides {
            for &target in targets.iter() {
                if !self.is_memory(target) {
                    continue;
                }
                let rivals: Vec<ObjectId> =
                    others.iter().copied().filter(|&rival| rival != target && self.is_memory(rival)).collect();
                let here = self.names(object, target);
                let elsewhere: Vec<TermId> = rivals.iter().map(|&rival| self.names(other, rival)).collect();
                let elsewhere = self.terms().or_all(&elsewhere);
                let differ = self.terms().and(here, elsewhere);
                if self.graph.terms.as_boolean(differ) == Some(false) {
                    continue;
                }
                let dead = self.fate(state, target, differ, site)?.dead;
                dangling.push(self.terms().and(differ, dead));
                for &rival in &rivals {
                    let there = self.names(other, rival);
                    let both = self.terms().and(here, there);
                    if let Some(distance) = self.distance_of_literals(target, rival) {
                        let distance = self.pointer_constant(distance);
                        let moved = self.terms().add(other_offset, distance);
                        let meet = self.terms().eq(offset, moved);
                        shared.push(self.terms().and(both, meet));
                    }
                }
                let at_end = self.is_at_end(target, offset);
                let start = self.pointer_constant(0);
                let at_start = self.terms().eq(other_offset, start);
                touching.push(self.terms().and_all(&[differ, at_end, at_start]));
            }
        }
        self.attach_open_node();
        let dangling = self.terms().or_all(&dangling);
        self.cut_doubtful(state, dangling, "the comparison of a pointer to an object whose life is over", site);
        let touching = self.terms().or_all(&touching);
        self.cut_doubtful(
            state,
            touching,
            "the comparison of the end of an object with the beginning of another",
            site,
        );
        let shared = self.terms().or_all(&shared);
        self.cut_doubtful(state, shared, "the comparison of string literals that may be one object", site);
        Ok(())
    }

    /// How far behind the beginning of one string literal the other may begin, if one may be the end of the other.
    fn distance_of_literals(&self, one: ObjectId, other: ObjectId) -> Option<u64> {
        let literal = |object: ObjectId| match self.survey.objects.get(object).key {
            ObjectKey::Global(global) => {
                let global = &self.program.globals[global];
                (global.read_only && global.name.starts_with('"')).then_some(&global.initial.bytes)
            }
            _ => None,
        };
        let (one, other) = (literal(one)?, literal(other)?);
        let overlap = one.ends_with(other) || other.ends_with(one);
        overlap.then(|| (one.len() as u64).wrapping_sub(other.len() as u64))
    }

    fn cut_doubtful(&mut self, state: &mut State, doubtful: TermId, what: &str, site: &Site) {
        if self.graph.terms.as_boolean(doubtful) != Some(false) {
            self.cut_where(state, doubtful, what, site);
        }
    }

    fn is_memory(&self, object: ObjectId) -> bool {
        !matches!(self.survey.objects.get(object).key, ObjectKey::None | ObjectKey::Function(_))
    }

    fn names(&mut self, object: TermId, target: ObjectId) -> TermId {
        let number = self.terms().constant(OBJECT_BITS, u64::from(target.0));
        self.terms().eq(object, number)
    }

    /// When the offset is just behind the object; objects of no size have no end of their own.
    fn is_at_end(&mut self, target: ObjectId, offset: TermId) -> TermId {
        let size = self.survey.objects.get(target).size;
        match size {
            Some(0) => self.graph.terms.boolean(false),
            Some(size) => {
                let end = self.pointer_constant(size);
                self.terms().eq(offset, end)
            }
            None => {
                let start = self.pointer_constant(0);
                let inside = self.terms().eq(offset, start);
                self.terms().not(inside)
            }
        }
    }
}
