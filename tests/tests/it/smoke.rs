use odm_tests::{Harness, shop::*};

#[tokio::test]
async fn a_product_loads_its_parts_with_one_find() {
    let t = Harness::new("smoke").await;
    let parts = parts(3);
    let product = product(1, [&parts[2], &parts[0], &parts[2]]);
    t.given(&parts).await;
    t.given(std::slice::from_ref(&product)).await;
    let (loaded, sent) = t
        .sent(async { product.load_parts(&t.odm).await.unwrap() })
        .await;
    assert_eq!(
        loaded,
        [parts[2].clone(), parts[0].clone(), parts[2].clone()]
    );
    assert_eq!(sent, ["find"]);
    let names = Product::join_parts([&product], &t.odm)
        .select::<PartName>()
        .await
        .unwrap();
    assert_eq!(
        names
            .of(&product)
            .map(|part| part.name.as_str())
            .collect::<Vec<_>>(),
        ["#2 grommet", "#0 grommet", "#2 grommet"]
    );
}
