//! Chapter 20: typed change streams.

use futures_util::TryStreamExt;
use mongo_odm::{
    Plan,
    action::{ChangeStream, DocumentChange, ResumeToken},
    prelude::*,
};
use odm_guide::{Chapter, run};

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "orders", pre_images)]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i32>,
    table: i32,
    dishes: Vec<String>,
    is_paid: bool,
}

async fn follow(odm: &Odm) -> mongo_odm::Result<Vec<String>> {
    let order = Order::fields();
    let mut lines = Vec::new();
    let mut changes = Order::watch(odm).await?;
    change(odm).await?;
    while let Some(event) = changes.try_next().await? {
        lines.push(match event.change {
            DocumentChange::Inserted(new) => format!("table {} orders", new.table),
            DocumentChange::Updated { id, changes, .. } => {
                let dishes = changes.is_changed(order.dishes);
                let is_paid = changes.get(order.is_paid)?;
                format!("order {id}: dishes changed: {dishes}, paid: {is_paid:?}")
            }
            DocumentChange::Deleted { id, .. } => format!("order {id} is deleted"),
            other => format!("{other:?}"),
        });
        if lines.len() == 4 {
            break;
        }
    }
    Ok(lines)
}

async fn change(odm: &Odm) -> mongo_odm::Result<()> {
    let order = Order::fields();
    let id = Id::from_key(3);
    let new = Order {
        id,
        table: 1,
        dishes: vec!["salad".into()],
        is_paid: false,
    };
    new.insert(odm).await?;
    Order::update(odm, id).push(order.dishes, "bread").await?;
    Order::update(odm, id).set(order.is_paid, true).await?;
    Order::delete(odm, id).await?;
    Ok(())
}

fn unpaid(odm: &Odm) -> mongo_odm::Result<Plan> {
    let order = Order::fields();
    Order::watch(odm).filter(order.is_paid.eq(false)).plan()
}

async fn differences(odm: &Odm) -> mongo_odm::Result<Option<(i32, i32)>> {
    let mut changes = Order::watch(odm).with_before().await?;
    let order = Order::fields();
    Order::update(odm, Id::from_key(1))
        .set(order.table, 5)
        .await?;
    let event = changes.try_next().await?;
    Ok(event.and_then(|event| {
        let (before, after) = (event.change.before()?, event.change.document()?);
        Some((before.table, after.table))
    }))
}

async fn resume(odm: &Odm, last: Option<&str>) -> mongo_odm::Result<ChangeStream<Order>> {
    let token: Option<ResumeToken> = last.map(str::parse).transpose()?;
    Order::watch(odm).after(token).await
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let order = |id, table, dish: &str| Order {
        id: Id::from_key(id),
        table,
        dishes: vec![dish.into()],
        is_paid: false,
    };
    Order::insert_many(&odm, &[order(1, 4, "soup"), order(2, 7, "fish")]).await?;
    chapter.stores(&odm, "orders").await?;
    chapter.shows(follow(&odm).await?.join("\n"));
    chapter.plans(&unpaid(&odm)?);

    assert!(differences(&odm).await.is_err());
    chapter.shows(odm.index_diff().only::<Order>().await?);
    odm.sync_indexes().only::<Order>().await?;
    assert_eq!(differences(&odm).await?, Some((4, 5)));

    let changes = resume(&odm, None).await?;
    Order::delete(&odm, Id::from_key(2)).await?;
    let mut again = resume(&odm, Some(&changes.token().to_string())).await?;
    let event = again.try_next().await?.unwrap();
    assert!(event.change.document().is_none());
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("20-change-streams", program).await;
}
