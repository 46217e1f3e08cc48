import Testing

@testable import Scenes

/// Two screens of one display: window 1 is on the first screen, window 2 on the second.
@Suite struct ScreensTests {
    private var desktop: Desktop

    init() {
        desktop = .managed()
        var second = desktop.screens[0]
        second.root = 0x500
        second.bounds = Rectangle(width: 640, height: 480)
        second.manager = Screen.Manager(checkWindow: 0x11, name: "twm")
        desktop.screens.append(second)
        desktop.stacking = Stacking(screenCount: 2)
        desktop.add(.client(1))
        desktop.add(.client(2, screen: 1))
        desktop.screens[0].activeWindow = 1
        desktop.screens[1].activeWindow = 2
    }

    @Test(arguments: [
        (Desktop.InputFocus.window(1), [UInt32(1): ScenePhase.active, 2: .inactive]),
        (.window(2), [1: .inactive, 2: .active]),
        (.elsewhere(screen: 1), [1: .inactive, 2: .active]),
        (.underPointer(screen: 0, window: 1), [1: .active, 2: .inactive]),
        (.none, [1: .inactive, 2: .inactive]),
    ])
    func onlyTheScreenWithTheInputFocusHasAnActiveWindow(
        _ focus: Desktop.InputFocus, phases: [UInt32: ScenePhase]
    ) {
        var desktop = desktop
        desktop.inputFocus = focus
        #expect(desktop.phases() == phases)
    }

    @Test mutating func eachScreenHasItsOwnBoundsAndDesktop() {
        for xid: UInt32 in [1, 2] { desktop.edit(xid) { $0.place?.x = 700 } }
        #expect(desktop.phases() == [1: .inactive, 2: .background])
        for xid: UInt32 in [1, 2] {
            desktop.edit(xid) {
                $0.place?.x = 0
                $0.mapState = .unmapped
            }
        }
        desktop.screens[1].currentDesktop = 5
        #expect(desktop.hiding(1) == .unmapped)
        #expect(desktop.hiding(2) == .onOtherDesktop)
    }

    @Test mutating func aScreenWithoutAManagerHasItsOwnRule() {
        desktop.screens[1].manager = nil
        for xid: UInt32 in [1, 2] { desktop.edit(xid) { $0.state = .iconic } }
        desktop.edit(1) { $0.topLevel = 8 }
        #expect(desktop.phases() == [1: .background, 2: .inactive])
    }

    @Test mutating func windowsOfAnotherScreenCoverNothing() {
        desktop.edit(1) { $0.place = Rectangle(width: 1280, height: 800) }
        desktop.edit(2) { $0.states = .hidden }
        #expect(desktop.phases()[2] == .inactive)
    }
}

extension Desktop {
    fileprivate func hiding(_ xid: UInt32) -> Hiding? {
        foundScenes(under: .focus)[WindowID(xid)]?.hiding
    }
}
