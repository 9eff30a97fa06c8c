//! Finds dangling references.

use std::collections::HashSet;

use mongodb::bson::Bson;

use super::{StoredReference, slot::StoredSlot};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{FindCommand, simple},
        odm::Exec,
        place::Place,
    },
    error::Result,
    model::shape::ModelShape,
    value::{
        key::{JoinKey, any_of},
        path::{each_value, projection},
    },
};

/// Returns the slots that contain dangling keys. Sends at least one `find` for each target model. These queries return
/// only keys.
pub(crate) async fn dangling_slots(
    reference: &StoredReference,
    slots: &HashSet<StoredSlot>,
    place: impl Fn(&'static ModelShape) -> Place + Send,
    exec: &Exec,
) -> Result<HashSet<StoredSlot>> {
    let mut left = slots.clone();
    left.retain(|slot| !slot.key.is_null());
    for (number, target) in reference.targets().enumerate() {
        let of_target = left.iter().filter(|slot| slot.target == number);
        let mut keys: Vec<&JoinKey> = of_target.map(|slot| &slot.key).collect();
        keys.sort_unstable();
        let keys: Vec<Bson> = keys.into_iter().map(JoinKey::to_bson).collect();
        let path = target.path.as_str();
        for keys in parts(&keys, usize::MAX, size_of) {
            let find = FindCommand::new(place(target.model), any_of(path, keys.to_vec()));
            let mut find = find.select(projection([path]));
            find.options.batch_size = u32::try_from(keys.len() + 1).ok();
            // The index on `_id` uses the collation of its collection, so a query with a different collation could not
            // use this index.
            let find = find.collation((path != "_id").then(simple));
            for document in exec.documents(find).await? {
                each_value(&document, path, &mut |key| {
                    left.remove(&StoredSlot {
                        target: number,
                        key: JoinKey::from(key.clone()),
                    });
                });
            }
        }
    }
    Ok(left)
}
