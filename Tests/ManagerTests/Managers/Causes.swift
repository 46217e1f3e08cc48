/// The causes that xphase must report for actions of a window manager.
extension Request {
    /// The request that hides windows: this request, or the one that it undoes.
    var hiding: Request {
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

    /// The usual cause for a window that this request hides; nil if it hides none.
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
    /// Returns the cause that xphase must report when a request hides a window; nil if it hides none.
    func cause(of hiding: Request?) -> String? {
        let usual = showsOneWindow ? "iconify" : hiding?.cause
        return hiding.flatMap { causes[$0] } ?? usual
    }

    /// Returns the cause that xphase must report when a window that a request has hidden is shown again.
    func cause(ofEnd hiding: Request?) -> String? {
        guard let cause = cause(of: hiding) else { return nil }
        return ["iconify": "deiconify", "unmap": "map"][cause] ?? cause
    }
}
