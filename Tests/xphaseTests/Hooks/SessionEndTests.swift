import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Sessions that end while a client that must answer the session manager is frozen.
    // Serialized, since a user has only one Pluma, whatever the display and the bus.
    @Suite(.serialized) struct SessionEndTests {
        struct Desktop: CustomTestStringConvertible {
            var start: [String]
            var logOut: [String]
            var package: String

            var testDescription: String { start[0] }
        }

        /// Without an answer, Xfce waits for a minute, and MATE until the user closes a dialog.
        @Test(arguments: [
            Desktop(
                start: ["mate-session", "--autostart=HOME/clients"],
                logOut: ["mate-session-save", "--logout"], package: "mate-session-manager"),
            Desktop(
                start: ["xfce4-session"], logOut: ["xfce4-session-logout", "--logout"],
                package: "xfce4-session"),
        ])
        func nobodyHoldsUpALogOut(of desktop: Desktop) throws {
            let bus = try SessionBus()
            let hooks = try HookSession(
                FreezeTests.hook().replacing("XTerm", with: "Pluma"), environment: bus.environment)
            // The session has this client, and no programs of the desktop.
            mkdir("\(hooks.home.path)/clients", 0o700)
            let client = "[Desktop Entry]\nType=Application\nName=Pluma\nExec=pluma\n"
            try hooks.home.write("clients/pluma.desktop", client)
            let settings = "config/xfce4/xfconf/xfce-perchannel-xml"
            for end in settings.indices.filter({ settings[$0] == "/" }) + [settings.endIndex] {
                mkdir("\(hooks.home.path)/\(settings[..<end])", 0o700)
            }
            try hooks.home.write("\(settings)/xfce4-session.xml", Self.oneClient)
            let environment = hooks.session.display.environment.merging(bus.environment) { $1 }
                .merging(hooks.home.environment) { $1 }
            // For xfconfd, which the bus starts.
            _ = try bus.ask(
                "dbus-update-activation-environment", ["XDG_CONFIG_HOME=\(hooks.home.path)/config"],
                package: "dbus-bin")
            let words = desktop.start.map { $0.replacing("HOME", with: hooks.home.path) }
            let session = try Program(
                words[0], Array(words.dropFirst()), package: desktop.package, environment: environment)
            _ = try Program.find("pluma", package: "pluma")
            if desktop.package == "xfce4-session" { try Self.awaitLogin(bus) }
            try SpokenToTests.freeze("Pluma", hooks)
            _ = try Program.run(
                desktop.logOut[0], Array(desktop.logOut.dropFirst()), environment: environment)
            try hooks.waitForMessage("Pluma thawed: the session is about to end")
            _ = try session.exitCode()
            try hooks.end()
        }

        @Test func logindIsHeardBeforeTheMachineEnds() throws {
            let (bus, system) = (try SessionBus(), try SessionBus())
            let address = system.environment["DBUS_SESSION_BUS_ADDRESS"] ?? nil
            let (hooks, terminal) = try FreezeTests.frozenTerminal(
                isBusy: false,
                environment: bus.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": address]) { $1 })
            let logind = try Program(
                "/usr/bin/python3",
                [
                    "-c",
                    """
                    import time
                    from gi.repository import Gio, GLib
                    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
                    bus.call_sync('org.freedesktop.DBus', '/', 'org.freedesktop.DBus', 'RequestName',
                                  GLib.Variant('(su)', ('org.freedesktop.login1', 0)), None, 0, -1)
                    while True:
                        bus.emit_signal(None, '/org/freedesktop/login1', 'org.freedesktop.login1.Manager',
                                        'PrepareForShutdown', GLib.Variant('(b)', (True,)))
                        bus.flush_sync()
                        time.sleep(0.1)
                    """,
                ], package: "python3-gi", environment: system.environment)
            try hooks.waitForMessage("XTerm thawed: the session is about to end")
            try hooks.end()
            withExtendedLifetime((terminal, logind)) {}
        }

        /// Waits until login is complete. Before that, Xfce refuses to log out; it waits for its clients for 8 s.
        private static func awaitLogin(_ bus: SessionBus) throws {
            let name = "org.xfce.SessionManager"
            let words = [
                "--user", "call", name, "/org/xfce/SessionManager", "org.xfce.Session.Manager", "GetState",
            ]
            #expect(try waitUntil { try bus.ask("busctl", words) == "u 1" })
        }

        private static let oneClient = """
            <?xml version="1.0" encoding="UTF-8"?>
            <channel name="xfce4-session" version="1.0">
              <property name="general" type="empty">
                <property name="FailsafeSessionName" type="string" value="Failsafe"/>
              </property>
              <property name="sessions" type="empty">
                <property name="Failsafe" type="empty">
                  <property name="IsFailsafe" type="bool" value="true"/>
                  <property name="Count" type="int" value="1"/>
                  <property name="Client0_Command" type="array">
                    <value type="string" value="pluma"/>
                  </property>
                </property>
              </property>
            </channel>

            """
    }
}
