import Console
import Glibc
import PhaseWatch
import System

/// A sink that prints the focused scene of a display whenever it changes.
final class ActiveSink: WatchMember {
    let output: Int32? = STDOUT_FILENO
    let details: PhaseWatcher.Details = [.titles, .titleChanges, .places, .focus]
    private let command: ActiveCommand
    private let io: CommandIO
    /// Returns the focused scene after these events.
    var scene: ([Event]) -> Change? = { _ in nil }
    private var sequence = 0
    private var lastScene: Change??
    private var lastLine: String?

    init(_ command: ActiveCommand, _ io: CommandIO) { (self.command, self.io) = (command, io) }

    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) throws {
        try print(scene(events))
    }

    /// Prints a scene, unless it or its line equals the previous one.
    func print(_ scene: Change?) throws {
        if lastScene == .some(scene) { return }
        lastScene = scene
        guard let line = line(of: scene) else {
            throw CommandFailure.notFound(
                command.monitor.map { "no scene has had the focus on a monitor '\($0)'" }
                    ?? "no scene has the focus")
        }
        if line == lastLine { return }
        lastLine = line
        try io.write(line)
    }

    private func line(of scene: Change?) -> String? {
        guard let scene else {
            let text = command.empty ?? (command.follow ? "" : nil)
            return (command.format.json ? text.map { _ in "null" } : text).map {
                $0.escapedForTerminal + "\n"
            }
        }
        guard let format = command.format.lines else {
            let words = [scene.application, scene.scene?.title].compactMap(\.self).joined(separator: "  ")
            return words.escapedForTerminal + "\n"
        }
        sequence += 1
        return String(
            decoding: format.line(.change(scene), sequence: sequence, time: .now()), as: UTF8.self)
    }
}
