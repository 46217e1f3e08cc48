import Glibc
import Loop

/// What /proc tells of the processes of this host.
enum Processes {
    /// The name of the file that a process executes; nil if there is no such process.
    static func executable(of pid: Int32) -> String? {
        link("/proc/\(pid)/exe").flatMap(fileName) ?? firstLine("/proc/\(pid)/comm")
    }

    /// How long a process has run, in milliseconds; nil if there is none.
    static func age(of pid: Int32) -> Int64? {
        // Behind its name, in which anything may stand, the third field of proc(5) is the first one; the start is the 22nd.
        guard let line = firstLine("/proc/\(pid)/stat"), let end = line.utf8.lastIndex(of: UInt8(ascii: ")")),
            case let fields = line[line.index(after: end)...].split(separator: " "), fields.count > 19,
            let ticks = Int64(fields[19])
        else { return nil }
        let start = ticks &* 1000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK))))
        return Clock.sinceBoot().milliseconds - start
    }

    static func hostName() -> String {
        var names = utsname()
        guard uname(&names) == 0 else { return "" }
        return withUnsafeBytes(of: names.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func fileName(_ path: String) -> String? {
        let deleted = " (deleted)"
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let real = name.hasSuffix(deleted) ? String(name.dropLast(deleted.count)) : name
        return real.isEmpty ? nil : real
    }

    private static func link(_ path: String) -> String? {
        read { readlink(path, $0, $1) }
    }

    private static func firstLine(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return read { Glibc.read(file, $0, $1) }?.split(separator: "\n").first.map(String.init)
    }

    private static func read(_ call: (UnsafeMutablePointer<CChar>, Int) -> Int) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = call(start, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }
}
