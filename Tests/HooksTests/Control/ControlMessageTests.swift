import System
import Testing

@testable import Hooks

@Suite struct ControlMessageTests {
    @Test(arguments: [
        ControlRequest.status, .thawed, .why("tab\there"), .pause(nil, []),
        .pause(.seconds(90), ["a b", "tab\there", "back\\slash"]),
        .resume([]), .resume(["new\nline", "\\n", "ä"]),
        // Each is one character with what stands before it.
        .resume(["carriage return\r\n", "\\\u{301}", "\u{301}"]),
    ])
    func aRequestComesAsItWasSent(request: ControlRequest) throws {
        let line = Array(request.line.utf8)
        #expect(line.last == UInt8(ascii: "\n") && line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        #expect(try ControlRequest(line: line.dropLast()) == request)
    }

    @Test(arguments: [
        "xphase 1\twhy", "xphase 1\twhy\ta\tb", "", "status", "xphase 2\tstatus", "xphase 1",
        "xphase 1\tstatus\tmore", "xphase 1\tpause",
        "xphase 1\tpause\tx",
        "xphase 1\tpause\t0", "xphase 1\tpause\t-5", "xphase 1\tpause\t99999999999999999999",
        "xphase 1\tkill",
        "GET / HTTP/1.1\r",
    ])
    func whatMakesNoSenseIsRefused(line: String) {
        #expect(throws: ControlFault.self) { try ControlRequest(line: line.utf8) }
    }

    @Test func bytesThatAreNoTextAreRefused() {
        #expect(throws: ControlFault("it is not UTF-8")) {
            try ControlRequest(line: Array("xphase 1\tresume\t".utf8) + [0xFF])
        }
    }

    @Test func anAnswerComesAsItWasSent() throws {
        var row = HookStatus("a\tb", .entered, of: (path: "X/y", application: "X"))
        row.since = Timestamp(seconds: 12, nanoseconds: 34)
        row.reactions = ["freeze", "mute"]
        (row.unit, row.processes, row.reason) = ("app-x.scope", 3, "why: \\ \n")
        let event = HookEvent(
            .leftTooEarly, of: HookHistoryTests.job("a", "X"), "tab\t\n",
            at: Timestamp(seconds: 1, nanoseconds: 2))
        for answer in [
            ControlAnswer(rows: [row], events: [event]),
            ControlAnswer(texts: ["one", "two\nlines"], rows: [row, HookStatus("c", .ready)]),
            ControlAnswer(fault: "no"), ControlAnswer(),
        ] {
            let bytes = Array(answer.lines.utf8)
            #expect(try ControlAnswer(bytes) == answer)
            // One that was cut off.
            #expect(try ControlAnswer(bytes.dropLast(5)) == nil)
        }
    }

    @Test func anAnswerIsBounded() throws {
        let rows = [HookStatus](repeating: HookStatus("a", .ready), count: ControlAnswer.mostRows + 5)
        #expect(
            try ControlAnswer(Array(ControlAnswer(rows: rows).lines.utf8))?.rows.count
                == ControlAnswer.mostRows)
    }

    @Test(arguments: ["", "a", "a\tnothing\t\t\t\t\t\t\t\t", "a\tready"])
    func aRowThatMakesNoSenseIsNone(text: String) {
        #expect(
            HookStatus(
                fields: text.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) })
                == nil)
    }

    @Test(arguments: ["-1.5", "1", "1.1000000000", "x.y", "1.-4"])
    func aTimeThatMakesNoSenseIsNone(text: String) throws {
        let row = try #require(HookStatus(fields: ["a", "ready", "", "", text, "", "", "", "", ""]))
        #expect(row.since == nil)
    }
}
