//! Chapter 23: tenants.

use mongo_odm::prelude::*;
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "invoices", tenant = "branch")]
struct Invoice {
    #[serde(rename = "_id")]
    id: Id<Invoice, i32>,
    branch: String,
    #[index(unique)]
    number: i32,
}

async fn invoices(odm: &Odm, branch: &str) -> mongo_odm::Result<Vec<Invoice>> {
    let odm = odm.for_tenant(branch);
    Invoice::find(&odm)
        .filter(Invoice::fields().number.gt(100))
        .await
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    chapter.sends(&odm, invoices(&odm, "harbour")).await?;
    chapter.shows(Invoice::find(&odm).await.unwrap_err());
    let invoice = Invoice {
        id: Id::from_key(1),
        branch: "hill".into(),
        number: 7,
    };
    let other = invoice.insert(&odm.for_tenant("harbour")).await;
    chapter.shows(other.unwrap_err());
    invoice.insert(&odm.for_tenant("hill")).await?;
    assert_eq!(Invoice::count(&odm.for_tenant("harbour")).await?, 0);
    assert_eq!(Invoice::count(&odm.all_tenants()).await?, 1);
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("23-tenants", program).await;
}
