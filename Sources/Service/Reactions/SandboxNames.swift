import Glibc
import System

/// The names of the application that a process belongs to, according to its systemd unit and to its sandbox.
struct SandboxNames: Hashable, Sendable {
    /// The maximum size of `.flatpak-info`, in bytes.
    private static let limit = 65_536

    /// The application IDs; several, because the name of a unit may begin with the name of a launcher.
    private(set) var applications: Set<String> = []
    /// The number of the sandbox, which two runs of an application do not share.
    private(set) var instance: String?

    /// Reads the names of a process; nil if they cannot be read. May wait for the file system of the sandbox.
    init?(of process: ProcessIdentity) {
        if let unit = ProcessFacts(pid: process.pid)?.unit { self.init(unit: unit) } else { self.init() }
        guard let info = Self.flatpakInfo(of: process) else {
            if applications.isEmpty { return nil }
            return
        }
        let sandbox = Self(flatpakInfo: info)
        applications.formUnion(sandbox.applications)
        instance = sandbox.instance ?? instance
    }

    /// Returns the contents of `.flatpak-info`; an empty text outside of Flatpak, nil if it cannot be read.
    private static func flatpakInfo(of process: ProcessIdentity) -> String? {
        let path: SystemString = "/proc/\(process.pid)/root/.flatpak-info"
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor("open", open(path.cString, flags))
        } catch {
            return error.code == ENOENT ? "" : nil
        }
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let bytes = try? file.readAll(path, limit: limit), process.isAlive
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private init() {}

    /// - Parameter unit: `app-flatpak-ID-INSTANCE.scope`, `app-LAUNCHER-ID-NUMBER.scope`, `app-ID@NUMBER.service` or
    ///   `snap.NAME.APP-NUMBER.scope`. An ID in it is escaped, or contains no hyphen.
    init(unit: String) {
        guard let end = unit.lastIndex(of: ".") else { return }
        let name = unit[..<end]
        if name.hasPrefix("snap.") {
            let parts = name.split(separator: ".")
            guard parts.count > 2 else { return }
            // A UUID follows the name of the program in a scope.
            let isScope = unit.hasSuffix(".scope") && parts[2].utf8.count > 37
            let program = isScope ? parts[2].dropLast(37) : parts[2]
            applications = [String(parts[1]), "\(parts[1])_\(program)"]
        } else if name.hasPrefix("app-") {
            let body = name.dropFirst("app-".count)
            let mark = body.lastIndex(of: "@") ?? (unit.hasSuffix(".scope") ? body.lastIndex(of: "-") : nil)
            let whole = mark.map { body[..<$0] } ?? body
            let ids = [whole] + (whole.firstIndex(of: "-").map { [whole[$0...].dropFirst()] } ?? [])
            applications = Set(ids.map(Self.withoutEscapes))
            if body.hasPrefix("flatpak-") { instance = mark.map { String(body[$0...].dropFirst()) } }
        }
    }

    /// - Parameter flatpakInfo: The contents of `.flatpak-info`, see flatpak-metadata(5).
    init(flatpakInfo: String) {
        var group: Substring = ""
        for line in flatpakInfo.split(separator: "\n") {
            if line.hasPrefix("[") { group = line }
            let (key, value) = (line.prefix { $0 != "=" }, line.drop { $0 != "=" }.dropFirst())
            switch (group, key) {
            case ("[Application]", "name"): applications = [String(value)]
            case ("[Instance]", "instance-id"): instance = String(value)
            default: break
            }
        }
    }

    /// Reverts systemd-escape(1), which writes `-` as `\x2d`.
    private static func withoutEscapes(_ text: Substring) -> String {
        let parts = text.split(separator: "\\x", omittingEmptySubsequences: false)
        let rest = parts.dropFirst().map { part -> [UInt8] in
            guard let byte = UInt8(part.prefix(2), radix: 16) else { return Array("\\x\(part)".utf8) }
            return [byte] + part.dropFirst(2).utf8
        }
        return String(decoding: Array((parts.first ?? "").utf8) + rest.joined(), as: UTF8.self)
    }
}
