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
    /// It is in the file that is written.
    private let isOwn: Bool

    /// - Throws: `ConfigurationError` where the configuration is wrong, or others may write to it; `SystemError`.
    public init(_ locations: HookLocations) throws {
        guard let own = locations.configurations.first else { throw SystemError.noHome }
        // The file may be on a disk that is not there now.
        if own.isLink, own.resolved == nil {
            throw SystemError.failed(path: own, SystemError("realpath", ENOENT))
        }
        path = own
        // Reading it as a configuration checks who may write to it, too.
        let present = try locations.configurations.first { try Configuration(file: $0) != nil }
        isOwn = present == own
        guard let present else { return }
        let file = try Descriptor("open", open(present.cString, O_RDONLY | O_CLOEXEC), path: present)
        text = String(decoding: try file.readAll(present, limit: 1 << 20) ?? [], as: UTF8.self)
    }

    /// Where `enableJournal` leaves what the file was; nil where there is none.
    public var copy: SystemString? { isOwn ? path + "~" : nil }

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
        if let copy { try Self.write(text, to: copy, mode: 0o600) }
        try replace(with: new)
        return true
    }

    private var withKeyOn: String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let index = lines.firstIndex(where: { $0.filter { !$0.isWhitespace }.hasPrefix("journal=false") })
        {
            lines[index] = lines[index].replacing("false", with: "true", maxReplacements: 1)
        }
        return lines.joined(separator: "\n")
    }

    /// Behind the comment that the file begins with.
    private var withFirstKey: String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        let comment = lines.prefix { $0.hasPrefix("#") }
        lines = lines.dropFirst(comment.count)
        // One that no empty line ends is about what follows.
        let isOfFile = !comment.isEmpty && lines.first?.allSatisfy(\.isWhitespace) ?? false
        let head = isOfFile ? comment.map { $0 + "\n" }.joined() + "\n" : ""
        let rest = isOfFile ? lines.dropFirst().joined(separator: "\n") : text
        return head + "journal = true\n" + (rest.isEmpty ? "" : "\n") + rest
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
