import Console
import Hooks
import System

/// The programs that are not to be frozen until they have finished some work, each as long as its call lasts.
final class BusyPrograms {
    private struct Work {
        let call: VarlinkCall
        let name: String
        let end: Duration
    }

    private static let longest: Int64 = 600_000
    /// In Unicode scalars: any number of them may form one character.
    private static let longestName = 64

    private var works: [Work] = []

    /// When to call `expire`; nil for never.
    var next: Duration? { works.map(\.end).min() }

    /// Adds the work of a call, which gets a reply at once.
    func add(_ work: HooksInterface.Work, for call: VarlinkCall, at now: Duration) {
        let time = min(max(0, work.milliseconds ?? 30_000), Self.longest)
        let name = String(String.UnicodeScalarView(work.name.unicodeScalars.prefix(Self.longestName)))
        works.append(Work(call: call, name: name, end: now + .milliseconds(time)))
        call.changed = { [weak self, weak call] in
            if let call, call.isReleased { self?.end(call) }
        }
        call.reply(HooksInterface.Nothing(), isLast: false)
    }

    /// Ends work that has reached its time limit.
    func expire(at now: Duration) { for work in works where work.end <= now { end(work.call) } }

    private func end(_ call: VarlinkCall) {
        works.removeAll { $0.call === call }
        call.reply(HooksInterface.Nothing())
    }

    /// Returns the work of one of these processes; nil if they have none.
    func work(of processes: () -> [Int32]) -> String? {
        if works.isEmpty { return nil }
        let pids = Set(processes())
        return works.first { pids.contains($0.call.pid) }?.name
    }
}
