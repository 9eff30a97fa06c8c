//! Models with two-way references, and with copies that become null.

use mongo_odm::prelude::*;
use odm_tests::Harness;

use crate::setting::shop;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "verify_owners")]
pub struct Owner {
    #[serde(rename = "_id")]
    pub id: Id<Owner>,
    pub name: String,
    #[refs(many, inverse = "owner", max = 3)]
    pub chores: Vec<Id<Chore>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "verify_chores")]
pub struct Chore {
    #[serde(rename = "_id")]
    pub id: Id<Chore>,
    #[parent_ref(inverse = "chores")]
    pub owner: Id<Owner>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "verify_notes")]
pub struct Note {
    #[serde(rename = "_id")]
    pub id: Id<Note>,
    #[refs(one)]
    pub about: Option<Id<Owner>>,
    #[denorm(from = Owner.name, on_delete = "nullify")]
    pub about_name: Option<String>,
}

/// A database with the indexes of these models and of those of the literature.
pub async fn house(test: &str) -> Harness {
    let t = shop(test).await;
    let sync = t.odm.sync_indexes().only::<Owner>().only::<Chore>();
    sync.only::<Note>().await.unwrap();
    t
}

pub fn owner(name: &str) -> Owner {
    Owner {
        id: Id::new(),
        name: name.to_owned(),
        chores: Vec::new(),
    }
}

pub fn chore(owner: &Owner) -> Chore {
    Chore {
        id: Id::new(),
        owner: owner.id,
    }
}

pub fn note(about: &Owner) -> Note {
    Note {
        id: Id::new(),
        about: Some(about.id),
        about_name: Some(about.name.clone()),
    }
}
