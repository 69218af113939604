//! Unpacks gzip and zstd while reading.

use std::error::Error;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use flate2::bufread::GzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::Failure;
use crate::books::packed::refuse;

/// First bytes of the two formats.
const GZIP: &[u8] = b"\x1f\x8b";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
/// The last three of the first four bytes of a skippable frame of zstd, which `pzstd` writes first;
/// the first byte is 0x50 to 0x5f.
const SKIPPABLE: &[u8] = b"\x2a\x4d\x18";

/// The reasons for refusing a packed file.
const EARLY: &str = "the file ends early: it is incomplete";
const DAMAGED: &str = "the file is damaged";
const OTHER: &str = "other bytes follow the packed text: remove them, or unpack the file";
const DICTIONARY: &str = "it needs a dictionary: unpack it with `unzstd -D`";

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
        let decoder = Some(GzDecoder::new(file));
        return Ok(Box::new(Members { decoder }));
    }
    let is_skippable = start.first().is_some_and(|byte| byte >> 4 == 5);
    if start.starts_with(ZSTD) || is_skippable && start[1..].starts_with(SKIPPABLE) {
        let decoder = FrameDecoder::new();
        return Ok(Box::new(Frames { file, decoder }));
    }
    refuse(start, name)?;
    Ok(Box::new(file))
}

/// The members of gzip one after the other.
struct Members<R> {
    /// `None` at the end of the file.
    decoder: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let read = decoder.read(bytes).map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => invalid(EARLY),
                ErrorKind::InvalidInput | ErrorKind::InvalidData => invalid(DAMAGED),
                _ => error,
            })?;
            if read > 0 || bytes.is_empty() {
                return Ok(read);
            }
            let Some(mut file) = self.decoder.take().map(GzDecoder::into_inner) else {
                break;
            };
            // Tapes and some tools pad with zeros, which `gunzip` ignores as well.
            skip_zeros(&mut file)?;
            match file.fill_buf()?.first() {
                None => break,
                Some(first) if *first == GZIP[0] => self.decoder = Some(GzDecoder::new(file)),
                Some(_) => return Err(invalid(OTHER)),
            }
        }
        Ok(0)
    }
}

fn skip_zeros(file: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = file.fill_buf()?;
        let zeros = buffer.iter().take_while(|byte| **byte == 0).count();
        if zeros == 0 {
            return Ok(());
        }
        file.consume(zeros);
    }
}

fn invalid(reason: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, reason)
}

/// The error of a file of zstd in words for users.
fn plain(error: &FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        match inner.downcast_ref::<io::Error>() {
            Some(error) if error.kind() == ErrorKind::UnexpectedEof => return invalid(EARLY),
            Some(error) => return io::Error::new(error.kind(), error.to_string()),
            None => cause = inner.source(),
        }
    }
    match error {
        FrameDecoderError::WindowSizeTooBig { requested, max } => invalid(format!(
            "unpacking needs {} MiB of memory, more than {} MiB: unpack it (`unzstd --long=31`) and \
             pack it again without `--long` (`zstd -19 FILE`)",
            requested.div_ceil(1 << 20),
            max >> 20,
        )),
        FrameDecoderError::DictNotProvided { .. } => invalid(DICTIONARY),
        FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_)) => {
            invalid(OTHER)
        }
        _ => invalid(DAMAGED),
    }
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
                decoded.map_err(|error| plain(&error))?;
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
            return Err(invalid(DAMAGED));
        }
        while !self.file.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.file) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = self.file.by_ref().take(length.into());
                    if io::copy(&mut skipped, &mut io::sink())? < length.into() {
                        return Err(invalid(EARLY));
                    }
                }
                Err(error) => return Err(plain(&error)),
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
        for first in [zstd("one\n"), skipped.to_vec()] {
            let parts = [&first[..], &skipped, &zstd(&long)].concat();
            let one = read(&first).unwrap();
            assert_eq!(read(&parts), Ok(format!("{one}{long}")));
        }
        let padded = [gzip("one\n"), vec![0; 300_000], gzip("two\n"), vec![0; 5]].concat();
        assert_eq!(read(&padded), Ok("one\ntwo\n".to_owned()));
        assert!(read(b"PK\x03\x04").unwrap_err().contains("unzip"));
    }

    #[test]
    fn damaged_files_are_errors() {
        let long = "a line\n".repeat(20_000);
        let skipped = [0x50, 0x2a, 0x4d, 0x18, 30, 0, 0, 0, 1, 2, 3];
        for packed in [gzip(&long), zstd(&long), skipped.to_vec()] {
            for end in [packed.len() - 1, packed.len() / 2, 10] {
                assert_eq!(read(&packed[..end]), Err(EARLY.to_owned()), "{end}");
            }
        }
        for (mut packed, place) in [(gzip(&long), 8), (zstd(&long), 4)] {
            let other = [&packed[..], b"other bytes"].concat();
            assert_eq!(read(&other), Err(OTHER.to_owned()));
            let place = packed.len() - place;
            packed[place] ^= 1;
            assert_eq!(read(&packed), Err(DAMAGED.to_owned()));
        }
        // A window of 2 GiB.
        let wide = [ZSTD, &[0, 21 << 3, 1, 0, 0]].concat();
        let refused = read(&wide).unwrap_err();
        assert!(refused.contains("2048 MiB"), "{refused}");
    }
}
