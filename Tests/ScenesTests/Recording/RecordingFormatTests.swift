import PhaseWatch
import TestDesktop
import Testing

@testable import Recording
@testable import Scenes

@Suite struct RecordingFormatTests {
    private static let header =
        #"{"xphase-recording":2,"header":{"program":"0.1.0","server":"X 1","extensions":[],"managers":[""],"#
        + #""screenCount":1,"start":{"seconds":1000,"nanoseconds":0},"isRedacted":false,"hasTitles":false}}"#

    private static func look(_ text: String) -> String { #"{"at":1,"look":{\#(text)}}"# }

    private static func screen(_ number: Int, _ lists: String) -> String {
        look(#""screens":[{"number":\#(number),\#(lists)}]"#)
    }

    /// Returns a look with one new window.
    private static func window(
        place: String = "[0,0,9,9]", mapState: Int = 2, state: Int = 1, screen: Int = 0, pid: Int = 1
    ) -> String {
        look(
            #""windows":[{"id":{"xid":7,"generation":1},"place":\#(place),"screen":\#(screen),"pid":\#(pid),"#
                + #""mapState":\#(mapState),"state":\#(state),"states":0,"kind":0,"depth":24,"isInputOnly":false,"#
                + #""isOverrideRedirect":false,"withdrewItself":false,"wasManaged":true}]"#)
    }

    private func events(_ lines: [String]) throws -> [Event] {
        try events(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    private func events(_ bytes: [UInt8]) throws -> [Event] {
        var rest: [UInt8]? = bytes
        let replay = try Replay(PhaseMonitor.Options(occlusion: .seconds(2))) {
            defer { rest = nil }
            return rest ?? []
        }
        var events: [Event] = []
        while let step = try replay.next() { events += step.events }
        return events
    }

    private func fault(_ bytes: [UInt8]) -> String? {
        do {
            _ = try events(bytes)
            return nil
        } catch {
            return (error as? RecordingFault)?.description ?? "\(error)"
        }
    }

    private static let noJSON = "2: it is not JSON, or a number is out of range"
    private static let bad: [(String, String)] = [
        (window(), "3: it was cut off before its last line"),
        ("{}", "2: at: it is missing"),
        ("[]", "2: Expected to decode Dictionary"),
        (#"{"at":5}"# + "\n" + #"{"at":4}"#, "3: its time is before that of the line above"),
        (#"{"at":-1}"#, "2: its time is before that of the line above"),
        (#"{"at":9223372036854775807}"#, "2: its time is out of range"),
        (#"{"at":1,"calendar":{"seconds":1,"nanoseconds":1000000000}}"#, "2: its time is out of range"),
        (#"{"at":99999999999999999999}"#, noJSON),
        (#"{"at":1} x"#, noJSON),
        (#"{"at":1,"more":"# + String(repeating: "[", count: 5_000), noJSON),
        (look(#""gone":[4294967296]"#), noJSON),
        (look(#""texts":[{"window":8,"facts":{}}]"#), "2: window 0x8 is not known"),
        (window(screen: 1), "2: window 0x7 has a screen or a process that cannot be"),
        (window(pid: -1), "2: window 0x7 has a screen or a process that cannot be"),
        (window(mapState: 3), "2: look.windows[0].mapState: "),
        (window(state: 2), "2: look.windows[0].state: "),
        (window(place: "[0,0,-1,1]"), "2: look.windows[0].place[4]: A number of [0, 0, -1, 1] is out of"),
        (window(place: "[0,0,1]"), "2: look.windows[0].place[3]: "),
        (
            look(#""children":[{"window":7,"facts":{"isMapped":true}}]"#),
            "2: child 0x7 of the root window is not known"
        ),
        (
            screen(0, #""children":[{"at":0,"removed":0,"inserted":[0]}]"#),
            "2: a child of the root window has no id"
        ),
        (
            screen(0, #""stacking":[{"at":0,"removed":1,"inserted":[]}]"#),
            "2: a change is outside of its list, or the list is too long"
        ),
        (screen(1, #""stacking":[]"#), "2: there is no screen 1"),
        (look(#""focus":{"elsewhere":{"screen":1}}"#), "2: the focus is on screen 1"),
        (#"{"at":1,"notice":{"name":"one"}}"#, "2: notice.text: it is missing"),
        (
            #"{"at":1,"notice":{"name":"","text":""# + String(repeating: "x", count: 1 << 17) + #""}}"#,
            "2: a text is too long"
        ),
    ]

    @Test(arguments: bad)
    func whatIsWrongIsReportedWithItsLine(text: String, fault: String) {
        let found = self.fault(Array((Self.header + "\n" + text + "\n").utf8))
        #expect(found?.hasPrefix(fault) == true, "\(found ?? "no fault")")
    }

    @Test func whatIsNoRecordingIsReported() {
        let foreign = "1: this is not a recording: 'xphase record' makes one"
        for text in ["hello\n", "{}\n", "[1]\n", "{\"v\":1,\"seq\":1}\n", "\u{7F}ELF\n", "\n"] {
            #expect(fault(Array(text.utf8)) == foreign)
        }
        #expect(fault([]) == "1: this is not a recording: the file is empty")
        #expect(fault([0xFF, 0xFE]) == "1: this is not a recording: it has no complete line")
        let others = [
            #"{"xphase-recording":1,"xphase":"0.1.0","screens":1}"#: 1, #"{"xphase-recording":7}"#: 7,
        ]
        for (line, version) in others {
            let fault = fault(Array((line + "\n").utf8))
            #expect(
                fault?.hasPrefix("1: it is a recording of version \(version), and this xphase reads") == true)
            #expect(fault?.hasSuffix("replay it with the xphase that made it, or record it again") == true)
        }
    }

    @Test func whatIsCutOffIsReported() {
        #expect(fault(Array((Self.header + "\n").utf8)) == "2: it was cut off before its last line")
        let cut = Array((Self.header + "\n" + #"{"at":1"#).utf8)
        #expect(fault(cut) == "2: it was cut off in the middle of this line")
    }

    /// Additions by a newer xphase without a new format version are ignored, and so is whitespace.
    @Test func whatIsNotKnownIsLeftOut() throws {
        let events = try events([
            Self.header,
            #"{ "at" : 1, "new":{"a":[1,{"b":null}]}, "notice": {"name":"server","text":"it \u0041\ud83d\ude00"} }"#,
            #"{"at":2,"isEnd":true}"#,
        ])
        #expect(events == [.notice(Notice(name: "server", text: "it A😀"))])
    }

    @Test func tenThousandWindowsInOneLine() throws {
        var desktop = Desktop.managed()
        for xid in 1...10_000 as ClosedRange<UInt32> {
            var window = SeenWindow.client(WindowID(xid, generation: xid))
            window.className = "Class \(xid % 100)"
            desktop.add(window)
        }
        var writer = LookWriter(RecordingHeader(), at: 0, time: .init(seconds: 1_000, nanoseconds: 0))
        var bytes = writer.write(desktop, at: 0, time: .init(seconds: 1_000, nanoseconds: 0))
        bytes += writer.end(at: 1, time: .init(seconds: 1_000, nanoseconds: 0))
        #expect(bytes.count > 1 << 20)
        let scenes = try events(bytes).compactMap(\.change).filter { $0.level == .scene }
        #expect(scenes.count == 10_000)
    }

    /// Frequent changes take few bytes with any number of windows: a day of ordinary use must stay under a few MB.
    @Test func aLineHasOnlyWhatIsNew() {
        var desktop = Desktop.managed()
        for xid in 1...200 as ClosedRange<UInt32> {
            var window = SeenWindow.client(WindowID(xid))
            (window.className, window.title) = ("Class \(xid)", "A title of the usual length, \(xid)")
            desktop.add(window)
        }
        var writer = LookWriter(RecordingHeader(), at: 0, time: .init(seconds: 1_000, nanoseconds: 0))
        var now: Int64 = 0
        func size() -> Int {
            now += 3_600_000_000_000
            return writer.write(
                desktop, at: now,
                time: .init(seconds: 1_000 + Int(now / 1_000_000_000), nanoseconds: 0)
            )
            .count
        }
        #expect(size() > 20_000)
        desktop.inputFocus = .window(7)
        #expect(size() < 70)
        desktop.screens[0].activeWindow = 7
        #expect(size() < 350)
        desktop.edit(7) { $0.title = "Another title, as long as they are" }
        #expect(size() < 150)
        var window = SeenWindow.client(WindowID(1_000))
        (window.className, window.instanceName, window.title) = (
            "Class", "class", "A title of the usual length"
        )
        desktop.add(window)
        #expect(size() < 650)
    }

    @Test(arguments: 1...4)
    func everyFactIsReadAsItWasWritten(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var desktop = Desktop(screens: [Screen(root: 1), Screen(root: 2)])
        var writer = LookWriter(RecordingHeader(), at: 5, time: .init(seconds: 1_000, nanoseconds: 0))
        var lines = LineSplitter()
        var bytes = writer.write(desktop, at: 5, time: .init(seconds: 1_000, nanoseconds: 0))
        let read = {
            defer { bytes = [] }
            return bytes
        }
        var reader = try LookReader(#require(try lines.next(read)))
        for step in 1...2_000 as ClosedRange<Int64> {
            let line = try #require(try lines.next(read))
            try reader.take(#require(reader.line(line).look))
            if let difference = reader.desktop.difference(from: desktop) {
                Issue.record("seed \(seed), step \(step): \(difference)")
                return
            }
            for _ in 0..<3 { desktop.changeAnything(&random) }
            bytes = writer.write(
                desktop, at: 5 + step, time: .init(seconds: 1_000, nanoseconds: 0))
        }
    }

    @Test func standInsAreStableAndSayNothing() throws {
        var desktop = Desktop.managed()
        for (xid, name) in [(1, "Secret"), (2, "Secret"), (3, "Hidden")] as [(UInt32, String)] {
            var window = SeenWindow.client(WindowID(xid))
            (window.className, window.instanceName, window.title) = (name, "Secret", "\(name) \(xid)")
            (window.executable, window.text.desktopName) = ("secretd", "Hidden")
            window.ownerClass = "Secret"
            desktop.add(window)
        }
        var header = RecordingHeader()
        header.isRedacted = true
        var writer = LookWriter(header, at: 0, time: .init(seconds: 1_000, nanoseconds: 0))
        var bytes = writer.write(desktop, at: 0, time: .init(seconds: 1_000, nanoseconds: 0))
        desktop.edit(3) { $0.className = "Secret" }
        bytes += writer.write(
            desktop, at: 1_000_000_000, time: .init(seconds: 1_001, nanoseconds: 0))
        bytes += writer.end(at: 2_000_000_000, time: .init(seconds: 1_002, nanoseconds: 0))
        let text = String(decoding: bytes, as: UTF8.self)
        for word in ["Secret", "Hidden", "secretd"] { #expect(!text.contains(word)) }
        let names = try events(bytes).compactMap(\.change).filter { $0.level == .application }.map(
            \.application)
        #expect(Set(names) == ["name-1", "name-3"])
        #expect(names.last == "name-3")
    }

    /// Raising or lowering a window must not write the whole order.
    @Test func aRaiseIsOneMove() {
        let order = Array(1...300 as ClosedRange<UInt32>)
        let raised = order.filter { $0 != 7 } + [7]
        let lowered = [200] + order.filter { $0 != 200 }
        for other in [raised, lowered] {
            let edits = ListEdit.edits(from: order, to: other)
            #expect(edits?.map(\.inserted.count) == [0, 1])
        }
    }

    /// The realtime clock is set, and the machine is suspended.
    @Test func theTimeIsThatOfTheCalendar() throws {
        var writer = LookWriter(
            RecordingHeader(), at: 0, time: .init(seconds: 1_000, nanoseconds: 900_000_000))
        var bytes: [UInt8] = []
        for (now, time) in [(200_000_000, 1_001), (300_000_000, 5_000)] as [(Int64, Int)] {
            bytes += writer.write(
                Notice(name: "resumed", text: ""), at: now,
                time: .init(seconds: time, nanoseconds: 100_000_000))
        }
        bytes += writer.end(at: 2_300_000_000, time: .init(seconds: 5_002, nanoseconds: 100_000_000))
        var rest: [UInt8]? = bytes
        let replay = try Replay(PhaseMonitor.Options()) {
            defer { rest = nil }
            return rest ?? []
        }
        var times: [Int] = []
        while let step = try replay.next() {
            times.append(step.time.seconds * 10 + step.time.nanoseconds / 100_000_000)
        }
        #expect(times == [10_011, 50_001, 50_021])
    }
}
