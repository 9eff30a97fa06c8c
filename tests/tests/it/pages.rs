//! Pages by key. Each document is returned once and in order, even if documents are written between
//! two pages.

mod any;
mod projected;
mod tokens;
mod totals;
mod types;

use mongo_odm::{
    Error, Filter, Sort,
    action::{Page, PageToken},
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::Harness;
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use serde::de::{
    IntoDeserializer,
    value::{Error as Refused, StringDeserializer},
};

/// An embedded place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Place {
    city: Option<String>,
    zip: i32,
}

/// A row with values that are repeated, null or missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "rows")]
struct Row {
    #[serde(rename = "_id")]
    id: Id<Row, i32>,
    group: i32,
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<f64>,
    place: Place,
    tags: Vec<String>,
    places: Vec<Place>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Row")]
struct Tags {
    tags: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Row")]
#[serde(deny_unknown_fields)]
struct Strict {
    tags: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Place")]
struct Zip {
    zip: i32,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Row")]
struct PlaceZip {
    #[embed]
    place: Zip,
}

fn row(id: i32, group: i32) -> Row {
    Row {
        id: Id::from_key(id),
        group,
        note: None,
        rank: None,
        place: Place {
            city: None,
            zip: id,
        },
        tags: vec![format!("tag {id}")],
        places: vec![],
    }
}

/// Returns 23 rows with many equal values in each field.
fn rows() -> Vec<Row> {
    let row = |id: i32| Row {
        note: (id % 4 != 0).then(|| format!("note {}", id % 3)),
        rank: (id % 5 != 0).then(|| f64::from(id % 2) / 2.0),
        place: Place {
            city: (id % 3 != 0).then(|| format!("city {}", id % 2)),
            zip: id,
        },
        ..row(id, id % 4)
    };
    (0..23).map(row).collect()
}

fn ids(rows: &[Row]) -> Vec<i32> {
    rows.iter().map(|row| *row.id.key()).collect()
}

/// Reads all pages, with the given number of rows per page.
async fn paged(t: &Harness, sort: &Sort<Row>, size: u32) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut next = None;
    loop {
        let find = Row::find(&t.odm).sort(sort.clone()).page(size).after(next);
        let Page {
            items, next: after, ..
        } = find.await.unwrap();
        assert!(items.len() <= size as usize);
        assert!(
            after.is_none() || items.len() == size as usize,
            "a page with a next is full"
        );
        rows.extend(items);
        match after {
            Some(token) => next = Some(token.to_string().parse().unwrap()),
            None => return rows,
        }
        assert!(rows.len() < 200, "no end");
    }
}

/// Returns the rows in the server's own order, with the same tiebreaker.
async fn sorted(t: &Harness, sort: &Sort<Row>) -> Vec<Row> {
    let mut sort = sort.clone().into_document();
    if !sort.contains_key("_id") {
        sort.insert("_id", 1);
    }
    Row::find(&t.odm).sort(sort).await.unwrap()
}

#[tokio::test]
async fn the_pages_of_every_sort_are_the_sorted_find() {
    let t = Harness::new("pages_sorts").await;
    t.given(&rows()).await;
    let row = Row::fields();
    let sorts: Vec<Sort<Row>> = vec![
        Sort::from(doc! {}),
        row.id.desc(),
        row.group.asc(),
        row.group.desc(),
        row.note.asc(),
        row.note.desc(),
        row.rank.asc(),
        row.rank.desc(),
        row.place.city.asc(),
        row.place.city.desc(),
        row.group.asc().then(row.note.desc()),
        row.group.desc().then(row.rank.asc()).then(row.note.desc()),
        row.note.desc().then(row.rank.desc()).then(row.id.desc()),
        row.rank
            .asc()
            .then(row.place.city.desc())
            .then(row.group.asc()),
        row.place.asc(),
    ];
    for sort in sorts {
        let expected = ids(&sorted(&t, &sort).await);
        assert_eq!(expected.len(), 23);
        for size in [1, 2, 7, 22, 23, 24, 100] {
            assert_eq!(
                ids(&paged(&t, &sort, size).await),
                expected,
                "{sort:?} by {size}"
            );
        }
    }
}

#[tokio::test]
async fn the_last_page_has_no_next_and_each_page_is_one_find() {
    let t = Harness::new("pages_last").await;
    t.given(&rows()[..6]).await;
    let page = |size: u32, after: Option<PageToken>| {
        Row::find(&t.odm)
            .sort(Row::fields().group.desc())
            .page(size)
            .after(after)
    };
    let (first, sent) = t.sent(async { page(4, None).await.unwrap() }).await;
    assert_eq!(sent, ["find"]);
    assert_eq!(first.items.len(), 4);
    assert!(first.next.is_some());
    let (second, sent) = t.sent(async { page(4, first.next).await.unwrap() }).await;
    assert_eq!(sent, ["find"]);
    assert_eq!(second.items.len(), 2);
    assert!(second.next.is_none());
    assert!(
        page(6, None).await.unwrap().next.is_none(),
        "a full last page has no next either"
    );
    let empty = Row::find(&t.odm)
        .filter(Row::fields().group.eq(99))
        .page(5)
        .await
        .unwrap();
    assert!(empty.items.is_empty() && empty.next.is_none());
}

#[tokio::test]
async fn what_comes_and_goes_between_two_pages_shifts_nothing() {
    let t = Harness::new("pages_changes").await;
    t.given(&(0..10).map(|id| row(id * 10, id)).collect::<Vec<_>>())
        .await;
    let page = |after: Option<PageToken>| {
        Row::find(&t.odm)
            .sort(Row::fields().group.asc())
            .page(3)
            .after(after)
    };
    let first = page(None).await.unwrap();
    assert_eq!(ids(&first.items), [0, 10, 20]);
    t.given(&[row(1, -5), row(21, 2), row(22, 2), row(55, 5)])
        .await;
    Row::delete(&t.odm, Id::from_key(20)).await.unwrap();
    Row::delete(&t.odm, Id::from_key(30)).await.unwrap();
    let second = page(first.next).await.unwrap();
    assert_eq!(ids(&second.items), [21, 22, 40]);
    let third = page(second.next).await.unwrap();
    assert_eq!(ids(&third.items), [50, 55, 60]);
    assert_eq!(ids(&page(third.next).await.unwrap().items), [70, 80, 90]);
}

#[tokio::test]
async fn filters_and_skipped_documents_work_with_pages() {
    let t = Harness::new("pages_filter").await;
    t.given(&rows()).await;
    let row = Row::fields();
    let some = || row.group.is_in([1, 3]) | row.note.eq(None);
    let mut found = Vec::new();
    let mut next = None;
    loop {
        let find = Row::find(&t.odm).filter(some()).sort(row.note.desc());
        let page = find.page(4).after(next).await.unwrap();
        found.extend(page.items);
        next = page.next;
        if next.is_none() {
            break;
        }
    }
    let sort = row.note.desc().then(row.id.asc());
    assert_eq!(
        found,
        Row::find(&t.odm).filter(some()).sort(sort).await.unwrap()
    );
}

#[tokio::test]
async fn projections_page_by_fields_that_they_do_not_have() {
    let t = Harness::new("pages_projection").await;
    t.given(&rows()).await;
    let row = Row::fields();
    let sort = || row.group.desc().then(row.place.city.asc());
    let expected: Vec<_> = sorted(&t, &sort())
        .await
        .into_iter()
        .map(|row| Strict { tags: row.tags })
        .collect();

    let mut strict: Vec<Strict> = Vec::new();
    let mut next = None;
    loop {
        let find = Row::find(&t.odm)
            .select::<Strict>()
            .sort(sort())
            .page(5)
            .after(next);
        let page = find.await.unwrap();
        strict.extend(page.items);
        next = page.next;
        if next.is_none() {
            break;
        }
    }
    assert_eq!(strict, expected);

    let first = Row::find(&t.odm)
        .select::<Tags>()
        .sort(sort())
        .page(5)
        .await
        .unwrap();
    let second = Row::find(&t.odm)
        .select::<Tags>()
        .sort(sort())
        .page(5)
        .after(first.next);
    assert_eq!(second.await.unwrap().items[0].tags, expected[5].tags);

    let all = || {
        Row::find(&t.odm)
            .select::<PlaceZip>()
            .sort(row.place.desc())
    };
    let first = all().page(3).await.unwrap();
    let second = all().page(3).after(first.next).await.unwrap();
    let expected = sorted(&t, &row.place.desc()).await;
    assert_eq!(second.items[0].place.zip, expected[3].place.zip);
}

#[tokio::test]
async fn plain_projections_page_as_well() {
    let t = Harness::new("pages_plain_projection").await;
    t.given(&rows()).await;
    let row = Row::fields();
    let expected = sorted(&t, &row.group.desc()).await;
    for projection in [
        doc! { "tags": 1 },
        doc! { "tags": 1, "_id": 0 },
        doc! { "note": 0, "rank": 0 },
        doc! { "tags": 1, "group": 1 },
        doc! { "_id": 0 },
        doc! { "_id": true, "note": false },
        doc! {},
    ] {
        let find = || {
            let find = Row::find(&t.odm).project::<Document>(projection.clone());
            find.sort(row.group.desc()).page(5)
        };
        let first = find().await.unwrap();
        let second = find().after(first.next).await.unwrap();
        let tags = Bson::from(expected[5].tags.clone());
        assert_eq!(second.items[0].get("tags"), Some(&tags), "{projection}");
    }
}

#[tokio::test]
async fn a_projection_that_hides_the_sort_is_refused() {
    let t = Harness::new("pages_hidden").await;
    for (projection, path) in [
        (doc! { "group": 0 }, "group"),
        (doc! { "place": 0 }, "place"),
        (doc! { "place.city": 0 }, "place.city"),
    ] {
        let sort = Row::fields()
            .group
            .asc()
            .then(Row::fields().place.city.asc());
        let find = Row::find(&t.odm)
            .project::<Document>(projection)
            .sort(sort)
            .page(1);
        let (error, sent) = t.sent(async { find.await.unwrap_err() }).await;
        let text = error.to_string();
        assert!(
            text.starts_with(&format!("the projection excludes `{path}`, and ")),
            "{text}"
        );
        assert!(sent.is_empty(), "{sent:?}");
    }
}

#[tokio::test]
async fn a_token_is_text_that_belongs_to_its_sort() {
    let t = Harness::new("pages_token").await;
    t.given(&rows()).await;
    let row = Row::fields();
    let page = Row::find(&t.odm)
        .sort(row.group.asc())
        .page(5)
        .await
        .unwrap();
    let token = page.next.unwrap();
    let text = token.to_string();
    assert!(text.chars().all(|c| c.is_ascii_hexdigit()), "{text}");
    assert_eq!(text.parse::<PageToken>().unwrap(), token);
    let stored: StringDeserializer<Refused> = text.clone().into_deserializer();
    let read = PageToken::deserialize(stored).unwrap();
    assert_eq!(read, token);

    let other = Row::find(&t.odm)
        .sort(row.group.desc())
        .page(5)
        .after(token.clone());
    let (error, sent) = t.sent(async { other.await.unwrap_err() }).await;
    assert_eq!(
        error.to_string(),
        "the page token belongs to the sort { group: 1, _id: 1 }, not to { group: -1, _id: 1 }; \
         start at the first page"
    );
    assert!(sent.is_empty(), "{sent:?}");
    for wrong in [
        "",
        "0",
        "zz",
        "+1",
        "00000000",
        &text[..text.len() - 2],
        &format!("{text}00"),
        "é",
    ] {
        let error = wrong.parse::<PageToken>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "this is not a page token; start at the first page",
            "{wrong:?}"
        );
    }
}

#[tokio::test]
async fn a_token_of_a_client_is_a_value_and_never_an_operator() {
    let t = Harness::new("pages_forged").await;
    t.given(&rows()).await;
    let forged = doc! { "s": { "note": 1, "_id": 1 }, "v": [{ "$gt": "" }, -1] };
    let bytes = mongo_odm::bson::RawDocumentBuf::try_from(&forged).unwrap();
    let text = bytes
        .as_bytes()
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let token: PageToken = text.parse().unwrap();
    let find = Row::find(&t.odm)
        .sort(Row::fields().note.asc())
        .page(50)
        .after(token);
    assert_eq!(find.await.unwrap().items, []);
}

#[tokio::test]
async fn a_sort_by_an_array_is_refused() {
    let t = Harness::new("pages_array").await;
    let mut with_places = row(1, 1);
    with_places.places = vec![Place { city: None, zip: 1 }];
    t.given(&[with_places.clone(), row(2, 1)]).await;
    let row = Row::fields();
    for (sort, path) in [
        (row.tags.asc(), "tags"),
        (row.places.zip.desc(), "places.zip"),
        (row.group.asc().then(row.places.asc()), "places"),
    ] {
        let (error, sent) = t
            .sent(async { Row::find(&t.odm).sort(sort).page(1).await.unwrap_err() })
            .await;
        assert_eq!(
            error.to_string(),
            format!(
                "pages of `Row` cannot be sorted by `{path}`, which is or lies in an array; sort by a field with one value"
            )
        );
        assert!(sent.is_empty(), "{sent:?}");
    }
    let plain = doc! { "places.0.zip": -1 };
    let error = Row::find(&t.odm).sort(plain).page(1).await.unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    let computed = doc! { "score": { "$meta": "textScore" } };
    let error = Row::find(&t.odm).sort(computed).page(1).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "pages of `Row` cannot be sorted by `score: { $meta: \"textScore\" }`, which is not a field; sort by fields, or use \
         `find` with a `limit`"
    );
}

/// The server would apply a `skip` or `limit` again after each token.
#[tokio::test]
async fn a_page_has_no_skip_and_no_limit_of_its_own() {
    let t = Harness::new("pages_window").await;
    for (name, find) in [
        ("skip", Row::find(&t.odm).skip(1)),
        ("limit", Row::find(&t.odm).limit(1)),
    ] {
        let error = find.page(2).await.unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
        let text = error.to_string();
        assert!(
            text.contains(&format!("`{name}` would apply to each page of `Row`")),
            "{text}"
        );
    }
    Row::find(&t.odm).skip(0).limit(0).page(2).await.unwrap();
}

#[tokio::test]
async fn a_page_of_no_documents_is_refused() {
    let t = Harness::new("pages_of_none").await;
    let error = Row::find(&t.odm).page(0).await.unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    assert!(
        error
            .to_string()
            .contains("a page of `Row` has at least one document"),
        "{error}"
    );
}
