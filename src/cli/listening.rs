//! The address of the web server, and access to it.

use std::io::{ErrorKind, Write as _};
use std::net::{IpAddr, Ipv4Addr};

use leitai_platform::files::{create_private, is_private, private_command};

use super::prelude::*;
use leitai_base::foreign::read_bytes;
use leitai_config::path_word;
use leitai_web::{Access, Port, is_loopback};

/// The minimum length of a token: 16 characters of 64 letters are 96 bits.
const SHORTEST: usize = 16;

/// The maximum size of a token file in bytes.
const LONGEST: u64 = 4096;

/// Options for the web server.
#[derive(Clone, Debug, Args)]
pub(crate) struct ListenArguments {
    /// Port to listen on; by default 8590, or any free port.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Address to listen on. Other machines can connect only with --token-file, and with TLS from a
    /// proxy: leitai does not encrypt.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Also accept this host name, such as that of a proxy.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// File with the access token for browsers, created if it is absent; without this option each
    /// start makes a new token.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

#[derive(Serialize)]
struct Served<'a> {
    url: &'a str,
}

impl ListenArguments {
    /// Listens, and prints the address; `door` knows the files that the command reads.
    ///
    /// # Errors
    /// The port is taken, or there is no safe token.
    pub(crate) fn open(
        &self,
        json: Option<&PathBuf>,
        mut files: CommandFiles,
    ) -> Result<(Port, Access), Failure> {
        if let Some(file) = &self.token_file {
            files.reads(file);
        }
        let json = Json::prepare(json, &mut files)?;
        let token = match &self.token_file {
            Some(file) => token_of(file)?,
            None if is_loopback(self.host) => new_token()?,
            None => bail!(
                "--host {} is open to other machines: that needs --token-file\n\
                 help: `--token-file token` makes one; without TLS from a proxy in front of it \
                 everybody on the network can read it",
                self.host
            ),
        };
        let port = Port::open(self.host, self.port).with_context(|| match self.port {
            Some(port) => format!("cannot listen on port {port} of {}", self.host),
            None => format!("cannot listen on {}", self.host),
        })?;
        let address = port.address();
        if !is_loopback(address.ip()) {
            eprint(&format!(
                "warning: {address} is open to other machines, and the connection is not \
                 encrypted\nhelp: have a proxy speak TLS in front of it"
            ));
        }
        let url = format!("http://{address}/?token={token}");
        json.print(|| url.clone())?;
        // Kept private: the address has the token, which allows everything that the pages do.
        json.write_private(&Served { url: &url })?;
        let access = Access::new(token, address, &self.allow_host);
        Ok((port, access))
    }
}

/// A random token.
fn new_token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).context("no random numbers")?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

/// Reads the token of a file, or creates the file.
fn token_of(file: &Path) -> Result<String, Failure> {
    let name = shown_path(file);
    match read_bytes(file, LONGEST) {
        Ok(text) => {
            if !is_private(file)? {
                bail!(
                    "{name} can be read or written by others: everybody with the token can do \
                     what you can\nhelp: `{}`, and another token if another user may have read it",
                    private_command(&path_word(file))
                );
            }
            let text = String::from_utf8_lossy(&text);
            let token = text.trim();
            let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            if token.len() < SHORTEST || !token.bytes().all(is_letter) {
                bail!(
                    "{name} is not a token: expected at least {SHORTEST} letters, digits, `-` and `_`\n\
                     help: name a file that is not there yet, and one is made"
                );
            }
            Ok(token.to_owned())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let token = new_token()?;
            create_private(file)
                .and_then(|mut made| writeln!(made, "{token}"))
                .with_context(|| format!("cannot write {name}"))?;
            Ok(token)
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {name}")),
    }
}
