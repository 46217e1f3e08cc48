import Glibc
import System
import Testing

@testable import Hooks
@testable import Service

/// Which of the processes with the same number in their sandboxes plays a stream.
@Suite struct StreamPlayerTests {
    private static func stream(_ properties: [String: String]) -> AudioStream {
        AudioStream(index: 4, corked: false, mute: false, properties: properties)
    }

    private static func process(_ pid: Int32) -> ProcessIdentity {
        ProcessIdentity(pid: pid, startTicks: 1)
    }

    private static func player(_ pid: Int32, _ program: String?, _ unit: String?) -> StreamPlayer {
        StreamPlayer(process: process(pid), program: program, names: unit.map { SandboxNames(unit: $0) })
    }

    /// Two runs of one application, another one of the same program, one of another, and one of which nothing is known.
    private static let players = [
        player(1, "/app/bin/electron", "app-flatpak-org.x.Film-71.scope"),
        player(2, "/app/bin/electron", "app-flatpak-org.x.Film-72.scope"),
        player(3, "/app/bin/electron", "app-gnome-org.x.Radio-3.scope"),
        player(4, "/usr/bin/mpv (deleted)", "app-org.x.Radio@5.service"), player(5, nil, nil),
    ]
    private static let portal = "pipewire.access.portal.app_id"
    private static let instance = "pipewire.access.portal.instance_id"
    private static let program = "application.process.binary"

    @Test(
        arguments: [
            ([:], [1, 2, 3, 4, 5]), ([program: "mpv"], [4]), ([program: "electron"], [1, 2, 3]),
            ([portal: "org.x.Film"], [1, 2]), ([portal: "org.x.Film", instance: "72"], [2]),
            ([portal: "org.x.Radio"], [3, 4]), ([portal: "org.x.Radio", program: "mpv"], [4]),
            ([program: "electron", "application.id": "org.x.Radio"], [3]),
            // The server knows better than the client.
            ([portal: "org.x.Film", instance: "71", "application.id": "org.x.Radio"], [1]),
            // A property that is true of none may be true of what is not known, or else decides nothing.
            ([portal: "Film"], [5]), ([program: "vlc"], [5]),
            ([program: "vlc", portal: "org.x.Film"], [1, 2]),
        ] as [([String: String], [Int32])])
    func theStreamsOwnPropertiesTell(properties: [String: String], pids: [Int32]) {
        #expect(Self.stream(properties).narrowed(Self.players).map(\.process.pid) == pids)
        let known = Self.stream(properties).narrowed(Self.players.dropLast())
        let all: [Int32] = [1, 2, 3, 4]
        #expect(known.map(\.process.pid) == (pids == [5] ? all : pids.filter { $0 != 5 }))
    }

    /// A file system that hangs leaves its thread behind.
    @Test func theNextQuestionSaysThatASandboxDoesNotAnswer() throws {
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        let own = try #require(ProcessIdentity(pid: getpid()))
        let players = StreamPlayers([own], Buses(loop), SeparateThreads(most: 0))
        var names: [ProcessIdentity: SandboxNames]?
        players.read([own]) { names = $0 }
        #expect(names?.isEmpty == true)
        #expect(players.remark?.hasPrefix("the files of a sandbox do not answer") == true)
    }

    private func played(_ pids: Int32...) -> PlayedStream {
        let stream = Self.stream(["application.process.id": "7"])
        return PlayedStream(stream: stream, players: pids.map(Self.process))
    }

    /// One that is known to be another's does not count, though it has the number.
    @Test func aStreamRunsForThoseThatMayPlayIt() {
        let own = [Self.process(1)]
        #expect(
            played(1).mayRun(for: own, numbered: [1, 7]) && played(1, 2).mayRun(for: own, numbered: [1, 7]))
        #expect(
            !played(2, 3).mayRun(for: own, numbered: [1, 7]) && played().mayRun(for: own, numbered: [1, 7]))
        #expect(!played(1).mayRun(for: own, numbered: [1]))
        let corked = AudioStream(
            index: 4, corked: true, mute: false, properties: ["application.process.id": "7"])
        #expect(!PlayedStream(stream: corked, players: own).mayRun(for: own, numbered: [1, 7]))
    }

    @Test func streamsThatCannotBeToldApartAreNamed() {
        let end = ", which have the same number and program in their sandboxes"
        #expect(PlayedStream.faults([played(12, 34)]) == ["1 stream may be of process 12 or 34\(end)"])
        #expect(
            PlayedStream.faults([played(2, 3, 4), played(1, 2), played(2, 3, 4)]) == [
                "1 stream may be of process 1 or 2\(end)", "2 streams may be of process 2, 3 or 4\(end)",
            ])
        let own = [1, 2].map(Self.process)
        #expect(played(1, 2).muted(of: own)?.process == own[0])
        #expect(played(1, 3).mayBelong(to: own) && played(1, 3).muted(of: own) == nil)
        #expect(!played(3, 4).mayBelong(to: own) && played().muted(of: own) == nil)
    }

    @Test(
        arguments: [
            ("app-flatpak-org.x.Film-71.scope", ["flatpak-org.x.Film", "org.x.Film"], "71"),
            ("app-flatpak-org.x.My\\x2dFilm-71.scope", ["flatpak-org.x.My-Film", "org.x.My-Film"], "71"),
            ("app-org.x.Film-71.scope", ["org.x.Film"], nil),
            ("app-org.x.Film@71.service", ["org.x.Film"], nil),
            ("app-gnome-org.x.Film-71.scope", ["gnome-org.x.Film", "org.x.Film"], nil),
            ("app-org.x.Film.service", ["org.x.Film"], nil), ("app-a\\xzz.service", ["a\\xzz"], nil),
            ("snap.film.player-01234567-89ab-cdef-0123-456789abcdef.scope", ["film", "film_player"], nil),
            ("snap.film.daemon.service", ["film", "film_daemon"], nil), ("dbus.service", [], nil),
            ("app-.scope", [""], nil), ("", [], nil), ("snap.", [], nil),
        ] as [(String, Set<String>, String?)])
    func aUnitNamesItsApplication(unit: String, applications: Set<String>, instance: String?) {
        let names = SandboxNames(unit: unit)
        #expect(names.applications == applications && names.instance == instance, "\(names)")
    }

    @Test(arguments: [
        ("[Application]\nname=org.x.Film\nruntime=r\n\n[Instance]\ninstance-id=71\n", "org.x.Film", "71"),
        ("[Runtime]\nname=other\n[Application]\nname=a=b", "a=b", nil), ("name=a\n", nil, nil),
        ("", nil, nil),
    ])
    func aSandboxNamesItsApplication(info: String, application: String?, instance: String?) {
        let names = SandboxNames(flatpakInfo: info)
        #expect(names.applications == Set(application.map { [$0] } ?? []) && names.instance == instance)
    }

    @Test func aProcessOutsideOfSandboxesHasNoNameOfOne() throws {
        let process = try #require(ProcessIdentity(pid: getpid()))
        #expect(try #require(SandboxNames(of: process)).instance == nil)
    }
}
