//! Changes connection strings: sets a different database, or hides the password.

/// Returns the connection string with a different database.
///
/// If the URI does not contain `authSource`, the driver authenticates the user against the database
/// of the URI. The user does not exist in the new database, so the old one is added as
/// `authSource`.
pub(crate) fn with_database(uri: &str, database: &str) -> String {
    let parts = Parts::of(uri);
    let mut options: Vec<String> = parts
        .options
        .iter()
        .map(|&option| option.to_owned())
        .collect();
    if parts.needs_auth_source() {
        let source = if parts.database.is_empty() {
            "admin"
        } else {
            parts.database
        };
        options.push(format!("authSource={source}"));
    }
    let mark = if options.is_empty() { "" } else { "?" };
    format!(
        "{}://{}/{database}{mark}{}",
        parts.scheme,
        parts.authority,
        options.join("&")
    )
}

/// Returns the connection string without the password, so that it can be printed.
pub(crate) fn without_password(uri: &str) -> String {
    let parts = Parts::of(uri);
    let Some((user, hosts)) = parts.authority.rsplit_once('@') else {
        return uri.to_owned();
    };
    let Some((user, password)) = user.split_once(':') else {
        return uri.to_owned();
    };
    uri.replacen(
        &format!("{user}:{password}@{hosts}"),
        &format!("{user}:***@{hosts}"),
        1,
    )
}

struct Parts<'a> {
    scheme: &'a str,
    authority: &'a str,
    database: &'a str,
    options: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(uri: &'a str) -> Self {
        let (scheme, rest) = uri.split_once("://").unwrap_or(("mongodb", uri));
        let (path, options) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = path.split_once('/').unwrap_or((path, ""));
        let options = options
            .split('&')
            .filter(|option| !option.is_empty())
            .collect();
        Self {
            scheme,
            authority,
            database,
            options,
        }
    }

    fn option(&self, name: &str) -> Option<&'a str> {
        let pairs = self
            .options
            .iter()
            .filter_map(|option| option.split_once('='));
        pairs
            .filter(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
            .next()
    }

    /// Whether `authSource` must be added. Only SCRAM looks up its users in the database of the
    /// URI.
    fn needs_auth_source(&self) -> bool {
        let mechanism = self.option("authMechanism").unwrap_or("SCRAM");
        self.authority.contains('@')
            && self.option("authSource").is_none()
            && mechanism.starts_with("SCRAM")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_database_goes_between_hosts_and_options() {
        let with = |uri| with_database(uri, "db");
        assert_eq!(
            with("mongodb://a:1,b:2/?replicaSet=x"),
            "mongodb://a:1,b:2/db?replicaSet=x"
        );
        assert_eq!(with("mongodb://a"), "mongodb://a/db");
        assert_eq!(with("mongodb://a/old"), "mongodb://a/db");
        assert_eq!(with("mongodb://a?tls=true"), "mongodb://a/db?tls=true");
    }

    #[test]
    fn users_are_still_looked_up_where_they_were() {
        let with = |uri| with_database(uri, "db");
        assert_eq!(
            with("mongodb://u:p@a/old"),
            "mongodb://u:p@a/db?authSource=old"
        );
        assert_eq!(
            with("mongodb://u:p@a"),
            "mongodb://u:p@a/db?authSource=admin"
        );
        assert_eq!(
            with("mongodb://u:p@a/?AuthSource=x"),
            "mongodb://u:p@a/db?AuthSource=x"
        );
        let x509 = "mongodb://u@a/?authMechanism=MONGODB-X509";
        assert_eq!(with(x509), "mongodb://u@a/db?authMechanism=MONGODB-X509");
    }

    #[test]
    fn a_password_is_not_printed() {
        assert_eq!(
            without_password("mongodb://u:secret@a/x"),
            "mongodb://u:***@a/x"
        );
        assert_eq!(without_password("mongodb://u@a/x"), "mongodb://u@a/x");
        assert_eq!(without_password("mongodb://a/x"), "mongodb://a/x");
    }
}
