//! Reads data sets, from small files and from the real ones.

use std::{fs::File, io::Write, path::Path};

use flate2::{Compression, write::GzEncoder};
use mongo_odm_testkit::{Error, data};
use mongodb::bson::Bson;
use tempfile::TempDir;

use crate::child::{child, text};

const TEXT: &str = concat!(
    r#"{"_id":{"$oid":"5ca4bbc7a2dd94ee58162393"},"n":{"$numberInt":"7"},"tags":["a",{"$numberLong":"8"}]}"#,
    "\n\n",
    r#"{"b":1,"a":{"$date":{"$numberLong":"0"}}}"#,
    "\n",
    "{oops\n",
);

fn check(path: &Path) {
    let mut lines = data::read_jsonl(path).unwrap();
    let first = lines.next().unwrap().unwrap();
    assert!(matches!(first.get("_id"), Some(Bson::ObjectId(_))));
    assert_eq!(first.get_i32("n").unwrap(), 7);
    assert_eq!(first.get_array("tags").unwrap()[1], Bson::Int64(8));
    let second = lines.next().unwrap().unwrap();
    assert_eq!(second.keys().collect::<Vec<_>>(), ["b", "a"]);
    let error = lines.next().unwrap().unwrap_err();
    assert!(matches!(error, Error::Line { line: 4, .. }), "{error}");
    assert!(lines.next().is_none());
}

#[test]
fn lines_are_read_plain_and_compressed() {
    let folder = TempDir::new().unwrap();
    let plain = folder.path().join("a.jsonl");
    std::fs::write(&plain, TEXT).unwrap();
    check(&plain);
    let packed = folder.path().join("a.jsonl.gz");
    let mut gz = GzEncoder::new(File::create(&packed).unwrap(), Compression::fast());
    gz.write_all(TEXT.as_bytes()).unwrap();
    gz.finish().unwrap();
    check(&packed);
}

#[test]
fn an_absent_file_or_folder_is_named() {
    let error = data::read_jsonl("/no/such.jsonl").err().unwrap();
    assert!(
        error.to_string().contains("cannot open /no/such.jsonl"),
        "{error}"
    );
    let error = data::dir_or(Some("/no/such".into())).unwrap_err();
    assert!(
        error.to_string().contains("/no/such (from --data)"),
        "{error}"
    );
}

#[test]
fn an_absent_folder_tells_how_to_give_one() {
    let text = text(&child("data::child_wants_data").output().unwrap());
    assert!(
        text.contains("`--data FOLDER`") && text.contains("ODM_DATA"),
        "{text}"
    );
}

#[test]
#[ignore = "a child: asks for the data sets"]
fn child_wants_data() {
    println!("{}", data::dir().unwrap_err());
}

#[test]
fn the_real_data_sets_are_complete() {
    let folder = match data::dir() {
        Ok(folder) => folder,
        Err(error) => return eprintln!("skipped: {error}"),
    };
    for (file, count) in [
        ("analytics/customers.jsonl", 500),
        ("analytics/accounts.jsonl", 1_746),
        ("geo/countries.jsonl", 250),
        ("geo/cities.jsonl.gz", 58_220),
        ("school/students.jsonl", 200),
        ("school/grades.jsonl", 280),
    ] {
        let documents = data::read_jsonl(folder.join(file)).unwrap();
        assert_eq!(documents.map(Result::unwrap).count(), count, "{file}");
    }
    let mut accounts = data::read_jsonl(folder.join("analytics/accounts.jsonl")).unwrap();
    assert!(matches!(
        accounts.next().unwrap().unwrap().get("account_id"),
        Some(Bson::Int32(_))
    ));
}
