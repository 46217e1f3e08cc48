import Glibc

@testable import Hooks
@testable import Service
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
            guard let contents = RecordFile.contents(of: Array(bytes)) else { return }
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
                    if let reaction = try? call.parameters(HeldReaction.self) {
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
    ]

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
