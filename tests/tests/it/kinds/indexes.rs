//! A declared index contains only one kind. An index that a reference implies contains all kinds.

use super::*;

/// A model with an index of all kinds, an index with its own partial filter, and an index with its own name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "kinds_students_classes",
    kind(doc_type = "room"),
    index(keys(name = 1, number = 1), unique, all_kinds),
    index(keys(number = -1), partial = r#"{"name": {"$exists": true}}"#),
    index(keys(number = 1), name = "own_name")
)]
struct Lab {
    #[serde(rename = "_id")]
    id: Id<Lab, String>,
    name: String,
    number: i64,
}

async fn listed(t: &Harness, collection: &str) -> Vec<(String, Option<Document>)> {
    let command = doc! { "listIndexes": collection };
    let reply = t.odm.database().run_command(command).await.unwrap();
    let batch = reply.get_document("cursor").unwrap();
    let batch = batch.get_array("firstBatch").unwrap().clone();
    let mut all: Vec<_> = batch
        .iter()
        .map(|index| {
            let index = index.as_document().unwrap();
            let partial = index.get_document("partialFilterExpression").ok().cloned();
            (index.get_str("name").unwrap().to_owned(), partial)
        })
        .collect();
    all.sort_by(|left, right| left.0.cmp(&right.0));
    all
}

#[tokio::test]
async fn declared_indexes_are_of_one_kind_and_implied_ones_of_all() {
    let t = Harness::new("kinds_indexes").await;
    let sync = || t.odm.sync_indexes().only::<Class>().only::<Chip>();
    sync().await.unwrap();
    let expected = [
        ("_id_", None),
        ("class_1", None),
        ("name_1_class", Some(doc! { "doc_type": "class" })),
        ("name_1_number_1", None),
        ("name_1_student", Some(doc! { "doc_type": "student" })),
        (
            "number_-1_room",
            Some(doc! { "doc_type": "room", "name": { "$exists": true } }),
        ),
        ("own_name", Some(doc! { "doc_type": "room" })),
        ("student_1", None),
    ];
    let expected: Vec<_> = expected.map(|(name, of)| (name.to_owned(), of)).into();
    assert_eq!(listed(&t, "kinds_students_classes").await, expected);
    let either = doc! { "part_type": { "$in": ["chip", Bson::Null] } };
    let parts = [
        ("_id_", None),
        ("name_1_cable", Some(doc! { "part_type": "cable" })),
        ("name_1_chip", Some(either)),
    ];
    let parts: Vec<_> = parts.map(|(name, of)| (name.to_owned(), of)).into();
    assert_eq!(listed(&t, "kinds_parts").await, parts);
    // A second call finds nothing to create.
    let again = sync().await.unwrap();
    assert!(again.created.is_empty(), "{again:?}");
}

#[tokio::test]
async fn a_unique_index_is_unique_within_the_kind() {
    let t = parts("kinds_unique").await;
    t.odm.sync_indexes().only::<Chip>().await.unwrap();
    let (same_chip, same_cable) = (
        Chip {
            id: Id::from_key(50),
            ..chip(0)
        },
        Cable {
            id: Id::from_key(51),
            ..cable(1)
        },
    );
    // `n0` is the name of a chip without the kind field, and `n1` of a cable. Both kinds have a document with each
    // name.
    assert!(
        same_chip
            .insert(&t.odm)
            .await
            .unwrap_err()
            .is_duplicate_key()
    );
    assert!(
        same_cable
            .insert(&t.odm)
            .await
            .unwrap_err()
            .is_duplicate_key()
    );
    let new = Cable {
        id: Id::from_key(52),
        name: "n9".to_owned(),
        number: 9,
    };
    new.insert(&t.odm).await.unwrap();
    let as_chip = Chip {
        id: Id::from_key(53),
        name: "n9".to_owned(),
        number: 9,
    };
    as_chip.insert(&t.odm).await.unwrap();
}

/// Returns the index that the server uses for a `find` of the model.
async fn index_of(t: &Harness, find: Document) -> String {
    let explain = doc! { "explain": find, "verbosity": "queryPlanner" };
    let explained = t.odm.database().run_command(explain).await.unwrap();
    let text = explained.get_document("queryPlanner").unwrap();
    let plan = text.get_document("winningPlan").unwrap().to_string();
    let name = plan.split("\"indexName\": \"").nth(1).unwrap_or(&plan);
    name.split('"').next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn statements_of_a_kind_use_its_index() {
    let t = parts("kinds_explain").await;
    t.given(&(0..5).map(class).collect::<Vec<_>>()).await;
    t.odm
        .sync_indexes()
        .only::<Chip>()
        .only::<Class>()
        .await
        .unwrap();
    for (collection, filter, expected) in [
        (
            "kinds_students_classes",
            doc! { "doc_type": "class", "name": "n1" },
            "name_1_class",
        ),
        (
            "kinds_parts",
            doc! { "part_type": "cable", "name": "n1" },
            "name_1_cable",
        ),
        (
            "kinds_parts",
            doc! { "part_type": { "$in": ["chip", Bson::Null] }, "name": "n1" },
            "name_1_chip",
        ),
    ] {
        let find = doc! { "find": collection, "filter": filter };
        assert_eq!(index_of(&t, find).await, expected);
    }
    // The library sends the same filters.
    t.forget();
    Class::find(&t.odm)
        .filter(Class::fields().name.eq("n1"))
        .await
        .unwrap();
    Chip::find(&t.odm)
        .filter(Chip::fields().name.eq("n1"))
        .await
        .unwrap();
    let sent: Vec<Document> = odm_tests::sent::commands(&t, "find")
        .iter()
        .map(|find| find.get_document("filter").unwrap().clone())
        .collect();
    assert_eq!(sent[0], doc! { "doc_type": "class", "name": "n1" });
    assert_eq!(
        sent[1],
        doc! { "part_type": { "$in": ["chip", Bson::Null] }, "name": "n1" }
    );
}
