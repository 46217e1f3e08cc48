import Glibc
import TestDesktop

/// Python clients of the service, which use its socket directly, or with `PyPI.python` libraries of PyPI.
extension HookSession {
    static let prelude = """
        import json, resource, socket, sys, time
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
        address = sys.argv[1]
        class Client:
            def __init__(self):
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(address)
                self.socket.settimeout(20)
                self.rest = b""
            def send(self, method, more=False, oneway=False, **parameters):
                call = {"method": method, "parameters": parameters, "more": more, "oneway": oneway}
                self.socket.sendall(json.dumps(call).encode() + b"\\0")
                return self
            def reply(self):
                while b"\\0" not in self.rest:
                    data = self.socket.recv(1 << 16)
                    if not data: return None
                    self.rest += data
                message, self.rest = self.rest.split(b"\\0", 1)
                return json.loads(message)
            def write(self, data):
                try: self.socket.sendall(data)
                except OSError: pass
                return self
            def call(self, method, **parameters):
                return self.send(method, **parameters).reply()
        def say(*words):
            print(*words, flush=True)

        """

    /// Starts a client.
    ///
    /// - Parameter script: The script to run. `Client` has `send`, `reply` and `call`; `say` prints a line.
    func client(
        _ script: String, python: String = "python3", package: String = "python3"
    ) throws -> Program {
        try Program(python, ["-c", Self.prelude + script, address], package: package)
    }

    /// Runs a client until it exits, and returns its lines.
    func runClient(
        _ script: String, python: String = "python3", package: String = "python3"
    ) throws -> [String] {
        let program = try client(script, python: python, package: package)
        let (output, errors) = (try program.output.rest(), try program.errors.rest())
        if try program.exitCode() != 0 { throw Failure(errors.joined(separator: "\n")) }
        return output
    }

    /// The path of the socket.
    var address: String { "\(home.path)/runtime/xphase/\(session.display.name)" }
}
