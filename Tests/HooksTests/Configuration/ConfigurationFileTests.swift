import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks

/// The files that are read, and those that are refused.
@Suite struct ConfigurationFileTests {
    let folder: TemporaryFolder
    let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write("c.toml", "settle = '1s'")
    }

    /// Returns the faults of a file without its path: empty if it is read, `none` if it does not exist.
    func fault(_ path: String) -> String {
        do {
            return try Configuration(file: SystemString(path)) == nil ? "none" : ""
        } catch {
            return String(error.faults.joined(separator: "\n").dropFirst(path.count))
        }
    }

    /// The fault of a directory that others may write.
    private func exposed(_ directory: String) -> String {
        ": a directory on its path is writable by others: chmod go-w \(directory)"
    }

    @Test func oneThatIsNotThereIsNone() {
        #expect(fault("\(folder.path)/no.toml") == "none" && fault("\(folder.path)/no/no.toml") == "none")
    }

    /// With umask 002, the user's own group may write, too.
    @Test(arguments: [0o600, 0o644, 0o400, 0o444, 0o664] as [mode_t])
    func oneThatOnlyItsUserMayWriteIsRead(mode: mode_t) throws {
        chmod(folder.path, 0o775)
        chmod(file, mode)
        #expect(try Configuration(file: SystemString(file))?.options.settle == .seconds(1))
    }

    @Test(arguments: [0o602, 0o666, 0o777] as [mode_t])
    func oneThatOthersMayWriteIsRefused(mode: mode_t) {
        chmod(file, mode)
        let own = ": is writable by others: chmod go-w \(file)"
        #expect(fault(file) == own)
        // All that is wrong is reported at once.
        chmod(folder.path, 0o777)
        #expect(fault(file) == "\(own)\n\(file)\(exposed(folder.path))")
        // In a sticky directory, only the owner of a file can replace it.
        chmod(file, 0o600)
        chmod(folder.path, 0o1777)
        #expect(fault(file) == "")
    }

    /// config.toml links to open/link, which links to c.toml. A user who can write to `open` controls the result.
    @Test func everyLinkOnTheWayAndItsTargetAreJudged() throws {
        let other = try TemporaryFolder()
        let (open, link) = ("\(other.path)/open", "\(other.path)/config.toml")
        mkdir(open, 0o755)
        symlink(file, "\(open)/link")
        symlink("open/link", link)
        #expect(fault(link) == "")
        for directory in [folder.path, other.path, open] {
            chmod(directory, 0o777)
            #expect(fault(link) == exposed(directory))
            chmod(directory, 0o700)
        }
        chmod(file, 0o622)
        #expect(fault(link) == ": is writable by others: chmod go-w \(link)")
    }

    @Test func aConfigurationThatIsNoRegularFileIsRefusedAndNotWaitedFor() {
        let (pipe, loop) = ("\(folder.path)/pipe", "\(folder.path)/loop")
        mkfifo(pipe, 0o600)
        symlink(loop, loop)
        for path in [pipe, folder.path, "/dev/null"] { #expect(fault(path) == ": is not a regular file") }
        #expect(fault(loop) == ": cannot be read: Too many levels of symbolic links")
    }

    @Test func oneMebibyteIsReadAndNotMore() throws {
        let comment = String(repeating: "#", count: 1 << 20)
        #expect(fault(try folder.write("a.toml", comment)) == "")
        #expect(fault(try folder.write("b.toml", comment + "#")) == ": is larger than 1 MiB")
    }

    @Test func theLineThatIsNoUTF8IsNamed() throws {
        _ = try Program.run("sh", ["-c", "printf '# ä\\n# \\344\\n' > \(file)"])
        #expect(fault(file) == ":2: is not UTF-8: save the file as UTF-8")
        _ = try Program.run("sh", ["-c", "printf a=1 | iconv -t UTF-16LE > \(file)"])
        #expect(fault(file) == ":1:2: a NUL character: save the file as UTF-8")
    }
}

/// The tests that need root, to give files away and to be asked for no password. Only `packaging/test --all` runs them.
@Suite struct RootTests {}

extension RootTests {
    @Test func aConfigurationOfAnotherUserIsRefused() throws {
        let files = try ConfigurationFileTests()
        let (file, folder, fault) = (files.file, files.folder, files.fault)
        chown(file, 4711, 0)
        let owner = "belongs to user 4711, neither to you nor to root"
        #expect(fault(file) == ": \(owner): chown 0 \(file)")
        chown(file, 0, 4711)
        #expect(fault(file) == "")
        chmod(file, 0o664)
        #expect(fault(file) == ": is writable by others: chmod go-w \(file)")
        chmod(file, 0o600)
        let link = "\(folder.path)/link"
        symlink(file, link)
        lchown(link, 4711, 0)
        #expect(fault(link) == ": a symbolic link on its path \(owner): chown -h 0 \(link)")
        // It may be the home of somebody.
        chown(folder.path, 4711, 0)
        #expect(fault(file) == ": a directory on its path \(owner): move the file out of \(folder.path)")
    }
}
