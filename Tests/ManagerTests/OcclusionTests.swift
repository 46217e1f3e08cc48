import CXlib
import Glibc
import Scenes
import TestDesktop
import Testing

@testable import X11

extension UnderManagers {
    /// Which windows are covered. The pixels of the screen are the truth: each window changes its colour.
    @Suite struct OcclusionTests {
        @Test(arguments: JudgedManager.tested)
        func nothingIsCalledCoveredThatCanBeSeen(_ judged: JudgedManager) async throws {
            try await UnderManagers.executor.run {
                let rig = try OcclusionRig(judged)
                for seed in 0..<UInt64(JudgedManager.layoutCount) { try rig.judgeLayout(seed: seed) }
                print(rig.summary)
                #expect(rig.coveredAndSeen == [])
                #expect(rig.coveredCount > 0 && rig.judgedCount > rig.coveredCount)
            }
        }
    }
}

/// A window manager with or without a compositor.
struct JudgedManager: Sendable, CustomTestStringConvertible {
    let manager: Manager
    let isComposited: Bool

    var testDescription: String { manager.name }

    private init(_ manager: Manager, isComposited: Bool = false) {
        self.manager = manager
        self.isComposited = isComposited
    }

    private static func withPicom(_ manager: Manager) -> JudgedManager {
        var composed = manager
        composed.name += " with picom"
        composed.companions.append(.compositor)
        return JudgedManager(composed, isComposited: true)
    }

    /// metacity composites by default.
    private static var metacityWithoutCompositor: JudgedManager {
        var plain = Manager.metacity
        plain.name += " without a compositor"
        plain.arguments.append("--compositor=none")
        return JudgedManager(plain)
    }

    private static let usual = [
        JudgedManager(.none), JudgedManager(.openbox), withPicom(.openbox),
        JudgedManager(.xfwm4Compositing, isComposited: true),
    ]

    private static let all =
        usual + [
            withPicom(.none), JudgedManager(.xfwm4), JudgedManager(.metacity, isComposited: true),
            metacityWithoutCompositor,
            JudgedManager(.marco), JudgedManager(.mutter, isComposited: true), JudgedManager(.kwin),
            JudgedManager(.kwinCompositing, isComposited: true), JudgedManager(.icewm), withPicom(.icewm),
        ]

    private static let wantsAll = getenv("XPHASE_ALL_WINDOW_MANAGERS").map { String(cString: $0) } == "1"
    static let tested =
        Manager.chosen.map { names in all.filter { names.contains($0.manager.name) } }
        ?? (wantsAll ? all : usual)
    static let layoutCount = wantsAll ? 25 : 5
}

/// A display with a window manager, layouts of windows, and xphase's observer.
private final class OcclusionRig {
    private static let windowCount = 9

    private let judged: JudgedManager
    private let client: TestClient
    private let process: ManagerProcess
    private let observer: DesktopObserver
    /// A window above all others. When its new colour is on the screen, all earlier changes are, too.
    private let signal: LayoutWindow
    private(set) var judgedCount = 0
    private(set) var coveredCount = 0
    private(set) var coveredAndSeen: [String] = []

    init(_ judged: JudgedManager) throws {
        self.judged = judged
        let display = try VirtualDisplay(hasOpenGL: true)
        client = try TestClient(display.name)
        client.movePointer(x: 639, y: 479)
        process = try ManagerProcess(judged.manager, on: display)
        if !judged.manager.program.isEmpty {
            try process.start(client)
            try process.waitForFirstWindow(client)
        }
        if judged.isComposited {
            let client = client
            guard waitUntil({ client.isOwned("_NET_WM_CM_S0") }) else {
                throw Failure("\(judged.manager) has no compositor: \(process.log())")
            }
        }
        observer = try DesktopObserver(try Display(display.name))
        observer.follow(SessionOptions(states: [], occlusion: .seconds(2)))
        signal = try LayoutWindow(
            client, .overrideRedirect, x: 0, y: 0, width: 8, height: 8, colour: 0x10_1010)
    }

    deinit { try? process.kill() }

    var summary: String {
        "occlusion under \(judged.manager): \(judgedCount) judged, \(coveredCount) called covered, "
            + "\(coveredAndSeen.count) of them visible"
    }

