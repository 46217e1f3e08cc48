import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

struct ActiveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "active",
        abstract: "Print the focused scene: application and title.",
        usage: "xphase active [--follow] [options]",
        discussion: """
            The policy of 'xphase watch' does not matter. Exits 1 if no scene has the focus and --empty is not given.

            EXAMPLES
              xphase active
              xphase active --follow --empty ' ' --format '{application}: {title}'
              xphase active --json
            """
    )

    @Flag(help: "Print a line whenever the scene or its title changes.")
    var follow = false

    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp("Print this text while no scene has the focus, and exit 0.", valueName: "text"),
    )
    var empty: String?

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        if !follow {
            let scene = try DisplayPhases.use(on: display, io) { try $0.activeScene() }
            guard let line = line(of: scene) else {
                throw CommandFailure.notFound("no scene has the focus")
            }
            return try io.write(line)
        }
        let sink = ActiveSink(StandardOutput.withoutWaiting()) { line(of: $0, sequence: $1) ?? [] }
        try io.logging { io, log in
            defer { sink.finish() }
            _ = try DisplayPhases.use(on: display, io) { phases in
                switch phases {
                case .served(let phases):
                    sink.scene = { .some($0.first?.change) }
                    return try phases.followActive(into: [sink, log])
                case .read(let watcher):
                    sink.scene = { _ in watcher.isFocusSettling ? nil : .some(watcher.activeScene()) }
                    return try watcher.watch(into: [sink, log])
                }
            }
        }
    }

    /// Returns the line about a scene; nil if there is none, and nothing to print then.
    private func line(of scene: Change?, sequence: Int = 1) -> [UInt8]? {
        guard let scene else {
            let text = empty ?? (follow ? "" : nil)
            let line = format.json ? text.map { _ in "null" } : text
            return line.map { Array("\($0.escapedForTerminal)\n".utf8) }
        }
        guard let format = format.lines else {
            let words = [scene.application, scene.scene?.title].compactMap(\.self).joined(separator: "  ")
            return Array("\(words.escapedForTerminal)\n".utf8)
        }
        return format.line(.change(scene), sequence: sequence, time: .now())
    }
}

/// A sink that prints the focused scene of a display whenever it changes, and never waits for the reader: one that is slow
/// gets the newest line only.
final class ActiveSink: WatchMember {
    /// The number of bytes that a pipe accepts atomically when poll(2) reports it as writable.
    private static let chunk = Int(PIPE_BUF)
    /// The time for the rest of a line at the end.
    private static let patience = Duration.seconds(1)

    let details: PhaseWatcher.Details = [.titles, .titleChanges, .locations]
    private let descriptor: Int32
    private let line: (_ scene: Change?, _ sequence: Int) -> [UInt8]
    /// Returns the focused scene after these events, itself nil if there is none; nil while the focus settles.
    var scene: ([Event]) -> Change?? = { _ in nil }
    private var lastScene: Change??
    /// The last line of which at least a part is written.
    private var lastLine: [UInt8] = []
    private var sequence = 0
    /// What is not written of it.
    private var rest: ArraySlice<UInt8> = []
    /// The line that follows it; nil if none does.
    private var newest: [UInt8]?

    /// - Parameters:
    ///   - descriptor: The destination of the lines.
    ///   - line: Returns the line of this number about a scene.
    init(_ descriptor: Int32, line: @escaping (_ scene: Change?, _ sequence: Int) -> [UInt8]) {
        self.descriptor = descriptor
        self.line = line
    }

    var output: Int32? { descriptor }
    var hasBacklog: Bool { !rest.isEmpty || newest != nil }

    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) throws {
        guard let scene = scene(events), lastScene != .some(scene) else { return }
        lastScene = scene
        newest = line(scene, sequence + 1)
        try flush()
    }

    func flush() throws {
        while hasBacklog, StandardOutput.hasRoom(descriptor) {
            if rest.isEmpty { begin() }
            rest = rest.dropFirst(try StandardOutput.writeOnce(rest.prefix(Self.chunk), to: descriptor))
        }
    }

    /// Writes the rest of a line that was begun, unless its reader is too slow or gone. Must be the last call.
    func finish() {
        newest = nil
        let end = Clock.now() + Self.patience
        while !rest.isEmpty, Clock.now() < end {
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&request, 1, Int32(clamping: (end - Clock.now()).milliseconds))
            if (try? flush()) == nil { return }
        }
    }

    /// Begins the newest line, unless it equals the previous one.
    private func begin() {
        defer { newest = nil }
        guard let line = newest, line != lastLine else { return }
        lastLine = line
        sequence += 1
        rest = line[...]
    }
}
