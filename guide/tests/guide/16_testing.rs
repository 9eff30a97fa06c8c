//! Chapter 16: tests of an application.

use std::time::Duration;

use mongo_odm::prelude::*;
use mongo_odm_testkit::{Cluster, TestClock, TestDb, assert_round_trips, given};
use odm_guide::{Chapter, run};

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
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

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "meals")]
struct Meal {
    #[serde(rename = "_id")]
    id: Id<Meal>,
    #[parent_ref]
    recipe: Id<Recipe>,
    #[denorm(from = Recipe.name)]
    recipe_name: String,
    #[created_at]
    cooked: DateTime,
}

async fn shopping_list(odm: &Odm) -> mongo_odm::Result<Vec<String>> {
    let recipes = Recipe::find(odm).limit(50).await?;
    let ingredients = Recipe::join_ingredients(&recipes, odm).await?;
    let names = ingredients.documents().iter().map(|it| it.name.clone());
    Ok(names.collect())
}

async fn meals_since(odm: &Odm, time: DateTime) -> mongo_odm::Result<u64> {
    Meal::count(odm)
        .filter(Meal::fields().cooked.gte(time))
        .await
}

#[mongo_odm_testkit::test]
async fn the_list_contains_all_ingredients(odm: Odm) -> mongo_odm::Result<()> {
    pancakes(&odm).await?;
    assert_eq!(shopping_list(&odm).await?, ["flour", "milk"]);
    Ok(())
}

/// Stores a recipe that has two ingredients.
async fn pancakes(odm: &Odm) -> mongo_odm::Result<Recipe> {
    let ingredients = ["flour", "milk"].map(|name| Ingredient {
        id: Id::new(),
        name: name.into(),
    });
    let recipe = Recipe {
        id: Id::new(),
        name: "pancakes".into(),
        ingredients: ingredients.iter().map(|it| it.id).collect(),
    };
    given(odm, (&ingredients, [recipe.clone()])).await?;
    Ok(recipe)
}

fn meal(recipe: &Recipe) -> Meal {
    Meal {
        id: Id::new(),
        recipe: recipe.id,
        recipe_name: recipe.name.clone(),
        cooked: DateTime::now(),
    }
}

#[mongo_odm_testkit::test]
async fn only_later_meals_are_counted(odm: Odm, clock: TestClock) -> mongo_odm::Result<()> {
    let recipe = pancakes(&odm).await?;
    let monday = clock.now();
    given(&odm, [meal(&recipe)]).await?;
    clock.advance(Duration::from_secs(24 * 3_600));
    given(&odm, [meal(&recipe)]).await?;
    assert_eq!(meals_since(&odm, monday).await?, 2);
    assert_eq!(meals_since(&odm, clock.now()).await?, 1);
    Ok(())
}

#[mongo_odm_testkit::test]
async fn a_deferred_rename_is_complete(odm: Odm) -> mongo_odm::Result<()> {
    let recipe = pancakes(&odm).await?;
    let meal = meal(&recipe);
    meal.insert(&odm).await?;
    let rename = Recipe::update(&odm, recipe.id).set(Recipe::fields().name, "crepes");
    rename.deferred().await?;
    assert_eq!(Meal::get(&odm, meal.id).await?.recipe_name, "crepes");
    Ok(())
}

#[mongo_odm_testkit::test(settle = "manual")]
async fn a_meal_has_the_old_name_until_the_job_runs(odm: Odm) -> mongo_odm::Result<()> {
    let recipe = pancakes(&odm).await?;
    let meal = meal(&recipe);
    meal.insert(&odm).await?;
    let rename = Recipe::update(&odm, recipe.id).set(Recipe::fields().name, "crepes");
    rename.deferred().await?;
    assert_eq!(Meal::get(&odm, meal.id).await?.recipe_name, "pancakes");
    odm.run_pending_jobs().await?;
    assert_eq!(Meal::get(&odm, meal.id).await?.recipe_name, "crepes");
    Ok(())
}

#[mongo_odm_testkit::test]
async fn a_shopping_list_needs_two_round_trips(odm: Odm) -> mongo_odm::Result<()> {
    pancakes(&odm).await?;
    let list = assert_round_trips!(2, odm, shopping_list(&odm))?;
    assert_eq!(list, ["flour", "milk"]);
    Ok(())
}

#[mongo_odm_testkit::test]
async fn a_shopping_list_joins_the_ingredients(odm: Odm) -> mongo_odm::Result<()> {
    pancakes(&odm).await?;
    let observed = odm.observe(shopping_list(&odm)).await;
    assert_eq!(observed.names(), ["find", "find"], "{observed}");
    assert_eq!(observed.sent[1].relation, Some("Recipe.ingredients"));
    Ok(())
}

#[mongo_odm_testkit::test]
async fn a_search_uses_the_filter(odm: Odm) -> mongo_odm::Result<()> {
    let search = Recipe::find(&odm).filter(Recipe::fields().name.starts_with("pan"));
    let plan = search.plan()?.to_string();
    assert_eq!(plan, r#"db.recipes.find({ name: { $regex: "^pan" } })"#);
    Ok(())
}

#[test]
fn the_models_agree() {
    mongo_odm::check_models().unwrap();
}

#[tokio::test]
async fn a_new_database_is_empty() -> mongo_odm::Result<()> {
    let database = TestDb::new("empty").await.unwrap();
    let odm = Odm::new(database.database());
    assert_eq!(Recipe::count(&odm).await?, 0);
    Ok(())
}

#[tokio::test]
async fn recipes_are_spread_over_two_shards() -> mongo_odm::Result<()> {
    let cluster = Cluster::start().await.unwrap();
    println!("{cluster}");
    let key = doc! { "_id": "hashed" };
    cluster.shard_collection("shop.recipes", key).await.unwrap();
    let odm = Odm::connect(cluster.uri_of("shop")).await?;
    odm.sync_indexes().only::<Meal>().await?;
    let recipes = (0..40).map(|n| Recipe {
        id: Id::new(),
        name: format!("recipe {n}"),
        ingredients: Vec::new(),
    });
    Recipe::insert_many(&odm, &recipes.collect::<Vec<_>>()).await?;
    let per_shard = cluster.documents_per_shard("shop.recipes").await.unwrap();
    assert!(per_shard.iter().all(|count| *count > 0));
    Ok(())
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes().only::<Meal>().await?;
    pancakes(&odm).await?;
    chapter.stores(&odm, "recipes").await?;
    chapter.sends(&odm, shopping_list(&odm)).await?;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("16-testing", program).await;
}
