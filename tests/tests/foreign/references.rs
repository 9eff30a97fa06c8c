//! Distinguishes references to one collection from other values.

use mongo_odm::{
    Odm,
    bson::{Bson, Document, doc, oid::ObjectId},
    mongodb::{IndexModel, options::IndexOptions},
};
use mongo_odm_testkit::TestDb;
use mongo_odm_tools::OdmTools;

async fn database(test: &str) -> (TestDb, Odm) {
    let database = TestDb::new(test).await.unwrap();
    let odm = Odm::new(database.database());
    (database, odm)
}

async fn store(database: &TestDb, name: &str, documents: impl IntoIterator<Item = Document>) {
    let collection = database.collection(name);
    collection.insert_many(documents).await.unwrap();
}

/// Creates a unique index. On a cluster, the collection must be empty, so that the testkit does not shard it.
async fn unique(database: &TestDb, name: &str, field: &str) {
    let options = IndexOptions::builder().unique(true).build();
    let index = IndexModel::builder()
        .keys(doc! { field: 1 })
        .options(options);
    let collection = database.collection(name);
    collection.create_index(index.build()).await.unwrap();
}

/// Returns the references in a survey, with the undecided ones at the end, and the generated models.
async fn shown(odm: &Odm) -> (Vec<String>, String) {
    let survey = odm.survey().keep_documents().await.unwrap();
    let references = survey.references.iter().map(ToString::to_string);
    let undecided = survey.undecided.iter().map(ToString::to_string);
    let shown = references.chain(undecided).collect();
    (shown, mongo_odm_tools::write_models(&survey))
}

/// Returns a field of the generated models and the lines above it, as one text.
fn written<'m>(models: &'m str, field: &str) -> String {
    let lines: Vec<&'m str> = models.lines().map(str::trim).collect();
    let end = lines.iter().position(|it| it.starts_with(field)).unwrap();
    let begin = lines[..end].iter().rposition(|it| it.ends_with([',', '{']));
    let mut text = String::new();
    for line in &lines[begin.unwrap() + 1..=end] {
        let broken = line.strip_prefix("// ").filter(|_| !text.is_empty());
        text.extend([" ", broken.unwrap_or(line)]);
    }
    text
}

fn ids(many: usize) -> Vec<ObjectId> {
    (0..many).map(|_| ObjectId::new()).collect()
}

#[tokio::test]
async fn values_of_which_each_half_leads_to_another_collection_are_undecided() {
    let (database, odm) = database("references_divided").await;
    let all = ids(400);
    let of = |ids: &[ObjectId]| ids.iter().map(|id| doc! { "_id": *id }).collect::<Vec<_>>();
    store(&database, "films", of(&all[..200])).await;
    store(&database, "books", of(&all[200..])).await;
    let review = |n: usize| {
        let subject = all[n * 7 % 400];
        // A sixth of the distinct keys refer to no document.
        let film = if n.is_multiple_of(15) {
            ObjectId::new()
        } else {
            all[n % 200]
        };
        let few = if n.is_multiple_of(20) {
            all[n % 200]
        } else {
            all[200 + n % 200]
        };
        doc! { "subject": subject, "film": film, "subjects": [subject], "few": few }
    };
    store(&database, "reviews", (0..600).map(review)).await;
    let (found, models) = shown(&odm).await;
    let both = "400 values, keys of books._id (200) and films._id (200)";
    assert_eq!(
        found,
        [
            "reviews.few -> books._id: 190 of 200 values found".to_owned(),
            "reviews.film -> films._id: 200 of 240 values found".to_owned(),
            format!("reviews.subject: {both}"),
            format!("reviews.subjects[]: {both}"),
        ]
    );
    let film = written(&models, "pub film:");
    assert!(
        film.contains("`_id` of `films`; the others lead to no collection."),
        "{film}"
    );
    assert!(film.contains("#[parent_ref] pub film: Id<Film>"), "{film}");
    let subject = written(&models, "pub subject:");
    assert!(
        subject.contains("(200 of 400)") && subject.contains("`#[refs(one, polymorphic)]`"),
        "{subject}"
    );
    assert!(subject.ends_with("pub subject: ObjectId,"), "{subject}");
    let subjects = written(&models, "pub subjects:");
    assert!(
        subjects.contains("`#[refs(many, polymorphic)]`"),
        "{subjects}"
    );
    let advice = mongo_odm_tools::advise(database.database())
        .await
        .unwrap()
        .to_string();
    for field in ["`subject`", "`subjects`", "`film`"] {
        assert!(!advice.contains(field), "{advice}");
    }
    assert!(advice.contains("values of `few` are"), "{advice}");
}

