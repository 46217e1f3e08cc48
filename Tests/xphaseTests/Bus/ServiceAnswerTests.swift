import Glibc
import TestDesktop
import Testing

@testable import Console
@testable import PhaseWatch
@testable import Service

/// What commands say about a service: its lines, its configuration, what it has frozen, and that it does not answer.
extension DesktopTests {
    @Suite struct ServiceAnswerTests {
        private static let commands = [
            "list", "phase Alpha", "active", "wait Alpha background --timeout 20s", "wait --sync",
            "on Alpha background -- true", "explain Alpha", "hooks", "hooks fire note Alpha active",
            "hooks why note", "hooks pause", "hooks check", "hooks add pause-the-player", "freeze Alpha",
            "thaw Alpha", "doctor",
        ]

        /// Starts the service with a configuration that is not that of the user.
        private static func service(on stage: Stage, _ configuration: String) throws -> Program {
            try stage.home.write("other.toml", configuration)
            let run = try stage.start("run --config \(stage.home.path)/other.toml")
            guard try waitUntil({ try stage.run("wait --sync").code == 0 }) else {
                throw Failure("the service does not start")
            }
            return run
        }

        @Test func hookCommandsReadTheConfigurationThatTheServiceWasStartedWith() throws {
            let (stage, _) = try Stage.alpha(.openbox, "[[hook]]\nname = 'own'\nrun = ['true']\n")
            let run = try Self.service(
                on: stage, "[[hook]]\nname = 'note'\napplication = 'Nobody'\nrun = ['echo', 'noted']\n")
            let status = try stage.run("hooks")
            #expect(
                status.code == 0 && status.output.contains("  when Nobody opens, changes its phase or closes")
            )
            #expect(!status.output.contains("own"), "\(status)")
            #expect(try stage.run("hooks fire note Alpha active").output == ["noted"])
            let why = try stage.run("hooks why note").output.joined()
            #expect(why.contains("it acts") || why.contains("no application matches 'Nobody'"), "\(why)")
            let doctor = try stage.run("doctor").output
            #expect(
                doctor.contains { $0.hasSuffix("1 hook from \(stage.home.path)/other.toml") }, "\(doctor)")
            try run.end(SIGTERM)
            #expect(try stage.run("hooks").output.first == "own")
        }

        @Test func hooksFromStandardInputOutliveTheProgramAndAreThoseOfTheCommands() throws {
            let (stage, _) = try Stage.alpha(.openbox, "[[hook]]\nname = 'own-hook'\nrun = ['true']\n")
            let script = """
                exec xphase run --config - <<'END'
                [[hook]]
                name = 'note'
                to = 'background'
                run = ['echo', 'noted']
                END
                """
            let run = try Program("sh", ["-c", script], environment: stage.environment)
            // SIGUSR2 replaces the program.
            for _ in 1...2 {
                try run.waitForError("xphase: 1 hook from standard input")
                let source =
                    "xphase: 'xphase run' has its hooks from standard input, kept as /proc/\(run.pid)/fd/0"
                #expect(try waitUntil { try stage.run("hooks").output.first == "note" })
                for line in ["hooks", "hooks why note", "hooks fire note Alpha background", "doctor"] {
                    let result = try stage.run(line)
                    #expect(result.code == 0 && result.errors.contains(source), "\(line): \(result)")
                    #expect(!result.output.contains { $0.contains("own-hook") }, "\(line): \(result)")
                }
                #expect(try stage.run("hooks fire note Alpha background").output == ["noted"])
                #expect(try stage.run("hooks check").output.contains("the service reads standard input"))
                let doctor = try stage.run("doctor").output
                #expect(doctor.contains { $0.hasSuffix("1 hook from standard input") }, "\(doctor)")
                let added = try stage.run("hooks add pause-the-player")
                #expect(added.code == 64 && added.errors[0].contains("--print"), "\(added)")
                run.send(SIGUSR2)
            }
            try run.end(SIGTERM)
        }

        @Test func aRecipeIsAddedToTheFileThatTheServiceReads() throws {
            let (stage, _) = try Stage.alpha()
            let run = try Self.service(on: stage, "policy = 'visible'\n")
            let result = try stage.run("hooks add pause-the-player")
            let file = "\(stage.home.path)/other.toml"
            #expect(result.output.first == "added hook 'pause-the-player' to \(file)", "\(result)")
            #expect(result.output.last == "the service has loaded it" && result.code == 0, "\(result)")
            // No later.
            #expect(try stage.run("hooks status pause-the-player").output.contains("  now: ready"))
            #expect(try stage.run("hooks add pause-the-player").code == 0)
            let other = try stage.run("hooks add pause-the-player Alpha")
            #expect(other.code == 64 && other.output.isEmpty, "\(other)")
            let advice = #"already, for mpv, vlc: write application = ["mpv", "vlc", "Alpha"] there"#
            #expect(other.errors.first?.hasSuffix(advice) == true, "\(other)")
            #expect(!stage.home.exists("config/xphase/config.toml"))
            #expect(try stage.run("hooks check").output.contains("the service reads \(file)"))
            try run.waitForError("xphase: configuration reloaded: 1 hook from \(file)")
            try run.end(SIGTERM)
        }

        @Test func everyCommandSaysThatAStoppedServiceDoesNotAnswer() throws {
            let (stage, _) = try Stage.alpha()
            let run = try Self.service(on: stage, "[[hook]]\nname = 'note'\nrun = ['true']\n")
            run.send(SIGSTOP)
            let programs = try Self.commands.map { ($0, try stage.start($0)) }
            for (line, program) in programs {
                let errors = try program.errors.rest()
                let answer = "'xphase run', process \(run.pid), does not answer within 5 s"
                #expect(errors.contains { $0.contains(answer) }, "\(line): \(errors)")
            }
            run.send(SIGCONT)
        }

        @Test func everyCommandRefusesARuntimeDirectoryThatOthersMayEnter() throws {
            let (stage, _) = try Stage.alpha()
            let run = try Self.service(on: stage, "[[hook]]\nname = 'note'\nrun = ['true']\n")
            let directory = "\(stage.home.path)/runtime/xphase"
            chmod(directory, 0o750)
            for line in Self.commands + ["session start", "session stop"] {
                let result = try stage.run(line)
                let refusal =
                    "xphase: '\(directory)' is open to others: check that it is unchanged, then chmod go= "
                #expect(result.errors.contains { $0.hasPrefix(refusal) }, "\(line): \(result)")
                #expect(result.code == (line == "doctor" ? 0 : 71), "\(line): \(result)")
            }
            chmod(directory, 0o700)
            try run.end(SIGTERM)
        }

        @Test func withoutADisplayCommandsUseTheOnlyOneThatIsServed() throws {
            let (stage, _) = try Stage.alpha()
            let run = try Self.service(on: stage, "")
            stage.environment["DISPLAY"] = .some(nil)
            try stage.expect("phase Alpha", output: ["active"])
            try stage.expect("active", output: ["Alpha"])
            #expect(try stage.run("list").output.contains { $0.hasPrefix("Alpha ") })
            try stage.expect("wait Alpha active")
            #expect(try stage.run("explain Alpha").output.first?.hasPrefix("Alpha is active") == true)
            #expect(try stage.run("doctor").output.contains("display \(stage.display.name)"))
            try run.end(SIGTERM)
        }

        /// Starts a program of Alpha that withdraws its window once there is a file.
        private static func traySession(_ hooks: HookSession) throws -> ProgramWindow {
            try ProgramWindow.scripted(
                hooks.session,
                """
                while not os.path.exists("\(hooks.home.path)/close"): time.sleep(0.02)
                x.XWithdrawWindow(d, w, 0)
                x.XSync(d, 0)
                events()
                """)
        }

        @Test func theCommandOnFreezesAnApplicationThatIsClosedToTheTray() throws {
            let hooks = try HookSession("")
            let client = try Self.traySession(hooks)
            let on = try hooks.start(
                "on", "Alpha", "background,closed", "--do", "freeze", "--except", "none")
            let waiting = "xphase: waiting for Alpha to enter background or close; now: Alpha (active)"
            #expect(try on.errors.next() == waiting)
            _ = try hooks.home.folder.write("close", "")
            try on.waitForError("Alpha frozen (1 process)")
            on.send(SIGTERM)
            #expect(try on.exitCode() == 0)
            #expect(try waitUntil { try client.program.status("State").contains("S (") })
            try client.program.end()
        }

        @Test func aFrozenApplicationIsNamedWithItsHookOrAsFrozenByHand() throws {
            let hooks = try HookSession(
                """
                [[hook]]
                name = "sleep-unseen"
                application = "Alpha"
                while = ["background", "closed"]
                do = ["freeze"]
                except = "none"
                """)
            let client = try Self.traySession(hooks)
            let freeze = try hooks.xphase("freeze", "Alpha", "--except", "none")
            #expect(freeze.code == 0, "\(freeze)")
            func explained() throws -> String {
                try hooks.xphase("explain", "Alpha").output.joined(separator: "\n")
            }
            #expect(try explained().contains(/\n  it is frozen since \d\d:\d\d by hand\n/))
            #expect(try hooks.xphase("thaw", "Alpha").code == 0)
            _ = try hooks.home.folder.write("close", "")
            try hooks.waitForMessage("hook 'sleep-unseen': Alpha frozen (1 process)")
            let phase = try hooks.xphase("phase", "Alpha")
            let sentence = /xphase: Alpha has no window now; frozen since \d\d:\d\d by 'sleep-unseen'/
            #expect(phase.code == 1 && phase.errors.count == 1, "\(phase)")
            #expect(phase.errors.first?.wholeMatch(of: sentence) != nil, "\(phase)")
            for command in ["list", "explain"] {
                #expect(try hooks.xphase(command, "Alpha").errors.first?.wholeMatch(of: sentence) != nil)
            }
            #expect(try hooks.xphase("thaw", "Alpha").code == 0)
            try client.program.end()
        }
    }
}

