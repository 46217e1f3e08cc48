import Glibc

/// An open file descriptor, closed with its owner.
package final class Descriptor: Sendable {
    package let number: Int32

    /// - Parameters:
    ///   - call: The name of the call that opened it.
    ///   - number: What that call returned.
    package init(_ call: String, _ number: Int32) throws(SystemError) {
        guard number >= 0 else { throw SystemError(call, errno) }
        self.number = number
    }

    deinit {
        close(number)
    }
}

/// A call to the system that failed.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    package let call: String
    /// The value of errno.
    package let code: Int32

    package init(_ call: String, _ code: Int32) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
