/// The causes that stand for what a window manager did.
extension Wish {
    /// What of this hides windows, or ends: the wish that did hide them.
    var hiding: Wish {
        switch self {
        case .deiconify: .iconify
        case .returnToDesktop: .leaveDesktop
        case .moveBack, .takeBack: .moveAway
        case .joinMonitors: .splitMonitors
        case .returnToMonitor: .leaveMonitor
        case .hideDesktop: .showDesktop
        case .unshade: .shade
        case .endFullscreen: .fullscreen
        default: self
        }
    }

    /// The cause that is told of a window that is hidden so, where the manager lets one tell.
    fileprivate var cause: String? {
        switch self {
        case .iconify: "iconify"
        case .leaveDesktop, .moveAway, .splitMonitors, .leaveMonitor: "desktop"
        case .showDesktop: "show-desktop"
        case .shade: "shade"
        case .tab, .stack, .monocle: "tab"
        case .unmap: "unmap"
        default: nil
        }
    }
}

extension Manager {
    /// The cause that is told when a window goes to the background by some wish; nil where none does.
    func cause(of hiding: Wish?) -> String? {
        let usual = showsOneWindow ? "iconify" : hiding?.cause
        return hiding.flatMap { causes[$0] } ?? usual
    }

    /// The cause that is told when it comes back.
    func cause(ofEnd hiding: Wish?) -> String? {
        guard let cause = cause(of: hiding) else { return nil }
        return ["iconify": "deiconify", "unmap": "map"][cause] ?? cause
    }
}
