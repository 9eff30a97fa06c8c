//! Models as source.

use std::fmt::Write;

use super::{
    dbrefs,
    enums::EnumPlan,
    ident::{quoted, raw},
    left_out,
    models::{ModelPlan, models},
    rest::RestPlan,
    structs::{FieldPlan, StructPlan},
};
use crate::survey::Survey;

/// Writes models for the collections of a database, as the source of one module.
///
/// It is a pure function of what [`Odm::survey`](crate::Odm::survey) has found, best with
/// [`keep_documents`](crate::SurveyDatabase::keep_documents), by which several kinds of documents in one collection are
/// told apart, and sends nothing. Every document of the sample is read and written back unchanged by the structs: what may be
/// missing or null stays so (`Option`, `Presence`), values of several types are `Bson`, and names that are no fields of a
/// struct go into a flattened `Document`. The order of the fields in a document becomes that of the struct, and that of the
/// keys of a map becomes that of the letters. The server refuses to save documents of a time series, and names that begin with `$`.
///
/// References are those that the survey has found by their values, with `has_many` or `has_one` at the other side. Indexes
/// are declared as far as attributes have their options, the others are comments. Arrays of different lengths get a `max` with
/// room above the longest one seen, with that one in a comment, unless one has more than 1,000 elements; texts that are few become enums, with a variant for any other text. What the sample
/// does not show is not known: `odm check` finds documents that do not fit.
///
/// # Examples
///
/// ```no_run
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// let survey = odm.survey().keep_documents().await?;
/// println!("{}", mongo_odm::write_models(&survey));
/// # Ok(()) }
/// ```
pub fn write_models(survey: &Survey) -> String {
    let mut body = String::new();
    for model in models(survey) {
        model.write(&mut body);
    }
    if is_used(&body, "DbRef") {
        line(&mut body, dbrefs::STRUCT);
    }
    for comment in left_out::comments(survey) {
        line(&mut body, &format!("// {}", one_line(&comment)));
    }
    format!("{}{}\n", head(survey, &body), body.trim_end())
}

fn head(survey: &Survey, body: &str) -> String {
    let mut head = format!(
        "//! Models of the database `{}`, written by `odm pull` from samples of its documents.\n//!\n\
         //! What the samples do not show is not known: `odm check` finds documents that do not fit.\n\n",
        survey.database.escape_debug()
    );
    if body.contains("BTreeMap<") {
        head.push_str("use std::collections::BTreeMap;\n\n");
    }
    let mut of = |path: &str, names: &[&str]| {
        let used = names.iter().filter(|name| is_used(body, name));
        let used: Vec<&str> = used.copied().collect();
        match used.as_slice() {
            [] => {}
            [one] => _ = writeln!(head, "use {path}::{one};"),
            several => _ = writeln!(head, "use {path}::{{{}}};", several.join(", ")),
        }
    };
    let bson = [
        "Binary",
        "Bson",
        "Decimal128",
        "Document",
        "Regex",
        "Timestamp",
        "Uuid",
    ];
    of("mongo_odm::bson", &bson);
    // One name stands before the prelude in the order of rustfmt, a list behind it.
    let own = ["AnyKey", "Presence"];
    let is_one = own.iter().filter(|name| is_used(body, name)).count() == 1;
    if is_one {
        of("mongo_odm", &own);
    }
    of("mongo_odm::prelude", &["*"]);
    if !is_one {
        of("mongo_odm", &own);
    }
    head.push('\n');
    head
}

/// Whether a type of the library stands somewhere in the code.
fn is_used(body: &str, name: &str) -> bool {
    if name == "*" {
        return true;
    }
    let code = body
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let fields = code.filter_map(|line| line.trim_start().strip_prefix("pub "));
    let mut types = fields.filter_map(|line| line.split_once(": "));
    types.any(|(_, ty)| {
        ty.split(|c: char| !c.is_alphanumeric())
            .any(|word| word == name)
    })
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// What follows a line break would be code, and signs that turn the direction of text make code look like what it is not:
/// names of collections, fields and indexes may have them.
fn one_line(comment: &str) -> String {
    let mut shown = String::new();
    for letter in comment.chars() {
        match letter {
            letter if letter.is_control() => shown.push(' '),
            '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}' => {
                shown.extend(letter.escape_unicode());
            }
            letter => shown.push(letter),
        }
    }
    shown
}

impl ModelPlan {
    fn write(&self, out: &mut String) {
        let mut head = String::new();
        for comment in &self.comments {
            line(&mut head, &format!("// {}", one_line(comment)));
        }
        let one_line = format!("#[model({})]", self.options.join(", "));
        if one_line.len() <= 100 {
            line(&mut head, &one_line);
        } else {
            line(&mut head, "#[model(");
            line(&mut head, &format!("    {}", self.options.join(",\n    ")));
            line(&mut head, ")]");
        }
        self.root.write("Model", &head, out);
        for embedded in self.structs.iter().rev() {
            embedded.write("Embedded", "", out);
        }
        for it in &self.enums {
            it.write(out);
        }
    }
}

impl StructPlan {
    fn write(&self, derive: &str, head: &str, out: &mut String) {
        for docs in &self.docs {
            line(out, &format!("/// {}", one_line(docs)));
        }
        line(
            out,
            &format!("#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, {derive})]"),
        );
        out.push_str(head);
        line(out, &format!("pub struct {} {{", self.name));
        let at = self.rest.as_ref().map_or(self.fields.len(), |it| it.at);
        let (before, behind) = self.fields.split_at(at.min(self.fields.len()));
        before.iter().for_each(|field| field.write(out));
        self.rest.iter().for_each(|rest| rest.write(out));
        behind.iter().for_each(|field| field.write(out));
        line(out, "}\n");
    }
}

impl RestPlan {
    fn write(&self, out: &mut String) {
        line(out, &format!("    // {}", one_line(&self.why)));
        line(out, "    #[serde(flatten)]");
        line(out, &format!("    pub {}: Document,", raw(&self.name)));
    }
}

impl FieldPlan {
    fn write(&self, out: &mut String) {
        for comment in &self.comments {
            line(out, &format!("    // {}", one_line(comment)));
        }
        let rename =
            (self.name != self.stored).then(|| format!("rename = {}", quoted(&self.stored)));
        let serde: Vec<String> = rename
            .into_iter()
            .chain(self.serde.map(str::to_owned))
            .collect();
        if !serde.is_empty() {
            line(out, &format!("    #[serde({})]", serde.join(", ")));
        }
        for attribute in &self.attributes {
            line(out, &format!("    #[{attribute}]"));
        }
        line(out, &format!("    pub {}: {},", raw(&self.name), self.ty));
    }
}

impl EnumPlan {
    fn write(&self, out: &mut String) {
        line(out, &format!("/// {}", one_line(&self.docs)));
        line(
            out,
            "#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]",
        );
        line(out, &format!("pub enum {} {{", self.name));
        for (variant, stored) in &self.variants {
            if variant != stored {
                line(out, &format!("    #[serde(rename = {})]", quoted(stored)));
            }
            line(out, &format!("    {variant},"));
        }
        line(out, "    // Any text that the sample does not have.");
        line(out, "    #[serde(untagged)]");
        line(out, &format!("    {}(String),", self.other));
        line(out, "}\n");
    }
}
