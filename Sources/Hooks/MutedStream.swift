import System

/// A muted audio stream that is to be unmuted later.
public struct MutedStream: Hashable, Codable, Sendable {
    /// The audio server does not reuse an index while it runs.
    public var index: Int
    public var process: ProcessIdentity
    public var memory: String?

    private static let longestMemory = 512

    /// - Parameter memory: Discarded if it is too long for a name.
    public init(index: Int, process: ProcessIdentity, memory: String?) {
        (self.index, self.process) = (index, process)
        self.memory = memory.flatMap { $0.utf8.count > Self.longestMemory ? nil : $0 }
    }

    /// The stream of the same application on another server; nil if no server remembers that it is muted.
    public var remembered: MutedStream? {
        if memory == nil { return nil }
        var stream = self
        stream.index = -1
        return stream
    }
}
