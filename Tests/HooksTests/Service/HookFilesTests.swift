import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

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
            try files.readChanges(at: .milliseconds(moment))
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

    @Test func withoutAChangeNothingIsDue() throws {
        try files.readChanges(at: .zero)
        #expect(files.reloadTime == nil && !files.isReloadDue(at: .seconds(9)))
    }
}
