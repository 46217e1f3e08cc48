import Scenes
import X11

extension PhaseWatcher {
    /// What is read of scenes only where somebody has a use for it.
    public struct Details: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Titles, which browsers and terminals write often. `PhaseMonitor.Subject.title` needs them.
        public static let titles = Details(rawValue: 1)
        /// The names of the programs that processes execute.
        public static let processes = Details(rawValue: 2)
        /// Titles, and that they have changed: `Change.Kind.title` is reported when one has held still for 250 ms, and once a
        /// second of one that never does.
        public static let titleChanges = Details(rawValue: 4)
        /// Signs that applications in the background may be wanted: `takeSigns()`.
        public static let signs = Details(rawValue: 8)
        /// The process of a window is the one that X-Resource names as its client's, whatever `_NET_WM_PID` claims; none
        /// where the server has no X-Resource. For whatever acts on processes: any client can claim any of them.
        public static let owners = Details(rawValue: 16)
        /// On which monitor and desktop scenes are, by name.
        public static let places = Details(rawValue: 32)
    }

    /// What is read of scenes beside their phases: at first what the options say.
    public var details: Details {
        get {
            [
                observer.wants.titles ? .titles : [], observer.wants.executables ? .processes : [],
                tracker.reportsTitles ? .titleChanges : [], tracker.reportsSigns ? .signs : [],
                observer.wants.confirmedProcesses ? .owners : [], observer.wants.places ? .places : [],
            ]
        }
        set {
            tracker.reportsTitles = newValue.contains(.titleChanges)
            tracker.reportsSigns = newValue.contains(.signs)
            var wants = observer.wants
            wants.titles = tracker.reportsTitles || newValue.contains(.titles)
            wants.executables = newValue.contains(.processes)
            wants.confirmedProcesses = newValue.contains(.owners)
            wants.requests = tracker.reportsSigns
            wants.places = newValue.contains(.places)
            observer.wants = wants
            if observer.isStale { lookAgain() }
        }
    }

    /// The applications in the background that something was seen of since the last call, before it has settled: a window of
    /// theirs can be seen or has the focus, or somebody asks the window manager to activate or to close one. Needs
    /// `Details.signs`.
    public func takeSigns() -> Set<String> {
        let requested = observer.takeRequested()
        var applications = tracker.takeSigns()
        for window in requested {
            if let slot = observer.desktop.windows.slot(of: window) {
                applications.insert(observer.desktop.windows.text(slot).application)
            }
        }
        return applications
    }

    /// Whether more is to be read until everything that is reported is as the display has it.
    public var isReading: Bool { observer.isStale }
}
