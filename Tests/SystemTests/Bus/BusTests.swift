import CLinux
import Glibc
import TestDesktop
import Testing

@testable import System

/// Connections to a real message bus, and to servers that do not behave.
@Suite(.timeLimit(.minutes(1)))
struct BusTests {
    private static func bus(of session: SessionBus) throws -> Bus {
        let address = try #require(session.environment["DBUS_SESSION_BUS_ADDRESS"] ?? nil)
        return try Bus(#require(BusAddress(list: SystemString(address))))
    }

    @Test func aMethodOfTheBusAnswers() throws {
        let session = try SessionBus()
        let bus = try Self.bus(of: session)
        let names = try bus.ask(.bus("ListNames"))[0].texts
        #expect(names.contains("org.freedesktop.DBus"))
        let own = try #require(names.first { $0.hasPrefix(":") })
        #expect(
            try bus.ask(.bus("GetConnectionUnixProcessID"), "s", [.text(own)]) == [.number(UInt64(getpid()))])
    }

    @Test func aRefusalOfABusHasItsName() throws {
        let session = try SessionBus()
        let bus = try Self.bus(of: session)
        #expect {
            try bus.ask(BusMethod("org.example.None", "/", "org.example", "Do"))
        } throws: {
            ($0 as? BusError)?.name == "org.freedesktop.DBus.Error.NameHasNoOwner"
        }
    }

    @Test func aMonitorReceivesTheCallsOfOthers() throws {
        let session = try SessionBus()
        let (monitor, caller) = (try Self.bus(of: session), try Self.bus(of: session))
        var calls: [String] = []
        monitor.received = { if $0.kind == .call, let member = $0.member { calls.append(member) } }
        _ = try monitor.ask(
            .bus("BecomeMonitor", of: "org.freedesktop.DBus.Monitoring"), "asu",
            [.list([.text("type='method_call',member='ListNames'")]), .number(0)])
        for _ in 1...2 { _ = try caller.ask(.bus("ListNames")) }
        // A monitor has no calls of its own that `wait` could wait for.
        while calls.count < 2 {
            var state = pollfd(fd: monitor.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&state, 1, -1)
            monitor.ready()
        }
        #expect(calls == ["ListNames", "ListNames"])
    }

    @Test func aBusThatEndsAnswersEachCall() throws {
        var session: SessionBus? = try SessionBus()
        let bus = try Self.bus(of: #require(session))
        _ = try bus.ask(.bus("GetId"))
        session = nil
        #expect(throws: BusError.disconnected) { try bus.ask(.bus("GetId")) }
        #expect(bus.isLost)
        #expect(throws: BusError.disconnected) { try bus.ask(.bus("GetId")) }
    }

    @Test func aServerThatNeverAnswersIsGivenUp() throws {
        let (server, address) = try Self.server()
        let bus = try Bus(address)
        #expect(throws: BusError.noReply) {
            try bus.ask(.bus("GetId"), within: .milliseconds(50))
        }
        withExtendedLifetime(server) {}
    }

    /// An answer may end the connection, which answers all other calls.
    @Test func eachCallIsAnsweredOnce() throws {
        let (server, address) = try Self.server()
        let bus = try Bus(address)
        var connection: Descriptor? = try Descriptor("accept", accept(server.number, nil, nil))
        try #require(connection != nil)
        var answers = [0, 0, 0]
        for index in answers.indices {
            bus.call(.bus("GetId"), within: .zero) { _ in
                answers[index] += 1
                connection = nil
                bus.ready()
            }
        }
        bus.expire(at: Clock.now() + .seconds(1))
        #expect(bus.isLost && answers == [1, 1, 1])
    }

    @Test(arguments: [
        "ERROR\r\n", "OK 0\r\nHTTP/1.1 400 Bad Request\r\n\r\n", String(repeating: "x", count: 5000),
        "OK 0\r\nl\u{2}\u{0}\u{1}\u{7F}\u{7F}\u{7F}\u{7F}\u{1}\u{0}\u{0}\u{0}\u{7F}\u{7F}\u{7F}\u{7F}",
    ])
    func aServerThatIsNoBusIsLost(answer: String) throws {
        let (server, address) = try Self.server()
        let bus = try Bus(address)
        let connection = try Descriptor("accept", accept(server.number, nil, nil))
        try connection.writeAll("socket", Array(answer.utf8))
        #expect(throws: BusError.disconnected) { try bus.ask(.bus("GetId")) }
    }

    /// A message that is too large to be kept is skipped, and the next one is read.
    @Test func anEnormousMessageIsSkipped() throws {
        let (server, address) = try Self.server()
        let bus = try Bus(address)
        var members: [String] = []
        bus.received = { members += [$0.member].compactMap(\.self) + $0.arguments.compactMap(\.text) }
        let large = BusValue.text(String(repeating: "x", count: 3 << 20))
        func message(_ member: String, _ value: BusValue) -> [UInt8] {
            BusMessage(calling: BusMethod(nil, "/", "org.example", member), "s", [value], serial: 1).bytes
        }
        let connection = try Descriptor("accept", accept(server.number, nil, nil))
        let bytes =
            Array("OK 0\r\n".utf8) + message("Large", large) + message("Small", .text("whole"))
        try DetachedThread.start { try? connection.writeAll("socket", bytes) }
        while members.count < 3 {
            var state = pollfd(fd: bus.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&state, 1, -1)
            bus.ready()
        }
        #expect(members == ["Large", "Small", "whole"])
    }

    @Test func anAddressIsReadAsTheSpecificationSays() {
        func socket(_ list: SystemString) -> String? { BusAddress(list: list)?.socket.description }
        #expect(socket("unix:path=/run/bus,guid=00") == "/run/bus")
        #expect(socket("tcp:host=example;unix:guid=0,abstract=/tmp/a%20b") == "@/tmp/a b")
        #expect(socket("unixexec:path=ssh") == nil)
    }

    /// A socket that listens and does nothing else.
    private static func server() throws -> (Descriptor, BusAddress) {
        let server = try Descriptor.localSocket(SOCK_STREAM)
        let name = "@xphase-test-\(getpid())-\(server.number)"
        try #require(withSocketAddress(SystemString(name)) { bind(server.number, $0, $1) } == 0)
        try #require(listen(server.number, 5) == 0)
        return (server, try #require(BusAddress(list: SystemString("unix:abstract=\(name.dropFirst())"))))
    }
}

