import TestDesktop
import Testing

@testable import PhaseWatch

/// Replays of sessions that `packaging/test --managers` recorded under window managers, compared with the
/// recorded truth. The tests need neither an X server nor a window manager.
@Suite struct RecordedManagersTests {
    private static let folder =
        #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Recordings"

    private static let names: [String] = {
        let files = (try? Program.run("ls", [folder]).output) ?? []
        let names = files.filter { $0.hasSuffix(".truth.gz") }.map { String($0.dropLast(9)) }
        return names.count < 20 ? ["recordings are missing"] : names
    }()

    private static func unpacked(_ name: String) throws -> String {
        let result = try Program.run("gzip", ["-dc", "\(folder)/\(name).gz"], package: "gzip")
        guard result.code == 0 else { throw Failure("gzip: \(result.errors)") }
        return result.output.map { $0 + "\n" }.joined()
    }

    /// Under each policy: without settling, with the default settle time, and stepwise.
    @Test(arguments: names)
    func everyPhaseIsRight(name: String) throws {
        let recording = Array(try Self.unpacked("\(name).jsonl").utf8)
        let truths = try Self.unpacked("\(name).truth").split(separator: "\n").map {
            try RecordedTruth(line: String($0))
        }
        #expect(truths.count > 5)
        for policy in PhasePolicy.allCases {
            for (settle, isStepwise) in [(100, false), (0, false), (100, true)] {
                var options = PhaseMonitor.Options(
                    policy: policy, isStepwise: isStepwise, settle: .milliseconds(settle))
                if truths.first?.seesCovered == true { options.occlusion = .milliseconds(200) }
                let faults = try Self.faults(of: recording, truths, options)
                #expect(faults.prefix(3) == [], "\(policy), settle \(settle)")
            }
        }
    }

    private static func faults(
        of recording: [UInt8], _ truths: [RecordedTruth], _ options: PhaseMonitor.Options
    ) throws -> [String] {
        var rest = recording
        let replay = try Replay(options) {
            defer { rest = [] }
            return rest
        }
        var judge = Judge(options)
        var truths = truths[...]
        var faults: [String] = []
        while let step = try replay.next() {
            while let truth = truths.first,
                (truth.seconds, truth.nanoseconds) < (step.time.seconds, step.time.nanoseconds)
            {
                faults += judge.faults(truth)
                truths.removeFirst()
            }
            judge.take(step.events.compactMap(\.change).filter { $0.kind != .facts })
        }
        return faults + truths.flatMap { judge.faults($0) }
    }
}

/// A comparison of the reported changes with the recorded truth.
private struct Judge {
    private let options: PhaseMonitor.Options
    private var scenes: [String: ScenePhase] = [:]
    private var applications: [String: ScenePhase] = [:]
    private var changes: [Change] = []

    init(_ options: PhaseMonitor.Options) {
        self.options = options
    }

    mutating func take(_ changes: [Change]) {
        // Probe windows are created until the window manager manages one.
        for change in changes where change.application != "Probe" {
            switch change.level {
            case .scene:
                if let facts = change.scene { scenes[facts.id.description] = change.to }
                self.changes.append(change)
            case .application: applications[change.application] = change.to
            case .group: break
            }
        }
    }

    mutating func faults(_ truth: RecordedTruth) -> [String] {
        defer { changes = [] }
        let active = Set(truth.applications.filter { $0.right.contains("active") }.map(\.name))
        func faults(_ subjects: [RecordedTruth.Subject], _ phases: [String: ScenePhase]) -> [String] {
            subjects.flatMap { subject in
                fault(
                    subject, phases[subject.name],
                    isInUse: active.contains(subject.application ?? subject.name))
            } + Set(phases.keys).subtracting(subjects.map(\.name)).map { "\($0) is gone" }
        }
        var all = faults(truth.scenes, scenes) + faults(truth.applications, applications)
        if options.policy == .focus, options.settle > .zero, !options.isStepwise, let causes = truth.causes {
            all += changes.filter { $0.cause.rawValue != causes.cause(of: $0) }.map {
                "\($0.application) \($0.cause)"
            }
        }
        return all.map { "\(truth.step): \($0)" }
    }

    private func fault(_ subject: RecordedTruth.Subject, _ reported: ScenePhase?, isInUse: Bool) -> [String] {
        let right = subject.right.map { phase in
            switch (options.policy, phase) {
            case (.visible, "inactive"): "active"
            case (.application, "inactive") where isInUse: "active"
            default: phase
            }
        }
        let reported = reported?.rawValue ?? "gone"
        return right.contains(reported)
            ? [] : ["\(subject.name) is \(right.joined(separator: " or ")), reported as \(reported)"]
    }
}

extension RecordedTruth.Causes {
    fileprivate func cause(of change: Change) -> String? {
        switch (change.from, change.to) {
        case (nil, _): opened
        case (_, nil): closed
        case (.background, _): rise
        case (_, .background): fall
        case (_, .active): "focus"
        default: "blur"
        }
    }
}
