/// The programs that make up a session, by their whole names: a prefix would include ordinary programs, such as Plasma
/// Discover (`plasma-discover`). The X server also reports window managers and compositors.
///
/// The kernel cuts process names at 15 bytes. A longer name here also stands for others with the same 15 bytes.
enum SessionPrograms {
    /// Their names, as the kernel knows them.
    static let names = Set(
        list.split(separator: "\n").filter { !$0.hasPrefix("#") }.flatMap { $0.split(separator: " ") }.map {
            String(decoding: $0.utf8.prefix(15), as: UTF8.self)
        })

    private static let list = """
        # What begins a session. Another xphase must be able to thaw its applications at the first sign.
        systemd (sd-pam) login su sudo sshd sshd-session xinit startx lightdm sddm sddm-helper gdm3
        gdm-session-worker gdm-x-session gdm-wayland-session xdm lxdm-session nodm dbus-daemon
        dbus-launch dbus-run-session dbus-broker dbus-broker-launch ssh-agent gpg-agent xphase
        # Servers
        X Xorg Xwayland Xvfb Xephyr Xnest Xvnc Xtigervnc Xtightvnc pipewire pipewire-pulse pipewire-avb
        pipewire-media-session wireplumber pulseaudio jackd jackdbus
        # Window managers and compositors
        i3 openbox fluxbox blackbox icewm icewm-session icewmbg jwm twm ctwm vtwm cwm fvwm fvwm2 fvwm3
        mwm evilwm bspwm awesome herbstluftwm dwm spectrwm qtile ratpoison stumpwm leftwm metacity
        mutter compiz gala enlightenment enlightenment_start sawfish wmaker afterstep pekwm
        matchbox-window-manager xmonad xmonad-x86_64-linux xmonad-aarch64-linux picom compton xcompmgr
        sway labwc wayfire weston river Hyprland
        # Panels, notification daemons, lockers and hotkey daemons of no desktop environment
        i3bar tint2 polybar lemonbar dzen2 xmobar trayer stalonetray dunst notification-daemon
        notify-osd twmnd xss-lock xautolock i3lock slock xtrlock xsecurelock xscreensaver light-locker
        sxhkd xbindkeys keynav xcape xsettingsd
        # Input methods
        ibus-daemon ibus-dconf ibus-memconf ibus-portal ibus-x11 ibus-ui-gtk3 ibus-ui-emojier
        ibus-extension-gtk3 ibus-engine-simple ibus-engine-chewing ibus-engine-hangul
        ibus-engine-libpinyin ibus-engine-m17n ibus-engine-mozc ibus-engine-rime fcitx
        fcitx-dbus-watcher fcitx5 scim scim-launcher scim-helper-launcher scim-helper-manager
        scim-panel-gtk uim-xim uim-helper-server mozc_server mozc_renderer nabi gcin hime
        # Accessibility, portals, file systems, and the dialogs that ask for passwords
        at-spi-bus-launcher at-spi2-registryd orca onboard florence speech-dispatcher brltty
        xdg-desktop-portal xdg-desktop-portal-gtk xdg-document-portal xdg-permission-store gvfsd
        gvfsd-fuse gvfsd-metadata gvfs-udisks2-volume-monitor gvfs-mtp-volume-monitor
        gvfs-gphoto2-volume-monitor gvfs-afc-volume-monitor gvfs-goa-volume-monitor polkitd
        polkit-gnome-authentication-agent-1 lxpolkit xfce-polkit
        # GNOME and Budgie
        gnome-shell gnome-shell-calendar-server gnome-session gnome-session-binary gnome-session-ctl
        gnome-panel gnome-flashback gnome-flashback-clipboard gnome-flashback-idle-monitor
        gnome-flashback-media-keys gnome-keyring-daemon gnome-screensaver gsd-a11y-settings gsd-color
        gsd-datetime gsd-housekeeping gsd-keyboard gsd-media-keys gsd-power gsd-print-notifications
        gsd-printer gsd-rfkill gsd-screensaver-proxy gsd-sharing gsd-smartcard gsd-sound
        gsd-usb-protection gsd-wacom gsd-wwan gsd-xsettings budgie-panel budgie-wm budgie-daemon
        budgie-polkit-dialog org.buddiesofbudgie.budgie-desktop-view
        # Plasma 5 and 6
        plasmashell plasma_session plasma_waitforname startplasma-x11 startplasma-wayland kwin_x11
        kwin_wayland kwin_wayland_wrapper ksmserver ksmserver-logout-greeter ksplashqml
        kscreenlocker_greet kded5 kded6 klauncher kcminit kglobalaccel5 kglobalacceld kactivitymanagerd
        kwalletd5 kwalletd6 ksecretd org_kde_powerdevil polkit-kde-authentication-agent-1
        xdg-desktop-portal-kde kaccess krunner klipper gmenudbusmenuproxy xembedsniproxy
        kimpanel-ibus-panel kimpanel-scim-panel
        # Xfce
        xfce4-session xfce4-panel xfce4-notifyd xfce4-power-manager xfce4-screensaver xfwm4 xfdesktop
        xfsettingsd
        # MATE
        mate-session mate-panel mate-settings-daemon mate-notification-daemon mate-power-manager
        mate-screensaver polkit-mate-authentication-agent-1 marco
        # Cinnamon
        cinnamon cinnamon-session cinnamon-launcher cinnamon-killer-daemon cinnamon-calendar-server
        cinnamon-screensaver muffin nemo-desktop csd-a11y-settings csd-automount csd-background
        csd-clipboard csd-color csd-housekeeping csd-keyboard csd-media-keys csd-power
        csd-print-notifications csd-printer csd-screensaver-proxy csd-smartcard csd-wacom csd-xsettings
        # LXQt and LXDE. The desktop of pcmanfm is the process of its other windows.
        lxqt-session lxqt-panel lxqt-notificationd lxqt-powermanagement lxqt-globalkeysd
        lxqt-policykit-agent lxqt-runner lxsession lxpanel lxclipboard lxsession-xsettings
        """
}
