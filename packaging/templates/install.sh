#!/bin/sh
# Installs Leitai on Linux or macOS for this user, without root rights.
#
#   LEITAI_INSTALL_DIR   folder of the programs, ~/.local/bin by default
#   LEITAI_VERSION       version, @VERSION@ by default
#   LEITAI_TARGET        archive, by default the archive for this machine
#   LEITAI_RELEASES      address of the releases, with archives in the folder vVERSION
#
# Refuses an archive whose checksum differs from SHA256SUMS of the release.
set -eu

fail() {
    echo "error: $1" >&2
    exit 1
}

# A Rosetta shell on an Apple processor reports x86_64. Systems without glibc get the static program.
target() {
    case $(uname -s)-$(uname -m) in
    Linux-x86_64) if has_glibc; then echo x86_64-unknown-linux-gnu; else echo x86_64-unknown-linux-musl; fi ;;
    Linux-aarch64) if has_glibc; then echo aarch64-unknown-linux-gnu; else echo aarch64-unknown-linux-musl; fi ;;
    Darwin-arm64) echo aarch64-apple-darwin ;;
    Darwin-x86_64)
        if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then
            echo aarch64-apple-darwin
        else
            echo x86_64-apple-darwin
        fi
        ;;
    *) fail "no archive for $(uname -s) on $(uname -m)
help: build it with cargo install --locked leitai" ;;
    esac
}

# The archives for glibc are built on Ubuntu 22.04, with 2.35.
has_glibc() {
    glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || return 1
    minor=${glibc##*.}
    case $glibc in
    "glibc 2."*) [ "$minor" -ge 35 ] ;;
    *) return 1 ;;
    esac
}

download() {
    if command -v curl >/dev/null; then
        curl -fsSL --retry 3 -o "$2" "$1"
    elif command -v wget >/dev/null; then
        wget -q -O "$2" "$1"
    else
        fail "neither curl nor wget is installed"
    fi || fail "cannot download $1"
}

checksum() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1"
    elif command -v shasum >/dev/null; then
        shasum -a 256 "$1"
    else
        fail "neither sha256sum nor shasum is installed: one of them has to check the archive"
    fi | cut -d' ' -f1
}

main() {
    version=${LEITAI_VERSION:-@VERSION@}
    releases=${LEITAI_RELEASES:-@RELEASES@}
    folder=${LEITAI_INSTALL_DIR:-${HOME:?}/.local/bin}
    name=leitai-${LEITAI_TARGET:-$(target)}
    unpacked=$(mktemp -d)
    trap 'rm -rf "$unpacked"' EXIT

    download "$releases/v$version/$name.tar.gz" "$unpacked/archive"
    download "$releases/v$version/SHA256SUMS" "$unpacked/sums"
    expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$unpacked/sums")
    [ -n "$expected" ] || fail "SHA256SUMS of $version does not list $name.tar.gz"
    [ "$(checksum "$unpacked/archive")" = "$expected" ] || fail "$name.tar.gz does not have its checksum
help: try again; if it happens again, report it"

    tar -xzf "$unpacked/archive" -C "$unpacked"
    "$unpacked/$name/leitai" --version >/dev/null || fail "$name does not run on this machine"
    mkdir -p "$folder"
    # Renames each program into place: a running program keeps its file, and nothing starts a half-written one.
    # `leitai-v3` is first, because `leitai` starts it.
    rm -f "$folder/leitai-v3"
    for program in leitai-v3 leitai; do
        [ -f "$unpacked/$name/$program" ] || continue
        cp "$unpacked/$name/$program" "$folder/.$program.new"
        mv -f "$folder/.$program.new" "$folder/$program"
    done
    echo "installed $("$folder/leitai" --version) in $folder"
    case :$PATH: in
    *:"$folder":*) ;;
    *)
        echo "$folder is not in PATH: add it in ~/.profile (bash, zsh) with"
        echo "    export PATH=\"$folder:\$PATH\""
        ;;
    esac
}

# At the end, so that the shell runs nothing before it has the whole script.
main
