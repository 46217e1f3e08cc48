import Console
import Glibc
import PhaseWatch
import System

/// The configuration file of the user, to be added to. What is in it stays as it is.
public struct OwnConfiguration {
    /// Of the file that is written.
    public let path: SystemString
    /// What is read now. Where the user has no file yet, that is the one of the whole system, which then no longer would be.
    private(set) var text = ""
    /// The file that it is in; nil where there is none.
    let source: SystemString?
    private var isOwn: Bool { source == path }

    /// - Throws: `ConfigurationError` where the configuration is wrong, or others may write to it; `SystemError`.
    public init(_ locations: HookLocations) throws {
        guard let own = locations.writable else { throw SystemError.noHome }
        // The file may be on a disk that is not there now.
        if own.isLink, own.resolved == nil {
            throw SystemError.failed(path: own, SystemError("realpath", ENOENT))
        }
        path = own
        // Reading it as a configuration checks who may write to it, too.
        let present = try locations.configurations.first { try Configuration(file: $0) != nil }
        source = present
        guard let present else { return }
        let file = try Descriptor("open", open(present.cString, O_RDONLY | O_CLOEXEC), path: present)
        text = String(decoding: try file.readAll(present, limit: 1 << 20) ?? [], as: UTF8.self)
    }

    /// Where `enableJournal` leaves what the file was; nil where there is none.
    public private(set) var copy: SystemString?

    /// Has changes kept in a journal, as the first key of the file, or where the key is.
    ///
    /// - Returns: false where it is kept already.
    public mutating func enableJournal() throws -> Bool {
        var wanted = try Configuration(text: text, file: path.description)
        if wanted.journal.isOn { return false }
        wanted.journal.isOn = true
        // A line that looks like the key may be one of a longer text.
        let new = [withKeyOn, withFirstKey].first { (try? Configuration(text: $0, file: "")) == wanted }
        guard let new else {
            throw ConfigurationError(
                path.description,
                ["'journal' cannot be set here: write 'journal = true' above the first [[hook]] yourself"])
        }
        if isOwn {
            // Editors have copies there, too.
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

    /// What each line ends with.
    private var newline: String { text.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n" }
    /// The mark of a file in UTF-8 that it begins with.
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

    /// Behind the comment that the file begins with.
    private var withFirstKey: String {
        var rest = lines[...]
        let comment = rest.prefix { $0.hasPrefix("#") }
        // One that no empty line ends is about what follows.
        let isOfFile =
            !comment.isEmpty && rest.dropFirst(comment.count).first?.allSatisfy(\.isWhitespace) ?? false
        let head = isOfFile ? comment + [""] : []
        if isOfFile { rest = rest.dropFirst(comment.count + 1) }
        let gap = rest.allSatisfy(\.isEmpty) ? [] : [""]
        return mark + (head + ["journal = true"] + gap + rest).joined(separator: newline)
    }

    /// Adds a text of hooks at the end.
    ///
    /// - Parameter name: What the text is, for faults of both together.
    mutating func append(_ more: String, named name: String) throws {
        let start = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
        let new = start + (start.isEmpty ? "" : "\n") + more
        _ = try Configuration(text: new, file: "\(path), with \(name)")
        try replace(with: new)
    }

    private mutating func replace(with new: String) throws(SystemError) {
        // A link of whoever keeps the file elsewhere stays one.
        try Self.write(new, to: path.resolved ?? path, mode: nil)
        text = new
    }

    /// Writes a file that is there as a whole or not at all.
    ///
    /// - Parameter mode: nil for that of the file that it replaces.
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
