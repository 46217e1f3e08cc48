import Testing

@testable import Scenes

@Suite struct ManagedTests {
    @Test(arguments: [
        RuleCase("a listed window is managed", .visible),
        RuleCase("a window that is not listed and not Normal is not") {
            $0.screen.clients = []
            $1.state = nil
        },
        RuleCase("an iconic window that is not listed is not") {
            $0.screen.clients = []
            $1.iconify()
        },
        RuleCase("sawfish empties its list when it restarts, with windows shown", .visible) { desktop, _ in
            desktop.screen.clients = []
        },
        RuleCase("a window that withdrew itself is not") { $1.withdrewItself = true },
        RuleCase("the manager's own task bar is not taken for those") {
            $0.screen.clients = []
            $0.screen.manager?.client = $1.client
        },
        RuleCase("nor is it where another client has deleted the list") {
            $0.screen.clients = nil
            $0.screen.manager?.client = $1.client
        },
        RuleCase("a window of the manager that it lists is managed", .visible) {
            $0.screen.manager?.client = $1.client
        },
        RuleCase("override-redirect windows are not taken for those") {
            $0.screen.clients = []
            $1.isOverrideRedirect = true
        },
        RuleCase("nor is what is not viewable") {
            $0.screen.clients = []
            $1.mapState = .unviewable
        },
        RuleCase("a framed window is, listed or not: pekwm's list lacks its newest", .background(.iconify)) {
            $0.screen.clients = []
            $1.topLevel = 8
            $1.iconify()
        },
        RuleCase("a framed window without WM_STATE, such as a tray icon, is not") {
            $0.screen.clients = []
            $1.topLevel = 8
            $1.state = nil
        },
        RuleCase("a listed window inside of a client is not") {
            $0.add(.client(8))
            ($1.topLevel, $1.container) = (8, 8)
        },
        RuleCase("a listed window deep inside of a client is not") {
            $0.add(.client(8))
            $0.windows[9] = SeenWindow(WindowID(9)).with { $0.container = 8 }
            ($1.topLevel, $1.container) = (8, 9)
        },
        RuleCase("a window inside of its frame is, though the frame is known", .visible) {
            $0.windows[8] = SeenWindow(WindowID(8))
            ($1.topLevel, $1.container) = (8, 8)
        },
        RuleCase("without a list, one that is Normal is", .visible) { desktop, _ in
            desktop.screen.clients = nil
        },
        RuleCase("without a list, an iconic one is", .background(.iconify)) {
            $0.screen.clients = nil
            $1.iconify()
        },
        RuleCase("without a list, a withdrawn one is not") {
            $0.screen.clients = nil
            $1.state = .withdrawn
        },
        RuleCase("without a list, one without WM_STATE is not") {
            $0.screen.clients = nil
            $1.state = nil
        },
        RuleCase("one without WM_STATE is not, though an older manager's list has it") {
            $0.haveUnknownManager()
            $1.state = nil
        },
        RuleCase("a Normal one is, though an older manager's list lacks it", .visible) { desktop, _ in
            desktop.haveUnknownManager()
            desktop.screen.clients = []
        },
        RuleCase("withdrawn and unmapped: i3 does not rewrite its list") {
            $1.state = .withdrawn
            $1.mapState = .unmapped
        },
        RuleCase("withdrawn and unviewable: i3 hides a window so", .background(.unmap)) {
            $1.state = .withdrawn
            $1.mapState = .unviewable
        },
        RuleCase(
            "withdrawn and unmapped in a frame: i3 writes the state when it shows it", .background(.unmap)
        ) {
            $1.state = .withdrawn
            $1.mapState = .unmapped
            $1.topLevel = 9
        },
        RuleCase("withdrawn, viewable and listed", .visible) { $1.state = .withdrawn },
    ])
    func theListOfARunningManagerOrElseWMStateDecides(_ example: RuleCase) {
        #expect(example.visibility == example.expected)
    }

    @Test(arguments: [
        RuleCase("a mapped top-level window with WM_CLASS counts", .visible),
        RuleCase("one with a title only counts", .visible) {
            $1.forgetNames()
            $1.title = "xclock"
        },
        RuleCase("one without a name that was a scene still counts", .visible) {
            $1.forgetNames()
            $1.wasManaged = true
        },
        RuleCase("one that withdrew itself does not") { $1.withdrewItself = true },
        RuleCase("one that never was, without a name, does not") { $1.forgetNames() },
        RuleCase("a window inside another does not") { $1.topLevel = 7 },
        RuleCase("an override-redirect window does not") { $1.isOverrideRedirect = true },
        RuleCase("an input-only window does not") { $1.isInputOnly = true },
        RuleCase("an unmapped window does not, whatever the stale list says") { $1.mapState = .unmapped },
    ])
    func withoutAManagerEveryMappedTopLevelWindowCounts(_ example: RuleCase) {
        #expect(example.onBareScreen == example.expected)
    }
}

extension RuleCase {
    /// Creates a case of a window that is not managed.
    fileprivate init(_ sentence: String, _ arrange: @escaping Arrangement) {
        self.init(sentence, .gone, arrange)
    }

    /// The visibility on a screen without a window manager.
    fileprivate var onBareScreen: Visibility {
        RuleCase(testDescription, expected) {
            $0.screen.manager = nil
            $1.wasManaged = false
            $1.state = nil
            arrange(&$0, &$1)
        }.visibility
    }
}

extension SeenWindow {
    fileprivate mutating func forgetNames() {
        self.className = nil
        self.instanceName = nil
        self.title = nil
    }
}
