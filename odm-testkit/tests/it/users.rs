//! Servers that require authentication.

use mongo_odm_testkit::Server;
use mongodb::{
    Client,
    bson::{Document, doc},
    error::ErrorKind,
};

#[tokio::test]
async fn users_may_do_what_their_roles_say_and_others_nothing() {
    let server = Server::builder().auth().start().await.unwrap();
    let everything = Client::with_options(server.client_options().await.unwrap()).unwrap();
    let parts = everything.database("shop").collection::<Document>("parts");
    parts.insert_one(doc! { "_id": 1 }).await.unwrap();

    let reader = server.user("reader", "shop", &["read"]).await.unwrap();
    let nobody = reader.replace("reader:odm-testkit@", "");
    let of = async |uri: &str| {
        let client = Client::with_uri_str(uri).await.unwrap();
        let shop = client.default_database().unwrap();
        shop.collection::<Document>("parts")
    };
    let theirs = of(&reader).await;
    assert!(theirs.find_one(doc! {}).await.unwrap().is_some());
    for refused in [
        theirs.insert_one(doc! {}).await.map(drop),
        of(&nobody.replace("authSource=admin", ""))
            .await
            .find_one(doc! {})
            .await
            .map(drop),
    ] {
        let error = refused.unwrap_err();
        let code = match error.kind.as_ref() {
            ErrorKind::Command(error) => error.code,
            other => panic!("{other:?}"),
        };
        assert_eq!(code, 13, "{error}");
    }
    // The server still accepts the user after a restart.
    server.kill(0).unwrap();
    server.restart(0).await.unwrap();
    assert!(parts.find_one(doc! {}).await.unwrap().is_some());
}
