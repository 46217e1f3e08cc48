import Glibc
import TestDesktop
import Testing

@testable import System

/// Where xphase keeps its files.
@Suite struct PlacesTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func completed(_ environment: [String: String], sessions: String = "none") -> Environment {
        Environment(environment.merging(["HOME": "/h"]) { $1 }).completed(
            sessions: SystemString(folder(sessions)))
    }

    func path(_ environment: [String: String], sessions: String = "none") throws -> String {
        try completed(environment, sessions: sessions).runtimeDirectory().description
    }

    @Test func theRuntimeDirectoryIsTheSessions() throws {
        #expect(try path(["XDG_RUNTIME_DIR": folder.path]) == folder("xphase"))
    }

    @Test(arguments: [
        [:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "."], ["XDG_RUNTIME_DIR": "/dev/null"],
    ])
    func withoutAUsefulNameTheUsersOwnIsTaken(environment: [String: String]) throws {
        #expect(try path(environment) == "/h/.local/state/xphase/run-\(TestWindow.hostName)")
        mkdir(folder("sessions"), 0o700)
        mkdir(folder("sessions/\(geteuid())"), 0o700)
        #expect(try path(environment, sessions: "sessions") == folder("sessions/\(geteuid())/xphase"))
    }

    /// For the programs that xphase starts: they have what it uses itself.
    @Test func aDirectoryFoundWithoutItsVariableBecomesOneForOtherPrograms() throws {
        mkdir(folder("sessions"), 0o700)
        let own = folder("sessions/\(geteuid())")
        mkdir(own, 0o700)
        var environment = completed(["XDG_RUNTIME_DIR": "/dev/null"], sessions: "sessions")
        #expect(environment.entries.sorted { "\($0)" < "\($1)" } == ["HOME=/h", "XDG_RUNTIME_DIR=\(own)"])
        #expect(environment.found == ["XDG_RUNTIME_DIR=\(own)"])
        try folder.write("sessions/\(geteuid())/bus", "")
        environment = completed([:], sessions: "sessions")
        #expect(environment["DBUS_SESSION_BUS_ADDRESS"] == "unix:path=\(own)/bus")
        #expect(BusAddress.session(environment)?.socket == "\(own)/bus")
        mkdir("\(own)/systemd", 0o700)
        try folder.write("sessions/\(geteuid())/systemd/private", "")
        #expect(BusAddress.serviceManager(environment)?.socket == "\(own)/systemd/private")
        #expect(
            completed(["XDG_RUNTIME_DIR": own]).found == ["DBUS_SESSION_BUS_ADDRESS=unix:path=\(own)/bus"])
        let address = "tcp:host=a,port=1"
        let other = completed(["XDG_RUNTIME_DIR": own, "DBUS_SESSION_BUS_ADDRESS": address])
        #expect(other.found.isEmpty && other["DBUS_SESSION_BUS_ADDRESS"]?.description == address)
    }

    @Test func aVariableWithoutItsDirectoryIsRemoved() {
        #expect(completed(["XDG_RUNTIME_DIR": "/dev/null"]).entries == ["HOME=/h"])
    }

    @Test func theAddressOfABusIsEscaped() throws {
        let text: SystemString = "unix:path=/run/a%20b%2c%c3%a9/bus"
        let address = try #require(BusAddress(list: text))
        #expect(address.socket == "/run/a b,\u{E9}/bus" && address.text == text)
    }

    @Test(arguments: [
        (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/xphase"), (["HOME": "/h"], "/h/.local/state/xphase"),
        (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/xphase"),
        (["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/xphase"),
    ])
    func stateOutlivesTheSession(environment: [String: String], path: String) throws {
        #expect(try Environment(environment).stateDirectory().description == path)
    }

    @Test func thereIsNoStateWithoutAHome() {
        #expect(throws: SystemError.noHome) { try Environment(["HOME": "h"]).stateDirectory() }
    }

    @Test(arguments: [
        (":0", ":0"), (":0.0", ":0"), (":0.1", ":0"), ("unix:0", ":0"), ("unix/:0.1", ":0"), (":10", ":10"),
        (":011", ":11"), (":00.0", ":0"), ("host:010.0", "host:10"),
        ("host:10.0", "host:10"), ("tcp/host:1", "tcp%2fhost:1"), ("my_host.net:1.2", "my_host.net:1"),
        ("[::1]:0.0", "%5b::1%5d:0"), ("/tmp/.X11-unix/X0", "%2ftmp%2f.X11-unix%2fX0"),
        ("/tmp/launch.1/x:0", "%2ftmp%2flaunch.1%2fx:0"), ("unix:/tmp/a.0", "unix:%2ftmp%2fa.0"),
        ("a%2fb:0", "a%252fb:0"), ("é\n:0", "%c3%a9%0a:0"), ("..", ".."), ("", ""), (":", ":"),
    ])
    func aDisplayHasOneName(display: String, name: String) {
        #expect(DisplayFileName(display).description == name)
    }
}

@Suite struct SystemStringTests {
    private let path = SystemString(bytes: Array("/home/h".utf8) + [0xE9])

    @Test func bytesAreKeptAndShownRepaired() {
        #expect(path.bytes.last == 0xE9)
        #expect(path.text == nil)
        #expect(path.description == "/home/h\u{FFFD}")
        #expect((path + "/x").bytes == path.bytes + Array("/x".utf8))
        #expect(SystemString(cString: path.cString) == path)
        #expect("\(path)/\(7)" as SystemString == path + "/7")
    }

    @Test func aPathIsTakenApartAtSlashes() {
        #expect(path.components == ["home", SystemString(bytes: [0x68, 0xE9])])
        #expect(path.directory == "/home")
        #expect(SystemString("/home").directory == "/")
        #expect(SystemString("home").directory == ".")
        #expect(SystemString("/").entry("a") == "/a")
        #expect(SystemString("/a").entry("b") == "/a/b")
    }

    @Test func aShellReadsTheSameBytes() {
        #expect(path.quotedForShell == #"$'/home/h\xe9'"#)
    }

    @Test func variablesAreFoundByTheirWholeNames() {
        let environment = Environment(entries: ["HOMES=a", "HOME" + SystemString("=") + path, "EMPTY="])
        #expect(environment["HOME"] == path)
        #expect(environment["EMPTY"] == nil && environment["HOM"] == nil)
    }

    @Test func theEnvironmentOfAnotherProcessIsReadAsBytes() throws {
        let pid = try Spawn.start(
            ["sleep", "60"], environment: ["HOME=" + path], descriptors: [], directory: "/")
        // The kernel sets it a moment after the program has started.
        #expect(waitUntil { Environment(of: pid)?["HOME"] == path })
        kill(pid, SIGKILL)
        #expect(waitpid(pid, nil, 0) == pid)
    }
}

extension RootTests {
    @Test func aRuntimeDirectoryOfAnotherUserIsNotTouched() throws {
        let places = try PlacesTests()
        let folder = places.folder
        chown(folder.path, 12_345, 12_345)
        #expect(
            try places.path(["XDG_RUNTIME_DIR": folder.path])
                == "/h/.local/state/xphase/run-\(TestWindow.hostName)")
    }
}
