import Console
import FoundationEssentials
import PhaseWatch
import System

/// One line of a journal. Only lines of their kind have the optional values; unknown keys are ignored.
struct JournalLine: Decodable {
    enum Kind: String, Decodable {
        /// A run starts to write, or continues in another file. Its whole state follows.
        case start
        /// An application has entered a phase, has another title, or is gone.
        case application
        /// The states that hide the display.
        case session
        /// The run was still alive.
        case alive
        case stop
    }

    private enum CodingKeys: String, CodingKey {
        case kind, run
        case calendar = "time"
        case seconds = "clock"
        case secondsAsleep = "asleep"
        case v, display, pid, ticks
        case continued, application, instances, to, title, states
    }

    /// The version in the `start` of a run. Readers skip the lines of runs with a newer version.
    static let version = 1
    /// No clock that starts at boot exceeds this range, and no sum of such times overflows.
    private static let longestTime = 0..<4e9
    private static let longestName = 1024

    let kind: Kind
    let run: Int
    private let calendar: UTCTime
    private let seconds: Double
    private let secondsAsleep: Double?
    let v: Int?
    private(set) var display: String?
    private let pid: Int32?
    private let ticks: UInt64?
    let continued: Bool?
    private(set) var application: String?
    let instances: [String]?
    /// nil for an application that is gone.
    let to: ScenePhase?
    let title: String?
    let states: [String]?

    /// Milliseconds since 1970.
    var time: Int64 { calendar.time.milliseconds }
    /// Milliseconds of CLOCK_MONOTONIC, which stops while the machine sleeps.
    var clock: Int64 { Int64((seconds * 1000).rounded()) }
    /// Milliseconds for which the machine has slept since its start.
    var asleep: Int64 { Int64(((secondsAsleep ?? 0) * 1000).rounded()) }
    /// The process that writes the lines of the run.
    var writer: ProcessIdentity { ProcessIdentity(pid: pid ?? 0, startTicks: ticks ?? 0) }
}

extension JournalLine {
    /// Decodes a line; nil if it does not belong to a journal.
    init?(_ bytes: ArraySlice<UInt8>, _ decoder: JSONDecoder) {
        guard let line = try? decoder.decode(JournalLine.self, from: Data(bytes)),
            Self.longestTime.contains(line.seconds), Self.longestTime.contains(line.secondsAsleep ?? 0),
            line.v ?? 1 > 0,
            line.kind != .start || line.v != nil && line.display != nil,
            line.kind != .application || line.application != nil
        else { return nil }
        self = line
        display = display?.cut(to: Self.longestName)
        application = application?.cut(to: Self.longestName)
    }
}

extension String {
    fileprivate func cut(to count: Int) -> String {
        utf8.count <= count ? self : String(decoding: utf8.prefix(count), as: UTF8.self)
    }
}
