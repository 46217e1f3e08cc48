import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    @Suite struct Storm {
        @Test(arguments: [WindowManager.none, .openbox])
        func fiveHundredWindowsAtRandomEndInWhatAFreshListSees(_ manager: WindowManager) throws {
            let session = try Session(
                manager, ["--level", "application", "--level", "group", "--level", "scene"])
            var random = SystemRandomNumberGenerator()
            var windows: [TestWindow] = []
            var reported: [Line] = []
            for number in 1...500 {
                let window = session.window(
                    .init("Storm\(number % 40)", instance: "part\(number % 7)"), x: Int32(number % 25) * 20,
                    y: Int32(number % 20) * 20, width: 30, height: 30)
                window.map()
                windows.append(window)
                for _ in 0...Int.random(in: 0...2, using: &random) {
                    guard let window = windows.randomElement(using: &random) else { continue }
                    switch Int.random(in: 0..<7, using: &random) {
                    case 0: window.unmap()
                    case 1: window.map()
                    case 2: session.focus(window)
                    case 3: window.iconify()
                    case 4: window.withdraw()
                    case 5: window.setClass("part0", "Storm\(Int.random(in: 0..<40, using: &random))")
                    default:
                        window.destroy()
                        windows.removeAll { $0 === window }
                    }
                }
                if number.isMultiple(of: 50) { reported += try session.settle() }
            }
            reported += try session.settle()
            let list = try session.list()
            #expect(list.contains { $0.kind == "scene" })
            #expect(PhasesInLines(reported).differences(from: PhasesInLines(list)) == [])
        }

        /// More than 300,000 queued events take 6 MB, and 100 MB in the queue of Xlib. Both must be freed.
        @Test func whatAStormTakesInMemoryIsGivenBack() throws {
            let session = try Session(.none)
            let windows = (1...50).map { session.window(.init("Storm\($0)"), width: 4, height: 4) }
            for window in windows { window.map() }
            // The first storm allocates the memory that is needed only once.
            try storm(over: windows, in: session, rounds: 10)
            let before = try session.watch.residentKilobytes()
            try storm(over: windows, in: session, rounds: 2000)
            #expect(try session.watch.residentKilobytes() < before + 4096)
            #expect(try session.list(["--level", "scene"]).count { $0.to != nil } == windows.count)
        }

        /// Repeatedly unmaps and maps windows while xphase is stopped.
        private func storm(over windows: [TestWindow], in session: Session, rounds: Int) throws {
            session.watch.send(SIGSTOP)
            for _ in 1...rounds {
                for window in windows { window.queueRemap() }
            }
            session.client.sync()
            session.watch.send(SIGCONT)
            try session.settle()
        }

        @Test func tenThousandWindowsAreAllTracked() throws {
            let display = try VirtualDisplay(arguments: ["-maxclients", "512"])
            let client = try TestClient(display.name)
            for number in 1...10_000 {
                client.queueSmallWindow(className: "Many\(number % 100)")
            }
            client.sync()
            let list = try XPhase.run(["list", "--json"], on: display).output.map { try Line($0) }
            #expect(list.count { $0.kind == "scene" } == 10_000)
            #expect(list.count { $0.kind == "application" } == 100)
        }
    }
}
