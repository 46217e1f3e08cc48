import Console
import Glibc
import Hooks
import PhaseWatch
import System
import X11

/// The xphase process that carries out a request. It may block, and performs one step after the other.
public struct ReactionProgram {
    /// The only argument of the process. No command has this name.
    public static let argument = "---react"
    /// The maximum number of streams of an application that are muted.
    private static let mostStreams = 256

    private let request: ReactionRequest
    private var answer = ReactionAnswer()

    /// Reads the request from stdin, and writes the answer to stdout.
    ///
    /// - Returns: The exit code; 0 if the request was carried out as far as possible.
    public static func run() -> Int32 {
        // Numbers in the output of tools are parsed.
        setenv("LC_ALL", "C", 1)
        guard let input = try? Descriptor("dup", dup(STDIN_FILENO)),
            let bytes = try? input.readAll("stdin", limit: 16 << 20),
            let request = ReactionRequest(json: bytes)
        else { return EXIT_FAILURE }
        if request.step == .listen {
            return listen(to: Set(request.processes.map(\.pid)), for: request.parent)
        }
        var program = ReactionProgram(request: request)
        program.run()
        let output = program.answer.json
        guard write(STDOUT_FILENO, output, output.count) == output.count else { return EXIT_FAILURE }
        return request.step == .undo && !program.answer.faults.isEmpty ? EXIT_FAILURE : EXIT_SUCCESS
    }

    private init(request: ReactionRequest) {
        self.request = request
    }

    private mutating func run() {
        switch request.step {
        case .ask: ask()
        case .prepare: prepare()
        case .perform: perform()
        case .undo: undo()
        case .listen: break
        }
    }

    private static func listen(to pids: Set<Int32>, for parent: pid_t) -> Int32 {
        // At least one opening, which reports that the bus has answered.
        var openings = [BusWatch.Opening()]
        do {
            guard let (names, lack) = try BusNames.all(of: pids) else { return EXIT_SUCCESS }
            openings[0].lack = lack
            openings += names.map { BusWatch.Opening(names: [$0: $1]) }
        } catch {
            openings[0].lack = "\(error)"
        }
        for opening in openings {
            let line = opening.json + [UInt8(ascii: "\n")]
            guard write(STDOUT_FILENO, line, line.count) == line.count else { return EXIT_FAILURE }
        }
        if openings.count == 1 && openings[0].lack != nil { return EXIT_FAILURE }
        BusNames.monitor(openings.flatMap(\.names.keys), for: parent)
    }

    // MARK: Exceptions

    private mutating func ask() {
        do {
            answer.exception = try exception()
        } catch {
            // Assume an exception: a frozen client with a running stream would silence all other clients.
            answer.exception = "its state is unknown: \(error)"
        }
    }

    private mutating func exception() throws -> String? {
        let pids = Set(request.processes.map(\.pid))
        let mayFreeze = request.builtIns.contains(.freeze)
        let exceptions = request.exceptions
        if try exceptions.contains(.audio) && runs(.played, pids) { return "it plays audio" }
        if try exceptions.contains(.microphone) && runs(.recorded, pids) { return "it records audio" }
        if try exceptions.contains(.inhibit) && isInhibiting() { return "it inhibits idleness or sleep" }
        // The fast checks come last: their results are still valid when the answer arrives.
        if mayFreeze || !exceptions.isDisjoint(with: [.selection, .fullscreen]) {
            let (use, windows) = (try WindowUse(on: Display()), request.windows)
            if mayFreeze { answer.managers = try use.managers().sorted() }
            if mayFreeze, let reason = UseElsewhere().reason(for: pids.sorted(), .current()) { return reason }
            if mayFreeze, let kind = try use.accessory(ofClientOf: windows, processes: pids) {
                return "it shows a \(kind)"
            }
            if try mayFreeze && request.isSeen && staysGrabbed(use) {
                return "a program has grabbed the pointer or the keyboard"
            }
            if try exceptions.contains(.fullscreen) && use.isFullscreen(anyOf: windows) {
                return "one of its windows is fullscreen"
            }
            if try exceptions.contains(.selection) && use.ownsSelection(anyOf: windows, processes: pids) {
                return "it owns the selection, which could not be pasted while it is frozen"
            }
        }
        return nil
    }

    /// Whether the pointer or the keyboard stays grabbed for a second. A key that is held down is a grab, too.
    private func staysGrabbed(_ use: WindowUse) throws -> Bool {
        for _ in 1...20 {
            if try !use.isInputGrabbed() { return false }
            usleep(50_000)
        }
        return true
    }

    /// Whether a stream of these processes runs. Muted streams count: a stopped client silences others in either case.
    /// A sandboxed process reports its pid inside the sandbox to the server. If that is also the pid of another
    /// process, the stream counts, too.
    private func runs(_ direction: AudioStream.Direction, _ pids: Set<Int32>) throws -> Bool {
        let pids = pids.union(pids.compactMap(ProcessFacts.innermostNumber))
        let streams = try AudioStream.present(direction) ?? []
        return streams.contains { !$0.corked && $0.pid.map(pids.contains) ?? false }
    }

