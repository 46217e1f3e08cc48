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
        let players = StreamPlayers([own], ProcessReadings(Buses(loop), threads: SeparateThreads(most: 0)))
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

    /// Clients of PipeWire, as pactl lists them: one that plays and one that records without its PulseAudio server, and two
    /// of that server.
    private static let clients = #"""
        [{"index":187,"driver":"PipeWire","owner_module":"2","properties":{"pipewire.protocol":"protocol-native",
        "core.name":"pipewire-user-71","pipewire.sec.pid":"74857","pipewire.sec.uid":"1000","application.name":"mpv",
        "application.process.binary":"mpv","application.process.id":"3","pipewire.access":"unrestricted"}},
        {"index":179,"driver":"PipeWire","owner_module":"2","properties":{"pipewire.sec.pid":"74858",
        "application.name":"pw-cat","pipewire.access":"unrestricted"}},
        {"index":195,"driver":"PipeWire","owner_module":"2","properties":{"pipewire.sec.pid":"76",
        "client.api":"pipewire-pulse","application.process.id":"74881","application.process.binary":"pacat"}},
        {"index":196,"driver":"PipeWire","owner_module":"2","properties":{"pipewire.sec.pid":"76",
        "client.api":"pipewire-pulse","application.name":"Radio"}}]
        """#

    /// Returns a stream as pactl lists it.
    private static func listed(
        _ client: String, _ properties: String, corked: Bool = false, mute: Bool = false
    ) throws -> AudioStream {
        let text = #"""
            {"index":188,"driver":"PipeWire","owner_module":null,"client":\#(client),"sink":34,
            "channel_map":"front-center","corked":\#(corked),"mute":\#(mute),"balance":0.00,"properties":{
            "media.category":"Playback","application.name":"mpv","application.id":"mpv","object.id":"57"\#(properties)}}
            """#
        return try #require(AudioStream(json: text.utf8))
    }

    /// Whether it plays or records, and whether it is muted.
    @Test(
        arguments: [
            (#""187""#, "", .stated(3)), (#""179""#, "", .seen(74858)), (#""195""#, "", .stated(74881)),
            // Of what does not name its process, PipeWire sees its own PulseAudio server.
            (#""196""#, "", nil),
            // What the stream says itself comes first.
            (#""187""#, #","application.process.id":"5""#, .stated(5)),
            // A client that has ended, a stream of the server, and none.
            (#""200""#, "", nil), ("null", "", nil), (#""""#, "", nil),
        ] as [(String, String, ProcessNumber?)], [false, true])
    func aStreamThatDoesNotNameItsProcessIsOfThatOfItsClient(
        stream: (client: String, properties: String, number: ProcessNumber?), mute: Bool
    ) throws {
        let clients = try #require([AudioClient](json: Self.clients.utf8))
        let memory = #","module-stream-restore.id":"sink-input-by-media-role:music""#
        let listed = try Self.listed(stream.client, memory + stream.properties, mute: mute)
        let completed = try #require([listed].completed(by: clients).first)
        #expect(completed.number == stream.number && completed.mute == mute && !completed.corked)
        #expect(completed.memory == "sink-input-by-media-role:music")
        #expect(listed.needsClient == (listed.number == nil && stream.client != "null"))
    }

    /// It reports the number inside of its sandbox, and PipeWire sees the other one.
    @Test func pipeWireTellsSandboxesApart() throws {
        let clients = try #require([AudioClient](json: Self.clients.utf8))
        let completed = try #require([Self.listed(#""187""#, "")].completed(by: clients).first)
        let players = [74856, 74857].map { Self.player($0, "/usr/bin/mpv", nil) }
        #expect(completed.narrowed(players) == [players[1]])
        // In other namespaces, it sees other numbers.
        #expect(completed.narrowed([players[0], Self.player(9, "/usr/bin/mpv", nil)]).count == 2)
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
