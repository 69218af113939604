//! Reads whole files up to a size limit, so that devices and endless streams cannot fill the
//! memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads a whole text file.
///
/// # Errors
/// The file cannot be read, has more than `most` bytes, or is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_bytes(path, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Reads a whole file.
///
/// # Errors
/// The file cannot be read, or has more than `most` bytes.
pub fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let found = file.metadata()?;
    if found.is_file() && found.len() > most {
        return Err(too_large(&format!("{} bytes, ", found.len()), most));
    }
    read_bounded(file, most)
}

/// Reads a whole stream.
///
/// # Errors
/// The stream cannot be read, or has more than `most` bytes.
pub fn read_bounded(stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_large("", most));
    }
    Ok(bytes)
}

fn too_large(size: &str, most: u64) -> io::Error {
    let most = if most >> 20 > 0 {
        format!("{} MiB", most >> 20)
    } else {
        format!("{most} bytes")
    };
    let problem = format!("it has {size}more than the limit of {most}");
    io::Error::new(io::ErrorKind::FileTooLarge, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_are_refused_with_their_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "12345");
        let said = read_text(&path, 4).unwrap_err().to_string();
        assert_eq!(said, "it has 5 bytes, more than the limit of 4 bytes");
        let endless = read_bounded(io::repeat(0), 3 << 20).unwrap_err();
        assert_eq!(endless.kind(), io::ErrorKind::FileTooLarge);
        assert!(endless.to_string().contains("more than the limit of 3 MiB"));
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(
            read_text(&path, 4).unwrap_err().to_string(),
            "it is not UTF-8"
        );
    }
}
