//! Finds mistakes in a connection string before the driver reads it.
//!
//! The driver panics on some passwords, and its message contains a part of the password. So the messages of this module
//! never contain a part of the connection string.

/// Characters that separate the parts of a connection string. Within a part, these characters must be encoded.
const SEPARATORS: [char; 7] = [':', '/', '?', '#', '[', ']', '@'];

/// Options with values that are as secret as a password.
const SECRET_OPTIONS: [&str; 3] = [
    "authmechanismproperties",
    "tlscertificatekeyfilepassword",
    "proxypassword",
];

const NO_SCHEME: &str =
    "the connection string has no scheme; it begins with `mongodb://` or `mongodb+srv://`";

const OTHER_SCHEME: &str = "the scheme of the connection string is neither `mongodb` nor `mongodb+srv`; it begins with \
     `mongodb://` or `mongodb+srv://`";

const UNENCODED: &str = "the user or the password in the connection string has a character that must be encoded; write `%40` for \
     `@`, `%3A` for `:`, `%2F` for `/`, `%3F` for `?`, `%23` for `#`, `%5B` and `%5D` for brackets, `%25` for `%`";

const NO_HOST: &str = "the connection string has no host; write it after `://`, or after the `@` that ends the \
password: \
     `mongodb://user:password@host:27017/shop`";

const PORT: &str = "the port in the connection string is not a number from 1 to 65535; write it after the host, as in \
     `mongodb://user:password@host:27017/shop`";

const SRV: &str = "a connection string with `mongodb+srv://` has one host and no port, because DNS returns the \
port; remove the port and further hosts, or write `mongodb://`";

const OPTION: &str = "an option in the connection string has no value; write options after `?` as `name=value`, \
separated by `&`";

const DATABASE: &str = "the name of the database in the connection string is not valid; write it after the hosts, \
with at most 63 bytes and without space, `.`, `$`, `\"`, `/` and `\\`";

/// Returns the first mistake that can be found in a connection string without the driver.
pub(super) fn mistake(uri: &str) -> Option<&'static str> {
    let Some((scheme, rest)) = uri.split_once("://") else {
        return Some(NO_SCHEME);
    };
    if !["mongodb", "mongodb+srv"].contains(&scheme) {
        return Some(OTHER_SCHEME);
    }
    let (before, options) = rest.split_once('?').unwrap_or((rest, ""));
    let (user, hosts) = match before.rsplit_once('@') {
        Some((user, hosts)) => (Some(user), hosts),
        None => (None, before),
    };
    let is_cut = user.is_none() && options.contains('@');
    if is_cut || user.is_some_and(is_unencoded) {
        return Some(UNENCODED);
    }
    let (hosts, database) = hosts.split_once('/').unwrap_or((hosts, ""));
    of_hosts(hosts, scheme == "mongodb+srv")
        .or_else(|| {
            // A name that contains encoded characters is checked by the driver.
            let is_wrong = !database.is_empty() && !database.contains('%');
            (is_wrong && !is_database(database)).then_some(DATABASE)
        })
        .or_else(|| {
            let mut options = options.split('&').filter(|it| !it.is_empty());
            options.any(|it| !it.contains('=')).then_some(OPTION)
        })
}

/// Whether the text before the host contains characters that must be encoded.
fn is_unencoded(user: &str) -> bool {
    let (name, password) = user.split_once(':').unwrap_or((user, ""));
    let is_escape = |text: &str| {
        let mut digits = text.bytes();
        let mut is_digit = || digits.next().is_some_and(|it| it.is_ascii_hexdigit());
        is_digit() && is_digit()
    };
    [name, password].into_iter().any(|part| {
        part.contains(SEPARATORS) || part.split('%').skip(1).any(|rest| !is_escape(rest))
    })
}

fn of_hosts(hosts: &str, is_srv: bool) -> Option<&'static str> {
    if is_srv && hosts.contains([',', ':']) {
        return Some(SRV);
    }
    hosts.split(',').find_map(|host| {
        if host.starts_with('[') || host.rsplit('.').next() == Some("sock") {
            return None;
        }
        let (name, port) = match host.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (host, None),
        };
        if name.is_empty() {
            return Some(NO_HOST);
        }
        let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
        port.filter(|port| !is_port(port)).map(|_| PORT)
    })
}

