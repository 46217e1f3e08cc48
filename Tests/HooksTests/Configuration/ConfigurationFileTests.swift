import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks

/// The files that are read, and those that are refused.
@Suite struct ConfigurationFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the faults of a file without its path: empty if it is read, `none` if it does not exist.
    private func fault(_ path: String) -> String {
        do {
            return try Configuration(file: SystemString(path)) == nil ? "none" : ""
        } catch {
            return String(error.faults.joined(separator: "\n").dropFirst(path.count))
        }
    }

    @Test func oneThatIsNotThereIsNone() throws {
        #expect(fault("\(folder.path)/no.toml") == "none")
        #expect(fault("\(folder.path)/no/no.toml") == "none")
    }

    /// With umask 002, the user's own group may write, too.
    @Test(arguments: [0o600, 0o644, 0o400, 0o444, 0o664] as [mode_t])
    func oneThatOnlyItsUserMayWriteIsRead(mode: mode_t) throws {
        chmod(folder.path, 0o775)
        let file = try folder.write("c.toml", "settle = '1s'")
        chmod(file, mode)
        #expect(try Configuration(file: SystemString(file))?.options.settle == .seconds(1))
    }

    @Test(arguments: [0o602, 0o666, 0o777] as [mode_t])
    func oneThatOthersMayWriteIsRefused(mode: mode_t) throws {
        let file = try folder.write("c.toml", "")
        chmod(file, mode)
        #expect(fault(file) == ": is writable by others: chmod go-w \(file)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func oneOfAnotherUserIsRefused() throws {
        let file = try folder.write("c.toml", "")
        chown(file, 4711, 0)
        #expect(fault(file) == ": belongs to user 4711, neither to you nor to root: chown 0 \(file)")
        chown(file, 0, 4711)
        #expect(fault(file) == "")
        chmod(file, 0o664)
        #expect(fault(file) == ": is writable by others: chmod go-w \(file)")
    }

    @Test func oneInADirectoryThatOthersMayWriteIsRefusedUnlessItIsSticky() throws {
        let file = try folder.write("c.toml", "")
        chmod(folder.path, 0o773)
        #expect(
            fault(file) == ": a directory on its path is writable by others: chmod go-w \(folder.path)")
        chmod(folder.path, 0o1777)
        #expect(fault(file) == "")
    }

    @Test func symbolicLinksAreJudgedByWhatTheyLeadTo() throws {
        let other = try TemporaryFolder()
        let target = try folder.write("real.toml", "")
        let link = "\(other.path)/c.toml"
        symlink(target, link)
        #expect(fault(link) == "")
        chmod(target, 0o622)
        #expect(fault(link) == ": is writable by others: chmod go-w \(link)")
        chmod(target, 0o600)
        chmod(folder.path, 0o777)
        #expect(
            fault(link) == ": a directory on its path is writable by others: chmod go-w \(folder.path)")
        chmod(folder.path, 0o700)
        chmod(other.path, 0o777)
        #expect(fault(link) == ": a directory on its path is writable by others: chmod go-w \(other.path)")
    }

    /// config.toml links to open/link, which links to real/c.toml. A user who can write to `open` controls the result.
    @Test func everyLinkOnTheWayIsJudged() throws {
        for name in ["real", "open"] { mkdir("\(folder.path)/\(name)", 0o755) }
        let file = try folder.write("real/c.toml", "")
        symlink(file, "\(folder.path)/open/link")
        let link = "\(folder.path)/config.toml"
        symlink("open/link", link)
        #expect(fault(link) == "")
        chmod("\(folder.path)/open", 0o777)
        #expect(
            fault(link)
                == ": a directory on its path is writable by others: chmod go-w \(folder.path)/open")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func aLinkOfAnotherUserIsRefused() throws {
        let file = try folder.write("c.toml", "")
        let link = "\(folder.path)/link"
        symlink(file, link)
        lchown(link, 4711, 0)
        #expect(
            fault(link) == ": a symbolic link on its path belongs to user 4711, neither to you nor to root: "
                + "chown -h 0 \(link)")
    }

    @Test func allThatIsWrongIsReportedAtOnce() throws {
        let file = try folder.write("c.toml", "")
        chmod(file, 0o666)
        chmod(folder.path, 0o777)
        #expect(
            throws: ConfigurationError(
                faults: ["\(file): is writable by others: chmod go-w \(file)"] + [
                    "\(file): a directory on its path is writable by others: chmod go-w \(folder.path)"
                ])
        ) { try Configuration(file: SystemString(file)) }
    }

    @Test func whatIsNoRegularFileIsRefusedAndNotWaitedFor() throws {
        let pipe = "\(folder.path)/pipe"
        mkfifo(pipe, 0o600)
        #expect(fault(pipe) == ": is not a regular file")
        #expect(fault(folder.path) == ": is not a regular file")
        #expect(fault("/dev/null") == ": is not a regular file")
        let loop = "\(folder.path)/loop"
        symlink(loop, loop)
        #expect(fault(loop) == ": cannot be read: Too many levels of symbolic links")
    }

    @Test func oneMebibyteIsReadAndNotMore() throws {
        let comment = String(repeating: "#", count: 1 << 20)
        #expect(fault(try folder.write("a.toml", comment)) == "")
        #expect(fault(try folder.write("b.toml", comment + "#")) == ": is larger than 1 MiB")
    }

    @Test func whatIsNoTextNamesTheLine() throws {
        let file = try folder.write("a.toml", "\n# \0\n")
        #expect(fault(file) == ":2: contains a NUL character")
        _ = try Program.run("sh", ["-c", "printf '# ä\\n# \\344\\n' > \(file)"])
        #expect(fault(file) == ":2: is not UTF-8: save the file as UTF-8")
    }

    @Test(arguments: ["UTF-16", "UTF-16LE", "UTF-16BE"])
    func anotherEncodingIsNamed(_ encoding: String) throws {
        let file = try folder.write("utf8.toml", "settle = '1s'\n")
        let other = "\(folder.path)/a.toml"
        _ = try Program.run("sh", ["-c", "iconv -t \(encoding) \(file) >\(other)"])
        #expect(fault(other) == ": is UTF-16: save the file as UTF-8")
    }

    /// A key nests a table at each dot, and a list may contain tables.
    @Test func noNestingIsTooDeepForTheStack() throws {
        for (text, column) in [
            (String(repeating: "a.", count: 200_000) + "a = 1", 34),
            ("[" + String(repeating: "a.", count: 200_000) + "a]", 34),
            ("a = " + String(repeating: "[", count: 10_000), 21),
            ("a = " + String(repeating: "{ a = [", count: 10_000), 61),
        ] {
            let fault = fault(try folder.write("a.toml", text))
            #expect(fault == ":1:\(column): more than 16 tables or arrays in each other")
        }
        let path = String(repeating: "a.", count: 16) + "a = "
        let tables =
            path + String(repeating: "[\n{\(path)", count: 8) + "1" + String(repeating: "}]", count: 8)
        #expect(fault(try folder.write("c.toml", tables)).contains("there is no key 'a'"))
        #expect(
            fault(try folder.write("d.toml", "a = [\(String(repeating: "1.5, ", count: 99))]")).contains(
                "'a'"))
    }
}
