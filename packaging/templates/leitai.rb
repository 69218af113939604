# Homebrew formula, for a tap.
class Leitai < Formula
  desc "@DESCRIPTION@"
  homepage "@HOME@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@URL@/leitai-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:leitai-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@URL@/leitai-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:leitai-x86_64-apple-darwin.tar.gz@"
    end
  end
  on_linux do
    on_arm do
      url "@URL@/leitai-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256:leitai-aarch64-unknown-linux-gnu.tar.gz@"
    end
    on_intel do
      url "@URL@/leitai-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256:leitai-x86_64-unknown-linux-gnu.tar.gz@"
    end
  end

  def install
    # Links in bin lead there: the faster build stays where `leitai` looks for it.
    libexec.install Dir["leitai", "leitai-v3"]
    bin.install_symlink libexec/"leitai"
    man1.install Dir["man/*"]
    bash_completion.install "completions/leitai.bash" => "leitai"
    zsh_completion.install "completions/leitai.zsh" => "_leitai"
    fish_completion.install "completions/leitai.fish"
  end

  test do
    system bin/"leitai", "init", "chess"
    system bin/"leitai", "check", "leitai.toml"
  end
end
