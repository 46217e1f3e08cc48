import Console
import FoundationEssentials
import Glibc
import PhaseWatch
import Scenes

@testable import Hooks
@testable import Journal
@testable import Recording
@testable import Service
@testable import System
@testable import X11

/// Runs libFuzzer on the kind of untrusted input that `FUZZ` names. Options and arguments are those of libFuzzer.
enum Fuzzers {
    fileprivate typealias Body = @Sendable (UnsafeRawBufferPointer) -> Void

    private static let kinds: [String: Body] = [
        "configuration": { bytes in
            guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else { return }
            // The same checks precede the parser for a real file.
            let lines = text.utf8.split(separator: 0x0A)
            if lines.contains(where: { $0.count { $0 == UInt8(ascii: ".") } > 150 }) { return }
            _ = try? Configuration(text: text, file: "config.toml")
        },
        "record": { bytes in
            guard let contents = try? RecordFile.contents(of: Array(bytes)) else { return }
            for pair in contents.pairs { precondition(pair.isPlausible) }
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
                    _ = try? call.parameters(HooksInterface.Pause.self)
                    _ = try? call.parameters(HooksInterface.Why.self)
                }
                if let rows = try? JSONDecoder().decode(HooksInterface.Rows.self, from: Data(message)).rows {
                    let again = try? JSONDecoder().decode([HookStatus].self, from: Data(rows.json))
                    precondition(again == rows)
                    _ = (rows.inWords, rows.map(\.json))
                }
                _ = try? JSONDecoder().decode(ActiveReply.self, from: Data(message)).active?.change
            }
        },
        "template": { bytes in
            let parts = bytes.split(separator: 0, maxSplits: 1)
            guard let text = parts.first.map({ String(decoding: $0, as: UTF8.self) }) else { return }
            // A line ends in one newline and contains those of the template; a title adds none.
            guard let template = try? Template(text) else { return }
            let title = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : text
            let count = template.line(for: .titled("")).utf8.count { $0 == 0x0A }
            precondition(template.line(for: .titled(title)).utf8.count { $0 == 0x0A } == count)
        },
        "recording": { bytes in
            // Replays the bytes as they are, and again after a valid header.
            var header = RecordingHeader()
            (header.hasTitles, header.idle) = (true, 60_000)
            for start in [[], header.line] { replay(start + Array(bytes)) }
        },
        "journal": { bytes in
            let now: Int64 = 1_763_805_600_000
            for grouping in Report.Grouping.allCases {
                var question = Tally.Question(by: grouping, window: now - 3 * 86_400_000..<now)
                question.categories = [
                    Category(name: "a", application: [], title: [Pattern("*a*")]),
                    Category(name: "b", application: [Pattern("/b/")], title: []),
                ]
                question.hasDays = grouping != .application && grouping != .phase
                let tally = Tally(question)
                let read = {
                    for line in bytes.split(separator: 0x0A) {
                        tally.add(Array(line)[...], now: now)
                    }
                    tally.finish(now: (now, 1_000_000)) { $0.pid == 1 }
                }
                read()
                let report = Report(tally)
                precondition(report.rows.allSatisfy { $0.times.all >= 0 })
                _ = (report.json, report.csv, report.summary.remarks)
                if grouping == .application {
                    _ = TimelineSVG(report, Timeline(of: tally, report, isCut: true, read: read)).text
                } else if question.hasDays && grouping != .day {
                    _ = DaysSVG(report).text
                }
            }
        },
        "event": { EventFuzzer.shared.process($0) },
        "process": { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = ProcessText.row(ofStat: text, pid: 1)?.identity.started
            _ = (ProcessText.group(ofStat: text), ProcessText.user(ofStatus: text))
            _ = ProcessText.unit(ofCgroup: text)
            _ = ControlGroup(ofCgroup: text, mounts: text)
        },
    ]

    /// Replays bytes under a policy that their length selects.
    private static func replay(_ bytes: [UInt8]) {
        let policies = PhasePolicy.allCases
        let options = PhaseMonitor.Options(
            policy: policies[bytes.count % policies.count], isStepwise: bytes.count.isMultiple(of: 2),
            settle: .milliseconds(bytes.count % 3 * 50), occlusion: .seconds(2), idle: .seconds(60),
            details: .titleChanges)
        var rest: [UInt8]? = bytes
        do {
            let replay = try Replay(options) {
                defer { rest = nil }
                return rest ?? []
            }
            var moment = Duration.zero
            while let step = try replay.next() {
                precondition(step.moment >= moment)
                moment = step.moment
            }
        } catch {
            precondition(error is RecordingFault)
        }
    }

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
            print("FUZZ must be one of \(kinds.keys.sorted().joined(separator: ", "))")
            exit(64)
        }
        return body
    }()
}

extension Template {
    fileprivate func line(for event: Event) -> String {
        line(for: event, sequence: 1, time: Timestamp(seconds: 0, nanoseconds: 0))
    }
}

extension Event {
    /// Returns a change whose application, group and scene all have this name.
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
