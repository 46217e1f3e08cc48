import Glibc

/// A display behind a proxy that hides or renames extensions, or limits the data rate. No option of Xvfb removes SHAPE
/// or SYNC.
public final class ProxyDisplay {
    public let name: String
    private let proxy: Program

    /// The common part of the proxy scripts: the sockets of the display that a proxy serves and of the server behind
    /// it.
    static let sockets = """
        import socket
        def connected(address):
            to = socket.socket(socket.AF_UNIX)
            to.connect(address)
            return to
        def path(number): return f"/tmp/.X11-unix/X{number}"
        def listen(number):
            listener = socket.socket(socket.AF_UNIX)
            # Servers take the lowest number that is free.
            while True:
                try:
                    listener.bind(path(number))
                    break
                except OSError: number += 1
            listener.listen()
            print(number, flush=True)
            return listener

        """

    /// Forwards all requests, with the names of some extensions replaced.
    private static let script = """
        import signal, struct, sys, threading, time
        display, slowly, held, *pairs = sys.argv[1:]
        released = threading.Event()
        signal.signal(signal.SIGUSR1, lambda *_: released.set())
        def query(name): return struct.pack("<HH", len(name), 0) + name.encode()
        changes = [tuple(map(query, pair.split("="))) for pair in pairs]
        def passOn(source, target, changes, rate):
            while data := source.recv(rate // 8 or 1 << 20):
                for old, new in changes: data = data.replace(old, new)
                target.sendall(data)
                if rate: time.sleep(len(data) / rate)
            target.shutdown(socket.SHUT_WR)
        # Only whole messages: XCB waits for the rest of one that has begun.
        def passUntilHeld(source, target, text):
            data, isSetup = b"", True
            while more := source.recv(1 << 20):
                data += more
                while len(data) >= 32:
                    words = struct.unpack_from("<HHHH", data)
                    size = 8 + 4 * words[3] if isSetup else 32
                    if not isSetup and data[0] in (1, 35, 163): size += 4 * (words[2] + (words[3] << 16))
                    if len(data) < size: break
                    if text in data[:size] and not released.is_set():
                        print("held", flush=True)
                        released.wait()
                    target.sendall(data[:size])
                    data, isSetup = data[size:], False
        listener = listen(4000)
        while True:
            client, server = listener.accept()[0], connected(path(display[1:]))
            print("connection", flush=True)
            threading.Thread(target=passOn, args=(client, server, changes, 0), daemon=True).start()
            back = (passUntilHeld, (server, client, held.encode())) if held else (passOn, (server, client, [], int(slowly)))
            threading.Thread(target=back[0], args=back[1], daemon=True).start()
        """

    /// - Parameters:
    ///   - lacking: The names of extensions to hide.
    ///   - replacing: Names of extensions, each with the name of the same length that the proxy sends to the server.
    ///   - rate: The limit for data from the server, in bytes per second; 0 for no limit.
    ///   - held: Data with this text is held back until `release`.
    public init(
        _ server: VirtualDisplay, lacking: [String] = [], replacing: [String: String] = [:], rate: Int = 0,
        holding held: String = ""
    ) throws {
        let pairs = replacing.map { "\($0)=\($1)" } + lacking.map { "\($0)=-\($0.dropFirst())" }
        let arguments = ["-c", Self.sockets + Self.script, server.name, "\(rate)", held] + pairs
        proxy = try Program("python3", arguments, package: "python3")
        guard let number = try proxy.output.next() else {
            throw Failure("the proxy ended: \(try proxy.errors.rest())")
        }
        name = ":\(number)"
    }

    deinit {
        unlink("/tmp/.X11-unix/X\(name.dropFirst())")
    }

    /// Waits until the text to hold back has arrived.
    public func waitUntilItHolds() throws {
        while let line = try proxy.output.next() { if line == "held" { return } }
        throw Failure("the proxy ended: \(try proxy.errors.rest())")
    }

    /// Passes on what was held back, and what follows.
    public func release() { proxy.send(SIGUSR1) }

    /// Ends the proxy, and returns the number of connections that it served.
    public func end() throws -> Int {
        try proxy.end()
        return try proxy.output.rest().count
    }

    public var environment: [String: String?] {
        ["DISPLAY": name, "WAYLAND_DISPLAY": nil, "XDG_SESSION_TYPE": nil]
    }
}
