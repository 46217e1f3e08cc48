import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Criteria other than the name of an application.
    @Suite struct CriteriaOptions {
        private let stage: Stage
        private let alpha: TestWindow
        private let beta: TestWindow
        /// The name of the executable of the test process, which owns Alpha.
        private let program: String

        /// Opens Alpha, which is active, has the instance `one` and belongs to the test process, and Beta on another
        /// desktop.
        init() throws {
            stage = try Stage(.openbox)
            beta = try stage.show(.init("Beta"), x: 300)
            beta.moveToDesktop(1)
            try stage.wait(for: "Beta", "background")
            alpha = try stage.show(.init("Alpha", instance: "one"))
            alpha.setOwner(ofThisProcess: true)
            try stage.wait(for: "Alpha", "active")
            let path = try Program.run("readlink", ["/proc/\(getpid())/exe"]).output.first ?? ""
            program = path.split(separator: "/").last.map(String.init) ?? ""
        }

        private var options: [([String], TestWindow)] {
            [
                (["--process", program], alpha), (["--process", "/^\(program.prefix(4))/"], alpha),
                (["--instance", "o?e"], alpha), (["--instance", "/^b.*a$/"], beta),
                (["--desktop", "1"], beta), (["--desktop", "0"], alpha),
                (["--desktop", "0", "--instance", "one", "--process", "*"], alpha),
            ]
        }

        @Test func chooseOnEachLevelOfListsAndWatchesAndForAPhase() throws {
            for (words, window) in options {
                let name = window === alpha ? "Alpha" : "Beta"
                let list = try XPhase.run(["list", "--json"] + words, on: stage.display).output.map {
                    try Line($0)
                }
                #expect(list.map(\.application) == [name, name, name], "\(words)")
                #expect(list.first?.scene == window.name)
                let watch = try XPhase.start(["watch", "--json"] + words, on: stage.display)
                #expect(try watch.output.next().map { try Line($0) }?.application == name)
                let phase = window === alpha ? "active" : "background"
                #expect(try XPhase.run(["phase", "*"] + words, on: stage.display).output == [phase])
                try watch.end(SIGTERM)
                #expect(try watch.output.rest().isEmpty)
            }
        }

        @Test func theErrorNamesTheApplicationsAndTheOptionsThatExcludeThem() throws {
            for command in [["phase", "al*"], ["wait", "al*", "active"]] {
                let result = try XPhase.run(
                    command + ["--instance", "t wo", "--desktop", "1"], on: stage.display)
                #expect(result.code == 1 && result.output.isEmpty)
                #expect(
                    result.errors == [
                        "xphase: Alpha is running, but does not match --instance 't wo' --desktop 1"
                    ])
            }
            let other = try XPhase.run(["phase", "gamma", "--desktop", "1"], on: stage.display)
            #expect(other.errors == ["xphase: no application matches 'gamma': running now: Alpha, Beta"])
        }
    }
}
