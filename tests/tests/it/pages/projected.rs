//! Pages of projections that compute values.

use mongo_odm::Presence;

use super::*;

/// The token of a page contains the values that the server has returned.
#[tokio::test]
async fn a_page_is_not_sorted_by_a_computed_value() {
    let t = Harness::new("pages_computed").await;
    for (projection, path) in [
        (doc! { "group": { "$add": ["$group", 1] } }, "group"),
        (doc! { "group": "x", "note": 1 }, "group"),
        (doc! { "_id": { "$literal": 1 } }, "_id"),
    ] {
        let find = Row::find(&t.odm)
            .project::<Document>(projection)
            .sort(Row::fields().group.asc())
            .page(2);
        let (error, sent) = t.sent(async { find.await.unwrap_err() }).await;
        let text = error.to_string();
        let expected = format!("the projection computes `{path}`, but the pages are sorted");
        assert!(text.starts_with(&expected), "{text}");
        assert!(sent.is_empty(), "{sent:?}");
    }
}

/// A visit to a place that can be null or missing. The projection of a struct keeps such a null by an expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "page_visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: Id<Visit, i32>,
    #[embed]
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    place: Presence<Place>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Visit")]
struct VisitZip {
    #[serde(rename = "_id")]
    id: Id<Visit, i32>,
    #[embed]
    #[serde(default)]
    place: Presence<Zip>,
}

/// Inserts 14 visits. Their places are null, missing, or in one of three cities.
async fn visits(test: &str) -> Harness {
    let t = Harness::new(test).await;
    let visit = |id: i32| Visit {
        id: Id::from_key(id),
        place: match id % 5 {
            0 => Presence::Null,
            1 => Presence::Missing,
            more => Presence::Value(Place {
                city: (id % 3 != 0).then(|| format!("city {more}")),
                zip: id,
            }),
        },
    };
    t.given(&(0..14).map(visit).collect::<Vec<_>>()).await;
    t
}

#[tokio::test]
async fn a_sort_by_a_nested_field_that_an_optional_struct_does_not_select_returns_each_document_once()
 {
    let t = visits("pages_presence").await;
    let visit = Visit::fields();
    let by_city = visit.place.city.asc().then(visit.place.zip.desc());
    let sorts = [
        visit.place.city.asc(),
        visit.place.city.desc(),
        by_city,
        visit.place.asc(),
        visit.place.desc(),
    ];
    for sort in sorts {
        let all = Visit::find(&t.odm).sort(sort.clone().then(visit.id.asc()));
        let zip = |place: Place| Zip { zip: place.zip };
        let expected = all.await.unwrap().into_iter().map(|it| VisitZip {
            id: it.id,
            place: it.place.map(zip),
        });
        let expected: Vec<VisitZip> = expected.collect();
        let mut found = Vec::new();
        let mut next = None;
        loop {
            let page = Visit::find(&t.odm).select::<VisitZip>();
            let page = page.sort(sort.clone()).page(3).after(next);
            let page = page.await.unwrap();
            found.extend(page.items);
            next = page.next;
            if next.is_none() || found.len() > expected.len() {
                break;
            }
        }
        assert_eq!(found, expected, "{sort:?}");
    }
}
