//! Projections of structs whose fields have an `alias`.

use mongo_odm::{bson::Document, prelude::*};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Address {
    #[serde(alias = "town")]
    city: String,
    street: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "aliased_people")]
struct Person {
    #[serde(rename = "_id")]
    id: Id<Person, i64>,
    name: String,
    home: Address,
    others: Vec<Address>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Person")]
struct Addresses {
    home: Address,
    others: Vec<Address>,
}

#[tokio::test]
async fn a_view_reads_a_struct_with_the_former_name_of_a_field() {
    let t = Harness::new("projections_aliased").await;
    let people = t.odm.database().collection::<Document>("aliased_people");
    let former = doc! { "town": "Bern", "street": "Gasse 1" };
    let stored = doc! { "_id": 1_i64, "name": "Kate", "home": &former, "others": [&former] };
    people.insert_one(stored).await.unwrap();
    let found = Person::find(&t.odm).select::<Addresses>().await.unwrap();
    let bern = Address {
        city: "Bern".to_owned(),
        street: "Gasse 1".to_owned(),
    };
    let expected = Addresses {
        home: bern.clone(),
        others: vec![bern],
    };
    assert_eq!(found, [expected]);
}
