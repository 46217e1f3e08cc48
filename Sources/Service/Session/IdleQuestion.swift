import Console
import PhaseWatch
import System

/// A check, before the user counts as idle, whether something keeps them from being so.
final class IdleQuestion: WatchMember {
    private static let interval = Duration.seconds(60)

    private let watcher: PhaseWatcher
    private var loop: EventLoop?
    /// nil before the first question.
    private var obstacles: IdleObstacles?
    private var isAsking = false
    /// When to ask again, if there is no user input until then.
    private var again: Duration?

    init(_ watcher: PhaseWatcher) { self.watcher = watcher }

    func join(_ loop: EventLoop) {
        self.loop = loop
        watcher.askBeforeIdle()
    }

    var next: Duration? { [obstacles?.next, again].compactMap(\.self).min() }

    func wake() { obstacles?.expire(at: Clock.now()) }

    func finishTurn(_ requests: inout WatchRequests) {
        guard watcher.awaitsIdle else {
            again = nil
            return
        }
        guard let loop, !isAsking, again.map({ $0 <= Clock.now() }) ?? true else { return }
        again = nil
        isAsking = true
        let obstacles = obstacles ?? IdleObstacles(loop, on: watcher.displayName)
        self.obstacles = obstacles
        obstacles.ask(watcher.activeApplication) { [weak self] in self?.take(isAny: $0) }
    }

    private func take(isAny: Bool) {
        isAsking = false
        if isAny {
            again = Clock.now() + Self.interval
        } else {
            watcher.confirmIdle()
        }
    }
}
