import Glibc
import TestDesktop
import Testing

@testable import X11

/// Facts that prevent freezing a program although none of its windows is visible.
@Suite struct WindowUseTests {
    private let server: VirtualDisplay
    private let other: TestClient
    private let program: TestClient
    private let window: TestWindow

    init() throws {
        server = try VirtualDisplay()
        other = try TestClient(server.name)
        program = try TestClient(server.name)
        window = TestWindow(program, .init("Alpha"), colour: 0)
        window.map()
    }

    private func popup(
        of client: TestClient, x: Int32 = 50, size: UInt32 = 60, height: UInt32? = nil
    ) -> TestWindow {
        var properties = TestWindow.Properties()
        properties.isOverrideRedirect = true
        return TestWindow(client, properties, colour: 0, x: x, width: size, height: height ?? size)
    }

    /// Returns the use of a window, for one more connection to the server.
    private func use(
        _ window: TestWindow, owners: Set<Int32> = [getpid()], _ processes: Set<Int32> = []
    ) throws -> WindowUse {
        let observer = try DesktopObserver(Display(server.name))
        _ = try observer.refreshNow()
        var answer: WindowUse?
        observer.ask(useOf: [UInt32(window.id)], owners: owners, processes: processes) { answer = $0 }
        _ = try waitUntil {
            _ = try observer.refreshNow()
            return answer != nil
        }
        return try #require(answer)
    }

    private func hasMenu(_ processes: Set<Int32> = []) throws -> Bool {
        try use(window, processes).accessory == "menu or popup"
    }

    @Test func aMenuIsAPopupThatIsShown() throws {
        #expect(try !hasMenu())
        let menu = popup(of: program)
        #expect(try !hasMenu())
        menu.map()
        #expect(try hasMenu())
        for x: Int32 in [-59, 639] {
            menu.move(x: x, y: 0)
            #expect(try hasMenu())
        }
        menu.unmap()
        #expect(try !hasMenu())
    }

    /// A process may have several connections.
    @Test func aWindowMayBeOfAnyConnectionOfItsProcesses() throws {
        popup(of: other).map()
        #expect(try !hasMenu())
        #expect(try !hasMenu([1]))
        #expect(try hasMenu([getpid()]))
    }

    @Test(arguments: [(-100, 60, 60), (640, 60, 60), (50, 1, 1), (50, 1, 60), (50, 60, 1)])
    func aHiddenWindowCountsWhileTheInputIsGrabbed(x: Int32, width: UInt32, height: UInt32) throws {
        popup(of: program, x: x, size: width, height: height).map()
        #expect(try !hasMenu())
        program.grabKeyboard()
        #expect(try hasMenu())
        program.releaseKeyboard()
        #expect(try !hasMenu())
        program.grabPointer()
        #expect(try hasMenu())
        // The check has not changed the grabs.
        #expect(other.isPointerGrabbed && !other.isKeyboardGrabbed)
    }

    /// The window itself is a scene, like the dialog.
    @Test func windowsThatAreShownBesideTheScenesAreKnown() throws {
        let manager = try WindowManager.openbox.start(on: server, other)
        defer { withExtendedLifetime(manager) {} }
        let scene = TestWindow(program, .init("Alpha"), colour: 0)
        scene.map()
        func accessory() throws -> String? {
            try use(scene).accessory
        }
        let kinds = [
            "DIALOG": nil, "UTILITY": nil, "DESKTOP": "desktop", "DOCK": "dock", "SPLASH": "splash screen",
            "NOTIFICATION": "notification", "MENU": "menu or popup",
        ]
        for (type, kind) in kinds {
            var properties = TestWindow.Properties("Alpha")
            properties.type = type
            let window = TestWindow(program, properties, colour: 0)
            window.map()
            #expect(waitUntil { program.isViewable(window) })
            #expect(try waitUntil { try accessory() == kind }, "\(type)")
            window.withdraw()
            #expect(try waitUntil { try accessory() == nil })
        }
        // A program with an icon in a tray is not in use. i3 does not list the docks that it puts into frames.
        for (type, kind) in [(nil, nil), ("DOCK", "dock")] as [(String?, String?)] {
            let panel = popup(of: other)
            var properties = TestWindow.Properties()
            properties.type = type
            properties.isOverrideRedirect = type == nil
            let icon = TestWindow(program, properties, colour: 0)
            icon.reparent(into: panel)
            icon.map()
            panel.map()
            #expect(waitUntil { program.isViewable(icon) })
            #expect(try accessory() == kind)
        }
    }

