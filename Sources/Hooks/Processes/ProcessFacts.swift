import Console
import Glibc
import Loop

/// Facts from /proc that decide whether a hook may see a process.
public struct ProcessFacts: Hashable, Sendable {
    public var identity: ProcessIdentity
    /// The real user id.
    public var user: UInt32
    /// The systemd unit that it runs in and that it does not share with the whole session.
    public var unit: String?

    init(identity: ProcessIdentity, user: UInt32, unit: String? = nil) {
        self.identity = identity
        self.user = user
        self.unit = unit
    }

    /// nil if there is no such process, or if it cannot be seen.
    public init?(pid: Int32) {
        // The owner of /proc/PID will not do: it is root for each program that refuses core dumps.
        guard let folder = ProcessFolder(pid: pid), let identity = ProcessIdentity(folder),
            let user = folder.text("status").flatMap(ProcessText.user)
        else { return nil }
        self.init(identity: identity, user: user, unit: folder.text("cgroup").flatMap(ProcessText.unit))
    }

    /// The number of a process in the innermost of its pid namespaces; nil if there is no such process.
    static func innermostNumber(of pid: Int32) -> Int32? {
        ProcessFolder(pid: pid)?.text("status").flatMap(ProcessText.innermostNumber)
    }

    /// Whether hooks may see it as the process of a window: it belongs to the user, and it is older than the window. A
    /// window can name any process.
    ///
    /// - Parameter moment: When the window was first seen, as `Clock.sinceBoot()`.
    func isVisible(windowSeen moment: Duration, user: UInt32 = getuid()) -> Bool {
        self.user == user && identity.started <= moment
    }
}

/// Parses the files of /proc/PID, which proc(5) and cgroups(7) describe.
enum ProcessText {
    /// The 22nd field of `stat`.
    static func startTicks(ofStat text: String) -> UInt64? {
        let fields = fieldsFromThird(ofStat: text)
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }

    /// The process group in `stat`; nil for a process that has ended.
    static func group(ofStat text: String) -> Int32? {
        let fields = fieldsFromThird(ofStat: text)
        guard fields.count > 2, !["Z", "X"].contains(fields[0]) else { return nil }
        return Int32(fields[2])
    }

    static func row(ofStat text: String, pid: Int32) -> ProcessRow? {
        let fields = fieldsFromThird(ofStat: text)
        guard fields.count > 19, let ticks = UInt64(fields[19]), let parent = Int32(fields[1]),
            let session = Int32(fields[3]), let terminal = Int32(fields[4]),
            let start = text.utf8.firstIndex(of: UInt8(ascii: "(")),
            let end = text.utf8.lastIndex(of: UInt8(ascii: ")")), start < end
        else { return nil }
        return ProcessRow(
            identity: ProcessIdentity(pid: pid, startTicks: ticks), parent: parent,
            name: String(decoding: text.utf8[text.utf8.index(after: start)..<end], as: UTF8.self),
            state: String(fields[0]), session: session, terminal: terminal)
    }

    /// The second one is the name in parentheses, in which anything may stand.
    private static func fieldsFromThird(ofStat text: String) -> [Substring] {
        // As bytes: a character may be made of a parenthesis and what stands beside it.
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return [] }
        // None behind the 22nd is used.
        let fields = text.utf8[text.utf8.index(after: end)...].split(maxSplits: 20) {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n")
        }
        return fields.map { Substring($0) }
    }

    /// The real user id in `status`.
    static func user(ofStatus text: String) -> UInt32? {
        numbers("Uid:\t", ofStatus: text).first.flatMap { UInt32($0) }
    }

    /// The number in the innermost pid namespace in `status`.
    static func innermostNumber(ofStatus text: String) -> Int32? {
        numbers("NSpid:\t", ofStatus: text).last.flatMap { Int32($0) }
    }

    private static func numbers(_ label: String, ofStatus text: String) -> [Substring] {
        // As bytes, since there are many lines of it.
        let line = text.utf8.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: label.utf8) }
        let numbers = line?.dropFirst(label.utf8.count).split(separator: UInt8(ascii: "\t")) ?? []
        return numbers.map { Substring($0) }
    }

    /// The systemd unit in `cgroup`.
    static func unit(ofCgroup text: String) -> String? {
        let entries = text.split(separator: "\n").map {
            $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        }
        return entries.filter { $0.count == 3 && ($0[1] == "name=systemd" || $0[0] == "0" && $0[1].isEmpty) }
            .lazy.compactMap { unit(ofPath: $0[2]) }.first
    }

    private static func unit(ofPath path: Substring) -> String? {
        guard let part = unitPath(ofPath: path)?.split(separator: "/").last else { return nil }
        return String(withoutEscape(part))
    }

    /// Up to the first part that is no slice: a unit may have groups of its own below it, with any names.
    static func unitPath(ofPath path: Substring) -> Substring? {
        var parts = path.split(separator: "/")[...]
        parts = parts.drop { $0.hasSuffix(".slice") }
        if let manager = parts.first, manager.hasPrefix("user@"), manager.hasSuffix(".service") {
            parts = parts.dropFirst().drop { $0.hasSuffix(".slice") }
        }
        guard let part = parts.first else { return nil }
        let name = withoutEscape(part)
        return isUnit(name) && !isOfSession(name) ? path[..<part.endIndex] : nil
    }

    /// systemd puts a `_` before a name that the kernel could take for a file of its own.
    private static func withoutEscape(_ part: Substring) -> Substring {
        part.hasPrefix("_") ? part.dropFirst() : part
    }

    private static func isUnit(_ name: Substring) -> Bool {
        (name.hasSuffix(".scope") || name.hasSuffix(".service"))
            && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// Freezing such a unit would freeze the desktop.
    private static func isOfSession(_ name: Substring) -> Bool {
        name == "init.scope" || name.hasPrefix("session-") && name.hasSuffix(".scope")
    }
}
