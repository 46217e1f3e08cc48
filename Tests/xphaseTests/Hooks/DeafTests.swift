import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// What is frozen while xphase cannot see who calls it is thawed, or is not frozen at all.
    @Suite struct DeafTests: FreezesPrograms {}
}

extension DesktopTests.DeafTests {
    private static let deaf = "Alpha thawed: xphase lost the connection that shows who calls it"

    /// The program is frozen again after a rest, and the messages to its windows thaw it again.
    @Test(arguments: VirtualDisplay.RecordRequest.allCases)
    func theEndOfARecordingByAnotherClientThawsWhatIsFrozen(request: VirtualDisplay.RecordRequest) throws {
        let (hooks, client) = try Self.frozenClient("events()")
        try hooks.session.display.endRecordings(by: request)
        try hooks.waitForMessage(Self.deaf)
        #expect(try waitUntil { try Self.runs(client) })
        try hooks.waitForMessage("Alpha frozen (1 process)")
        hooks.session.client.send("WM_PROTOCOLS", to: client.window)
        try hooks.waitForMessage("Alpha thawed: a message to one of its windows")
        #expect(try hooks.end().count { $0.hasSuffix(Self.deaf) } == 1)
    }

    @Test func theEndOfTheSessionBusThawsWhatIsFrozen() throws {
        var bus: SessionBus? = try SessionBus()
        let hooks = try HookSession(
            Self.hook("except = 'none'", of: "\"Alpha\""), environment: bus?.environment ?? [:])
        let client = try ProgramWindow.scripted(hooks.session)
        client.iconify()
        try hooks.waitForMessage("Alpha frozen (1 process)")
        bus = nil
        try hooks.waitForMessage(Self.deaf)
        #expect(try waitUntil { try Self.runs(client) })
        // Nobody can call it through a bus that has ended.
        try hooks.waitForMessage("Alpha frozen (1 process)")
        #expect(try hooks.end().count { $0.hasSuffix(Self.deaf) } == 1)
    }

    // MARK: Few descriptors

    private static let limit =
        "xphase: hooks: nothing stays frozen: xphase has reached its limit of open files, "

    @Test func aLoweredLimitOfOpenFilesThawsWhatIsFrozenUntilItIsRaised() throws {
        let (hooks, client) = try Self.frozenClient("events()")
        try hooks.run.limitFiles()
        let line = try hooks.waitForMessage(Self.limit)
        #expect(line.hasSuffix(" (raise 'ulimit -n', or LimitNOFILE= of the service)"))
        try hooks.waitForMessage("Alpha thawed: xphase cannot see who calls it")
        #expect(try waitUntil { try Self.runs(client) })
        try hooks.waitForMessage("does not freeze Alpha: xphase has reached its limit of open files, ")
        #expect(try Self.runs(client))
        try hooks.run.limitFiles(to: 1024)
        try hooks.waitForMessage("Alpha frozen (1 process)")
        #expect(try hooks.end().count { $0.hasPrefix(Self.limit) } == 1)
    }

    /// The loop cannot wait for anything then.
    @Test(arguments: [3, 8]) func aLimitBelowWhatIsOpenEndsTheServiceAndLeavesNothingFrozen(count: Int) throws
    {
        let (hooks, client) = try Self.frozenClient("events()")
        try hooks.run.limitFiles(to: count)
        let reported = try hooks.ended(with: 71)
        let line = "xphase: xphase has reached its limit of open files, \(count) "
        #expect(reported.last?.hasPrefix(line) == true, "\(reported)")
        #expect(try waitUntil { try Self.runs(client) })
    }

