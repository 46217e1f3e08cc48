export HOME=/tmp/h1/home XDG_RUNTIME_DIR=/tmp/h1/run; mkdir -p $HOME $XDG_RUNTIME_DIR; chmod 700 $XDG_RUNTIME_DIR
exec 5> disp; Xvfb -displayfd 5 -screen 0 1200x800x24 >/dev/null 2>&1 & XP=$!
for i in $(seq 50); do [ -s disp ] && break; sleep 0.1; done
export DISPLAY=:$(cat disp); X=/work/main/.build/x86_64-unknown-linux-gnu/release/xphase
openbox >/dev/null 2>&1 & OB=$!
sleep 0.5
mousepad >/dev/null 2>&1 & MP=$!
$X run >run.log 2>&1 & RP=$!
sleep 1.5
tmux -L h1 -f /dev/null new-session -d -x 110 -y 30 "$X top"
sleep 1.5
tmux -L h1 send-keys j; tmux -L h1 send-keys f; sleep 1; tmux -L h1 capture-pane -p | head -20
tmux -L h1 send-keys t; sleep 1; tmux -L h1 capture-pane -p | head -12
tmux -L h1 send-keys e; sleep 1; tmux -L h1 capture-pane -p | head -30
tmux -L h1 send-keys q; tmux -L h1 send-keys q; sleep 0.5; tmux -L h1 kill-server
kill $RP $MP $OB; sleep 0.5; kill $XP; cat run.log
