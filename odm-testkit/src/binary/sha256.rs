//! Computes and checks the SHA-256 of downloaded files.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use sha2::{Digest, Sha256};

/// Returns the hash of a file as hexadecimal digits.
pub(super) fn of_file(path: &Path) -> io::Result<String> {
    of_copy(File::open(path)?, &mut io::sink())
}

/// Copies all bytes, and returns their hash as hexadecimal digits.
pub(super) fn of_copy(mut from: impl Read, to: &mut impl Write) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = from.read(&mut buffer)?;
        let Some(part) = buffer.get(..count).filter(|part| !part.is_empty()) else {
            break;
        };
        hash.update(part);
        to.write_all(part)?;
    }
    Ok(hex(&hash.finalize()))
}

/// Compares a hash with the expected one. `what` is used in the error.
pub(super) fn check(what: &str, hash: &str, expected: &str) -> Result<(), String> {
    if hash == expected {
        Ok(())
    } else {
        Err(format!("the SHA-256 of {what} is {hash}, not {expected}"))
    }
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
