//! The report of a delete about documents that referred to the deleted documents.

use mongo_odm::{CascadeReport, DeleteReport, Guarantee};

use super::*;

/// A blogger with 12 posts, two feeds with all posts, and 12 comments on the first post.
async fn blog(t: &Harness) {
    t.given(&[blogger(1)]).await;
    let posts = posts(1, 0..12);
    t.given(&posts).await;
    t.given(&comments(0, 0..12)).await;
    t.given(&[feed(1, &posts), feed(2, &posts)]).await;
}

/// Lists for each model how many documents were deleted and changed.
fn told(report: &DeleteReport) -> Vec<(&'static str, u64, u64)> {
    let each = |it: &CascadeReport| (it.model, it.deleted, it.changed);
    let mut told: Vec<_> = report.cascaded.iter().map(each).collect();
    told.sort_unstable();
    told
}

/// The feeds lose the key in their array, the element of their other array, and a single reference.
const ALL: [(&str, u64, u64); 3] = [("Comment", 12, 0), ("Feed", 0, 6), ("Post", 12, 0)];

#[tokio::test]
async fn every_document_is_counted_by_its_model() {
    let t = cascades("cascade_report").await;
    for inline in [1_000, 30, 15, 3, 0] {
        let odm = t.odm.with_settings(settings().inline_copies(inline));
        blog(&t).await;
        let report = Blogger::delete(&odm, id(1)).await.unwrap();
        assert_eq!(report.deleted, 1);
        assert_eq!(told(&report), ALL, "{inline}");
        let all = report.cascaded.iter();
        let lowest = all.map(|it| it.guarantee).min().unwrap();
        let expected = if inline < 30 {
            Guarantee::Converged
        } else {
            Guarantee::Atomic
        };
        assert_eq!(lowest, expected, "{inline}");
        settle(&odm).await;
        Feed::delete_many(&odm, Feed::fields().id.exists())
            .await
            .unwrap();
        settle(&odm).await;
    }
}

#[tokio::test]
async fn a_dry_run_counts_what_would_go() {
    let t = cascades("cascade_report_dry").await;
    blog(&t).await;
    let report = Blogger::delete(&t.odm, id(1)).dry_run().await.unwrap();
    assert_eq!((report.deleted, told(&report)), (1, ALL.to_vec()));
    // The report also counts the documents that jobs would delete or change.
    let report = Blogger::delete(&by_jobs(&t.odm), id(1)).dry_run();
    assert_eq!(told(&report.await.unwrap()), ALL);
    assert_eq!(Post::count(&t.odm).await.unwrap(), 12);
}

/// The report adds up the parts of a `delete_many`. With `deferred`, it lists the models whose documents jobs delete
/// later.
#[tokio::test]
async fn parts_are_added_up_and_what_is_deferred_is_promised() {
    let t = cascades("cascade_report_parts").await;
    let order = |number| Order { id: id(number) };
    let line = |number| OrderLine {
        id: id(number),
        order: id(number % 600),
    };
    let fill = async || {
        t.given(&(0..600).map(order).collect::<Vec<_>>()).await;
        t.given(&(0..900).map(line).collect::<Vec<_>>()).await;
    };
    fill().await;
    let all = || Order::delete_many(&t.odm, Order::fields().id.exists());
    let report = all().await.unwrap();
    assert_eq!(
        (report.deleted, told(&report)),
        (600, vec![("OrderLine", 900, 0)])
    );
    settle(&t.odm).await;

    fill().await;
    let report = all().deferred().await.unwrap();
    assert_eq!(report.deleted, 600);
    let promised = report.cascaded.iter();
    let promised: Vec<_> = promised
        .map(|it| (it.model, it.deleted, it.guarantee))
        .collect();
    let nothing_yet = |model| (model, 0, Guarantee::Eventual);
    assert_eq!(promised, [nothing_yet("Invoice"), nothing_yet("OrderLine")]);
    settle(&t.odm).await;
    assert_eq!(OrderLine::count(&t.odm).await.unwrap(), 0);
}

/// The report contains the document that cannot be deleted.
#[tokio::test]
async fn what_a_job_could_not_delete_is_named() {
    let t = cascades("cascade_report_failed").await;
    t.given(&[Order { id: id(1) }]).await;
    let line = |number| OrderLine {
        id: id(number),
        order: id(1),
    };
    t.given(&(0..20).map(line).collect::<Vec<_>>()).await;
    let invoice = |number| Invoice {
        id: id(number),
        order: None,
        line: id(number),
    };
    t.given(&[invoice(3), invoice(14)]).await;
    let odm = by_jobs(&t.odm);
    let report = Order::delete(&odm, id(1)).await.unwrap();
    let of_lines = report.cascaded.iter().find(|it| it.model == "OrderLine");
    let of_lines = of_lines.unwrap();
    assert_eq!(
        (of_lines.deleted, of_lines.guarantee),
        (18, Guarantee::Eventual)
    );
    assert_eq!(of_lines.failed, [Bson::Int64(3), Bson::Int64(14)]);
    assert_eq!(OrderLine::count(&odm).await.unwrap(), 2);
    Invoice::delete_many(&odm, Invoice::fields().id.exists())
        .await
        .unwrap();
    later(&odm).await;
    settle(&odm).await;
    assert_eq!(OrderLine::count(&odm).await.unwrap(), 0);
}
