import FoundationEssentials
import Glibc

extension TemporaryFolder {
    /// Returns the path of a file in the folder.
    public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    public func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: self(name))), as: UTF8.self)
    }

    /// The names of the files and directories in the folder, sorted.
    public func names(in name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self(name)).sorted()
    }

    public func mode(of name: String) -> mode_t {
        var facts = stat()
        return lstat(self(name), &facts) == 0 ? facts.st_mode & 0o7777 : 0
    }
}
