//! Documents whose kind is missing, null, of a different type or unknown, and documents that do not fit their kind.

use futures_util::StreamExt;
use mongo_odm::{
    Error,
    bson::{Bson, Decimal128, JavaScriptCodeWithScope, Regex, Timestamp},
};

use super::*;

fn kinds() -> Vec<(&'static str, Option<Bson>, &'static str)> {
    vec![
        ("H0", None, "missing"),
        ("H1", Some(Bson::Null), "null"),
        ("H2", Some(5.into()), "5"),
        ("H3", Some("alumnus".into()), "\"alumnus\""),
        ("H4", Some(vec!["class"].into()), "an array"),
        ("H5", Some(doc! { "class": 1 }.into()), "a document"),
        ("H6", Some(Bson::Symbol("class".to_owned())), "class"),
        ("H7", Some("Class".into()), "\"Class\""),
        ("H8", Some("".into()), "\"\""),
    ]
}

fn hostile(id: &str, kind: Option<Bson>) -> Document {
    let mut document = doc! { "_id": id, "name": "n", "number": 7_i64 };
    document.extend(kind.map(|kind| ("doc_type".to_owned(), kind)));
    document
}

#[tokio::test]
async fn an_untagged_variant_takes_what_no_kind_is_for_as_it_is() {
    let t = school("mixed_hostile_other").await;
    let stored: Vec<_> = kinds()
        .into_iter()
        .map(|(id, kind, _)| hostile(id, kind))
        .collect();
    store(&t, "mixed_school", stored.clone()).await;
    let found = Enrollment::find(&t.odm)
        .sort(doc! { "_id": 1 })
        .await
        .unwrap();
    assert_eq!(found.len(), 6 + stored.len());
    let others = found.into_iter().filter_map(|one| match one {
        Enrollment::Other(document) => Some(document),
        _ => None,
    });
    assert_eq!(others.collect::<Vec<_>>(), stored);
}

#[tokio::test]
async fn without_one_they_are_reported_with_their_id_and_kind() {
    let t = school("mixed_hostile_known").await;
    for (id, kind, shown) in kinds() {
        store(&t, "mixed_school", [hostile(id, kind)]).await;
        let one = Known::get(&t.odm, Id::from_key(id.to_owned()));
        let error = one.await.unwrap_err();
        let Error::Decode {
            type_name,
            collection,
            id: found,
            path,
            message,
            ..
        } = &error
        else {
            panic!("{error}")
        };
        assert_eq!(
            (*type_name, &**collection, &**path),
            ("Known", "mixed_school", "doc_type")
        );
        assert_eq!(found.as_deref(), Some(&Bson::from(id)));
        assert!(
            message.contains(&format!("the kind is {shown}")) || id == "H6",
            "{message}"
        );
        for remedy in [
            "add one for its model",
            "`#[serde(untagged)] Other(Document)`",
            "Known::known_kinds()",
        ] {
            assert!(message.contains(remedy), "{message}");
        }
        assert!(
            Known::find(&t.odm).await.is_err(),
            "nothing is left out unsaid"
        );
    }
    // A stream also returns the documents before and after the unknown one.
    let found: Vec<_> = Known::find(&t.odm).stream().collect().await;
    assert_eq!(found.iter().filter(|one| one.is_ok()).count(), 6);
}

#[tokio::test]
async fn a_document_that_does_not_fit_is_reported_with_the_model_of_its_kind() {
    let t = school("mixed_misfit").await;
    let misfit = doc! { "_id": "S9", "doc_type": "student", "name": 5, "number": 9_i64 };
    store(&t, "mixed_school", [misfit]).await;
    let error = Enrollment::get(&t.odm, Id::from_key("S9".to_owned()))
        .await
        .unwrap_err();
    let Error::Decode {
        type_name,
        collection,
        id,
        path,
        ..
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(
        (*type_name, &**collection, &**path),
        ("Student", "mixed_school", "name")
    );
    assert_eq!(id.as_deref(), Some(&Bson::from("S9")));
    let error = Enrollment::find(&t.odm).await.unwrap_err();
    assert!(
        error.to_string().contains("`Student`"),
        "an untagged variant hides no mistake: {error}"
    );
}

/// Serde buffers the documents of a tagged enum, and its buffer changes some BSON types.
#[tokio::test]
async fn all_types_of_bson_are_read_as_they_are() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
    #[model(collection = "mixed_types", kind(t = "all"))]
    struct All {
        #[serde(rename = "_id")]
        id: Id<All>,
        values: Vec<Bson>,
        date: DateTime,
        decimal: Decimal128,
        uuid: bson::Uuid,
        timestamp: Timestamp,
        raw: bson::RawDocumentBuf,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
    #[serde(tag = "t")]
    enum Typed {
        #[serde(rename = "all")]
        All(All),
    }
    let t = Harness::new("mixed_types").await;
    let all = All {
        id: Id::new(),
        values: vec![
            Bson::MinKey,
            Bson::MaxKey,
            Bson::Undefined,
            Bson::Symbol("s".to_owned()),
            Bson::JavaScriptCode("f()".to_owned()),
            Bson::JavaScriptCodeWithScope(JavaScriptCodeWithScope {
                code: "f()".to_owned(),
                scope: doc! { "a": 1 },
            }),
            Bson::RegularExpression(Regex {
                pattern: "^a".try_into().unwrap(),
                options: "i".try_into().unwrap(),
            }),
            Bson::Int32(1),
            Bson::Int64(1),
            Bson::Double(1.0),
            DateTime::from_millis(-1).into(),
        ],
        date: DateTime::from_millis(-62_135_596_800_001),
        decimal: "1.20".parse().unwrap(),
        uuid: bson::Uuid::new(),
        timestamp: Timestamp {
            time: 3,
            increment: 4,
        },
        raw: bson::RawDocumentBuf::try_from(&doc! { "x": DateTime::MIN }).unwrap(),
    };
    t.given(std::slice::from_ref(&all)).await;
    let found = Typed::find(&t.odm).await.unwrap();
    assert_eq!(found, [Typed::All(all)]);
}
