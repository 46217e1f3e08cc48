import CXext
import CXlib

/// A SYNC alarm as the server reports it, whichever client created it.
public struct Alarm: Equatable {
    public let counter: XSyncCounter
    public let limit: Int64
    public let rises: Bool
    public let reportsEvents: Bool

    public init(counter: XSyncCounter, limit: Int64, rises: Bool, reportsEvents: Bool = true) {
        (self.counter, self.limit, self.rises, self.reportsEvents) = (counter, limit, rises, reportsEvents)
    }
}

extension TestClient {
    /// Returns the id of a system counter, such as IDLETIME.
    public func counter(_ name: String) -> XSyncCounter? {
        var (event, error, major, minor, count): (Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0)
        guard XSyncQueryExtension(display, &event, &error) != 0,
            XSyncInitialize(display, &major, &minor) != 0,
            let list = XSyncListSystemCounters(display, &count)
        else { return nil }
        defer { XSyncFreeSystemCounterList(list) }
        return UnsafeBufferPointer(start: list, count: Int(count))
            .first { $0.name.map { String(cString: $0) } == name }?.counter
    }

    /// Returns the alarm with an id; nil if it does not exist.
    public func alarm(_ id: UInt32) -> Alarm? {
        var found = XSyncAlarmAttributes()
        guard XSyncQueryAlarm(display, XSyncAlarm(id), &found) != 0 else { return nil }
        let (trigger, value) = (found.trigger, found.trigger.wait_value)
        return Alarm(
            counter: trigger.counter, limit: Int64(value.hi) << 32 | Int64(value.lo),
            rises: trigger.test_type == XSyncPositiveTransition, reportsEvents: found.events != 0)
    }
}
