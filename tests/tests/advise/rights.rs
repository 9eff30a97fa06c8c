//! Database users with limited rights, on a server that requires authentication.

use mongo_odm::{
    ErrorKind, Odm,
    bson::{Document, doc},
    check_models,
    mongodb::{Client, Database},
};
use mongo_odm_testkit::Server;
use mongo_odm_tools::{Advice, OdmTools};

use crate::seeds::array;

/// Starts a server with a database, and returns the database handle of a user with all rights.
async fn server() -> (Server, Database) {
    let server = Server::builder().auth().start().await.unwrap();
    let client = Client::with_options(server.client_options().await.unwrap()).unwrap();
    let database = client.database("shop");
    let pages = (0..3).map(|n| doc! { "_id": n, "words": array(11_000) });
    insert(&database, "pages", pages.collect()).await;
    let albums = (0..20).map(|n| doc! { "_id": n, "name": "a" });
    insert(&database, "albums", albums.collect()).await;
    let tracks = (0..300).map(|n| doc! { "_id": n, "name": "t", "album": n % 21 });
    insert(&database, "tracks", tracks.collect()).await;
    (server, database)
}

async fn insert(database: &Database, collection: &str, documents: Vec<Document>) {
    let collection = database.collection(collection);
    collection.insert_many(documents).await.unwrap();
}

fn codes(advice: &Advice) -> Vec<&'static str> {
    advice.findings.iter().map(|it| it.code).collect()
}

fn unread(advice: &Advice) -> Vec<&'static str> {
    let mut unread: Vec<_> = advice.not_looked_at.iter().map(|it| it.what).collect();
    unread.dedup();
    unread
}

#[tokio::test]
async fn a_user_who_may_read_gets_a_report_that_names_what_is_not_his() {
    let (server, _) = server().await;
    let uri = server.user("reader", "shop", &["read"]).await.unwrap();
    let odm = Odm::connect(&uri).await.unwrap();

    let advice = odm.advise().await.unwrap();
    assert_eq!(codes(&advice), ["A4", "R5", "I1"], "{advice}");
    for (what, code) in [
        ("`$indexStats`", "I2"),
        ("`system.profile`", "I7"),
        ("`serverStatus`", "K4"),
    ] {
        let unread = advice.not_looked_at.iter().find(|it| it.what == what);
        let unread = unread.unwrap_or_else(|| panic!("no {what}: {advice}"));
        assert!(unread.codes.contains(&code), "{advice}");
        assert!(unread.why.contains("not authorized"), "{advice}");
    }
    assert!(!advice.to_string().contains("odm-testkit"), "{advice}");
    // The report has one line for all collections, without the rejected statement.
    let uses = advice.not_looked_at.iter().filter(|it| it.codes == ["I2"]);
    let uses: Vec<_> = uses.map(ToString::to_string).collect();
    let line = "I2: `$indexStats` of `albums`, `pages`, `tracks`: not authorized on shop (server error 13, Unauthorized)";
    assert_eq!(uses, [line], "{advice}");
    assert!(!advice.to_string().contains("lsid"), "{advice}");

    let advice = mongo_odm_tools::advise(uri.as_str()).await.unwrap();
    assert_eq!(codes(&advice), ["A4", "R5", "I1"], "{advice}");

    let survey = odm.survey().await.unwrap();
    assert_eq!(survey.collections.len(), 3);
    let tracks = survey.collection("tracks").unwrap();
    assert_eq!((tracks.sampled, tracks.notes.len()), (300, 0), "{tracks:?}");
    let references: Vec<_> = survey.references.iter().map(ToString::to_string).collect();
    assert_eq!(
        references,
        ["tracks.album -> albums._id: 20 of 21 values found"]
    );
    check_models().unwrap();
}

#[tokio::test]
async fn a_user_who_may_read_can_pull_models() {
    let (server, _) = server().await;
    let uri = server.user("reader", "shop", &["read"]).await.unwrap();
    let odm = Odm::connect(&uri).await.unwrap();
    let survey = odm.survey().keep_documents().await.unwrap();
    let code = mongo_odm_tools::write_models(&survey);
    assert!(code.contains("struct Track"), "{code}");
    assert!(code.contains("Id<Album"), "{code}");
}

#[tokio::test]
async fn a_collection_that_is_not_for_a_user_does_not_hide_the_others() {
    let (server, database) = server().await;
    let on = |collection: &str, actions: [&str; 2]| {
        doc! { "resource": { "db": "shop", "collection": collection }, "actions": actions.as_slice() }
    };
    let privileges = vec![
        on("", ["listCollections", "listCollections"]),
        on("pages", ["find", "listIndexes"]),
        on("tracks", ["find", "collStats"]),
    ];
    let role = doc! { "createRole": "clerk", "privileges": privileges, "roles": [] };
    database.run_command(role).await.unwrap();
    let uri = server.user("clerk", "shop", &["clerk"]).await.unwrap();
    let advice = mongo_odm_tools::advise(uri.as_str()).await.unwrap();
    assert_eq!(codes(&advice), ["A4"], "{advice}");
    for what in [
        "`$collStats`",
        "`listIndexes`",
        "the sample",
        "`$indexStats`",
    ] {
        assert!(unread(&advice).contains(&what), "{what}: {advice}");
    }
    let sample = advice
        .not_looked_at
        .iter()
        .find(|it| it.what == "the sample")
        .unwrap();
    assert_eq!(sample.collections, ["albums"], "{advice}");
    // With models, a readable collection can have references to a collection that is not readable.
    let advice = Odm::connect(&uri).await.unwrap().advise().await.unwrap();
    let targets = advice
        .not_looked_at
        .iter()
        .find(|it| it.what == "the targets of references");
    let targets = targets.unwrap_or_else(|| panic!("no targets: {advice}"));
    assert_eq!(targets.collections, ["tracks"], "{advice}");
    assert!(targets.codes.contains(&"R5"), "{advice}");
}

#[tokio::test]
async fn a_user_who_may_list_nothing_gets_one_error_that_says_so() {
    let (server, _) = server().await;
    let uri = server.user("stranger", "other", &["read"]).await.unwrap();
    let uri = uri.replace("/other?", "/shop?");
    for error in [
        mongo_odm_tools::advise(uri.as_str()).await.unwrap_err(),
        Odm::connect(&uri)
            .await
            .unwrap()
            .advise()
            .await
            .unwrap_err(),
        Odm::connect(&uri)
            .await
            .unwrap()
            .survey()
            .await
            .unwrap_err(),
    ] {
        assert_eq!(
            (error.kind(), error.server_code()),
            (ErrorKind::Server, Some(13))
        );
        let text = error.to_string();
        assert!(text.contains("while `listCollections`"), "{text}");
        assert!(text.contains("not authorized on shop"), "{text}");
        assert!(!text.contains("odm-testkit"), "{text}");
    }
}
