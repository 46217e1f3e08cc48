import Glibc

/// Facts from /proc that decide whether a hook may see a process.
public struct ProcessFacts: Hashable, Sendable {
    public var identity: ProcessIdentity
    /// The real user id.
    public var user: UInt32
    /// The systemd unit that the process runs in, unless the whole session shares it.
    public var unit: String?
    /// The process that traces it, such as a debugger.
    public var tracer: Int32?
    /// Whether it hides its files from this user, as password managers do.
    public var isHidden: Bool
    /// The number of its threads. The main thread counts even if it has ended.
    public var threads: Int

    public init(
        identity: ProcessIdentity, user: UInt32, unit: String? = nil, tracer: Int32? = nil,
        isHidden: Bool = false, threads: Int = 1
    ) {
        (self.identity, self.user, self.unit, self.tracer) = (identity, user, unit, tracer)
        self.isHidden = isHidden
        self.threads = threads
    }

    /// Reads the facts; nil if the process does not exist or is not visible.
    public init?(pid: Int32) {
        // The owner of /proc/PID is not reliable: it is root for programs that refuse core dumps.
        guard let folder = ProcessFolder(pid: pid), let identity = folder.row?.identity,
            let status = folder.text("status"), let user = ProcessText.user(ofStatus: status)
        else { return nil }
        self.init(
            identity: identity, user: user, unit: folder.text("cgroup").flatMap(ProcessText.unit),
            tracer: ProcessText.tracer(ofStatus: status), isHidden: folder.isHidden,
            threads: ProcessText.threads(ofStatus: status))
    }

    /// Returns the pid of a process in its innermost pid namespace; nil if there is no such process.
    public static func innermostNumber(of pid: Int32) -> Int32? {
        ProcessFolder(pid: pid)?.text("status").flatMap(ProcessText.innermostNumber)
    }

    /// Returns whether a stopped process has a pending signal that asks it to end.
    public static func isAboutToEnd(_ pid: Int32) -> Bool {
        let pending = ProcessFolder(pid: pid)?.text("status").map(ProcessText.pendingSignals) ?? 0
        return [SIGHUP, SIGINT, SIGQUIT, SIGTERM].contains { pending >> ($0 - 1) & 1 == 1 }
    }

    /// Returns whether hooks may see the process as that of a window, which was first seen at that time since boot. It must
    /// belong to the user and be older than the window: a window can name any process.
    public func isVisible(windowSeen moment: Duration, user: UInt32 = getuid()) -> Bool {
        self.user == user && identity.started <= moment
    }
}

/// Parsers for the files of /proc/PID. They work on bytes: a name may contain any bytes, a separator and the bytes beside
/// it may form one character, and a search by characters takes ten times as long, while a hook waits.
enum ProcessText {
    typealias Bytes = ArraySlice<UInt8>

    /// Reads `stat`, whose second field is a name in parentheses. It may contain any characters.
    static func row(ofStat text: String, pid: Int32) -> ProcessRow? {
        let bytes = Array(text.utf8)
        guard let start = bytes.firstIndex(of: UInt8(ascii: "(")),
            let end = bytes.lastIndex(of: UInt8(ascii: ")")), start < end
        else { return nil }
        // From the third field. None after the 22nd is used.
        let fields = bytes[(end + 1)...].split(maxSplits: 20) {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n")
        }
        guard fields.count > 19, let ticks: UInt64 = number(fields[19]),
            let parent: Int32 = number(fields[1]),
            let group: Int32 = number(fields[2]), let session: Int32 = number(fields[3]),
            let terminal: Int32 = number(fields[4]), let foreground: Int32 = number(fields[5])
        else { return nil }
        return ProcessRow(
            identity: ProcessIdentity(pid: pid, startTicks: ticks), parent: parent,
            name: String(decoding: bytes[(start + 1)..<end], as: UTF8.self),
            state: self.text(fields[0]), session: session, terminal: terminal, group: group,
            foreground: foreground, ticks: (number(fields[11]) ?? 0) + (number(fields[12]) ?? 0),
            ticksOfChildren: (number(fields[13]) ?? 0) + (number(fields[14]) ?? 0))
    }

