import Glibc
import PhaseWatch
import TestDesktop
import Testing

extension ProgramTests {
    /// Real screen lockers.
    @Suite(.serialized) struct LockerTests {
        /// A watched display with two windows, a window manager and optionally a compositor.
        private final class LockedDesktop {
            let display: MonitoredDisplay
            private let bus: SessionBus?
            let compositor: Program?
            let watcher: PhaseWatcher

            init(_ kind: WindowManager = .openbox, compositor: String? = nil) throws {
                display = try MonitoredDisplay(kind)
                let server = display.server
                // xfwm4 exits if it finds no session bus for its settings.
                bus = try compositor == "xfwm4" ? SessionBus() : nil
                let environment = server.environment.merging(bus?.environment ?? [:]) { $1 }
                self.compositor = try compositor.map { name in
                    try Program(
                        name,
                        name == "xfwm4" ? ["--compositor=on", "--vblank=off"] : ["--backend", "xrender"],
                        package: name, environment: environment)
                }
                if self.compositor != nil {
                    let client = display.client
                    try #require(waitUntil { client.isOwned("_NET_WM_CM_S0") && client.isManaged })
                }
                let alpha = try display.show("Alpha", at: 0)
                _ = try display.show("Beta", at: 1)
                alpha.activate()
                let watcher = try PhaseWatcher(display.options())
                self.watcher = watcher
                let isFocused = try waitUntil {
                    _ = try watcher.update()
                    return watcher.present.contains { $0.application == "Alpha" && $0.to == .active }
                }
                try #require(isFocused)
            }

            /// Returns the reported lines up to those of Alpha, without those of Beta.
            func next() throws -> [String] {
                var reported: [String] = []
                let isReported = try waitUntil {
                    reported += try watcher.update().compactMap(Self.text)
                    return reported.contains { $0.hasPrefix("Alpha") }
                }
                return isReported
                    ? reported.filter { !$0.hasPrefix("Beta") } : reported + ["nothing of Alpha"]
            }

            private static func text(of event: Event) -> String? {
                switch event {
                case .notice(let notice): notice.text
                case .change(let change): change.level == .application ? change.text : nil
                }
            }
        }

        @Test(arguments: [Locker.i3lock, .slock, .xsecurelock, .xscreensaver])
        func aLockerHidesEverythingUntilItEnds(_ locker: Locker) throws {
            try check(locker, LockedDesktop())
        }

        @Test(arguments: [Locker.i3lock, .xsecurelock], ["picom", "xfwm4"])
        func aLockerUnderACompositorHidesEverythingToo(_ locker: Locker, compositor: String) throws {
            try check(locker, LockedDesktop(compositor == "xfwm4" ? .none : .openbox, compositor: compositor))
        }

        /// A list over all windows. A new watcher takes no time to believe in a lock.
        @Test func aListOverAllWindowsIsNoLock() throws {
            let (desktop, folder) = try (LockedDesktop(), TemporaryFolder())
            try folder.write("list", String(repeating: "entry\n", count: 30))
            let list = try Program(
                "sh", ["-c", "exec dmenu -l 15 < '\(folder.path)/list'"], package: "suckless-tools",
                environment: desktop.display.server.environment)
            let client = desktop.display.client
            let isOpen = waitUntil {
                client.isKeyboardGrabbed
                    && MonitoredDisplay.colours[0...1].allSatisfy { client.pixels($0) == 0 }
            }
            let seen = try DisplayInspector(desktop.display.options()).explain(.application("Alpha"))
            #expect(isOpen && client.isKeyboardGrabbed, "\(list.errors)")
            #expect(seen.limits.map(\.name) == [])
        }

        private func check(_ locker: Locker, _ desktop: LockedDesktop) throws {
            let folder = try TemporaryFolder()
            let program = try locker.start(desktop.display.server, folder)
            let locked = try desktop.next()
            let notice = try #require(locked.first)
            #expect(
                notice.hasPrefix("locked: a window of ") && notice.hasSuffix(" covers all 2 visible scenes"))
            #expect(locked.last == "Alpha active→background lock")
            let seen = try DisplayInspector(desktop.display.options()).explain(.application("Alpha"))
            #expect(seen.limits.map(\.name) == ["lock"])
            let found = seen.windows.first?.sentence ?? ""
            #expect(found.contains(/^locked.* by 0x/) && found.contains(" since "), "\(found)")
            if locker != .xscreensaver {
                #expect(found.contains("(\(locker.rawValue), running since "), "\(found)")
                #expect(found.hasSuffix(", keyboard grabbed"), "\(found)")
            }
            // Ending the locker this way unlocks the display.
            try program.end(locker == .xscreensaver ? SIGTERM : SIGKILL)
            let unlocked = try desktop.next()
            #expect(unlocked == ["unlocked", "Alpha background→active unlock"])
        }
    }
}

/// The tests that need more programs than `packaging/test` installs without --all.
@Suite struct ProgramTests {}
