//! Links to documents without the kind field, which have the default kind.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_attic", kind(doc_type = "box", default))]
struct Trunk {
    #[serde(rename = "_id")]
    id: Id<Trunk, String>,
    #[links]
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_attic", kind(doc_type = "thing"))]
struct Thing {
    #[serde(rename = "_id")]
    id: Id<Thing, String>,
    #[links]
    #[serde(default)]
    links: Vec<Link>,
}

fn thing(id: &str) -> Thing {
    Thing {
        id: Id::from_key(id.to_owned()),
        links: Vec::new(),
    }
}

fn id_of(id: &str) -> Id<Trunk, String> {
    Id::from_key(id.to_owned())
}

/// A thing, and two boxes that were stored before the model had a kind.
async fn attic(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Trunk>();
    sync.only::<Thing>().await.unwrap();
    t.given(&[thing("T1")]).await;
    let links = |id: &str| vec![doc! { "target": id, "doc_type": "box" }];
    let stored = [
        doc! { "_id": "B1", "links": links("B1") },
        doc! { "_id": "B2", "doc_type": null, "links": links("B2") },
    ];
    put(&t.odm, "linked_attic", stored).await;
    t
}

async fn links(odm: &Odm, id: &str) -> Vec<Document> {
    let stored = raw(odm, "linked_attic", id).await;
    let links = stored.get_array("links").unwrap().iter();
    links.map(|it| it.as_document().unwrap().clone()).collect()
}

fn to(target: &str, kind: &str) -> Document {
    doc! { "target": target, "doc_type": kind }
}

#[tokio::test]
async fn a_link_to_a_document_without_a_kind_says_the_default_one() {
    let t = attic("links_default_kind").await;
    let boxes = [id_of("B1"), id_of("B2")];
    thing("T1").link(&t.odm, boxes.iter()).await.unwrap();
    let drift = t.odm.verify().only::<Thing>().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    let first = Trunk::get(&t.odm, &boxes[0]).await.unwrap();
    first.unlink(&t.odm, &thing("T1")).await.unwrap();
    let expected = [to("T1", "thing"), to("B2", "box")];
    assert_eq!(links(&t.odm, "T1").await, expected);
    first.link(&t.odm, &thing("T1")).await.unwrap();
    let expected = [to("T1", "thing"), to("B2", "box"), to("B1", "box")];
    assert_eq!(links(&t.odm, "T1").await, expected);
    let stored = Thing::get(&t.odm, &thing("T1").id).await.unwrap();
    assert_eq!(stored.links.len(), 3);
    let drift = t.odm.verify().only::<Thing>().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    assert_eq!(Trunk::count_linked(&t.odm, &stored).await.unwrap(), 2);
}

#[tokio::test]
async fn a_job_says_the_default_kind_as_well() {
    let t = attic("links_default_job").await;
    let collection = t.odm.database().collection::<Document>("linked_attic");
    let half = doc! { "$push": { "links": to("T1", "thing") } };
    collection
        .update_many(doc! { "_id": { "$in": ["B1", "B2"] } }, half)
        .await
        .unwrap();
    let drift = t.odm.verify().only::<Thing>().await.unwrap();
    assert_eq!(drift.len(), 2, "{drift}");
    drift.repair(&t.odm).await.unwrap();
    let expected = [to("T1", "thing"), to("B1", "box"), to("B2", "box")];
    assert_eq!(links(&t.odm, "T1").await, expected);
    let drift = t.odm.verify().only::<Thing>().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
}
