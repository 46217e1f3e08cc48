# Sourced by the scripts next to it: settings, and functions that check for or install what the scripts need.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# shellcheck disable=SC2034  # the scripts that source this use them
{
    # As in README.md; g++ for the headers of C++.
    build_packages=(g++ libx11-dev libxext-dev pkg-config)
    # xfonts-base has xterm's fonts, though nothing here depends on it.
    desktop_packages=(xvfb openbox xterm xfonts-base x11-apps x11-utils xdotool wmctrl tk procps)
    shell_packages=(jq zsh fish)
    # The directory of the build for packages; not .build, since its flags differ.
    release=.build-release
    # The address of the project in the pages. What a release contains has that of XPHASE_REPOSITORY instead.
    address=https://github.com/OWNER/xphase
    repository=${XPHASE_REPOSITORY:-$address}
    version=$(awk -F'"' '/define XPHASE_VERSION/ { print $2 }' Sources/CLinux/version.c)
    swift_options=(${XPHASE_SCRATCH:+--scratch-path "$XPHASE_SCRATCH"})
}

unavailable=69

fail() { # CODE MESSAGE
    printf 'packaging/%s: %s\n' "${0##*/}" "$2" >&2
    exit "$1"
}

# For scripts that install nothing.
need_programs() { # PROGRAM:PACKAGE...
    local pair missing=()
    for pair; do
        command -v "${pair%:*}" >/dev/null || missing+=("${pair#*:}")
    done
    ((${#missing[@]} == 0)) || fail "$unavailable" "install these packages first: ${missing[*]}"
}

# Prints a file with the address of the project.
filled() { # FILE
    sed "s|$address|$repository|g" "$1"
}

# Prints the commit that is checked out, with `-dirty` if files differ; prints nothing without a history.
commit() {
    git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null || true
}

# Prints the time of the last change, so that the same sources give the same bytes.
source_date() {
    printf '%s' "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y packaging/CHANGELOG.md)}"
}

# Prints the Debian packages without which the programs of Swift do not start here. SwiftPM fetches dependencies with git.
# swift_directory is that of the programs.
swift_lacks() {
    local library
    command -v git >/dev/null || echo git
    # ldd fails for a program that is not linked dynamically.
    { ldd "$swift_directory/swift-build" 2>/dev/null || true; } | awk '/not found/ { print $1 }' | while read -r library; do
        case $library in
        libcurl.so.4) echo libcurl4 ;;
        libncurses.so.6) echo libncurses6 ;;
        libsqlite3.so.0) echo libsqlite3-0 ;;
        libxml2.so.2) echo libxml2 ;;
        *) fail "$unavailable" "swift needs $library, which is not here: is this the Swift for this system?" ;;
        esac
    done
}

# Checks that there is a Swift that starts and is new enough. A script that installs packages names it as `need_swift
# install`: what Swift lacks is installed. For the others, the message names it.
need_swift() { # [install]
    local lacks said
    PATH=$PATH:/opt/swift/usr/bin
    command -v swift >/dev/null || fail "$unavailable" \
        'there is no swift: install Swift 6.2 or newer, see https://www.swift.org/install/linux/'
    swift_directory=$(dirname "$(realpath "$(command -v swift)")")
    lacks=$(swift_lacks)
    # shellcheck disable=SC2086  # words
    if [[ $lacks && ${1-} ]]; then
        need_packages $lacks
        lacks=$(swift_lacks)
    fi
    [[ ! $lacks ]] || fail "$unavailable" "swift does not work without these packages, install them first: ${lacks//$'\n'/ }"
    said=$(swift --version 2>&1) || fail "$unavailable" "swift does not start: $said"
    said=$(sed -nE 's/.*Swift version ([0-9.]+).*/\1/p' <<<"$said")
    [[ $(printf '6.2\n%s\n' "$said" | sort -V | sed 1q) == 6.2 ]] || fail "$unavailable" \
        "Swift $said is too old: install Swift 6.2 or newer, see https://www.swift.org/install/linux/"
}

# Runs commands that install or mount.
as_root() { # COMMAND [ARGUMENT...]
    if ((EUID)); then
        command -v sudo >/dev/null || fail "$unavailable" "run this as root: $*"
        command sudo "$@"
    else
        "$@"
    fi
}

apt_get() { # ARGUMENT...
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" >/dev/null
}

# Prints how many packages come with these, and how much is to be downloaded.
extent() { # NAME...
    as_root env LC_ALL=C apt-get --assume-no --no-install-recommends install "$@" 2>/dev/null | sed -nE '
        s/^.* ([0-9]+) newly installed.*/\1 packages/p
        s/^Need to get ([^/]*)(\/.*)? of archives\.$/, \1 to download/p' | tr -d '\n'
}

# Prints which program stands for the window manager, the session and the terminal of this machine's desktops.
selections() {
    local name
    for name in x-session-manager x-terminal-emulator x-window-manager; do
        [[ ! -e /etc/alternatives/$name ]] || printf '%s %s\n' "$name" "$(readlink "/etc/alternatives/$name")"
    done
}

# Installs what is missing, without a change of the machine's desktops.
need_packages() { # NAME...
    local missing=() name path former
    if ! command -v apt-get >/dev/null; then
        printf 'There is no apt-get here; these must be installed by other means: %s\n' "$*" >&2
        return
    fi
    for name; do
        [[ $(dpkg-query -Wf '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
    done
    ((${#missing[@]})) || return 0

    ((EUID == 0)) || command -v sudo >/dev/null ||
        fail "$unavailable" "type as root: apt-get install --no-install-recommends ${missing[*]}"
    printf 'Installing %s\n' "${missing[*]}" >&2
    # A broken repository must not stop the script: the installation shows whether it matters.
    apt_get update || true
    printf 'Downloading: %s\n' "$(extent "${missing[@]}")" >&2
    apt_get install --yes --no-install-recommends --download-only "${missing[@]}" || fail "$unavailable" 'apt-get failed'
    printf 'Unpacking and setting up\n' >&2
    former=$(selections)
    apt_get install --yes --no-install-recommends "${missing[@]}" || fail "$unavailable" 'apt-get failed'
    comm -23 <(printf '%s\n' "$former") <(selections) | while read -r name path; do
        [[ ! $name ]] || as_root update-alternatives --quiet --set "$name" "$path"
    done
}

# The Debian of separate machines.
export SUITE=${SUITE:-trixie}

# Makes the root directory of a separate machine, as root.
debian() { # ROOT NAME PACKAGE...
    local mirror
    # The mirror from which this machine gets Debian, if it does; not the one of security updates.
    # shellcheck disable=SC2016  # for apt-get
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' | sed 1q)
    mmdebstrap --quiet --variant=minbase --include="${*:3}" --dpkgopt=force-unsafe-io \
        --skip=cleanup/apt/lists "$SUITE" "$1" "${mirror:-http://deb.debian.org/debian}"
    echo "$2" >"$1/etc/hostname"
    echo "127.0.0.1 localhost $2" >"$1/etc/hosts"
}

# Adds a user without rights, whom sudo asks for no password, to such a machine.
add_user() { # ROOT
    chroot "$1" useradd --create-home --shell /bin/bash user
    echo 'user ALL=(ALL) NOPASSWD: ALL' >"$1/etc/sudoers.d/user"
}
