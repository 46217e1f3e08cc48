import X11

/// Notices that other clients, keys or buttons address applications which cannot answer, since they are stopped.
public struct ClientListener {
    /// Their windows, by their X resource ids.
    public let windows: Set<UInt32>
    fileprivate let events: DeliveredEvents

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

extension PhaseWatcher {
    /// Opens a further connection to the display, on which it is noticed what is sent to clients.
    ///
    /// - Parameter windows: At least one window of each client.
    /// - Returns: nil where the server has no RECORD.
    /// - Throws: `PhaseMonitor.Failure`. XOpenDisplay has no time limit.
    public func listener(to windows: Set<UInt32>) throws(PhaseMonitor.Failure) -> ClientListener? {
        guard let record = observer.extensions.record else { return nil }
        let events = try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
            try DeliveredEvents(to: windows, on: displayName, record: record)
        }
        return ClientListener(windows: windows, events: events)
    }
}
