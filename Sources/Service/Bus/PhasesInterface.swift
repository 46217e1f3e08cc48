import Console
import PhaseWatch
import System

/// The interface that reports phases to callers and subscribers.
public final class PhasesInterface: WatchMember, VarlinkInterface {
    /// The number of unread bytes above which a subscriber gets no further changes until it has read everything.
    static let mostBacklog = 1 << 20

    private let watcher: PhaseWatcher
    /// Calls of `List` and `Watch`.
    private var subscribers: [Subscriber] = []
    /// Calls of `Active`.
    private var followers: [Follower] = []
    private var syncs: [(call: VarlinkCall, moment: ServerMoment)] = []

    public init(_ watcher: PhaseWatcher) {
        self.watcher = watcher
    }

    // MARK: Calls

    public func handle(_ call: VarlinkCall) throws(VarlinkError) {
        switch call.method {
        case "List": subscribers.append(try Subscriber(call))
        case "Watch":
            if !call.wantsMore { throw .expectedMore }
            subscribers.append(try Subscriber(call))
        case "Active": followers.append(Follower(call))
        case "Sync": syncs.append((call, watcher.askServer()))
        default: throw .methodNotFound(call.method)
        }
    }

    /// Forgets calls that are answered, or whose client is gone.
    private func forgetEnded() {
        subscribers.removeAll(where: \.call.isOver)
        followers.removeAll(where: \.call.isOver)
    }

    // MARK: Events

    public var details: PhaseWatcher.Details {
        var details: PhaseWatcher.Details = followers.isEmpty ? [] : [.titles, .locations]
        // Also before the first reply: a title that is set after it is reported only if it is followed already.
        if followers.contains(where: \.call.wantsMore) { details.insert(.titleChanges) }
        return subscribers.reduce(details) { $0.union($1.details) }
    }

    public func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        for subscriber in subscribers where subscriber.hasBegun { subscriber.take(events, at: time) }
        for follower in followers where follower.last != nil { follower.isStale = true }
    }

    public func takeSnapshot(_ events: [Event], at time: Timestamp) {
        // Hooks request snapshots, too.
        for subscriber in subscribers where !subscriber.hasBegun { subscriber.begin(events, at: time) }
        for follower in followers where follower.last == nil { follower.isStale = true }
        follow()
        forgetEnded()
    }

    public func finishTurn(_ requests: inout WatchRequests) {
        for index in syncs.indices.reversed()
        where syncs[index].call.isOver || watcher.hasReported(&syncs[index].moment) {
            syncs.remove(at: index).call.reply()
        }
        // Clients that have read everything get what they missed.
        for subscriber in subscribers where subscriber.call.backlog == 0 {
            subscriber.take(subscriber.backlog.catchUp(watcher.resync), at: .now())
        }
        follow()
        forgetEnded()
        for subscriber in subscribers {
            subscriber.backlog.prepare(watcher.state, isFull: subscriber.call.backlog > Self.mostBacklog)
        }
        if subscribers.contains(where: { !$0.hasBegun }) || followers.contains(where: { $0.last == nil }) {
            requests.wantsSnapshot = true
        }
    }

    /// Reports the active scene to followers that do not know it. A follower with unread replies gets the latest scene
    /// once it has read them.
    private func follow() {
        let stale = followers.filter { $0.isStale && $0.call.backlog == 0 }
        if stale.isEmpty || watcher.isFocusSettling { return }
        let scene = watcher.activeScene()
        let row = scene.map { Event.change($0).json(sequence: nil, time: .now()) } ?? Array("null".utf8)
        for follower in stale {
            follower.isStale = false
            if follower.last == .some(scene) { continue }
            follower.last = scene
            follower.call.reply("active", json: row, isLast: !follower.call.wantsMore)
        }
    }
}

/// A call of `Active`.
private final class Follower {
    let call: VarlinkCall
    /// The scene in its last reply; nil before the first reply, which waits until the title of the scene has been read.
    var last: Change??
    /// Whether the scene may have changed since.
    var isStale = false

    init(_ call: VarlinkCall) { self.call = call }
}

/// A call of `List` or `Watch`.
private final class Subscriber {
    private struct Parameters: Decodable { var filter: Filter? }

