import Observation
import PhaseWatch

/// The phase of a subject, for views that observe what they show. It lives on the main thread, where calls must come.
@MainActor @Observable
final class PhaseModel {
    private(set) var phase: ScenePhase?
    @ObservationIgnored private var observation: PhaseMonitor.Observation?

    /// - Parameter monitor: One that delivers to the main thread.
    init(of subject: PhaseMonitor.Subject, _ monitor: PhaseMonitor) {
        observation = monitor.onChange(of: subject, initial: true) { [weak self] _, phase in
            MainActor.assumeIsolated { self?.phase = phase }
        }
    }
}
