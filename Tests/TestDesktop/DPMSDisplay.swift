import CXext
import CXlib
import Glibc

/// A display behind a proxy that adds DPMS, so that a test can switch the monitor off.
public final class DPMSDisplay {
    public let name: String
    private let client: TestClient
    private let proxy: Program

    /// Forwards all requests except those of DPMS. DPMSForceLevel becomes NoOperation. DPMSInfo becomes GetInputFocus,
    /// whose reply the proxy turns into a DPMSInfo reply. All requests are shorter than 2^16 units.
    private static let script = """
        import struct, sys, threading
        display, level, opcode = sys.argv[1], 0, 250
        def whole(source, size):
            data = b""
            while len(data) < size:
                more = source.recv(size - len(data))
                if not more: sys.exit()
                data += more
            return data
        class Client:
            def __init__(self, client, server):
                self.client, self.server, self.count, self.changed = client, server, 0, {}
                threading.Thread(target=self.ask, daemon=True).start()
                threading.Thread(target=self.answer, daemon=True).start()
            def ask(self):
                global level
                start = whole(self.client, 12)
                names = sum((length + 3) // 4 * 4 for length in struct.unpack("<HH", start[6:10]))
                self.server.sendall(start + whole(self.client, names))
                while True:
                    head = whole(self.client, 4)
                    data = head + whole(self.client, 4 * struct.unpack("<H", head[2:])[0] - 4)
                    self.count += 1
                    if data[0] == 98 and data[8:12] == b"DPMS": self.changed[self.count & 0xFFFF] = self.query
                    elif data[:2] == bytes([opcode, 6]):
                        level, = struct.unpack("<H", data[4:6])
                        data = b"\\x7f" + data[1:]
                    elif data[0] == opcode:
                        self.changed[self.count & 0xFFFF] = self.info
                        data = struct.pack("<BxH", 43, 1)
                    self.server.sendall(data)
            def query(self, reply): return reply[:8] + bytes([1, opcode, 0, 0]) + reply[12:]
            def info(self, reply):
                return reply[:8] + struct.pack("<HB", level, 1) + reply[11:]
            def answer(self):
                start = whole(self.server, 8)
                self.client.sendall(start + whole(self.server, 4 * struct.unpack("<H", start[6:])[0]))
                while True:
                    data = whole(self.server, 32)
                    if data[0] in (1, 35): data += whole(self.server, 4 * struct.unpack("<I", data[4:8])[0])
                    if data[0] == 1: data = self.changed.pop(struct.unpack("<H", data[2:4])[0], bytes)(data)
                    self.client.sendall(data)
        listener = listen(5000)
        while True: Client(listener.accept()[0], connected(path(display[1:])))
        """

    public init(_ server: VirtualDisplay) throws {
        proxy = try Program(
            "python3", ["-c", ProxyDisplay.sockets + Self.script, server.name], package: "python3")
        guard let number = try proxy.output.next() else {
            throw Failure("the proxy ended: \(try proxy.errors.rest())")
        }
        name = ":\(number)"
        client = try TestClient(name)
    }

    deinit {
        unlink("/tmp/.X11-unix/X\(name.dropFirst())")
    }

    /// Sets the DPMS level of the monitor: DPMSModeOn or DPMSModeOff.
    public func setLevel(_ level: Int32) {
        DPMSForceLevel(client.display, UInt16(level))
        client.sync()
    }
}
