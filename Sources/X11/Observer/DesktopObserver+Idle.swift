import CXPipeline
import Scenes
import System

/// Two alarms on IDLETIME, the milliseconds since the last input: one when it comes to a limit, one when it falls below it.
struct IdleAlarms {
    /// In milliseconds.
    let limit: Int64
    let rise: UInt32
    let fall: UInt32
}

/// Whether the user is idle. The alarms of SYNC tell it, so that nothing has to look at any time.
extension DesktopObserver {
    /// The name of the counter, whose id differs from server to server.
    private static let counterName = "IDLETIME"

    /// Whether being idle is reported, as far as it was asked for and everything was read.
    package var reportsIdle: Bool { session.idleAlarms != nil }

    /// Sets the alarms to what the options want, and lets those go that were set before.
    func followIdle() {
        guard let sync = extensions.sync else { return }
        if let alarms = session.idleAlarms {
            cxp_destroy_alarm(display.connection, sync, alarms.rise)
            cxp_destroy_alarm(display.connection, sync, alarms.fall)
            session.idleAlarms = nil
        }
        noteIdle(false)
        if session.options.idle == nil { return }
        if let counter = session.idleCounter {
            setAlarms(counter, sync)
        } else {
            stale.session.insert(.counters)
        }
    }

    /// Sets both alarms. One that is set when the counter is past its limit already does not tell that, so the counter is
    /// read after that.
    private func setAlarms(_ counter: UInt32, _ sync: UInt8) {
        // An alarm at 0 would tell nothing.
        guard let limit = session.options.idle.map({ max(1, $0.milliseconds) }) else { return }
        session.idleAlarms = IdleAlarms(
            limit: limit, rise: cxp_create_alarm(display.connection, sync, counter, limit, true),
            fall: cxp_create_alarm(display.connection, sync, counter, limit, false))
        stale.session.insert(.idle)
    }

    func absorbCounters(_ reply: Reply) {
        session.idleCounter = reply.counter(named: Self.counterName)
        if let sync = extensions.sync, let counter = session.idleCounter, session.idleAlarms == nil {
            setAlarms(counter, sync)
        }
    }

    func absorbIdle(_ reply: Reply) {
        guard let alarms = session.idleAlarms, let value = reply.counterValue else { return }
        session.ages.idle = value
        noteIdle(value >= alarms.limit)
    }

    func note(alarmEvent event: cxp_event) {
        if event.window == session.idleAlarms?.rise { noteIdle(true) }
        if event.window == session.idleAlarms?.fall { noteIdle(false) }
    }

    /// The user is idle, unless something was touched meanwhile.
    package func confirmIdle() {
        guard awaitsIdle else { return }
        awaitsIdle = false
        desktop.session.isIdle = true
        news.hasChanged = true
    }

    private func noteIdle(_ isIdle: Bool) {
        awaitsIdle = isIdle && asksBeforeIdle && !desktop.session.isIdle
        if awaitsIdle { return }
        guard isIdle != desktop.session.isIdle else { return }
        desktop.session.isIdle = isIdle
        news.hasChanged = true
    }
}