    /// Returns the real user id in `status`.
    static func user(ofStatus text: String) -> UInt32? {
        values("Uid:\t", ofStatus: text).first.flatMap { number($0) }
    }

    /// Returns the pid in the innermost pid namespace, from `status`.
    static func innermostNumber(ofStatus text: String) -> Int32? {
        values("NSpid:\t", ofStatus: text).last.flatMap { number($0) }
    }

    /// Returns the tracer of the process in `status`; nil if there is none.
    static func tracer(ofStatus text: String) -> Int32? {
        values("TracerPid:\t", ofStatus: text).first.flatMap { number($0) }.flatMap { $0 == 0 ? nil : $0 }
    }

    static func threads(ofStatus text: String) -> Int {
        values("Threads:\t", ofStatus: text).first.flatMap { number($0) } ?? 1
    }

    /// Returns the number of voluntary context switches in `status` of a thread.
    static func voluntarySwitches(ofStatus text: String) -> UInt64? {
        values("voluntary_ctxt_switches:\t", ofStatus: text).first.flatMap { number($0) }
    }

    /// Returns the pending signals of the process and of its first thread in `status`; signal 1 is the lowest bit.
    static func pendingSignals(ofStatus text: String) -> UInt64 {
        ["SigPnd:\t", "ShdPnd:\t"].flatMap { values($0, ofStatus: text) }
            .reduce(0) { $0 | (UInt64(self.text($1), radix: 16) ?? 0) }
    }

    static func lines(_ text: String) -> [Bytes] { Array(text.utf8).split(separator: UInt8(ascii: "\n")) }

    private static func values(_ label: String, ofStatus text: String) -> [Bytes] {
        let line = lines(text).first { $0.starts(with: label.utf8) }
        return line?.dropFirst(label.utf8.count).split(separator: UInt8(ascii: "\t")) ?? []
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: Bytes) -> Number? { Number(text(bytes)) }

    private static func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the systemd unit in `cgroup`.
    static func unit(ofCgroup text: String) -> String? {
        lines(text).lazy.compactMap(path).compactMap(unit).first { _ in true }
    }

    /// Returns the path in the version 2 hierarchy, or in the version 1 hierarchy of systemd.
    private static func path(ofLine line: Bytes) -> Bytes? {
        if line.starts(with: "0::".utf8) { return line.dropFirst(3) }
        let (named, label) = (line.drop { $0 != UInt8(ascii: ":") }, ":name=systemd:")
        return named.starts(with: label.utf8) ? named.dropFirst(label.utf8.count) : nil
    }

    private static func unit(ofPath path: Bytes) -> String? {
        guard let part = unitPath(ofPath: path)?.split(separator: slash).last else { return nil }
        return text(withoutEscape(part))
    }

    /// Returns the path up to the first component that is not a slice: a unit may have groups with any names below it.
    static func unitPath(ofPath path: Bytes) -> Bytes? {
        var parts = path.split(separator: slash)[...]
        parts = parts.drop { $0.ends(with: ".slice") }
        if let manager = parts.first, manager.starts(with: "user@".utf8), manager.ends(with: ".service") {
            parts = parts.dropFirst().drop { $0.ends(with: ".slice") }
        }
        guard let part = parts.first else { return nil }
        let name = withoutEscape(part)
        return isUnit(name) && !isOfSession(name) ? path[..<part.endIndex] : nil
    }

    private static let slash = UInt8(ascii: "/")

    /// systemd prepends `_` to names that could clash with kernel files.
    private static func withoutEscape(_ part: Bytes) -> Bytes {
        part.first == UInt8(ascii: "_") ? part.dropFirst() : part
    }

    private static func isUnit(_ name: Bytes) -> Bool {
        (name.ends(with: ".scope") || name.ends(with: ".service"))
            && name.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// Returns whether freezing the unit would freeze the desktop.
    private static func isOfSession(_ name: Bytes) -> Bool {
        name.isText("init.scope") || name.starts(with: "session-".utf8) && name.ends(with: ".scope")
    }
}

extension ArraySlice<UInt8> {
    fileprivate func isText(_ text: String) -> Bool { elementsEqual(text.utf8) }

    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).isText(text) }
}
