import Glibc

/// Something that a test needs did not come about.
public struct Failure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// Looks again and again whether something has come true, until the deadline.
public func waitUntil(within deadline: Duration = .seconds(20), _ condition: () throws -> Bool) rethrows
    -> Bool
{
    let clock = ContinuousClock()
    let end = clock.now + deadline
    while true {
        if try condition() { return true }
        if clock.now > end { return false }
        poll(nil, 0, 5)
    }
}
