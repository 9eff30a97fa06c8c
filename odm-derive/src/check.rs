//! Checks the rules that depend on more than one attribute.
//!
//! The compiler checks the rules that depend on other structs or on types. See `expand/type_checks.rs`.

mod copy;
mod delete;
mod derived;
mod from;
mod generic;
mod index;
mod kind;
mod links;
mod maintained;
mod name;
mod polymorphic;
mod relation;
mod reverse;
mod shard_key;
mod single_collection;
mod test_function;

pub(crate) use copy::{copied_key, many_sources, no_reference};
pub(crate) use polymorphic::polymorphic;
pub(crate) use single_collection::single_collection;
pub(crate) use test_function::test_function;

use crate::{error::Errors, ir::Record};

pub(crate) fn record(record: &Record, errors: &mut Errors) {
    name::stored_names(record, errors);
    name::collection(record, errors);
    name::owned(record, errors);
    name::id(record, errors);
    generic::parameters(record, errors);
    index::declared(record, errors);
    shard_key::shard_key(record, errors);
    kind::kind(record, errors);
    relation::arrays(record, errors);
    relation::own_id(record, errors);
    relation::codecs(record, errors);
    relation::methods(record, errors);
    relation::flattened(record, errors);
    relation::inverses(record, errors);
    relation::scopes(record, errors);
    relation::projections(record, errors);
    relation::existing(record, errors);
    reverse::keys(record, errors);
    polymorphic::fields(record, errors);
    derived::one_writer(record, errors);
    links::links(record, errors);
    maintained::maintained(record, errors);
    copy::copies(record, errors);
    from::values(record, errors);
    delete::rules(record, errors);
    derived::rollups(record, errors);
    derived::bounds(record, errors);
}
