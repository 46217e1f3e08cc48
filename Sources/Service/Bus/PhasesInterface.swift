import Console
import PhaseWatch
import System

/// The interface that reports phases to callers and subscribers.
public final class PhasesInterface: Sink, LoopPart, VarlinkInterface {
    /// The number of unread bytes above which a subscriber gets no further changes until it has read everything.
    static let mostBacklog = 1 << 20

    private let watcher: PhaseWatcher
    /// Calls of `Watch` that get each change.
    private var subscribers: [Subscriber] = []
    /// Calls of `List` and `Watch` that wait for a snapshot.
    private var starting: [Subscriber] = []
    /// Calls of `Active` that wait until the title of the scene has been read.
    private var asking: [Follower] = []
    /// Calls of `Active` that get the scene whenever it changes.
    private var followers: [Follower] = []
    private var syncs: [(call: VarlinkCall, moment: ServerMoment)] = []
    private var wantsSnapshot = false

    public init(_ watcher: PhaseWatcher) {
        self.watcher = watcher
    }

    // MARK: Calls

    public func handle(_ call: VarlinkCall) throws(VarlinkError) {
        switch call.method {
        case "List": starting.append(try Subscriber(call))
        case "Watch":
            if !call.wantsMore { throw .expectedMore }
            starting.append(try Subscriber(call))
        case "Active": asking.append(try Follower(call))
        case "Sync": return syncs.append((call, watcher.askServer()))
        default: throw .methodNotFound(call.method)
        }
        wantsSnapshot = true
        call.changed = { [weak self, weak call] in if let call { self?.changed(call) } }
    }

    private func changed(_ call: VarlinkCall) {
        if call.isOpen {
            guard call.backlog == 0 else { return }
            if let subscriber = subscribers.first(where: { $0.call === call }) {
                subscriber.take(subscriber.backlog.catchUp(watcher.resync), at: .now())
            } else if let follower = followers.first(where: { $0.call === call }) {
                // The follower may have missed a change.
                follow(at: .now(), [follower])
            }
        } else {
            subscribers.removeAll { $0.call === call }
            starting.removeAll { $0.call === call }
            asking.removeAll { $0.call === call }
            followers.removeAll { $0.call === call }
        }
    }

    // MARK: Events

    public var details: PhaseWatcher.Details {
        let calls = (asking + followers).map(\.call)
        var details: PhaseWatcher.Details = calls.isEmpty ? [] : [.titles, .places]
        // Also before the first reply: a title that is set after it is reported only if it is followed already.
        if calls.contains(where: \.wantsMore) { details.insert(.titleChanges) }
        return (starting + subscribers).reduce(details) { $0.union($1.details) }
    }

    public func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        for subscriber in subscribers { subscriber.take(events, at: time) }
        follow(at: time, followers.filter { events.concernsActiveScene(on: $0.monitor) })
    }

    public func takeSnapshot(_ events: [Event], at time: Timestamp) {
        let (calls, questions) = (starting, asking)
        // Hooks request snapshots, too.
        if calls.isEmpty && questions.isEmpty { return }
        (starting, asking) = ([], [])
        for subscriber in calls {
            if subscriber.call.method == "List" {
                subscriber.list(events, at: time)
            } else {
                subscribers.append(subscriber)
                if subscriber.wantsInitial { subscriber.take(events, at: time) }
            }
        }
        followers += questions.filter(\.call.wantsMore)
        follow(at: time, questions)
    }

    public func finishTurn(_ requests: inout WatchRequests) {
        for index in syncs.indices.reversed()
        where !syncs[index].call.isOpen || watcher.hasReported(&syncs[index].moment) {
            syncs.remove(at: index).call.reply([String: String]())
        }
        for subscriber in subscribers {
            subscriber.backlog.prepare(
                watcher.state, isFull: subscriber.call.backlog > Self.mostBacklog)
        }
        if wantsSnapshot { requests.wantsSnapshot = true }
        wantsSnapshot = false
    }

    /// Reports the active scene to followers that do not know it. A follower with unread replies gets the latest scene
    /// once it has read them.
    private func follow(at time: Timestamp, _ followers: [Follower]) {
        // One lookup serves all followers of a monitor.
        for (monitor, followers) in Dictionary(grouping: followers, by: \.monitor) {
            let scene = watcher.activeScene(on: monitor)
            let row = scene.map { Event.change($0).json(sequence: nil, time: time) }
            let json = Array("{\"active\":".utf8) + (row ?? Array("null".utf8)) + [UInt8(ascii: "}")]
            for follower in followers where follower.call.backlog == 0 && follower.last != .some(scene) {
                follower.last = scene
                follower.call.reply(json: json, isLast: !follower.call.wantsMore)
            }
        }
    }
}

/// A call of `Active`.
private final class Follower {
    private struct Parameters: Decodable { var monitor: String? }

    let call: VarlinkCall
    let monitor: String?
    /// The scene in its last reply; nil before the first reply.
    var last: Change??

    init(_ call: VarlinkCall) throws(VarlinkError) {
        (self.call, monitor) = (call, try call.parameters(Parameters.self).monitor)
    }
}

/// A call of `List` or `Watch`.
private final class Subscriber {
    private struct Parameters: Decodable { var filter: Filter? }

    private struct Filter: Decodable {
        var application: [Pattern]?
        var level: Set<Change.Level>?
        var phase: Set<ScenePhase>?
        var titles: Bool?
        var facts: Bool?
        var initial: Bool?
    }

    let call: VarlinkCall
    let wantsInitial: Bool
    var backlog = Backlog()
    private var sequence = 0
    private let filter: EventFilter

    init(_ call: VarlinkCall) throws(VarlinkError) {
        let wanted = try call.parameters(Parameters.self).filter ?? Filter()
        var criteria = Criteria()
        criteria.application = wanted.application ?? []
        if criteria.application.contains(where: { Pattern.fault(in: $0.text) != nil }) {
            throw .invalidParameter("filter")
        }
        self.call = call
        wantsInitial = wanted.initial ?? true
        filter = EventFilter(
            levels: wanted.level ?? [.application], criteria: criteria, phases: wanted.phase,
            hidesInitial: false,
            reportsTitles: wanted.titles ?? false, reportsFacts: wanted.facts ?? false)
    }

    var details: PhaseWatcher.Details {
        filter.details.union(filter.reports(.phase, of: .scene) ? [.titles, .places] : [])
    }

    /// Sends the events that it wants.
    func take(_ events: [Event], at time: Timestamp) {
        for event in events where filter.accepts(event) && !backlog.drops(1) {
            sequence += 1
            let change = event.json(sequence: sequence, time: time)
            call.reply(json: "{\"change\":".utf8 + change + "}".utf8, isLast: false)
        }
    }

    /// Ends the call with the events that it wants.
    func list(_ events: [Event], at time: Timestamp) {
        var rows = Array("{\"rows\":[".utf8)
        for (index, event) in events.filter(filter.accepts).enumerated() {
            if index > 0 { rows.append(",") }
            rows += event.json(sequence: index + 1, time: time)
        }
        rows.append("]}")
        call.reply(json: rows)
    }
}
