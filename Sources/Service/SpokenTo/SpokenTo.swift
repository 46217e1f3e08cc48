import Console
import Hooks
import System

/// A watch for attempts to reach frozen applications: calls on the session bus, events that are pending for their
/// processes, and second starts of their programs. `MessageWatch` detects messages to their windows.
final class SpokenTo {
    enum News {
        /// The applications that are about to be frozen are monitored now, or cannot be.
        case prepared
        /// Something tries to reach the application; the text describes it.
        case spoken(application: String, String)
        /// Frozen applications would delay the end of the session.
        case sessionMayEnd
        /// A call to the application that only reads, or its answer.
        case called(application: String, BusCall)
        case answered(application: String, BusCall)
        /// Calls are no longer noticed.
        case deaf
        /// A message about what cannot be noticed here.
        case lack(String)
    }

    private let bus: BusWatch
    private var waiting = WaitingWatch()
    private let starts: StartedAgain
    /// The processes to which calls are noticed, by application.
    private var heard: [String: Set<Int32>] = [:]

    /// - Parameter display: The name of the display.
    init(_ loop: EventLoop, display: String) {
        bus = BusWatch(loop)
        starts = StartedAgain(loop, display: display)
    }

    /// When to call `expire`; nil for never.
    var next: Duration? {
        [bus.next, waiting.next, starts.next].compactMap(\.self).min()
    }

    /// Whether anything is monitored or about to be.
    var isActive: Bool { !heard.isEmpty || waiting.next != nil || starts.descriptor != nil }

    /// Starts to monitor processes that are about to be frozen.
    ///
    /// - Returns: Whether they are monitored already; if not, `prepared` follows later.
    func prepare(_ application: String, _ pids: Set<Int32>, at now: Duration) throws -> Bool {
        // An application that was thawed meanwhile may have further names.
        let isKnown = heard.updateValue(pids, forKey: application) == pids
        if isKnown && bus.covers(application, pids) { return true }
        return try !bus.listen(to: heard, at: now)
    }

    /// Watches an application that was just frozen.
    ///
    /// - Parameter roots: The processes of its windows.
    func add(_ application: String, roots: [Int32], at now: Duration) throws(SystemError) {
        waiting.keep(Set(heard.keys).subtracting([application]))
        waiting.add(application, heard[application] ?? [], roots: roots, at: now)
        starts.keep(Set(heard.keys).subtracting([application]))
        try starts.add(application, roots: roots, at: Clock.sinceBoot())
    }

    /// Forgets all applications but these.
    func keep(_ applications: Set<String>, at now: Duration) {
        let former = heard.count
        heard = heard.filter { applications.contains($0.key) }
        waiting.keep(applications)
        starts.keep(applications)
        if heard.isEmpty {
            bus.stop()
        } else if heard.count < former {
            // Calls to what is no longer frozen must not wake xphase. Without a new monitor, the former one stays.
            _ = try? bus.listen(to: heard, at: now)
        }
    }

    /// - Parameter application: The application that the message is sent to, or that answers.
    private func take(_ message: BusMessage, of application: String) -> [News] {
        if message.isAnswer {
            guard let serial = message.replySerial, let reader = message.destination else { return [] }
            return [.answered(application: application, BusCall(sender: reader, serial: serial))]
        }
        guard message.onlyReads else {
            return [.spoken(application: application, message.words)]
        }
        guard let sender = message.sender, !message.isOneWay else { return [] }
        return [.called(application: application, BusCall(sender: sender, serial: message.serial))]
    }

    /// Handles a ready descriptor; returns nil if it is not ours.
    func ready(_ descriptor: Int32, at now: Duration) -> [News]? {
        if descriptor == starts.descriptor {
            starts.ready(at: now)
            return []
        }
        return bus.ready(descriptor).map(translate)
    }

    /// Returns the news that is due.
    func expire(at now: Duration) -> [News] {
        var news = translate(bus.expire(at: now))
        if let next = waiting.next, next <= now {
            news += waiting.look(at: now).map { application, caller in
                switch caller {
                case .socket(let name):
                    .spoken(
                        application: application,
                        "a connection or data at its socket \(name.escapedForTerminal)")
                case .signal: .spoken(application: application, "a signal that ends it")
                case .sessionManager: .sessionMayEnd
                }
            }
        }
        if let next = starts.next, next <= now {
            news += starts.look(at: now).map {
                .spoken(application: $0, "a second start of its program, process \($1.pid)")
            }
        }
        return news
    }

    private func translate(_ news: [BusWatch.News]) -> [News] {
        news.flatMap { news -> [News] in
            switch news {
            case .ready(nil): [.prepared]
            case .ready(let lack?):
                [
                    .prepared,
                    .lack(
                        "calls on the session bus do not thaw frozen applications: \(lack.escapedForTerminal)"
                    ),
                ]
            case .message(let application, let message): take(message, of: application)
            case .sessionMayEnd: [.sessionMayEnd]
            case .lost: [.deaf]
            }
        }
    }
}
