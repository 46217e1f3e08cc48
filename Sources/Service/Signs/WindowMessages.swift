import Hooks
import PhaseWatch
import System
import X11

/// A watch for messages to the clients of the windows of what is frozen and no others, such as a window manager's request
/// to close one, or a key that the client has grabbed. Such a key blocks the whole keyboard until the client answers.
final class WindowMessages {
    /// The connection that shows messages, and the windows that it was opened for.
    private typealias Listener = (events: DeliveredEvents, windows: [UInt32: String])

    private let context: HookContext
    private let loop: EventLoop
    private let buses: Buses
    /// Receives what is noticed.
    var report: (HookInput) -> Void = { _ in }
    /// Receives why messages to what is frozen may be missed.
    var failed: (MonitorFailure) -> Void = { _ in }
    /// Returns the windows of what is frozen, with the names of the applications that a message is to thaw.
    var windows: () -> [UInt32: String] = { [:] }
    private var listener: Listener?
    /// Begins the next listener: the display may be far away. nil before the first one.
    private var opener: DiskQueue<Result<Listener, MonitorFailure>>?
    /// What waits for the next listener; empty if none is being opened.
    private var waiting: [() -> Void] = []
    /// Why it does not listen to all windows, after `renew`.
    private(set) var failure: MonitorFailure?
    /// Whether a message has arrived. Messages to what is thawed must not wake xphase, so what is thawed is left out then.
    /// It is not before, since that opens a connection.
    private var isAddressed = false
    /// Whether the rest of a flood is read next.
    private var isRereading = false

    init(_ context: HookContext, _ loop: EventLoop, _ buses: Buses) {
        self.context = context
        self.loop = loop
        self.buses = buses
    }

    /// Leaves out what was thawed in this turn.
    func finishTurn(isAnyFrozen: Bool) {
        if !isAnyFrozen { stop() } else if isAddressed { leaveOutThawed() }
        isAddressed = false
    }

    private func leaveOutThawed() {
        renew { [weak self] in
            if let self, let failure { failed(failure) }
        }
    }

    /// Listens to messages to the windows, if it can, and then calls a function.
    func renew(then: @escaping () -> Void) {
        failure = nil
        let wanted = windows()
        if wanted == listener?.windows ?? [:] { return then() }
        guard !wanted.isEmpty, let begin = context.watcher?.deliveredEvents else {
            if context.watcher != nil && !wanted.isEmpty {
                context.say(
                    once:
                        "hooks: messages and grabbed keys do not thaw frozen applications: the X server lacks the RECORD extension"
                )
            }
            stop()
            return then()
        }
        waiting.append(then)
        if waiting.count > 1 { return }
        do throws(SystemError) {
            let thread = try opener.begun()
            loop.watch(thread.answers.number) { [unowned self] in
                if let result = opener?.takeAnswers().last { take(result) }
            }
            thread.submit {
                Result { () throws(MonitorFailure) in (try begin(Set(wanted.keys)), wanted) }
            }
        } catch {
            take(.failure(.system(call: error.cause.call, code: error.code)))
        }
    }

    private func take(_ result: Result<Listener, MonitorFailure>) {
        let then = exchange(&waiting, with: [])
        switch result {
        case .failure(let failure):
            self.failure = failure
            for then in then { then() }
        case .success(let new):
            loop.watch(new.events.fileDescriptor) { [unowned self] in takeMessages() }
            // Only now, so that no message is missed between the two listeners.
            read()
            stop()
            listener = new
            // poll(2) does not report what has arrived with the server's answer.
            takeMessages()
            // Other windows may be wanted by now.
            for then in then { renew(then: then) }
        }
    }

    private func takeMessages() {
        // Without a report, no turn follows.
        if read() { isAddressed = true } else { leaveOutThawed() }
        if listener?.events.mayHaveMore == true, !isRereading {
            isRereading = true
            buses.wait(.zero) { [weak self] in
                self?.isRereading = false
                self?.takeMessages()
            }
        }
    }

    /// Returns whether there was something to report.
    @discardableResult
    private func read() -> Bool {
        guard let listener else { return false }
        do {
            let isManaged = { [context] window in context.watcher?.isManaged(window) ?? false }
            let addressed = try listener.events.takeAddressed(isManaged: isManaged)
            let names = Set(addressed.compactMap { listener.windows[$0] })
            if names.isEmpty { return false }
            report(.sign(names, because: .spokenTo("a message to one of its windows")))
        } catch {
            // Applications must not stay frozen while messages to them go unnoticed. They are frozen again later, if
            // still permitted.
            report(.sign(Set(listener.windows.values), because: .deaf))
            stop()
        }
        return true
    }

    private func stop() {
        if let listener { loop.forget(listener.events.fileDescriptor) }
        listener = nil
    }
}
