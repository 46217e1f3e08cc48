import Glibc
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes
@testable import Service

@Suite struct HookVariablesTests {
    private let time = Timestamp(seconds: 0, nanoseconds: 0)

    private func variables(
        _ change: Change, number: Int? = nil, _ processes: HookVariables.Processes = .init()
    ) -> [String: String] { variables(.change(change), number: number, processes) }

    private func variables(
        _ occasion: HookTrigger.Occasion, number: Int? = nil, _ processes: HookVariables.Processes = .init()
    ) -> [String: String] {
        let job = Job(
            hook: .run("sync"), part: .run, trigger: HookTrigger(occasion, sequence: number, time: time))
        return HookVariables.variables(for: job, processes).reduce(into: [:]) { variables, entry in
            let parts = entry.description.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            variables[String(parts[0])] = String(parts[1])
        }
    }

    @Test func aSceneHasEverything() {
        var change = Change.step("Firefox", from: .active, to: .background)
        change.group = "Navigator"
        change.held = .milliseconds(1250)
        change.subject = .scene(
            Change.SceneFacts(
                id: WindowID(0x2c_00007), title: "Inbox", pid: 9, desktop: 2, role: "mail", monitor: "DP-1",
                desktopName: "two", extent: .fullscreen))
        let reported = variables(change, number: 7, HookVariables.Processes(pids: [9], unit: "app.scope"))
        #expect(
            reported == [
                "XPHASE_HOOK": "sync", "XPHASE_SESSION": "", "XPHASE_KIND": "scene", "XPHASE_CHANGE": "phase",
                "XPHASE_APPLICATION": "Firefox", "XPHASE_GROUP": "Navigator", "XPHASE_SCENE": "0x2c00007",
                "XPHASE_FROM": "active", "XPHASE_TO": "background", "XPHASE_CAUSE": "iconify",
                "XPHASE_HELD": "1.250", "XPHASE_TITLE": "Inbox", "XPHASE_PID": "9", "XPHASE_PIDS": "9",
                "XPHASE_UNIT": "app.scope", "XPHASE_DESKTOP": "2", "XPHASE_ROLE": "mail",
                "XPHASE_MONITOR": "DP-1",
                "XPHASE_DESKTOP_NAME": "two", "XPHASE_EXTENT": "fullscreen", "XPHASE_SEQ": "7",
                "XPHASE_TIME": "1970-01-01T00:00:00.000000Z",
            ])
    }

    /// One of several processes is not chosen.
    @Test func unknownVariablesAreEmptyAndControlCharactersAreEscaped() {
        let change = Change.step("a\u{1B}[2J\n\0b", from: nil, to: .active)
        let reported = variables(change, HookVariables.Processes(pids: [3, 5], unit: nil))
        let unknown: Set = [
            "GROUP", "SCENE", "FROM", "HELD", "TITLE", "PID", "UNIT", "DESKTOP", "ROLE", "MONITOR",
            "DESKTOP_NAME", "EXTENT", "SEQ", "SESSION",
        ]
        #expect(Set(reported.filter { $0.value.isEmpty }.keys) == Set(unknown.map { "XPHASE_\($0)" }))
        #expect(reported["XPHASE_PIDS"] == "3 5" && reported["XPHASE_APPLICATION"] == "a\\e[2J\\n\\u{0}b")
    }

    @Test(arguments: [
        (SessionChange.locked(by: nil, scenes: 0), "lock", "lock"), (.unlocked, "lock", "unlock"),
        (.returned, "idle", "return"), (.abandoned(.displayOff), "display-off", "resync"),
    ])
    func aHookOnTheSessionGetsTheStateAndTheCause(change: SessionChange, state: String, cause: String) {
        let reported = variables(.session(change), number: 7).filter { !$0.value.isEmpty }
        #expect(
            reported == [
                "XPHASE_HOOK": "sync", "XPHASE_KIND": "notice", "XPHASE_SESSION": state,
                "XPHASE_CAUSE": cause, "XPHASE_SEQ": "7", "XPHASE_TIME": "1970-01-01T00:00:00.000000Z",
            ])
    }

    @Test func inheritedVariablesThatAreForXphaseAloneAreDropped() {
        let base: [SystemString] = [
            "PATH=/bin", "XPHASE_TO=active", "NOTIFY_SOCKET=/run/notify", "DISPLAY=:7", "DISPLAYS=2",
        ]
        #expect(HookVariables.inherited(base, display: nil) == ["PATH=/bin", "DISPLAY=:7", "DISPLAYS=2"])
        #expect(HookVariables.inherited(base, display: ":3") == ["PATH=/bin", "DISPLAYS=2", "DISPLAY=:3"])
    }
}