    /// A service whose Alpha is muted and has entered a pair.
    private static func mutedAndEntered() throws -> (hooks: HookSession, client: ProgramWindow) {
        let mute = DesktopTests.HangingToolTests.mute.replacing("XTerm", with: "Alpha")
        let hooks = try HookSession(HookSession.pair() + mute, environment: ["PULSE_SERVER": "nowhere"]) {
            home, _ in
            try home.addTool(
                "pactl",
                """
                cd '\(home.path)'
                case $* in *mute*) echo "$2 $3" >>log; echo "$3" >muted; exit;; esac
                sed "s/MUTED/$(grep -q 1 muted && echo true || echo false)/" streams
                """)
        }
        let client = try ProgramWindow.scripted(hooks.session)
        let properties = #"{"application.process.id":"\#(client.program.pid)"}"#
        try hooks.home.write("muted", "0")
        try hooks.home.write(
            "streams", #"[{"index":7,"corked":false,"mute":MUTED,"properties":\#(properties)}]"#)
        client.iconify()
        try hooks.waitForMessage("Alpha muted (1 stream)")
        try hooks.home.waitForFile("log")
        #expect(try waitUntil { try hooks.home.lines("log").contains("enter pair") })
        return (hooks, client)
    }

    @Test func aLimitBelowWhatIsOpenUndoesAllThatHooksHold() throws {
        let (hooks, client) = try Self.mutedAndEntered()
        try hooks.run.limitFiles(to: 8)
        // What sleeps in poll(2) learns of the limit when it wakes.
        hooks.session.client.switchDesktop(1)
        _ = try hooks.ended(with: 71)
        #expect(try !client.isStopped)
        let log = try hooks.home.lines("log")
        #expect(Set(log) == ["enter pair", "7 1", "7 0", "leave pair"] && log.count == 4, "\(log)")
        #expect(try hooks.home.records().isEmpty)
    }

    @Test func aMutedStreamIsUnmutedThoughFewDescriptorsAreLeft() throws {
        let (hooks, client) = try Self.mutedAndEntered()
        try hooks.run.limitFiles()
        let limit = try #require(try hooks.run.fileLimit())
        try hooks.session.settle { client.activate() }
        try hooks.waitForMessage("Alpha unmuted (1 stream)")
        #expect(try hooks.home.lines("muted") == ["0"])
        #expect(try hooks.run.fileLimit() == limit)
    }

    /// The first one ends while the second one needs the limit that was raised for both.
    @Test func twoThatAreUnmutedAtOnceLeaveTheLimitOfOpenFilesAsItWas() throws {
        let mute = DesktopTests.HangingToolTests.mute.replacing("\"XTerm\"", with: "[\"Alpha\", \"XTerm\"]")
        let hooks = try HookSession(mute, environment: ["PULSE_SERVER": "nowhere"]) { home, _ in
            try home.addTool(
                "pactl",
                """
                cd '\(home.path)'
                case $* in
                *mute*1) touch muted$2; exit;;
                *mute*) [ $2 = 7 ] || until [ -e go ]; do sleep 0.05; done; rm muted$2; exit;;
                esac
                for number in 7 8; do
                    set -- "$@" -e "s/MUTED$number/$([ -e muted$number ] && echo true || echo false)/"
                done
                shift 3
                sed "$@" streams
                """)
        }
        let clients = [
            try ProgramWindow.scripted(hooks.session), try ProgramWindow.terminal(hooks.session),
        ]
        let streams = zip([7, 8], clients).map { number, client in
            let properties = #"{"application.process.id":"\#(client.program.pid)"}"#
            return #"{"index":\#(number),"corked":false,"mute":MUTED\#(number),"properties":\#(properties)}"#
        }
        try hooks.home.write("streams", "[\(streams.joined(separator: ",\n"))]")
        hooks.session.client.switchDesktop(1)
        try hooks.home.waitForFile("muted7")
        try hooks.home.waitForFile("muted8")
        #expect(try waitUntil { try hooks.run.children().isEmpty })
        try hooks.run.limitFiles()
        let limit = try #require(try hooks.run.fileLimit())
        hooks.session.client.switchDesktop(0)
        try hooks.waitForMessage("Alpha unmuted (1 stream)")
        #expect(try hooks.run.fileLimit() ?? 0 > limit)
        try hooks.home.write("go", "")
        try hooks.waitForMessage("XTerm unmuted (1 stream)")
        #expect(try hooks.run.fileLimit() == limit)
    }

    @Test func nothingIsFrozenWithTooFewDescriptors() throws {
        let hooks = try Self.clientSession()
        let client = try ProgramWindow.scripted(hooks.session)
        try hooks.run.limitFiles()
        client.iconify()
        try hooks.waitForMessage("does not freeze Alpha: xphase has reached its limit of open files, ")
        #expect(try Self.runs(client))
        try hooks.run.limitFiles(to: 1024)
        try hooks.waitForMessage("Alpha frozen (1 process)")
    }

    /// What opens the file of its program is noticed by inotify(7).
    @Test(arguments: [
        ("inotify_init1", "EMFILE", "max_user_instances"),
        ("inotify_add_watch", "ENOSPC", "max_user_watches"),
    ])
    func nothingStaysFrozenWhoseSecondStartIsNotNoticed(call: String, error: String, remedy: String) throws {
        let hooks = try Self.clientSession()
        let client = try ProgramWindow.scripted(hooks.session)
        let trace = try hooks.inject("error=\(error)", into: call)
        client.iconify()
        let line = try hooks.waitForMessage("xphase: hooks: nothing stays frozen: cannot watch ")
        #expect(line.contains(remedy))
        #expect(try waitUntil { try Self.runs(client) })
        let status = try hooks.xphase("hooks", "status").output
        #expect(status.contains { $0.contains("xphase cannot see who calls it") }, "\(status)")
        try trace.end()
        #expect(try waitUntil { try client.isStopped })
    }

    @Test func nothingIsFrozenWhileTheSessionBusDoesNotAnswer() throws {
        let bus = try SessionBus()
        let hooks = try HookSession(
            Self.hook("except = 'none'", of: "\"Alpha\""), environment: bus.environment)
        let client = try ProgramWindow.scripted(hooks.session)
        bus.send(SIGSTOP)
        client.iconify()
        let reason = "calls on the session bus would not be noticed: the session bus does not answer"
        try hooks.waitForMessage("xphase: hooks: nothing stays frozen: \(reason)")
        #expect(try Self.runs(client))
        bus.send(SIGCONT)
        try hooks.waitForMessage("Alpha frozen (1 process)")
    }

    /// The connection shows messages to the windows of what is frozen.
    @Test func nothingIsFrozenWhileTheServerAcceptsNoFurtherConnection() throws {
        let hooks = try Self.clientSession()
        let client = try ProgramWindow.scripted(hooks.session)
        let trace = try hooks.inject("error=ECONNREFUSED", into: "connect")
        client.iconify()
        try hooks.waitForMessage("xphase: hooks: nothing stays frozen: cannot open display ")
        #expect(try Self.runs(client))
        try trace.end()
        try hooks.waitForMessage("Alpha frozen (1 process)")
    }

    // MARK: A server that is slow

    /// Two round trips take more than 100 ms.
    @Test func aProgramOnADisplayFarAwayIsFrozenToo() throws {
        let session = try Session(.openbox)
        let home = try HookHome(Self.hook("except = 'none'", of: "\"XTerm\""))
        let terminal = try ProgramWindow.terminal(session)
        let far = try FarDisplay(session.display, delay: 0.06)
        let run = try XPhase.start(
            ["run", "--display", far.name], on: session.display, environment: home.environment)
        #expect(try waitUntil { try home.xphase("phase", "XTerm", "--display", far.name).code == 0 })
        terminal.iconify()
        try run.waitForError("XTerm frozen (")
        #expect(try terminal.isStopped)
        try session.settle { terminal.activate() }
        try run.waitForError("XTerm thawed")
        #expect(try waitUntil { try Self.runs(terminal) })
        try run.end(SIGTERM)
    }

    /// The server answers the questions about a freeze, and stops while what undoes it is written.
    @Test func aServerThatDoesNotAnswerBeforeAFreezeIsReportedOnce() throws {
        let hooks = try Self.clientSession()
        let client = try ProgramWindow.scripted(hooks.session)
        let slowness = try hooks.slowDisk()
        client.iconify()
        #expect(try waitUntil { try hooks.home.records().count == 1 })
        hooks.session.display.send(SIGSTOP)
        try slowness.end()
        let line = try hooks.waitForMessage(
            "xphase: hooks: nothing is frozen: the X server did not answer within 2s")
        #expect(line.hasSuffix(": end the program that has grabbed it, or use a faster connection to it"))
        #expect(try Self.runs(client))
        hooks.session.display.send(SIGCONT)
        try hooks.waitForMessage("Alpha frozen (1 process)")
    }
}
