import Glibc

/// An Xvfb server for one test. It chooses its display number itself.
public final class VirtualDisplay {
    public let name: String
    private let server: Program

    /// - Parameters:
    ///   - screens: The sizes of the screens.
    ///   - hasOpenGL: Whether clients can draw with OpenGL. Without it the server starts in half the time.
    public init(
        screens: [String] = ["640x480x24"], arguments: [String] = [], hasOpenGL: Bool = false
    ) throws {
        let sizes = screens.enumerated().flatMap { ["-screen", String($0.offset), $0.element] }
        // The server writes the number and its newline separately; the reader waits for the newline. Without -s 0 it
        // blanks the display after ten minutes, which tests on a busy machine may exceed.
        let extensions = [hasOpenGL ? "+extension" : "-extension", "GLX"]
        server = try Program(
            "Xvfb",
            ["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-s", "0"] + extensions + sizes + arguments,
            package: "xvfb")
        guard let number = try server.output.next() else {
            throw Failure("Xvfb ended: \(try server.errors.rest())")
        }
        name = ":\(number)"
    }

    /// Kills the server, as in a crash.
    public func crash() throws {
        try server.end(SIGKILL)
    }

    /// Sends the server a signal, to stop or continue it.
    public func send(_ signal: Int32) {
        server.send(signal)
    }

    public var environment: [String: String?] {
        [
            "DISPLAY": name, "WAYLAND_DISPLAY": nil, "XDG_SESSION_TYPE": nil, "NO_COLOR": nil,
            "TZ": "UTC",
        ]
    }
}
