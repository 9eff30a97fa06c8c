//! Values of different types that look alike. They count as different values.

use super::*;

fn decimal(text: &str) -> Bson {
    Bson::Decimal128(text.parse().unwrap())
}

fn deep(depth: usize, value: Bson) -> Bson {
    let inner = |value: Bson, depth| match depth % 2 {
        0 => doc! { "a": value }.into(),
        _ => vec![Bson::Null, value].into(),
    };
    (0..depth).fold(value, inner)
}

/// Pairs of values that a filter of the server regards as equal, or of which one contains the other.
fn twins() -> Vec<[Bson; 2]> {
    let with_scope = |a: Bson| {
        let (code, scope) = ("x".to_owned(), doc! { "a": a });
        Bson::JavaScriptCodeWithScope(JavaScriptCodeWithScope { code, scope })
    };
    let array = |value: Bson| Bson::from(vec![value]);
    let symbol = || Bson::Symbol("a".to_owned());
    vec![
        [vec![1, 2].into(), 1.into()],
        [array("a".into()), "a".into()],
        [array(Bson::Null), Bson::Null],
        [array(array(1.into())), array(1.into())],
        [Bson::Null, Bson::Undefined],
        ["a".into(), symbol()],
        [doc! { "a": "a" }.into(), doc! { "a": symbol() }.into()],
        [1.into(), 1_i64.into()],
        [1_i64.into(), 1.0.into()],
        [1.5.into(), decimal("1.5")],
        [0.0.into(), (-0.0).into()],
        [0.into(), (-0.0).into()],
        [decimal("1.0"), decimal("1.00")],
        [decimal("0"), decimal("-0")],
        [
            doc! { "a": 1, "b": 2 }.into(),
            doc! { "b": 2, "a": 1 }.into(),
        ],
        [doc! { "a": 1 }.into(), doc! { "a": 1_i64 }.into()],
        [doc! { "a": 0.0 }.into(), doc! { "a": -0.0 }.into()],
        [Bson::from(vec![1.0, 2.0]), vec![1, 2].into()],
        [array(decimal("1.0")), array(decimal("1.00"))],
        [deep(3, 1.into()), deep(3, 1.0.into())],
        [deep(8, 1.into()), deep(8, 1_i64.into())],
        [with_scope(1.into()), with_scope(1.0.into())],
        [f64::NAN.into(), decimal("NaN")],
    ]
}

/// Returns the stored bytes of a value. Two values are the same if their bytes are the same.
fn bytes(value: Option<&Bson>) -> Option<Vec<u8>> {
    let stored = doc! { "v": value?.clone() };
    Some(
        RawDocumentBuf::try_from(&stored)
            .unwrap()
            .as_bytes()
            .to_vec(),
    )
}

impl Setting {
    /// Stores further copies of the source, in single fields and in arrays that also contain a copy of a different
    /// source.
    async fn with_more(self) -> Self {
        let of = |sample: Id<Sample>| doc! { "of": sample, "anything": "other" };
        let (other, this) = (Id::new(), self.sample.id);
        put(
            &self.t.odm,
            "samples",
            [doc! { "_id": other, "anything": "other" }],
        )
        .await;
        let pictures = || vec![of(this), of(other), of(this)];
        let album = || doc! { "_id": ObjectId::new(), "pictures": pictures() };
        put(&self.t.odm, "sample_albums", [album(), album(), album()]).await;
        for _ in 0..2 {
            let mut more = self.sighting.clone();
            more.id = Id::new();
            more.insert(&self.t.odm).await.unwrap();
        }
        self.t.odm.backfill::<Album>().await.unwrap();
        self
    }

    async fn change(&self, collection: &str, update: Document) {
        let collection = self.t.odm.database().collection::<Document>(collection);
        let first = collection.find_one(doc! {}).sort(doc! { "_id": 1 }).await;
        let id = doc! { "_id": first.unwrap().unwrap().get_object_id("_id").unwrap() };
        collection.update_one(id, update).await.unwrap();
    }

    /// Changes one of three copies in each collection to a different value, without the library.
    async fn drift(&self, to: &Bson) {
        self.change("sightings", doc! { "$set": { "anything": to } })
            .await;
        self.change(
            "sample_albums",
            doc! { "$set": { "pictures.2.anything": to } },
        )
        .await;
    }

