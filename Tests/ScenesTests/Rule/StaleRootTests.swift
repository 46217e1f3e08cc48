import Testing

@testable import Scenes

/// Properties that dead window managers leave on the root window and on other windows.
@Suite struct StaleRootTests {
    @Test(arguments: [
        RuleCase("an iconified window is mapped", .visible) {
            $1.iconify()
            $1.mapState = .viewable
        },
        RuleCase("the current desktop is another one", .visible) {
            $0.haveOwnCompositor()
            $1.desktop = 1
        },
        RuleCase("the desktop is shown", .visible) { desktop, _ in desktop.showDesktop(stacking: [1, 9]) },
        RuleCase("HIDDEN, and covered", .visible) {
            $0.cover()
            $1.states = .hidden
        },
        RuleCase("the list lacks the window", .visible) { desktop, _ in desktop.screen.clients = [] },
        RuleCase("off-screen still applies", .background(.offscreen)) {
            $1.geometry = Rectangle(x: 2000, width: 10, height: 10)
        },
    ])
    func withoutAManagerItIsNotBelieved(_ example: RuleCase) {
        let bare = RuleCase(example.testDescription, example.expected) {
            example.arrange(&$0, &$1)
            $0.screen.manager = nil
        }
        #expect(bare.visibility == example.expected)
    }

    @Test func aManagerWithoutCheckWindowIsTrustedOnceItWritesToTheRootWindow() {
        var desktop = Desktop.managed()
        desktop.add(.client(1))
        desktop.add(.client(2))
        desktop.screen.activeWindow = 1
        desktop.inputFocus = .elsewhere(client: 0)
        desktop.haveUnknownManager()
        #expect(!desktop.screen.isTrusted)
        #expect(desktop.phases() == [1: .inactive, 2: .inactive])
        desktop.screen.wasRewritten = true
        #expect(desktop.screen.isTrusted)
        #expect(desktop.phases() == [1: .active, 2: .inactive])
    }
}
