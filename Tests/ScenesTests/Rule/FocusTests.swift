import Testing

@testable import Scenes

@Suite struct FocusTests {
    private var desktop = Desktop.managed()

    init() {
        desktop.add(.client(1))
        desktop.add(.client(2))
    }

    @Test(arguments: [UInt32?(nil), 0, 1, 99])
    func theWindowThatGetsTheKeysHasItWhateverTheManagerSays(_ active: UInt32?) {
        var desktop = desktop
        desktop.screen.activeWindow = active
        desktop.inputFocus = .window(2)
        #expect(desktop.phases() == [1: .inactive, 2: .active])
    }

    @Test mutating func aHiddenActiveWindowDoesNotTakeItFromAVisibleOne() {
        desktop.screen.activeWindow = 1
        desktop.edit(1) { $0.mapState = .unmapped }
        #expect(desktop.phases() == [1: .background, 2: .inactive])
        #expect(Focus(on: desktop).windows == [1])
        desktop.inputFocus = .window(2)
        #expect(desktop.phases() == [1: .background, 2: .active])
    }

    @Test(arguments: [Desktop.InputFocus.none, .elsewhere(client: 0), .window(3)])
    func theActiveWindowHasItWhereTheKeysGoToNoClient(_ focus: Desktop.InputFocus) {
        var desktop = desktop
        desktop.add(.client(3).with { $0.isOverrideRedirect = true })
        desktop.edit(3) { $0.state = nil }
        desktop.screen.clients = [1, 2]
        desktop.screen.activeWindow = 1
        desktop.inputFocus = focus
        #expect(desktop.phases()[1] == .active && desktop.phases()[2] == .inactive)
    }

    /// Xfce's dialog at the log-out. A launcher is no dialog.
    @Test func nothingIsActiveBelowADialogThatNobodyManages() {
        var desktop = desktop
        desktop.screen.clients = [1, 2]
        desktop.screen.activeWindow = 1
        desktop.inputFocus = .window(3)
        desktop.windows[3] = SeenWindow(WindowID(3)).with {
            ($0.mapState, $0.isOverrideRedirect, $0.kind) = (.viewable, true, .unmanagedDialog)
        }
        #expect(desktop.phases() == [1: .inactive, 2: .inactive])
        #expect(Focus(on: desktop).source == .inputFocus && !desktop.asksActiveWindow)
        desktop.edit(3) { $0.transientFor = 2 }
        #expect(desktop.phases() == [1: .inactive, 2: .active])
        desktop.edit(3) { ($0.transientFor, $0.mapState) = (nil, .unmapped) }
        #expect(desktop.phases() == [1: .active, 2: .inactive])
    }

    /// Windows 0x200001 and above belong to one client.
    @Test(arguments: [
        ("in an unmanaged window of a client", Desktop.InputFocus.window(0x20_0009), 0, UInt32(0x20_0001)),
        ("in an unknown window of a client", .elsewhere(client: 0x20_0000), 0, 0x20_0001),
        ("in a popup that is transient for a window", .window(0x40_0009), 0, 2),
        ("in a window inside of a client", .window(0x60_0009), 0, 2),
        ("under the pointer in a window inside of a client", .underPointer(0x60_0009), 0, 2),
        ("in the window of another client", .elsewhere(client: 0x80_0000), 1, 1),
    ])
    func focusInAWindowThatIsNoSceneCountsForItsScene(
        _ place: String, _ focus: Desktop.InputFocus, active: UInt32, holder: UInt32
    ) {
        var desktop = desktop
        desktop.add(.client(0x20_0001))
        for xid: UInt32 in [0x20_0009, 0x40_0009, 0x60_0009] {
            desktop.windows[xid] = SeenWindow(WindowID(xid)).with {
                ($0.mapState, $0.isOverrideRedirect, $0.client) = (.viewable, true, xid & ~0x1F_FFFF)
                if xid == 0x40_0009 { $0.transientFor = 2 }
                if xid == 0x60_0009 { $0.container = 2 }
            }
        }
        desktop.screen.activeWindow = active
        desktop.inputFocus = focus
        #expect(Focus(on: desktop).holder == holder)
        #expect(desktop.phases()[holder] == .active)
    }

    @Test mutating func theActiveOrElseTheTopmostOfSeveralScenesOfAClientHasTheFocus() {
        for xid: UInt32 in [0x20_0001, 0x20_0002, 0x20_0003] { desktop.add(.client(xid)) }
        desktop.edit(0x20_0003) { $0.iconify() }
        desktop.inputFocus = .elsewhere(client: 0x20_0000)
        #expect(Focus(on: desktop).holder == 0x20_0002)
        desktop.stacking.raise(0x20_0001)
        #expect(Focus(on: desktop).holder == 0x20_0001)
        desktop.screen.activeWindow = 0x20_0002
        #expect(Focus(on: desktop).holder == 0x20_0002)
        // The manager has not written that.
        desktop.haveUnknownManager()
        #expect(Focus(on: desktop).holder == 0x20_0001)
    }

