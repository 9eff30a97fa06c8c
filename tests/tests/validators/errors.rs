//! The error of a write that a validator rejects.

use super::*;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "valid_seats")]
struct Seat {
    #[serde(rename = "_id")]
    id: Id<Seat, i64>,
    name: String,
    row: i32,
}

fn seat(id: i64, row: i32) -> Seat {
    Seat {
        id: Id::from_key(id),
        name: "x".into(),
        row,
    }
}

/// Creates a collection with the validator of another program: a row must be positive.
async fn with_positive_rows(test: &str) -> Harness {
    let t = Harness::new(test).await;
    let schema = doc! { "properties": { "row": { "minimum": 1 } } };
    let create = doc! { "create": "valid_seats", "validator": { "$jsonSchema": schema } };
    t.database().database().run_command(create).await.unwrap();
    seat(1, 1).insert(&t.odm).await.unwrap();
    t
}

#[tokio::test]
async fn every_write_reports_the_model_the_field_and_the_rule() {
    let t = with_positive_rows("validators_errors").await;
    let (odm, fields) = (&t.odm, Seat::fields());
    let errors = [
        seat(2, -1).insert(odm).await.unwrap_err(),
        seat(2, -1).insert(odm).returning().await.unwrap_err(),
        seat(1, -1).save(odm).await.unwrap_err(),
        seat(1, -1).replace(odm).await.unwrap_err(),
        Seat::update(odm, Id::from_key(1))
            .set(fields.row, -1)
            .await
            .unwrap_err(),
        Seat::update_many(odm, Filter::all())
            .set(fields.row, -1)
            .await
            .unwrap_err(),
        Seat::find_one_and_update(odm, fields.id.eq(Id::from_key(1)))
            .set(fields.row, -1)
            .await
            .unwrap_err(),
        Seat::upsert(odm, fields.id.eq(Id::from_key(3)))
            .set(fields.row, -1)
            .set(fields.name, "x")
            .await
            .unwrap_err(),
        Seat::insert_many(odm, [&seat(4, 1), &seat(5, -1)])
            .await
            .unwrap_err(),
        odm.transaction(async |tx| seat(6, -1).insert(&tx).await.map(drop))
            .await
            .unwrap_err(),
    ];
    for (at, error) in errors.into_iter().enumerate() {
        assert_eq!(error.kind(), ErrorKind::InvalidDocument, "{at}: {error}");
        assert_eq!(error.code(), "odm.invalid_document");
        assert_eq!(error.kind().http_status(), 422);
        assert_eq!(error.server_code(), Some(121));
        let error: &Error = match &error {
            Error::InsertMany { source, .. } => source,
            Error::PartlyUpdated { source, .. } => source,
            error => error,
        };
        let Error::InvalidDocument {
            model,
            collection,
            rules,
            ..
        } = error
        else {
            panic!("{at}: {error:?}")
        };
        assert_eq!(*model, Some("Seat"), "{at}");
        assert_eq!(collection.as_deref(), Some("valid_seats"), "{at}");
        assert_eq!(rules.len(), 1, "{at}: {error}");
        assert_eq!((&*rules[0].path, &*rules[0].rule), ("row", "minimum"));
    }
    assert_eq!(Seat::count(odm).await.unwrap(), 2);
}

#[tokio::test]
async fn the_message_contains_the_value() {
    let t = with_positive_rows("validators_message").await;
    let error = seat(2, -1).insert(&t.odm).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the validator of `valid_seats` (`Seat`) rejects the document with the `_id` NumberLong(\"2\"): `row` comparison \
         failed: { minimum: 1 }, but is -1 (`minimum`)"
    );
}

/// The other documents of an unordered insert are stored, and each rejected one has its own list of violated rules.
#[tokio::test]
async fn each_rejected_document_of_an_insert_has_its_own_rules() {
    let t = with_positive_rows("validators_unordered").await;
    let seats = [seat(2, -1), seat(3, 1), seat(4, -2)];
    let inserted = Seat::insert_many(&t.odm, &seats).unordered().await;
    let Error::InsertMany { rejected, .. } = inserted.unwrap_err() else {
        panic!()
    };
    let reasons: Vec<_> = rejected.iter().map(|it| it.reason.to_string()).collect();
    assert_eq!(reasons.len(), 2);
    assert!(
        reasons[0].contains("NumberLong(\"2\"): `row`"),
        "{reasons:?}"
    );
    assert!(
        reasons[1].contains("NumberLong(\"4\"): `row`"),
        "{reasons:?}"
    );
    assert_eq!(Seat::count(&t.odm).await.unwrap(), 2);
}
