import CXPipeline
import Scenes
import System

/// Two alarms on IDLETIME, the milliseconds since the last input: one for reaching a limit, one for falling below it.
struct IdleAlarms {
    /// In milliseconds.
    let limit: Int64
    let rise: UInt32
    let fall: UInt32
}

/// Detection of an idle user. The alarms of SYNC report it, so that no polling is needed.
extension DesktopObserver {
    /// The name of the counter. Its ID differs between servers.
    private static let counterName = "IDLETIME"

    /// Whether idleness is reported. Valid once it is wanted and everything has been read.
    package var reportsIdle: Bool { session.idleAlarms != nil }

    /// Creates the alarms that the options require, and destroys the previous ones.
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

    /// Creates both alarms. An alarm does not fire if the counter is past its limit already, so the counter is read
    /// afterwards.
    private func setAlarms(_ counter: UInt32, _ sync: UInt8) {
        // An alarm at 0 would never fire.
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

    /// Marks the user as idle, unless there was input in the meantime.
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
