//! Calls `before_insert` for new documents, and sets their maintained fields afterwards.

use crate::{
    client::{command::Rows, odm::Exec},
    error::{Error, Result},
    hook::ModelHooks,
    query::maintained::Stamp,
};

/// Calls the hook for each document, and then sets the maintained fields.
pub(in crate::write) async fn before_insert(
    hooks: &ModelHooks,
    stamp: Option<&Stamp>,
    rows: &mut Rows,
    exec: &Exec,
) -> Result<()> {
    // The maintained fields are set before the hook runs, so that the hook can read the tenant. They are set again
    // afterwards, so that the hook cannot change them.
    set_maintained(stamp, rows)?;
    if hooks.has.before_insert && exec.is_paper() {
        exec.note(|| "after `before_insert` of each document".to_owned());
    } else if hooks.has.before_insert {
        let mut documents = Vec::with_capacity(rows.len());
        for document in rows.iter() {
            documents.push(hooks.before_insert(document.clone(), exec).await?);
        }
        let mut documents = documents.into_iter();
        rows.change(|_| Ok::<_, Error>(documents.next()))?;
        // The transaction already contains the writes of the hooks, so the transaction must not commit.
        set_maintained(stamp, rows).inspect_err(|error| exec.poison(error))?;
    }
    Ok(())
}

fn set_maintained(stamp: Option<&Stamp>, rows: &mut Rows) -> Result<()> {
    match stamp {
        Some(stamp) => rows.change(|document| stamp.document(document, 0).map(Some)),
        None => Ok(()),
    }
}
