//! Finds the references in stored documents.

use std::collections::HashSet;

use mongodb::bson::RawDocument;

use crate::{
    client::{
        odm::{Exec, Odm},
        place::Place,
    },
    error::Result,
    graph::stored_reference::{StoredReference, StoredSlot, dangling_slots, each_slot},
};

impl StoredReference {
    /// Calls a function for each key in a document.
    pub fn each_key(&self, document: &RawDocument, found: &mut dyn FnMut(StoredSlot)) {
        each_slot(self, document, &mut |_, slot| found(slot));
    }

    /// Returns the given keys that do not belong to any document. Sends one `find` for each target model.
    pub async fn dangling(
        &self,
        keys: &HashSet<StoredSlot>,
        odm: &Odm,
    ) -> Result<HashSet<StoredSlot>> {
        dangling_slots(self, keys, Place::of, &Exec::on(odm.clone())).await
    }
}
