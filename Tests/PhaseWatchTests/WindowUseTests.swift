import Glibc
import PhaseWatch
import TestDesktop
import Testing

/// Facts that prevent freezing a program although none of its windows is visible.
@Suite struct WindowUseTests {
    private let display: MonitoredDisplay
    private let program: TestClient
    private let window: TestWindow

    init() throws {
        display = try MonitoredDisplay()
        program = try TestClient(display.server.name)
        window = TestWindow(program, .init("Alpha"), colour: 0)
        window.map()
    }

    private func popup(of client: TestClient, x: Int32 = 50, size: UInt32 = 60) -> TestWindow {
        var properties = TestWindow.Properties()
        properties.isOverrideRedirect = true
        return TestWindow(client, properties, colour: 0, x: x, width: size, height: size)
    }

    private func hasMenu(_ processes: Set<Int32> = []) throws -> Bool {
        try WindowUse(of: [UInt32(window.id)], on: display.server.name).hasMenu(processes)
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
    @Test func itMayBeOfAnyConnectionOfItsProcesses() throws {
        popup(of: display.client).map()
        #expect(try !hasMenu())
        #expect(try !hasMenu([1]))
        #expect(try hasMenu([getpid()]))
    }

    @Test(arguments: [(-100, 60), (640, 60), (50, 1)])
    func whatIsNotShownCountsWhileTheInputIsGrabbed(x: Int32, size: UInt32) throws {
        popup(of: program, x: x, size: size).map()
        #expect(try !hasMenu())
        program.grabKeyboard()
        #expect(try hasMenu())
        program.releaseKeyboard()
        #expect(try !hasMenu())
        program.grabPointer()
        #expect(try hasMenu())
        // The check has not changed the grabs.
        #expect(display.client.isPointerGrabbed && !display.client.isKeyboardGrabbed)
    }

    /// The processes come from the owners of windows that the X server reports. Program names do not matter.
    @Test(arguments: ["WM_S0", "_NET_WM_CM_S0", "_NET_SUPPORTING_WM_CHECK"])
    func whoManagesOrComposesTheWindowsIsKnown(name: String) throws {
        func managers() throws -> Set<Int32> { try WindowUse(of: [], on: display.server.name).managers() }
        #expect(try managers().isEmpty)
        if name.hasSuffix("CHECK") {
            program.setRoot(name, "WINDOW", [window.id])
        } else {
            program.own(name, with: window)
        }
        #expect(try managers() == [getpid()])
    }

    @Test func theWindowManagerIsKnown() throws {
        let managed = try MonitoredDisplay(.openbox)
        let manager = try #require(managed.manager)
        #expect(try WindowUse(of: [], on: managed.server.name).managers() == [manager.pid])
    }

    @Test func whoHasGrabbedTheInputWithoutAPopupIsNotKnown() throws {
        program.grabPointer()
        #expect(try !hasMenu())
    }
}
