//! Chapter 21: validators that are generated from the models.

use mongo_odm::{
    ErrorKind, ValidatorDiff, ValidatorReport, mongodb::options::ValidationAction, prelude::*,
};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Large,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Topping {
    name: String,
    grams: i32,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "pizzas")]
struct Pizza {
    #[serde(rename = "_id")]
    id: Id<Pizza, i32>,
    name: String,
    price: i64,
    size: Size,
    #[embed(max = 3)]
    toppings: Vec<Topping>,
    #[serde(default)]
    note: Option<String>,
}

async fn difference(odm: &Odm) -> mongo_odm::Result<ValidatorDiff> {
    odm.validator_diff().only::<Pizza>().await
}

async fn sync(odm: &Odm) -> mongo_odm::Result<ValidatorReport> {
    odm.sync_validators().only::<Pizza>().await
}

async fn script(odm: &Odm) -> mongo_odm::Result<()> {
    let pizzas = odm.database().collection("pizzas");
    let topping = doc! { "name": "olive", "grams": "5" };
    let pizza =
        doc! { "_id": 2, "name": "Sud", "price": "9.50", "size": "tiny", "toppings": [topping] };
    pizzas.insert_one(pizza).await?;
    Ok(())
}

async fn log_only(odm: &Odm) -> mongo_odm::Result<ValidatorReport> {
    let sync = odm.sync_validators().only::<Pizza>();
    sync.action(ValidationAction::Warn).await
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let pizza = |id: i32, size: Size| Pizza {
        id: Id::from_key(id),
        name: "Nord".into(),
        price: 9,
        size,
        toppings: vec![Topping {
            name: "leek".into(),
            grams: 50,
        }],
        note: None,
    };
    pizza(1, Size::Large).insert(&odm).await?;
    chapter.shows(difference(&odm).await?);
    chapter.shows(sync(&odm).await?);
    let error = script(&odm).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidDocument);
    assert_eq!(error.kind().http_status(), 422);
    chapter.shows(&error);
    pizza(3, Size::Small).insert(&odm).await?;
    assert_eq!(log_only(&odm).await?.written, ["pizzas"]);
    script(&odm).await?;
    assert!(Pizza::find(&odm).await.is_err());

    let theirs = doc! { "name": { "$ne": "" } };
    let collmod = doc! { "collMod": "pizzas", "validator": theirs };
    odm.database().run_command(collmod).await?;
    chapter.shows(sync(&odm).await?);
    let replaced = odm.sync_validators().only::<Pizza>().replace_foreign();
    assert_eq!(replaced.await?.written, ["pizzas"]);
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("21-validators", program).await;
}
