//! Where in an object something of a given size lies, by the object's shape. Who accesses it elsewhere does something odd,
//! which is followed no further.

use program::{Program, Shape, ShapeId, Type};

/// More candidate places than this for one access are not followed.
pub const MAX_PLACES: usize = 1024;

/// There are more than [`MAX_PLACES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyPlaces;

/// The offsets of all scalars of `size` bytes, or of all structures and unions of that size if it is no scalar's, sorted.
/// Where there are none, at multiples of the size: but addresses are never taken to pieces.
pub fn candidate_offsets(
    program: &Program,
    shape: Option<ShapeId>,
    object_size: u64,
    size: u64,
) -> Result<Vec<u64>, TooManyPlaces> {
    let collect = |wanted: &dyn Fn(ShapeId) -> bool| {
        let mut parts = Parts { program, wanted, offsets: Vec::new() };
        shape.map_or(Ok(()), |shape| parts.collect_object(shape, object_size))?;
        Ok(parts.offsets)
    };
    let scalars = |wanted: &dyn Fn(Type) -> bool| {
        collect(&|part| matches!(program.shapes[part], Shape::Scalar(ty) if wanted(ty)))
    };
    let mut offsets = match size > LARGEST_SCALAR {
        true => collect(&|part| is_record_of(program, part, size))?,
        false => scalars(&|ty| ty.bytes(program.data_model) == size)?,
    };
    offsets.retain(|offset| offset + size <= object_size);
    if offsets.is_empty() && object_size >= size {
        if object_size / size > MAX_PLACES as u64 {
            return Err(TooManyPlaces);
        }
        let width = program.data_model.pointer_bytes();
        // Larger things are synchronisation objects, which are not made of their bytes.
        let addresses = if size < width { scalars(&|ty| ty == Type::Pointer)? } else { Vec::new() };
        let is_free = |at: &u64| !addresses.iter().any(|address| *address < at + size && *at < address + width);
        offsets.extend((0..=object_size - size).step_by(size as usize).filter(is_free));
    }
    offsets.sort_unstable();
    offsets.dedup();
    Ok(offsets)
}

/// Whether something of this shape has scalars of `size` bytes.
pub fn has_scalars(program: &Program, shape: ShapeId, size: u64) -> bool {
    match &program.shapes[shape] {
        Shape::Scalar(ty) => ty.bytes(program.data_model) == size,
        Shape::Opaque => false,
        Shape::Array { element, .. } => has_scalars(program, *element, size),
        Shape::Record { fields, .. } => fields.iter().any(|field| has_scalars(program, field.shape, size)),
    }
}

/// Anything larger is a structure, a union or an array.
pub const LARGEST_SCALAR: u64 = 8;

/// Whether a structure or union has so many bytes, counting what may be padding at its end.
fn is_record_of(program: &Program, shape: ShapeId, size: u64) -> bool {
    let Shape::Record { .. } = program.shapes[shape] else { return false };
    let end = end_of(program, shape);
    end <= size && size < end + LARGEST_SCALAR
}

/// Where the last member ends.
fn end_of(program: &Program, shape: ShapeId) -> u64 {
    match &program.shapes[shape] {
        Shape::Scalar(ty) => ty.bytes(program.data_model),
        Shape::Opaque => 0,
        Shape::Array { stride, count, .. } => stride * count,
        Shape::Record { fields, .. } => {
            fields.iter().map(|field| field.offset + end_of(program, field.shape)).max().unwrap_or(0)
        }
    }
}

struct Parts<'a> {
    program: &'a Program,
    wanted: &'a dyn Fn(ShapeId) -> bool,
    offsets: Vec<u64>,
}

impl Parts<'_> {
    /// The elements of an allocated array are as many as fit.
    fn collect_object(&mut self, shape: ShapeId, object_size: u64) -> Result<(), TooManyPlaces> {
        match self.program.shapes[shape] {
            Shape::Array { element, stride, .. } if stride != 0 => {
                (0..object_size).step_by(stride as usize).try_for_each(|at| self.collect(element, at))
            }
            _ => self.collect(shape, 0),
        }
    }

    fn collect(&mut self, shape: ShapeId, at: u64) -> Result<(), TooManyPlaces> {
        if self.offsets.len() > MAX_PLACES {
            return Err(TooManyPlaces);
        }
        if (self.wanted)(shape) {
            self.offsets.push(at);
            return Ok(());
        }
        match &self.program.shapes[shape] {
            Shape::Scalar(_) | Shape::Opaque => {}
            Shape::Array { element, stride, count } => {
                for index in 0..*count {
                    self.collect(*element, at + index * stride)?;
                }
            }
            Shape::Record { fields, .. } => {
                for field in fields {
                    self.collect(field.shape, at + field.offset)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::ShapeField;

    #[test]
    fn scalars_of_the_size_then_anything_but_addresses() {
        let mut program = Program::default();
        let int = program.shapes.push(Shape::Scalar(Type::Int(32)));
        let pointer = program.shapes.push(Shape::Scalar(Type::Pointer));
        let field = |name: &str, offset, shape| ShapeField { name: name.to_owned(), offset, shape };
        let fields = vec![field("value", 0, int), field("next", 8, pointer)];
        let node = program.shapes.push(Shape::Record { name: "struct node".to_owned(), fields });
        let nodes = program.shapes.push(Shape::Array { element: node, stride: 16, count: 0 });
        let offsets = |shape, object_size, size| candidate_offsets(&program, shape, object_size, size);
        assert_eq!(offsets(Some(node), 16, 4), Ok(vec![0]));
        assert_eq!(offsets(Some(nodes), 48, 8), Ok(vec![8, 24, 40]));
        assert_eq!(offsets(Some(node), 16, 2), Ok(vec![0, 2, 4, 6]));
        assert_eq!(offsets(None, 8, 4), Ok(vec![0, 4]));
        assert_eq!(offsets(None, 1 << 20, 4), Err(TooManyPlaces));
    }
}
