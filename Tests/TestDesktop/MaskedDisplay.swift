import Glibc

/// A display as one of an X server that lacks some extensions, SHAPE and SYNC among them, which no option of Xvfb takes away.
public final class MaskedDisplay {
    public let name: String
    private let proxy: Program

    /// Passes on all that clients say, but asks for other names where they ask for one of the extensions.
    private static let script = """
        import socket, struct, sys, threading
        display, *names = sys.argv[1:]
        def query(name): return struct.pack("<HH", len(name), 0) + name
        changes = [(query(n.encode()), query(b"-" + n.encode()[1:])) for n in names]
        def passOn(source, target, changes):
            while data := source.recv(1 << 20):
                for old, new in changes: data = data.replace(old, new)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        def connected(address):
            to = socket.socket(socket.AF_UNIX)
            to.connect(address)
            return to
        def path(number): return f"/tmp/.X11-unix/X{number}"
        listener = socket.socket(socket.AF_UNIX)
        # Servers take the lowest number that is free.
        number = 4000
        while True:
            try:
                listener.bind(path(number))
                break
            except OSError: number += 1
        listener.listen()
        print(number, flush=True)
        while True:
            client, server = listener.accept()[0], connected(path(display[1:]))
            threading.Thread(target=passOn, args=(client, server, changes), daemon=True).start()
            threading.Thread(target=passOn, args=(server, client, []), daemon=True).start()
        """

    /// - Parameter lacking: The names of the extensions.
    public init(_ server: VirtualDisplay, lacking: [String]) throws {
        proxy = try Program("python3", ["-c", Self.script, server.name] + lacking, package: "python3")
        guard let number = try proxy.output.next() else {
            throw Failure("the proxy ended: \(try proxy.errors.rest())")
        }
        name = ":\(number)"
    }

    deinit {
        unlink("/tmp/.X11-unix/X\(name.dropFirst())")
    }
}
