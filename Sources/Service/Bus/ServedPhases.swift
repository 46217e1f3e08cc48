import Console
import PhaseWatch
import System

/// The phases on a display, as the service of the display reports them to a command.
public final class ServedPhases {
    /// The parameters of `List`.
    private struct Levels: Encodable {
        struct Filter: Encodable { var level: [Change.Level] }

        var filter: Filter

        /// Scenes have the service read titles, too.
        init(withScenes: Bool) {
            filter = Filter(level: withScenes ? Change.Level.allCases : [.group, .application])
        }
    }

    /// The display that is served.
    public let displayName: String
    private let client: VarlinkClient
    private var groups = GroupNames()

    /// - Parameter patience: The time for connecting and for the first reply.
    /// - Throws: `ServiceError`; it is `notRunning` if no service serves the display.
    public init(display: String, environment: Environment, patience: Duration = .seconds(5)) throws {
        displayName = display
        client = try VarlinkClient(display: display, environment: environment, patience: patience)
    }

    /// Returns everything that is present, as changes of the kind `initial`.
    public func present() throws -> [Event] {
        groups.events(
            of: try client.ask("List", of: PhasesInterface.name, Levels(withScenes: true), for: "rows"))
    }

    /// Returns the scene with the focus; nil if there is none.
    public func activeScene() throws -> Change? {
        let row: ChangeRow? = try client.ask(
            "Active", of: PhasesInterface.name, VarlinkClient.nothing, for: "active")
        return row?.event.change
    }

    /// Passes the present state, and then all changes, to members of a watch.
    ///
    /// - Parameters:
    ///   - members: They receive groups and applications.
    ///   - withScenes: Whether they receive scenes, too.
    /// - Returns: The signal that ended the watch; nil if a member is done, or the reader of the output is gone.
    /// - Throws: `ServiceError.cutOff` if the service ends, and the errors of the members.
    public func run(into members: [any WatchMember], withScenes: Bool) throws -> Int32? {
        client.call("\(PhasesInterface.name).List", Levels(withScenes: withScenes), wantsMore: true)
        return try pass(to: members) { reply in
            (reply as [String: [ChangeRow]])["rows"].map { groups.events(of: $0) } ?? []
        }
    }

    /// Passes the scene with the focus to members of a watch, whenever it changes: one event, or none if there is no such
    /// scene.
    ///
    /// - Returns, throws: As `run`.
    public func followActive(into members: [any WatchMember]) throws -> Int32? {
        client.call("\(PhasesInterface.name).Active", VarlinkClient.nothing, wantsMore: true)
        return try pass(to: members) { (reply: [String: ChangeRow?]) in
            [reply["active"]??.event].compactMap(\.self)
        }
    }

    // MARK: The loop

    /// - Parameter events: Returns the events in a reply.
    private func pass<Reply: Decodable>(
        to members: [any WatchMember], _ events: (Reply) -> [Event]
    ) throws -> Int32? {
        let loop = try EventLoop(
            display: client.connection.number, output: members.lazy.compactMap(\.output).first,
            signals: members.awaitedSignals)
        for member in members { member.join(loop) }
        var hasBegun = false
        while true {
            var requests = WatchRequests()
            for member in members { member.finishTurn(&requests) }
            if members.contains(where: \.isDone) { return nil }
            loop.setTimer((members.map(\.next) + [hasBegun ? nil : client.end]).compactMap(\.self).min())
            switch try loop.wait(hasBacklog: members.contains(where: \.hasBacklog)) {
            case .display:
                let isOpen = try client.read()
                while let reply = try client.taken(Reply.self) {
                    hasBegun = true
                    for member in members { try member.take(events(reply), at: .now()) }
                }
                if !isOpen { throw ServiceError.cutOff(pid: client.process) }
            case .timer:
                if !hasBegun && client.end <= Clock.now() { throw ServiceError.silent(pid: client.process) }
                for member in members { member.wake() }
            case .output: for member in members { try member.flush() }
            case .signal(let number):
                if !members.take(number) { return number }
            case .hangUp: return nil
            case .ready, .resumed: break
            }
        }
    }
}

/// The instance names of applications, from the rows of their groups.
struct GroupNames {
    private(set) var names: [String: Set<String>] = [:]

    /// Returns the events of rows that were reported together. Those of groups come before that of their application, which
    /// still has the names of groups that have closed.
    mutating func events(of rows: [ChangeRow]) -> [Event] {
        var closed: [(application: String, group: String)] = []
        defer {
            for (application, group) in closed {
                names[application]?.remove(group)
                if names[application]?.isEmpty ?? false { names[application] = nil }
            }
        }
        return rows.map { row in
            guard var change = row.event.change else { return row.event }
            switch change.subject {
            case .group(var members):
                let name = change.group ?? ""
                members.groups = [name]
                change.subject = .group(members)
                names[change.application, default: []].insert(name)
                if change.to == nil { closed.append((change.application, name)) }
            case .application(var members):
                members.groups = names[change.application, default: []].sorted()
                change.subject = .application(members)
            case .scene: break
            }
            return .change(change)
        }
    }
}

/// An event, decoded from the row that `Event.json` writes.
struct ChangeRow: Decodable {
    let event: Event

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: EventField.self)
        func value<Value: Decodable>(_ key: EventField) throws -> Value? {
            try row.decodeIfPresent(Value.self, forKey: key)
        }
        guard let level = Change.Level(rawValue: try row.decode(String.self, forKey: .kind)) else {
            event = .notice(Notice(name: try value(.notice) ?? "", text: try value(.text) ?? ""))
            return
        }
        let subject: Change.Subject
        if level == .scene {
            let xid = try row.decode(String.self, forKey: .scene).dropFirst(2)
            subject = try .scene(
                Change.SceneFacts(
                    id: WindowID(UInt32(xid, radix: 16) ?? 0), title: value(.title), pid: value(.pid),
                    desktop: value(.desktop), role: value(.role), monitor: value(.monitor),
                    desktopName: value(.desktopName), extent: value(.extent)))
        } else {
            let scenes: [String: Int] = try value(.scenes) ?? [:]
            let counts = Change.Counts(
                active: scenes["active"] ?? 0, inactive: scenes["inactive"] ?? 0,
                background: scenes["background"] ?? 0)
            let members = Change.Members(counts: counts, pids: try value(.pids) ?? [], groups: [])
            subject = level == .group ? .group(members) : .application(members)
        }
        event = .change(
            Change(
                kind: try row.decode(Change.Kind.self, forKey: .change),
                application: try row.decode(String.self, forKey: .application), group: try value(.group),
                subject: subject, from: try value(.from), to: try value(.to),
                cause: try row.decode(Cause.self, forKey: .cause),
                held: (try value(.held) as Double?).map { .seconds($0) }))
    }
}
