import TestDesktop

/// A fake `busctl` that knows only logind, which a test cannot start.
struct FakeLogind {
    private let home: HookHome

    init(_ home: HookHome) throws {
        self.home = home
        try home.addTool(
            "busctl",
            """
            cd '\(home.path)'
            case "$*" in
            --system*ListNames) echo '{"type":"as","data":[["org.freedesktop.login1"]]}' ;;
            --system*ListInhibitors) cat inhibitors && echo asked >>asked ;;
            *) exit 1 ;;
            esac
            """)
        try release()
    }

    /// The environment for xphase.
    var environment: [String: String?] {
        home.environment.merging([
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/dev/null", "DBUS_SESSION_BUS_ADDRESS": nil,
        ]) { $1 }
    }

    /// Makes a process hold an inhibitor.
    func hold(what: String, by pid: Int32) throws { try hold("[\"\(what)\",\"a\",\"a\",\"block\",0,\(pid)]") }

    func release() throws { try hold("") }

    /// The number of queries for inhibitors.
    var questions: Int { get throws { home.exists("asked") ? try home.lines("asked").count : 0 } }

    private func hold(_ row: String) throws {
        try home.write("inhibitors", "{\"type\":\"a(ssssuu)\",\"data\":[[\(row)]]}\n")
    }
}
