import Glibc
import PhaseWatch
import Testing

/// The groups of this process, and unions of subjects.
@Suite struct OwnGroupTests {
    private static let own = getpid()
    private let script = Script()
    private var monitor: PhaseMonitor { script.monitor }

    /// Returns the changes so far.
    private func changes(_ subject: PhaseMonitor.Subject, _ action: () -> Void) async throws -> [String] {
        var changes = monitor.changes(of: subject, initial: true).makeAsyncIterator()
        action()
        monitor.close()
        var lines: [String] = []
        while let change = try await changes.next() { lines.append(change.text) }
        return lines
    }

    @Test func anotherRunOfTheProgramIsNotInAGroupOfThisProcess() async throws {
        script.open(1, application: "Editor", group: "document", pid: Self.own)
        script.open(2, application: "Editor", group: "document", pid: 1)
        #expect(try monitor.scenes(of: .ownGroup("DOC*")).map(\.id.xid) == [1])
        let lines = try await changes(.ownGroup("document")) {
            script.set(2, .active)
            script.set(1, .background)
            #expect((try? monitor.phase(of: .ownGroup("document"))) == .background)
            #expect((try? monitor.phase(of: .group("document"))) == .active)
        }
        #expect(lines == ["Editor/document/0x1 →background iconify"])
    }

    @Test func aGroupOpensAndClosesWithItsWindows() async throws {
        let log = Log()
        let observation = try monitor.onChange(of: .ownGroup("document")) { log.add($1.text) }
        script.open(1, application: "Editor", group: "palette", pid: Self.own)
        script.open(2, application: "Editor", group: "document", pid: Self.own)
        script.set(2, .active)
        script.close(2)
        #expect(log.all == ["inactive", "active", "background", "nothing"])
        let lines = try await changes(.any([.ownGroup("*"), .ownProcess])) {
            script.open(3, application: "Editor", group: "document", pid: Self.own)
            script.close(1)
        }
        // The unread opening of the palette and its end cancel each other out.
        #expect(lines == ["Editor/document/0x3 →inactive open"])
        observation.cancel()
    }

    @Test func theChangesOfThisProcessAreThoseOfItsScenes() async throws {
        script.open(1, application: "Editor", pid: Self.own)
        script.open(2, application: "Editor", pid: 1)
        script.open(3, application: "Viewer", pid: Self.own)
        let lines = try await changes(.ownProcess) {
            script.set(2, .active)
            script.set(3, .active)
            #expect((try? monitor.phase(of: .ownProcess)) == .active)
        }
        #expect(lines == ["Editor/Editor/0x1 →inactive start", "Viewer/Viewer/0x3 →active focus"])
    }

    @Test func aUnionReportsEachOfItsSubjects() async throws {
        script.open(1, application: "Editor", pid: Self.own)
        script.open(2, application: "Editor", pid: 1)
        let union = PhaseMonitor.Subject.any([.ownProcess, .any([.application("editor"), .all]), .scene(2)])
        let lines = try await changes(union) {
            script.set(1, .background)
            script.set(2, .active)
        }
        #expect(
            lines.sorted() == [
                "Editor →active focus", "Editor/Editor →active focus",
                "Editor/Editor/0x1 →background iconify", "Editor/Editor/0x2 →active focus",
            ])
    }
}
