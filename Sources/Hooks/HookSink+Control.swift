import Console
import PhaseWatch
import System

/// What other commands ask of a running service.
extension HookSink {
    func answer(_ request: ControlRequest) -> ControlAnswer {
        switch request {
        case .status:
            return ControlAnswer(rows: runner?.status(ownStatus) ?? [])
        case .why(let name):
            let known = loaded.hooks.map(\.name)
            guard known.contains(name) else {
                return ControlAnswer(fault: Hook.refusal(of: name, among: known))
            }
            let rows = runner?.status(ownStatus).filter { $0.hook == name }
            return ControlAnswer(rows: rows ?? [], events: runner?.history[name] ?? [])
        case .pause(let time, let names):
            return change(names) {
                pauses.pause(names, until: time.map { Clock.now() + $0 })
                return "paused" + (time.map { " for \($0.text)" } ?? "")
            }
        case .resume(let names):
            return change(names) {
                pauses.resume(names)
                return "resumed"
            }
        case .thawed:
            runner?.thawAll()
            return ControlAnswer()
        }
    }

    /// Has the schedule know which hooks may react now.
    func updateSuspensions() {
        runner?.suspend(Set(loaded.hooks.filter { ownStatus($0) != nil }.map(\.name)))
    }

    func expirePauses() {
        guard pauses.expire(at: Clock.now()) else { return }
        keepPauses()
        context.say("hooks: a pause is over")
        updateSuspensions()
    }

    private func keepPauses() {
        do { try control?.pauses.write(pauses) } catch {
            context.say("hooks: the pause is lost if xphase crashes: \(error)")
        }
    }

    /// Why a hook reacts to nothing; nil if it reacts.
    private func ownStatus(_ hook: Hook) -> HookStatus? {
        if let pause = pauses[hook.name] {
            var row = HookStatus(hook.name, .paused)
            row.until = pause.end.map { .of($0) }
            return row
        }
        guard let wanted = hook.power, wanted != power.now else { return nil }
        var row = HookStatus(hook.name, .unpowered)
        row.reason = "the machine is on \(power.now.rawValue), and power = \"\(wanted.rawValue)\""
        return row
    }

    private func change(_ names: [String], _ body: () -> String) -> ControlAnswer {
        let known = loaded.hooks.map(\.name)
        let faults = names.filter { !known.contains($0) }.map { Hook.refusal(of: $0, among: known) }
        if !faults.isEmpty { return ControlAnswer(fault: faults.joined(separator: "\n")) }
        let done = body()
        keepPauses()
        let who =
            names.isEmpty ? "all hooks" : names.map { "'\($0.escapedForTerminal)'" }.joined(separator: ", ")
        context.say("hooks: \(who) \(done)")
        updateSuspensions()
        return ControlAnswer(texts: ["\(who) \(done)"])
    }
}

extension Hook {
    /// The message about a name that no hook has.
    public static func refusal(of name: String, among names: [String]) -> String {
        let near = NearestWord.to(name, among: names).map { "did you mean '\($0)'?" }
        let valid = names.isEmpty ? "there are none at all" : "there are '\(names.joined(separator: "', '"))'"
        return "there is no hook '\(name)'; \(near ?? valid)".escapedForTerminal
    }
}
