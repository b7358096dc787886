//! Members that were declared `const` inside of an object that is not: a store to them is an invalid access.

use std::sync::Arc;

/// Stretches of an object, each an offset and a length, sorted and apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConstantParts(Option<Arc<[(u64, u64)]>>);

impl ConstantParts {
    pub fn new(mut parts: Vec<(u64, u64)>) -> Self {
        parts.sort_unstable();
        parts.dedup();
        Self((!parts.is_empty()).then(|| parts.into()))
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.0.iter().flat_map(|parts| parts.iter().copied())
    }

    /// Whether one of these bytes is constant.
    #[inline]
    pub fn touches(&self, offset: u64, length: u64) -> bool {
        !self.is_empty() && self.iter().any(|(start, size)| start < offset + length && offset < start + size)
    }
}
