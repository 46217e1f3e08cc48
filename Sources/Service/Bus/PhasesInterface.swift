import Console
import PhaseWatch
import System

/// The interface that reports phases to callers and subscribers.
public final class PhasesInterface: Sink, VarlinkInterface {
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
    private var changesDetails = false
    private var clock = UTCText()
    private var rest = ByteBuffer()

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
        (wantsSnapshot, changesDetails) = (true, true)
        call.changed = { [weak self, weak call] in if let call { self?.changed(call) } }
    }

    private func changed(_ call: VarlinkCall) {
        if call.isOpen {
            guard call.backlog == 0 else { return }
            if let subscriber = subscribers.first(where: { $0.call === call }) {
                catchUp(subscriber)
            } else if let follower = followers.first(where: { $0.call === call }) {
                // The follower may have missed a change.
                follow(at: .now(), [follower])
            }
        } else {
            subscribers.removeAll { $0.call === call }
            starting.removeAll { $0.call === call }
            asking.removeAll { $0.call === call }
            followers.removeAll { $0.call === call }
            changesDetails = true
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
        for event in events { send(event, at: time, to: subscribers) }
        follow(at: time, followers.filter { events.concernsActiveScene(on: $0.monitor) })
    }

    public func takeSnapshot(_ events: [Event], at time: Timestamp) {
        let (calls, questions) = (starting, asking)
        // Hooks request snapshots, too.
        if calls.isEmpty && questions.isEmpty { return }
        (starting, asking) = ([], [])
        for subscriber in calls {
            let chosen = events.filter(subscriber.accepts)
            if subscriber.call.method == "List" {
                subscriber.call.reply(json: list(of: chosen, at: time))
            } else {
                subscribers.append(subscriber)
                if !subscriber.wantsInitial { continue }
                for event in chosen { send(event, at: time, to: [subscriber], isChosen: true) }
            }
        }
        followers += questions.filter(\.call.wantsMore)
        follow(at: time, questions)
        changesDetails = true
    }

    public func finishTurn(_ requests: inout WatchRequests) {
        for index in syncs.indices.reversed()
        where !syncs[index].call.isOpen || watcher.hasReported(&syncs[index].moment) {
            syncs.remove(at: index).call.reply([String: String]())
        }
        for subscriber in subscribers
        where subscriber.lastReported == nil && subscriber.call.backlog > Self.mostBacklog {
            subscriber.lastReported = watcher.state
        }
        if wantsSnapshot { requests.wantsSnapshot = true }
        if changesDetails { requests.changesDetails = true }
        (wantsSnapshot, changesDetails) = (false, false)
    }

    /// Sends a resync to a subscriber that has read all its replies, if it has missed changes.
    private func catchUp(_ subscriber: Subscriber) {
        guard let state = subscriber.lastReported else { return }
        let lost = subscriber.lost
        (subscriber.lastReported, subscriber.lost) = (nil, 0)
        if lost == 0 { return }
        for event in [.notice(.resync(lost: lost))] + watcher.resync(since: state) {
            send(event, at: .now(), to: [subscriber])
        }
    }

    // MARK: Replies

    /// Sends a change to subscribers. Everything but its number is encoded once for all of them.
    private func send(
        _ event: Event, at time: Timestamp, to subscribers: [Subscriber], isChosen: Bool = false
    ) {
        var isWritten = false
        for subscriber in subscribers where isChosen || subscriber.accepts(event) {
            if subscriber.lastReported != nil {
                subscriber.lost += 1
                continue
            }
            if !isWritten { write(event, at: time) }
            isWritten = true
            subscriber.sequence += 1
            subscriber.call.reply(change: subscriber.sequence, rest)
        }
    }

    private func list(of events: [Event], at time: Timestamp) -> [UInt8] {
        var rows = ByteBuffer()
        for (index, event) in events.enumerated() {
            rows.append(index == 0 ? "{\"rows\":[" : "," as StaticString)
            JSONLine.append(event, sequence: index + 1, time: time, &clock, to: &rows)
        }
        rows.append(events.isEmpty ? "{\"rows\":[]}" : "]}" as StaticString)
        return rows.withBytes { Array($0) }
    }

    /// Reports the active scene to followers that do not know it. A follower with unread replies gets the latest scene
    /// once it has read them.
    private func follow(at time: Timestamp, _ followers: [Follower]) {
        // One lookup serves all followers of a monitor.
        for (monitor, followers) in Dictionary(grouping: followers, by: \.monitor) {
            let scene = watcher.activeScene(on: monitor)
            let row = scene.map { JSONLine.bytes(of: .change($0), sequence: nil, time: time) }
            let json = Array("{\"active\":".utf8) + (row ?? Array("null".utf8)) + [UInt8(ascii: "}")]
            for follower in followers where follower.call.backlog == 0 && follower.last != .some(scene) {
                follower.last = scene
                follower.call.reply(json: json, isLast: !follower.call.wantsMore)
            }
        }
    }

    /// Encodes everything after the number.
    private func write(_ event: Event, at time: Timestamp) {
        rest.removeFirst(rest.count)
        JSONLine.appendRest(event, time: time, &clock, to: &rest)
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
    var sequence = 0
    /// The state when it got its last change; nil while it gets all changes.
    var lastReported: PhaseWatcher.State?
    var lost = 0
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
        filter.details.union(filter.accepts(.scene) ? [.titles, .places] : [])
    }

    func accepts(_ event: Event) -> Bool { filter.accepts(event) }
}
