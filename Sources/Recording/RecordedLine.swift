import Scenes
import System

/// Any line of a recording but the first.
package struct RecordedLine: Codable {
    /// Its moment, in nanoseconds since the start.
    package var at: Int64
    /// What the calendar says then; nil where its clock went on as it did.
    package var calendar: Timestamp?
    package var look: Look?
    /// A notice that comes from no look.
    package var notice: RecordedNotice?
    /// Nothing follows.
    package var isEnd: Bool?
}

package struct RecordedNotice: Codable {
    package var name: String
    package var text: String
}

/// What a look has found different from the look before; nil for what is the same. What is in a list is written whole.
package struct Look: Codable {
    var screens: [ScreenChange]?
    /// The windows that are known no longer.
    var gone: [UInt32]?
    /// Those that are new, and those of which a fact is.
    var windows: [WindowFacts]?
    var texts: [Row<WindowText>]?
    var surfaces: [Row<Surface>]?
    var children: [Row<ChildFacts>]?
    var focus: Desktop.InputFocus?
    var session: Session?

    package init() {}
}

/// A window, and what is known of it; nil for nothing any longer.
struct Row<Facts: Codable>: Codable {
    var window: UInt32
    var facts: Facts?
}

/// What is new of a screen.
struct ScreenChange: Codable {
    var number: Int
    /// Its lists of windows are empty: these are written as edits.
    var facts: Screen?
    var clients: [ListEdit]?
    var stacking: [ListEdit]?
    /// The children of its root window, the lowest first.
    var children: [ListEdit]?
}

/// What is recorded of a child of a root window beside its place in the order.
struct ChildFacts: Hashable, Codable {
    var place: Rectangle?
    var isMapped = false
    /// The known window that it is or holds.
    var client: UInt32?
}

extension Desktop {
    func childFacts(of xid: UInt32) -> ChildFacts? {
        guard let slot = stacking.slot(of: xid) else { return nil }
        let client = stacking[at: slot].client.map { windows.facts[Int($0)] }
        return ChildFacts(
            place: stacking[at: slot].place, isMapped: stacking[at: slot].isMapped,
            client: client.flatMap { $0.isGone ? nil : $0.id.xid })
    }

    /// The children of a root window, the lowest first.
    func children(of screen: Int) -> [UInt32] {
        stacking.fromTop(screen).map { stacking.window(at: $0) }.reversed()
    }
}
