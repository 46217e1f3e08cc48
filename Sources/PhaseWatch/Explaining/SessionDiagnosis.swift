import Scenes
import X11

/// The signals of a display that report whether it can be seen, and the signals that it lacks.
struct SessionDiagnosis {
    let desktop: Desktop
    let extensions: Extensions
    let isXWayland: Bool
    /// The hints of each screen.
    let hints: [ManagerHints]

    /// The signals of each state, by the name of the state in the options.
    var signals: [Fact] {
        [
            Fact("away", away), Fact("lock", lock), Fact("display-off", displayOff), Fact("covered", covered),
            Fact("idle", idle),
        ]
    }

    var gaps: [String] {
        var gaps: [String] = []
        if isXWayland {
            gaps.append(
                "This server is XWayland, which does not report locks, a blank display or idle times."
            )
        } else {
            if away == nil {
                gaps.append(
                    "Without XFree86_has_VT a switch to another virtual terminal is not reported.")
            }
            if extensions.screenSaver == nil {
                gaps.append("Without MIT-SCREEN-SAVER a blank display is not reported.")
            } else if extensions.dpms == nil {
                gaps.append(
                    "Without DPMS a display that a program such as xss-lock blanks counts as on."
                )
            }
            if extensions.xinerama == nil {
                gaps.append("Without XINERAMA monitors that are off are not reported.")
            }
            if extensions.sync == nil {
                gaps.append("Without SYNC idle times are not reported: --idle has no effect.")
            }
        }
        if extensions.shape == nil {
            gaps.append("Without SHAPE every window counts as the whole of its rectangle.")
        }
        if extensions.resource == nil {
            gaps.append(
                "Without X-Resource the owner of a window is not known: hooks get no processes, and reactions do nothing."
            )
        }
        if extensions.record == nil {
            gaps.append("Without RECORD messages and grabbed keys do not thaw frozen applications.")
        }
        for case let name? in desktop.screens.map(\.manager?.name) where name == "GNOME Shell" {
            gaps.append("\(name) draws its lock screen without a window: locking is not detected.")
        }
        if desktop.screens.contains(where: \.isComposited) {
            gaps.append(
                "A compositor runs. Its configuration may make windows transparent without a property, and a window that "
                    + "shines through another may count as covered: --occlusion is off by default."
            )
        }
        return gaps
    }

    private var away: String? {
        isXWayland || !hints.contains(where: \.reportsTerminal) ? nil : "XFree86_has_VT"
    }

    private var lock: String? {
        isXWayland
            ? nil : "override-redirect windows above all others, grabs of the keyboard, _SCREENSAVER_STATUS"
    }

    private var displayOff: String? {
        if isXWayland { return nil }
        let present = [
            extensions.screenSaver.map { _ in "MIT-SCREEN-SAVER" },
            extensions.screenSaver.flatMap { _ in extensions.dpms }.map { _ in "DPMS" },
            extensions.xinerama.map { _ in "XINERAMA" },
        ].compactMap(\.self)
        return present.isEmpty ? nil : present.joined(separator: ", ")
    }

    private var covered: String {
        let shape = extensions.shape == nil ? "" : "shape, "
        return "stacking order, geometry, \(shape)opacity"
    }

    private var idle: String? { isXWayland || extensions.sync == nil ? nil : "IDLETIME of SYNC" }
}
