import Glibc
import System
import TestDesktop
import Testing

@testable import Service

/// What is read of the processes for freezes that are repeated.
@Suite struct RecentProcessesTests {
    /// How often all processes are read.
    private final class Count { var readings = 0 }

    private static func processes(_ count: Count) -> RecentProcesses {
        RecentProcesses {
            count.readings += 1
            return .current()
        }
    }

    @Test func allAreReadOnceASecond() {
        let count = Count()
        var processes = Self.processes(count)
        _ = processes.all(at: .seconds(5))
        for tenth in 0...9 {
            _ = processes.updated(for: [getpid()], at: .seconds(5) + .milliseconds(tenth * 100))
        }
        // Others may start very many meanwhile.
        #expect(count.readings < 5)
        let former = count.readings
        _ = processes.updated(for: [getpid()], at: .seconds(20))
        #expect(count.readings == former + 1)
    }

    /// Other programs may start very many in between, so that all are read again.
    @Test func aProgramThatHasStartedSinceIsReadAndThreadsAreNot() throws {
        let isUpdated = try waitUntil {
            let count = Count()
            var processes = Self.processes(count)
            _ = processes.all(at: .zero)
            let child = try Child("sleep", ["60"], package: "coreutils")
            let pipe = try Descriptor.pipe()
            let end = pipe.reading.number
            try DetachedThread.start {
                var byte = UInt8(0)
                var state = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
                _ = poll(&state, 1, -1)
                _ = read(end, &byte, 1)
            }
            let table = processes.updated(for: [getpid()], at: .milliseconds(10))
            #expect(table.rows[child.pid]?.parent == getpid())
            #expect(table.children(of: getpid()).contains(child.pid))
            let threads = (SystemString("/proc/self/task").entryNames ?? []).compactMap {
                $0.text.flatMap { Int32($0) }
            }
            #expect(threads.count > 1 && threads.allSatisfy { $0 == getpid() || table.rows[$0] == nil })
            try pipe.writing.writeAll("pipe", [0])
            try child.end(SIGKILL)
            let later = processes.updated(for: [getpid()], at: .milliseconds(20))
            #expect(later.rows[child.pid] == nil && !later.children(of: getpid()).contains(child.pid))
            return count.readings == 1
        }
        #expect(isUpdated)
    }
}
