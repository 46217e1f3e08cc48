import TestDesktop
import Testing

extension Rig {
    /// Performs steps. Skips those that the manager cannot do; the summary names them.
    func perform(_ steps: [Step]) throws {
        for step in steps {
            if let missing = step.needs.first(where: { manager.cannot[$0] != nil }) {
                report.skip(missing)
            } else {
                try perform(step)
            }
        }
    }

    func perform(_ step: Step) throws {
        var entry = try performOnce(step)
        if step.isBrief && !entry.flaps.isEmpty {
            // On a machine that stalls, the step sometimes causes real changes. A fault shows in most attempts.
            let attempts = try [entry] + (2...5).map { _ in try performOnce(step) }
            if attempts.count(where: { $0.flaps.isEmpty }) > attempts.count / 2 { entry.flaps = [] }
        }
        report.add(entry)
    }

    private func performOnce(_ step: Step) throws -> ScenarioReport.Entry {
        let deadline = Duration.seconds(isSlowed ? 20 : 5)
        try step.act(self)
        let isDone = try waitUntil(within: deadline) { try step.isDone(self) }
        if isSlowed && !isDone {
            // Some managers lose requests while they are stopped. The phases must still be right.
            print("\(manager), stopped most of the time, \(step.name): the manager did not perform it")
        } else {
            #expect(isDone, "\(manager), \(step.name): the manager did not perform it. \(process.log())")
        }
        var lines = try readUntilQuiet()
        if step.isTakeover && manager.can(.reportDeath) { lines += try readUntilTakeover(after: lines) }
        var truth = try Truth(of: self)
        var faults = truth.faults(of: self)
        let clock = ContinuousClock()
        let end = clock.now + deadline
        while !faults.isEmpty && clock.now < end {
            lines += try readUntilQuiet()
            truth = try Truth(of: self)
            faults = truth.faults(of: self)
        }
        if faults.isEmpty {
            try recording?.note(truth, of: self, after: step, followsCovers: !step.isTakeover && !isSlowed)
        }
        if !faults.isEmpty {
            Issue.record("\(manager), \(step.name): \(faults) \(try evidence(lines))")
        }
        // A list reads neither which windows are covered nor the results of a takeover, and has the policy `focus`.
        if !seesCovered && policy == "focus" && !step.isTakeover && !hadAnotherManager && !isSlowed {
            #expect(try settledDifferences() == [], "\(manager), \(step.name)")
        }
        checkCauses(of: step, lines)
        return .init(
            step.name, lines: lines, faults: faults, by: manager, isInterrupted: isSlowed || step.isTakeover)
    }

    private func readUntilTakeover(after earlier: [Line]) throws -> [Line] {
        var lines: [Line] = []
        let isReported = try waitUntil(within: .seconds(10)) {
            if (earlier + lines).contains(where: { $0.text?.contains("took over") == true }) { return true }
            lines += try readUntilQuiet()
            return false
        }
        // A manager that returns before xphase looks may have the same window ids, and then counts as the same
        // manager.
        let isNoticed = (earlier + lines).contains { $0.text?.contains("went away") == true }
        #expect(isReported || !isNoticed, "\(manager) took over, but xphase did not report it")
        return lines
    }

    private func evidence(_ lines: [Line]) throws -> String {
        let list = try list().map(\.evidence)
        return "reported \(lines.map(\.evidence)), listed \(list), the focus is \(client.focus)"
    }
}