    /// Compares all copies with their source, byte by byte.
    async fn assert_all(&self, value: &Bson, context: &str) {
        let expected = bytes(Some(value));
        for sighting in all(&self.t.odm, "sightings").await {
            assert_eq!(bytes(sighting.get("anything")), expected, "{context}");
        }
        for album in all(&self.t.odm, "sample_albums").await {
            let pictures = album.get_array("pictures").unwrap().iter();
            let held = pictures.map(|it| bytes(it.as_document().unwrap().get("anything")));
            let other = bytes(Some(&"other".into()));
            let all = [expected.clone(), other, expected.clone()];
            assert_eq!(held.collect::<Vec<_>>(), all, "{context}");
        }
    }
}

/// For writes, two values are equal if they have the same type and the same value in every part.
#[tokio::test]
async fn a_value_of_another_type_is_another_value() {
    let s = Setting::new("values_twins").await.with_more().await;
    let anything = Sample::fields().anything;
    for (way, odm) in both_ways(&s.t.odm) {
        for [one, other] in &twins() {
            for value in [one, other, one] {
                let context = format!("{way} {one:?} {other:?}");
                s.update(&odm).set(anything, value).await.unwrap();
                s.assert_all(value, &context).await;
                let report = s.update(&odm).set(anything, value).await.unwrap();
                assert!(report.copies.iter().all(|it| it.modified == 0), "{context}");
            }
        }
        settle(&odm).await;
    }
}

/// The same is true for finding and correcting drift, even if most copies are correct.
#[tokio::test]
async fn a_copy_of_another_type_has_drifted() {
    let s = Setting::new("values_drifted").await.with_more().await;
    for [one, other] in &twins() {
        for (value, drifted) in [(one, other), (other, one)] {
            let context = format!("{value:?} {drifted:?}");
            s.update(&s.t.odm)
                .set(Sample::fields().anything, value)
                .await
                .unwrap();
            s.drift(drifted).await;
            let verify = || s.t.odm.verify().only::<Sighting>().only::<Album>();
            let drift = verify().include_pending().await.unwrap();
            assert_eq!(drift.len(), 2, "{context}: {drift}");
            let item = &drift.items[0];
            assert_eq!(
                bytes(item.stored.as_ref()),
                bytes(Some(drifted)),
                "{context}"
            );
            let report = drift.repair(&s.t.odm).await.unwrap();
            assert_eq!(report.repaired(), 2, "{context}: {report}");
            s.assert_all(value, &context).await;
            assert!(
                verify().include_pending().await.unwrap().is_empty(),
                "{context}"
            );
            s.drift(drifted).await;
            let filled = s.t.odm.backfill::<Sighting>().await.unwrap();
            assert_eq!((filled.changed, filled.looked_at), (1, 3), "{context}");
            let filled = s.t.odm.backfill::<Album>().await.unwrap();
            assert_eq!((filled.changed, filled.looked_at), (1, 3), "{context}");
            s.assert_all(value, &context).await;
        }
    }
    settle(&s.t.odm).await;
}

/// All NaN values are the same value, whatever their bits are.
#[tokio::test]
async fn all_that_is_not_a_number_is_the_same() {
    let s = Setting::new("values_nan").await.with_more().await;
    let (nan, other) = (f64::NAN, f64::from_bits(f64::NAN.to_bits() ^ 1));
    let update = s.update(&s.t.odm);
    update
        .set(Sample::fields().anything, Bson::from(nan))
        .await
        .unwrap();
    s.drift(&other.into()).await;
    let drift = s.t.odm.verify().only::<Sighting>().only::<Album>();
    assert!(drift.include_pending().await.unwrap().is_empty());
    s.sighting.save(&s.t.odm).await.unwrap();
    settle(&s.t.odm).await;
}

/// Reports count only the documents that were changed, and not those that already had the value.
#[tokio::test]
async fn documents_that_hold_the_value_already_are_not_counted() {
    let s = Setting::new("values_counted").await.with_more().await;
    let values = [
        "b".into(),
        doc! { "a": 1 }.into(),
        decimal("1.0"),
        0.0.into(),
    ];
    for (way, odm) in both_ways(&s.t.odm) {
        for value in &values {
            let context = format!("{way} {value:?}");
            let anything = Sample::fields().anything;
            s.update(&odm)
                .set(anything, Bson::from("before"))
                .await
                .unwrap();
            let update = doc! { "$set": { "anything": value } };
            s.change("sightings", update).await;
            let pictures =
                doc! { "$set": { "pictures.0.anything": value, "pictures.2.anything": value } };
            s.change("sample_albums", pictures).await;
            let report = s.update(&odm).set(anything, value).await.unwrap();
            for copies in report.copies.iter().filter(|it| it.collection != "samples") {
                assert_eq!(
                    (copies.matched, copies.modified),
                    (2, 2),
                    "{context} {copies:?}"
                );
            }
            s.assert_all(value, &context).await;
            settle(&odm).await;
        }
    }
}
