import Console
import Glibc
import Loop
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
        "control": { bytes in
            // Each line of its own, and what is understood comes back as it was.
            for line in bytes.split(separator: 0x0A) {
                guard let request = try? ControlRequest(line: line) else { continue }
                precondition((try? ControlRequest(line: Array(request.line.utf8.dropLast()))) == request)
            }
            guard let answer = try? ControlAnswer(Array(bytes)), answer.rows.count <= ControlAnswer.mostRows
            else { return }
            precondition((try? ControlAnswer(Array(answer.lines.utf8))) == answer.asTold)
            _ = (answer.rows.inWords, answer.rows.map(\.json))
        },
        "template": { bytes in
            let parts = bytes.split(separator: 0, maxSplits: 1)
            guard let text = parts.first.map({ String(decoding: $0, as: UTF8.self) }) else { return }
            // A line has one newline of its own, those of the template, and none of what a window says.
            guard let template = try? Template(text) else { return }
            let title = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : text
            let count = template.line(for: .titled("")).utf8.count { $0 == 0x0A }
            precondition(template.line(for: .titled(title)).utf8.count { $0 == 0x0A } == count)
        },
        "event": { EventFuzzer.shared.take($0) },
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

extension ControlAnswer {
    /// A fault is told alone, and a text without anything is none.
    fileprivate var asTold: ControlAnswer { fault.map { ControlAnswer(fault: $0) } ?? self }
}

extension Template {
    fileprivate func line(for event: Event) -> String {
        line(for: event, sequence: 1, time: Timestamp(seconds: 0, nanoseconds: 0))
    }
}

extension Event {
    /// An application, a group and a scene that are all named so.
    fileprivate static func titled(_ name: String) -> Event {
        .change(
            Change(
                kind: .phase, application: name, group: name,
                subject: .scene(Change.SceneFacts(id: WindowID(1), title: name, pid: 1, desktop: 0)),
                from: .active, to: .background, cause: .iconify, held: .milliseconds(1)))
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzzers.body(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
