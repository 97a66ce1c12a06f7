{
  description = "topoi finds topics in text";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs = { self, nixpkgs }:
    let
      version = "@VERSION@";
      archives = {
        x86_64-linux = { name = "linux-amd64-static"; sha256 = "@SHA256:linux-amd64-static@"; };
        aarch64-linux = { name = "linux-arm64-static"; sha256 = "@SHA256:linux-arm64-static@"; };
        x86_64-darwin = { name = "macos-amd64"; sha256 = "@SHA256:macos-amd64@"; };
        aarch64-darwin = { name = "macos-arm64"; sha256 = "@SHA256:macos-arm64@"; };
      };
    in {
      packages = builtins.mapAttrs (system: archive:
        let pkgs = nixpkgs.legacyPackages.${system}; in {
          default = pkgs.stdenvNoCC.mkDerivation {
            pname = "topoi";
            inherit version;
            src = pkgs.fetchurl {
              url = "https://github.com/topoi-lda/topoi/releases/download/v${version}/topoi-v${version}-${archive.name}.tar.gz";
              inherit (archive) sha256;
            };
            installPhase = ''
              install -Dm755 topoi $out/bin/topoi
              cp -R share $out/share
            '';
            meta.mainProgram = "topoi";
          };
        }) archives;
    };
}
