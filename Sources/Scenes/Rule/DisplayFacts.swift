/// What tells whether a display shows anything.
package struct DisplayFacts: Hashable, Sendable {
    /// What MIT-SCREEN-SAVER says of one screen.
    package enum Saver: Hashable, Sendable {
        case off
        /// It hides what is on the screen.
        case on
        /// A client draws what it likes, or only dims the screen.
        case leftToClient
    }

    /// Of each screen; none where nobody tells.
    package var savers: [Saver] = []
    /// The power level that DPMS tells, 0 for on. It counts only where the saver is left to a client: power management
    /// that switches a monitor off turns on the saver as well.
    package var powerLevel: UInt16 = 0

    package init() {}

    /// Why nobody sees anything; nil while somebody may.
    ///
    /// - Parameter monitors: What they show; nil for unknown.
    package func displayOff(monitors: [Rectangle]?) -> Session.DisplayOff? {
        if monitors?.isEmpty == true { return .noMonitor }
        if savers.isEmpty || savers.contains(.off) { return nil }
        if !savers.contains(.leftToClient) { return .blanked }
        return powerLevel > 0 ? .poweredDown : nil
    }
}
