import PhaseWatch

/// A pair whose `enter` ran and whose `leave` is owed.
struct PairEntry: Codable, Hashable {
    var hook: String
    /// The program of `leave` and its arguments; at least one word.
    var leave: [String]
    var timeoutMilliseconds: Int
    /// What `enter` ran for.
    var change: Change
    /// The processes that `enter` was told of.
    var processes: [ProcessIdentity]
    /// The boot in which they ran; in another one, their numbers mean nothing.
    var bootID: String

    /// The longest time that a configuration can have, with something to spare.
    private static let longest = 200 * 366 * 24 * 3_600_000
    private static let mostScenes = 1 << 24

    /// Whether it can be reckoned with: a file may hold any number.
    var isPlausible: Bool {
        leave.first?.isEmpty == false && leave.allSatisfy { !$0.utf8.contains(0) }
            && (0...Self.longest).contains(timeoutMilliseconds)
            && change.held.map { .zero <= $0 && $0 <= .milliseconds(Self.longest) } ?? true
            && counts.allSatisfy { (0...Self.mostScenes).contains($0) }
    }

    private var counts: [Int] {
        switch change.subject {
        case .scene: []
        case .group(let members), .application(let members):
            [members.counts.active, members.counts.inactive, members.counts.background]
        }
    }
}
