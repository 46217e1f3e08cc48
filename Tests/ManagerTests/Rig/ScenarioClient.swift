import TestDesktop

/// A window of the scenario, with an X client that has no other window: so the client can end alone.
final class ScenarioClient {
    enum Life {
        case mapped
        /// It unmapped itself and reported nobody: some managers keep such a window.
        case unmapped
        /// It withdrew as ICCCM asks, or was never there.
        case withdrawn
    }

    let name: String
    var application: String
    let window: TestWindow
    /// The window it is a dialog for.
    let parent: ScenarioClient?
    var life = Life.withdrawn

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

    /// A dialog of the application of its parent is part of that window's scene.
    var isPartOfParent: Bool { parent?.application == application }
}
