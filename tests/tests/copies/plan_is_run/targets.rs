//! Relations to one of several models, to a single referring document, and of embedded structs.

use mongo_odm::{Executor, prelude::*};
use odm_tests::{Harness, planned::assert_sent};

use super::{Keeper, Note, Part, Product, family, note, setting, shelf};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(tag = "kind", content = "id", rename_all = "lowercase")]
enum Subject {
    Note(Id<Note>),
    Keeper(Id<Keeper>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "plan_remarks")]
struct Remark {
    #[serde(rename = "_id")]
    id: Id<Remark>,
    #[refs(one, polymorphic)]
    subject: Subject,
    #[refs(many, polymorphic)]
    also: Vec<Subject>,
}

#[tokio::test]
async fn polymorphic_relations_send_what_they_plan() {
    let t = setting("plan_run_polymorphic").await;
    let (keeper, ..) = family(&t.odm).await;
    let notes = [note(1), note(2)];
    t.given(&notes).await;
    let remark = |first: &Note| Remark {
        id: Id::new(),
        subject: Subject::Note(first.id),
        also: vec![Subject::Keeper(keeper.id), Subject::Note(notes[1].id)],
    };
    let remarks = [remark(&notes[0]), remark(&notes[1])];
    t.given(&remarks).await;
    polymorphic(&t, &t.odm, &remarks).await;
    let inside = async |tx: mongo_odm::Tx| {
        polymorphic(&t, &tx, &remarks).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
}

async fn polymorphic(t: &Harness, odm: &impl Executor, remarks: &[Remark]) {
    let remark = &remarks[0];
    let found = same!(*t, "load one", remark.load_subject::<Note>(odm));
    assert!(found.is_some());
    let found = same!(*t, "load many", remark.load_also::<Keeper>(odm));
    assert_eq!(found.len(), 1);
    let stars = Note::fields().stars;
    same!(
        *t,
        "sorted load",
        remark.load_also::<Note>(odm).sort(stars.desc()).limit(1)
    );
    same!(*t, "count", remark.count_also::<Note>(odm));
    let joined = same!(*t, "join one", Remark::join_subject::<Note>(remarks, odm));
    assert!(joined.one_of(remark).is_some());
    let joined = same!(*t, "join many", Remark::join_also::<Note>(remarks, odm));
    assert_eq!(joined.of(remark).len(), 1);
    same!(
        *t,
        "so many of each",
        Remark::join_also::<Note>(remarks, odm).limit_each(1)
    );
    same!(
        *t,
        "count each",
        Remark::join_also::<Note>(remarks, odm).count_each()
    );
    let subjects = || remarks.iter().flat_map(|remark| &remark.also);
    same!(
        *t,
        "join subjects",
        Subject::join::<Keeper>(subjects(), odm)
    );
}

#[tokio::test]
async fn relations_of_embedded_structs_send_what_they_plan() {
    let t = setting("plan_run_embedded").await;
    let (_, one) = shelf(&t.odm, 2).await;
    let (_, two) = shelf(&t.odm, 3).await;
    let products = [one, two];
    embedded(&t, &t.odm, &products).await;
    let inside = async |tx: mongo_odm::Tx| {
        embedded(&t, &tx, &products).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
}

async fn embedded(t: &Harness, odm: &impl Executor, products: &[Product]) {
    let product = &products[0];
    let found = same!(*t, "load", product.load_parts(odm));
    assert_eq!(found.len(), 1);
    let line = &product.parts[0];
    same!(*t, "load of the struct", line.load_id(odm));
    same!(*t, "count", product.count_parts(odm));
    let joined = same!(*t, "join", Product::join_parts(products, odm));
    assert_eq!(joined.of(product).len(), 1);
    let qty = Part::fields().qty;
    same!(
        *t,
        "sorted join",
        Product::join_parts(products, odm).sort(qty.asc())
    );
    same!(
        *t,
        "so many of each",
        Product::join_parts(products, odm).limit_each(1)
    );
    same!(
        *t,
        "count each",
        Product::join_parts(products, odm).count_each()
    );
}

#[tokio::test]
async fn relations_to_one_that_refers_send_what_they_plan() {
    let t = setting("plan_run_has_one").await;
    let (one, ..) = family(&t.odm).await;
    let (two, ..) = family(&t.odm).await;
    let keepers = [one, two];
    has_one(&t, &t.odm, &keepers).await;
    let inside = async |tx: mongo_odm::Tx| {
        has_one(&t, &tx, &keepers).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
}

async fn has_one(t: &Harness, odm: &impl Executor, keepers: &[Keeper]) {
    let found = same!(*t, "load", keepers[0].load_pet(odm));
    assert!(found.is_some());
    let joined = same!(*t, "join", Keeper::join_pet(keepers, odm));
    assert!(joined.one_of(&keepers[1]).is_some());
}
