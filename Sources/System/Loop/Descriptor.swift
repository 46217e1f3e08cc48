import Glibc

/// An open file descriptor, closed on deinitialization.
public final class Descriptor: Sendable {
    public let number: Int32

    /// - Parameters:
    ///   - call: The name of the call that opened it.
    ///   - number: The value that the call returned.
    public init(_ call: String, _ number: Int32) throws(SystemError) {
        guard number >= 0 else { throw SystemError(call, errno) }
        self.number = number
    }

    deinit {
        close(number)
    }
}
