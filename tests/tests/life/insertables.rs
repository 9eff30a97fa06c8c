//! Structs that contain only the fields that the application sets (`#[derive(Insertable)]`).

mod flattened;
mod missing;
mod models;
mod own_effects;
mod refused;
mod statements;

use mongo_odm::{
    Error, ErrorKind, SingleCollection,
    bson::{DateTime, Document, doc},
    prelude::*,
};

use models::*;

#[tokio::test]
async fn an_insert_completes_the_document_and_returns_it_as_it_is_stored() {
    let (t, odm, owner) = opened("ins_complete").await;
    let ticket: Ticket = new_ticket(owner.id).insert(&odm).await.unwrap();
    assert_eq!(Ticket::get(&odm, ticket.id).await.unwrap(), ticket);
    assert_eq!((ticket.org, ticket.version), (1, 1));
    assert_eq!((ticket.created_by, ticket.updated_by), (owner.id, owner.id));
    assert_eq!((ticket.created, ticket.deleted), (ticket.updated, None));
    assert!(ticket.created > DateTime::from_millis(0));
    assert_eq!(
        (&*ticket.owner_name, ticket.owner_rank),
        ("Ann", Rank::High)
    );
    assert_eq!((ticket.helper, ticket.helper_name), (None, None));
    assert_eq!((&*ticket.state, ticket.note), ("open", None));
    assert_eq!(ticket.lines[0].member_name, "Ann");
    let stored = stored(&t, "ins_tickets").await;
    let names: Vec<&str> = stored.keys().map(String::as_str).collect();
    assert!(names.contains(&"t") && names.contains(&"city"), "{names:?}");
    let owner = Member::get(&odm, owner.id).await.unwrap();
    assert_eq!((owner.tickets, owner.latest.len()), (1, 1));
    assert_eq!((owner.longest, owner.mean.value()), (Some(3), Some(3.0)));
}

#[tokio::test]
async fn a_parent_is_returned_with_the_summaries_of_its_children() {
    let (t, odm, _) = opened("ins_summaries").await;
    let id = Id::<Member>::new();
    let orphan = doc! {
        "org": 1_i64, "owner": id, "owner_name": "", "owner_rank": "low", "t": "x", "state": "open", "hours": 7_i64, "lines": [],
        "city": "Oslo", "created": DateTime::now(), "updated": DateTime::now(), "created_by": id, "updated_by": id, "version": 1_i64,
    };
    let tickets = t.odm.database().collection::<Document>("ins_tickets");
    tickets.insert_one(orphan).await.unwrap();
    let new = MemberWithId {
        id,
        name: "Eve".into(),
        rank: Rank::Low,
    };
    let member = new.insert(&odm).await.unwrap();
    assert_eq!((member.id, member.rank), (id, Rank::Low));
    let stored = Member::get(&odm, id).await.unwrap();
    assert_eq!(stored.tickets, 1);
    assert_eq!(stored, member);
}

#[tokio::test]
async fn a_transaction_contains_the_insert() {
    let (_t, odm, owner) = opened("ins_transaction").await;
    let new = new_ticket(owner.id);
    let inserted = odm
        .transaction(async |tx| {
            let ticket = new.insert(&tx).await?;
            assert_eq!(ticket.created, tx.now());
            assert_eq!(Ticket::get(&tx, ticket.id).await?, ticket);
            let many = NewTicket::insert_many(&tx, [&new, &new]).await?;
            Ok((ticket, many))
        })
        .await
        .unwrap();
    assert_eq!(Ticket::get(&odm, inserted.0.id).await.unwrap(), inserted.0);
    assert_eq!(inserted.1.len(), 2);
    let failed: mongo_odm::Result<()> = odm
        .transaction(async |tx| {
            new.insert(&tx).await?;
            Ticket::get(&tx, Id::new()).await.map(drop)
        })
        .await;
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(Ticket::count(&odm).await.unwrap(), 3);
}

#[tokio::test]
async fn many_documents_are_returned_in_their_order() {
    let (_t, odm, owner) = opened("ins_many").await;
    let new: Vec<NewTicket> = (0..5).map(|number| titled(owner.id, number)).collect();
    let tickets = NewTicket::insert_many(&odm, &new).await.unwrap();
    let titles: Vec<&str> = tickets.iter().map(|ticket| &*ticket.title).collect();
    assert_eq!(titles, ["0", "1", "2", "3", "4"]);
    for ticket in &tickets {
        assert_eq!(Ticket::get(&odm, ticket.id).await.unwrap(), *ticket);
    }
    let member = Member::get(&odm, owner.id).await.unwrap();
    assert_eq!(member.tickets, 5);
    assert_eq!(NewTicket::insert_many(&odm, &[]).await.unwrap(), []);
}

#[tokio::test]
async fn a_report_can_be_returned_instead() {
    let (_t, odm, owner) = opened("ins_report").await;
    let report = new_ticket(owner.id).insert(&odm).reporting().await.unwrap();
    assert_eq!(report.inserted, 1);
    let new = MemberWithId {
        id: Id::new(),
        name: "Eve".into(),
        rank: Rank::Low,
    };
    let all = [&new, &new];
    let failed = MemberWithId::insert_many(&odm, all).reporting().unordered();
    let Err(Error::InsertMany { inserted, .. }) = failed.await else {
        panic!("the id is used twice");
    };
    assert_eq!(inserted, 1);
    let failed = MemberWithId::insert_many(&odm, all).await.unwrap_err();
    assert!(failed.is_duplicate_key(), "{failed}");
    let mut bulk = odm.bulk_write();
    bulk = bulk.add(titled(owner.id, 1).insert(&odm).reporting());
    bulk = bulk.add(titled(owner.id, 2).insert(&odm).reporting());
    assert_eq!(bulk.await.unwrap().counts.inserted, 2);
    assert_eq!(Member::get(&odm, owner.id).await.unwrap().tickets, 3);
}

