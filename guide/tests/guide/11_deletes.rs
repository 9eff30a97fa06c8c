//! Chapter 11: deletes, and references that must exist.

use mongo_odm::{DeleteReport, Error, RestoreReport, Settings, Settle, bson::doc, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "projects")]
struct Project {
    #[serde(rename = "_id")]
    id: Id<Project, String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "members")]
struct Member {
    #[serde(rename = "_id")]
    id: Id<Member, String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "tickets")]
struct Ticket {
    #[serde(rename = "_id")]
    id: Id<Ticket, i32>,
    #[parent_ref(exists, on_delete = "cascade")]
    project: Id<Project, String>,
    #[refs(one, on_delete = "nullify")]
    assignee: Option<Id<Member, String>>,
    #[refs(many, on_delete = "pull")]
    watchers: Vec<Id<Member, String>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "replies")]
struct Reply {
    #[serde(rename = "_id")]
    id: Id<Reply, i32>,
    #[parent_ref(on_delete = "cascade")]
    ticket: Id<Ticket, i32>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "contracts")]
struct Contract {
    #[serde(rename = "_id")]
    id: Id<Contract, String>,
    #[parent_ref(on_delete = "restrict")]
    project: Id<Project, String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "activity")]
struct Activity {
    #[serde(rename = "_id")]
    id: Id<Activity, i32>,
    #[parent_ref(on_delete = "keep")]
    project: Id<Project, String>,
    text: String,
}

async fn store(odm: &Odm) -> mongo_odm::Result<()> {
    let (apollo, ann): (Id<_, _>, Id<_, _>) = (key("apollo"), key("ann"));
    Project { id: apollo.clone() }.insert(odm).await?;
    Member { id: ann.clone() }.insert(odm).await?;
    ticket(&apollo, &ann).insert(odm).await?;
    for id in [1, 2] {
        let (id, ticket) = (Id::from_key(id), Id::from_key(7));
        Reply { id, ticket }.insert(odm).await?;
    }
    let (id, project) = (key("c-1"), apollo.clone());
    Contract { id, project }.insert(odm).await?;
    let activity = Activity {
        id: Id::from_key(1),
        project: apollo,
        text: "created".into(),
    };
    activity.insert(odm).await?;
    Ok(())
}

fn key<M: Model>(key: &str) -> Id<M, String> {
    Id::from_key(key.into())
}

fn ticket(project: &Id<Project, String>, member: &Id<Member, String>) -> Ticket {
    Ticket {
        id: Id::from_key(7),
        project: project.clone(),
        assignee: Some(member.clone()),
        watchers: vec![member.clone()],
    }
}

async fn delete(odm: &Odm, project: &Id<Project, String>) -> mongo_odm::Result<DeleteReport> {
    Project::delete(odm, project).await
}

/// Describes the effect of a delete on other documents.
fn described(report: &DeleteReport) -> String {
    let lines = report.cascaded.iter().map(|it| {
        let (model, deleted, changed) = (it.model, it.deleted, it.changed);
        format!("{model}: {deleted} deleted, {changed} references removed")
    });
    lines.collect::<Vec<_>>().join("\n")
}

