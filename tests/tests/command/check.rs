//! `odm check`, and the part of a database that `odm check` and other subcommands read.

use mongo_odm::bson::{doc, oid::ObjectId};
use odm_tests::cluster::is_sharded;

use crate::{
    database, insert,
    process::{WITH_COPIES, json, run, run_at},
};

#[tokio::test]
async fn a_part_of_a_collection_is_called_so_and_is_the_same_part_each_time() {
    let database = database("command_sample").await;
    assert_eq!(run(&database, &["indexes", "--apply"]).code, 0);
    // One of the documents that do not match the model is among the newest.
    let part = |n: i32| {
        let cost = if n % 50 == 49 {
            "dear".into()
        } else {
            mongo_odm::bson::Bson::Double(0.5)
        };
        doc! { "_id": ObjectId::new(), "partno": n.to_string(), "name": "nut", "qty": 1, "cost": cost, "price": 1.0 }
    };
    insert(&database, "parts", (0..300).map(part).collect()).await;
    let (code, found) = json(&database, &["check"]);
    assert_eq!(
        (code, &found["documents"], &found["sampled"]),
        (1, &300.into(), &200.into()),
        "{found}"
    );
    let of_parts = found["collections"].as_array().unwrap();
    let of_parts = of_parts.iter().find(|it| it["name"] == "parts").unwrap();
    assert_eq!(
        (
            &of_parts["documents"],
            &of_parts["sampled"],
            &of_parts["is_complete"]
        ),
        (&300.into(), &200.into(), &false.into())
    );
    let findings = found["findings"].as_array().unwrap();
    assert!(!findings.is_empty());
    for _ in 0..3 {
        let (_, again) = json(&database, &["check"]);
        assert_eq!(again["findings"], found["findings"]);
    }
    let text = run(&database, &["check"]);
    assert!(
        text.out.contains("200 of 300 documents sampled"),
        "{text:?}"
    );
    let all = run(&database, &["check", "--sample", "300"]);
    assert!(all.out.contains("all 300 documents read"), "{all:?}");
    assert!(all.out.contains("6 of 300 in the sample"), "{all:?}");
    let file = std::env::temp_dir().join(format!("{}.rs", database.name()));
    let path = file.to_str().unwrap();
    let told = run(&database, &["pull", "--out", path, "--sample", "200"]);
    assert!(
        told.out.contains("`parts`: 200 of 300 documents sampled"),
        "{told:?}"
    );
    std::fs::remove_file(file).unwrap();
    let advice = run(&database, &["advise", "--sample", "200"]);
    assert!(
        advice.out.contains("200 of 300 documents sampled"),
        "{advice:?}"
    );
}

#[tokio::test]
async fn a_check_finds_what_does_not_fit() {
    let database = database("command_check").await;
    let lacking = run(&database, &["check"]);
    assert_eq!(lacking.code, 1, "{lacking:?}");
    assert!(lacking.out.contains("an index is missing"), "{lacking:?}");
    assert_eq!(run(&database, &["indexes", "--apply"]).code, 0);
    let good = run(&database, &["check"]);
    assert_eq!(good.code, 0, "{good:?}");
    let part = ObjectId::new();
    let parts = vec![
        doc! { "_id": part, "partno": "1", "name": "nut", "qty": 1, "cost": 0.5, "price": 1.0 },
        doc! { "_id": "not an id", "partno": "2", "name": 7 },
    ];
    insert(&database, "parts", parts).await;
    let product = doc! { "_id": ObjectId::new(), "name": "p", "manufacturer": "m", "catalog_number": 1, "parts": [part, ObjectId::new()] };
    insert(&database, "products", vec![product]).await;
    let (code, found) = json(&database, &["check"]);
    assert_eq!(code, 1);
    let findings = found["findings"].as_array().unwrap();
    let of = |rule: &str| {
        findings
            .iter()
            .find(|it| it["rule"] == rule)
            .unwrap_or_else(|| panic!("no {rule}: {found}"))
    };
    let dangling = of("dangling");
    assert_eq!(
        (&dangling["count"], &dangling["of"]),
        (&1.into(), &2.into()),
        "{dangling}"
    );
    let decode = findings
        .iter()
        .find(|it| it["rule"] == "decode" && it["example"] == "not an id");
    let decode = decode.unwrap_or_else(|| panic!("{found}"));
    assert_eq!(
        (&decode["collection"], &decode["of"]),
        (&"parts".into(), &2.into()),
        "{decode}"
    );
    let text = run(&database, &["check"]);
    assert!(
        text.out.contains("of 2 in the sample, `_id` \"not an id\""),
        "{text:?}"
    );
}

#[tokio::test]
async fn documents_without_a_version_are_found() {
    let database = database("command_version").await;
    let indexes = run_at(WITH_COPIES, database.uri(), &["indexes", "--apply"]);
    assert_eq!(indexes.code, 0, "{indexes:?}");
    let document = |id: i32| doc! { "_id": id, "name": format!("{id}"), "version": 1_i64 };
    insert(&database, "lonely", vec![document(1), document(2)]).await;
    let check = || run_at(WITH_COPIES, database.uri(), &["check"]);
    assert_eq!(check().code, 0, "{:?}", check());
    let older = vec![
        doc! { "_id": 3, "name": "3" },
        doc! { "_id": 4, "name": "4", "version": null },
    ];
    insert(&database, "lonely", older).await;
    let found = check();
    assert_eq!(found.code, 1, "{found:?}");
    let message = "lonely: documents of `Lonely` lack the version `version`, so a program that does not declare it has \
                   stored them; deploy `Lonely.version` to all programs before one of them calls `if_unchanged`; 2 of 4 \
                   in the sample, `_id` ";
    // Documents of several shards are in no order, so the example can be either of the two.
    let example = if is_sharded() { "" } else { "3" };
    let message = format!("{message}{example}");
    assert!(found.out.contains(&message), "{found:?}");
}
