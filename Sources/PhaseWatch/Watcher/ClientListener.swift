import X11

/// Notices that other clients, keys or buttons address applications which cannot answer, since they are stopped.
public struct ClientListener {
    /// Their windows, by their X resource ids.
    public let windows: Set<UInt32>
    private let events: DeliveredEvents

    /// Opens a further connection to a display.
    ///
    /// - Parameters:
    ///   - windows: At least one window of each client.
    ///   - display: The name of the display.
    /// - Returns: nil where the server has no RECORD.
    /// - Throws: `PhaseMonitor.Failure`. XOpenDisplay has no time limit.
    public init?(to windows: Set<UInt32>, on display: String) throws(PhaseMonitor.Failure) {
        let events = try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
            try DeliveredEvents(to: windows, on: display)
        }
        guard let events else { return nil }
        (self.windows, self.events) = (windows, events)
    }

    /// The socket, for poll(2) with POLLIN.
    public var fileDescriptor: Int32 { events.fileDescriptor }

    /// The windows whose clients got a message for one of their windows since the last call, or a key or button that they
    /// have grabbed. Does not wait.
    ///
    /// - Throws: `Failure.displayLost`.
    public func takeAddressed() throws(PhaseMonitor.Failure) -> Set<UInt32> {
        try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in try events.takeAddressed() }
    }
}
