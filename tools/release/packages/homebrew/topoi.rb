class Topoi < Formula
  desc "Finds topics in text: fast, repeatable topic models"
  homepage "https://github.com/topoi-lda/topoi"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "https://github.com/topoi-lda/topoi/releases/download/v@VERSION@/topoi-v@VERSION@-macos-arm64.tar.gz"
      sha256 "@SHA256:macos-arm64@"
    end
    on_intel do
      url "https://github.com/topoi-lda/topoi/releases/download/v@VERSION@/topoi-v@VERSION@-macos-amd64.tar.gz"
      sha256 "@SHA256:macos-amd64@"
    end
  end
  on_linux do
    on_arm do
      url "https://github.com/topoi-lda/topoi/releases/download/v@VERSION@/topoi-v@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256:linux-arm64@"
    end
    on_intel do
      url "https://github.com/topoi-lda/topoi/releases/download/v@VERSION@/topoi-v@VERSION@-linux-amd64.tar.gz"
      sha256 "@SHA256:linux-amd64@"
    end
  end

  def install
    bin.install "topoi"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/topoi"
    zsh_completion.install "share/zsh/site-functions/_topoi"
    fish_completion.install "share/fish/vendor_completions.d/topoi.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/topoi version")
    system bin/"topoi", "demo"
  end
end
