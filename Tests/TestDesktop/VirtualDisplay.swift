import Glibc

/// An X server of the test's own, which chooses its display itself.
public final class VirtualDisplay {
    public let name: String
    private let server: Program

    /// - Parameters:
    ///   - screens: The sizes of its screens.
    ///   - hasOpenGL: Whether clients can draw with OpenGL. Without it the server starts in half the time.
    public init(
        screens: [String] = ["640x480x24"], arguments: [String] = [], hasOpenGL: Bool = false
    ) throws {
        let sizes = screens.enumerated().flatMap { ["-screen", String($0.offset), $0.element] }
        // The number and its newline come in two writes; the reader waits for the newline. Without -s 0 the display is
        // blanked after ten minutes, which a machine with much to do may let pass.
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

    /// Ends the server as a crash would.
    public func crash() throws {
        try server.end(SIGKILL)
    }

    /// Stops and continues the server.
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
