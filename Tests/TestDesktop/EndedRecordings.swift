extension VirtualDisplay {
    /// The requests of RECORD by which a client ends the recording of another one.
    public enum RecordRequest: Int, CaseIterable, Sendable {
        case disableContext = 6
        case freeContext
    }

    /// Ends all recordings of other clients: their contexts are among the first resources that they create.
    public func endRecordings(by request: RecordRequest) throws {
        let script = """
            import socket, struct, sys
            server = socket.socket(socket.AF_UNIX)
            server.connect("/tmp/.X11-unix/X" + sys.argv[1])
            def read(count):
                data = b""
                while len(data) < count: data += server.recv(count - len(data))
                return data
            def answer():
                while True:
                    data = read(32)
                    if data[0] == 1: return data + read(4 * struct.unpack_from("<I", data, 4)[0])
            def extension(name):
                padded = name + b"\\0" * (-len(name) % 4)
                server.sendall(struct.pack("<BxHHxx", 98, 2 + len(padded) // 4, len(name)) + padded)
                return answer()[9]
            server.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
            read(4 * struct.unpack_from("<H", read(8), 6)[0])
            record, resource = extension(b"RECORD"), extension(b"X-Resource")
            server.sendall(struct.pack("<BBH", resource, 1, 1))  # QueryClients
            clients = answer()
            for place in range(32, 32 + 8 * struct.unpack_from("<I", clients, 8)[0], 8):
                base = struct.unpack_from("<I", clients, place)[0]
                for id in range(base, base + 16):
                    server.sendall(struct.pack("<BBHI", record, int(sys.argv[2]), 2, id))
            server.sendall(struct.pack("<BxH", 43, 1))  # GetInputFocus
            answer()
            """
        let ended = try Program.run(
            "python3", ["-c", script, String(name.dropFirst()), "\(request.rawValue)"], package: "python3")
        if ended.code != 0 { throw Failure("\(ended.errors)") }
    }
}
