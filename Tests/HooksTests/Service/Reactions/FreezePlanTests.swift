import Testing

@testable import Service
@testable import System

/// The processes that may be frozen, in literal tables. xphase is process 20, which the shell 19 started. The session,
/// process 2, started both programs.
@Suite struct FreezePlanTests {
    private static func row(
        _ pid: Int32, _ parent: Int32, _ name: String, state: String = "S", session: Int32 = 2,
        terminal: Int32 = 0
    ) -> ProcessRow {
        ProcessRow(
            identity: ProcessIdentity(pid: pid, startTicks: UInt64(pid)), parent: parent, name: name,
            state: state, session: session, terminal: terminal)
    }

    private static let session = [
        row(1, 0, "init"), row(2, 1, "openbox"), row(3, 1, "Xorg"),
        row(19, 2, "bash", session: 19, terminal: 7), row(20, 19, "xphase", session: 19, terminal: 7),
    ]
    private static let chat = [
        row(100, 2, "slack"), row(101, 100, "slack"), row(102, 101, "slack", state: "T"),
        row(103, 100, "gone", state: "Z"),
    ]

    private func plan(
        _ more: [ProcessRow] = chat, roots: [Int32] = [100], others: [Int32: Set<String>] = [:],
        fellows: Set<String> = [], isNamed: Bool = true, server: Int32? = 3, managers: Set<Int32> = [],
        foreign: Set<Int32> = [], tracers: [Int32: Int32] = [:], hidden: Set<Int32> = [], threads: Int = 1,
        programs: [Int32: ExecutedProgram] = [:], mayPostpone: Bool = true
    ) -> FreezePlan {
        FreezePlan(
            table: ProcessTable(Self.session + more), roots: roots, others: others, fellows: fellows,
            application: "Slack", isNamed: isNamed, own: 20, server: server, managers: managers,
            ownUser: 1000,
            facts: {
                ProcessFacts(
                    identity: ProcessIdentity(pid: $0, startTicks: 0), user: foreign.contains($0) ? 0 : 1000,
                    tracer: tracers[$0], isHidden: hidden.contains($0), threads: threads)
            }, programs: programs, mayPostpone: mayPostpone, moment: .seconds(10.995))
    }

    /// Returns the processes of a plan, or why it has none.
    private func outcome(_ plan: FreezePlan) -> String {
        do throws(FreezePlan.Refusal) {
            return try plan.processes().map { "\($0.pid)" }.joined(separator: " ")
        } catch {
            return "\(error)"
        }
    }

    /// Returns whether a unit of these processes may be frozen as a whole.
    private func isOwn(
        _ members: [Int32], _ plan: FreezePlan, _ name: String = "app-slack-90.scope"
    ) throws -> Bool {
        plan.isOwn(unit: members, name, for: try plan.processes())
    }

    @Test func parentsComeFirstAndWhatHasEndedIsLeftOut() {
        #expect(outcome(plan()) == "100 101 102")
        // A loop of parents ends.
        let loop = [Self.row(100, 102, "a"), Self.row(101, 100, "b"), Self.row(102, 101, "c")]
        #expect(outcome(plan(loop)) == "100 101 102")
        for roots: [Int32] in [[], [4711]] {
            #expect(outcome(plan(roots: roots)) == "none of your processes owns its windows")
        }
    }

