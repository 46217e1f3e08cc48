import CLinux
import Glibc
import System

/// The answer of an X server that refuses a client. XCB passes on only that it does.
enum ServerRefusal {
    /// The first request of the X protocol, version 11, without a cookie.
    private static let request: [UInt8] = [UInt8(ascii: "l"), 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    private static let patience = 1

    /// Returns whether the server of a local display has as many clients as it accepts.
    static func isFull(_ display: String) -> Bool {
        let parts = display.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, ["", "unix"].contains(parts[0]),
            let number = parts[1].split(separator: ".").first.flatMap({ Int($0) })
        else { return false }
        let path = "/tmp/.X11-unix/X\(number)"
        let reason = reason(at: SystemString(path)) ?? reason(at: SystemString("@\(path)")) ?? ""
        return reason.hasPrefix("Maximum number of clients")
    }

    /// Returns the reason why a server refuses a client without a cookie; nil if it gives none within a second.
    private static func reason(at address: SystemString) -> String? {
        guard let server = try? Descriptor.localSocket(SOCK_STREAM) else { return nil }
        server.limitSending(seconds: patience)
        guard withSocketAddress(address, { connect(server.number, $0, $1) }) == 0,
            send(server.number, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
        else { return nil }
        var state = pollfd(fd: server.number, events: Int16(POLLIN), revents: 0)
        if poll(&state, 1, Int32(patience * 1000)) <= 0 { return nil }
        var answer = [UInt8](repeating: 0, count: 8 + 255)
        let count = recv(server.number, &answer, answer.count, 0)
        // The first byte is 0 for a refusal, the second the length of the reason, which begins at the ninth.
        guard count > 8, answer[0] == 0 else { return nil }
        return String(decoding: answer[8..<count].prefix(Int(answer[1])), as: UTF8.self)
    }
}
