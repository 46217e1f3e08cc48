import CLinux
import Glibc

@testable import Hooks
@testable import Service
@testable import System
@testable import X11

/// Runs libFuzzer on the kind of untrusted input that `FUZZ` names. Options and arguments are those of libFuzzer.
enum Fuzzers {
    fileprivate typealias Body = @Sendable (UnsafeRawBufferPointer) -> Void

    private static let kinds: [String: Body] = [
        "configuration": { bytes in
            // The same checks precede the parser for a real file.
            guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else { return }
            _ = try? Configuration(text: text, file: "config.toml")
        },
        "record": { bytes in
            guard let contents = UndoRecordFile.contents(of: Array(bytes)) else { return }
            for pair in contents.pairs { precondition(pair.isPlausible) }
        },
        "reply": { bytes in
            // XCB reads as many bytes as the reply's length field specifies.
            guard bytes.count >= 32 else { return }
            var copy = Array(bytes)
            withUnsafeBytes(of: UInt32((bytes.count - 32) / 4)) { copy.replaceSubrange(4..<8, with: $0) }
            copy.withUnsafeBytes { read(Reply(start: $0.baseAddress)) }
        },
        "control": { bytes in
            // Each message is parsed separately, by every parser that may receive it.
            for message in bytes.split(separator: 0) {
                if let call = VarlinkCall(message) {
                    if let reaction = try? call.parameters(ReactionRequest.self) {
                        _ = try? reaction.hook(named: "a")
                    }
                    _ = try? call.parameters(HookSink.Pause.self)
                    _ = try? call.parameters(HookSink.Why.self)
                }
                if let rows = [String: [HookStatus]](json: message)?["rows"] {
                    precondition([HookStatus](json: rows.json) == rows)
                }
            }
        },
        "bus": { bytes in
            // A signature and the bytes of its values.
            let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            for isBigEndian in [false, true] where parts.count == 2 {
                var reader = BusReader(Array(parts[1])[...], isBigEndian: isBigEndian)
                _ = reader.values(String(decoding: parts[0], as: UTF8.self))
            }
            do {
                try serve(Array(bytes))
            } catch {
                preconditionFailure("\(error)")
            }
        },
    ]

    /// The socket of a bus that sends what it should not.
    private static let listener = Result {
        let socket = try Descriptor.localSocket(SOCK_STREAM)
        // An address without a name has the kernel choose one.
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var size = socklen_t(MemoryLayout<sa_family_t>.size)
        try withUnsafeMutablePointer(to: &name) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try SystemError.check("bind", bind(socket.number, pointer, size))
                size = socklen_t(MemoryLayout<sockaddr_un>.size)
                try SystemError.check("getsockname", getsockname(socket.number, pointer, &size))
            }
        }
        try SystemError.check("listen", listen(socket.number, 1))
        let bytes = withUnsafeBytes(of: name.sun_path) { $0.prefix(Int(size) - 2).dropFirst() }
        let list = "unix:abstract=\(String(decoding: bytes, as: UTF8.self))"
        return (socket, BusAddress(list: SystemString(list)))
    }

    /// Sends bytes to a client of a bus after the greeting, and ends the connection.
    private static func serve(_ bytes: [UInt8]) throws {
        let (listener, address) = try listener.get()
        guard let address else { return }
        let bus = try Bus(address)
        var answers = 0
        bus.call(.bus("ListNames")) { _ in answers += 1 }
        bus.received = { message in
            _ = (message.arguments, message.interface, message.member, message.errorName)
            _ = (message.destination, message.sender, message.replySerial, message.isOneWay)
        }
        var connection: Descriptor? = try Descriptor("accept", accept(listener.number, nil, nil))
        try connection?.writeAll("socket", Array("OK 0\r\n".utf8) + bytes)
        connection = nil
        while !bus.isLost { bus.ready() }
        precondition(answers == 1)
    }

    private static func read(_ reply: Reply) {
        _ = (reply.isShaped, reply.saver, reply.saverAge, reply.process, reply.powerLevel, reply.counterValue)
        _ = (
            reply.monitors, reply.counter(named: "IDLETIME"), reply.tree,
            reply.keySymbols.symbols
        )
        guard let property = reply.property else { return }
        _ = (property.words(property.type), property.word(property.type))
        guard let bytes = property.text(property.type) else { return }
        _ = (Text.decode(Text.split(bytes).first), Text.decodeUTF8(bytes))
    }

    fileprivate static let body: Body = {
        guard let body = getenv("FUZZ").flatMap({ kinds[String(cString: $0)] }) else {
            print("FUZZ must be one of \(kinds.keys.sorted().joined(separator: ", "))")
            exit(64)
        }
        return body
    }()
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzzers.body(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
