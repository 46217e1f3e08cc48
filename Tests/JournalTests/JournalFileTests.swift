import Glibc
import Hooks
import Loop
import PhaseWatch
import TestDesktop
import Testing

@testable import Journal

/// The files themselves: removed, torn, foreign or in the way.
extension JournalWriterTests {
    @Test func whatCannotBeWrittenIsToldOnceAndMadeUpForLater() throws {
        _ = try folder.write("journal", "in the way")
        let writer = writer()
        writer.take([change("A", .active), change("B", .background)])
        pass(10)
        writer.take([change("A", .inactive)])
        pass(55)
        writer.take([change("A", .active)])
        #expect(told.count == 1)
        unlink("\(folder.path)/journal")
        pass(60)
        writer.take([change("B", nil)])
        #expect(told.count == 2)
        pass(10)
        writer.stop()
        #expect(try report().texts == ["A 10.000/0.000/0.000"])
    }

    @Test func aTornLineDoesNotSpoilTheNextOne() throws {
        writer(":1").take([change("A", .active)])
        let path = files.path(of: files.dates[0])
        #expect(truncate(path.cString, 40) == 0)
        let writer = writer(":2")
        writer.take([change("B", .active)])
        pass(10)
        writer.stop()
        #expect(try report().texts == ["B 10.000/0.000/0.000"])
        #expect(try report().summary.unreadable == 1)
    }

    @Test func aFileThatIsRemovedIsMadeAnew() throws {
        let writer = writer()
        writer.take([change("A", .active)])
        unlink(files.path(of: files.dates[0]).cString)
        pass(60)
        writer.sync()
        writer.take([change("B", .active)])
        #expect(try kinds(files.dates[0]) == ["start", "group", "alive", "group"])
    }

    @Test func oldFilesAreRemovedAndNothingElse() throws {
        mkdir(files.path.cString, 0o700)
        for name in ["2025-08-01.jsonl", "2025-11-19.jsonl", "2025-11-20.jsonl", "2020-01-01.txt", "notes"] {
            _ = try folder.write("journal/\(name)", "")
        }
        writer(days: 2).take([change("A", .active)])
        #expect(files.dates == ["2025-11-20", "2025-11-22"])
        // A clock that is wrong by years would leave nothing; the file of the next day tells whether it is.
        calendar += 86_400 * 1000
        let writer = writer(days: 2)
        writer.take([change("A", .active)])
        let day = "2028-08-18"
        #expect(files.dates == ["2025-11-20", "2025-11-22", day])
        pass(86_400)
        writer.take([change("A", .inactive)])
        #expect(files.dates == [day, "2028-08-19"])
        #expect(access("\(files.path)/2020-01-01.txt", F_OK) == 0)
        #expect(access("\(files.path)/notes", F_OK) == 0)
    }

    @Test func aFolderWhoseNameIsNoTextIsReadAgain() throws {
        let name = SystemString(bytes: Array("\(folder.path)/j".utf8) + [0xE9])
        let writer = writer(in: JournalFiles(folder: name))
        writer.take([change("A", .active)])
        pass(10)
        writer.stop()
        #expect(try report(of: JournalFiles(folder: name)).texts == ["A 10.000/0.000/0.000"])
    }

    /// What others could have written is not read, and a line without an end is bounded.
    @Test func foreignFilesAreRefused() throws {
        mkdir(files.path.cString, 0o700)
        let path = try folder.write("journal/2025-11-22.jsonl", String(repeating: "x", count: 1 << 20))
        #expect(try report().summary.unreadable == 1)
        chmod(path, 0o666)
        #expect(throws: FileError.exposed(path: files.path(of: "2025-11-22"))) { try self.report() }
    }

    @Test(arguments: [
        ("locked: a window of i3lock covers all 4 visible scenes", JournalState.lock, true),
        ("unlocked", .lock, false), ("lock: followed no longer, by other options", .lock, false),
        ("display off: the screen saver blanked it", .displayOff, true), ("display on", .displayOff, false),
        ("display-off: followed no longer, by other options", .displayOff, false),
        ("away: another virtual terminal is shown", .away, true),
        ("back: this display is shown again", .away, false),
        ("away: followed no longer, by other options", .away, false),
    ])
    fileprivate func noticesTellOfTheSession(_ text: String, _ state: JournalState, _ isOn: Bool) throws {
        let told = try #require(JournalState.told(by: Notice(name: "session", text: text)))
        #expect(told.state == state && told.isOn == isOn)
        #expect(JournalState.told(by: Notice(name: "other", text: text)) == nil)
        #expect(
            JournalState.told(by: Notice(name: "session", text: "idle: the user has touched nothing")) == nil)
    }
}
