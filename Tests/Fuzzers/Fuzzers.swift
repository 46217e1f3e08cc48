import Console
import Glibc
import PhaseWatch
import Scenes

@testable import Hooks
@testable import X11

/// Has libFuzzer try the kind of what comes from outside that `FUZZ` names; options and arguments are its own.
enum Fuzzers {
    fileprivate typealias Body = @Sendable (UnsafeRawBufferPointer) -> Void

    private static let kinds: [String: Body] = [
        "configuration": { bytes in
            guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else { return }
            // As the file is checked before it comes to the parser.
            let lines = text.utf8.split(separator: 0x0A)
            if lines.contains(where: { $0.count { $0 == UInt8(ascii: ".") } > 150 }) { return }
            _ = try? Configuration(text: text, file: "config.toml")
        },
        "record": { bytes in
            // Lines with a checksum that is right, too.
            var record = RecordContent.header
            for line in bytes.split(separator: 0x0A) {
                record += Array(RecordLine.checksum(Array(line)).utf8) + [0x20] + line + [0x0A]
            }
            for pair in RecordContent(record).pairs.values { _ = (pair.entry.isPlausible, pair.holds) }
            _ = RecordContent(Array(bytes))
        },
        "pattern": { bytes in
            let parts = bytes.split(separator: 0, maxSplits: 1)
            guard let text = parts.first.map({ String(decoding: $0, as: UTF8.self) }) else { return }
            let pattern = Pattern(text)
            _ = pattern.matches(parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : text)
            _ = Pattern.fault(in: text)
            _ = Duration(text: text)?.text
            _ = DisplayFileName(text).description
        },
        "reply": { bytes in
            // A reply says itself how long it is, and XCB reads that much.
            guard bytes.count >= 32 else { return }
            var copy = Array(bytes)
            withUnsafeBytes(of: UInt32((bytes.count - 32) / 4)) { copy.replaceSubrange(4..<8, with: $0) }
            copy.withUnsafeBytes { read(Reply(start: $0.baseAddress)) }
        },
        "process": { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = ProcessText.row(ofStat: text, pid: 1)?.identity.started
            _ = (ProcessText.group(ofStat: text), ProcessText.user(ofStatus: text))
            _ = ProcessText.unit(ofCgroup: text)
            _ = ControlGroup(ofCgroup: text, mounts: text)
        },
    ]

    private static func read(_ reply: Reply) {
        _ = (reply.isShaped, reply.saver, reply.saverAge, reply.process, reply.powerLevel, reply.counterValue)
        _ = (
            reply.rectangles(atMost: 64), reply.counter(named: "IDLETIME"), reply.tree,
            reply.keySymbols.symbols
        )
        guard let property = reply.property else { return }
        _ = (property.words(property.type), property.word(property.type))
        guard let bytes = property.text(property.type) else { return }
        _ = (Text.decode(Text.split(bytes).first), Text.decodeUTF8(bytes))
    }

    fileprivate static let body: Body = {
        guard let body = getenv("FUZZ").flatMap({ kinds[String(cString: $0)] }) else {
            print("FUZZ is none of \(kinds.keys.sorted().joined(separator: ", "))")
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