    @Test(arguments: [UInt32(0x20_0001), 0x20_0002])
    func theHigherOfTwoFramedScenesOfAClientHasTheFocus(higher: UInt32) {
        var desktop = desktop
        for (xid, frame): (UInt32, UInt32) in [(0x20_0001, 0xF01), (0x20_0002, 0xF02)] {
            desktop.add(.client(xid).with { $0.topLevel = frame })
            desktop.stacking.add(frame)
        }
        desktop.stacking.raise(higher == 0x20_0001 ? 0xF01 : 0xF02)
        desktop.inputFocus = .elsewhere(client: 0x20_0000)
        #expect(Focus(on: desktop).holder == higher)
    }

    @Test mutating func aPopupOfAHiddenWindowDoesNotTakeItFromTheActiveOne() {
        desktop.edit(2) { $0.iconify() }
        desktop.windows[0x40_0009] = SeenWindow(WindowID(0x40_0009)).with {
            ($0.mapState, $0.isOverrideRedirect, $0.transientFor) = (.viewable, true, 2)
        }
        desktop.inputFocus = .window(0x40_0009)
        desktop.screen.activeWindow = 1
        #expect(desktop.phases() == [1: .active, 2: .background])
    }

    @Test mutating func aWithdrawnWindowGetsNoneFromItsDialog() {
        desktop.edit(2) { ($0.mapState, $0.state) = (.unmapped, .withdrawn) }
        desktop.add(.client(3, "Dialog").with { $0.transientFor = 2 })
        desktop.screen.clients = [1, 3]
        desktop.inputFocus = .window(3)
        #expect(desktop.phases(under: .application) == [1: .inactive, 3: .active])
    }

    @Test mutating func withoutAManagerAPopupHasItForItsApplication() {
        desktop.screen.manager = nil
        desktop.windows[0x40_0009] = .client(0x40_0009).with { $0.isOverrideRedirect = true }
        desktop.inputFocus = .window(0x40_0009)
        #expect(desktop.phases(under: .application) == [1: .active, 2: .active])
    }

    @Test mutating func aHiddenActiveWindowMakesNothingOfItsApplicationActive() {
        desktop.edit(1) { $0.mapState = .unmapped }
        desktop.screen.activeWindow = 1
        #expect(desktop.phases(under: .application) == [1: .background, 2: .inactive])
    }

    @Test(arguments: [UInt32(0), 77])
    func noKnownActiveWindowMeansNoFocus(_ active: UInt32) {
        var desktop = desktop
        desktop.screen.activeWindow = active
        desktop.inputFocus = .elsewhere(client: 0)
        #expect(desktop.phases() == [1: .inactive, 2: .inactive])
    }

    @Test mutating func whereKeysFollowThePointerNoActiveWindowIsBelieved() {
        desktop.screen.activeWindow = 1
        desktop.inputFocus = .underPointer(nil)
        #expect(desktop.phases() == [1: .inactive, 2: .inactive])
        desktop.inputFocus = .underPointer(2)
        #expect(desktop.phases() == [1: .inactive, 2: .active])
    }

    @Test(arguments: [
        (Desktop.InputFocus.window(1), UInt32?(1)),
        (.underPointer(2), 2),
        (.underPointer(nil), nil),
        (.elsewhere(client: 0), nil),
        (.none, nil),
    ])
    func withoutAManagerTheInputFocusCounts(_ focus: Desktop.InputFocus, holder: UInt32?) {
        var desktop = desktop
        desktop.screen.manager = nil
        desktop.inputFocus = focus
        #expect(Focus(on: desktop).holder == holder)
        #expect(desktop.phases().filter { $0.value == .active }.map(\.key) == [holder].compactMap { $0 })
    }

    @Test mutating func policiesDifferInWhatIsActiveOnly() {
        desktop.add(.client(3, "Other"))
        desktop.add(.client(4).with { $0.iconify() })
        desktop.screen.activeWindow = 1
        #expect(desktop.phases(under: .focus) == [1: .active, 2: .inactive, 3: .inactive, 4: .background])
        #expect(
            desktop.phases(under: .application) == [1: .active, 2: .active, 3: .inactive, 4: .background])
        #expect(desktop.phases(under: .visible) == [1: .active, 2: .active, 3: .active, 4: .background])
    }
}
