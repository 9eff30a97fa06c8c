//! Pages of projections that compute values.

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
