/// A display that is far away: over TCP, with a delay both ways.
public final class FarDisplay {
    private static let script = """
        import queue, socket, sys, threading, time
        target, delay = sys.argv[1], float(sys.argv[2])
        def passOn(source, sink):
            late = queue.SimpleQueue()
            def write():
                while True:
                    due, data = late.get()
                    time.sleep(max(0, due - time.monotonic()))
                    try:
                        if not data: return sink.shutdown(socket.SHUT_WR)
                        sink.sendall(data)
                    except OSError: return
            threading.Thread(target=write, daemon=True).start()
            data = True
            while data:
                try: data = source.recv(1 << 16)
                except OSError: data = b""
                late.put((time.monotonic() + delay, data))
        number = 4000
        while True:
            listener = socket.socket()
            try:
                listener.bind(("127.0.0.1", 6000 + number))
                break
            except OSError: number += 1
        listener.listen()
        print(number, flush=True)
        while True:
            client = listener.accept()[0]
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server = connected(path(target[1:]))
            for pair in ((client, server), (server, client)):
                threading.Thread(target=passOn, args=pair, daemon=True).start()
        """

    public let name: String
    private let proxy: Program

    /// - Parameter delay: The seconds that each byte takes, each way.
    public init(_ server: VirtualDisplay, delay: Double) throws {
        let script = ProxyDisplay.sockets + Self.script
        proxy = try Program("python3", ["-c", script, server.name, "\(delay)"], package: "python3")
        guard let number = try proxy.output.next() else {
            throw Failure("the proxy ended: \(try proxy.errors.rest())")
        }
        name = "localhost:\(number)"
    }
}
