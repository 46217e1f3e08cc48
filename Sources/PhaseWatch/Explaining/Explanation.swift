import Glibc
import Scenes
import System
import X11

/// Explains the phases of windows and applications: every fact that was read, and the rule's conclusions from it.
package struct Explanation: Sendable {
    /// An application with at least one scene, and the scene that determines its phase.
    package typealias Application = (name: String, phase: ScenePhase, scene: WindowID)

    /// A window, which may not be a scene.
    package struct Window: Sendable {
        let verdict: Verdict
        let extent: Change.Extent
        /// The limit that keeps the phase of every scene from exceeding `cap`.
        let limit: Fact?
        let cap: ScenePhase

        package var application: String { verdict.window.text.application }
        package var group: String { verdict.window.text.group }
        package var id: WindowID { verdict.window.id }
        package var pid: Int32? { verdict.window.pid }
        package var title: String? { verdict.window.title }
        package var scene: WindowID? { verdict.scene }
        package var phase: ScenePhase? { verdict.phase.map { min($0, cap) } }
        /// The name of the line of the rule, such as `other-desktop`, or of the limit that decided on visibility.
        package var rule: String { decisiveLimit?.name ?? verdict.reason.rawValue }
        /// The meaning of that line, as the end of a sentence about the window.
        package var sentence: String { decisiveLimit?.value ?? verdict.sentence }
        package var isFocused: Bool { verdict.isFocused }
        /// As in `Verdict`; nil unless other windows decided its phase.
        package var cover: (pixels: Int, windows: [WindowID])? {
            decisiveLimit == nil ? verdict.cover.map { ($0.area, $0.windows.map(\.id)) } : nil
        }
        package var facts: [Fact] { verdict.facts + [Fact("extent", extent.rawValue)] }

        /// A limit on every scene takes precedence over the cover of one scene.
        private var decisiveLimit: Fact? {
            verdict.phase.map { $0 > cap || verdict.cover != nil && cap == .background } ?? false
                ? limit : nil
        }
    }

    /// The holder of the focus; the holder and the windows to which it lends its focus by `WM_TRANSIENT_FOR`, none if it
    /// cannot be seen; and the source: `_NET_ACTIVE_WINDOW`, `XGetInputFocus`, `XQueryPointer` or `none`.
    package typealias FocusHolder = (holder: WindowID?, chain: [WindowID], source: String)

    /// The applications of the windows, sorted by name.
    package let applications: [Application]
    /// The requested windows, sorted by ID.
    package let windows: [Window]
    /// The states of the session that limit the phase of every scene, with the known details, such as `locked by 0x800003
    /// (i3lock, running since 12:03:41), keyboard grabbed`. The first one determines the phases.
    package let limits: [Fact]
    /// Every input of the rule for the session and for the screen.
    package let session, screen: [Fact]
    package let focus: FocusHolder
}

extension DisplayInspector {
    /// Explains the present state of a subject, before any settling: the scenes and their dialogs, and a window named by
    /// `Subject.scene` even if it is not a scene.
    package func explain(_ subject: PhaseMonitor.Subject) throws(MonitorFailure) -> Explanation {
        var desktop = try desktop()
        let slots = chosen(by: subject, on: desktop)
        var rule = Rule(desktop, options.policy)
        let unnamed = rule.unnamedCovers(of: slots.sorted(), atMost: Verdict.mostNamed)
        if !unnamed.isEmpty {
            // Unmanaged windows that are followed have names.
            unnamed.forEach(observer.windows.discover)
            desktop = try observer.refreshNow()
            rule = Rule(desktop, options.policy)
        }
        let (limits, cap) = try limits(of: desktop)
        let table = desktop.windows
        let windows = slots.sorted { table.facts[$0].id < table.facts[$1].id }.compactMap { slot in
            rule.verdict(at: slot).map {
                Explanation.Window(
                    verdict: $0, extent: table.extent(slot, among: rule.tabs), limit: limits.first, cap: cap)
            }
        }
        let scenes = rule.scenes.compactMap { slot, evaluation in
            evaluation.phase.map {
                let name = table.text(slot).application
                return (name: name, phase: min($0, cap), scene: table.facts[slot].id)
            }
        }
        return Explanation(
            applications: Set(windows.map(\.application)).sorted().compactMap { name in
                // Of equal scenes the one with the lowest ID, so that the result is always the same.
                scenes.filter { $0.name == name }.max { ($0.phase, $1.scene) < ($1.phase, $0.scene) }
            },
            windows: windows, limits: limits, session: desktop.session.facts, screen: desktop.screen.facts,
            focus: (
                holder: rule.focus.holder.map { table.facts(of: $0)?.id ?? WindowID($0) },
                chain: (rule.isFocusVisible ? rule.focus.windows.sorted() : []).compactMap {
                    table.facts(of: $0)?.id
                },
                source: rule.focus.source.rawValue
            ))
    }