/// The bytes of values.
@Suite
struct BusValueTests {
    @Test(arguments: [
        ("s", BusValue.text("Größe")), ("a(sv)", .list([.list([.text("a"), .number(7)])])),
        ("as", .list([])), ("a(yv)", .list([])), ("(ybnqiuxtd)", .list((1...9).map { .number($0) })),
        ("a{s(oau)}", .list([.list([.text("k"), .list([.text("/"), .list([.number(1), .number(2)])])])])),
    ])
    func valuesAreReadAsTheyWereWritten(signature: String, value: BusValue) {
        var writer = BusWriter()
        writer.write([value.withVariants], signature)
        var reader = BusReader(writer.bytes[...], isBigEndian: false)
        #expect(reader.values(signature) == [value])
    }

    @Test func aMessageOfABigEndianMachineIsRead() {
        var reader = BusReader([0, 0, 0, 2, 0x68, 0x69, 0, 0, 0, 0, 1, 0], isBigEndian: true)
        #expect(reader.values("su") == [.text("hi"), .number(256)])
    }

    /// A byte within thirty structures takes a hundred times its memory.
    @Test func aMessageOfTooManyValuesHasNone() {
        let signature = "a" + String(repeating: "(", count: 30) + "y" + String(repeating: ")", count: 30)
        func values(_ count: Int) -> [BusValue]? {
            var writer = BusWriter()
            writer.write([.number(UInt64(8 * count - 7)), .number(0)], "ut")
            // The array begins at a multiple of eight bytes, after its length and the padding.
            let bytes = writer.bytes.prefix(8) + [UInt8](repeating: 0, count: 8 * count)
            var reader = BusReader(bytes, isBigEndian: false)
            return reader.values(signature)
        }
        #expect(values(1000)?.first?.list.count == 1000)
        #expect(values(1 << 17) == nil)
    }

    /// Whatever the bytes and the signature are, reading ends, with values or without.
    @Test func hostileBytesAreNoValues() {
        var generator = SystemRandomNumberGenerator()
        for _ in 1...20_000 {
            let bytes = (0..<Int.random(in: 0...48)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let signature = String((0..<5).compactMap { _ in "sogyuvab(){}tx".randomElement() })
            var reader = BusReader(bytes[...], isBigEndian: Bool.random())
            _ = reader.values(signature)
            _ = BusMessage(bytes[...], header: min(16, bytes.count))
        }
        let deep = (1...4096).flatMap { _ in [1, UInt8(ascii: "v"), 0] }
        var reader = BusReader(deep[...], isBigEndian: false)
        #expect(reader.values("v") == nil)
        reader = BusReader([0xFF, 0xFF, 0xFF, 0xFF], isBigEndian: false)
        #expect(reader.values("s") == nil)
        // Without elements of some size, the length of an array would never be reached.
        reader = BusReader([4, 0, 0, 0, 0, 0, 0, 0], isBigEndian: false)
        #expect(reader.values("a()") == nil)
    }
}

extension BusValue {
    /// The value with the number of each pair `(sv)` as a variant.
    fileprivate var withVariants: BusValue {
        guard case .list(let values) = self else { return self }
        if values.count == 2, case .text = values[0], case .number = values[1] {
            return .list([values[0], .variant("u", values[1])])
        }
        return .list(values.map(\.withVariants))
    }
}
