//! References to documents of several models.

use mongo_odm::prelude::*;

use crate::models::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(tag = "kind", content = "id", rename_all = "lowercase")]
enum Subject {
    Maker(Id<Maker, i64>),
    Tool(Id<Tool, i64>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Mention {
    #[refs(one, polymorphic)]
    of: Subject,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "remarks")]
struct Remark {
    #[serde(rename = "_id")]
    id: Id<Remark, i64>,
    #[refs(one, polymorphic, exists)]
    about: Subject,
    #[refs(many, polymorphic, exists)]
    also: Vec<Subject>,
    #[embed]
    #[refs(many, polymorphic, exists)]
    mentions: Vec<Mention>,
    #[refs(one, polymorphic)]
    unchecked: Option<Subject>,
}

fn remark(about: Subject) -> Remark {
    Remark {
        id: id(1),
        about,
        also: Vec::new(),
        mentions: Vec::new(),
        unchecked: Some(Subject::Tool(id(99))),
    }
}

/// The library searches for a key among the documents of its own model: there is a tool 1, but no maker 1.
#[tokio::test]
async fn each_key_is_looked_for_in_the_collection_of_its_variant() {
    let t = workshop("exists_polymorphic").await;
    t.given(&[maker(2)]).await;
    t.given(&[tool(1)]).await;
    let odm = &t.odm;
    let wrong = || Subject::Maker(id(1));
    let right = || Subject::Tool(id(1));
    assert_eq!(
        refused(remark(wrong()).insert(odm).await),
        no("about.id", [1])
    );
    let also = Remark {
        also: vec![right(), wrong()],
        ..remark(right())
    };
    assert_eq!(refused(also.insert(odm).await), no("also.id", [1]));
    let mentions = Remark {
        mentions: vec![Mention { of: wrong() }],
        ..remark(right())
    };
    assert_eq!(
        refused(mentions.insert(odm).await),
        no("mentions.of.id", [1])
    );
    remark(right()).insert(odm).await.unwrap();

    let fields = Remark::fields();
    let update = || Remark::update(odm, id(1));
    assert_eq!(
        refused(update().set(fields.about, wrong()).await),
        no("about.id", [1])
    );
    assert_eq!(
        refused(update().push(fields.also, wrong()).await),
        no("also.id", [1])
    );
    update()
        .push(fields.also, Subject::Maker(id(2)))
        .await
        .unwrap();
    update().set(fields.unchecked, wrong()).await.unwrap();
    // The same key with a different kind.
    let kind = doc! { "$set": { "about.kind": "maker" } };
    assert_eq!(refused(update().with(kind).await), no("about.id", [1]));
}

/// An import rejects references to the missing document, but not references with the same key and a different kind.
#[tokio::test]
async fn an_import_stores_references_with_the_key_of_a_missing_document_of_another_kind() {
    let t = workshop("exists_polymorphic_import").await;
    t.given(&[tool(1)]).await;
    let with_id = |number, about| Remark {
        id: id(number),
        ..remark(about)
    };
    let remarks = [
        with_id(1, Subject::Maker(id(1))),
        with_id(2, Subject::Tool(id(1))),
    ];
    let import = Remark::insert_many(&t.odm, &remarks).unordered().await;
    let mongo_odm::Error::InsertMany {
        inserted, rejected, ..
    } = import.unwrap_err()
    else {
        panic!("it should say what is rejected")
    };
    let rejected: Vec<usize> = rejected.iter().map(|it| it.index).collect();
    assert_eq!((inserted, rejected), (1, vec![0]));
}
