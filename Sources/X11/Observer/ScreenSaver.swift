import Scenes

/// The state of the screen saver, from MIT-SCREEN-SAVER.
enum ScreenSaver {
    case off
    /// It hides the contents of the screen.
    case on
    /// A client draws it, or only dims the screen.
    case leftToClient

    /// Converts the values of MIT-SCREEN-SAVER, such as ScreenSaverOn and ScreenSaverCycle. Unknown values hide
    /// nothing.
    init(state: UInt8, kind: UInt8) {
        switch (state, kind) {
        case (1, 0), (1, 1), (2, 0), (2, 1): self = .on
        case (1, 2), (2, 2): self = .leftToClient
        default: self = .off
        }
    }

    /// Returns the reason why the display shows nothing; nil if it may show something.
    ///
    /// - Parameter powerLevel: That of DPMS; 0 for on. It counts only if the saver is left to a client: power management
    ///   that switches a monitor off also turns on the saver.
    func displayOff(powerLevel: UInt16) -> Session.DisplayOff? {
        switch self {
        case .off: nil
        case .on: .blanked
        case .leftToClient: powerLevel > 0 ? .poweredDown : nil
        }
    }
}
