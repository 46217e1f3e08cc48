import Glibc
import TestDesktop

/// A system bus with logind, which a test cannot start, and a session bus with GNOME's session manager.
struct FakeLogind {
    private let folder: TemporaryFolder
    private let system: FakeBus
    private let session: FakeBus

    init() throws {
        folder = try TemporaryFolder()
        let (rows, manager) = ("'\(folder.path)/inhibitors'", "'\(folder.path)/manager'")
        _ = try folder.write("inhibitors", "[]")
        _ = try folder.write("manager", "[]")
        system = try FakeBus(
            "\(folder.path)/system-bus",
            """
            def answer(member, arguments, path):
                if member == "ListInhibitors":
                    print("asked", file=open('\(folder.path)/asked', "a"))
                    return "a(ssssuu)", ([tuple(row) for row in json.load(open(\(rows)))],)
                \(FakeBus.refusal)
            """)
        session = try FakeBus(
            "\(folder.path)/session-bus",
            """
            def answer(member, arguments, path):
                if member == "ListNames": return "as", ([],)
                if member == "BecomeMonitor": return None, ()
                if member == "GetInhibitors" and path == "/org/gnome/SessionManager":
                    return "ao", (json.load(open(\(manager))),)
                if path == "/1": return {"GetFlags": ("u", (8,)), "GetAppId": ("s", ("xterm",)),
                                         "GetToplevelXid": ("u", (0,))}[member]
                \(FakeBus.refusal)
            """)
    }

    /// The addresses of the buses.
    var environment: [String: String?] {
        ["DBUS_SYSTEM_BUS_ADDRESS": system.address, "DBUS_SESSION_BUS_ADDRESS": session.address]
    }

    /// Makes a process hold an inhibitor of logind.
    func hold(what: String, by pid: Int32) throws {
        try write("inhibitors", "[[\"\(what)\",\"a\",\"a\",\"block\",0,\(pid)]]")
    }

    /// Makes a terminal hold an inhibitor of the session manager.
    func holdAtManager() throws { try write("manager", "[\"/1\"]") }

    func release() throws { for name in ["inhibitors", "manager"] { try write(name, "[]") } }

    private func write(_ name: String, _ text: String) throws {
        rename(try folder.write("draft", text), "\(folder.path)/\(name)")
    }

    /// The number of queries for inhibitors of logind.
    var questions: Int {
        get throws { try Program.run("cat", ["\(folder.path)/asked"]).output.count }
    }
}
