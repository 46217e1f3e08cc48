import X11

/// Detects messages, keys and buttons for applications that cannot respond because they are stopped.
package struct ClientListener {
    /// The windows of the applications, by X resource ID.
    package let windows: Set<UInt32>
    fileprivate let events: DeliveredEvents

    /// The socket, for poll(2) with POLLIN.
    package var fileDescriptor: Int32 { events.fileDescriptor }

    /// Returns the windows whose clients received a message to one of their windows, or a key or button that they have
    /// grabbed, since the last call. Does not wait.
    ///
    /// - Throws: `Failure.displayLost`.
    package func takeAddressed() throws(PhaseMonitor.Failure) -> Set<UInt32> {
        try events.takeAddressed()
    }
}

extension PhaseWatcher {
    /// Opens another connection to the display, which reports events sent to clients.
    ///
    /// - Parameter windows: At least one window of each client.
    /// - Returns: nil if the server lacks RECORD.
    /// - Throws: `PhaseMonitor.Failure`. XOpenDisplay has no time limit.
    package func listener(to windows: Set<UInt32>) throws(PhaseMonitor.Failure) -> ClientListener? {
        guard let record = observer.extensions.record else { return nil }
        let events = try DeliveredEvents(to: windows, on: displayName, record: record)
        return ClientListener(windows: windows, events: events)
    }
}
