extension PhaseWatcher {
    /// Details of scenes that are read only on request.
    public struct Details: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Titles, which browsers and terminals change often. `PhaseMonitor.Subject.title` needs them.
        public static let titles = Details(rawValue: 1)
        /// The names of the programs that processes execute.
        public static let processes = Details(rawValue: 2)
        /// Titles and their changes. `Change.Kind.title` is reported when a title has been stable for 250 ms, and once
        /// a second for a title that never is.
        public static let titleChanges = Details(rawValue: 4)
        /// Signs that applications in the background may be wanted; see `takeSigns()`.
        package static let signs = Details(rawValue: 8)
        /// The process of a window is nil where X-Resource reports none, whatever `_NET_WM_PID` is. Use this before
        /// acting on processes: any client can claim any process in `_NET_WM_PID`.
        package static let owners = Details(rawValue: 16)
        /// The names of the monitor and the desktop of scenes.
        package static let places = Details(rawValue: 32)

        /// Whether titles are read.
        var readTitles: Bool { !isDisjoint(with: [.titles, .titleChanges]) }
    }
}