/// Whether MongoDB accepts the name of a database.
pub(super) fn is_database(name: &str) -> bool {
    !name.is_empty() && name.len() <= 63 && !name.contains(['/', '\\', '.', ' ', '"', '$', '\0'])
}

/// Whether a string may be shown, because it contains no part of the user, the password or a secret option.
pub(super) fn is_harmless(text: &str, uri: &str) -> bool {
    let rest = uri.split_once("://").map_or(uri, |(_, rest)| rest);
    let (before, options) = rest.split_once('?').unwrap_or((rest, ""));
    let user = before.rsplit_once('@').map_or("", |(user, _)| user);
    let (name, password) = user.split_once(':').unwrap_or((user, ""));
    let options = options.split('&').filter_map(|it| it.split_once('='));
    let secret = options.filter(|(name, _)| SECRET_OPTIONS.contains(&name.to_lowercase().as_str()));
    let mut secrets = secret.map(|(_, value)| value).chain([name, password]);
    // A string may contain a secret in decoded form. So if a secret is percent-encoded, no string counts as harmless.
    let is_in = |secret: &str| text.contains(secret) || secret.contains('%');
    !secrets.any(|secret| !secret.is_empty() && is_in(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mistake_has_a_text_of_its_own() {
        for (uri, expected) in [
            ("s3cret", NO_SCHEME),
            ("ann:s3cret@db/shop", NO_SCHEME),
            ("http://ann:s3cret@db/shop", OTHER_SCHEME),
            ("mongodb://ann:s3@cret@db/shop", UNENCODED),
            ("mongodb://ann:s3:cret@db/shop", UNENCODED),
            ("mongodb://ann:s3/cret@db/shop", UNENCODED),
            ("mongodb://ann:s3?cret@db/shop", UNENCODED),
            ("mongodb://ann:s3%cret@db/shop", UNENCODED),
            ("mongodb://ann:s3cret%aé@db/shop", UNENCODED),
            ("mongodb://ann:s3cret@", NO_HOST),
            ("mongodb:///shop", NO_HOST),
            ("mongodb://ann:s3cret@a,,b/shop", NO_HOST),
            ("mongodb://ann:s3cret", PORT),
            ("mongodb://ann:s3cret@a:99999/shop", PORT),
            ("mongodb://ann:s3cret@a:0", PORT),
            ("mongodb+srv://ann:s3cret@a:27017/shop", SRV),
            ("mongodb+srv://ann:s3cret@a,b/shop", SRV),
            ("mongodb://ann:s3cret@a/sh op", DATABASE),
            ("mongodb://ann:s3cret@a/shop/x", DATABASE),
            ("mongodb://ann:s3cret@a/shop?ssl", OPTION),
        ] {
            assert_eq!(mistake(uri), Some(expected), "{uri}");
            assert!(!expected.contains("s3"));
        }
        for uri in [
            "mongodb://localhost",
            "mongodb://localhost:27017,b:1/shop?replicaSet=rs&w=1",
            "mongodb://ann:s3%40cret@[::1]:27017/shop?",
            "mongodb+srv://ann:s3cret@cluster.example.org/shop",
            "mongodb://%2Ftmp%2Fmongodb-27017.sock/shop",
        ] {
            assert_eq!(mistake(uri), None, "{uri}");
        }
    }

    #[test]
    fn a_text_with_a_secret_is_not_harmless() {
        let uri = "mongodb://ann:s3cret@db/shop?AuthMechanismProperties=A:token&w=1";
        assert!(is_harmless("`ssl` must be a boolean", uri));
        for text in ["for ann", "got s3cret", "got A:token"] {
            assert!(!is_harmless(text, uri), "{text}");
        }
        assert!(!is_harmless("x", "mongodb://ann:s3%40cret@db"));
    }
}
