import Glibc

/// An open file descriptor, closed with its owner.
public final class Descriptor: Sendable {
    public let number: Int32

    /// - Parameters:
    ///   - call: The name of the call that opened it.
    ///   - number: What that call returned.
    public init(_ call: String, _ number: Int32) throws(SystemError) {
        guard number >= 0 else { throw SystemError(call, errno) }
        self.number = number
    }

    deinit {
        close(number)
    }
}

/// A call to the system that failed.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    public let call: String
    /// The value of errno.
    public let code: Int32

    public init(_ call: String, _ code: Int32) {
        self.call = call
        self.code = code
    }

    public var description: String { "\(call): \(String(cString: strerror(code)))" }
}
