//! Chapter 16: tests of an application.

use mongo_odm::{Settings, Settle, assert_round_trips, prelude::*};
use mongo_odm_testkit::TestDb;
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "recipes")]
struct Recipe {
    #[serde(rename = "_id")]
    id: Id<Recipe>,
    name: String,
    #[refs(many)]
    ingredients: Vec<Id<Ingredient>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "ingredients")]
struct Ingredient {
    #[serde(rename = "_id")]
    id: Id<Ingredient>,
    name: String,
}

async fn shopping_list(odm: &Odm) -> mongo_odm::Result<Vec<String>> {
    let recipes = Recipe::find(odm).limit(50).await?;
    let ingredients = Recipe::join_ingredients(&recipes, odm).await?;
    let names = ingredients.documents().iter().map(|it| it.name.clone());
    Ok(names.collect())
}

async fn pancakes(odm: &Odm) -> mongo_odm::Result<()> {
    let ingredients = ["flour", "milk"].map(|name| Ingredient {
        id: Id::new(),
        name: name.into(),
    });
    Ingredient::insert_many(odm, &ingredients).await?;
    let recipe = Recipe {
        id: Id::new(),
        name: "pancakes".into(),
        ingredients: ingredients.iter().map(|it| it.id).collect(),
    };
    recipe.insert(odm).await?;
    Ok(())
}

/// Opens an empty database for one test.
async fn open(test: &str) -> (TestDb, Odm) {
    let database = TestDb::new(test).await.unwrap();
    let settings = Settings::default()
        .schema_refresh(None)
        .settle(Settle::Manual);
    let odm = Odm::new(database.database()).with_settings(settings);
    (database, odm)
}

#[tokio::test]
async fn a_shopping_list_needs_two_round_trips() -> mongo_odm::Result<()> {
    let (_database, odm) = open("shopping_list").await;
    pancakes(&odm).await?;
    let list = assert_round_trips!(2, odm, shopping_list(&odm))?;
    assert_eq!(list, ["flour", "milk"]);
    Ok(())
}

#[tokio::test]
async fn a_shopping_list_joins_the_ingredients() -> mongo_odm::Result<()> {
    let (_database, odm) = open("joined_ingredients").await;
    pancakes(&odm).await?;
    let observed = odm.observe(shopping_list(&odm)).await;
    assert_eq!(observed.names(), ["find", "find"], "{observed}");
    assert_eq!(observed.sent[1].relation, Some("Recipe.ingredients"));
    Ok(())
}

#[tokio::test]
async fn a_search_uses_the_filter() -> mongo_odm::Result<()> {
    let (_database, odm) = open("search").await;
    let search = Recipe::find(&odm).filter(Recipe::fields().name.starts_with("pan"));
    let plan = search.plan()?.to_string();
    assert_eq!(plan, r#"db.recipes.find({ name: { $regex: "^pan" } })"#);
    Ok(())
}

#[test]
fn the_models_agree() {
    mongo_odm::check_models().unwrap();
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    pancakes(&odm).await?;
    chapter.stores(&odm, "recipes").await?;
    chapter.sends(&odm, shopping_list(&odm)).await?;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("16-testing", program).await;
}
