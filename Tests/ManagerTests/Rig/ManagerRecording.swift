import Glibc
import TestDesktop

/// Records what xphase reads under a window manager, together with the true phases: `XPHASE_RECORDINGS=FOLDER`.
final class ManagerRecording {
    private static let folder = getenv("XPHASE_RECORDINGS").map { String(cString: $0) }

    private let file: String
    private let program: Program
    private var truths: [String] = []

    /// - Returns: nil if no recording is wanted.
    init?(_ name: String?, on display: VirtualDisplay) throws {
        guard let folder = Self.folder, let name else { return nil }
        file = "\(folder)/\(name.replacing(" ", with: "-"))"
        unlink("\(file).jsonl")
        program = try Program(Rig.xphase, ["record", "\(file).jsonl"], environment: display.environment)
        guard waitUntil({ access("\(file).jsonl", F_OK) == 0 }) else { throw Failure("nothing is recorded") }
    }

    /// Adds the true phases of this moment, after xphase has settled.
    func note(_ truth: Truth, of rig: Rig, after step: Step, followsCovers: Bool) throws {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let applications = Dictionary(
            rig.scenarioClients.values.map { ($0.window.name, $0.application) }, uniquingKeysWith: { $1 })
        let truth = RecordedTruth(
            step.name, at: (time.tv_sec, time.tv_nsec),
            scenes: truth.scenes.map { .init($0, of: applications[$0], right: $1) }.sorted {
                $0.name < $1.name
            },
            applications: truth.applications.map { .init($0, right: $1) }.sorted { $0.name < $1.name },
            causes: followsCovers ? rig.causes(of: step) : nil, seesCovered: rig.seesCovered)
        truths.append(try truth.line())
    }

    /// Ends the recording and writes the file of true phases. After a fault this is not called, and the file is
    /// missing.
    func end() throws {
        try program.end(SIGTERM)
        guard let output = fopen("\(file).truth", "w") else {
            throw Failure("\(file).truth cannot be written")
        }
        fputs(truths.map { $0 + "\n" }.joined(), output)
        fclose(output)
        let result = try Program.run("gzip", ["-9nf", "\(file).jsonl", "\(file).truth"], package: "gzip")
        guard result.code == 0 else { throw Failure("gzip: \(result.errors)") }
    }
}
