#if canImport(X11)
import FoundationEssentials
import Glibc
import System
#endif

extension PhaseMonitor {
    /// Does work during which `xphase run` does not freeze this process, such as saving once it is in the background.
    ///
    /// Other processes of the application are not frozen either. If no `xphase run` serves the display, this just calls
    /// `body`.
    ///
    /// ```swift
    /// monitor.hold("saving") { save() }
    /// ```
    ///
    /// - Parameters:
    ///   - work: The name of the work, for messages to the user.
    ///   - limit: The time after which the process may be frozen, at most 10 minutes.
    ///   - body: The work.
    public func hold<Result, Fault: Error>(
        _ work: String, for limit: Duration = .seconds(30), _ body: () throws(Fault) -> Result
    ) throws(Fault) -> Result {
        let held = held(work, limit)
        defer { withExtendedLifetime(held) {} }
        return try body()
    }

    /// Does asynchronous work during which `xphase run` does not freeze this process.
    ///
    /// See `hold(_:for:_:)` with a synchronous body.
    ///
    /// - Parameters:
    ///   - work: The name of the work, for messages to the user.
    ///   - limit: The time after which the process may be frozen, at most 10 minutes.
    ///   - body: The work.
    public nonisolated(nonsending) func hold<Result, Fault: Error>(
        _ work: String, for limit: Duration = .seconds(30),
        _ body: nonisolated(nonsending) () async throws(Fault) -> Result
    ) async throws(Fault) -> Result {
        let held = held(work, limit)
        defer { withExtendedLifetime(held) {} }
        return try await body()
    }

    #if canImport(X11)
    /// Asks the service of the display not to freeze this process while the result exists; nil if there is no service.
    private func held(_ work: String, _ limit: Duration) -> Descriptor? {
        guard let display, let name = try? JSONEncoder().encode(work),
            let directory = try? OwnDirectory.runtime(.own, makes: false),
            let service = try? directory.connect("\(DisplayFileName(display))", patience: 1)
        else { return nil }
        let parameters =
            #"{"name":\#(String(decoding: name, as: UTF8.self)),"milliseconds":\#(limit.milliseconds)}"#
        let call = #"{"method":"org.xphase.Hooks.Work","more":true,"parameters":\#(parameters)}"# + "\0"
        // No reply is awaited: if the process is frozen before the call is read, the service thaws it then.
        let count = send(service.number, call, call.utf8.count, Int32(MSG_NOSIGNAL))
        return count == call.utf8.count ? service : nil
    }
    #else
    private func held(_ work: String, _ limit: Duration) -> (any Sendable)? { nil }
    #endif
}
