import PhaseWatch
import TestDesktop
import Testing

@testable import Recording
@testable import Scenes

@Suite struct RecordingFormatTests {
    private static let header =
        #"{"xphase-recording":5,"header":{"program":"0.1.0","server":"X 1","isRedacted":false}}"# + "\n"

    private static let screen =
        #"{"root":1,"bounds":[0,0,640,480],"selectionOwner":0,"wasRewritten":false,"stacking":[],"#
        + #""isShowingDesktop":false,"isComposited":false,"isOwnCompositor":false}"#

    private static func look(_ text: String) -> String {
        #"{"at":1,"look":{"screen":\#(screen),\#(text)}}"#
    }

    /// Returns a look with one new window.
    private static func window(
        geometry: String = "[0,0,9,9]", mapState: Int = 2, state: Int = 1, pid: Int = 1
    ) -> String {
        let facts = facts(geometry: geometry, mapState: mapState, state: state, pid: pid)
        return look(#""windows":[{"text":{},"facts":\#(facts)}]"#)
    }

    private static func facts(
        geometry: String = "[0,0,9,9]", mapState: Int = 2, state: Int = 1, pid: Int = 1
    ) -> String {
        #"{"id":{"xid":7,"generation":1},"client":0,"geometry":\#(geometry),"pid":\#(pid),"#
            + #""mapState":\#(mapState),"state":\#(state),"states":0,"kind":0,"depth":24,"isInputOnly":false,"#
            + #""isTranslucent":false,"isOverrideRedirect":false,"withdrewItself":false,"wasManaged":true}"#
    }

    /// Replays lines, of which each read returns a part.
    private func steps(_ bytes: [UInt8]) throws -> [Replay.Moment] {
        var rest = bytes[...]
        let replay = try Replay(PhaseMonitor.Options(occlusion: .seconds(2))) {
            defer { rest = rest.dropFirst(100) }
            return Array(rest.prefix(100))
        }
        var steps: [Replay.Moment] = []
        while let step = try replay.next() { steps.append(step) }
        return steps
    }

    private func fault(_ text: String) -> String? {
        do {
            _ = try steps(Array(text.utf8))
            return nil
        } catch {
            return (error as? RecordingFault)?.description ?? "\(error)"
        }
    }

    /// These lines have only the keys that must be there. A further one would have to be optional: old recordings lack it.
    @Test func aNewFieldThatIsNotOptionalWouldMakeAllRecordingsUnreadable() {
        let session = #"{"isAway":false,"isIdle":false}"#
        let lines = [
            Self.window(),
            Self.look(
                #""order":[7],"children":[\#(Self.facts())],"session":\#(session),"focus":{"window":{"_0":7}}"#
            ),
            #"{"at":2,"notice":{"name":"a","text":"b"}}"#, #"{"at":3,"isEnd":true}"#,
        ]
        #expect(fault(Self.header + lines.map { $0 + "\n" }.joined()) == nil)
    }

    private static let monitors =
        #","monitors":["# + Array(repeating: "[0,0,1,1]", count: 1_001).joined(separator: ",") + "]}"
    private static let noJSON = "2: it is not JSON, or a number is out of range"
    private static let bad: [(String, String)] = [
        (window(), "3: it was cut off before its last line"),
        ("{}", "2: at: it is missing"),
        ("[]", "2: Expected to decode Dictionary"),
        (look(#""gone":[]"#) + "\n" + #"{"at":0}"#, "3: its time is before that of the line above"),
        (#"{"at":-1}"#, "2: its time is before that of the line above"),
        (#"{"at":9223372036854775807}"#, "2: its time is out of range"),
        (#"{"at":1,"calendar":{"seconds":1,"nanoseconds":1000000000}}"#, "2: its time is out of range"),
        (#"{"at":99999999999999999999}"#, noJSON),
        (#"{"at":1} x"#, noJSON),
        (#"{"at":1,"more":"# + String(repeating: "[", count: 5_000), noJSON),
        (look(#""gone":[4294967296]"#), noJSON),
        (window(pid: -1), "2: window 0x7 has an invalid process ID"),
        (window(mapState: 3), "2: look.windows[0].facts.mapState: "),
        (window(state: 2), "2: look.windows[0].facts.state: "),
        (
            window(geometry: "[0,0,-1,1]"),
            "2: look.windows[0].facts.geometry[4]: A number of [0, 0, -1, 1] is"
        ),
        (window(geometry: "[0,0,1]"), "2: look.windows[0].facts.geometry[3]: "),
        (
            look(#""children":[\#(facts())]"#),
            "2: 0x7 is no child of the root window"
        ),
        (look(#""order":[1,0]"#), "2: a child of the root window has no id"),
        (look(#""order":[1,2,1]"#), "2: a child of the root window is listed twice"),
        (#"{"at":1,"look":{"focus":{"none":{}}}}"#, "2: the first look has no screen"),
        (
            #"{"at":1,"look":{"screen":\#(screen.replacing("}", with: monitors))}}"#,
            "2: there are too many monitors"
        ),
        (#"{"at":1,"notice":{"name":"one"}}"#, "2: notice.text: it is missing"),
    ]

    @Test(arguments: bad)
    func aWrongRecordingIsReportedWithItsLine(text: String, fault: String) {
        let found = self.fault(Self.header + text + "\n")
        #expect(found?.hasPrefix(fault) == true, "\(found ?? "no fault")")
    }

    @Test(arguments: [
        ("hello\n", "this is not a recording: 'xphase record' makes one"),
        ("{\"v\":1,\"seq\":1}\n", "this is not a recording: 'xphase record' makes one"),
        ("", "this is not a recording: it has no complete line"),
        (header.replacing("\n", with: ""), "this is not a recording: it has no complete line"),
        (
            #"{"xphase-recording":1,"screens":1}"# + "\n",
            "it is a recording of version 1, and this xphase reads"
        ),
        (
            #"{"xphase-recording":7}"# + "\n",
            "it is a recording of version 7, and this xphase reads version 5: "
        ),
        (#"{"xphase-recording":5,"header":{}}"# + "\n", "header.program: it is missing"),
    ])
    func aFileThatIsNoRecordingIsReported(text: String, fault: String) {
        #expect(self.fault(text)?.hasPrefix("1: " + fault) == true)
    }

    /// Additions by a newer xphase without a new format version are ignored, and so is whitespace.
    @Test func unknownFactsAreLeftOutOfARecording() throws {
        let notice =
            #"{ "at" : 1, "new":{"a":[1,{"b":null}]}, "notice": {"name":"server","text":"it \u0041\ud83d\ude00"} }"#
        let events = try steps(Array((Self.header + notice + "\n" + #"{"at":2,"isEnd":true}"# + "\n").utf8))
        #expect(events.flatMap(\.events) == [.notice(Notice(name: "server", text: "it A😀"))])
    }

    /// Frequent changes take few bytes: a day of ordinary use must stay under 10 MB.
    @Test func aLineHasOnlyWhatIsNew() {
        var desktop = Desktop.managed()
        for xid in 1...50 as ClosedRange<UInt32> {
            var window = SeenWindow.client(WindowID(xid))
            (window.className, window.title) = ("Class \(xid)", "A title of the usual length, \(xid)")
            desktop.add(window)
        }
        var bytes: [UInt8] = []
        let recorder = Recorder(RecordingHeader(), at: 0) { bytes = $0 }
        var now: Int64 = 0
        func size() -> Int {
            now += 3_600_000_000_000
            recorder.take(
                desktop, at: now, time: .init(seconds: 1_000 + Int(now / 1_000_000_000), nanoseconds: 0))
            return bytes.count
        }
        #expect(size() > 10_000)
        desktop.inputFocus = .window(7)
        #expect(size() < 70)
        desktop.screen.activeWindow = 7
        #expect(size() < 700)
        desktop.edit(7) { $0.title = "Another title, as long as they are" }
        #expect(size() < 450)
        desktop.add(SeenWindow.client(WindowID(1_000)))
        #expect(size() < 1_500)
    }

    @Test(arguments: 1...4)
    func everyFactIsReadAsItWasWritten(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var desktop = Desktop()
        var bytes: [UInt8] = []
        let recorder = Recorder(RecordingHeader(), at: 5) { bytes += $0 }
        recorder.take(desktop, at: 5)
        var reader = try RecordingReader {
            defer { bytes = [] }
            return bytes
        }
        for step in 1...2_000 as ClosedRange<Int64> {
            try reader.take(#require(reader.next().look))
            if let difference = reader.desktop.difference(from: desktop) {
                Issue.record("seed \(seed), step \(step): \(difference)")
                return
            }
            for _ in 0..<3 { desktop.changeAnything(&random) }
            recorder.take(desktop, at: 5 + step)
        }
    }

    @Test func placeholdersAreStableAndSayNothing() throws {
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
        var bytes: [UInt8] = []
        let recorder = Recorder(header, at: 0) { bytes += $0 }
        recorder.take(desktop, at: 0)
        desktop.edit(3) { $0.className = "Secret" }
        recorder.take(desktop, at: 1_000_000_000)
        recorder.end(at: 2_000_000_000)
        let text = String(decoding: bytes, as: UTF8.self)
        for word in ["Secret", "Hidden", "secretd"] { #expect(!text.contains(word)) }
        let names = try steps(bytes).flatMap(\.events).compactMap(\.change?.application)
        #expect(Set(names).count == 2 && names.allSatisfy { $0.hasPrefix("name-") })
        let secret = text.firstMatch(of: /"className":"(.*?)"/).map { String($0.1) }
        #expect(names.contains(secret ?? ""))
    }

    /// The realtime clock is set, and the machine is suspended.
    @Test func theTimeIsThatOfTheCalendar() throws {
        var bytes: [UInt8] = []
        let recorder = Recorder(RecordingHeader(), at: 0) { bytes += $0 }
        for (now, time) in [(200_000_000, 1_001), (300_000_000, 5_000)] as [(Int64, Int)] {
            recorder.take(
                Notice(name: "resumed", text: ""), at: now,
                time: .init(seconds: time, nanoseconds: 100_000_000))
        }
        recorder.end(at: 2_300_000_000, time: .init(seconds: 5_002, nanoseconds: 100_000_000))
        let times = try steps(bytes).map { $0.time.seconds * 10 + $0.time.nanoseconds / 100_000_000 }
        #expect(times == [10_011, 50_001, 50_021])
    }
}
