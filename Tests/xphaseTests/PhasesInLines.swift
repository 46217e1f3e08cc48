import TestDesktop

/// The phases that a reader knows after the last line.
struct PhasesInLines: Equatable {
    private var phases: [String: String] = [:]

    func differences(from other: PhasesInLines) -> [String] {
        Set(phases.keys).union(other.phases.keys).filter { phases[$0] != other.phases[$0] }.sorted()
            .map { "\($0): \(phases[$0] ?? "gone"), not \(other.phases[$0] ?? "gone")" }
    }

    init(_ lines: [Line]) {
        for line in lines { update(with: line) }
    }

    mutating func update(with line: Line) {
        guard line.kind != "notice" else { return }
        let names = [line.kind, line.application, line.group, line.scene].map { $0 ?? "" }
        phases[names.joined(separator: " ")] = line.to
    }
}
