//! The places of a program that its native run names by number: scheduling points and assertions.

use base::{IdVec, define_id};
use program::instruction::InstructionKind;
use program::{At, Location, Program, Visibility};
use rustc_hash::FxHashMap;

define_id!(
    /// A place of which a native run can speak.
    SiteId,
    "s"
);

#[derive(Clone, Debug)]
pub struct Sites {
    locations: IdVec<SiteId, Location>,
    numbers: FxHashMap<Location, SiteId>,
}

impl Sites {
    pub fn new(program: &Program, visibility: &Visibility) -> Self {
        let mut sites = Self { locations: IdVec::new(), numbers: FxHashMap::default() };
        for (id, function) in program.functions.iter_enumerated() {
            for location in function.locations(id) {
                if visibility.is_visible(location) || is_assertion(program.at(location)) {
                    let site = sites.locations.push(location);
                    sites.numbers.insert(location, site);
                }
            }
        }
        sites
    }

    pub fn site(&self, location: Location) -> Option<SiteId> {
        self.numbers.get(&location).copied()
    }

    pub fn location(&self, site: SiteId) -> Option<Location> {
        self.locations.get(site).copied()
    }
}

fn is_assertion(at: At<'_>) -> bool {
    matches!(at, At::Instruction(instruction) if matches!(instruction.kind, InstructionKind::Assert { .. }))
}
