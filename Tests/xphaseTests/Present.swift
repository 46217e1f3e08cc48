import TestDesktop

/// What a reader of lines believes to be there after the last one.
struct Present: Equatable {
    private var phases: [String: String] = [:]

    func differences(from other: Present) -> [String] {
        Set(phases.keys).union(other.phases.keys).filter { phases[$0] != other.phases[$0] }.sorted()
            .map { "\($0): \(phases[$0] ?? "gone"), not \(other.phases[$0] ?? "gone")" }
    }

    init(_ lines: [Line]) {
        for line in lines { take(line) }
    }

    mutating func take(_ line: Line) {
        guard line.kind != "notice" else { return }
        let names = [line.kind, line.application, line.group, line.scene].map { $0 ?? "" }
        phases[names.joined(separator: " ")] = line.to
    }
}
