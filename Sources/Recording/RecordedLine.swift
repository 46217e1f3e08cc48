import Scenes
import System

/// Any line of a recording except the first.
package struct RecordedLine: Codable {
    /// The moment of the line, in nanoseconds since the start.
    package var at: Int64
    /// The calendar time of that moment; nil if it is as expected.
    package var calendar: Timestamp?
    package var look: Look?
    /// A notice that does not come from a look.
    package var notice: RecordedNotice?
    /// Whether this is the last line.
    package var isEnd: Bool?
}

package struct RecordedNotice: Codable {
    package var name: String
    package var text: String
}

/// The changes of a look since the previous one; nil for unchanged parts. Elements of lists are written in full.
package struct Look: Codable {
    var screens: [ScreenChange]?
    /// The windows that are no longer known.
    var gone: [UInt32]?
    /// The windows that are new or have a changed fact.
    var windows: [WindowFacts]?
    var texts: [Row<WindowText>]?
    var surfaces: [Row<Surface>]?
    var children: [Row<ChildFacts>]?
    var focus: Desktop.InputFocus?
    var session: Session?

    package init() {}
}

/// A window and its facts; nil if there are no longer any.
struct Row<Facts: Codable>: Codable {
    var window: UInt32
    var facts: Facts?
}

/// The changes of a screen.
struct ScreenChange: Codable {
    var number: Int
    /// The facts of the screen. Its lists of windows are empty, because they are written as edits.
    var facts: Screen?
    var clients: [ListEdit]?
    var stacking: [ListEdit]?
    /// The children of its root window, from bottom to top.
    var children: [ListEdit]?
}

/// The recorded facts of a child of a root window, besides its place in the stacking order.
struct ChildFacts: Hashable, Codable {
    var place: Rectangle?
    var isMapped = false
}

extension Desktop {
    func childFacts(of xid: UInt32) -> ChildFacts? {
        guard let slot = stacking.slot(of: xid) else { return nil }
        return ChildFacts(place: stacking[at: slot].place, isMapped: stacking[at: slot].isMapped)
    }

    /// Returns the children of a root window, from bottom to top.
    func children(of screen: Int) -> [UInt32] {
        stacking.fromTop(screen).map { stacking.window(at: $0) }.reversed()
    }
}
