import Glibc

extension Manager {
    /// The managers that every test run starts.
    static let usual: [Manager] = [none, openbox, i3, xfwm4]

    /// Common managers. A plain test run only replays their recordings.
    private static let common: [Manager] = [
        xfwm4Compositing, metacity, icewm, fluxbox, twm, bspwm, awesome, herbstluftwm,
    ]

    /// The names of the managers to run, in place of the usual ones: `XPHASE_WINDOW_MANAGERS="twm,i3"`.
    static let chosen = getenv("XPHASE_WINDOW_MANAGERS").map {
        String(cString: $0).split(separator: ",").map(String.init)
    }

    private static let wantsAll = getenv("XPHASE_ALL_WINDOW_MANAGERS").map { String(cString: $0) } == "1"

    static let tested: [Manager] =
        if let chosen {
            all.filter { manager in chosen.contains { manager.name.hasPrefix($0) } }
        } else {
            wantsAll ? all : usual
        }

    /// The managers that SlowManagerTests stops most of the time.
    static let slowed: [Manager] =
        wantsAll ? [openbox, i3, xfwm4, metacity, icewm, awesome] : [openbox, metacity]

    /// The managers under which WalkTests performs random actions of clients.
    static let walked: [Manager] = chosen == nil ? [openbox, xfwm4, metacity, icewm] : tested

    /// The managers that RestartTests kills and restarts twenty times.
    static let restarted = tested.filter { $0.can(.restart) }

    static let all = usual + common + rare + desktops
}