    func judgeLayout(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &* 7919 &+ 17)
        var windows = try (0..<Self.windowCount).map { index in
            try LayoutWindow(
                client, LayoutWindow.Kind.allCases.randomElement(using: &random) ?? .plain,
                x: .random(in: 0..<400, using: &random), y: .random(in: 10..<300, using: &random),
                width: .random(in: 60..<420, using: &random), height: .random(in: 60..<320, using: &random),
                colour: UInt(0x20_3040 + index * 0x03_0507))
        }
        if seed == 0 {
            // Ensures that at least one window is covered.
            windows.append(try LayoutWindow(client, .plain, x: 100, y: 100, width: 80, height: 80))
            windows.append(try LayoutWindow(client, .plain, x: 40, y: 40, width: 320, height: 300))
        }
        for window in windows.shuffled(using: &random).prefix(4) { window.raise() }
        if seed == 0 { windows.last?.raise() }
        try waitUntilManaged(windows)
        for window in windows where window.kind != .overrideRedirect { try judge(window, seed: seed) }
        for window in windows { window.destroy() }
        try settle()
    }

    private func waitUntilManaged(_ windows: [LayoutWindow]) throws {
        let clients = windows.filter { $0.kind != .overrideRedirect }
        let areManaged = try waitUntil {
            let rule = Rule(try see(), .focus)
            return clients.allSatisfy { rule.shown($0) != nil }
        }
        guard areManaged else { throw Failure("\(judged.manager) does not show every window") }
        try settle()
    }

    private func see() throws -> Desktop {
        client.sync()
        try observer.noteEvents()
        return try observer.refreshNow()
    }

    /// Waits until the contents of the screen are stable.
    private func settle() throws {
        var last: [UInt32] = []
        let isStill = waitUntil {
            signal.raise()
            showChanges()
            let now = client.screenshot()
            defer { last = now }
            if now == last { return true }
            poll(nil, 0, judged.isComposited ? 150 : 30)
            return false
        }
        guard isStill else { throw Failure("\(judged.manager) does not become idle") }
    }

    /// Waits until earlier painting is on the screen.
    private func showChanges() {
        // Two toggles restore the colour.
        for _ in 0..<2 {
            signal.toggleColour()
            var looks = 0
            let isShown = waitUntil {
                looks += 1
                // mutter sometimes omits painted contents from its picture until they are painted again.
                if judged.isComposited && looks.isMultiple(of: 20) { signal.repaint() }
                return client.pixel(x: 3, y: 3) == signal.shownColour
            }
            if !isShown { Issue.record("\(judged.manager) shows nothing new") }
        }
    }

    /// Toggles the colour of a window, and waits until the new colour is on the screen.
    private func toggle(_ window: LayoutWindow) {
        window.toggleColour()
        showChanges()
        if !judged.isComposited { return }
        window.repaint()
        showChanges()
    }

    private func isCovered(_ window: LayoutWindow) throws -> Bool? {
        let rule = Rule(try see(), .focus)
        return rule.shown(window).map { rule.isOccluded($0) }
    }

    private func judge(_ window: LayoutWindow, seed: UInt64) throws {
        guard let isCovered = try isCovered(window) else { return }
        let before = client.screenshot()
        toggle(window)
        let between = client.screenshot()
        toggle(window)
        let after = client.screenshot()
        // Skips a window that has moved or become covered or uncovered in the meantime.
        guard try self.isCovered(window) == isCovered else { return }
        let width = 640
        // Pixels that another window paints late do not change back, so they do not count.
        let seen = before.indices.count { index in
            before[index] != between[index] && before[index] == after[index]
                && !(index % width < 8 && index / width < 8)
        }
        judgedCount += 1
        if !isCovered { return }
        coveredCount += 1
        if seen > 0 { coveredAndSeen.append("layout \(seed), \(window.kind): \(seen) pixels") }
    }
}

extension Rule {
    /// Returns the facts of a window that nothing but others hides; nil for any other window.
    fileprivate func shown(_ window: LayoutWindow) -> WindowFacts? {
        guard let slot = desktop.windows.slot(of: UInt32(window.id)), let reason = verdict(at: slot)?.reason,
            [.visible, .covered].contains(reason)
        else { return nil }
        return desktop.windows.facts[slot]
    }
}
