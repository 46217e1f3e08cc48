import Testing

@testable import Hooks
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
        row(19, 2, "bash", session: 19, terminal: 7),
        row(20, 19, "xphase", session: 19, terminal: 7),
    ]
    private static let chat = [
        row(100, 2, "slack"), row(101, 100, "slack"), row(102, 101, "slack", state: "T"),
        row(103, 100, "gone", state: "Z"),
    ]

    private func plan(
        _ more: [ProcessRow] = chat, roots: [Int32] = [100], others: [Int32: Set<String>] = [:],
        fellows: Set<String> = [], isNamed: Bool = true,
        server: Int32? = 3, managers: Set<Int32> = [], foreign: Set<Int32> = [],
        tracers: [Int32: Int32] = [:]
    ) -> FreezePlan {
        FreezePlan(
            table: ProcessTable(Self.session + more), roots: roots, others: others, fellows: fellows,
            application: "Slack",
            isNamed: isNamed, own: 20, server: server, managers: managers,
            ownUser: 1000,
            facts: {
                ProcessFacts(
                    identity: ProcessIdentity(pid: $0, startTicks: 0), user: foreign.contains($0) ? 0 : 1000,
                    tracer: tracers[$0])
            })
    }

    private func refusal(_ plan: FreezePlan) -> FreezePlan.Refusal? {
        do throws(FreezePlan.Refusal) {
            _ = try plan.processes()
            return nil
        } catch {
            return error
        }
    }

    @Test func parentsComeFirstAndWhatHasEndedIsLeftOut() throws {
        #expect(try plan().processes().map(\.pid) == [100, 101, 102])
    }

    @Test func whatStartedXphaseGoesOn() {
        #expect(refusal(plan(roots: [19])) == .ownAncestry(19))
        #expect(refusal(plan(roots: [20])) == .ownAncestry(20))
        #expect(refusal(plan(roots: [2])) == .ownAncestry(2))
    }

    @Test func theServerTheSessionAndOtherUsersGoOn() {
        #expect(refusal(plan(roots: [3])) == .server(3))
        #expect(refusal(plan(roots: [3], server: nil)) == .session(3, "Xorg"))
        #expect(refusal(plan(foreign: [100])) == .otherUser(100))
        #expect(refusal(plan(managers: [100])) == .session(100, "slack"))
    }

    /// `su` stops along with the program that it runs.
    @Test func whatSuOfAnotherUserHasStartedGoesOn() throws {
        let rows = [Self.row(90, 2, "su"), Self.row(91, 90, "script"), Self.row(100, 91, "slack")]
        #expect(refusal(plan(rows, foreign: [90])) == .wrapped(90, "su"))
        #expect(try plan(rows).processes().map(\.pid) == [100])
    }

    /// The names are those of Debian's packages, cut at 15 bytes as by the kernel.
    @Test(arguments: [
        "picom", "pipewire-pulse", "dbus-daemon", "kwin_x11", "gnome-shell", "i3", "xmonad-x86_64-l",
        "gnome-panel", "gnome-session-b", "gnome-keyring-d", "gsd-media-keys", "budgie-panel",
        "nemo-desktop", "cinnamon", "csd-media-keys", "plasmashell", "kded6", "org_kde_powerdev",
        "xfce4-panel", "xfsettingsd", "mate-settings-d", "mate-notificati", "lxqt-globalkeys", "lxpanel",
        "xbindkeys", "scim-panel-gtk", "fcitx5", "ibus-extension-", "onboard", "orca", "at-spi2-registr",
        "xdg-desktop-por", "polkit-gnome-au", "dunst", "notification-da", "i3lock",
    ])
    func programsOfTheSessionGoOn(name: String) {
        let name = String(name.prefix(15))
        #expect(refusal(plan([Self.row(100, 1, name)])) == .session(100, name))
    }

    @Test(arguments: [
        "plasma-discover", "DiscoverNotifie", "plasma-systemmo", "plasmawindowed", "kwin_rules_dialo",
        "gnome-software", "gnome-session-p", "gnome-shell-ext", "gsd-viewer", "csd-tool", "mate-control-ce",
        "mate-session-pr", "cinnamon-settin", "xfce4-settings-", "xfce4-notifyd-c", "xfce4-panel-pro",
        "ibus-setup", "fcitx5-configto", "scim-setup", "onboard-setting", "notification-ce", "dunstify",
        "pipewire-viewer", "gvfs-browser", "systemd-manager", "dbus-inspector", "polkit-explorer",
        "Xorg-edit", "nemo", "caja", "pcmanfm", "pcmanfm-qt", "notion",
    ])
    func programsWithNamesLikeThoseOfTheSessionAreFrozen(name: String) {
        #expect(refusal(plan([Self.row(100, 1, String(name.prefix(15)))])) == nil)
    }

    /// The other xphase must see signs, so it is excluded from a freeze of its ancestors.
    @Test func anotherXphaseGoesOn() throws {
        let terminal = Self.chat + [Self.row(110, 100, "xphase"), Self.row(111, 110, "sh")]
        #expect(try !plan(terminal).processes().map(\.pid).contains(110))
        #expect(refusal(plan([Self.row(100, 1, "xphase")])) == .session(100, "xphase"))
        let members: [Int32] = [100, 101, 102, 110]
        #expect(
            !plan(terminal).isOwn(unit: members, "app-a-1.scope", for: try plan(terminal).processes()))
    }

    /// A frozen proxy would hang its terminal, while the program elsewhere runs on.
    @Test(arguments: ["ssh", "sshd", "Xpra", "socat"])
    func whatPassesOnTheWindowsOfAnotherProgramGoesOn(name: String) throws {
        let proxy = [Self.row(100, 2, "xterm"), Self.row(110, 100, name), Self.row(111, 2, "remote")]
        #expect(refusal(plan(proxy, roots: [110])) == .proxy(110, name))
        #expect(refusal(plan(proxy, roots: [111, 110])) == .proxy(110, name))
        // The sandbox of a program is no such proxy.
        #expect(try plan(proxy + [Self.row(112, 111, "bwrap")], roots: [111]).processes().count == 2)
    }

    /// A traced process would stay stopped after a thaw: its debugger sees the signals first.
    @Test func whatIsDebuggedGoesOn() throws {
        #expect(refusal(plan(tracers: [100: 50])) == .traced(100, by: 50))
        #expect(try plan(tracers: [101: 50]).processes().map(\.pid) == [100])
        let processes = try plan().processes()
        #expect(!plan(tracers: [101: 50]).isOwn(unit: [100, 101, 102], "run-u1.scope", for: processes))
    }

    @Test func whatIsGoneOrUnknownIsNotFrozen() {
        #expect(refusal(plan(roots: [])) == .noProcess)
        #expect(refusal(plan(roots: [4711])) == .noProcess)
    }

    @Test func aProcessWithWindowsOfAnotherApplicationGoesOn() throws {
        #expect(refusal(plan(others: [100: ["Other"]])) == .shared(100, application: "Other"))
        // A child that is excluded excludes its descendants, too.
        #expect(try plan(others: [101: ["Other"]]).processes().map(\.pid) == [100])
        #expect(try plan(foreign: [101]).processes().map(\.pid) == [100])
        #expect(try plan(managers: [101]).processes().map(\.pid) == [100])
    }

    /// LibreOffice has one process, but a WM_CLASS for each kind of document.
    @Test func aProcessIsSharedWithWhatTheHookHoldsAsWell() throws {
        let others: [Int32: Set<String>] = [100: ["Calc", "Draw"], 101: ["Calc"], 102: ["Math"]]
        #expect(refusal(plan(others: others)) == .shared(100, application: "Calc"))
        #expect(refusal(plan(others: others, fellows: ["Calc"])) == .shared(100, application: "Draw"))
        let shared = plan(others: others, fellows: ["Calc", "Draw", "Math"])
        #expect(shared.companions == ["Calc", "Draw"])
        // Child processes with windows of other applications continue.
        #expect(try shared.processes().map(\.pid) == [100])
        #expect(plan(others: [101: ["Calc"]], fellows: ["Calc"]).companions.isEmpty)
    }

    /// The portals of the session are not part of a sandbox; its proxy to the session bus is.
    @Test func theUnitOfAFlatpakIsItsOwn() throws {
        let name = "app-flatpak-org.foo-90.scope"
        let wrapped =
            Self.chat + [
                Self.row(90, 1, "bwrap"), Self.row(91, 90, "bwrap"), Self.row(92, 91, "xdg-dbus-proxy"),
            ]
        let plan = plan(wrapped)
        #expect(plan.isOwn(unit: [90, 91, 92, 100, 101], name, for: try plan.processes()))
        for portal in ["xdg-desktop-por", "xdg-document-po", "xdg-permission-"] {
            let plan = self.plan(wrapped + [Self.row(93, 91, portal)])
            #expect(!plan.isOwn(unit: [90, 93, 100], name, for: try plan.processes()))
        }
    }

    /// A launcher waits for its programs through an intermediate process.
    @Test func whatStandsBetweenTheApplicationAndOneThatItHasStartedGoesOn() throws {
        let launcher =
            Self.chat + [
                Self.row(110, 100, "reaper"), Self.row(111, 110, "sh"), Self.row(112, 111, "game"),
                Self.row(113, 111, "helper"), Self.row(114, 112, "crash-handler"),
            ]
        let other: [Int32: Set<String>] = [112: ["Game"]]
        #expect(try plan(launcher, others: other).processes().map(\.pid) == [100, 101, 102])
        #expect(try plan(launcher).processes().count == 8)
        #expect(
            try plan(launcher, roots: [100, 110], others: other).processes().map(\.pid) == [
                100, 110, 101, 102,
            ])
    }

    @Test func aTerminalIsFrozenOnlyByItsName() throws {
        let terminal = [Self.row(100, 2, "xterm"), Self.row(101, 100, "bash", session: 101, terminal: 8)]
        #expect(refusal(plan(terminal, isNamed: false)) == .terminal(101, application: "Slack"))
        #expect(try plan(terminal).processes().map(\.pid) == [100, 101])
        // The shell has started another application.
        let started = terminal + [Self.row(102, 101, "gimp", session: 101, terminal: 8)]
        let others: [Int32: Set<String>] = [102: ["Gimp"]]
        #expect(
            refusal(plan(started, others: others, isNamed: false)) == .terminal(101, application: "Slack"))
        #expect(try plan(started, others: others).processes().map(\.pid) == [100])
        // The application was started from a terminal but is not one.
        let ordinary = [
            Self.row(100, 19, "gimp", session: 19, terminal: 7),
            Self.row(101, 100, "script", session: 19, terminal: 7),
        ]
        #expect(try plan(ordinary, isNamed: false).processes().count == 2)
    }

    @Test func aLoopOfParentsEnds() throws {
        let loop = [Self.row(100, 102, "a"), Self.row(101, 100, "b"), Self.row(102, 101, "c")]
        #expect(try plan(loop).processes().map(\.pid) == [100, 101, 102])
    }

    @Test func aUnitIsItsOwnIfNothingElseIsInIt() throws {
        let processes = try plan().processes()
        func isOwn(_ members: [Int32], _ plan: FreezePlan, _ name: String = "run-u1.scope") -> Bool {
            plan.isOwn(unit: members, name, for: processes)
        }
        #expect(isOwn([100, 101, 102], plan()))
        // The process of one of its windows is outside the unit.
        #expect(!isOwn([101, 102], plan()))
        let wrapped = Self.chat + [Self.row(90, 1, "slack.sh"), Self.row(91, 90, "helper")]
        #expect(!isOwn([90, 91, 100, 101], plan(wrapped)))
        #expect(isOwn([90, 91, 100, 101], plan(wrapped), "app-slack-90.scope"))
        #expect(!isOwn([90, 91, 100, 101], plan(wrapped), "app-plank@autostart.service"))
        for stranger in [Int32(2), 3, 20] { #expect(!isOwn([100, stranger], plan(), "app-slack-90.scope")) }
        #expect(!isOwn([90, 100], plan(wrapped, others: [91: ["Other"]]), "app-slack-90.scope"))
        #expect(!isOwn([91, 100], plan(wrapped, foreign: [91]), "app-slack-90.scope"))
        #expect(!isOwn([91, 100], plan(wrapped, managers: [91]), "app-slack-90.scope"))
        // The unit contains a shell that leads a terminal: the application may have been started from that terminal.
        let shell = [Self.row(90, 1, "bash", session: 90, terminal: 8)]
        let started = Self.row(100, 90, "slack", session: 90, terminal: 8)
        for isNamed in [true, false] {
            #expect(!isOwn([90, 100], plan(Self.chat + shell, isNamed: isNamed), "app-slack-90.scope"))
            #expect(!isOwn([90, 100], plan(shell + [started], isNamed: isNamed), "app-kitty-90.scope"))
        }
    }
}