async fn open(odm: &Odm, ticket: &Ticket) -> mongo_odm::Result<bool> {
    match ticket.insert(odm).await {
        Ok(_) => Ok(true),
        Err(Error::NoTarget { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "boards")]
struct Board {
    #[serde(rename = "_id")]
    id: Id<Board, String>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "cards")]
struct Card {
    #[serde(rename = "_id")]
    id: Id<Card, i32>,
    #[parent_ref(exists, on_delete = "cascade")]
    board: Id<Board, String>,
    title: String,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

async fn trash(odm: &Odm) -> mongo_odm::Result<Vec<Card>> {
    Card::find(odm).only_deleted().await
}

async fn restore(odm: &Odm, board: &Id<Board, String>) -> mongo_odm::Result<RestoreReport> {
    Board::restore(odm, board).await
}

/// Deletes a card, and then its board. Restoring the board does not restore the card.
async fn delete_and_restore(odm: &Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes().only::<Card>().await?;
    let board = Board {
        id: key("week"),
        deleted_at: None,
    };
    board.insert(odm).await?;
    for number in 1..=3 {
        let card = Card {
            id: Id::from_key(number),
            board: key("week"),
            title: format!("card {number}"),
            deleted_at: None,
        };
        card.insert(odm).await?;
    }
    Card::delete(odm, Id::from_key(1)).await?;
    Board::delete(odm, &board.id).await?;
    assert_eq!(trash(odm).await?.len(), 3);
    assert_eq!(restore(odm, &board.id).await?.restored, 1);
    assert_eq!(trash(odm).await?.len(), 1);
    assert_eq!(Card::count(odm).await?, 2);
    Ok(())
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "orders", on_delete = "archive")]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i32>,
    buyer: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "order_lines", on_delete = "archive")]
struct OrderLine {
    #[serde(rename = "_id")]
    id: Id<OrderLine, i32>,
    #[parent_ref(exists, on_delete = "cascade")]
    order: Id<Order, i32>,
    article: String,
}

async fn bring_back(odm: &Odm, order: &Id<Order, i32>) -> mongo_odm::Result<Vec<OrderLine>> {
    Order::restore(odm, order).await?;
    OrderLine::find(odm).only_deleted().await
}

async fn remove_old(odm: &Odm, before: DateTime) -> mongo_odm::Result<DeleteReport> {
    Order::purge_many(odm, doc! { "_odm_deleted_at": { "$lt": before } }).await
}

/// Deletes an order, restores it, and purges it.
async fn archive(odm: &Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes().only::<OrderLine>().await?;
    let order = Order {
        id: Id::from_key(1),
        buyer: "ann".to_owned(),
    };
    order.insert(odm).await?;
    for number in 1..=2 {
        let line = OrderLine {
            id: Id::from_key(number),
            order: order.id,
            article: format!("article {number}"),
        };
        line.insert(odm).await?;
    }
    Order::delete(odm, order.id).await?;
    assert!(bring_back(odm, &order.id).await?.is_empty());
    assert_eq!(OrderLine::count(odm).await?, 2);
    Order::delete(odm, order.id).await?;
    let tomorrow = DateTime::from_millis(DateTime::now().timestamp_millis() + 86_400_000);
    assert_eq!(remove_old(odm, tomorrow).await?.deleted, 1);
    Ok(())
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let sync = odm.sync_indexes().only::<Ticket>().only::<Reply>();
    sync.only::<Contract>().only::<Activity>().await?;
    let odm = odm.with_settings(Settings::default().settle(Settle::Manual));
    store(&odm).await?;
    chapter.stores(&odm, "tickets").await?;
    let (apollo, ann) = (key("apollo"), key("ann"));

    let refused = delete(&odm, &apollo).await.unwrap_err();
    chapter.shows(&refused);
    Contract::delete(&odm, key::<Contract>("c-1")).await?;

    let report = chapter
        .outlines(&odm, Member::delete(&odm, &ann).into_future())
        .await?;
    chapter.shows(described(&report));
    chapter.stores(&odm, "tickets").await?;

    let report = Project::delete(&odm, &apollo).dry_run().await?;
    chapter.shows(described(&report));

    chapter.outlines(&odm, delete(&odm, &apollo)).await?;
    chapter.stores(&odm, "activity").await?;

    let late = ticket(&apollo, &ann);
    assert!(!open(&odm, &late).await?);
    chapter.shows(late.insert(&odm).await.unwrap_err());
    Project { id: apollo }.insert(&odm).await?;
    chapter.outlines(&odm, open(&odm, &late)).await?;
    delete_and_restore(&odm).await?;
    archive(&odm).await?;
    odm.finish_writes().await;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("11-deletes", program).await;
}
