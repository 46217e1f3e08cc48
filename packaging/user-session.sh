# Sourced by scripts next to it, after setup.sh. Runs the script again from its start, as root, on a display with
# openbox and under a separate `systemd --user`, in $HOME. It runs in namespaces, since this machine need not have been
# booted with systemd and must not be changed. The script defines a function print_state, which prints the state when a
# wait fails.
# shellcheck shell=bash

if [[ ${1-} != --inside ]]; then
    # systemd takes over every process of the control group in which it starts, so it must be alone there.
    group=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/xphase-test-$$
    as_root mkdir "$group"
    trap 'as_root find "$group" -depth -type d -exec rmdir {} \;' EXIT
    # The inner shell expands the variables.
    # shellcheck disable=SC2016
    as_root sh -c 'echo $$ >"$1/cgroup.procs" && shift &&
        exec unshare --cgroup --mount --pid --fork --kill-child --mount-proc "$@"' \
        sh "$group" "$PWD/packaging/${0##*/}" --inside "$@"
    exit
fi
shift

readonly home=/run/home
mount -t tmpfs -o mode=755 none /run
umount -R /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup
# sd_booted(3) checks for the first directory.
mkdir -p /run/systemd/system /run/user/0 "$home/bin"
chmod 700 /run/user/0
unset DBUS_SESSION_BUS_ADDRESS DISPLAY XAUTHORITY WAYLAND_DISPLAY "${!XDG_@}" NOTIFY_SOCKET
export HOME=$home XDG_RUNTIME_DIR=/run/user/0 PATH=$home/bin:$PATH NO_AT_BRIDGE=1
cd "$home" || exit

wait_until() { # COMMAND...
    local deadline=$((SECONDS + 60))
    until "$@"; do
        if ((SECONDS >= deadline)); then
            print_state >&2 || true
            fail 1 "not so after 60 s: $*"
        fi
        sleep 0.05
    done
}

mkfifo "$home/number"
Xvfb -displayfd 3 -screen 0 800x600x24 -nolisten tcp -noreset 3>"$home/number" &>/dev/null &
# shellcheck disable=SC2034  # scripts that source this may end it
server=$!
read -rt 20 number <"$home/number"
export DISPLAY=:$number
/lib/systemd/systemd --user </dev/null &>systemd.log &
wait_until systemctl --user --quiet is-active default.target 2>/dev/null
systemctl --user import-environment DISPLAY PATH
openbox &>/dev/null &
wait_until xdotool get_num_desktops &>/dev/null
