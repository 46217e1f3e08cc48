import TestDesktop

/// The lines that xphase wrote for each action, and which of them were wrong.
struct ScenarioReport: Sendable {
    struct Entry: Sendable {
        var action: String
        var lines: [Line]
        var flaps: [String]
        var faults: [String]

        init(_ action: String, lines: [Line], faults: [String], by manager: Manager, isInterrupted: Bool) {
            self.action = action
            self.lines = lines
            self.faults = faults
            flaps = ScenarioReport.flaps(in: lines, isSlow: manager.isSlow, isInterrupted: isInterrupted)
        }
    }

    let name: String
    private(set) var entries: [Entry] = []
    private(set) var skipped: [String] = []

    init(_ name: String) { self.name = name }

    mutating func add(_ entry: Entry) { entries.append(entry) }

    mutating func skip(_ request: Request) {
        if !skipped.contains(request.rawValue) { skipped.append(request.rawValue) }
    }

    var changes: Int { entries.reduce(0) { $0 + $1.lines.count { $0.subject != nil } } }
    var flaps: Int { entries.reduce(0) { $0 + $1.flaps.count } }
    var faults: Int { entries.reduce(0) { $0 + $1.faults.count } }

    var summary: String {
        "\(name): \(entries.count) actions, \(changes) changes, \(flaps) flaps, \(faults) wrong phases; "
            + "it cannot: \(skipped.isEmpty ? "-" : skipped.joined(separator: ", "))"
    }

    /// Returns the scenes and applications that changed more than once in one action.
    ///
    /// Three pairs count as one change: a subject that ends enters the background first, a renamed one is closed and
    /// opened, and a slow manager needs two steps. A manager is interrupted if it is stopped most of the time or
    /// replaced by another process. In that case a state that lasted longer than the settle time was real, and xphase
    /// is right to report it.
    private static func flaps(in lines: [Line], isSlow: Bool, isInterrupted: Bool) -> [String] {
        Dictionary(grouping: lines.filter { $0.subject != nil }) { "\($0.kind) \($0.subject ?? "")" }
            .filter { _, lines in
                let hasLasted = zip(lines, lines.dropFirst()).allSatisfy { $1.seconds(after: $0) > 0.2 }
                if isInterrupted && hasLasted { return false }
                guard lines.count == 2 else { return lines.count > 1 }
                let isEnd = lines[0].to == "background" && lines[1].change == "closed"
                let isRenamed = lines[0].change == "closed" && lines.allSatisfy { $0.cause == "regroup" }
                let isSlowly =
                    isSlow
                    && (lines.map(\.to) == ["inactive", "background"]
                        || lines.map(\.to) == ["inactive", "active"] && lines[0].change == "opened")
                return !isEnd && !isRenamed && !isSlowly
            }
            .map { "\($0.key): \($0.value.map(\.evidence).joined(separator: ", "))" }.sorted()
    }
}

extension Line {
    /// Returns the seconds from another line of the last half day to this one.
    fileprivate func seconds(after other: Line) -> Double {
        let difference = secondsOfDay - other.secondsOfDay
        return difference < -43_200 ? difference + 86_400 : difference
    }

    /// The seconds since midnight of a time such as `2026-11-21T12:03:41.993432Z`.
    private var secondsOfDay: Double {
        time.dropLast().suffix(15).split(separator: ":").reduce(0) { $0 * 60 + (Double($1) ?? .nan) }
    }

    /// The line after its time of day.
    var evidence: String { "\(time.suffix(11)) \(text ?? description)" }
}
