//! `delete_many` in several parts. Restricting references are checked before the first part, and an
//! error reports the completed parts.

use mongo_odm::Error;

use super::*;

fn folder(number: i64, parent: Option<i64>) -> Folder {
    Folder {
        id: id(number),
        parent: parent.map(id),
    }
}

/// The library looks for references to all of the documents before it deletes the first.
#[tokio::test]
async fn restricting_references_are_looked_for_before_anything_is_deleted() {
    let t = cascades("cascade_parts_look").await;
    t.given(&(0..1_200).map(|n| folder(n, None)).collect::<Vec<_>>())
        .await;
    t.given(&[folder(5_000, Some(1_199))]).await;
    let below = Folder::fields().id.lt(id(5_000));
    let error = Folder::delete_many(&t.odm, below).await.unwrap_err();
    assert!(matches!(error, Error::Restricted { .. }), "{error:?}");
    assert_eq!(Folder::count(&t.odm).await.unwrap(), 1_201);
    settle(&t.odm).await;
}

/// References between the deleted documents do not prevent the delete, even if the documents are in different parts.
#[tokio::test]
async fn references_of_documents_that_go_as_well_forbid_nothing() {
    let t = cascades("cascade_parts_own").await;
    let last = |n: i64| (n > 0).then_some(n - 1);
    t.given(&(0..1_200).map(|n| folder(n, last(n))).collect::<Vec<_>>())
        .await;
    let all = Folder::delete_many(&t.odm, Folder::fields().id.exists());
    assert_eq!(all.await.unwrap().deleted, 1_200);
    assert_eq!(Folder::count(&t.odm).await.unwrap(), 0);
    settle(&t.odm).await;
}

/// A file that the delete of a folder removes does not prevent the delete of another folder. Each of the two folders can
/// be in the earlier part.
#[tokio::test]
async fn references_of_documents_that_the_parts_cascade_to_forbid_nothing() {
    let t = cascades("cascade_parts_files").await;
    let file = |number, folder, shown_in| File {
        id: id(number),
        folder: id(folder),
        shown_in: Some(id(shown_in)),
    };
    let folders: Vec<_> = (0..1_200).map(|n| folder(n, None)).collect();
    t.given(&folders).await;
    t.given(&[folder(5_000, None)]).await;
    t.given(&[file(1, 1, 1), file(2, 1, 1_199), file(3, 1_199, 1)])
        .await;
    let kept = file(4, 5_000, 1_199);
    t.given(std::slice::from_ref(&kept)).await;
    let delete = || Folder::delete_many(&t.odm, Folder::fields().id.lt(id(5_000)));

    let error = delete().await.unwrap_err();
    assert!(matches!(error, Error::Restricted { .. }), "{error:?}");
    assert_eq!(Folder::count(&t.odm).await.unwrap(), 1_201);
    assert_eq!(File::count(&t.odm).await.unwrap(), 4);

    File::delete(&t.odm, kept.id).await.unwrap();
    assert_eq!(delete().await.unwrap().deleted, 1_200);
    assert_eq!(Folder::count(&t.odm).await.unwrap(), 1);
    assert_eq!(File::count(&t.odm).await.unwrap(), 0);
    settle(&t.odm).await;
}

/// If a later part fails, the error contains the number of documents that were already deleted.
#[tokio::test]
async fn an_error_of_a_later_part_says_what_was_done() {
    let t = cascades("cascade_parts_error").await;
    let order = |number| Order { id: id(number) };
    let line = |number| OrderLine {
        id: id(number),
        order: id(number),
    };
    t.given(&(0..1_200).map(order).collect::<Vec<_>>()).await;
    t.given(&(0..1_200).map(line).collect::<Vec<_>>()).await;
    let invoice = Invoice {
        id: id(1),
        order: None,
        line: id(1_100),
    };
    t.given(&[invoice]).await;
    let all = Order::delete_many(&t.odm, Order::fields().id.exists());
    let error = all.await.unwrap_err();
    assert_eq!(error.kind(), mongo_odm::ErrorKind::Restricted, "{error:?}");
    let text = error.to_string();
    assert!(
        text.contains("1000 documents of `cascade_orders`"),
        "{text}"
    );
    assert!(text.contains("`Invoice.line` still refers to"), "{text}");
    assert_eq!(Order::count(&t.odm).await.unwrap(), 200);
    assert_eq!(OrderLine::count(&t.odm).await.unwrap(), 200);
    settle(&t.odm).await;
}
