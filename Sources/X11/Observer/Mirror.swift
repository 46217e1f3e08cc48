import CXlib
import Scenes

/// What the parts of an observer share: the connection, and the state that each of them keeps current.
final class Mirror {
    let display: Display
    let atoms: Atoms
    let extensions: Extensions
    /// While replies are pending, it may be partly old and partly new.
    var desktop: Desktop
    /// Whether an event reported a fact, so that there is nothing to read.
    var hasChanged = false
    /// The details to read besides what phases need.
    var details = SceneDetails.titles

    var root: UInt32 { display.root }

    init(_ display: Display, _ atoms: Atoms, _ extensions: Extensions) {
        (self.display, self.atoms, self.extensions) = (display, atoms, extensions)
        desktop = Desktop(screen: Scenes.Screen(root: display.root))
    }

    func isKnown(_ window: UInt32) -> Bool { desktop.windows.slot(of: window) != nil }

    func isChild(_ window: UInt32) -> Bool { desktop.stacking.contains(window) }

    /// Returns whether a known window or another child of the root window is override-redirect.
    func isUnmanaged(_ window: UInt32) -> Bool { desktop.facts(of: window)?.isOverrideRedirect ?? false }

    /// Applies a change that an event or a reply reports about a known window or another child of the root window.
    func edit(_ window: UInt32, _ change: (inout WindowFacts) -> Void) {
        guard let slot = desktop.windows.slot(of: window) else {
            if var child = desktop.stacking[window] {
                change(&child)
                desktop.stacking[window] = child
            }
            return
        }
        let old = desktop.windows.facts[slot]
        change(&desktop.windows.facts[slot])
        if desktop.windows.facts[slot] != old { hasChanged = true }
    }

    /// Asks for a property. At most so many words of 32 bits are read.
    func ask(_ property: AtomName, of window: UInt32, words: UInt32, _ take: @escaping (Property?) -> Void) {
        display.ask(display.property(window, atoms[property], words: words)) { take($0.property) }
    }
}
