import Hooks
import PhaseWatch
import System
import X11

/// A watch for messages to the clients of the windows of what is frozen and no others, such as a window manager's request
/// to close one, or a key that the client has grabbed. Such a key blocks the whole keyboard until the client answers.
final class WindowMessages {
    private let context: HookContext
    private let loop: EventLoop
    /// Receives what is noticed.
    var report: (HookInput) -> Void = { _ in }
    /// Receives why messages to what is frozen may be missed.
    var failed: (MonitorFailure) -> Void = { _ in }
    /// Returns the windows of what is frozen, with the names of the applications that a message is to thaw.
    var windows: () -> [UInt32: String] = { [:] }
    /// The connection that shows messages, and the windows that it was opened for.
    private var listener: (events: DeliveredEvents, windows: [UInt32: String])?
    /// Opens the connection of the next listener: the display may be far away. nil before the first one.
    private var opener: DiskQueue<Result<SpareConnection, MonitorFailure>>?
    /// What waits for the next listener; empty if none is being opened.
    private var waiting: [() -> Void] = []
    /// Why it does not listen to all windows, after `renew`.
    private(set) var failure: MonitorFailure?
    /// Whether a message has arrived. Messages to what is thawed must not wake xphase, so what is thawed is left out then.
    /// It is not before, since that opens a connection.
    private var isAddressed = false

    init(_ context: HookContext, _ loop: EventLoop) { (self.context, self.loop) = (context, loop) }

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
        guard !wanted.isEmpty, let watcher = context.watcher, watcher.canReportDelivered else {
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
                if let connection = opener?.takeAnswers().last { listen(on: connection) }
            }
            thread.submit { [name = watcher.displayName] in
                Result { () throws(MonitorFailure) in try SpareConnection(name) }
            }
        } catch {
            listen(on: .failure(.system(call: error.cause.call, code: error.code)))
        }
    }

    private func listen(on connection: Result<SpareConnection, MonitorFailure>) {
        failure = connection.failure
        let wanted = windows()
        if wanted.isEmpty {
            stop()
        } else if case .success(let connection) = connection,
            let new = context.watcher?.deliveredEvents(to: Set(wanted.keys), on: connection)
        {
            loop.watch(new.fileDescriptor) { [unowned self] in
                // Without a report, no turn follows.
                if read() { isAddressed = true } else { leaveOutThawed() }
            }
            // Only now, so that no message is missed between the two listeners.
            read()
            stop()
            listener = (new, wanted)
        }
        for then in exchange(&waiting, with: []) { then() }
    }

    /// Returns whether there was something to report.
    @discardableResult
    private func read() -> Bool {
        guard let (events, windows) = listener else { return false }
        do {
            let isManaged = { [context] window in context.watcher?.isManaged(window) ?? false }
            let names = Set(try events.takeAddressed(isManaged: isManaged).compactMap { windows[$0] })
            if names.isEmpty { return false }
            report(.sign(names, because: .spokenTo("a message to one of its windows")))
        } catch {
            // Applications must not stay frozen while messages to them go unnoticed. They are frozen again later, if
            // still permitted.
            report(.sign(Set(windows.values), because: .deaf))
            stop()
        }
        return true
    }

    private func stop() {
        if let listener { loop.forget(listener.events.fileDescriptor) }
        listener = nil
    }
}
