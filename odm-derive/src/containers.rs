//! Recognizes containers by the names in a field's type.
//!
//! Only the compiler knows the actual types. So these functions only decide which checks the derive emits, and what a
//! message proposes.

use syn::{GenericArgument, PathArguments, Type};

use crate::ir::Field;

/// The containers that are stored as an array.
const ARRAYS: &[&str] = &["Vec", "VecDeque", "HashSet", "BTreeSet", "SmallVec"];

/// The containers that are stored in the form of the contained value.
const POINTERS: &[&str] = &["Option", "Presence", "Arc", "Rc"];

/// Containers in which the library does not find structs. All maps also count as such containers.
const OPAQUE: &[&str] = &[
    "LinkedList",
    "BinaryHeap",
    "Mutex",
    "RwLock",
    "Cell",
    "RefCell",
    "Cow",
    "Result",
    "Reverse",
];

/// Types that are not embedded structs. An `Id<Part>` is a key, and does not embed the struct `Part`. The list does not
/// contain `Document`, because programs give this name to structs of their own.
const PLAIN: &[&str] = &[
    "String",
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "f32",
    "f64",
    "char",
    "str",
    "Id",
    "ObjectId",
    "DateTime",
    "Bson",
    "Uuid",
    "Decimal128",
    "PhantomData",
];

/// Returns the types inside a field's type that could be embedded structs, but are in containers in which the library
/// does not find structs. The list is empty for the usual types, which saves compile time.
pub(crate) fn hidden_types(field: &Field) -> Vec<&Type> {
    let (ty, mut found) = (&field.ty, Vec::new());
    if !can_embed(ty) {
        return found;
    }
    // The codecs of the library store single values.
    let is_value = field.uses_codec("with::native") || field.uses_codec("with::text");
    if field.is_written_by_codec() && !is_value {
        found.push(ty);
    }
    if !is_seen_through(ty) || arrays(ty) > 1 {
        collect(ty, &mut found);
    }
    found
}

fn collect<'a>(ty: &'a Type, found: &mut Vec<&'a Type>) {
    for inner in arguments(ty) {
        if can_embed(inner) {
            // A slice has no size, so only its elements are probed.
            if !matches!(inner, Type::Slice(_)) {
                found.push(inner);
            }
            collect(inner, found);
        }
    }
}

/// Returns whether a type can be an embedded struct, or can contain one.
fn can_embed(ty: &Type) -> bool {
    let is_container = |name: &str| ARRAYS.contains(&name) || POINTERS.contains(&name);
    match (ty, name(ty).as_deref()) {
        (_, Some(name)) if PLAIN.contains(&name) => false,
        (_, Some(name)) if is_container(name) || name == "Box" => arguments(ty).any(can_embed),
        (Type::Array(_) | Type::Slice(_) | Type::Tuple(_), _) => arguments(ty).any(can_embed),
        // A macro passes a type in a group.
        (Type::Group(group), _) => can_embed(&group.elem),
        (Type::Paren(paren), _) => can_embed(&paren.elem),
        (ty, _) => matches!(ty, Type::Path(_)),
    }
}

/// Returns whether the library finds a struct in this type. If the type cannot contain a struct, the result does not
/// matter.
fn is_seen_through(ty: &Type) -> bool {
    match (ty, name(ty).as_deref()) {
        (Type::Array(array), _) => is_seen_through(&array.elem),
        (_, Some("Box")) => arguments(ty).all(|inner| match inner {
            Type::Slice(slice) => is_seen_through(&slice.elem),
            inner => arguments(inner).next().is_none(),
        }),
        (_, Some(container)) if ARRAYS.contains(&container) || POINTERS.contains(&container) => {
            arguments(ty).all(is_seen_through)
        }
        _ => arguments(ty).next().is_none(),
    }
}

/// Searches a type for a container in which the library does not find structs, such as a map. Returns the first such
/// container.
pub(crate) fn opaque_container(ty: &Type) -> Option<&Type> {
    let is_opaque = match ty {
        Type::Tuple(tuple) => !tuple.elems.is_empty(),
        ty => name(ty).is_some_and(|name| OPAQUE.contains(&name.as_str()) || name.ends_with("Map")),
    };
    if is_opaque {
        return Some(ty);
    }
    arguments(ty).find_map(opaque_container)
}

/// Returns the types that a type contains: its arguments, or the elements of a tuple, an array or a slice.
fn arguments(ty: &Type) -> Box<dyn Iterator<Item = &Type> + '_> {
    match ty {
        Type::Tuple(tuple) => Box::new(tuple.elems.iter()),
        Type::Array(array) => Box::new(std::iter::once(&*array.elem)),
        Type::Slice(slice) => Box::new(std::iter::once(&*slice.elem)),
        Type::Paren(paren) => arguments(&paren.elem),
        Type::Group(group) => arguments(&group.elem),
        Type::Path(path) => match path.path.segments.last().map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(arguments)) => {
                let is_known = is_container(ty);
                let types = arguments.args.iter().filter_map(|argument| match argument {
                    GenericArgument::Type(inner) => Some(inner),
                    _ => None,
                });
                Box::new(types.filter(move |inner| is_known || !is_constant(inner)))
            }
            _ => Box::new(std::iter::empty()),
        },
        _ => Box::new(std::iter::empty()),
    }
}

/// Returns whether the type is a container that this module knows by its name.
fn is_container(ty: &Type) -> bool {
    let is_known = |name: &str| {
        ARRAYS.contains(&name)
            || POINTERS.contains(&name)
            || OPAQUE.contains(&name)
            || name == "Box"
            || name.ends_with("Map")
    };
    name(ty).is_some_and(|name| is_known(&name))
}

/// Returns whether an argument has the name of a constant: `DAYS` in `Week<DAYS>`. `syn` parses such an argument as a
/// type.
fn is_constant(ty: &Type) -> bool {
    let is_upper = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_';
    name(ty).is_some_and(|name| name.chars().all(is_upper))
}

/// Returns the last name of a type path: `Vec` for `std::vec::Vec<T>`.
fn name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        Type::Paren(paren) => name(&paren.elem),
        Type::Group(group) => name(&group.elem),
        _ => None,
    }
}

/// Returns the depth to which arrays are nested in a type.
pub(crate) fn arrays(ty: &Type) -> usize {
    let is_array = match ty {
        Type::Array(_) | Type::Slice(_) => true,
        ty => name(ty).is_some_and(|name| ARRAYS.contains(&name.as_str())),
    };
    let inner = arguments(ty).map(arrays).max().unwrap_or_default();
    inner + usize::from(is_array)
}

/// Returns whether the type is a map, or contains one.
pub(crate) fn is_map(ty: &Type) -> bool {
    name(ty).is_some_and(|name| name.ends_with("Map")) || arguments(ty).any(is_map)
}