#[tokio::test]
async fn a_copy_beside_the_reference_that_it_belongs_to_is_no_reference() {
    let (database, odm) = database("references_copies").await;
    let all = ids(120);
    let customer = |(id, n): (&ObjectId, usize)| {
        doc! { "_id": *id, "name": format!("Customer {n}"), "email": format!("c{n}@example.org") }
    };
    unique(&database, "customers", "email").await;
    store(&database, "customers", all.iter().zip(0..).map(customer)).await;
    let order = |n: usize| {
        let (of, to) = (n % 120, (n + 1) % 120);
        let line = doc! { "customer": all[of], "customer_name": format!("Customer {of}") };
        doc! {
            "customer_id": all[of], "customer_name": format!("Customer {of}"), "customer_email": format!("c{of}@example.org"),
            // These emails belong to a different customer than the one that `customer_id` refers to.
            "to": { "email": format!("c{to}@example.org") }, "email": format!("c{to}@example.org"), "lines": [line],
        }
    };
    store(&database, "orders", (0..500).map(order)).await;
    let (found, models) = shown(&odm).await;
    let led = |path: &str, key: &str| {
        format!("orders.{path} -> customers.{key}: 120 of 120 values found")
    };
    assert_eq!(
        found,
        [
            led("customer_id", "_id"),
            led("email", "email"),
            led("lines[].customer", "_id"),
            led("to.email", "email"),
        ]
    );
    let name = written(&models, "pub customer_name:");
    let told = "Equals `name` of the document of `customers` that `customer_id` leads to: a copy, which is no reference.";
    assert!(
        name.contains(told) && name.ends_with("pub customer_name: String,"),
        "{name}"
    );
    assert!(!name.contains("#[parent_ref"), "{name}");
    // A survey that keeps no documents finds the same references.
    let survey = odm.survey().await.unwrap();
    let references: Vec<_> = survey.references.iter().map(ToString::to_string).collect();
    assert_eq!(references, found);
    assert!(survey.collections.iter().all(|it| it.sample.is_empty()));
}

#[tokio::test]
async fn a_field_called_after_a_collection_leads_to_its_unique_key() {
    let (database, odm) = database("references_unique").await;
    let label = |n: i32| doc! { "slug": format!("lab-{n:03}"), "place": n };
    for field in ["slug", "place"] {
        unique(&database, "labels", field).await;
    }
    store(&database, "labels", (0..200).map(label)).await;
    let post = |n: i32| {
        let slug = |n: i32| Bson::from(format!("lab-{:03}", n % 200));
        doc! { "label": slug(n), "labels": [slug(n), slug(n + 1)], "label_no": n % 200, "word": slug(n) }
    };
    store(&database, "posts", (0..600).map(post)).await;
    let (found, models) = shown(&odm).await;
    let led = |path: &str| format!("posts.{path} -> labels.slug: 200 of 200 values found");
    assert_eq!(found, [led("label"), led("labels[]")]);
    assert!(
        written(&models, "pub labels:").contains("#[refs(many, to = \"Label.slug\")]"),
        "{models}"
    );
}

#[tokio::test]
async fn models_import_what_they_use_in_the_order_of_rustfmt() {
    let (database, odm) = database("references_imports").await;
    let (_, models) = shown(&odm).await;
    assert!(models.lines().all(|it| it.starts_with("//!")), "{models}");
    let things = [doc! { "_id": 1, "a.b": 1 }, doc! { "_id": "x", "a.b": 1 }];
    store(&database, "things", things).await;
    let (_, models) = shown(&odm).await;
    let imports: Vec<_> = models.lines().filter(|it| it.starts_with("use ")).collect();
    let expected = [
        "use mongo_odm::AnyKey;",
        "use mongo_odm::bson::Document;",
        "use mongo_odm::prelude::*;",
    ];
    assert_eq!(imports, expected, "{models}");
}

/// Only kept documents show whether a field with few distinct strings contains a kind.
#[tokio::test]
async fn without_kept_documents_each_collection_is_one_model() {
    let (database, odm) = database("pull_without_documents").await;
    for name in ["orders", "notices"] {
        let field = if name == "orders" { "status" } else { "kind" };
        let documents = (0..60).map(|n| doc! { "_id": n, field: format!("s{}", n % 3) });
        store(&database, name, documents).await;
    }
    let survey = odm.survey().await.unwrap();
    let models = mongo_odm_tools::write_models(&survey);
    for struct_line in ["pub struct Order {", "pub struct Notice {"] {
        assert_eq!(models.matches(struct_line).count(), 1, "{models}");
    }
}

#[tokio::test]
async fn an_index_that_the_models_cannot_declare_is_a_comment() {
    let (database, odm) = database("pull_undeclared_indexes").await;
    let documents = (0..60).map(|n| {
        let array = if n % 2 == 0 { "tags" } else { "notes" };
        let place = doc! { "name": format!("Place {n}"), array: [format!("x{n}")] };
        doc! { "_id": n, "title": format!("Title {n}"), "done": n % 3 == 0, "place": place }
    });
    store(&database, "visits", documents).await;
    for keys in [
        doc! { "place.tags": 1, "place.notes": 1 },
        doc! { "title": "text", "done": "text" },
    ] {
        let index = IndexModel::builder().keys(keys).build();
        let collection = database.collection("visits");
        collection.create_index(index).await.unwrap();
    }
    let (_, models) = shown(&odm).await;
    for comment in [
        "it has two arrays",
        "it searches values that are not strings",
    ] {
        assert!(models.contains(comment), "{models}");
    }
    for declared in ["keys(place", "= \"text\""] {
        assert!(!models.contains(declared), "{models}");
    }
}
