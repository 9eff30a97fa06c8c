//! Names that have a special meaning in Mermaid, DOT or XML.

use mongo_odm::prelude::*;

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "größe \"<b>&amp;</b>\" {|} ;#quot; ]]> -->")]
pub struct Größe {
    #[serde(rename = "_id")]
    id: Id<Größe>,
    #[serde(rename = "</text><script>alert('1')</script>")]
    script: String,
    #[serde(rename = "a\"b\\n{c}|<d>~e~#35;%%")]
    symbols: String,
    #[serde(rename = "價格 цена 💶")]
    letters: i64,
    #[serde(rename = "line\nbreak\tand\u{202e}turned")]
    invisible: String,
    #[parent_ref]
    r#type: Option<Id<class>>,
    #[serde(
        rename = "a very long name of a field that nobody would ever write down by hand, and somebody does all the same"
    )]
    long: std::collections::BTreeMap<String, Vec<Option<(i64, String)>>>,
}

#[allow(non_camel_case_types, reason = "a word of Mermaid")]
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "class")]
pub struct class {
    #[serde(rename = "_id")]
    id: Id<class>,
    #[serde(rename = "direction LR")]
    direction: String,
    #[serde(rename = "+note for x")]
    note: String,
}

pub mod other {
    use super::*;

    /// A model with the same name as another one.
    #[derive(Debug, Serialize, Deserialize, Model)]
    #[model(collection = "class2")]
    pub struct Person {
        #[serde(rename = "_id")]
        id: Id<Person>,
        #[refs(one)]
        person: Id<super::super::Person>,
    }
}
