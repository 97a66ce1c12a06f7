package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/program"
)

// filledPackages returns the directory of a release whose files for package managers are filled in.
func filledPackages(t *testing.T) string {
	t.Helper()
	dist := fakeRelease(t)
	if out, err := sh(t, []string{"NFPM=none"}, "../packages/build", dist); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dist
}

// tool returns the name of a program that answers the arguments. Without it the test is skipped, or fails if
// TOPOI_REQUIRE_PACKAGES=1.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	program.Need(t, "TOPOI_REQUIRE_PACKAGES", name+" does not run", append([]string{name}, args...)...)
	return name
}

// sums returns the checksums of the archives of a release by target.
func sums(t *testing.T, dist string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dist, sumsFile))
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	for _, target := range targets {
		for line := range strings.Lines(string(text)) {
			sum, file, _ := strings.Cut(strings.TrimSpace(line), "  ")
			if strings.HasPrefix(file, "topoi-v0.1.0-"+target.name+".") {
				found[target.name] = sum
			}
		}
	}
	return found
}

// formula runs a formula of Homebrew for one system with a stand-in for its class, and prints address, sum and what is installed.
const formula = `
class Place
  def initialize(name) = @name = name
  def install(*files) = files.flatten.each { |f| raise "no #{f}" unless File.exist?(f); puts "#{@name} #{f}" }
end
class Formula
  class << self
    %i[desc homepage version license test].each { |m| define_method(m) { |*a, &b| } }
    def url(text) = puts("url #{text}")
    def sha256(text) = puts("sha256 #{text}")
    def on_macos = ARGV[1] == "macos" && yield
    def on_linux = ARGV[1] == "linux" && yield
    def on_arm = ARGV[2] == "arm64" && yield
    def on_intel = ARGV[2] == "amd64" && yield
  end
  %i[bin man1 bash_completion zsh_completion fish_completion].each { |m| define_method(m) { Place.new(m) } }
end
load ARGV[0]
Dir.chdir(ARGV[3]) { Topoi.new.install }`

