/// The facts that determine whether a display shows anything.
package struct DisplayFacts: Hashable, Sendable {
    /// The state of one screen in MIT-SCREEN-SAVER.
    package enum Saver: Hashable, Sendable {
        case off
        /// The saver hides the contents of the screen.
        case on
        /// A client draws the saver, or only dims the screen.
        case leftToClient
    }

    /// The state of each screen; empty if unknown.
    package var savers: [Saver] = []
    /// The DPMS power level; 0 for on. It counts only if the saver is left to a client: power management that switches
    /// a monitor off also turns on the saver.
    package var powerLevel: UInt16 = 0

    package init() {}

    /// Returns the reason why the display shows nothing; nil if it may show something.
    ///
    /// - Parameter monitors: The rectangles that the monitors show; nil if unknown.
    package func displayOff(monitors: [Rectangle]?) -> Session.DisplayOff? {
        if monitors?.isEmpty == true { return .noMonitor }
        if savers.isEmpty || savers.contains(.off) { return nil }
        if !savers.contains(.leftToClient) { return .blanked }
        return powerLevel > 0 ? .poweredDown : nil
    }
}
