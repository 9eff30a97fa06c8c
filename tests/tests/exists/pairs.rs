//! Two-way references: a single reference with an array, and two arrays.

use mongo_odm::prelude::*;

use crate::models::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "pair_owners")]
struct Owner {
    #[serde(rename = "_id")]
    id: Id<Owner, i64>,
    #[refs(many, inverse = owner)]
    pets: Vec<Id<Pet, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "pair_pets")]
struct Pet {
    #[serde(rename = "_id")]
    id: Id<Pet, i64>,
    #[index]
    #[parent_ref(inverse = pets, exists)]
    owner: Option<Id<Owner, i64>>,
    #[refs(many, inverse = pets, exists)]
    toys: Vec<Id<Toy, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "pair_toys")]
struct Toy {
    #[serde(rename = "_id")]
    id: Id<Toy, i64>,
    #[refs(many, inverse = toys)]
    pets: Vec<Id<Pet, i64>>,
}

#[tokio::test]
async fn both_ends_stay_as_they_are_where_one_would_lead_nowhere() {
    let t = workshop("exists_pairs").await;
    let odm = &t.odm;
    odm.sync_indexes()
        .only::<Pet>()
        .only::<Owner>()
        .only::<Toy>()
        .await
        .unwrap();
    t.given(&[Owner {
        id: id(1),
        pets: Vec::new(),
    }])
    .await;
    t.given(&[Toy {
        id: id(1),
        pets: Vec::new(),
    }])
    .await;
    let pet = Pet {
        id: id(1),
        owner: Some(id(1)),
        toys: vec![id(1)],
    };
    let wrong = Pet {
        owner: Some(id(7)),
        ..pet.clone()
    };
    assert_eq!(refused(wrong.insert(odm).await), no("owner", [7]));
    let wrong = Pet {
        toys: vec![id(1), id(7)],
        ..pet.clone()
    };
    assert_eq!(refused(wrong.insert(odm).await), no("toys", [7]));
    assert_eq!(Toy::get(odm, id(1)).await.unwrap().pets, []);
    pet.insert(odm).await.unwrap();
    assert_eq!(Owner::get(odm, id(1)).await.unwrap().pets, [pet.id]);
    assert_eq!(Toy::get(odm, id(1)).await.unwrap().pets, [pet.id]);

    assert_eq!(
        refused(pet.reassign_owner(odm, Some(id(7))).await),
        no("owner", [7])
    );
    assert_eq!(refused(pet.link_toys(odm, [id(7)]).await), no("toys", [7]));
    let nobody = Owner {
        id: id(7),
        pets: Vec::new(),
    };
    assert_eq!(
        refused(nobody.take_pets(odm, [pet.id]).await),
        no("owner", [7])
    );
    assert_eq!(Owner::get(odm, id(1)).await.unwrap().pets, [pet.id]);
    expect_no_drift(odm).await;
}
