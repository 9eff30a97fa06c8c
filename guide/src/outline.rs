//! Statements with the arguments that readers need.

/// Maximum length of a first argument that is shown.
const LONGEST: usize = 90;

/// Shortens the statements of a text that concern the collections of the library: `db._odm_jobs.updateOne(..)`.
pub(crate) fn outline(statements: &str) -> String {
    let lines: Vec<String> = statements.lines().map(line).collect();
    lines.join("\n")
}

fn line(statement: &str) -> String {
    let is_own = statement.starts_with("db._odm_") || statement.contains(": \"_odm_");
    let Some((head, arguments)) = statement.split_once('(').filter(|_| is_own) else {
        return statement.to_owned();
    };
    let written = ["_odm_jobs", "_odm_deltas"].into_iter();
    let written = written.map(|name| format!("{{ update: \"{name}\","));
    if let Some(start) = written.into_iter().find(|it| arguments.starts_with(it)) {
        return format!("{head}({start} .. }})");
    }
    match first_document(arguments).filter(|it| it.len() <= LONGEST) {
        Some(first) => format!("{head}({first}, ..)"),
        None => format!("{head}(..)"),
    }
}

/// Returns the document at the start of some arguments.
fn first_document(arguments: &str) -> Option<&str> {
    let mut depth = 0;
    let end = arguments.char_indices().find(|(_, it)| {
        depth += match it {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    arguments.get(..=end.0).filter(|_| end.0 > 0)
}

#[cfg(test)]
mod tests {
    use super::outline;

    #[test]
    fn only_statements_of_the_library_are_shortened() {
        let own = r#"db._odm_jobs.findOneAndUpdate({ _id: { key: "a" } }, [{ $set: { x: 1 } }])"#;
        assert_eq!(
            outline(own),
            r#"db._odm_jobs.findOneAndUpdate({ _id: { key: "a" } }, ..)"#
        );
        let many = r#"db.runCommand({ update: "_odm_jobs", updates: [{ q: {} }] })"#;
        assert_eq!(
            outline(many),
            r#"db.runCommand({ update: "_odm_jobs", .. })"#
        );
        assert_eq!(
            outline("db._odm_jobs.aggregate([{}])"),
            "db._odm_jobs.aggregate(..)"
        );
        assert_eq!(outline("db.parts.find({})"), "db.parts.find({})");
    }
}
