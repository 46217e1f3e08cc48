import Console
import Hooks
import System

/// Notices that frozen applications are spoken to: by calls on the session bus, by what waits for their processes, and by a
/// second start of their programs. Messages to their windows are those of `MessageWatch`.
final class SpokenTo {
    enum News {
        /// What will be frozen is listened to now.
        case prepared
        /// The text says by what.
        case spoken(application: String, String)
        /// Frozen applications would delay it.
        case sessionMayEnd
        /// The application is to answer a call that only reads, or has.
        case glance(application: String, Glances.Act)
        /// Calls are no longer noticed.
        case deaf
        /// What cannot be noticed here.
        case lack(String)
    }

    private let bus: BusWatch
    private var waiting = WaitingWatch()
    private let starts: StartedAgain
    private var glances = Glances()
    /// The processes that calls are noticed for, by application.
    private var heard: [String: Set<Int32>] = [:]

    /// - Parameters:
    ///   - display: The name of the display.
    ///   - start: Starts a process that does `ReactionRequest.Step.listen` for others.
    init(_ loop: EventLoop, display: String, start: @escaping ([Int32]) throws -> RunningProgram) {
        bus = BusWatch(loop, start: start)
        starts = StartedAgain(loop, display: display)
    }

    /// When to call `expire`; nil for never.
    var next: Duration? {
        [bus.next, waiting.next, starts.next, glances.next].compactMap(\.self).min()
    }

    /// Whether anything is listened to, or is about to be.
    var isActive: Bool { !heard.isEmpty || waiting.next != nil || starts.descriptor != nil }

    /// Begins to listen to what is about to be frozen.
    ///
    /// - Returns: Whether it is heard already; else `prepared` comes later.
    func prepare(_ application: String, _ pids: Set<Int32>, at now: Duration) throws -> Bool {
        // What was thawed meanwhile may have further names.
        let isKnown = heard.updateValue(pids, forKey: application) == pids
        if isKnown && bus.covers(application, pids) { return true }
        try bus.listen(to: heard, at: now)
        return false
    }

    /// Its processes were frozen just now.
    ///
    /// - Parameter roots: Those of its windows.
    func add(_ application: String, roots: [Int32], at now: Duration) throws(SystemError) {
        waiting.keep(Set(heard.keys).subtracting([application]))
        waiting.add(application, heard[application] ?? [], roots: roots, at: now)
        starts.keep(Set(heard.keys).subtracting([application]))
        try starts.add(application, roots: roots, at: Clock.sinceBoot())
    }

    /// Forgets all other applications.
    func keep(_ applications: Set<String>, at now: Duration) {
        for application in heard.keys where !applications.contains(application) {
            glances.forget(application)
        }
        heard = heard.filter { applications.contains($0.key) }
        waiting.keep(applications)
        starts.keep(applications)
        // Until the next freeze, names of others are listened to for nothing.
        if heard.isEmpty { bus.stop(at: now) }
    }

    /// - Parameter application: Whose call or answer it is.
    private func take(
        _ message: BusMessage, of application: String, _ frozen: Set<String>
    ) -> [News] {
        if message.isAnswer {
            if let cookie = message.replyCookie, let reader = message.destination {
                glances.answered(application, Glances.Call(sender: reader, cookie: cookie))
            }
            return []
        }
        guard message.onlyReads else {
            return [.spoken(application: application, message.words)]
        }
        if let sender = message.sender, !message.isOneWay, frozen.contains(application) {
            glances.called(application, Glances.Call(sender: sender, cookie: message.cookie))
        }
        return []
    }

    /// Handles a descriptor that is ready; nil if it is not ours.
    ///
    /// - Parameter frozen: The applications that are frozen now.
    func ready(
        _ descriptor: Int32, at now: Duration, frozen: @autoclosure () -> Set<String>
    ) -> [News]? {
        if descriptor == starts.descriptor {
            starts.ready(at: now)
            return []
        }
        guard let news = bus.ready(descriptor, at: now) else { return nil }
        return translate(news, frozen()) + turns(at: now)
    }

    /// What is due by now.
    func expire(at now: Duration) -> [News] {
        var news = translate(bus.expire(at: now), []) + turns(at: now)
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

    private func turns(at now: Duration) -> [News] {
        glances.advance(at: now).map { .glance(application: $0.application, $0.act) }
    }

    private func translate(_ news: [BusWatch.News], _ frozen: Set<String>) -> [News] {
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
            case .message(let application, let message): take(message, of: application, frozen)
            case .sessionMayEnd: [.sessionMayEnd]
            case .lost: [.deaf]
            }
        }
    }
}
