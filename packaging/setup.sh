# Sourced by the scripts next to it: settings, and functions that check for or install what the scripts need.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# shellcheck disable=SC2034  # the scripts that source this use them
{
    # As in README.md; g++ for the headers of C++.
    build_packages=(g++ libx11-dev libxext-dev pkg-config)
    # xfonts-base has xterm's fonts, though nothing here depends on it.
    desktop_packages=(xvfb openbox xterm xfonts-base x11-apps x11-utils xdotool wmctrl zenity procps)
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

need_swift() {
    PATH=$PATH:/opt/swift/usr/bin
    command -v swift >/dev/null || fail "$unavailable" \
        'there is no swift: install Swift 6.2 or newer, see https://www.swift.org/install/linux/'
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

    printf 'Installing %s\n' "${missing[*]}" >&2
    # A broken repository must not stop the script: the installation shows whether it matters.
    apt_get update || true
    former=$(selections)
    apt_get install --yes --no-install-recommends "${missing[@]}"
    comm -23 <(printf '%s\n' "$former") <(selections) | while read -r name path; do
        [[ ! $name ]] || as_root update-alternatives --quiet --set "$name" "$path"
    done
}
