//! Tokens of other calls.

use super::*;

#[tokio::test]
async fn a_token_of_a_sort_in_another_order_is_rejected() {
    let t = Harness::new("pages_token_order").await;
    t.given(&rows()).await;
    let row = Row::fields();
    let by_note = || row.note.asc().then(row.group.asc());
    let first = Row::find(&t.odm).sort(by_note()).page(5).await.unwrap();
    let by_group = row.group.asc().then(row.note.asc());
    let other = Row::find(&t.odm).sort(by_group).page(5);
    let other = other.after(first.next.clone());
    let (error, sent) = t.sent(async { other.await.unwrap_err() }).await;
    assert_eq!(error.code(), "odm.invalid_page_token", "{error}");
    let expected = "the page token belongs to the sort { note: 1, group: 1, _id: 1 }, not to { group: 1, note: 1, _id: 1 }";
    assert!(error.to_string().starts_with(expected), "{error}");
    assert!(sent.is_empty(), "{sent:?}");
    let second = Row::find(&t.odm).sort(by_note()).page(5);
    let second = second.after(first.next).await.unwrap();
    assert_eq!(
        ids(&second.items),
        ids(&sorted(&t, &by_note()).await)[5..10]
    );
}
