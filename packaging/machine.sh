# Sourced by scripts next to it, after setup.sh, with the arguments of the script. Makes a separate machine, boots it, and waits until it ends. The script defines a function make_machine ROOT
# ARGUMENT..., which root calls, and an array log_files: files of the machine whose last lines log prints.
# shellcheck shell=bash

if [[ ${1-} == --inside ]]; then
    root=$2/root
    make_machine "$root" "${@:3}"
    umount -R /sys/fs/cgroup
    mount -t cgroup2 none /sys/fs/cgroup
    # systemd-nspawn leaves a directory in /run.
    mount -t tmpfs -o mode=755 none /run
    exec systemd-nspawn --quiet --boot --register=no --keep-unit --private-network --console=pipe \
        --directory="$root" </dev/null &>"$2/console"
fi

need_packages mmdebstrap debian-archive-keyring systemd-container
directory=$(mktemp -d)
machine=$directory/root
# The group holds all processes of the machine. Its mounts end with them.
group=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/xphase-test-$$
as_root mkdir "$group"
# The inner shell expands the variables.
# shellcheck disable=SC2016
clean_up() {
    # A second Ctrl-C must not cut this short.
    trap '' INT TERM
    as_root sh -c 'echo 1 >"$1/cgroup.kill"' sh "$group"
    until grep -qx 'populated 0' "$group/cgroup.events"; do sleep 0.05; done
    as_root find "$group" -depth -type d -exec rmdir {} \;
    as_root rm -rf --one-file-system "$directory"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# shellcheck disable=SC2154  # the script sets it
log() { as_root tail -qn "${log_lines:-30}" "$directory/console" "${log_files[@]/#/$machine}" 2>/dev/null || true; }

# Runs in the background, since a trap would wait for the end of a foreground process.
# shellcheck disable=SC2016
as_root env SUITE="$SUITE" bash -c 'echo $$ >"$1/cgroup.procs" && exec unshare --mount "$2" --inside "${@:3}"' \
    bash "$group" "$PWD/packaging/${0##*/}" "$directory" "$@" &
wait $! || fail 1 "the machine ended with $?"$'\n'"$(log)"
