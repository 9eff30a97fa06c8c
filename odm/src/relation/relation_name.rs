//! Types that represent the names of relations.
//!
//! The derive emits a type for each relation, and this type is a parameter of the join's result type. So passing the
//! result of `join_main` where the result of `join_parts` is expected does not compile. `Related` finds the type by the
//! hash of the relation's name, because a string cannot be a parameter of a trait.

/// Maps the name of one of the struct's relations to the type that represents the relation. The derive implements this
/// trait for all relations that have a `join_` method.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no relation of this name",
    label = "no relation of `{Self}`",
    note = "write what stands after `join_` in the method of the relation: `relation!(Product.parts)` is that of `Product::join_parts`"
)]
pub trait Related<const NAME: u64> {
    /// The type that represents the relation.
    type Relation;
}

/// The relation type for joins along unnamed relations. Relations are unnamed if your code builds them, or if their
/// `join_` method has the target as a type parameter.
#[derive(Debug)]
pub struct Unnamed;

/// Returns the FNV-1a hash of a name, because a string cannot be a parameter of a trait.
#[doc(hidden)]
pub const fn name(name: &str) -> u64 {
    let (bytes, mut number, mut at) = (name.as_bytes(), 0xcbf2_9ce4_8422_2325_u64, 0);
    // Iterators are not available in a `const fn`.
    while at < bytes.len() {
        #[allow(clippy::indexing_slicing)]
        let byte = bytes[at] as u64;
        number = (number ^ byte).wrapping_mul(0x0000_0100_0000_01b3);
        at += 1;
    }
    number
}

/// The type that represents a relation, for use in signatures: `Product::join_parts` returns
/// `Joined<Product, Part, relation!(Product.parts)>`.
///
/// Two relations between the same models have different types, so the compiler rejects a join result from the wrong
/// relation.
///
/// # Examples
///
/// ```
#[doc = include_str!("../docs/part_models.txt")]
/// use mongo_odm::relation::Joined;
///
/// type Parts = Joined<Product, Part, mongo_odm::relation!(Product.parts)>;
///
/// fn names<'a>(product: &Product, parts: &'a Parts) -> Vec<&'a str> {
///     parts.of(product).map(|part| part.name.as_str()).collect()
/// }
///
/// # async fn example(odm: Odm, products: Vec<Product>) -> mongo_odm::Result<()> {
/// let parts = Product::join_parts(&products, &odm).await?;
/// for product in &products {
///     println!("{:?}", names(product, &parts));
/// }
/// # Ok(()) }
/// ```
#[macro_export]
macro_rules! relation {
    ($($owner:ident)::+ . $relation:ident) => {
        <$($owner)::+ as $crate::relation::Related<{ $crate::relation::name(stringify!($relation)) }>>::Relation
    };
    ($($written:tt)*) => {
        compile_error!("a relation is a model, a dot, and what stands after `join_`: write `relation!(Product.parts)`, or `relation!(models::Product.parts)`")
    };
}