    private struct Filter: Decodable {
        var application: CalledPatterns?
        var level: Set<Change.Level>?
        var phase: Set<ScenePhase>?
        var titles: Bool?
        var facts: Bool?
        var initial: Bool?
    }

    let call: VarlinkCall
    /// Whether it has got the state.
    private(set) var hasBegun = false
    private let wantsInitial: Bool
    var backlog = Backlog()
    private var sequence = 0
    private let filter: EventFilter

    init(_ call: VarlinkCall) throws(VarlinkError) {
        let wanted = try call.parameters(Parameters.self).filter ?? Filter()
        var criteria = Criteria()
        criteria.application = wanted.application?.all ?? []
        self.call = call
        wantsInitial = wanted.initial ?? true
        filter = EventFilter(
            levels: wanted.level ?? [.application], criteria: criteria, phases: wanted.phase,
            hidesInitial: false, reportsTitles: wanted.titles ?? false, reportsFacts: wanted.facts ?? false)
    }

    var details: PhaseWatcher.Details {
        filter.details.union(filter.reports(.phase, of: .scene) ? [.titles, .locations] : [])
    }

    /// Sends the current state if it is wanted.
    func begin(_ events: [Event], at time: Timestamp) {
        hasBegun = true
        if isList || wantsInitial { send(rows(of: events, at: time), isLast: !call.wantsMore) }
    }

    /// Sends the events that it wants.
    func take(_ events: [Event], at time: Timestamp) {
        let rows = rows(of: events, at: time)
        if !rows.isEmpty { send(rows, isLast: false) }
    }

    private var isList: Bool { call.method == "List" }

    private func rows(of events: [Event], at time: Timestamp) -> [[UInt8]] {
        events.filter { filter.accepts($0) && !backlog.drops(1) }.map { event in
            sequence += 1
            return event.json(sequence: sequence, time: time)
        }
    }

    private func send(_ rows: [[UInt8]], isLast: Bool) {
        if isList {
            let list = rows.joined(separator: Array(",".utf8))
            call.reply("rows", json: Array("[".utf8) + list + Array("]".utf8), isLast: isLast)
        } else {
            for row in rows { call.reply("change", json: row, isLast: false) }
        }
    }
}

extension PhasesInterface {
    public static let name = "org.xphase.Phases"

    public static let description = """
        # Phases of the applications, groups and scenes on an X display.
        interface org.xphase.Phases

        type Counts (active: int, inactive: int, background: int)

        # The keys and values of 'xphase watch --json'. A notice has v, seq, time, kind, notice and text only, and a cause if
        # it is named session.
        type Change (
          v: int, seq: ?int, time: string, kind: string, change: ?string,
          application: ?string, group: ?string, scene: ?string,
          from: ?string, to: ?string, cause: ?string, held: ?float,
          title: ?string, pid: ?int, desktop: ?int, role: ?string, monitor: ?string, desktop_name: ?string, extent: ?string,
          scenes: ?Counts, pids: ?[]int,
          notice: ?string, text: ?string
        )

        # application: at most 100 patterns for class and instance names. level: application, group, scene; by default application.
        # phase: only changes to these phases, none of what closes. titles: changes of titles too, and the scenes that
        # come and go; facts: the same of monitors, desktops, extents and roles. initial: false to leave out what is there
        # when a watch begins.
        type Filter (application: ?[]string, level: ?[]string, phase: ?[]string, titles: ?bool, facts: ?bool,
          initial: ?bool)

        # The current state. With more: then also the changes, those of a moment together.
        method List(filter: ?Filter) -> (rows: []Change)

        # With more: the current state, then each change. Once 1 MiB is unread, changes are skipped; after the client has
        # caught up, it gets a notice named resync, then the current state.
        method Watch(filter: ?Filter) -> (change: Change)

        # The scene that has the focus, under every policy and however long the user is idle. With more: again whenever it,
        # its phase or its title changes.
        method Active() -> (active: ?Change)

        # Replies once every change of a phase that earlier events of the X server cause has been reported. It does not
        # wait for windows to be covered, or for the user to be idle, for long enough.
        method Sync() -> ()

        # All 256 connections are busy. The text is for the user, and names the process with the most.
        error TooManyConnections (text: string)

        """
}
