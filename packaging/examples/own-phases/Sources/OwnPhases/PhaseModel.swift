import Observation
import PhaseWatch

/// The phase of a subject, for views that observe it. It belongs to the main thread, where changes must be delivered.
@MainActor @Observable
final class PhaseModel {
    private(set) var phase: ScenePhase?
    @ObservationIgnored private var observation: PhaseMonitor.Observation?

    /// - Parameter monitor: A monitor that delivers to the main thread.
    init(of subject: PhaseMonitor.Subject, _ monitor: PhaseMonitor) {
        observation = monitor.onChange(of: subject, initial: true) { [weak self] _, phase in
            MainActor.assumeIsolated { self?.phase = phase }
        }
    }
}