/// What a command knows that follows a service for days.
struct GroupNamesTests {
    @Test func anApplicationThatHasClosedIsForgotten() throws {
        func rows(_ edit: (inout Change) -> Void) throws -> [ChangeRow] {
            try [Change.sampleGroup, .sampleApplication].map {
                let json = Event.change($0.with(edit)).json(sequence: 1, time: .sample)
                return try #require(ChangeRow(json: json))
            }
        }
        var groups = GroupNames()
        func names(_ rows: [ChangeRow]) -> [[String]?] {
            groups.events(of: rows).map { $0.change?.members?.groups }
        }
        #expect(names(try rows { $0.kind = .opened }) == [["Navigator"], ["Navigator"]])
        #expect(Array(groups.names.keys) == ["Firefox"])
        let closed = try rows {
            $0.kind = .closed
            $0.to = nil
        }
        #expect(names(closed) == [["Navigator"], ["Navigator"]])
        #expect(groups.names.isEmpty)
    }
}

/// `EventField` is the only list of keys.
struct EventFieldTests {
    @Test func everyFieldThatCommandsReadFromTheServiceIsWrittenAgain() throws {
        for change in Change.samples + [.bareScene] {
            let json = Event.change(change).json(sequence: 7, time: .sample)
            let row = try #require(ChangeRow(json: json))
            let copy = row.event.json(sequence: 7, time: .sample)
            #expect(String(decoding: copy, as: UTF8.self) == String(decoding: json, as: UTF8.self))
            if change == .bareScene { continue }
            // A field that no sample has would not be compared.
            var absent: [String] = []
            Event.change(change).forEachField(sequence: 7, time: .sample) { field, value in
                if value.text.isEmpty { absent.append(field.rawValue) }
            }
            #expect(absent.isEmpty)
        }
    }

    @Test func theDescriptionOfTheBusHasTheSameFields() throws {
        let description = PhasesInterface.description
        let type = try #require(description.firstMatch(of: /type Change \(([^)]*)\)/)?.1)
        let keys = type.matches(of: /(\w+):/).map { String($0.1) }
        #expect(
            Set(keys) == Set(EventField.allCases.map(\.rawValue)) && keys.count == EventField.allCases.count)
    }
}
