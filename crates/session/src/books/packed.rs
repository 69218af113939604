//! Compressed files, in formats that their readers do not unpack.

use anyhow::bail;

use crate::Failure;

/// First bytes of compressed files, their formats, and the programs that unpack them.
const KINDS: [(&[u8], &str, &str); 6] = [
    (b"PK\x03\x04", "zip", "unzip"),
    (b"\x1f\x8b", "gzip", "gunzip"),
    (b"BZh", "bzip2", "bunzip2"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unzstd"),
    (b"7z\xbc\xaf\x27\x1c", "7z", "7z x"),
];

/// Refuses a compressed file.
pub(crate) fn refuse(bytes: &[u8], name: &str) -> Result<(), Failure> {
    for (start, kind, unpack) in KINDS {
        if bytes.starts_with(start) {
            bail!(
                "`{name}` is compressed ({kind})\n\
                 help: unpack it (`{unpack} {name}`) and name the file that was in it"
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_files_are_refused_with_a_command_to_unpack() {
        let said = |bytes: &[u8]| refuse(bytes, "a.zip").map_err(|error| error.to_string());
        let zip = said(b"PK\x03\x04rest").unwrap_err();
        assert!(zip.contains("`a.zip` is compressed (zip)"), "{zip}");
        assert!(zip.contains("unzip a.zip"), "{zip}");
        assert!(said(b"\x1f\x8b\x08").is_err());
        assert!(said(b"PKU w - -").is_ok());
        assert!(said(b"").is_ok());
    }
}