    /// The processes come from the owners of windows that the X server reports. Program names do not matter.
    @Test(arguments: ["WM_S0", "_NET_WM_CM_S0", "_NET_SUPPORTING_WM_CHECK"])
    func whoManagesOrComposesTheWindowsIsKnown(name: String) throws {
        func managers() throws -> Set<Int32> { try use(window).managers }
        #expect(try managers().isEmpty)
        if name.hasSuffix("CHECK") {
            program.setRoot(name, "WINDOW", [window.id])
        } else {
            program.own(name, with: window)
        }
        #expect(try managers() == [getpid()])
    }

    /// A launcher's program, which is another process of the same application. Windows inside of its windows and hidden
    /// ones do not count.
    @Test func aWindowThatAProcessWithoutKnownWindowsShowsIsKnown() throws {
        let own = getpid()
        func newcomer(_ processes: Set<Int32> = [own], owners: Set<Int32> = []) throws -> Int32? {
            try use(window, owners: owners, processes).newcomer
        }
        #expect(try newcomer() == nil)
        let game = TestWindow(other, .init("Game"), colour: 0)
        #expect(try newcomer() == nil)
        game.map()
        #expect(try newcomer() == own)
        #expect(try newcomer(owners: [own]) == nil && newcomer([]) == nil)
        // The window manager has put it into a frame.
        let manager = try WindowManager.openbox.start(on: server, program)
        defer { withExtendedLifetime(manager) {} }
        #expect(try waitUntil { try newcomer() == own })
        game.iconify()
        #expect(try waitUntil { try newcomer() == nil })
        let panel = popup(of: program)
        let icon = TestWindow(other, .init(), colour: 0)
        icon.reparent(into: panel)
        icon.map()
        panel.map()
        #expect(waitUntil { program.isViewable(icon) })
        #expect(try newcomer() == nil)
        // One that a manager has put into a frame and not listed yet has a state.
        icon.setWords("WM_STATE", "WM_STATE", [1, 0])
        #expect(try newcomer() == own)
        icon.unmap()
        popup(of: other).map()
        #expect(try newcomer() == nil)
    }

    /// As with `xterm -into`, or in a window inside of that.
    @Test func aWindowOfAnotherProcessInsideOfOneIsEmbedded() throws {
        let own = getpid()
        let inner = TestWindow(program, .init(), colour: 0)
        inner.reparent(into: window)
        let guest = TestWindow(other, .init("Guest"), colour: 0)
        #expect(try use(window).embedded == nil)
        for host in [window, inner] {
            guest.reparent(into: host)
            #expect(try use(window).embedded == own)
            #expect(try use(window, [own]).embedded == nil)
        }
    }

    @Test func selectionsAndTheWholeScreenAreKnown() throws {
        func isOwner() throws -> Bool { try use(window).ownsSelection }
        let stranger = TestWindow(other, .init(), colour: 0)
        for selection in ["PRIMARY", "CLIPBOARD"] {
            #expect(try !isOwner())
            program.own(selection, with: window)
            #expect(try isOwner())
            other.own(selection, with: stranger)
        }
        #expect(try !isOwner() && !use(window).isFullscreen)
        window.setWords("_NET_WM_STATE", "ATOM", [program.atom("_NET_WM_STATE_FULLSCREEN")])
        #expect(try use(window).isFullscreen)
    }

    /// More than are asked for at once.
    @Test func theUseOfAWindowWithThousandsOfWindowsInsideIsKnown() throws {
        window.queueChildren(2 * Display.mostAwaited)
        popup(of: program).map()
        #expect(try hasMenu())
    }

    /// The server takes no window for the windows of all clients.
    @Test func whereNobodyManagesNoProcessIsAskedFor() throws {
        let display = try ObservedDisplay()
        let owner = TestWindow(display.client, .init(), colour: 0)
        _ = try display.seen()
        func use() throws -> (managers: Set<Int32>?, requests: UInt32) {
            let before = display.requestCount
            var answer: WindowUse?
            display.observer.ask(useOf: [], owners: [], processes: []) { answer = $0 }
            _ = try waitUntil {
                _ = try display.observer.refreshNow()
                return answer != nil
            }
            return (answer?.managers, display.requestCount - before)
        }
        let (none, fewer) = try use()
        display.client.own("WM_S0", with: owner)
        let (one, more) = try use()
        #expect(none == [] && one == [getpid()] && more == fewer + 1)
    }

    @Test func theWindowManagerIsKnown() throws {
        let manager = try #require(try WindowManager.openbox.start(on: server, other))
        #expect(try use(window).managers == [manager.pid])
    }

    @Test func whoHasGrabbedTheInputWithoutAPopupIsNotKnown() throws {
        program.grabPointer()
        #expect(try !hasMenu() && use(window).isInputGrabbed)
        #expect(try use(window).accessory == nil)
    }
}
