import CXPipeline
import CXlib
import Scenes
import System

/// Reads whether the user can see the display, and whether there is a user.
package final class SessionReader {
    /// `counters` are those of SYNC, and `keyboard` is whether a client has grabbed it.
    private enum Fact { case saver, power, counters, idle, keyboard, terminal, saverStatus }

    /// Two alarms on IDLETIME, the milliseconds since the last input: one for reaching a limit, one for falling below it.
    typealias IdleAlarms = (limit: Int64, rise: UInt32, fall: UInt32)

    private let mirror: Mirror
    private(set) var options = SessionOptions(states: [])
    private var stale: Set<Fact> = []
    /// Whether the screen saver is on, and whether a client draws it or only dims the screen; nil while it is not
    /// followed.
    private(set) var saver: (isOn: Bool, isLeftToClient: Bool)?
    /// That of DPMS; 0 for on.
    private var powerLevel: UInt16 = 0
    /// The SYNC counter IDLETIME, once it was found. Its ID differs between servers.
    private var idleCounter: UInt32?
    /// nil while idle times are not wanted, or cannot be reported.
    private(set) var idleAlarms: IdleAlarms?
    /// The milliseconds since the last input, and since the screen saver came on, at least. nil if the server does not report
    /// them; `readAges` requests them.
    package private(set) var idleAge, saverAge: Int64?
    /// Whether `confirmIdle` must confirm that the user is idle, once there was no input for long enough.
    package var asksBeforeIdle = false
    /// Whether `confirmIdle` is awaited.
    package private(set) var awaitsIdle = false

    init(_ mirror: Mirror) { self.mirror = mirror }

    var isStale: Bool { !stale.isEmpty }

    /// Whether idleness is reported. Valid once it is wanted and everything has been read.
    package var reportsIdle: Bool { idleAlarms != nil }

    var followsLockers: Bool { options.states.contains(.lock) }

    private var session: Session {
        _read { yield mirror.desktop.session }
        _modify { yield &mirror.desktop.session }
    }

    /// Sets a fact that an event or a reply reports.
    private func set<Value: Equatable>(_ fact: WritableKeyPath<Session, Value>, _ value: Value) {
        guard session[keyPath: fact] != value else { return }
        session[keyPath: fact] = value
        mirror.hasChanged = true
    }

    /// Reads and follows the wanted facts from now on, and forgets the others.
    func follow(_ new: SessionOptions) {
        let old = options
        options = new
        followSaver()
        if new.idle != old.idle { followIdle() }
        if !new.states.contains(.away) { session.isAway = false }
        if followsLockers { return }
        (session.saverSince, session.isKeyboardGrabbed) = (nil, nil)
    }

    func markAll() {
        stale.formUnion([.saver, .idle, .terminal, .saverStatus])
        // No event may have reported the end of a grab.
        if session.isKeyboardGrabbed != nil { stale.insert(.keyboard) }
    }

    /// Reads again, with the next `refresh`, how long the display has been off and the user idle.
    package func readAges() { stale.formUnion([.saver, .idle]) }

    func ask() {
        let (facts, extensions, root) = (stale, mirror.extensions, mirror.root)
        let server = mirror.display
        stale = []
        if facts.contains(.saver), saver != nil, let opcode = extensions[.screenSaver] {
            server.ask(server.saver(opcode)) { [unowned self] in
                saverAge = $0.saverAge
                if let saver = $0.saver { take(saver: saver.state, saver.kind) }
            }
        }
        if facts.contains(.power), let dpms = extensions[.dpms] {
            server.ask(server.power(dpms)) { [unowned self] in
                powerLevel = $0.powerLevel ?? 0
                findDisplayOff()
            }
        }
        if facts.contains(.counters), let sync = extensions[.sync] { askCounters(sync) }
        if facts.contains(.idle) { askIdle() }
        if facts.contains(.keyboard) && followsLockers {
            server.ask(server.tryKeyboard()) { [unowned self] in
                let status = $0.fixed(xcb_grab_keyboard_reply_t.self).map { Int32($0.status) }
                set(\.isKeyboardGrabbed, status == AlreadyGrabbed)
            }
        }
        // One word more than expected, to recognize a longer property.
        if facts.contains(.terminal) && options.states.contains(.away) {
            mirror.ask(.hasTerminal, of: root, words: 2) { [unowned self] in
                // Written by the server. Only a single 0 means that another terminal is shown.
                session.isAway = $0?.words(UInt32(XA_INTEGER)) == [0]
            }
        }
        if facts.contains(.saverStatus) && followsLockers {
            mirror.ask(.saverStatus, of: root, words: 2) { [unowned self] in take(saverStatus: $0) }
        }
    }

    /// - Parameter property: _SCREENSAVER_STATUS: a state, a time, and the drawing on each screen.
    private func take(saverStatus property: Property?) {
        let words = property?.words(UInt32(XA_INTEGER)) ?? []
        let hides = [mirror.atoms[.saverBlank], mirror.atoms[.saverLock]]
        let isOn = words.count >= 2 && hides.contains(words[0])
        session.saverSince = isOn ? Int32(bitPattern: words[1]) : nil
    }

    /// The screen saver that reports on the session bus that it is active, which the X server does not know.
    package var activeSaver: String? {
        get { session.activeSaver }
        set { set(\.activeSaver, newValue) }
    }

    func noteAlarm(_ alarm: UInt32) {
        if alarm == idleAlarms?.rise { note(isIdle: true) }
        if alarm == idleAlarms?.fall { note(isIdle: false) }
    }

    /// Focus events report a keyboard grab when it begins and ends, and while it lasts.
    func noteFocus(_ mode: Int32) {
        if followsLockers { set(\.isKeyboardGrabbed, mode == NotifyGrab || mode == NotifyWhileGrabbed) }
    }

    func note(property: UInt32) {
        if property == mirror.atoms[.hasTerminal], options.states.contains(.away) { stale.insert(.terminal) }
        if property == mirror.atoms[.saverStatus], followsLockers { stale.insert(.saverStatus) }
    }

    /// Asks whether the keyboard is grabbed, if no event has reported it and a window may belong to a locker.
    func lookForGrab() {
        if followsLockers, session.isKeyboardGrabbed == nil, hasUnmanaged { stale.insert(.keyboard) }
    }

    /// Whether a known window may belong to a screen locker.
    private var hasUnmanaged: Bool {
        mirror.desktop.windows.facts.contains { $0.isOverrideRedirect && !$0.isGone }
    }
}

