//! All calls that read also accept the enum, and send the same statements as for a model.

use futures_util::TryStreamExt;
use mongo_odm::{Error, bson::Document};

use super::*;
use odm_tests::sent::{commands, only};

fn all() -> Vec<Enrollment> {
    let classes = (0..3).map(class).map(Enrollment::Class);
    classes
        .chain((0..3).map(student).map(Enrollment::Student))
        .collect()
}

#[tokio::test]
async fn a_find_brings_each_document_as_the_struct_of_its_kind() {
    let t = school("mixed_find").await;
    let found = Enrollment::find(&t.odm)
        .sort(doc! { "_id": 1 })
        .await
        .unwrap();
    assert_eq!(found, all());
    let find = only(&t, "find");
    assert_eq!(find.get_document("filter").unwrap(), &doc! {});
    assert_eq!(find.get_str("find").unwrap(), "mixed_school");
    // The names of the variants may differ from the kinds.
    let found = Known::find(&t.odm).sort(doc! { "_id": -1 }).await.unwrap();
    assert_eq!(found[0], Known::Pupil(student(2)));
    assert_eq!(found[5], Known::Course(class(0)));
}

#[tokio::test]
async fn every_call_that_reads_sends_one_statement() {
    let t = school("mixed_reads").await;
    let enrollment = Enrollment::fields();

    let one = Enrollment::get(&t.odm, Id::from_key("S1".to_owned()))
        .await
        .unwrap();
    assert_eq!(one, Enrollment::Student(student(1)));
    let id = Enrollment::id_of::<Class>(&class(1).id);
    assert_eq!(
        Enrollment::get(&t.odm, &id).await.unwrap(),
        Enrollment::Class(class(1))
    );
    let one = Enrollment::find_one(&t.odm)
        .filter(doc! { "seats": 20 })
        .await
        .unwrap();
    assert_eq!(one, Some(Enrollment::Class(class(2))));
    assert_eq!(commands(&t, "find").len(), 3);
    t.forget();

    assert_eq!(Enrollment::count(&t.odm).await.unwrap(), 6);
    assert!(
        Enrollment::exists(&t.odm)
            .filter(enrollment.number.eq(2))
            .await
            .unwrap()
    );
    assert!(
        !Enrollment::exists(&t.odm)
            .filter(enrollment.number.eq(7))
            .await
            .unwrap()
    );
    let mut kinds = Enrollment::distinct(&t.odm, enrollment.doc_type)
        .await
        .unwrap();
    kinds.sort();
    assert_eq!(
        kinds,
        ["class", "student"].map(|kind| Some(kind.to_owned()))
    );
    let counted: Vec<Document> = Enrollment::aggregate(&t.odm, [doc! { "$count": "n" }])
        .await
        .unwrap();
    assert_eq!(counted, [doc! { "n": 6 }]);
    let streamed: Vec<_> = Enrollment::find(&t.odm)
        .stream()
        .try_collect()
        .await
        .unwrap();
    assert_eq!(streamed.len(), 6);
    assert_eq!(
        t.recorder().names(),
        ["aggregate", "find", "find", "distinct", "aggregate", "find"]
    );

    let none = Id::from_key("X".to_owned());
    let error = Enrollment::get(&t.odm, none).await.unwrap_err();
    assert!(matches!(
        error,
        Error::NotFound {
            model: "Enrollment",
            collection: "mixed_school",
            ..
        }
    ));
}

#[tokio::test]
async fn pages_go_through_all_kinds_in_one_order() {
    let t = school("mixed_pages").await;
    let enrollment = Enrollment::fields();
    let sorted = || Enrollment::find(&t.odm).sort(enrollment.number.desc());
    let (mut seen, mut token) = (Vec::new(), None);
    loop {
        let page = sorted().page(2).after(token).await.unwrap();
        seen.extend(keys(&page.items));
        token = page.next;
        if token.is_none() {
            break;
        }
    }
    assert_eq!(seen, ["C2", "S2", "C1", "S1", "C0", "S0"]);
    assert_eq!(commands(&t, "find").len(), 3);
}

#[tokio::test]
async fn a_projection_reads_fields_that_all_kinds_have() {
    #[derive(Debug, PartialEq, Serialize, Deserialize, Projection)]
    #[projection(of = "Enrollment")]
    struct Named {
        #[serde(rename = "_id")]
        id: Id<Enrollment, String>,
        name: String,
    }
    let t = school("mixed_projection").await;
    let found = Enrollment::find(&t.odm)
        .select::<Named>()
        .sort(doc! { "_id": 1 })
        .await
        .unwrap();
    assert_eq!(found.len(), 6);
    assert_eq!(found[0].name, "n0");
    assert_eq!(found[5].id, Enrollment::id_of::<Student>(&student(2).id));
    let find = only(&t, "find");
    assert_eq!(
        find.get_document("projection").unwrap(),
        &doc! { "_id": 1, "name": 1 }
    );
}

#[tokio::test]
async fn a_default_kind_takes_documents_without_the_field() {
    let t = Harness::new("mixed_default").await;
    let chip = |pins| Chip {
        id: Id::new(),
        pins,
    };
    let (old, empty, new) = (chip(1), chip(2), chip(3));
    let cable = Cable {
        id: Id::new(),
        length: 2.5,
    };
    t.given(std::slice::from_ref(&new)).await;
    t.given(std::slice::from_ref(&cable)).await;
    let past = [
        doc! { "_id": old.id, "pins": 1_i64 },
        doc! { "_id": empty.id, "pins": 2_i64, "part_type": null },
    ];
    store(&t, "mixed_parts", past).await;
    let mut found = Part::find(&t.odm).await.unwrap();
    found.sort_by_key(|part| match part {
        Part::Chip(chip) => chip.pins,
        Part::Cable(_) => 9,
    });
    let expected = [
        Part::Chip(old),
        Part::Chip(empty),
        Part::Chip(new),
        Part::Cable(cable),
    ];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn an_enum_is_no_model_of_its_own() {
    let t = school("mixed_no_model").await;
    let names: Vec<_> = mongo_odm::models().iter().map(|model| model.name).collect();
    assert!(names.contains(&"Chip") && !names.contains(&"Enrollment") && !names.contains(&"Known"));
    mongo_odm::check_models().unwrap();
    let tx = t
        .odm
        .transaction(async |tx| Enrollment::count(&tx).await)
        .await;
    assert_eq!(tx.unwrap(), 6, "reads run in transactions");
    let drift = t.odm.verify().await.unwrap();
    assert!(!format!("{drift:?}").contains("Enrollment"), "{drift:?}");
}
