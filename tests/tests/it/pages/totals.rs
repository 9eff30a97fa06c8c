//! The number of documents on all pages.

use super::*;

#[tokio::test]
async fn every_page_has_the_number_of_all_matching_documents() {
    let t = Harness::new("pages_total").await;
    t.given(&rows()).await;
    let row = Row::fields();
    let odd = || {
        Row::find(&t.odm)
            .filter(row.group.is_in([1, 3]))
            .sort(row.note.desc())
    };
    let expected = odd().count().await.unwrap();
    assert!(expected > 8);
    let (mut next, mut found) = (None, 0);
    loop {
        let page = odd().page(4).after(next).with_total();
        let (page, mut sent) = t.sent(async { page.await.unwrap() }).await;
        sent.sort();
        assert_eq!(sent, ["aggregate", "find"]);
        assert_eq!(page.total, Some(expected));
        found += page.items.len() as u64;
        next = page.next;
        if next.is_none() {
            break;
        }
    }
    assert_eq!(found, expected);
    assert_eq!(odd().page(4).await.unwrap().total, None);
    let nothing = Row::find(&t.odm)
        .filter(row.group.eq(99))
        .page(4)
        .with_total();
    assert_eq!(nothing.await.unwrap().total, Some(0));
}

#[tokio::test]
async fn a_page_of_converted_documents_has_the_same_token_and_total() {
    let t = Harness::new("pages_converted").await;
    t.given(&rows()).await;
    let first = || Row::find(&t.odm).page(4).with_total();
    let page = first().await.unwrap();
    let (next, total) = (page.next.clone(), page.total);
    let converted: Page<i32> = page.map(|row| *row.id.key());
    assert_eq!(converted.items, ids(&first().await.unwrap().items));
    assert!(next.is_some());
    assert_eq!((converted.next, converted.total), (next, total));
}

#[tokio::test]
async fn projections_and_options_apply_to_the_total() {
    let t = Harness::new("pages_total_options").await;
    t.given(&rows()).await;
    let row = Row::fields();
    let upper = || Row::find(&t.odm).filter(row.note.eq(Some("NOTE 1".to_owned())));
    let ignoring_case = || {
        mongo_odm::mongodb::options::Collation::builder()
            .locale("en")
            .strength(mongo_odm::mongodb::options::CollationStrength::Secondary)
            .build()
    };
    let exact = upper().page(2).with_total().await.unwrap();
    assert_eq!((exact.items.len(), exact.total), (0, Some(0)));
    let page = upper().select::<Tags>().page(2).collation(ignoring_case());
    let page = page.with_total().await.unwrap();
    let expected = upper().count().collation(ignoring_case()).await.unwrap();
    assert!(expected > 2);
    assert_eq!((page.items.len(), page.total), (2, Some(expected)));
    let with_variables = upper().page(2).with_total().let_vars(doc! { "x": 1 });
    let error = with_variables.await.unwrap_err();
    assert!(error.to_string().contains("without `let_vars`"), "{error}");
}

#[tokio::test]
async fn the_plan_of_a_page_with_a_total_shows_both_statements() {
    let t = Harness::new("pages_total_plan").await;
    let page = Row::find(&t.odm)
        .filter(Row::fields().group.eq(1))
        .page(4)
        .with_total();
    let plan = page.plan().unwrap().to_string();
    assert!(plan.contains("db.rows.find({ group: 1 })"), "{plan}");
    assert!(
        plan.contains("db.rows.countDocuments({ group: 1 })"),
        "{plan}"
    );
}

#[tokio::test]
async fn a_page_and_its_total_in_a_transaction_read_one_snapshot() {
    let t = Harness::new("pages_total_snapshot").await;
    t.given(&rows()[..6]).await;
    let others = t.odm.clone();
    let in_transaction = t.odm.transaction(async |tx| {
        let first = Row::find(&tx).page(4).with_total().await?;
        row(100, 0).insert(&others).await?;
        let again = Row::find(&tx).page(4).with_total().await?;
        Ok((first.total, again.total))
    });
    assert_eq!(in_transaction.await.unwrap(), (Some(6), Some(6)));
    let after = Row::find(&t.odm).page(4).with_total().await.unwrap();
    assert_eq!(after.total, Some(7));
}