/// A display that is off. MIT-SCREEN-SAVER has events for it, also when DPMS switches the monitor off. DPMS itself has
/// none.
extension SessionReader {
    private func followSaver() {
        let isWanted = options.states.contains(.displayOff)
        if let opcode = mirror.extensions[.screenSaver], isWanted == (saver == nil) {
            mirror.display.select(saver: opcode, isWanted: isWanted)
            saver = isWanted ? (false, false) : nil
        }
        findDisplayOff()
    }

    /// Takes the values of MIT-SCREEN-SAVER: 1 is ScreenSaverOn and 2 ScreenSaverCycle, and the kind 2 is external. Unknown
    /// values hide nothing.
    func take(saver state: UInt8, _ kind: UInt8) {
        guard saver != nil else { return }
        saver = (1...2 ~= state && kind <= 2, kind == 2)
        if kind == 2 { stale.insert(.power) }
        findDisplayOff()
    }

    /// Updates `displayOff` from the states of saver, power and monitors. Power counts only if the saver is left to a
    /// client: power management that switches a monitor off also turns on the saver.
    func findDisplayOff() {
        var displayOff: Session.DisplayOff?
        if let saver, saver.isOn {
            displayOff = !saver.isLeftToClient ? .blanked : powerLevel > 0 ? .poweredDown : nil
        }
        if mirror.desktop.screen.monitors?.isEmpty == true { displayOff = .noMonitor }
        set(\.displayOff, options.states.contains(.displayOff) ? displayOff : nil)
    }
}

/// An idle user. The alarms of SYNC report it, so that no polling is needed.
extension SessionReader {
    /// Creates the alarms that the options require, and destroys the previous ones.
    private func followIdle() {
        guard let sync = mirror.extensions[.sync] else { return }
        if let alarms = idleAlarms {
            mirror.display.destroyAlarm(sync, alarms.rise)
            mirror.display.destroyAlarm(sync, alarms.fall)
            idleAlarms = nil
        }
        note(isIdle: false)
        if options.idle == nil { return }
        if idleCounter == nil { stale.insert(.counters) } else { setAlarms(sync) }
    }

    private func askCounters(_ sync: UInt8) {
        let server = mirror.display
        server.ask(server.beginSync(sync)) { _ in }
        server.ask(server.counters(sync)) { [unowned self] in
            idleCounter = $0.counter(named: "IDLETIME")
            if idleAlarms == nil { setAlarms(sync) }
        }
    }

    /// Creates both alarms. An alarm does not fire if the counter is past its limit already, so the counter is read
    /// afterwards.
    private func setAlarms(_ sync: UInt8) {
        // An alarm at 0 would never fire.
        guard let counter = idleCounter, let limit = options.idle.map({ max(1, $0.milliseconds) }) else {
            return
        }
        idleAlarms = (
            limit, rise: mirror.display.createAlarm(sync, counter, limit, rises: true),
            fall: mirror.display.createAlarm(sync, counter, limit, rises: false)
        )
        stale.insert(.idle)
    }

    private func askIdle() {
        guard let alarms = idleAlarms, let counter = idleCounter, let sync = mirror.extensions[.sync] else {
            return
        }
        mirror.display.ask(mirror.display.counter(sync, counter)) { [unowned self] in
            guard let value = $0.counterValue else { return }
            idleAge = value
            note(isIdle: value >= alarms.limit)
        }
    }

    /// Counts the user as idle, unless there was input in the meantime.
    package func confirmIdle() {
        guard awaitsIdle else { return }
        awaitsIdle = false
        set(\.isIdle, true)
    }

    private func note(isIdle: Bool) {
        awaitsIdle = isIdle && asksBeforeIdle && !session.isIdle
        if !awaitsIdle { set(\.isIdle, isIdle) }
    }
}