#[tokio::test]
async fn an_insert_can_return_the_document_that_exists() {
    let (_t, odm, _) = opened("ins_or_get").await;
    let new = MemberWithId {
        id: Id::new(),
        name: "Eve".into(),
        rank: Rank::Low,
    };
    let of_id = || Member::fields().id.eq(new.id);
    let first = new.insert(&odm).or_get(of_id()).await.unwrap();
    assert!(first.is_created);
    assert_eq!((first.document.org, first.document.version), (1, 1));
    let renamed = MemberWithId {
        name: "Eva".into(),
        ..new
    };
    let second = renamed.insert(&odm).or_get(of_id()).await.unwrap();
    assert!(!second.is_created);
    assert_eq!(second.document, first.document);
    let unnamed = renamed.insert(&odm).or_get(Member::fields().name.eq("Eva"));
    let refused = unnamed.await.unwrap_err();
    assert!(refused.to_string().contains("unique index"), "{refused}");
}

#[tokio::test]
async fn the_hook_receives_the_complete_document_and_can_change_it() {
    let t = odm_tests::Harness::long_declared("ins_hooks").await;
    let note = NewNote { text: "a".into() }.insert(&t.odm).await.unwrap();
    assert_eq!((&*note.text, note.words), ("a!", 7));
    assert_eq!(Note::get(&t.odm, note.id).await.unwrap(), note);
    let new = NewNote { text: "a".into() };
    let note = new.insert(&t.odm).without_hooks().await.unwrap();
    assert_eq!((&*note.text, note.words), ("a", 0));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_shapes", kind(doc_type = "circle"))]
struct Circle {
    #[serde(rename = "_id")]
    id: Id<Circle, i64>,
    doc_type: String,
    radius: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_shapes", kind(doc_type = "square"))]
struct Square {
    #[serde(rename = "_id")]
    id: Id<Square, i64>,
    side: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "lowercase")]
enum Shape {
    Circle(Circle),
    Square(Square),
}

#[derive(Debug, Insertable)]
#[insertable(of = "Circle")]
struct NewCircle {
    id: Id<Circle, i64>,
    radius: i64,
}

#[derive(Debug, Insertable)]
#[insertable(of = "Square", set(id))]
struct NewSquare {
    side: i64,
}

#[tokio::test]
async fn the_kind_is_written_into_the_document() {
    let t = odm_tests::Harness::long_declared("ins_kinds").await;
    let (id, radius) = (Id::from_key(1), 4);
    let circle = NewCircle { id, radius }.insert(&t.odm).await.unwrap();
    assert_eq!((&*circle.doc_type, circle.radius), ("circle", 4));
    let set = NewSquare { side: 2 }.insert(&t.odm);
    let square = set.set(Square::fields().id, Id::from_key(2)).await.unwrap();
    let shapes = Shape::find(&t.odm).await.unwrap();
    assert_eq!(shapes, [Shape::Circle(circle), Shape::Square(square)]);
}

#[tokio::test]
async fn a_field_that_is_not_in_the_request_is_set_by_the_call() {
    let t = odm_tests::Harness::long_declared("ins_set").await;
    let new = [NewPage { text: "a".into() }, NewPage { text: "b".into() }];
    let page = Page::fields();
    let missing = NewPage::insert_many(&t.odm, &new).await.unwrap_err();
    let message = missing.to_string();
    let remedy = "the new `Page` has no value for `book`, and nothing was stored; call `.set(Page::fields().book, ..)` before the insert";
    assert!(message.contains(remedy), "{message}");
    assert_eq!(t.recorder().names(), [""; 0]);
    let pages = NewPage::insert_many(&t.odm, &new).set(page.book, "x").await;
    let pages: Vec<(String, String)> = pages
        .unwrap()
        .into_iter()
        .map(|it| (it.book, it.text))
        .collect();
    assert_eq!(pages, [("x".into(), "a".into()), ("x".into(), "b".into())]);
    // The last value of a field applies, even if the struct also contains the field.
    let one = new[0].insert(&t.odm).set(page.book, "y");
    let one = one.set(page.book, "z").set(page.text, "c").await.unwrap();
    assert_eq!((&*one.book, &*one.text), ("z", "c"));
    assert_eq!(one.id.key().to_string().len(), 36, "the key is a UUID");
}

#[derive(Debug, Insertable)]
#[insertable(of = "Poem", set(book))]
struct NewPoem {
    text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_poems")]
struct Poem {
    #[serde(rename = "_id")]
    id: Id<Poem>,
    book: Option<String>,
    text: String,
}

#[tokio::test]
async fn a_call_also_sets_an_optional_field() {
    let t = odm_tests::Harness::long_declared("ins_set_option").await;
    let new = NewPoem { text: "a".into() };
    let missing = new.insert(&t.odm).await.unwrap_err().to_string();
    assert!(
        missing.contains("`.set(Poem::fields().book, ..)`"),
        "{missing}"
    );
    for book in [None, Some("x".to_owned())] {
        let set = new.insert(&t.odm).set(Poem::fields().book, book.clone());
        assert_eq!(set.await.unwrap().book, book);
    }
}
