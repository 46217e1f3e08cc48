import Hooks
import System
import Testing

@testable import Service

@Suite struct ControlMessageTests {
    @Test(arguments: [
        ControlRequest.status, .thawed, .why("tab\there"), .pause(milliseconds: nil, []),
        .pause(milliseconds: 90_000, ["a b", "tab\there", "back\\slash"]),
        .resume([]), .resume(["new\nline", "\\n", "ä"]),
        .resume(["carriage return\r\n", "\\\u{301}", "\u{301}"]),
    ])
    func aRequestComesAsItWasSent(request: ControlRequest) throws {
        let line = ControlLine(request).bytes
        #expect(line.last == UInt8(ascii: "\n") && line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        #expect(try ControlLine<ControlRequest>(line.dropLast()).message == request)
    }

    @Test(arguments: [
        "", "status", "{}", "[]", "GET / HTTP/1.1\r", #"{"version":1,"message":{"status":{}}}"#,
        #"{"version":2}"#, #"{"version":2,"message":{"kill":{}}}"#,
        #"{"version":2,"message":{"why":{"_0":7}}}"#,
        #"{"version":2,"message":{"pause":{"milliseconds":99999999999999999999,"_1":[]}}}"#,
    ])
    func whatMakesNoSenseIsRefused(line: String) {
        #expect(throws: ServiceError.self) { try ControlLine<ControlRequest>(line.utf8) }
    }

    @Test func anotherVersionIsNamed() {
        #expect(
            throws: ServiceError.refused(
                "this is version 2 of the protocol: restart 'xphase run', it was updated")
        ) {
            try ControlLine<ControlRequest>(#"{"version":3,"message":{"status":{}}}"#.utf8)
        }
    }

    @Test func anAnswerComesAsItWasSent() throws {
        var row = HookStatus("a\tb", .entered, of: (path: "X/y", application: "X"))
        row.since = Timestamp(seconds: 12, nanoseconds: 34)
        row.reactions = ["freeze", "mute"]
        (row.unit, row.processes, row.reason) = ("app-x.scope", 3, "why: \\ \n")
        for answer in [
            ControlAnswer(texts: ["one", "two\nlines"], rows: [row, HookStatus("c", .ready)]),
            ControlAnswer(fault: "no"), ControlAnswer(),
        ] {
            #expect(try ControlLine<ControlAnswer>(ControlLine(answer).bytes.dropLast()).message == answer)
        }
    }

    @Test func anAnswerIsBounded() {
        let rows = [HookStatus](repeating: HookStatus("a", .ready), count: ControlAnswer.mostRows + 5)
        #expect(ControlAnswer(rows: rows).rows.count == ControlAnswer.mostRows)
    }
}
