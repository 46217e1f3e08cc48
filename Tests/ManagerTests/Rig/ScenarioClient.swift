import TestDesktop

/// A window of the scenario. Unless it shares the X client of another one, its client can end independently.
final class ScenarioClient {
    enum Life {
        case mapped
        /// The client unmapped the window without notifying the manager. Some managers keep such a window.
        case unmapped
        /// The client withdrew the window as ICCCM defines, or has not mapped it yet.
        case withdrawn
    }

    let name: String
    var application: String
    let window: TestWindow
    /// The window that this one is a dialog of; nil for none.
    let parent: ScenarioClient?
    var life = Life.withdrawn { didSet { if life == .withdrawn { mayBeKept = true } } }
    /// Whether the window was withdrawn and not seen on the display since. The manager may not have noticed that.
    private(set) var mayBeKept = false

    init(
        _ name: String, _ application: String, on display: VirtualDisplay, number: UInt, x: Int32, y: Int32,
        parent: ScenarioClient? = nil, startsIconic: Bool = false
    ) throws {
        self.name = name
        self.application = application
        self.parent = parent
        var properties = TestWindow.Properties(application, instance: name)
        properties.title = name
        properties.transientFor = parent?.window.id
        properties.startsIconic = startsIconic
        window = TestWindow(
            try TestClient(display.name), properties, colour: 0x20_40_60 + number * 0x10_20_07, x: x, y: y,
            width: 160, height: 120)
        window.listenToKeys()
    }

    init(_ name: String, _ application: String, _ window: TestWindow) {
        self.name = name
        self.application = application
        self.window = window
        parent = nil
    }

    /// Notes whether the window is mapped.
    func look() { if window.isMapped { mayBeKept = false } }

    /// Whether the window is a dialog of a window of the same application, and so part of that window's scene.
    var isPartOfParent: Bool { parent?.application == application }
}
