import System

/// Descriptors that are kept for thaws: those that are left at a freeze may be in use when it must be undone.
public final class ReservedDescriptors {
    /// A thaw opens a pidfd, and a file that describes its process. Meanwhile, a thread may take one for a disk.
    private static let count = 3

    private var held: [Descriptor] = []

    public init() { try? takeMissing() }

    /// Takes those that are missing. Throws if they cannot be had.
    func takeMissing() throws(SystemError) {
        while held.count < Self.count { held.append(try .spare()) }
    }

    /// Performs a thaw with them, and takes them again as far as possible.
    func lend<Result>(_ thaw: () -> Result) -> Result {
        held = []
        defer { try? takeMissing() }
        return thaw()
    }
}
