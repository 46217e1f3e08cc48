#!/bin/sh
# Prints the page of a key deck for the application in use. Requires nc of netcat-openbsd, and jq.
address=$(xphase bus --address)
printf '{"method":"org.xphase.Phases.Active","more":true}\0' | nc -U "${address#unix:}" | stdbuf -oL tr '\0' '\n' |
    jq --unbuffered -r '.parameters.active.application // ""' | while read -r application; do
    case $application in
        Firefox | Alpha) echo web ;;
        Emacs | Beta) echo code ;;
        *) echo home ;;
    esac
done
