import System

/// A stream that is to be heard again.
public struct MutedStream: Hashable, Codable, Sendable {
    /// No other stream gets it, as long as the server runs.
    public var index: Int
    public var process: ProcessIdentity
    public var memory: String?

    private static let longestMemory = 512

    /// - Parameter memory: Left out where it is longer than a name.
    public init(index: Int, process: ProcessIdentity, memory: String?) {
        (self.index, self.process) = (index, process)
        self.memory = memory.flatMap { $0.utf8.count > Self.longestMemory ? nil : $0 }
    }

    /// That of the same application on another server; nil where nothing remembers that it is muted.
    public var remembered: MutedStream? {
        if memory == nil { return nil }
        var stream = self
        stream.index = -1
        return stream
    }
}
