import PhaseWatch

/// One line of a journal, as places in the bytes it was read from.
struct JournalLine {
    enum Kind: UInt8 {
        /// A run begins to write, or goes on in another file; what is there follows.
        case start
        /// A group has come to a phase, or is gone.
        case group
        /// The active scene of a group has this title.
        case title
        /// Nobody sees anything of the display from now on, or somebody does again.
        case session
        /// The machine was asleep.
        case resumed
        /// The run was still there.
        case alive
        case stop
    }

    /// A JSON string without its quotation marks, as it stands there.
    typealias Text = UnsafeBufferPointer<UInt8>

    var kind = Kind.alive
    var run = 0
    /// Milliseconds since 1970.
    var time: Int64 = 0
    /// Milliseconds of CLOCK_MONOTONIC, which stands still while the machine sleeps.
    var clock: Int64 = 0
    var application: Text?
    var group: Text?
    var title: Text?
    /// The phase; nil for what is gone.
    var phase: JournalPhase?
    /// The state of the session that begins or ends.
    var state: SessionState?
    var isOn = false
    /// Of a start.
    var version = 0
    var isContinued = false
    var display: Text?
    var boot: Text?
    var pid = 0
    var ticks = 0
    /// How long the machine was asleep, in milliseconds.
    var slept: Int64 = 0
}

/// The phases by number, so that the greatest counts are found by index.
public enum JournalPhase: Int, CaseIterable, Sendable {
    case background, inactive, active
}
