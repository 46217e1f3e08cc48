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

    /// The managers under which CoreWalkTests performs random steps: those that a plain test run has.
    static let core: [Manager] = [openbox, i3]

    /// The managers under which WalkTests does so.
    static let walked: [Manager] = (wantsAll || chosen != nil ? tested : [none, xfwm4, metacity, icewm])
        .filter { manager in !core.contains { $0.name == manager.name } }

    /// The managers that RestartTests kills and restarts twenty times.
    static let restarted = tested.filter { $0.can(.restart) }

    static let all = usual + common + rare + desktops
}
