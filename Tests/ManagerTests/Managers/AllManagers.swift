import Glibc

extension Manager {
    /// Those that every run of the tests goes through.
    static let usual: [Manager] = [none, openbox, i3, xfwm4]

    /// Those that a run of the tests replays, as all are that were recorded.
    private static let common: [Manager] = [
        xfwm4Compositing, metacity, icewm, fluxbox, twm, bspwm, awesome, herbstluftwm,
    ]

    /// The names of those to run, in place of the usual ones: `XPHASE_WINDOW_MANAGERS="twm,i3"`.
    static let chosen = getenv("XPHASE_WINDOW_MANAGERS").map {
        String(cString: $0).split(separator: ",").map(String.init)
    }

    private static let wantsAll = getenv("XPHASE_ALL_WINDOW_MANAGERS").map { String(cString: $0) } == "1"

    static let tested: [Manager] =
        if let chosen {
            everyOne.filter { manager in chosen.contains { manager.name.hasPrefix($0) } }
        } else {
            wantsAll ? everyOne : usual
        }

    /// Those that are stopped most of the time.
    static let slowed: [Manager] =
        wantsAll ? [openbox, i3, xfwm4, metacity, icewm, awesome] : [openbox, metacity]

    /// Those that are killed and started again twenty times.
    static let restarted = tested.filter { $0.can(.restart) }

    static let everyOne = usual + common + further
}
