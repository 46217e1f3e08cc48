import Scenes

extension Verdict {
    /// The maximum number of windows that a sentence names: a thousand small windows may cover one.
    static let mostNamed = 4

    /// The reason, as the end of a sentence about a window.
    var sentence: String {
        guard let cover else { return reason.sentence }
        var names = cover.windows.prefix(Self.mostNamed).map { window in
            let name = window.className ?? window.instanceName ?? window.executable
            return window.id.description + (name.map { " \($0)" } ?? "")
        }
        let others = cover.windows.count - names.count
        if others > 0 { names.append(others == 1 ? "another one" : "\(others) others") }
        let last = names.popLast() ?? "nothing"
        let list = names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
        return "covered: all of its \(cover.area.grouped) px are hidden by \(list)"
    }
}

extension Int {
    /// The decimal digits in groups of three, separated by commas.
    fileprivate var grouped: String {
        self < 1000 ? "\(self)" : (self / 1000).grouped + ",\(1000 + self % 1000)".replacing(",1", with: ",")
    }
}

extension Verdict.Reason {
    fileprivate var sentence: String {
        switch self {
        case .withdrewItself: "it withdrew itself (a synthetic UnmapNotify), so it is not a scene"
        case .withdrawnAndUnmapped: "WM_STATE is Withdrawn and it is unmapped, so it is not a scene"
        case .notListed: "_NET_CLIENT_LIST does not name it, so it is not a scene"
        case .noState: "WM_STATE is neither Normal nor Iconic, so it is not a scene"
        case .noMappedTopLevel:
            "without a window manager only mapped top-level windows with a name are scenes, and it is not one"
        case .notViewable: "map_state is not IsViewable, so it is hidden"
        case .offScreen: "it is completely outside the screen, so it is hidden"
        case .shadedAndObscured: "it is SHADED and not known to be visible, so it is hidden"
        case .iconic: "WM_STATE is Iconic, so it is hidden"
        case .otherDesktop:
            "its desktop is not the current one and the window manager is its own compositor, so it is hidden"
        case .hiddenByCompositor:
            "it is HIDDEN, and the window manager is its own compositor and sets no desktop, so it is hidden"
        case .belowDesktopWindow: "a window above it shows the desktop, so it is hidden"
        case .hiddenAndCovered:
            "it is HIDDEN, covered and without the focus, so it is a tab behind another one"
        case .covered: "other windows cover it"
        case .visible: "nothing hides it"
        }
    }
}
