import CXPipeline
import CXlib
import Glibc
import TestDesktop
import Testing

@testable import X11

/// Events that are delivered to another client.
struct DeliveredEventsTests {
    private static func listen(_ display: VirtualDisplay, _ windows: TestWindow...) throws -> DeliveredEvents
    {
        try listen(display, to: Set(windows.map { UInt32($0.id) }))
    }

    private static func listen(_ display: VirtualDisplay, to windows: Set<UInt32>) throws -> DeliveredEvents {
        let observer = try DesktopObserver(Display(display.name))
        guard let begin = observer.deliveredEvents else { throw Failure("the server lacks RECORD") }
        return try begin(windows)
    }

    @Test func aMessageToAWindowIsForAllWindowsOfItsClient() throws {
        let display = try VirtualDisplay()
        let (client, other) = (try TestClient(display.name), try TestClient(display.name))
        let window = TestWindow(client, .init("Alpha"), colour: 0)
        let further = TestWindow(client, .init("Alpha"), colour: 0)
        let beside = TestWindow(other, .init("Beside"), colour: 0)
        let events = try Self.listen(display, window, beside)
        #expect(try events.takeAddressed().isEmpty)
        other.send("WM_PROTOCOLS", to: further)
        var addressed: Set<UInt32> = []
        #expect(
            try waitUntil {
                addressed.formUnion(try events.takeAddressed())
                return !addressed.isEmpty
            })
        #expect(addressed == [UInt32(window.id)])
    }

    /// A tray has embedded its icon.
    @Test(arguments: [false, true]) func aClickOnAWindowInsideAnotherClientsIsForItsClient(isXInput2: Bool)
        throws
    {
        let display = try VirtualDisplay()
        let (client, other) = (try TestClient(display.name), try TestClient(display.name))
        let window = TestWindow(client, .init("Alpha"), colour: 0)
        let (icon, panel) = (TestWindow(client, .init(), colour: 0), TestWindow(other, .init(), colour: 0))
        try isXInput2 ? icon.listenToButtonsOfXInput2() : icon.listenToButtons()
        icon.reparent(into: panel)
        icon.map()
        panel.map()
        let events = try Self.listen(display, window)
        let place = client.middle(of: icon)
        client.movePointer(x: place.x, y: place.y)
        #expect(try events.takeAddressed().isEmpty)
        let click = try Program.run(
            "xdotool", ["click", "1"], package: "xdotool", environment: display.environment)
        #expect(click.code == 0)
        #expect(try waitUntil { try events.takeAddressed() == [UInt32(window.id)] })
    }

    /// Only a device of the machine could touch the display of a test, so the replies are made here.
    @Test func aTouchOfXInput2IsForItsClientFromItsBeginning() throws {
        let display = try VirtualDisplay()
        let client = try TestClient(display.name)
        let events = try Self.listen(display, TestWindow(client, .init("Alpha"), colour: 0))
        var reply = xRecordEnableContextReply()
        reply.length = UInt32(Reply.size / 4)
        reply.idBase = 0x60_0000
        // ButtonPress, ButtonRelease and Motion; TouchBegin, TouchUpdate and TouchEnd.
        for (type, isAddressed) in [(4, true), (5, false), (6, false), (18, true), (19, false), (20, false)] {
            var event = [UInt8](repeating: 0, count: Reply.size)
            event[0] = UInt8(GenericEvent)
            event[8] = UInt8(type)
            let bytes = withUnsafeBytes(of: reply) { Array($0) } + event
            let found = bytes.withUnsafeBytes { bytes in
                events.client(addressedBy: Reply(start: bytes.baseAddress)) { _ in false }
            }
            #expect(found == (isAddressed ? reply.idBase : nil), "the event \(type)")
        }
    }

    /// A typed key goes to the focus, and so does the modifier of a hotkey.
    @Test func onlyAGrabbedKeyIsForItsClient() throws {
        let display = try VirtualDisplay()
        let client = try TestClient(display.name)
        let window = TestWindow(client, .init("Alpha"), colour: 0)
        window.listenToKeys()
        window.map()
        client.setFocus(window.id)
        client.grabKey("F9")
        let events = try Self.listen(display, window)
        func type(_ key: String) throws {
            let typed = try Program.run(
                "xdotool", ["key", key], package: "xdotool", environment: display.environment)
            #expect(typed.code == 0)
        }
        try type("Super_L")
        #expect(waitUntil { client.takeKeyPresses() == [window.id] })
        #expect(try events.takeAddressed().isEmpty)
        try type("F9")
        #expect(try waitUntil { try events.takeAddressed() == [UInt32(window.id)] })
    }

    /// Broadcasts and changes of properties or positions address no client.
    @Test func anEventThatEverybodyGetsAddressesNobody() throws {
        let display = try VirtualDisplay()
        let (client, other) = (try TestClient(display.name), try TestClient(display.name))
        let window = TestWindow(client, .init("Alpha"), colour: 0)
        let further = TestWindow(other, .init("Beta"), colour: 0)
        client.selectRootEvents()
        let events = try Self.listen(display, window, further)
        other.setRoot("_NET_CURRENT_DESKTOP", "CARDINAL", [1])
        other.request("_NET_STARTUP_INFO", window: other.root, [1])
        window.map()
        // Events arrive in order: this one is found, and nothing before it.
        other.send("WM_PROTOCOLS", to: further)
        var addressed: Set<UInt32> = []
        #expect(
            try waitUntil {
                addressed.formUnion(try events.takeAddressed())
                return addressed.contains(UInt32(further.id))
            })
        #expect(addressed == [UInt32(further.id)])
    }

    private static let news: [(type: String, data: [Int], atom: String?)] = [
        ("_NET_WM_FRAME_DRAWN", [], nil), ("_NET_WM_FRAME_TIMINGS", [], nil),
        ("WM_PROTOCOLS", [], "_NET_WM_SYNC_REQUEST"),
        // The window is in its host, the host gets or loses the focus, or shows a dialog.
        ("_XEMBED", [0, 0], nil), ("_XEMBED", [0, 1], nil), ("_XEMBED", [0, 2], nil),
        ("_XEMBED", [0, 5], nil),
        ("_XEMBED", [0, 10], nil), ("_XEMBED", [0, 11], nil),
        ("_GTK_READ_RCFILES", [], nil), ("_GTK_LOAD_ICONTHEMES", [], nil),
        ("_XIM_PROTOCOL", [], nil), ("_XIM_MOREDATA", [], nil),
    ]
    private static let requests: [(type: String, data: [Int], atom: String?)] = [
        ("WM_PROTOCOLS", [], "WM_DELETE_WINDOW"), ("WM_PROTOCOLS", [], "WM_TAKE_FOCUS"),
        ("WM_PROTOCOLS", [], "_NET_WM_PING"), ("XdndEnter", [], nil), ("_XEMBED", [0, 4], nil),
        ("_OF_A_SECOND_START", [], nil),
    ]

    @Test func newsOfTheCompositorTheWindowManagerOrAHostIsNoRequest() throws {
        let display = try VirtualDisplay()
        let (client, other) = (try TestClient(display.name), try TestClient(display.name))
        let window = TestWindow(client, .init("Alpha"), colour: 0)
        let further = TestWindow(other, .init("Beta"), colour: 0)
        let events = try Self.listen(display, window, further)
        for request in Self.requests {
            for (target, messages) in [(window, Self.news), (further, [request])] {
                for (type, data, atom) in messages {
                    other.send(type, to: target, atom.map { [Int(other.atom($0))] } ?? data)
                }
            }
            var addressed: Set<UInt32> = []
            // Events arrive in order: the request is found, and nothing before it.
            #expect(
                try waitUntil {
                    addressed.formUnion(try events.takeAddressed())
                    return addressed.contains(UInt32(further.id))
                }, "\(request)")
            #expect(addressed == [UInt32(further.id)], "\(request)")
            #expect(try events.takeAddressed().isEmpty, "\(request)")
        }
    }

    /// A second start writes to a window that nobody manages.
    @Test func aPropertyOfAManagedWindowIsThatOfTheWindowManager() throws {
        let display = try VirtualDisplay()
        let client = try TestClient(display.name)
        let dialog = TestWindow(client, .init("Alpha"), colour: 0)
        let events = try Self.listen(display, dialog)
        dialog.listenToProperties()
        for isManaged in [true, false] {
            dialog.setWords("_NET_WM_DESKTOP", "CARDINAL", [1])
            var asked: Set<UInt32> = []
            var addressed: Set<UInt32> = []
            #expect(
                try waitUntil {
                    let new = try events.takeAddressed { window in
                        asked.insert(window)
                        return isManaged
                    }
                    addressed.formUnion(new)
                    return !asked.isEmpty
                })
            #expect(addressed == (isManaged ? [] : [UInt32(dialog.id)]))
        }
    }

    /// The loop handles signals and timers meanwhile.
    @Test func aFloodIsReadInParts() throws {
        let display = try VirtualDisplay()
        let client = try TestClient(display.name)
        let window = TestWindow(client, .init("Alpha"), colour: 0)
        window.listenToProperties()
        let events = try Self.listen(display, window)
        for number in 1...3_000 { window.setWords("_NET_WM_DESKTOP", "CARDINAL", [UInt(number % 4)]) }
        client.sync()
        #expect(
            try waitUntil {
                _ = try events.takeAddressed(most: 2) { _ in true }
                return events.mayHaveMore
            })
        client.send("WM_PROTOCOLS", to: window)
        var addressed: Set<UInt32> = []
        #expect(
            try waitUntil {
                addressed.formUnion(try events.takeAddressed { _ in true })
                return !addressed.isEmpty
            })
        #expect(!events.mayHaveMore)
    }

    @Test func withoutRECORDThereIsNone() throws {
        let display = try ObservedDisplay(arguments: ["-extension", "RECORD"])
        let isThere = display.observer.deliveredEvents != nil
        #expect(!isThere)
    }

    /// The events of the other clients would not be recorded either.
    @Test func aClientThatIsGoneIsAFault() throws {
        let display = try VirtualDisplay()
        let events = try Self.listen(display, to: [0x7E0_0001])
        #expect(waitUntil { (try? events.takeAddressed()) == nil })
    }

    /// The connection stays, and nothing comes any longer.
    @Test(arguments: VirtualDisplay.RecordRequest.allCases)
    func aRecordingThatAnotherClientEndsIsAFault(request: VirtualDisplay.RecordRequest) throws {
        let display = try VirtualDisplay()
        let client = try TestClient(display.name)
        let events = try Self.listen(display, TestWindow(client, .init("Alpha"), colour: 0))
        #expect(try events.takeAddressed().isEmpty)
        try display.endRecordings(by: request)
        #expect(waitUntil { (try? events.takeAddressed()) == nil })
    }

    @Test func theEndOfTheServerIsAFault() throws {
        let display = try VirtualDisplay()
        let client = try TestClient(display.name)
        let events = try Self.listen(display, TestWindow(client, .init("Alpha"), colour: 0))
        #expect(try events.takeAddressed().isEmpty)
        try display.crash()
        #expect(waitUntil { (try? events.takeAddressed()) == nil })
    }
}

extension DeliveredEvents {
    /// Without a window manager.
    fileprivate func takeAddressed() throws -> Set<UInt32> { try takeAddressed { _ in false } }
}
