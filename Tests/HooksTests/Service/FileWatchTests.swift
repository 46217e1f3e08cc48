import Glibc
import TestDesktop
import Testing

@testable import Hooks
@testable import Service
@testable import System

@Suite struct FileWatchTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var files: [String]
        /// What is there before, as the shell makes it.
        var before: String
        /// What the shell does then, behind `+` if that is a change of the files, and behind `-` if not.
        var steps: [String]

        init(_ name: String, _ files: [String], _ before: String, _ steps: String...) {
            (testDescription, self.files, self.before, self.steps) = (name, files, before, steps)
        }
    }

    private static let cases = [
        Case(
            "a file that is written, replaced by an editor, deleted and made again", ["file"],
            "echo a > file",
            "- cat file", "+ echo b > file", "+ echo c > file", "- echo d > .file.swp", "+ mv .file.swp file",
            "- echo e > .file.swp", "+ mv .file.swp file", "+ rm file", "+ echo f > file",
            "+ chmod 640 file"),
        Case(
            "any entry of a directory", ["hooks.d", "config.toml"], "mkdir hooks.d",
            "+ : > hooks.d/10-a", "+ chmod 755 hooks.d/10-a", "- hooks.d/10-a",
            "+ mv hooks.d/10-a hooks.d/20-b", "+ rm hooks.d/20-b", "- : > unrelated", "+ : > config.toml"),
        Case(
            "a directory that is deleted and made again", ["hooks.d"], "mkdir hooks.d",
            "+ rmdir hooks.d", "+ mkdir hooks.d", "+ : > hooks.d/a"),
        Case(
            "directories that come later", ["a/b/file"], "",
            "- mkdir other", "+ mkdir a", "+ mkdir a/b", "+ : > a/b/file"),
        Case(
            "directories that come at once", ["a/b/file"], "", "+ mkdir -p a/b", "+ : > a/b/file"),
        Case(
            "a directory that is exchanged", ["a/file"], "mkdir a new",
            "+ mv a old", "+ mv new a", "- : > old/file", "+ : > a/file", "+ chmod 750 a"),
        Case(
            "a directory that is a link to another one", ["config/file"],
            "mkdir one two; ln -s one config",
            "+ : > config/file", "+ ln -s two new; mv -T new config", "- : > one/file", "+ : > two/file",
            "+ rm config"),
        Case(
            "the target of a link that comes and goes", ["config/file"],
            "mkdir dots config; ln -s ../dots/file config/file",
            "+ echo a > dots/file", "+ rm dots/file", "+ echo b > dots/file", "+ rm dots/file"),
        Case(
            "a link to another target", ["config/file"],
            "mkdir dots config; : > dots/one; : > dots/two; ln -s ../dots/one config/file",
            "+ : > dots/one", "- : > dots/two", "+ ln -s ../dots/two config/new; mv config/new config/file",
            "- : > dots/one", "+ : > dots/two"),
    ]

    @Test(arguments: cases) func changesOfTheFilesAreNoticedAndNoOthers(of files: Case) throws {
        func shell(_ script: String) throws {
            _ = try Program.run("sh", ["-c", "cd \(folder.path); \(script)"])
        }
        try shell(files.before)
        let watch = try watch(files.files)
        for step in files.steps {
            try shell(String(step.dropFirst(2)))
            #expect(try hasChanged(watch) == step.hasPrefix("+"), "\(step)")
        }
    }

    private func watch(_ names: [String]) throws -> FileWatch {
        try FileWatch(paths: names.map { SystemString(folder($0)) })
    }

    /// Whether a file has changed since the last read. The kernel queues an event before the call that causes it returns.
    private func hasChanged(_ watch: FileWatch) throws -> Bool {
        var hasChanged = false
        var request = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, 0) > 0 {
            guard watch.read() else { continue }
            hasChanged = true
            try watch.update()
        }
        return hasChanged
    }

    /// Programs write their own files in the parent of the directory, such as ~/.config.
    @Test func nothingIsReadForWhatHappensBesideTheDirectory() throws {
        mkdir(folder("xphase"), 0o700)
        try folder.write("xphase/config.toml", "")
        let watch = try watch(["xphase/config.toml"])
        try folder.write("other", "")
        var request = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&request, 1, 0) == 0)
        try folder.write("xphase/config.toml", "new")
        #expect(try hasChanged(watch))
    }

    /// Its writer does not close it.
    @Test func aTruncatedFileHasChanged() throws {
        try folder.write("file", "a")
        let watch = try watch(["file"])
        truncate(folder("file"), 0)
        #expect(try hasChanged(watch))
    }

    @Test func eventsThatWereLostCount() throws {
        let limit = SystemString("/proc/sys/fs/inotify/max_queued_events").firstLine.flatMap { Int($0) }
        let watch = try watch(["file"])
        for _ in 0...(try #require(limit) / 2) {
            mkdir(folder("other"), 0o700)
            rmdir(folder("other"))
        }
        #expect(try hasChanged(watch))
        try folder.write("file", "")
        #expect(try hasChanged(watch))
    }
}

@Suite struct HookFilesTests {
    private let folder: TemporaryFolder
    private let files: HookFiles

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("config.toml", "")
        files = HookFiles(HookLocations(config: SystemString(folder("config.toml")), environment: [:]))
    }

    /// Writes the file at these moments, in milliseconds, and returns when it is read again.
    private func due(after moments: Int...) throws -> Duration? {
        for moment in moments {
            try folder.write("config.toml", "\(moment)")
            files.readChanges(at: .milliseconds(moment))
        }
        return files.reloadTime
    }

    @Test(arguments: [
        ([5000], 5100), ([5000, 5060, 5090], 5190), ([5000, 5500, 5950], 6000), ([5000, 6500], 6000),
    ])
    func aSeriesOfChangesEndsWhenItIsQuietOrHasLastedASecond(moments: [Int], end: Int) throws {
        for moment in moments { _ = try due(after: moment) }
        #expect(files.reloadTime == .milliseconds(end))
        let areDue = [end - 1, end, end + 1].map { files.isReloadDue(at: .milliseconds($0)) }
        #expect(areDue == [false, true, false])
        #expect(try due(after: 7000) == .milliseconds(7100))
    }
}
