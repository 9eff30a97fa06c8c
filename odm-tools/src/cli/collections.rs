//! Checks the names of collections in the command's arguments.

use mongo_odm::{__tools::Reads, Odm};

use super::failure::{Exit, Failure};
use crate::listed_collection::list_collections;

/// Number of similar names that are suggested for an unknown name.
const NEAREST: usize = 3;

/// Fails if one of the collections does not exist. Sends one `listCollections` if there are any
/// names to check.
pub(super) async fn known(odm: &Odm, names: &[String]) -> Result<(), Failure> {
    if names.is_empty() {
        return Ok(());
    }
    let listed = list_collections(&Reads::new(odm)).await?;
    let there: Vec<&str> = listed.iter().map(|it| it.name.as_str()).collect();
    match names.iter().find(|name| !there.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let (database, nearest) = (odm.database().name(), nearest(name, there));
            let message =
                format!("there is no collection `{name}` in the database `{database}`; {nearest}");
            Err(Failure::new(Exit::Usage, message))
        }
    }
}

/// Returns a message that suggests the existing collections with the most similar names.
fn nearest(name: &str, mut there: Vec<&str>) -> String {
    let distance = |it: &str| strsim::osa_distance(&name.to_lowercase(), &it.to_lowercase());
    there.sort_by_key(|it| (distance(it), *it));
    there.truncate(NEAREST);
    match there.as_slice() {
        [] => "it has no collections".to_owned(),
        [one] => format!("the most similar name is `{one}`"),
        some => format!("the most similar names are `{}`", some.join("`, `")),
    }
}
