import Observation
@_exported import PhaseWatch
import Synchronization

/// The phase and the scenes of a subject, for views that observe them.
///
/// ```swift
/// let model = PhaseModel(of: .ownProcess, in: monitor, deliver: .on(MainActor.shared))
/// withObservationTracking { label.text = model.phase?.rawValue } onChange: { redraw() }
/// ```
///
/// Observe it where `deliver` changes it: an observer on another thread may read the old value after its notification.
/// It keeps its last values when the monitor ends.
public final class PhaseModel: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let values = Mutex<(phase: ScenePhase?, scenes: [PhaseMonitor.Scene])>((nil, []))
    private let observation = Mutex<PhaseMonitor.Observation?>(nil)

    /// Creates a model with the present values of a subject, which keeps the monitor running. Without
    /// `PhaseWatcher.Details.titles` nothing matches a subject that names titles.
    ///
    /// It changes, and notifies its observers, through `deliver`, or else through `PhaseMonitor.Options.deliver`.
    public init(
        of subject: PhaseMonitor.Subject, in monitor: PhaseMonitor, deliver: PhaseMonitor.Delivery? = nil
    ) {
        observation.withLock {
            $0 = try? monitor.follow(subject, deliver) { [weak self] in self?.set($0, $1) }
        }
    }

    /// The greatest phase of everything that the subject names; nil while nothing matches it.
    public var phase: ScenePhase? {
        registrar.access(self, keyPath: \.phase)
        return values.withLock { $0.phase }
    }

    /// The scenes that the subject includes, in the order of their windows.
    public var scenes: [PhaseMonitor.Scene] {
        registrar.access(self, keyPath: \.scenes)
        return values.withLock { $0.scenes }
    }

    /// Whether anything matches the subject.
    public var exists: Bool { phase != nil }

    private func set(_ phase: ScenePhase?, _ scenes: [PhaseMonitor.Scene]) {
        let old = values.withLock { $0 }
        if phase != old.phase {
            registrar.withMutation(of: self, keyPath: \.phase) { values.withLock { $0.phase = phase } }
        }
        if scenes != old.scenes {
            registrar.withMutation(of: self, keyPath: \.scenes) { values.withLock { $0.scenes = scenes } }
        }
    }
}

/// The phase of a subject as a property, as SwiftUI's `@Environment(\.scenePhase)` is: `.scene` is the reading of a view,
/// `.group` that of a custom scene, `.ownProcess` that of an app.
///
/// ```swift
/// @CurrentPhase(of: .ownProcess, in: monitor) var scenePhase
/// ```
@propertyWrapper
public struct CurrentPhase: Sendable {
    /// The model behind the property.
    public let projectedValue: PhaseModel

    /// Creates a property that follows a subject; see `PhaseModel`.
    public init(
        of subject: PhaseMonitor.Subject, in monitor: PhaseMonitor, deliver: PhaseMonitor.Delivery? = nil
    ) {
        projectedValue = PhaseModel(of: subject, in: monitor, deliver: deliver)
    }

    /// The present phase; nil while nothing matches the subject. Observation tracks its use.
    public var wrappedValue: ScenePhase? { projectedValue.phase }
}

extension PhaseMonitor.Delivery {
    /// Calls on an actor, such as `MainActor.shared`, as long as the actor exists. It uses a task: on Linux, the first one of
    /// a process starts a timer that wakes it once a second. A program that must not wake up uses `init(_:)` instead.
    public static func on(_ actor: any Actor) -> PhaseMonitor.Delivery {
        PhaseMonitor.Delivery { [weak actor] work in Task { await actor?.perform(work) } }
    }
}

extension Actor {
    fileprivate func perform(_ work: @Sendable () -> Void) { work() }
}