// The formula of Homebrew names the archive of each system, and installs program, man pages and completions.
func TestHomebrew(t *testing.T) {
	ruby, dist, tree := tool(t, "ruby", "--version"), filledPackages(t), t.TempDir()
	for _, name := range []string{"topoi", "share/man/man1/topoi.1", "share/bash-completion/completions/topoi", "share/zsh/site-functions/_topoi", "share/fish/vendor_completions.d/topoi.fish"} {
		path := filepath.Join(tree, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, system := range []string{"macos-arm64", "macos-amd64", "linux-arm64", "linux-amd64"} {
		name, arch, _ := strings.Cut(system, "-")
		out, err := exec.Command(ruby, "-w", "-e", formula, filepath.Join(dist, "packages/homebrew/topoi.rb"), name, arch, tree).CombinedOutput()
		want := fmt.Sprintf(`url https://github.com/topoi-lda/topoi/releases/download/v0.1.0/topoi-v0.1.0-%s.tar.gz
sha256 %s
bin topoi
man1 share/man/man1/topoi.1
bash_completion share/bash-completion/completions/topoi
zsh_completion share/zsh/site-functions/_topoi
fish_completion share/fish/vendor_completions.d/topoi.fish
`, system, sums(t, dist)[system])
		if err != nil || string(out) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", system, err, out, want)
		}
	}
}

// The flake of Nix evaluates, and names the archive of each system.
func TestFlake(t *testing.T) {
	nix, dist := tool(t, "nix-instantiate", "--version"), filledPackages(t)
	expression := `let
  flake = import ` + filepath.Join(dist, "packages/flake.nix") + `;
  nixpkgs.legacyPackages = builtins.mapAttrs (system: archive: { stdenvNoCC.mkDerivation = d: d; fetchurl = f: f; }) { x86_64-linux = 1; aarch64-linux = 1; x86_64-darwin = 1; aarch64-darwin = 1; };
  packages = (flake.outputs { self = flake; inherit nixpkgs; }).packages;
in builtins.concatStringsSep "" (builtins.attrValues (builtins.mapAttrs (system: p: "${system} ${p.default.version} ${p.default.src.url} ${p.default.src.sha256} ${p.default.installPhase}\n") packages))`
	c := exec.Command(nix, "--eval", "--strict", "--json", "-E", expression)
	home := t.TempDir()
	c.Env = append(os.Environ(), "HOME="+home, "NIX_STATE_DIR="+home, "NIX_STORE_DIR="+home, "NIX_CONF_DIR="+home)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for system, target := range map[string]string{"x86_64-linux": "linux-amd64-static", "aarch64-linux": "linux-arm64-static", "x86_64-darwin": "macos-amd64", "aarch64-darwin": "macos-arm64"} {
		want := fmt.Sprintf("%s 0.1.0 https://github.com/topoi-lda/topoi/releases/download/v0.1.0/topoi-v0.1.0-%s.tar.gz %s install -Dm755 topoi $out/bin/topoi\\ncp -R share $out/share", system, target, sums(t, dist)[target])
		if !strings.Contains(string(out), want) {
			t.Errorf("%s\ndoes not have %s", out, want)
		}
	}
}

// recipes renders the recipe of conda for each system as conda-build does, selectors and Jinja included, and checks
// the manifests of winget: their fields, patterns and that the three agree.
const recipes = `
import re, sys, jinja2, yaml
root = sys.argv[1]
for name, words in {"linux-amd64": {"linux64"}, "linux-arm64": {"aarch64"}, "macos-amd64": {"osx", "x86_64"}, "macos-arm64": {"osx", "arm64"}}.items():
    lines = []
    for line in open(root + "/conda/meta.yaml"):
        found = re.search(r"#\s*\[(.*)\]\s*$", line)
        if not found or set(found[1].split(" and ")) <= words: lines.append(line)
    recipe = yaml.safe_load(jinja2.Environment(undefined=jinja2.StrictUndefined).from_string("".join(lines)).render())
    assert set(recipe) == {"package", "source", "build", "test", "about", "extra"}, recipe
    assert recipe["package"] == {"name": "topoi", "version": "0.1.0"}, recipe
    assert "skip" not in recipe["build"] and len(recipe["source"]) == 1, recipe
    print(name, recipe["source"][0]["url"], recipe["source"][0]["sha256"])
required = {"version": {"DefaultLocale"}, "installer": {"Installers"}, "defaultLocale": {"PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"}}
kinds = set()
for name in ["", ".installer", ".locale.en-US"]:
    m = yaml.safe_load(open(root + "/winget/topoi-lda.topoi" + name + ".yaml"))
    kinds.add(m["ManifestType"])
    assert required[m["ManifestType"]] <= set(m), m
    assert re.fullmatch(r"[^.\s\\/:*?\"<>|]{1,32}(\.[^.\s\\/:*?\"<>|]{1,32}){1,7}", m["PackageIdentifier"]), m
    assert m["PackageVersion"] == "0.1.0" and m["ManifestVersion"] == "1.6.0", m
    assert len(m.get("ShortDescription", "abc")) <= 256 and m.get("Architecture") is None, m
    for i in m.get("Installers", []):
        assert i["Architecture"] == "x64" and re.fullmatch("[A-Fa-f0-9]{64}", i["InstallerSha256"]), i
        assert m["InstallerType"] == "zip" and m["NestedInstallerType"] == "portable", m
        print("windows-amd64", i["InstallerUrl"], i["InstallerSha256"])
assert kinds == set(required), kinds
`

// The recipe of conda renders for each system, and the manifests of winget have what its schema asks for.
func TestRecipes(t *testing.T) {
	python, dist := tool(t, "/usr/bin/python3", "-c", "import jinja2, yaml"), filledPackages(t)
	out, err := exec.Command(python, "-c", recipes, filepath.Join(dist, "packages")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"linux-amd64", "linux-arm64", "macos-amd64", "macos-arm64", "windows-amd64"} {
		if want := "topoi-v0.1.0-" + name; !strings.Contains(string(out), name+" https://github.com/topoi-lda/topoi/releases/download/v0.1.0/"+want) || !strings.Contains(string(out), sums(t, dist)[name]) {
			t.Errorf("%s is not in\n%s", want, out)
		}
	}
}

// An image is built from the Containerfile, and holds the archive.
func TestContainer(t *testing.T) {
	buildah, err := exec.LookPath("buildah")
	if err != nil || os.Getuid() != 0 {
		t.Skip("it needs buildah, and root or a user namespace: not every machine for tests has these")
	}
	dist := filledPackages(t)
	store := []string{"--root", t.TempDir(), "--runroot", t.TempDir(), "--storage-driver", "vfs"}
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(buildah, append(store, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	run("build", "--isolation", "chroot", "--tag", "topoi", "--file", filepath.Join(dist, "packages/Containerfile"), dist)
	image := run("inspect", "--type", "image", "topoi")
	for _, want := range []string{`"/topoi-v0.1.0-linux-amd64-static/topoi"`, `"65532:65532"`} {
		if !strings.Contains(image, want) {
			t.Errorf("the image has no %s\n%s", want, image)
		}
	}
}
