import Scenes
import Testing

@testable import X11

/// Replies of the server are as untrusted as data of clients: impossible numbers are rejected.
@Suite struct ReplyTests {
    /// Calls `body` with a reply that is filled with `byte`, except for `parts` by offset. `more` words follow the
    /// first 32 bytes.
    private func withReply<Result>(
        _ byte: UInt8, _ parts: [Int: [UInt8]], more: UInt8 = 0, _ body: (Reply) throws -> Result
    ) rethrows -> Result {
        var bytes = [UInt8](repeating: byte, count: 32 + 4 * Int(more))
        bytes.replaceSubrange(4..<8, with: [more, 0, 0, 0])
        for (place, part) in parts { bytes.replaceSubrange(place..<(place + part.count), with: part) }
        return try bytes.withUnsafeBytes { try body(Reply(start: $0.baseAddress)) }
    }

    @Test(arguments: [0x00, 0x7F, 0x80, 0xFF] as [UInt8], [0, 1, 8] as [UInt8])
    func noNumberOfAReplyIsTooLarge(byte: UInt8, more: UInt8) {
        withReply(byte, [:], more: more) { reply in
            #expect(reply.counterValue.map { $0 >= 0 } ?? true)
            #expect(reply.saverAge.map { $0 > 0 } ?? true)
            #expect((reply.monitors?.count ?? 0) <= 1)
            #expect((reply.atomName?.utf8.count ?? 0) <= 4 * Int(more))
            #expect(reply.counter(named: "IDLETIME") == nil)
            #expect(reply.tree.map { $0.children.count <= Int(more) } ?? true)
            #expect(reply.keySymbols.symbols.count <= Int(more))
            #expect(reply.process == nil || more >= 4)
            let type = reply.property?.type ?? 0
            #expect((reply.property?.words(type)?.count ?? 0) <= Int(more))
            #expect((reply.property?.text(type)?.count ?? 0) <= 4 * Int(more))
        }
    }

    @Test(
        arguments: [
            ([0, 0, 0, 0x80], [0, 0, 0, 0], nil), ([255, 255, 255, 255], [255, 255, 255, 255], nil),
            ([0, 0, 0, 0], [0x88, 0x13, 0, 0], 5000),
            ([255, 255, 255, 0x7F], [255, 255, 255, 255], Int64.max),
        ] as [([UInt8], [UInt8], Int64?)])
    func aTimeSinceAnInputIsNotNegative(high: [UInt8], low: [UInt8], value: Int64?) {
        withReply(0, [8: high, 12: low]) { #expect($0.counterValue == value) }
    }

    /// The monitors in a reply follow each other with their outputs: here, 1 and 0, or more than there are.
    @Test(
        arguments: [(0, 1, 0), (1, 1, 1), (2, 1, 2), (255, 1, 2), (2, 2, 1), (2, 255, 1)]
            as [(UInt8, UInt8, Int)])
    func monitorsThatAreNotThereAreNotRead(claimed: UInt8, outputs: UInt8, count: Int) {
        let place: [UInt8] = [10, 0, 20, 0, 30, 0, 40, 0]
        let parts = [
            12: [claimed, 0, 0, 0], 32: [7, 0, 0, 0, 1, 1, outputs, 0] + place, 60: [8], 68: place,
        ]
        withReply(0, parts, more: 13) {
            #expect($0.monitors?.map(\.name) == [7, 8].dropLast(2 - count))
            let area = Rectangle(x: 10, y: 20, width: 30, height: 40)
            #expect($0.monitors?.allSatisfy { $0.area == area } == true)
        }
    }

    @Test func aServerBeforeRandR15ReportsNoMonitors() {
        #expect(Reply(start: nil).monitors == nil)
    }

    /// The last sizes exceed the reply.
    @Test(
        arguments: [
            (1, [8, 0], 7), (0, [8, 0], nil), (1, [7, 0], nil), (1, [9, 0], nil), (1, [255, 255], nil),
        ]
            as [(UInt8, [UInt8], UInt32?)])
    func aCounterIsFoundByItsNameWithinTheReply(count: UInt8, size: [UInt8], id: UInt32?) {
        let name = Array("IDLETIME".utf8)
        let parts = [8: [count, 0, 0, 0], 32: [7, 0, 0, 0], 44: size, 46: name]
        withReply(0, parts, more: 6) { #expect($0.counter(named: "IDLETIME") == id) }
    }
}
