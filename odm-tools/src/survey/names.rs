//! Compares field names with collection names.

/// How similar the name of a field is to a collection and its key. Later variants are stronger evidence of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// The names are not similar.
    Nothing,
    /// The field has the name of the key: `email` for the `email` of `people`.
    Key,
    /// The field's name is a part of the collection's name, or contains it: `home_country_id` for the `_id` of
    /// `countries`.
    Part,
    /// The field has the name of the whole collection: `user_id` for the `_id` of `users`.
    Whole,
    /// The value is a `DBRef`, which contains the name of the collection.
    Said,
}

impl Likeness {
    /// Whether the name of the field matches the name of the collection, at least partly.
    pub(super) fn is_named(self) -> bool {
        self >= Self::Part
    }
}

/// Returns how similar the name of a field is to a collection and its key. For example, `country_id`, `countryId`,
/// `countries` and `country` match the `_id` of `countries`, and `account_id` and `accounts` match the `account_id` of
/// `accounts`.
pub(super) fn likeness(field: &str, target: &str, key: &str, own: &str) -> Likeness {
    let collection = singular(&plain(target));
    let name = plain(field);
    // A name without letters and digits cannot be compared.
    if collection.is_empty() {
        return Likeness::Nothing;
    }
    if key == "_id" {
        return of_id(&name, &collection, own == target);
    }
    let key = plain(key);
    let is_key = key.starts_with(&collection) || stem(&key) != key;
    let name = singular(&name);
    let is_same = name == singular(&key);
    let is_whole = is_same && key.starts_with(&collection)
        || name == format!("{collection}{key}")
        || is_key && stem(&name) == collection;
    match (is_whole, is_same) {
        (true, _) => Likeness::Whole,
        (_, true) => Likeness::Key,
        _ => Likeness::Nothing,
    }
}

fn of_id(name: &str, collection: &str, is_own: bool) -> Likeness {
    let stem = singular(stem(&singular(name)));
    let is_parent = is_own && stem.starts_with("parent");
    // Examples: `home_country_id` matches `countries`, and `country_id` matches `geo_countries`.
    let ends_like_it = stem.len() > collection.len() && stem.ends_with(collection);
    let ends_like_name = collection.len() > stem.len() && collection.ends_with(&stem);
    if stem.is_empty() {
        Likeness::Nothing
    } else if stem == collection || is_parent {
        Likeness::Whole
    } else if ends_like_it || ends_like_name && stem.len() >= 4 {
        Likeness::Part
    } else {
        Likeness::Nothing
    }
}

/// Whether a name means nothing more than "key", for example `id`, `_id`, `$id` or `ref`.
pub(crate) fn is_mere_key(name: &str) -> bool {
    stem(&plain(name)).is_empty()
}

/// Converts a name to lower case and removes all characters except letters and digits.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Removes an ending that means "key" from a name.
fn stem(name: &str) -> &str {
    let endings = ["uuid", "guid", "oid", "id", "ref", "key"];
    let ending = endings.iter().find_map(|ending| name.strip_suffix(ending));
    ending.unwrap_or(name)
}

/// Returns the singular of an English noun in lower case. The rules depend on the noun's ending.
pub(crate) fn singular(noun: &str) -> String {
    const AS_THEY_ARE: [&str; 6] = ["news", "series", "species", "status", "address", "bus"];
    // Plurals for which the general rules are wrong.
    const IRREGULAR: [(&str, &str); 12] = [
        ("people", "person"),
        ("children", "child"),
        ("movies", "movie"),
        ("cookies", "cookie"),
        ("calories", "calorie"),
        ("statuses", "status"),
        ("buses", "bus"),
        ("campuses", "campus"),
        ("bonuses", "bonus"),
        ("quizzes", "quiz"),
        ("indices", "index"),
        ("matrices", "matrix"),
    ];
    if AS_THEY_ARE.iter().any(|word| noun.ends_with(word)) {
        return noun.to_owned();
    }
    let replaced = |(plural, singular): &(&str, &str)| {
        let before = noun.strip_suffix(plural)?;
        Some(format!("{before}{singular}"))
    };
    if let Some(found) = IRREGULAR.iter().find_map(replaced) {
        return found;
    }
    if let Some(before) = noun.strip_suffix("ies").filter(|it| it.len() > 1) {
        return format!("{before}y");
    }
    let hisses = ["sses", "shes", "ches", "xes"];
    if hisses.iter().any(|ending| noun.ends_with(ending)) {
        return noun.strip_suffix("es").unwrap_or(noun).to_owned();
    }
    let is_plural = noun.len() > 2 && !["ss", "us", "is"].iter().any(|it| noun.ends_with(it));
    let before = noun.strip_suffix('s').filter(|_| is_plural);
    before.unwrap_or(noun).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_its_collection_and_no_other() {
        for (field, target, key) in [
            ("country_id", "countries", "_id"),
            ("countryId", "countries", "_id"),
            ("accounts", "accounts", "account_id"),
            ("account_ids", "accounts", "_id"),
            ("student_id", "students", "_id"),
            ("home_country_id", "countries", "_id"),
            ("userEmail", "users", "email"),
            ("person", "people", "_id"),
            ("class_id", "classes", "_id"),
            ("category", "shop_categories", "_id"),
            ("movie_id", "movies", "_id"),
            ("warehouse", "warehouses", "_id"),
            ("address_id", "addresses", "_id"),
            ("user_uuid", "users", "_id"),
        ] {
            let likeness = likeness(field, target, key, "others");
            assert!(likeness.is_named(), "{field} {target}.{key}");
        }
        for (field, target, key) in [
            ("class_id", "students", "_id"),
            ("state_id", "countries", "_id"),
            ("country_code", "countries", "iso2"),
            ("gmtOffset", "countries", "_id"),
            ("id", "countries", "_id"),
            ("population", "cities", "_id"),
            ("email", "events", "email"),
            ("rooms", "rooms", "seats"),
            ("status", "-", "_id"),
        ] {
            let likeness = likeness(field, target, key, "others");
            assert!(!likeness.is_named(), "{field} {target}.{key}");
        }
        assert!(likeness("parent_id", "nodes", "_id", "nodes").is_named());
        assert!(!likeness("parent_id", "others", "_id", "nodes").is_named());
    }

    #[test]
    fn the_whole_name_says_more_than_a_part_and_that_more_than_the_key() {
        for (field, target, key, expected) in [
            ("shop_category", "shop_categories", "_id", Likeness::Whole),
            ("shop_category", "categories", "_id", Likeness::Part),
            ("email", "people", "email", Likeness::Key),
            ("contact", "people", "email", Likeness::Nothing),
            ("_id", "people", "_id", Likeness::Nothing),
        ] {
            let found = likeness(field, target, key, "others");
            assert_eq!(found, expected, "{field} {target}.{key}");
        }
    }
}
