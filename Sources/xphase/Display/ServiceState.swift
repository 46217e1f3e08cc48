import Hooks
import PhaseWatch
import Service

/// Whether the service of a display could start, for commands that start it or say how.
extension CommandIO {
    /// Checks what `xphase run` would only report in its log.
    ///
    /// - Throws: `ConfigurationError`, `ServiceError.held`, `MonitorFailure`.
    func checkStart(of service: SessionService) throws {
        _ = try LoadedHooks(locations)
        try service.checkIsFree()
        _ = try OpenDisplay.inspector(PhaseMonitor.Options(display: service.display), nil)
    }

    /// Returns the commands that start the service, or what to mend first; nil if it runs.
    func advice(on service: SessionService) -> String? {
        if service.isRunning { return nil }
        do {
            try checkStart(of: service)
            return "to start it: \(service.starting)"
        } catch is ConfigurationError {
            return "to start it, first correct the faults that 'xphase hooks check' reports"
        } catch {
            return (error as? any ExitCoded)?.messages.first ?? "\(error)"
        }
    }

    /// Describes the state of the service.
    func state(of service: SessionService) -> String {
        "the service \(service.state)" + (advice(on: service).map { "; \($0)" } ?? "")
    }
}
