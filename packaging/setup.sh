# Sourced by the scripts next to it: what they need before they can start.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# shellcheck disable=SC2034  # the scripts that source this use them
{
    build_packages=(libx11-dev libxext-dev pkg-config)
    # xfonts-base has xterm's fonts, though nothing here depends on it.
    desktop_packages=(xvfb openbox xterm xfonts-base x11-apps x11-utils xdotool wmctrl zenity)
    shell_packages=(jq zsh fish)
    swift_options=(${XPHASE_SCRATCH:+--scratch-path "$XPHASE_SCRATCH"})
}

unavailable=69

fail() { # CODE MESSAGE
    printf 'packaging/%s: %s\n' "${0##*/}" "$2" >&2
    exit "$1"
}

need_swift() {
    PATH=$PATH:/opt/swift/usr/bin
    command -v swift >/dev/null || fail "$unavailable" \
        'there is no swift: install Swift 6.2 or newer, see https://www.swift.org/install/linux/'
}

need_packages() { # NAME...
    local missing=() name apt_get=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120)
    if ! command -v apt-get >/dev/null; then
        printf 'There is no apt-get here; these must be installed by other means: %s\n' "$*" >&2
        return
    fi
    for name; do
        [[ $(dpkg-query -Wf '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
    done
    ((${#missing[@]})) || return 0

    if ((EUID)); then
        command -v sudo >/dev/null || fail "$unavailable" "to be installed by root: ${missing[*]}"
        apt_get=(sudo "${apt_get[@]}")
    fi
    printf 'Installing %s\n' "${missing[*]}" >&2
    # One repository out of order must not be in the way: the installation tells whether it matters.
    "${apt_get[@]}" update >/dev/null || true
    "${apt_get[@]}" install --yes --no-install-recommends "${missing[@]}" >/dev/null
}
