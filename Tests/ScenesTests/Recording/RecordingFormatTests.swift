import PhaseWatch
import TestDesktop
import Testing

@testable import Recording
@testable import Scenes

@Suite struct RecordingFormatTests {
    private static let header =
        #"{"xphase-recording":1,"xphase":"0.1.0","server":"X 1","extensions":[],"managers":[""],"screens":1,"#
        + #""time":[1000,0],"redacted":false,"titles":false,"idle":null}"#

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
        while let step = try replay.next() { events += step.batch }
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

    private static let bad: [(String, String)] = [
        ("", "2: it was cut off before its last line"),
        (#"{"t":1"#, "2: it was cut off in the middle of this line"),
        ("{}\n", "2: it does not begin with its time"),
        (#"{"end":true,"t":5}"# + "\n", "2: it does not begin with its time"),
        ("[]\n", "2: an object is missing at byte 1"),
        ("{\"t\":5}\n{\"t\":4}\n", "3: its time is before that of the line above"),
        ("{\"t\":-1}\n", "2: -1 is not from 0 to 3200000000000000000"),
        ("{\"t\":99999999999999999999}\n", "2: a number is too large"),
        ("{\"t\":1.5}\n", "2: a whole number is missing at byte 7"),
        ("{\"t\":1} x\n", "2: the end of the line is missing at byte 9"),
        (#"{"t":1,"windows":[{"id":7}]}"# + "\n", "2: window 0x7 is not known"),
        (#"{"t":1,"windows":[{"new":7}]}"# + "\n", "2: a window does not begin with its id"),
        (
            #"{"t":1,"windows":[{"id":7,"new":1},{"id":7,"new":2}]}"# + "\n",
            "2: window 0x7 comes, but is there already"
        ),
        (#"{"t":1,"windows":[{"id":7,"new":1,"screen":1}]}"# + "\n", "2: 1 is not from 0 to 0"),
        (#"{"t":1,"windows":[{"id":7,"new":1,"map":9}]}"# + "\n", "2: 9 is not from 0 to 2"),
        (#"{"t":1,"windows":[{"id":7,"new":1,"state":2}]}"# + "\n", "2: 2 is no WM_STATE"),
        (#"{"t":1,"windows":[{"id":7,"new":1,"place":[0,0,-1,1]}]}"# + "\n", "2: a rectangle has no size"),
        (#"{"t":1,"windows":[{"id":7,"new":1,"place":[0,0,1]}]}"# + "\n", "2: a list is too short"),
        (#"{"t":1,"children":[{"id":7,"above":0}]}"# + "\n", "2: child 0x7 of the root window is not known"),
        (
            #"{"t":1,"children":[{"id":7,"screen":0},{"id":7,"screen":0}]}"# + "\n",
            "2: child 0x7 of the root window comes, but is there already"
        ),
        (#"{"t":1,"screens":[{"n":0,"clients":[0,1]}]}"# + "\n", "2: a list is changed where it has nothing"),
        (#"{"t":1,"screens":[{"n":0,"stacking":[0,0,-1]}]}"# + "\n", "2: a window has a number below 0"),
        (#"{"t":1,"screens":[{"root":1}]}"# + "\n", "2: a screen does not begin with its number"),
        (#"{"t":1,"focus":[2,1]}"# + "\n", "2: the focus is nowhere"),
        (#"{"t":1,"notice":["one"]}"# + "\n", "2: a notice is a name and a text"),
        (#"{"t":1,"more":"\ud800"}"# + "\n", "2: a string has an escape that stands for no character"),
        (#"{"t":1,"more":"\ud83d\ude0"}"# + "\n", "2: a string has an escape that stands for no character"),
        (
            "{\"t\":1,\"more\":" + String(repeating: "[", count: 5_000),
            "2: it was cut off in the middle of this line"
        ),
        (
            "{\"t\":1,\"more\":" + String(repeating: "[", count: 5_000) + "\n",
            "2: values are nested too deeply"
        ),
        (
            "{\"t\":1,\"more\":\"" + String(repeating: "x", count: 1 << 20) + "\"}\n",
            "2: a string is too long"
        ),
    ]

    @Test(arguments: bad)
    func whatIsWrongIsToldWithItsLine(text: String, fault: String) {
        #expect(self.fault(Array((Self.header + "\n" + text).utf8)) == fault)
    }

    @Test func whatIsNoRecordingIsToldSo() {
        let foreign = "1: this is no recording: 'xphase record' makes one"
        for text in ["hello\n", "{}\n", "[1]\n", "{\"v\":1,\"seq\":1}\n", "\u{7F}ELF\n", "\n"] {
            #expect(fault(Array(text.utf8)) == foreign)
        }
        #expect(fault([]) == "1: this is no recording: the file is empty")
        #expect(fault([0xFF, 0xFE]) == "1: this is no recording: it has no whole line")
        let newer = Self.header.replacing("recording\":1", with: "recording\":7")
        #expect(fault(Array((newer + "\n").utf8))?.hasPrefix("1: it is a recording of version 7") == true)
        let utf8 =
            Array((Self.header + "\n{\"t\":1,\"notice\":[\"a\",\"").utf8) + [0xFF] + Array("\"]}\n".utf8)
        #expect(fault(utf8) == "2: a string is not UTF-8")
    }

    /// What a newer xphase adds without another version is left out, and spaces mean nothing.
    @Test func whatIsNotKnownIsLeftOut() throws {
        let events = try events([
            Self.header,
            #"{ "t" : 1, "new":{"a":[1,{"b":null}],"c":"\n\"é"}, "notice": ["server", "it \u0041\ud83d\ude00"] }"#,
            #"{"t":2,"end":true}"#,
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
        var writer = LookWriter(RecordingHeader(), at: 0, time: (1_000, 0))
        var bytes = writer.write(desktop, touched: nil, at: 0, time: (1_000, 0))
        bytes += writer.end(at: 1, time: (1_000, 0))
        #expect(bytes.count > 1 << 20)
        let scenes = try events(bytes).compactMap(\.change).filter { $0.level == .scene }
        #expect(scenes.count == 10_000)
    }

    /// What happens often takes few bytes, however many windows there are: a day of ordinary use must stay under a few MB.
    @Test func aLineHasOnlyWhatIsNew() {
        var desktop = Desktop.managed()
        for xid in 1...200 as ClosedRange<UInt32> {
            var window = SeenWindow.client(WindowID(xid))
            (window.className, window.title) = ("Class \(xid)", "A title of the usual length, \(xid)")
            desktop.add(window)
        }
        var writer = LookWriter(RecordingHeader(), at: 0, time: (1_000, 0))
        var now: Int64 = 0
        func size() -> Int {
            now += 3_600_000_000_000
            return writer.write(desktop, touched: nil, at: now, time: (1_000 + Int(now / 1_000_000_000), 0))
                .count
        }
        #expect(size() > 20_000)
        desktop.inputFocus = .window(7)
        #expect(size() < 50)
        desktop.screens[0].activeWindow = 7
        #expect(size() < 60)
        desktop.edit(7) { $0.title = "Another title, as long as they are" }
        #expect(size() < 120)
        var window = SeenWindow.client(WindowID(1_000))
        (window.className, window.instanceName, window.title) = (
            "Class", "class", "A title of the usual length"
        )
        desktop.add(window)
        #expect(size() < 500)
    }

    /// The desktop that is read is the one that was written, whatever changed in it.
    @Test(arguments: 1...4)
    func everyFactIsReadAsItWasWritten(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var desktop = Desktop(screens: [Screen(root: 1), Screen(root: 2)])
        var writer = LookWriter(RecordingHeader(), at: 5, time: (1_000, 0))
        var lines = LineSplitter()
        var bytes = writer.write(desktop, touched: nil, at: 5, time: (1_000, 0))
        let read = {
            defer { bytes = [] }
            return bytes
        }
        var reader = try LookReader(#require(try lines.next(read)))
        for step in 1...2_000 as ClosedRange<Int64> {
            let line = try #require(try lines.next(read))
            _ = try reader.read(line, at: try reader.time(of: line).now)
            if let difference = reader.desktop.difference(from: desktop) {
                Issue.record("seed \(seed), step \(step): \(difference)")
                return
            }
            for _ in 0..<3 { desktop.changeAnything(&random) }
            bytes = writer.write(desktop, touched: nil, at: 5 + step, time: (1_000, 0))
        }
    }

    @Test func standInsAreStableAndSayNothing() throws {
        var desktop = Desktop.managed()
        for (xid, name) in [(1, "Secret"), (2, "Secret"), (3, "Hidden")] as [(UInt32, String)] {
            var window = SeenWindow.client(WindowID(xid))
            (window.className, window.instanceName, window.title) = (name, "Secret", "\(name) \(xid)")
            window.executable = "secretd"
            desktop.add(window)
        }
        var header = RecordingHeader()
        header.isRedacted = true
        var writer = LookWriter(header, at: 0, time: (1_000, 0))
        var bytes = writer.write(desktop, touched: nil, at: 0, time: (1_000, 0))
        desktop.edit(3) { $0.className = "Secret" }
        bytes += writer.write(desktop, touched: nil, at: 1_000_000_000, time: (1_001, 0))
        bytes += writer.end(at: 2_000_000_000, time: (1_002, 0))
        let text = String(decoding: bytes, as: UTF8.self)
        for word in ["Secret", "Hidden", "secretd"] { #expect(!text.contains(word)) }
        let names = try events(bytes).compactMap(\.change).filter { $0.level == .application }.map(
            \.application)
        #expect(Set(names) == ["name-1", "name-3"])
        #expect(names.last == "name-3")
    }

    /// A window that is raised, or two, must not have the whole order written.
    @Test func aRaiseIsOneMove() {
        let order = Array(1...300 as ClosedRange<UInt32>)
        let raised = order.filter { $0 != 7 } + [7]
        let lowered = [200] + order.filter { $0 != 200 }
        #expect(Restacking(from: order, to: raised).isPut.count { $0 } == 1)
        #expect(Restacking(from: order, to: lowered).isPut.count { $0 } == 1)
        #expect(ListEdit.numbers(from: order, to: raised) == [6, 294, -1])
        #expect(ListEdit.numbers(from: order, to: lowered) == [0, 200, -2])
    }

    /// The clock of the calendar is set, and the machine sleeps.
    @Test func theTimeIsThatOfTheCalendar() throws {
        var writer = LookWriter(RecordingHeader(), at: 0, time: (1_000, 900_000_000))
        var bytes: [UInt8] = []
        for (now, time) in [(200_000_000, 1_001), (300_000_000, 5_000)] as [(Int64, Int)] {
            bytes += writer.write(Notice(name: "resumed", text: ""), at: now, time: (time, 100_000_000))
        }
        bytes += writer.end(at: 2_300_000_000, time: (5_002, 100_000_000))
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
