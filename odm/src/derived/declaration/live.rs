//! Selects the declarations that are still valid. A declaration expires seven days after a program last stored it.

use std::collections::BTreeMap;

use mongodb::bson::doc;

use super::{
    lifetime::is_fresh,
    stored::{StoredDeclaration, find},
};
use crate::{client::odm::Odm, error::Result};

/// Reads the valid declarations, each with only its valid fields. The map is keyed by relation.
pub(super) async fn live(odm: &Odm) -> Result<BTreeMap<String, StoredDeclaration>> {
    let fresh = doc! { "$expr": is_fresh("$seen_at") };
    Ok(self::fresh(find(fresh, odm).await?))
}

/// Selects the valid declarations, each with only its valid fields. The map is keyed by relation.
pub(super) fn fresh(all: Vec<StoredDeclaration>) -> BTreeMap<String, StoredDeclaration> {
    let fresh = all.into_iter().filter(|stored| stored.is_fresh);
    let fresh = fresh.map(|mut stored| {
        stored.fields.retain(|field| field.is_fresh);
        (stored.relation.clone(), stored)
    });
    fresh.collect()
}
