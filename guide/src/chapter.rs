//! A chapter while its program runs.

use std::{fmt::Display, path::PathBuf};

use futures_util::TryStreamExt;
use mongo_odm::{
    Odm, Plan, Result,
    bson::{DateTime, Document, doc},
};
use mongo_odm_testkit::TestDb;

use crate::{
    Block, blocks, chapters,
    normal::{Ids, as_json, same, wrapped},
    outline::outline,
    read,
};

/// A chapter, and the texts that its program has shown.
#[derive(Debug)]
pub struct Chapter {
    file: PathBuf,
    ids: Ids,
    shown: Vec<(&'static str, String)>,
}

/// Runs the program of a chapter in a new database, and compares the shown texts with the chapter.
///
/// # Panics
///
/// Panics if the program fails, or if it shows other texts than the chapter contains.
pub async fn run<P>(name: &str, program: P)
where
    P: AsyncFnOnce(&mut Chapter, Odm) -> Result<()>,
{
    let database = TestDb::new(&format!("guide_{}", name.replace('-', "_"))).await;
    let database = database.unwrap_or_else(|error| panic!("{error}"));
    let mut chapter = Chapter {
        file: chapters().join(format!("{name}.md")),
        ids: Ids::default(),
        shown: Vec::new(),
    };
    declare(&Odm::new(database.database())).await;
    let odm = Odm::new(database.database());
    if let Err(error) = program(&mut chapter, odm).await {
        panic!("{name}: {error}");
    }
    chapter.compare();
}

/// Makes the declarations of the models three days old, because the first writes after a new declaration leave extra
/// jobs for other programs.
async fn declare(odm: &Odm) {
    let declared = odm.run_pending_jobs().await;
    declared.unwrap_or_else(|error| panic!("{error}"));
    let then = DateTime::from_millis(DateTime::now().timestamp_millis() - 3 * 24 * 3_600 * 1_000);
    let schema = odm.database().collection::<Document>("_odm_schema");
    let ages = doc! { "$set": { "declared_at": then, "fields.$[].declared_at": then } };
    let updated = schema.update_many(doc! {}, ages).await;
    updated.unwrap_or_else(|error| panic!("{error}"));
}

impl Chapter {
    /// Runs a block, and shows the statements that it sends.
    ///
    /// # Errors
    ///
    /// Returns the error of the block.
    pub async fn sends<T>(
        &mut self,
        odm: &Odm,
        block: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let (statements, value) = sent(odm, block).await;
        self.show("js", &statements);
        value
    }

    /// Does the same as [`sends`](Self::sends), and shortens the statements about the collections of the library.
    ///
    /// # Errors
    ///
    /// Returns the error of the block.
    pub async fn outlines<T>(
        &mut self,
        odm: &Odm,
        block: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let (statements, value) = sent(odm, block).await;
        self.show("js", &outline(&statements));
        value
    }

    /// Shows a plan.
    pub fn plans(&mut self, plan: &Plan) {
        self.show("js", &plan.to_string());
    }

    /// Shows all documents of a collection, sorted by `_id`.
    ///
    /// # Errors
    ///
    /// Returns the error of the server.
    pub async fn stores(&mut self, odm: &Odm, collection: &str) -> Result<()> {
        let all = odm.database().collection::<Document>(collection);
        let cursor = all.find(doc! {}).sort(doc! { "_id": 1 }).await?;
        let documents: Vec<Document> = cursor.try_collect().await?;
        let texts: Vec<String> = documents.into_iter().map(as_json).collect();
        self.show("json", &texts.join("\n"));
        Ok(())
    }

    /// Shows a text.
    pub fn shows(&mut self, text: impl Display) {
        self.show("text", &text.to_string());
    }

    fn show(&mut self, language: &'static str, text: &str) {
        let mut text = self.ids.numbered(text);
        if language == "js" {
            let lines: Vec<String> = text.lines().map(|line| wrapped(line, 0)).collect();
            text = lines.join("\n");
        }
        self.shown.push((language, text));
    }

    /// Compares the shown texts with the blocks of the chapter.
    fn compare(self) {
        let text = read(&self.file);
        let mut expected: Vec<Block<'_>> = blocks(&text)
            .into_iter()
            .filter(|block| ["js", "json", "text"].contains(&block.language))
            .collect();
        let mut missing = Vec::new();
        for (language, shown) in self.shown {
            let found = expected
                .iter()
                .position(|block| block.language == language && same(language, block.text, &shown));
            match found {
                Some(at) => drop(expected.remove(at)),
                None => missing.push((language, shown)),
            }
        }
        if missing.is_empty() && expected.is_empty() {
            return;
        }
        let file = self.file.display();
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            let updated = updated(&text, &mut expected, &mut missing);
            std::fs::write(&self.file, updated).unwrap_or_else(|error| panic!("{file}: {error}"));
        }
        let missing = missing.iter().map(|(language, text)| {
            format!("the program shows this, the chapter does not:\n```{language}\n{text}\n```\n")
        });
        let expected = expected.iter().map(|block| {
            let (line, text) = (block.line, block.text);
            format!("the program does not show the block in line {line}:\n{text}\n")
        });
        let all: String = missing.chain(expected).collect();
        assert!(
            all.is_empty(),
            "{file}:\n{all}UPDATE_EXPECT=1 cargo test -p odm-guide"
        );
    }
}

/// Runs a block, and returns the statements that it sends.
async fn sent<T>(odm: &Odm, block: impl Future<Output = Result<T>>) -> (String, Result<T>) {
    let observed = odm.observe(block).await;
    // A handle sends `hello` once, and reads the declarations of other programs once a minute.
    let sent = observed.sent.iter().filter(|sent| {
        sent.command != "hello" && sent.collection.as_deref() != Some("_odm_schema")
    });
    let lines: Vec<String> = sent.map(|sent| sent.statement.to_string()).collect();
    (lines.join("\n"), observed.value)
}

/// Replaces the blocks that differ by the texts that the chapter lacks. In each language, the order is kept.
fn updated(
    text: &str,
    expected: &mut Vec<Block<'_>>,
    missing: &mut Vec<(&'static str, String)>,
) -> String {
    let mut edits = Vec::new();
    expected.retain(|block| {
        let found = missing.iter().position(|it| it.0 == block.language);
        edits.extend(found.map(|at| (block.range.clone(), missing.remove(at).1)));
        found.is_none()
    });
    let mut text = text.to_owned();
    for (range, shown) in edits.into_iter().rev() {
        text.replace_range(range, &format!("{shown}\n"));
    }
    text
}
