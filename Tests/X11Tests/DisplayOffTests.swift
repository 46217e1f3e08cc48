import CXPipeline
import Scenes
import TestDesktop
import Testing

@testable import X11

/// Whether the display is off, according to MIT-SCREEN-SAVER.
struct DisplayOffTests {
    private let display: ObservedDisplay

    init() throws {
        display = try ObservedDisplay()
        display.observer.follow(SessionOptions())
        _ = try display.seen()
    }

    private func displayOff(after program: String, _ arguments: String...) throws -> Session.DisplayOff? {
        try display.run(program, arguments)
        return try display.seen().session.displayOff
    }

    @Test func theSaverBlanksTheDisplayUntilAKeyIsPressed() throws {
        #expect(try display.seen().session.displayOff == nil)
        #expect(try displayOff(after: "xset", "s", "activate") == .blanked)
        #expect(try displayOff(after: "xdotool", "key", "a") == nil)
        #expect(try displayOff(after: "xset", "s", "activate") == .blanked)
        #expect(try displayOff(after: "xset", "s", "reset") == nil)
    }

    @Test func aSaverThatShowsThePatternOfTheServerHidesTheWindowsToo() throws {
        try display.run("xset", ["s", "noblank"])
        #expect(try displayOff(after: "xset", "s", "activate") == .blanked)
    }

    /// The states off, on, cycle and disabled, and the kinds blanked, internal and external. Without DPMS, the monitor
    /// counts as on.
    @Test func onlyTheKnownStatesAndKindsOfTheSaverHide() throws {
        for state in UInt8(0)...4 {
            for kind in UInt8(0)...3 {
                display.observer.note(DisplayEvent(.saver(state, kind), of: UInt32(display.client.root)))
                let isHidden = (1...2).contains(state) && kind < 2
                let displayOff = try display.seen().session.displayOff
                #expect(displayOff == (isHidden ? .blanked : nil), "\(state), \(kind)")
            }
        }
    }

    @Test func aSaverThatIsOnAlreadyIsFound() throws {
        try display.run("xset", ["s", "activate"])
        let late = try DesktopObserver(Display(display.server.name), host: .here)
        late.follow(SessionOptions())
        #expect(try late.refreshNow().session.displayOff == .blanked)
        late.follow(SessionOptions(states: [.away, .lock]))
        #expect(try late.refreshNow().session.displayOff == nil)
        late.follow(SessionOptions(states: [.displayOff]))
        #expect(try late.refreshNow().session.displayOff == .blanked)
    }

    @Test func withoutAMonitorNothingIsShown() {
        display.observer.desktop.screen.monitors = []
        display.observer.session.findDisplayOff()
        #expect(display.observer.desktop.session.displayOff == .noMonitor)
    }

    @Test func whoDoesNotAskGetsNothing() throws {
        display.observer.follow(SessionOptions(states: []))
        _ = try display.seen()
        try display.run("xset", ["s", "activate"])
        display.client.sync()
        var count = 0
        try display.observer.display.drain { _ in count += 1 }
        #expect(count == 0)
    }

    /// Power management has switched the monitor off. A proxy provides DPMS, which Xvfb lacks.
    @Test func aSaverThatIsLeftToAClientHidesWhereTheMonitorIsOff() throws {
        let monitor = try DPMSDisplay(display.server)
        let observer = try DesktopObserver(Display(monitor.name), host: .here)
        #expect(observer.extensions[.dpms] != nil)
        observer.follow(SessionOptions())
        let client = try Program(
            "python3", ["-c", Self.attributes, display.server.name], package: "python3")
        #expect(try client.output.next() == "ready")
        /// The proxy may delay events.
        func comes(_ displayOff: Session.DisplayOff?, after arguments: String...) throws -> Bool {
            try display.run("xset", arguments)
            return try waitUntil {
                try observer.noteEvents()
                let desktop = try observer.refreshNow()
                let isOn = arguments[1] != "reset"
                return observer.session.saver?.isOn == isOn && desktop.session.displayOff == displayOff
            }
        }
        #expect(try comes(nil, after: "s", "reset"))
        monitor.setLevel(DPMSModeOff)
        #expect(try comes(.poweredDown, after: "s", "activate"))
        #expect(try comes(nil, after: "s", "reset"))
        monitor.setLevel(DPMSModeOn)
        #expect(try comes(nil, after: "s", "activate"))
    }

    @Test func theWordOfAClientAboutTheSaverIsNotBelieved() throws {
        let client = try Program("python3", ["-c", Self.lie, display.server.name], package: "python3")
        #expect(try client.output.next() == "ready")
        #expect(try display.seen().session.displayOff == nil)
    }

    /// Connects to a display without authorization. `saver` holds the opcode and the first event of the extension.
    private static let connection = """
        import socket, struct, sys
        display = socket.socket(socket.AF_UNIX)
        display.connect("/tmp/.X11-unix/X" + sys.argv[1][1:])
        display.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        setup = display.recv(8)
        setup = display.recv(4 * struct.unpack("<H", setup[6:8])[0], socket.MSG_WAITALL)
        vendor, = struct.unpack_from("<H", setup, 16)
        root, = struct.unpack_from("<I", setup, 32 + (vendor + 3) // 4 * 4 + 8 * setup[21])
        name = b"MIT-SCREEN-SAVER"
        display.sendall(struct.pack("<BxHHxx", 98, 2 + len(name) // 4, len(name)) + name)
        saver = display.recv(32, socket.MSG_WAITALL)[9:11]
        def finish():
            display.sendall(struct.pack("<BxH", 43, 1))
            display.recv(32, socket.MSG_WAITALL)
            print("ready", flush=True)
            display.recv(32)

        """

    /// ScreenSaverSetAttributes: the client provides the window of the saver.
    private static let attributes =
        connection + """
            display.sendall(struct.pack("<BBHIhhHHHBBII", saver[0], 3, 7, root, 0, 0, 9, 9, 0, 0, 0, 0, 0))
            finish()
            """

    /// SendEvent: ScreenSaverNotify, on and blanked, to clients that select SubstructureNotify on the root window.
    private static let lie =
        connection + """
            event = struct.pack("<BBHIIIBB", saver[1], 1, 0, 0, root, 0, 0, 0).ljust(32, bytes(1))
            display.sendall(struct.pack("<BBHII", 25, 0, 11, root, 1 << 19) + event)
            finish()
            """
}
