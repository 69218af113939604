//! Unpacks gzip and zstd while reading.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::Failure;
use crate::books::packed::refuse;

/// First bytes of the two formats.
const GZIP: &[u8] = b"\x1f\x8b";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

/// The contents of a file, unpacked if its first bytes are those of gzip or zstd.
///
/// # Errors
/// The file cannot be read, or is packed in another way; the message calls it `name`.
pub(crate) fn unpacked<'r>(
    file: impl Read + 'r,
    name: &str,
) -> Result<Box<dyn Read + 'r>, Failure> {
    let mut file = BufReader::with_capacity(1 << 17, file);
    let start = file.fill_buf()?;
    if start.starts_with(GZIP) {
        return Ok(Box::new(MultiGzDecoder::new(file)));
    }
    if start.starts_with(ZSTD) {
        let decoder = FrameDecoder::new();
        return Ok(Box::new(Frames { file, decoder }));
    }
    refuse(start, name)?;
    Ok(Box::new(file))
}

/// The frames of zstd one after the other.
struct Frames<R> {
    file: R,
    decoder: FrameDecoder,
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = self.decoder.decode_blocks(&mut self.file, one);
                decoded.map_err(io::Error::other)?;
            } else if !self.begin_frame()? {
                return Ok(0);
            }
        }
        self.decoder.read(bytes)
    }
}

impl<R: BufRead> Frames<R> {
    /// Begins the next frame behind a whole one; false at the end of the file.
    fn begin_frame(&mut self) -> io::Result<bool> {
        let found = self.decoder.get_checksum_from_data();
        if found.is_some() && found != self.decoder.get_calculated_checksum() {
            let problem = "its checksum is wrong: the file is damaged";
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        while !self.file.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.file) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = self.file.by_ref().take(length.into());
                    io::copy(&mut skipped, &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn read(bytes: &[u8]) -> Result<String, String> {
        let mut text = String::new();
        let mut unpacked = unpacked(bytes, "a").map_err(|error| error.to_string())?;
        let read = unpacked.read_to_string(&mut text);
        read.map_err(|error| error.to_string())?;
        Ok(text)
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(text: &str) -> Vec<u8> {
        compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
    }

    #[test]
    fn plain_and_packed_files_are_read() {
        let long = "8/8 w - - [1.0]\n".repeat(20_000);
        for text in ["", "a\n", &long] {
            assert_eq!(read(text.as_bytes()), Ok(text.to_owned()));
            assert_eq!(read(&gzip(text)), Ok(text.to_owned()));
            assert_eq!(read(&zstd(text)), Ok(text.to_owned()));
        }
        let parts = [gzip("one\n"), gzip("two\n")].concat();
        assert_eq!(read(&parts), Ok("one\ntwo\n".to_owned()));
        let skipped = [0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        let parts = [zstd("one\n"), skipped.to_vec(), zstd(&long)].concat();
        assert_eq!(read(&parts), Ok(format!("one\n{long}")));
        assert!(read(b"PK\x03\x04").unwrap_err().contains("unzip"));
    }

    #[test]
    fn damaged_files_are_errors() {
        let long = "a line\n".repeat(20_000);
        for packed in [gzip(&long), zstd(&long)] {
            for end in [packed.len() - 1, packed.len() / 2, 12] {
                assert!(read(&packed[..end]).is_err(), "{end}");
            }
        }
    }
}