    @Test func aProcessThatHasEndedIsNotCalledStopped() throws {
        func refusal(_ states: [String], threads: Int = 1) throws -> String? {
            let rows = states.enumerated().map { Self.row(.max - Int32($0), 2, "a", state: $1) }
            let plan = plan(rows, roots: rows.map(\.pid), threads: threads)
            let error = #expect(throws: FreezePlan.Refusal.self) {
                try plan.hold(plan.processes(), held: [])
            }
            return error?.description
        }
        #expect(try refusal(["Z"]) == "its processes have ended")
        let main =
            "the main thread of process \(Int32.max) (a) has ended, and the state of the others is unknown"
        #expect(try refusal(["Z"], threads: 2) == main && refusal(["Z", "S"], threads: 2) == main)
        #expect(try refusal(["T"]) == "its processes are already stopped, not by this xphase")
    }

    @Test func theParentsOfXphaseTheServerTheSessionAndOtherUsersGoOn() {
        for pid: Int32 in [2, 19, 20] {
            #expect(outcome(plan(roots: [pid])) == "process \(pid) is xphase or has started it")
        }
        #expect(outcome(plan(roots: [3])) == "process 3 is the X server")
        #expect(outcome(plan(roots: [3], server: nil)) == Self.ofSession(3, "Xorg"))
        #expect(outcome(plan(foreign: [100])) == "process 100 belongs to another user")
        let manager = "process 100 (slack) is the window manager or the compositor"
        #expect(outcome(plan(managers: [100])) == manager)
        // A child that is excluded excludes its descendants, too.
        #expect(outcome(plan(foreign: [101])) == "100")
        #expect(outcome(plan(managers: [101])) == "100")
    }

    /// `su` stops along with the program that it runs.
    @Test func aProgramThatSuOfAnotherUserHasStartedGoesOn() {
        let rows = [Self.row(90, 2, "su"), Self.row(91, 90, "script"), Self.row(100, 91, "slack")]
        #expect(outcome(plan(rows, foreign: [90])).hasPrefix("process 90 (su) started it"))
        #expect(outcome(plan(rows)) == "100")
    }

    private static func ofSession(_ pid: Int32, _ name: String) -> String {
        "process \(pid) (\(name)) is on xphase's list of session programs"
    }

    /// The kernel cuts the names of processes at 15 bytes. A prefix of a name is another program.
    @Test(arguments: [
        ("kwin_x11", true), ("xmonad-x86_64-l", true), ("gnome-session-b", true), ("org_kde_powerdev", true),
        ("mate-notificati", true), ("xdg-desktop-por", true), ("dunst", true), ("gvfsd", true),
        ("kwin_rules_dialo", false), ("gnome-session-p", false), ("plasma-discover", false),
        ("xfce4-panel-pro", false), ("dunstify", false), ("Xorg-edit", false), ("nemo", false),
    ])
    func programsOfTheSessionGoOn(name: String, isOfSession: Bool) {
        let name = String(name.prefix(15))
        let expected = isOfSession ? Self.ofSession(100, name) : "100"
        #expect(outcome(plan([Self.row(100, 1, name)])) == expected)
    }

    /// The other xphase must see signs, so it is excluded from a freeze of its ancestors.
    @Test func anotherXphaseGoesOn() throws {
        let terminal = Self.chat + [Self.row(110, 100, "xphase"), Self.row(111, 110, "sh")]
        #expect(outcome(plan(terminal)) == "100 101 102")
        #expect(outcome(plan(terminal, roots: [110])) == Self.ofSession(110, "xphase"))
        #expect(try !isOwn([100, 101, 102, 110], plan(terminal)))
    }

    /// A frozen proxy would hang its terminal, while the program elsewhere runs on.
    @Test(arguments: ["ssh", "sshd", "Xpra", "socat"])
    func aProxyOfTheWindowsOfAnotherProgramGoesOn(name: String) {
        let proxy = [Self.row(100, 2, "xterm"), Self.row(110, 100, name), Self.row(111, 2, "remote")]
        for roots: [Int32] in [[110], [111, 110]] {
            let expected = "process 110 (\(name)) only forwards its windows"
            #expect(outcome(plan(proxy, roots: roots)) == expected)
        }
        // The sandbox of a program is no such proxy.
        #expect(outcome(plan(proxy + [Self.row(112, 111, "bwrap")], roots: [111])) == "111 112")
    }

    /// A traced process would stay stopped after a thaw: its debugger sees the signals first.
    @Test func aDebuggedProgramGoesOn() throws {
        let expected = "process 50 debugs process 100, which could not be thawed"
        #expect(outcome(plan(tracers: [100: 50])) == expected)
        #expect(outcome(plan(tracers: [101: 50])) == "100")
        #expect(try !isOwn([100, 101, 102], plan(tracers: [101: 50]), "run-u1.scope"))
    }

    /// LibreOffice has one process, but a WM_CLASS for each kind of document.
    @Test func aProcessIsSharedWithWhatTheHookHoldsAsWell() {
        let others: [Int32: Set<String>] = [100: ["Calc", "Draw"], 101: ["Calc"], 102: ["Math"]]
        for (fellows, other) in [([], "Calc"), (["Calc"], "Draw")] as [(Set<String>, String)] {
            let refusal = #expect(throws: FreezePlan.Refusal.self) {
                try plan(others: others, fellows: fellows).processes()
            }
            #expect(refusal?.sharing == other)
            #expect(refusal?.description == "process 100 has windows of '\(other)', too")
        }
        let shared = plan(others: others, fellows: ["Calc", "Draw", "Math"])
        #expect(shared.companions == ["Calc", "Draw"])
        // Child processes with windows of other applications continue.
        #expect(outcome(shared) == "100")
        let child = plan(others: [101: ["Calc"]], fellows: ["Calc"])
        #expect(child.companions.isEmpty && outcome(child) == "100")
    }

    /// The portals of the session are not part of a sandbox; its proxy to the session bus is.
    @Test func theUnitOfAFlatpakIsItsOwn() throws {
        let name = "app-flatpak-org.foo-90.scope"
        let wrapped =
            Self.chat + [
                Self.row(90, 1, "bwrap"), Self.row(91, 90, "bwrap"), Self.row(92, 91, "xdg-dbus-proxy"),
            ]
        #expect(try isOwn([90, 91, 92, 100, 101], plan(wrapped), name))
        for portal in ["xdg-desktop-por", "xdg-document-po", "xdg-permission-"] {
            #expect(try !isOwn([90, 93, 100], plan(wrapped + [Self.row(93, 91, portal)]), name))
        }
    }

    /// A launcher waits for its programs through an intermediate process.
    @Test func aShellBetweenTheApplicationAndOneThatItHasStartedGoesOn() {
        let launcher =
            Self.chat + [
                Self.row(110, 100, "reaper"), Self.row(111, 110, "sh"), Self.row(112, 111, "game"),
                Self.row(113, 111, "helper"), Self.row(114, 112, "crash-handler"),
            ]
        let other: [Int32: Set<String>] = [112: ["Game"]]
        #expect(outcome(plan(launcher, others: other)) == "100 101 102")
        #expect(outcome(plan(launcher)) == "100 101 110 102 111 112 113 114")
        #expect(outcome(plan(launcher, roots: [100, 110], others: other)) == "100 110 101 102")
    }

    @Test func aTerminalIsFrozenOnlyByItsName() {
        let terminal = [Self.row(100, 2, "xterm"), Self.row(101, 100, "bash", session: 101, terminal: 8)]
        let refusal = "process 101 is a shell on a terminal and may be in use: "
        #expect(outcome(plan(terminal, isNamed: false)).hasPrefix(refusal))
        #expect(outcome(plan(terminal)) == "100 101")
        // The shell has started another application.
        let started = terminal + [Self.row(102, 101, "gimp", session: 101, terminal: 8)]
        let others: [Int32: Set<String>] = [102: ["Gimp"]]
        #expect(outcome(plan(started, others: others, isNamed: false)).hasPrefix(refusal))
        #expect(outcome(plan(started, others: others)) == "100")
        // The application was started from a terminal but is not one.
        let ordinary = [
            Self.row(100, 19, "gimp", session: 19, terminal: 7),
            Self.row(101, 100, "script", session: 19, terminal: 7),
        ]
        #expect(outcome(plan(ordinary, isNamed: false)) == "100 101")
    }

    // MARK: What prevents a freeze for a while

    private func newcomer(_ plan: FreezePlan) throws -> String? { plan.newcomer(among: try plan.processes()) }

    /// A process began at its number of hundredths of a second since boot, and is young for ten seconds.
    @Test func aProgramThatWasJustStartedIsANewcomer() throws {
        let launcher = [Self.row(98, 2, "launcher"), Self.row(99, 98, "game"), Self.row(100, 98, "game")]
        func found(_ programs: [Int32: ExecutedProgram], mayPostpone: Bool = true) throws -> String? {
            try newcomer(plan(launcher, roots: [98], programs: programs, mayPostpone: mayPostpone))
        }
        let (first, second) = (ExecutedProgram("/bin/launcher"), ExecutedProgram("/bin/game"))
        #expect(try found([98: first, 99: second, 100: second]) == "game")
        #expect(try found([98: first, 99: second, 100: second], mayPostpone: false) == nil)
        // The former is more than ten seconds old, and the other is the program that has started it.
        #expect(try found([98: first, 99: second, 100: first]) == nil)
        // Python executes another script.
        let python = ExecutedProgram("/usr/bin/python3.11", commandLine: ["python3", "-s", "launcher.py"])
        let script = ExecutedProgram("/usr/bin/python3.11", commandLine: ["python3", "/opt/game.py"])
        #expect(try found([98: python, 100: script]) == "game.py")
        #expect(try found([98: python, 100: python]) == nil)
        // What they execute is hidden, and their names differ.
        #expect(try found([:]) == "game")
        // A window of its own makes it another application.
        #expect(try newcomer(plan(launcher, roots: [98], others: [100: ["Game"]])) == nil)
        #expect(try newcomer(plan(launcher, roots: [98, 100])) == nil)
    }

    /// The shell of a terminal shows no window.
    @Test func aProcessThatLeadsATerminalIsNoNewcomer() throws {
        let terminal = [Self.row(98, 2, "xterm"), Self.row(100, 98, "bash", session: 100, terminal: 8)]
        #expect(try newcomer(plan(terminal, roots: [98])) == nil)
        let player = Self.row(101, 100, "mpv", session: 100, terminal: 8)
        #expect(try newcomer(plan(terminal + [player], roots: [98])) == "mpv")
    }

    /// It would block as soon as the terminal does not read what it writes.
    @Test func aTerminalWithAProgramThatHasAWindowGoesOn() {
        let terminal = [Self.row(100, 2, "xterm"), Self.row(101, 100, "bash", session: 101, terminal: 8)]
        let player = [Self.row(102, 101, "mpv", session: 101, terminal: 8)]
        let reason =
            "process 102 (mpv) has a window and runs on its terminal: it would stop as soon as it writes much"
        let others: [Int32: Set<String>] = [102: ["mpv"]]
        #expect(plan(terminal + player).hindrance == nil)
        #expect(plan(terminal + player, others: others).hindrance == reason)
        // The shell no longer waits for it.
        let orphan = [Self.row(102, 1, "mpv", session: 101, terminal: 8)]
        #expect(plan(terminal + orphan, others: others).hindrance == reason)
        // It has left the terminal, or runs on that of xphase.
        for other in [Self.row(102, 101, "mpv"), Self.row(102, 19, "mpv", session: 19, terminal: 7)] {
            #expect(plan(terminal + [other], others: others).hindrance == nil)
        }
    }

    /// Nobody could see who calls them. The hidden processes of a browser are its own.
    @Test func aProgramThatHidesItsFilesGoesOn() {
        let reason = "process 100 (slack) hides its files from you, so xphase could not see who calls it"
        #expect(plan(hidden: [100]).hindrance == reason)
        #expect(plan(hidden: [101, 102]).hindrance == nil)
        #expect(outcome(plan(hidden: [101, 102])) == "100 101 102")
        let agents = Self.chat + [Self.row(110, 101, "keepassxc"), Self.row(111, 110, "helper")]
        #expect(plan(agents, hidden: [110]).hindrance == nil)
        #expect(outcome(plan(agents, hidden: [110])) == "100 101 102")
    }

    // MARK: Units

    @Test func aUnitIsItsOwnIfNothingElseIsInIt() throws {
        #expect(try isOwn([100, 101, 102], plan(), "run-u1.scope"))
        // The process of one of its windows is outside the unit.
        #expect(try !isOwn([101, 102], plan(), "run-u1.scope"))
        let wrapped = Self.chat + [Self.row(90, 1, "slack.sh"), Self.row(91, 90, "helper")]
        #expect(try !isOwn([90, 91, 100, 101], plan(wrapped), "run-u1.scope"))
        #expect(try isOwn([90, 91, 100, 101], plan(wrapped)))
        #expect(try !isOwn([90, 91, 100, 101], plan(wrapped), "app-plank@autostart.service"))
        for stranger in [Int32(2), 3, 20] { #expect(try !isOwn([100, stranger], plan())) }
        #expect(try !isOwn([90, 100], plan(wrapped, others: [91: ["Other"]])))
        #expect(try !isOwn([91, 100], plan(wrapped, foreign: [91])))
        #expect(try !isOwn([91, 100], plan(wrapped, managers: [91])))
        // The unit contains a shell that leads a terminal: the application may have been started from that terminal.
        let shell = [Self.row(90, 1, "bash", session: 90, terminal: 8)]
        let started = Self.row(100, 90, "slack", session: 90, terminal: 8)
        for isNamed in [true, false] {
            #expect(try !isOwn([90, 100], plan(Self.chat + shell, isNamed: isNamed)))
            #expect(try !isOwn([90, 100], plan(shell + [started], isNamed: isNamed), "app-kitty-90.scope"))
        }
    }
}
