import Hooks
import System

/// A process that may play a stream.
struct StreamPlayer: Hashable {
    let process: ProcessIdentity
    /// The path of its program; nil if it cannot be read.
    var program: String?
    /// The names of its application; nil if they cannot be read.
    var names: SandboxNames?

    fileprivate func runs(_ name: String) -> Bool? {
        program.map { $0.hasSuffix("/\(name)") || $0.hasSuffix("/\(name) (deleted)") }
    }
}

extension AudioStream {
    /// Returns those of the processes that may play the stream according to its properties: those of which a property is
    /// true, else those of which it may be, else all. The program of another user's process cannot be read, for example.
    func narrowed(_ players: [StreamPlayer]) -> [StreamPlayer] {
        // The first three are the server's own view.
        let tests: [(property: String, isMet: (StreamPlayer, String) -> Bool?)] = [
            ("pipewire.sec.pid", { $0.process.pid == Int32($1) }),
            ("pipewire.access.portal.app_id", { $0.names?.applications.contains($1) }),
            ("pipewire.access.portal.instance_id", { player, id in player.names.map { $0.instance == id } }),
            ("application.process.binary", { $0.runs($1) }),
            ("application.id", { $0.names?.applications.contains($1) }),
        ]
        return tests.reduce(players) { players, test in
            guard players.count > 1, let value = properties[test.property] else { return players }
            let answers = Dictionary(grouping: players) { test.isMet($0, value) }
            return answers[true] ?? answers[nil] ?? players
        }
    }
}

/// A stream and the processes that may play it.
struct PlayedStream {
    /// The maximum number of processes that a fault names.
    private static let mostNamed = 8

    let stream: AudioStream
    /// Sorted by number.
    let players: [ProcessIdentity]

    func mayBelong(to processes: [ProcessIdentity]) -> Bool { players.contains(where: processes.contains) }

    /// Returns whether the stream runs and may be of one of the processes, which have these numbers inside or outside of
    /// their sandboxes. A muted stream counts: a stopped client silences others in either case.
    func mayRun(for processes: [ProcessIdentity], numbered pids: Set<Int32>) -> Bool {
        guard !stream.corked, let pid = stream.number?.value, pids.contains(pid) else { return false }
        return players.isEmpty || mayBelong(to: processes)
    }

    /// Returns what undoes the mute of the stream; nil if a process other than these may play it.
    func muted(of processes: [ProcessIdentity]) -> MutedStream? {
        guard let player = players.first, players.allSatisfy(processes.contains) else { return nil }
        return MutedStream(index: stream.index, process: player, memory: stream.memory)
    }

    /// Returns a message for each set of indistinguishable processes.
    static func faults(_ streams: [PlayedStream]) -> [String] {
        let sets = Dictionary(grouping: streams) { $0.players.map(\.pid) }
        return sets.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { pids, streams in
            let count = streams.count == 1 ? "1 stream" : "\(streams.count) streams"
            let named = pids.prefix(mostNamed).map { "\($0)" }
            let list = named.dropLast().joined(separator: ", ") + " or \(named.last ?? "")"
            return
                "\(count) may be of process \(list), which have the same number and program in their sandboxes"
        }
    }
}

extension [PlayedStream] {
    /// Returns whether one of the streams runs and may be of one of the processes of an application.
    func mayRun(for processes: [ProcessIdentity]) -> Bool {
        let pids = processes.numbers
        return contains { $0.mayRun(for: processes, numbered: pids) }
    }
}

extension [ProcessIdentity] {
    /// The numbers that programs may name: a sandboxed one reports its number inside of the sandbox.
    var numbers: Set<Int32> {
        let pids = map(\.pid)
        return Set(pids + pids.compactMap(ProcessFacts.innermostNumber))
    }
}

/// A search for the processes that play streams. A process in a sandbox states its number inside of it, which processes in
/// other sandboxes may have, too.
final class StreamPlayers {
    /// The time limit of reading the names of sandboxes.
    private static let patience = Duration.seconds(1)

    /// The processes of the application.
    private let own: Set<ProcessIdentity>
    private let sandboxes: ProcessReadings
    /// Why streams may not be told apart; nil if they are.
    private(set) var remark: String?

    /// - Parameter sandboxes: Reads the names.
    init(_ processes: [ProcessIdentity], _ sandboxes: ProcessReadings) {
        own = Set(processes)
        self.sandboxes = sandboxes
    }

    /// Passes on the streams with the processes that may play them; none where no process of the application has the
    /// number.
    ///
    /// - Parameter table: All processes.
    func find(
        _ streams: [AudioStream], among table: ProcessTable, then: @escaping ([PlayedStream]) -> Void
    ) {
        let numbers = Set(own.flatMap(ProcessNumber.all))
        let possible = Set(streams.compactMap(\.number)).intersection(numbers)
        let all = possible.isEmpty ? [:] : Self.players(numbered: possible, among: table)
        let found = streams.map { stream in
            let players = stream.number.flatMap { all[$0] } ?? []
            return (stream, isOpen(players) ? stream.narrowed(players) : players)
        }
        let unknown = Set(found.map(\.1).filter(isOpen).joined().map(\.process))
        read(unknown) { names in
            then(
                found.map { stream, players in
                    let named = players.map { player in
                        var player = player
                        player.names = names[player.process]
                        return player
                    }
                    return PlayedStream(stream: stream, players: stream.narrowed(named).map(\.process))
                })
        }
    }

    /// Returns the processes with these numbers.
    private static func players(
        numbered numbers: Set<ProcessNumber>, among table: ProcessTable
    ) -> [ProcessNumber: [StreamPlayer]] {
        var players: [ProcessNumber: [StreamPlayer]] = [:]
        for process in table.rows.values.map(\.identity).sorted(by: { $0.pid < $1.pid }) {
            let found = ProcessNumber.all(of: process).filter(numbers.contains)
            guard !found.isEmpty, process.isAlive else { continue }
            let program = SystemString("/proc/\(process.pid)/exe").linkTarget
            let player = StreamPlayer(process: process, program: program?.description)
            for number in found { players[number, default: []].append(player) }
        }
        return players
    }

    /// Returns whether some of the processes are those of the application and some are not.
    private func isOpen(_ players: [StreamPlayer]) -> Bool {
        let count = players.count { own.contains($0.process) }
        return count > 0 && count < players.count
    }

    /// Reads the names of sandboxes.
    func read(
        _ processes: Set<ProcessIdentity>, then: @escaping ([ProcessIdentity: SandboxNames]) -> Void
    ) {
        if processes.isEmpty { return then([:]) }
        sandboxes.read(processes, within: Self.patience, SandboxNames.init) { [self] names in
            if names.count < processes.count { remark = Self.silence }
            then(names.compactMapValues(\.self))
        }
    }

    private static let silence =
        "the files of a sandbox do not answer, so its streams may not be told from others: end that sandbox"
}
