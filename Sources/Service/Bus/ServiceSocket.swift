import System

/// The listening socket of a service.
struct ServiceSocket {
    let listener: Descriptor
    let path: SystemString
    /// The file that was made.
    private let file: FileIdentity?

    /// Makes the socket; a stale one is replaced.
    init(_ name: SystemString, in directory: OwnDirectory) throws(SystemError) {
        path = directory.path(of: name)
        try directory.remove(name)
        do throws(SystemError) {
            listener = try .listening(at: directory.shortPath(of: name))
        } catch {
            throw .failed(path: path, error)
        }
        file = FileIdentity(path)
    }

    /// Whether clients that connect to the path reach this socket.
    var isInPlace: Bool { FileIdentity(path) == file }
}
