//! Finds keys that cannot be read. Such keys exist because the server accepts strings that are not valid UTF-8.

use mongodb::bson::{Bson, Document, RawBsonRef, doc};

use super::{finding::Drifted, finding_stream::EventSender};
use crate::{
    client::{
        command::FindCommand,
        odm::{Exec, Odm, each_document},
        place::Place,
    },
    error::Result,
    model::shape::ModelShape,
    value::{codec::decode, path::projection},
};

/// Whether a key in a server reply can be read. A missing key counts as readable.
pub(in crate::maintenance) fn is_readable<E>(
    key: std::result::Result<Option<RawBsonRef<'_>>, E>,
) -> bool {
    key.is_ok_and(|key| key.is_none_or(|key| Bson::try_from(key).is_ok()))
}

/// Reports the documents that contain unreadable keys. Sends one `find` over all keys. This function is called
/// only after an unreadable key has been found.
pub(in crate::maintenance) async fn report(
    relation: &str,
    model: &'static ModelShape,
    path: &str,
    odm: &Odm,
    out: &EventSender,
) -> Result<()> {
    let find = FindCommand::new(Place::of(model), doc! {}).select(projection([path]));
    let mut batches = Exec::on(odm.clone()).open(find.all()).await?;
    while let Some(batch) = batches.next().await? {
        let mut found = Vec::new();
        each_document(&batch, |raw| {
            if let Err(error) = decode::<Document>(model.collection, raw) {
                found.extend(Drifted::unreadable(relation, &[model], &error, None));
            }
            Ok(())
        })?;
        out.add_page(found).await?;
    }
    Ok(())
}
