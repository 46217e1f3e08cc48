import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct List: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List applications, groups, scenes and their phases.",
        usage: "xphase list [app…] [options]",
        discussion: """
            A scene is a window with its dialogs. A group has the windows of one instance name, and an application \
            those of one class name. The column TITLE of an application says whether it is frozen. Exits 1 if no \
            application matches; without <app>, an empty --phase selection exits 0.

            EXAMPLES
              xphase list
              xphase list 'xterm'
              xphase list --phase background
              xphase list --json --level scene
            """
    )

    @Option(
        help: ArgumentHelp("Only those in one of these phases.", valueName: "phase,…"),
        completion: .commaSeparated(ScenePhase.allCases.map(\.rawValue)),
        transform: { try PhaseSet.ofPresent($0) })
    var phase: [PhaseSet] = []

    @OptionGroup var lines: LineOptions

    @OptionGroup var subject: SubjectOptions

    func run(_ io: CommandIO) throws {
        let phase = phase.isEmpty ? nil : PhaseSet(phase)
        let levels = lines.level.isEmpty ? Set(Change.Level.allCases) : lines.levels
        let details = (lines.format.lines ?? .json).details
        let (subjects, events, isServed) = try DisplayPhases.use(on: subject.display, io) { phases in
            let subjects = try Subjects(subject.names, on: phases.displayName)
            return (subjects, try phases.present(details), phases.watcher == nil)
        }
        let named = events.compactMap(\.change).filter(subjects.concerns)
        if let failure = subjects.absence(among: events) {
            if named.isEmpty {
                throw try io.closedFailure(of: subjects.names, on: subject.display) ?? failure
            }
            io.say(failure.description)
        }
        let changes = named.filter { change in
            levels.contains(change.level)
                && change.to.map { phase?.contains($0) ?? true } ?? false
        }
        if changes.isEmpty, let phase, !subject.names.isEmpty {
            throw CommandFailure.noneIs(phase, of: named)
        }
        if named.isEmpty { io.say("no application is running") }
        if let format = lines.format.lines {
            let time = Timestamp.now()
            try io.write(zip(1..., changes).flatMap { format.line(.change($1), sequence: $0, time: time) })
        } else {
            let status = isServed ? try io.statusIfItAnswers(subject.display) : nil
            let freezes = status.map { Freezes($0.rows) } ?? Freezes(left: io.environment)
            try io.write(Tree(palette: io.palette, levels: levels, freezes: freezes).text(of: changes))
        }
    }
}

extension CommandFailure {
    /// Returns the failure for applications of which none is in one of these phases.
    fileprivate static func noneIs(_ phase: PhaseSet, of changes: [Change]) -> Self {
        let names = Set(changes.map(\.application)).sorted()
        let verb = names.count == 1 ? "is running, but does" : "are running, but do"
        return notFound("\(list(names)) \(verb) not match --phase \(phase.text)")
    }
}

/// The output of `list`: an aligned tree of applications, groups and scenes.
struct Tree {
    private enum Column: String, CaseIterable {
        case application, phase, scenes, pid, desktop, title

        /// Numbers are aligned to the right.
        var isNumber: Bool { [.scenes, .pid, .desktop].contains(self) }
    }

    /// The cells have no control characters. The heading has neither level nor phase.
    private struct Row {
        var cells: [Column: String]
        var level: Change.Level?
        var phase: ScenePhase?
    }

    let palette: Palette
    var levels = Set(Change.Level.allCases)
    var freezes = Freezes([])

    /// Whether all levels are shown, so a row need not repeat the names above it.
    private var isWhole: Bool { levels.count == Change.Level.allCases.count }

    /// - Parameter changes: Initial changes, in any order.
    func text(of changes: [Change]) -> String {
        if changes.isEmpty { return "" }
        // A change is costly to move.
        let ranks = changes.map(\.rank)
        let order = changes.indices.sorted { ranks[$0] < ranks[$1] }
        let titles = Column.allCases.map { ($0, $0.rawValue.uppercased()) }
        let heading = Row(cells: Dictionary(uniqueKeysWithValues: titles))
        let rows = [heading] + order.map { row(of: changes[$0]) }
        let columns = Column.allCases.map { column in
            (column, width: rows.map { $0.cells[column, default: ""].columnCount }.max() ?? 0)
        }
        return rows.map { row in
            let cells = columns.map { column, width in
                let cell = row.cells[column, default: ""]
                return painted(
                    column.isNumber ? cell.padded(leftTo: width) : cell.padded(to: width), column, row)
            }
            return cells.joined(separator: "  ").withoutSpacesAtTheEnd + "\n"
        }.joined()
    }

    private func painted(_ cell: String, _ column: Column, _ row: Row) -> String {
        switch column {
        case .application where row.level == .application: palette.strong(cell)
        case .phase: palette.phase(cell, row.phase)
        default: cell
        }
    }

    private func row(of change: Change) -> Row {
        Row(cells: cells(of: change), level: change.level, phase: change.to)
    }

    private func cells(of change: Change) -> [Column: String] {
        let name: String
        switch change.subject {
        case _ where !isWhole: name = change.path
        case .scene(let facts): name = "    \(facts.id)"
        case .group: name = "  " + (change.group ?? "").escapedForTerminal
        case .application: name = change.application.escapedForTerminal
        }
        let phase = change.to?.rawValue ?? ""
        switch change.subject {
        case .scene(let facts):
            let desktop = facts.desktop.map { $0 < 0 ? "all" : String($0) } ?? "-"
            let title = facts.title?.escapedForTerminal ?? ""
            return [
                .application: name, .phase: phase, .pid: facts.pid.map { String($0) } ?? "-",
                .desktop: desktop, .title: title,
            ]
        case .group(let members), .application(let members):
            let pids = members.pids.map { String($0) }.joined(separator: ",")
            let words = change.level == .application ? freezes.words(about: change.application).first : nil
            return [
                .application: name, .phase: phase, .scenes: String(members.counts.all),
                .pid: pids.isEmpty ? "-" : pids, .title: words?.escapedForTerminal ?? "",
            ]
        }
    }
}

extension Change {
    /// Sorts applications by name, each followed by its groups, and each group by its scenes.
    fileprivate var rank: (folded: String, application: String, group: String, scene: UInt32) {
        (application.lowercased(), application, group ?? "", scene?.id.xid ?? 0)
    }
}
