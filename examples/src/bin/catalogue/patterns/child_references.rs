//! One-to-many and many-to-many: the product stores the ids of its parts.

use anyhow::{Context, Result};
use mongo_odm::prelude::*;
use odm_examples::{Stage, ask, few, thousands};

use crate::models::{Part, PartPrice, Product};

/// Loads the parts of one product, in stored order.
pub async fn parts_of_a_product(stage: &Stage) -> Result<()> {
    stage.pattern(
        "One-to-many: child references",
        "The product, then its parts: an application-level join of two queries.",
    );
    let odm = &stage.odm;

    let product = ask!(
        stage,
        Product::find_one(odm).filter(Product::fields().catalog_number.eq(1_004))
    )
    .context("no product 1004")?;
    stage.answer(format!(
        "{}, with {} references",
        product.name,
        product.parts.len()
    ));

    let parts = ask!(stage, product.load_parts(odm));
    stage.answer(few(parts.iter().map(|part| &part.name)));
    let ids: Vec<Id<Part>> = parts.iter().map(|part| part.id).collect();
    anyhow::ensure!(
        ids == product.parts,
        "the parts came in another order than the stored one"
    );
    stage.answer("in the order of assembly, although the server sent them in its own");

    let parts = ask!(stage, product.load_parts(odm).select::<PartPrice>());
    let price: f64 = parts.iter().map(|part| part.price).sum();
    stage.answer(format!("all parts together sell for {price:.2}"));
    Ok(())
}

/// Loads the parts of many products with one join.
pub async fn parts_of_many_products(stage: &Stage) -> Result<()> {
    stage.pattern(
        "Joining many documents",
        "However many products: one `find` with the distinct ids of all their parts (several above \
         2,500 distinct ids).",
    );
    let odm = &stage.odm;
    let products = ask!(
        stage,
        Product::find(odm)
            .filter(Product::fields().manufacturer.eq("Acme Corp"))
            .limit(1_000)
    );
    let references: usize = products.iter().map(|product| product.parts.len()).sum();
    stage.answer(format!(
        "{} products with {} references",
        products.len(),
        thousands(references)
    ));

    let parts = ask!(
        stage,
        Product::join_parts(&products, odm).select::<PartPrice>()
    );
    stage.answer(format!(
        "{} distinct parts, each decoded once",
        thousands(parts.len())
    ));
    for product in products.iter().take(3) {
        let price: f64 = parts.of(product).map(|part| part.price).sum();
        let names = few(parts.of(product).map(|part| &part.name));
        stage.answer(format!("{} for {price:.2}: {names}", product.name));
    }
    Ok(())
}

/// Loads references, some of which are dangling.
pub async fn dangling(stage: &Stage) -> Result<()> {
    stage.pattern(
        "References that lead nowhere",
        "The server does not keep references whole. A load leaves such a reference out and can say \
         so, or refuses to go on.",
    );
    let odm = &stage.odm;
    let gone = Part::find_one(odm)
        .filter(Part::fields().partno.eq("000001-aff"))
        .require()
        .await?;
    let kept = Part::find_one(odm)
        .filter(Part::fields().partno.eq("000002-aff"))
        .require()
        .await?;
    let product = Product {
        id: Id::new(),
        name: "sky hook".to_owned(),
        manufacturer: "Acme Corp".to_owned(),
        catalog_number: 1,
        parts: vec![gone.id, kept.id],
    };
    Part::delete(odm, gone.id).await?;

    let parts = ask!(stage, product.load_parts(odm));
    stage.answer(few(parts.iter().map(|part| &part.name)));
    let missing = stage.run(
        "product.load_parts(odm).missing()",
        product.load_parts(odm).missing(),
    );
    stage.answer(format!("missing: {}", few(missing.await?)));
    let whole = product.load_parts(odm).require_all();
    stage
        .refused("product.load_parts(odm).require_all()", whole)
        .await?;

    gone.insert(odm).await?;
    Ok(())
}

/// Reads the same references in the other direction, from parts to products.
pub async fn products_of_a_part(stage: &Stage) -> Result<()> {
    stage.pattern(
        "Many-to-many, from the other side",
        "`has_many(products = \"Product.parts\")`: the ids stay in the product; the index on \
         `products.parts` answers for the part.",
    );
    let odm = &stage.odm;
    let part = Part::find_one(odm)
        .filter(Part::fields().partno.eq("000005-aff"))
        .require()
        .await?;

    let products = ask!(
        stage,
        part.load_products(odm).sort(Product::fields().name.asc())
    );
    stage.answer(format!(
        "{} is used by {}",
        part.name,
        few(products.iter().map(|product| product.catalog_number))
    ));

    let parts = Part::find(odm)
        .sort(Part::fields().partno.asc())
        .limit(50)
        .await?;
    let uses = ask!(stage, Part::join_products(&parts, odm).count_each());
    let most = parts
        .iter()
        .max_by_key(|part| uses.of(part))
        .context("there are no parts")?;
    stage.answer(format!(
        "of 50 parts {} is used most, by {} products",
        most.name,
        uses.of(most)
    ));
    Ok(())
}
