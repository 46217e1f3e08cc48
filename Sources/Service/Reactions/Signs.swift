import Hooks
import PhaseWatch
import System
import X11

/// A watch for attempts to reach frozen applications: what `SpokenTo` notices, and messages to their windows, such as a
/// window manager's request to close one, or a key that the application has grabbed. Such a key blocks the whole keyboard
/// until the application answers.
final class Signs {
    private static let byWindow = "a message to one of its windows"

    private let context: HookContext
    private let loop: EventLoop
    private let spokenTo: SpokenTo
    /// The answers about freezes that wait until the session bus is monitored for them.
    private var answers: [HookInput] = []
    /// The applications of the windows to which messages are noticed.
    private var windows: [UInt32: String] = [:]
    private var listener: DeliveredEvents?

    init(_ context: HookContext, _ loop: EventLoop) {
        (self.context, self.loop) = (context, loop)
        spokenTo = SpokenTo(loop, display: context.watcher?.displayName ?? "")
    }

    /// When to call `expire`; nil for never.
    var next: Duration? { spokenTo.next }
    /// Readable after messages to windows.
    var messages: Int32? { listener?.fileDescriptor }

    // MARK: What is watched

    /// Monitors calls to an application that is about to be frozen, and then passes on an answer about it.
    func prepare(
        _ application: String, _ pids: Set<Int32>, then answer: HookInput
    ) -> [HookInput] {
        do {
            if try spokenTo.prepare(application, pids, at: Clock.now()) { return [answer] }
            answers.append(answer)
            return []
        } catch {
            context.say(once: "hooks: calls on the session bus do not thaw frozen applications: \(error)")
            return [answer]
        }
    }

    /// Listens to the windows of these applications and no others.
    ///
    /// - Returns: What has been noticed meanwhile.
    func listen(to applications: Set<String>, _ seen: FirstSeen) throws -> [HookInput] {
        let pairs = applications.flatMap { name in seen.windows(of: name).map { ($0, name) } }
        let wanted = Dictionary(pairs) { $1 }
        if wanted == windows { return [] }
        let (former, owners) = (listener, windows)
        listener = wanted.isEmpty ? nil : try context.watcher?.deliveredEvents(to: Set(wanted.keys))
        windows = listener == nil ? [:] : wanted
        if let listener { loop.watch(listener.fileDescriptor) }
        if listener == nil && context.watcher != nil && !wanted.isEmpty {
            context.say(
                once:
                    "hooks: messages and grabbed keys do not thaw frozen applications: the X server lacks the RECORD extension"
            )
        }
        guard let former else { return [] }
        loop.forget(former.fileDescriptor)
        // Only now, so that no message is missed between the two listeners.
        return spoken(to: try former.takeAddressed(), of: owners)
    }

    /// Watches an application that was just frozen for second starts and pending events.
    ///
    /// - Parameter roots: The processes of its windows.
    func add(_ application: String, roots: [Int32]) {
        do throws(SystemError) {
            try spokenTo.add(application, roots: roots, at: Clock.now())
        } catch {
            context.say(once: "hooks: a second start of a frozen program does not thaw it: \(error)")
        }
    }

    /// Forgets all but what is held. Selecting windows opens a new connection. This is done for each freeze, but not for
    /// each thaw: the windows of a thawed application stay selected until a message to them arrives.
    func keep(held: Set<String>, frozen: Set<String>) {
        if frozen.isEmpty { stopListening() }
        if spokenTo.isActive && answers.isEmpty { spokenTo.keep(held, at: Clock.now()) }
    }

    private func stopListening() {
        if let listener { loop.forget(listener.fileDescriptor) }
        (listener, windows) = (nil, [:])
    }

    // MARK: What is noticed

    /// Handles a ready descriptor; returns nil if it is not ours.
    func ready(_ descriptor: Int32, held: Set<String>) -> [HookInput]? {
        guard descriptor == messages else {
            return spokenTo.ready(descriptor, at: Clock.now()).map { inputs($0, held) }
        }
        do {
            return spoken(to: try listener?.takeAddressed() ?? [], of: windows)
        } catch {
            // Applications must not stay frozen while messages to them go unnoticed. They are frozen again later, if
            // still permitted.
            defer { stopListening() }
            return [.wanted(Set(windows.values), because: .deaf)]
        }
    }

    func expire(at now: Duration, held: Set<String>) -> [HookInput] {
        inputs(spokenTo.expire(at: now), held)
    }

    private func spoken(to addressed: Set<UInt32>, of owners: [UInt32: String]) -> [HookInput] {
        let names = Set(addressed.compactMap { owners[$0] })
        return names.isEmpty ? [] : [.wanted(names, because: .spokenTo(Self.byWindow))]
    }

    private func inputs(_ news: [SpokenTo.News], _ held: Set<String>) -> [HookInput] {
        news.flatMap { news -> [HookInput] in
            switch news {
            case .prepared:
                defer { answers = [] }
                return answers
            case .spoken(let application, let what):
                return [.wanted([application], because: .spokenTo(what))]
            case .called(let application, let call): return [.called(application, call)]
            case .answered(let application, let call): return [.answered(application, call)]
            case .sessionMayEnd: return [.sessionMayEnd]
            // This includes applications that are about to be frozen.
            case .deaf: return [.wanted(held, because: .deaf)]
            case .lack(let text):
                context.say(once: "hooks: \(text)")
                return []
            }
        }
    }
}
