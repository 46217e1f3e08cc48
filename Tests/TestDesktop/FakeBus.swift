import Glibc

/// A D-Bus server at a socket: a bus with some services, or a single program. A function in Python gives its answers.
public final class FakeBus {
    private static let server = """
        import json, os, socket, sys, threading, time
        from jeepney.low_level import Endianness, Header, HeaderFields, Message, MessageType, Parser

        UNSET = 2 ** 64 - 1

        class Refusal(Exception): pass

        def reply(call):
            fields = call.header.fields
            member = fields[HeaderFields.member]
            kind, name, signature, body = MessageType.method_return, None, "s", (":1.1",)
            if member != "Hello":
                try:
                    signature, body = answer(member, call.body, fields.get(HeaderFields.path))
                except Refusal as refusal:
                    kind, (name, text) = MessageType.error, refusal.args
                    signature, body = "s", (text,)
            answers = {HeaderFields.reply_serial: call.header.serial}
            if name: answers[HeaderFields.error_name] = name
            if signature: answers[HeaderFields.signature] = signature
            return Message(Header(Endianness.little, kind, 1, 1, -1, -1, answers), body).serialise(serial=1)

        def serve(client):
            data = b""
            while b"BEGIN\\r\\n" not in data:
                read = client.recv(4096)
                if not read: return
                if b"AUTH" in read: client.sendall(b"OK 0123\\r\\n")
                data += read
            # As systemd does: what is read together with BEGIN is not handled.
            parser = Parser()
            while data := client.recv(65536):
                for call in parser.feed(data): client.sendall(reply(call))

        server = socket.socket(socket.AF_UNIX)
        server.bind(sys.argv[1])
        server.listen()
        print("listens", flush=True)
        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
        """

    private let program: Program
    /// The address of the server.
    public let address: String

    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - answer: The definition of a function `answer(member, arguments, path)`, which returns the signature and the
    ///     values of an answer, or raises `Refusal(name, text)`.
    public init(_ path: String, _ answer: String) throws {
        address = "unix:path=\(path)"
        program = try Program("/usr/bin/python3", ["-c", answer + "\n" + Self.server, path])
        guard try program.output.next() == "listens" else {
            throw Failure("install python3-jeepney: \(try program.errors.rest())")
        }
    }

    /// The end of each such function.
    public static let refusal = "raise Refusal('org.freedesktop.DBus.Error.UnknownMethod', member)"
}
