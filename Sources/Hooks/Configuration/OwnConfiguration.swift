import Console
import Glibc
import PhaseWatch
import System

/// The user's configuration file, for additions. Its contents are kept.
public struct OwnConfiguration {
    /// The path of the file that is written.
    public let path: SystemString
    /// The configuration in effect. If the user has no file yet, this is the system-wide one, which a new file would
    /// hide.
    private(set) var text = ""
    /// The file that contains `text`; nil if there is none.
    let source: SystemString?
    private var isOwn: Bool { source == path }

    /// - Throws: `ConfigurationError` if the configuration is invalid or others may write to it; `SystemError`.
    public init(_ locations: HookLocations) throws {
        guard let own = locations.writable else { throw SystemError.noHome }
        // The target of the link may be on a disk that is not mounted.
        if own.isLink, own.resolved == nil {
            throw SystemError.failed(path: own, SystemError("realpath", ENOENT))
        }
        path = own
        // Reading the file as a configuration also checks who may write to it.
        let present = try locations.configurations.first { try Configuration(file: $0) != nil }
        source = present
        guard let present else { return }
        let file = try Descriptor("open", open(present.cString, O_RDONLY | O_CLOEXEC), path: present)
        text = String(decoding: try file.readAll(present, limit: 1 << 20) ?? [], as: UTF8.self)
    }

    /// The backup copy that `enableJournal` has made; nil if there is none.
    public private(set) var copy: SystemString?

    /// Enables the journal, at the existing key or as the first key of the file.
    ///
    /// - Returns: false if the journal is enabled already.
    public mutating func enableJournal() throws -> Bool {
        var wanted = try Configuration(text: text, file: path.description)
        if wanted.journal.isOn { return false }
        wanted.journal.isOn = true
        // A line that looks like the key may be part of a multi-line string.
        let new = [withKeyOn, withFirstKey].first { (try? Configuration(text: $0, file: "")) == wanted }
        guard let new else {
            throw ConfigurationError(
                path.description,
                ["'journal' cannot be set here: write 'journal = true' above the first [[hook]] yourself"])
        }
        if isOwn {
            // Editors keep backup copies there, too.
            let names = [path + "~"] + (1...99).map { path + "~\($0)" }
            guard let free = names.first(where: { access($0.cString, F_OK) != 0 }) else {
                throw SystemError.failed(path: path + "~", SystemError("open", EEXIST))
            }
            try Self.write(text, to: free, mode: 0o600)
            copy = free
        }
        try replace(with: new)
        return true
    }

    /// The line ending of the file.
    private var newline: String { text.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n" }
    /// The byte order mark at the start of the file; empty if there is none.
    private var mark: String { text.unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" : "" }

    private var lines: [String] {
        text.unicodeScalars.dropFirst(mark.isEmpty ? 0 : 1).split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" }
        ).map { String($0.last == "\r" ? $0.dropLast() : $0) }
    }

    private var withKeyOn: String {
        var lines = lines
        let index = lines.firstIndex {
            let line = $0.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            return line.hasPrefix("journal=false")
        }
        if let index { lines[index] = lines[index].replacing("false", with: "true", maxReplacements: 1) }
        return mark + lines.joined(separator: newline)
    }

    /// The text with the key after the comment at the start of the file.
    private var withFirstKey: String {
        var rest = lines[...]
        let comment = rest.prefix { $0.hasPrefix("#") }
        // A comment without an empty line after it belongs to the text that follows.
        let isOfFile =
            !comment.isEmpty && rest.dropFirst(comment.count).first?.allSatisfy(\.isWhitespace) ?? false
        let head = isOfFile ? comment + [""] : []
        if isOfFile { rest = rest.dropFirst(comment.count + 1) }
        let gap = rest.allSatisfy(\.isEmpty) ? [] : [""]
        return mark + (head + ["journal = true"] + gap + rest).joined(separator: newline)
    }

    /// Appends hooks to the file.
    ///
    /// - Parameter name: The name of the added text, for faults of the combined configuration.
    mutating func append(_ more: String, named name: String) throws {
        let start = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
        let new = start + (start.isEmpty ? "" : "\n") + more
        _ = try Configuration(text: new, file: "\(path), with \(name)")
        try replace(with: new)
    }

    private mutating func replace(with new: String) throws(SystemError) {
        // A symbolic link to a file elsewhere stays a link.
        try Self.write(new, to: path.resolved ?? path, mode: nil)
        text = new
    }

    /// Writes a file atomically.
    ///
    /// - Parameter mode: nil for the mode of the file that is replaced.
    static func write(_ text: String, to path: SystemString, mode: mode_t?) throws(SystemError) {
        var facts = stat()
        let mode = mode ?? (stat(path.cString, &facts) == 0 ? facts.st_mode & 0o777 : 0o644)
        let directory = try OwnDirectory(making: path.directory, forbidding: 0o022)
        guard let name = path.components.last else { throw .noFile(path: path) }
        try directory.replace(name, with: Array(text.utf8), mode: mode)
    }
}

extension SystemString {
    fileprivate var isLink: Bool {
        var facts = stat()
        return lstat(cString, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
    }
}
