//! Deletes of documents with links, caused by the delete rules of other models.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_houses")]
struct House {
    #[serde(rename = "_id")]
    id: Id<House, String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_guests", kind(doc_type = "guest"))]
struct Guest {
    #[serde(rename = "_id")]
    id: Id<Guest, String>,
    #[parent_ref(on_delete = "cascade")]
    house: Id<House, String>,
    #[links]
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_guests", kind(doc_type = "meal"))]
struct Meal {
    #[serde(rename = "_id")]
    id: Id<Meal, String>,
    #[links]
    #[serde(default)]
    links: Vec<Link>,
}

/// A bill, which prevents the delete of its guest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_bills")]
struct Bill {
    #[serde(rename = "_id")]
    id: Id<Bill, String>,
    #[refs(one, on_delete = "restrict")]
    guest: Id<Guest, String>,
}

async fn meals(odm: &Odm) -> Vec<Vec<String>> {
    let meals = Meal::find(odm).sort(Meal::fields().id.asc()).await.unwrap();
    meals
        .into_iter()
        .map(|it| it.links.into_iter().map(|it| it.target).collect())
        .collect()
}

#[tokio::test]
async fn a_cascade_ends_the_links_of_what_it_deletes() {
    let t = empty("links_cascade").await;
    let sync = t.odm.sync_indexes().only::<Guest>().only::<Meal>();
    sync.only::<Bill>().await.unwrap();
    for (way, odm) in both_ways(&t.odm) {
        let house = House {
            id: Id::from_key("H1".to_owned()),
        };
        house.insert(&odm).await.unwrap();
        let guest = |n: i64| Guest {
            id: Id::from_key(format!("G{n}")),
            house: house.id.clone(),
            links: Vec::new(),
        };
        let meal = |n: i64| Meal {
            id: Id::from_key(format!("M{n}")),
            links: Vec::new(),
        };
        let (guests, all): (Vec<_>, Vec<_>) =
            ((0..3).map(guest).collect(), (0..2).map(meal).collect());
        t.given(&guests).await;
        t.given(&all).await;
        for guest in &guests {
            guest.link(&odm, all.iter()).await.unwrap();
        }
        guests[0].link(&odm, [&guests[1]]).await.unwrap();
        let bill = Bill {
            id: Id::from_key("B".to_owned()),
            guest: guests[2].id.clone(),
        };
        bill.insert(&odm).await.unwrap();
        if way == "inline" {
            House::delete(&odm, &house.id).await.unwrap_err();
        }
        Guest::delete(&odm, &guests[2].id).await.unwrap_err();
        assert_eq!(
            meals(&odm).await,
            [["M0", "G0", "G1", "G2"], ["M1", "G0", "G1", "G2"]]
        );
        Bill::delete(&odm, &bill.id).await.unwrap();
        House::delete(&odm, &house.id).await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        assert_eq!(meals(&odm).await, [["M0"], ["M1"]]);
        let drift = odm
            .verify()
            .only::<Guest>()
            .include_pending()
            .await
            .unwrap();
        assert!(drift.is_empty(), "{drift}");
        assert_eq!(jobs(&odm).await, []);
        Meal::delete_many(&odm, doc! {}).everything().await.unwrap();
    }
}

#[tokio::test]
async fn a_delete_past_the_library_is_followed_by_the_watcher() {
    let t = school("links_watched").await;
    student(1)
        .link(&t.odm, [&class(1), &class(2)])
        .await
        .unwrap();
    student(1).link(&t.odm, [&room(1)]).await.unwrap();
    let odm = &t.odm;
    let watcher = crate::change_stream::watching(odm).await;
    let collection = odm.database().collection::<Document>("linked_school");
    collection.delete_one(doc! { "_id": "C1" }).await.unwrap();
    collection.delete_one(doc! { "_id": "R1" }).await.unwrap();
    let push = doc! { "$push": { "links": stored_link("C3") } };
    past_the_library(odm, "S2", push).await;
    crate::change_stream::run_until(odm, async || {
        links_of(odm, "S1").await == ["S1", "C2"] && links_of(odm, "C3").await == ["C3", "S2"]
    })
    .await;
    crate::change_stream::run_all(odm).await;
    crate::change_stream::kill(watcher).await;
}
