import Glibc
import Observation
import PhaseModels
import Testing

/// The observable model of a subject, and the property that wraps it.
@Suite struct PhaseModelTests {
    private let script = Script(.init(details: .titles))
    private var monitor: PhaseMonitor { script.monitor }

    @Test func aModelFollowsThePhaseAndTheScenesOfItsSubject() {
        let model = PhaseModel(of: .application("editor"), in: monitor)
        #expect(!model.exists && model.scenes.isEmpty)
        script.open(2, application: "Editor", group: "left", title: "b")
        script.open(1, application: "Editor", group: "right", title: "a")
        script.open(3, application: "Other")
        #expect(model.phase == .inactive && model.exists)
        #expect(model.scenes.map { $0.facts.title } == ["a", "b"])
        script.set(1, .background)
        #expect(model.phase == .inactive && model.scenes.map(\.phase) == [.background, .inactive])
        script.close(1)
        script.close(2)
        #expect(model.phase == nil && model.scenes.isEmpty)
    }

    @Test(arguments: [
        (PhaseMonitor.Subject.scene(1), ScenePhase?.some(.background), [UInt32(1)]),
        (.group("left", of: "Editor"), .inactive, [2]),
        (.application("Editor"), .active, [1, 2, 3]), (.ownProcess, .inactive, [1, 2, 4]),
        (.all, .active, [1, 2, 3, 4]), (.ownGroup("right"), .background, [1]),
        (.role("settings"), .inactive, [4]),
        (.any([.ownGroup("left"), .role("settings"), .scene(2)]), .inactive, [2, 4]),
    ])
    func eachSubjectHasItsScenes(_ subject: PhaseMonitor.Subject, phase: ScenePhase?, scenes: [UInt32]) {
        script.open(1, application: "Editor", group: "right", pid: getpid())
        script.open(2, application: "Editor", group: "left", pid: getpid())
        script.open(3, application: "Editor", group: "right", pid: 1)
        script.open(4, application: "Other", pid: getpid(), role: "settings")
        script.set(1, .background)
        script.set(3, .active)
        let model = PhaseModel(of: subject, in: monitor)
        #expect(model.phase == phase && model.scenes.map(\.id.xid) == scenes)
    }

    /// Reading the phase subscribes to the phase only. Equal values notify no observer.
    @Test func observersAreNotifiedOfWhatTheyRead() {
        let model = PhaseModel(of: .application("A"), in: monitor)
        let notes = Log()
        @Sendable func follow(_ name: String, _ read: @escaping @Sendable () -> Void) {
            withObservationTracking(read) { notes.add(name) }
        }
        follow("phase") { _ = model.phase }
        follow("scenes") { _ = model.scenes }
        script.open(1, application: "A")
        #expect(notes.all.sorted() == ["phase", "scenes"])
        follow("phase") { _ = model.phase }
        follow("scenes") { _ = model.scenes }
        script.open(2, application: "A")
        script.open(3, application: "B")
        #expect(notes.all.count == 3)
    }

    @Test @MainActor func aModelChangesOnTheActorThatTheCallerNames() async {
        let model = PhaseModel(of: .application("A"), in: monitor, deliver: .on(MainActor.shared))
        let isMain = await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = model.phase
            } onChange: {
                MainActor.assumeIsolated { continuation.resume(returning: true) }
            }
            Task.detached { script.open(1, application: "A") }
        }
        #expect(isMain)
    }

    @Test func aPropertyHasThePhaseOfItsSubject() {
        struct View {
            @CurrentPhase var scenePhase: ScenePhase?
        }
        let view = View(scenePhase: CurrentPhase(of: .scene(1), in: monitor))
        #expect(view.scenePhase == nil)
        script.open(1, application: "A")
        script.set(1, .active)
        #expect(view.scenePhase == .active && view.$scenePhase.scenes.count == 1)
    }

    @Test func releasingAModelEndsIt() {
        weak var model: PhaseModel?
        do {
            let own = PhaseModel(of: .all, in: monitor)
            model = own
            script.open(1, application: "A")
            #expect(own.phase != nil)
        }
        #expect(model == nil)
        script.close(1)
    }

    /// The forms of SwiftUI's `onChange`.
    @Test func onChangeHasTheFormsOfSwiftUI() throws {
        let calls = Log()
        let both = try monitor.onChange(of: .all) { calls.add("\($0.text)→\($1.text)") }
        let none = try monitor.onChange(of: .all, initial: true) { calls.add("none") }
        #expect(calls.all == ["none"])
        script.open(1, application: "A")
        #expect(calls.all.sorted() == ["none", "none", "nothing→inactive"])
        withExtendedLifetime((both, none)) {}
    }
}
