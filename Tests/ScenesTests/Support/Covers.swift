@testable import Scenes

/// Overlapping windows that are children of the root window, without frames.
extension Desktop {
    /// Returns a managed desktop on which covered windows are detected.
    static func judged(isComposited: Bool = false) -> Desktop {
        var desktop = Desktop.managed()
        desktop.stacking.isJudged = true
        desktop.screen.isComposited = isComposited
        return desktop
    }

    /// Puts a known or new window above all others.
    mutating func putOnTop(
        _ xid: UInt32, _ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32,
        _ edit: (inout SeenWindow) -> Void = { _ in }
    ) {
        let place = Rectangle(x: x, y: y, width: width, height: height)
        if windows[xid] == nil { add(.client(xid)) }
        self.edit(xid) {
            ($0.place, $0.depth, $0.isShaped) = (place, 24, false)
            edit(&$0)
        }
        stacking.add(xid)
        stacking[xid]?.place = place
        stacking[xid]?.isMapped = true
    }

    /// Returns the wholly covered windows.
    func covered() -> Set<UInt32> {
        let rule = Rule(self, .focus)
        return Set(windows.windows.filter { rule.isOccluded($0.facts) }.map(\.id.xid))
    }
}