    /// Whether the application holds an inhibitor; false without busctl, which lists inhibitors.
    private mutating func isInhibiting() throws -> Bool {
        do {
            return try Inhibitor.isHeld(by: request)
        } catch SystemError.missing(let program) {
            answer.remarks.append(
                "there is no \(program), so inhibitors are ignored")
            return false
        }
    }

    // MARK: Preparing

    private mutating func prepare() {
        let group = request.group.map { ControlGroup(path: $0) } ?? scope()
        if !request.builtIns.isDisjoint(with: [.slow, .cap, .mute]) { prepareToUndo(group) }
        if request.builtIns.contains(.freeze) { ask() }
    }

    /// Saves the state that the undo restores.
    private mutating func prepareToUndo(_ group: ControlGroup?) {
        let request = request
        save(.slow, of: group, "is not slowed") { unit in
            .slowed(unit: unit.name, weights: try UnitWeights(unit: unit.name).present(at: unit.path))
        }
        save(.cap, of: group, "is not capped") { unit in
            .capped(unit: unit.name, quota: try UnitWeights(unit: unit.name).quota(at: unit.path))
        }
        if request.builtIns.contains(.mute) {
            attempt("is not muted") { answer in
                guard let streams = try AudioStream.present() else {
                    throw SystemError.refused("no audio server runs")
                }
                let heard = streams.compactMap { MutedStream($0, processes: request.processes) }
                answer.holds += heard.sorted { $0.index < $1.index }.prefix(Self.mostStreams)
                    .map { .muted($0) }
            }
        }
    }

    private mutating func save(
        _ builtIn: BuiltIn, of group: ControlGroup?, _ fault: String,
        _ hold: (ControlGroup) throws -> Hold
    ) {
        if !request.builtIns.contains(builtIn) { return }
        attempt(fault) { answer in
            guard let group else { throw SystemError.refused("it has no systemd unit of its own") }
            answer.holds.append(try hold(group))
        }
    }

    private mutating func scope() -> ControlGroup? {
        // Processes that already have a unit keep it.
        let processes = request.wantsScope ? request.processes.filter { ControlGroup(of: $0.pid) == nil } : []
        guard let first = processes.first else { return nil }
        do {
            try ApplicationScope(application: request.application, processes: processes).make()
            return ControlGroup(of: first.pid)
        } catch {
            answer.remarks.append("\(request.application) gets no unit of its own: \(error)")
            return nil
        }
    }

    // MARK: Doing and undoing

    private mutating func perform() {
        limit()
        mute()
    }

    /// Whether the requesting process is alive. If it is not, the reaction may have been undone already.
    private var isWanted: Bool { getppid() == request.parent }

    private mutating func limit() {
        let (request, group) = (request, request.group.map(ControlGroup.init))
        for hold in request.holds where isWanted {
            let (unit, word, more, values): (String, String, String, [String])
            switch (hold, request.cap?.rawValue) {
            case (.slowed(let name, _), _):
                (unit, word, more, values) = (name, "slowed", "", ["CPUWeight=10", "IOWeight=10"])
            case (.capped(let name, _), let cap?):
                (unit, word, more, values) = (name, "capped", " at \(cap)", ["CPUQuota=\(cap)"])
            default: continue
            }
            attempt("is not \(word)") { answer in
                try UnitWeights(unit: unit).set(values)
                answer.done.append("\(word)\(more) (\(unit))")
                guard let group, group.name == unit else { return }
                let controllers = UnitWeights.controllers(for: word == "capped" ? [.cap] : [.slow])
                answer.remarks += controllers.filter { !group.has($0) }.map(UnitWeights.lack)
            }
        }
    }

    private mutating func mute() {
        var count = 0
        for case .muted(let stream) in request.holds where isWanted {
            do {
                try stream.mute()
                count += 1
            } catch {
                answer.faults.append("is not muted: \(error)")
            }
        }
        if count > 0 { answer.done.append("muted (\(Self.streams(count)))") }
    }

    private mutating func undo() {
        var count = 0
        for hold in request.holds.reversed() {
            do {
                try hold.undo(with: request.processes)
                if hold.isFreeze { answer.done.append("thawed") }
                if case .slowed = hold { answer.done.append("no longer slowed") }
                if case .capped = hold { answer.done.append("no longer capped") }
                if case .muted = hold { count += 1 }
            } catch {
                answer.faults.append("is not restored: \(error)")
            }
        }
        if count > 0 { answer.done.append("unmuted (\(Self.streams(count)))") }
    }

    private mutating func attempt(_ fault: String, _ body: (inout ReactionAnswer) throws -> Void) {
        do { try body(&answer) } catch { answer.faults.append("\(fault): \(error)") }
    }

    private static func streams(_ count: Int) -> String { count == 1 ? "1 stream" : "\(count) streams" }
}