    private func chosen(by subject: PhaseMonitor.Subject, on desktop: Desktop) -> Set<Int> {
        if case .any(let subjects) = subject {
            return subjects.reduce(into: []) { $0.formUnion(chosen(by: $1, on: desktop)) }
        }
        let (windows, selection) = (desktop.windows, Selection(subject))
        let scenes = windows.usedSlots.filter { desktop.isScene(windows.facts[$0]) }
        let instances = Dictionary(grouping: scenes) { windows.text($0).application }
            .mapValues { $0.map { windows.text($0).group } }
        let slots = if case .scene = subject { Set(windows.usedSlots) } else { Set(scenes) }
        return slots.filter { slot in
            let (facts, text) = (windows.facts[slot], windows.text(slot))
            let scene = PhaseMonitor.Scene(
                application: text.application, group: text.group,
                facts: .init(id: facts.id, title: text.title, pid: facts.pid, role: text.role))
            return selection.includes(scene, of: instances[scene.application] ?? [])
        }
    }
}

extension DisplayInspector {
    /// Returns the limits in effect, and the greatest phase that a scene may have.
    func limits(of desktop: Desktop) throws(MonitorFailure) -> (limits: [Fact], cap: ScenePhase) {
        let limits = desktop.limits(among: Set(options.hidingStates))
        let (idle, saver) = (observer.session.idleAge, observer.session.saverAge)
        let lock = limits.contains(.lock) ? try sentence(aboutLock: desktop) : ""
        let all = SessionLimit.allCases.filter(limits.contains).map { limit in
            let sentence =
                switch limit {
                case .away: "away: another virtual terminal is shown"
                case .lock: lock
                case .displayOff:
                    "display off\(saver.map { " since \(Self.time($0)) or earlier" } ?? "")"
                        + (desktop.session.displayOff.map { ": \($0.text)" } ?? "")
                case .idle: "idle\(idle.map { " since \(Self.time($0))" } ?? ""): no user input"
                }
            return Fact(limit.rawValue, sentence)
        }
        return (all, limits.cap)
    }

    /// Only xscreensaver says when it began. Of another locker the time of its start is known.
    private func sentence(aboutLock desktop: Desktop) throws(MonitorFailure) -> String {
        let (saver, isGrabbed) = (desktop.session.saverSince, desktop.session.isKeyboardGrabbed == true)
        var sentence = "locked" + (saver.map { " since \(Self.time(of: Int($0)))" } ?? "")
        if let window = desktop.lock?.first {
            let (named, pid) = (desktop.name(of: window), try observer.process(of: window))
            let name = named == window.description ? pid.flatMap(LocalHost.executable) : named
            let locker = saver == nil ? pid.flatMap { ProcessIdentity(pid: $0) } : nil
            let start = locker.map { Self.time((Clock.sinceBoot() - $0.started).milliseconds) }
            let facts = [name, start.map { "running since \($0)" }].compactMap(\.self)
            sentence += " by \(window)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
        }
        if desktop.lock == nil, let name = desktop.session.activeSaver {
            return "locked according to \(name)"
        }
        return sentence + ", "
            + (isGrabbed
                ? "keyboard grabbed"
                : saver != nil ? "according to _SCREENSAVER_STATUS" : "the keyboard may be grabbed")
    }

    /// The age is in milliseconds.
    private static func time(_ age: Int64) -> String { time(of: (.now() + .milliseconds(-age)).seconds) }

    /// Returns hours, minutes and seconds in the time zone of the process.
    private static func time(of seconds: Int) -> String {
        var (seconds, fields) = (time_t(seconds), tm())
        localtime_r(&seconds, &fields)
        return [fields.tm_hour, fields.tm_min, fields.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
