import Glibc

/// Reports that something a test needs failed or did not happen in time.
public struct Failure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    /// Reports that a deadline has passed, and what to do about it on a slow machine.
    static func late(_ what: String, _ deadline: Duration) -> Failure {
        Failure(
            "\(what) within \(deadline); on a slow machine, set XPHASE_PATIENCE=3 to wait three times as long"
        )
    }
}

extension Duration {
    /// How long a test waits before it fails: 20 s, multiplied by XPHASE_PATIENCE, since sanitizers slow xphase down.
    public static let patience =
        Duration.seconds(20) * (getenv("XPHASE_PATIENCE").flatMap { Int(String(cString: $0)) } ?? 1)
}

/// Polls a condition until it is true or the deadline has passed, and returns whether it became true. A test expects
/// the end of a shorter deadline; that of `patience` is reported on stderr.
public func waitUntil(within deadline: Duration = .patience, _ condition: () throws -> Bool) rethrows
    -> Bool
{
    let clock = ContinuousClock()
    let end = clock.now + deadline
    while true {
        if try condition() { return true }
        if clock.now > end {
            if deadline >= .patience {
                let text = "\(Failure.late("something did not happen", deadline))\n"
                write(2, text, text.utf8.count)
            }
            return false
        }
        poll(nil, 0, 5)
    }
}
