import Console
import PhaseWatch
import System

/// The phases on a display, as the service of the display reports them to a command.
public final class ServedPhases {
    /// The parameters of `List` and `Watch`: everything.
    private struct Everything: Encodable {
        struct Filter: Encodable {
            let level = Change.Level.allCases
            let facts = true
            let initial = false
        }

        let filter = Filter()
    }

    /// The display that is served.
    public let displayName: String
    private let environment: Environment
    private let client: VarlinkClient
    private var groups = GroupNames()

    /// - Throws: `ServiceError`; it is `notRunning` if no service serves the display.
    public init(display: String, environment: Environment) throws {
        (displayName, self.environment) = (display, environment)
        client = try VarlinkClient(display: display, environment: environment)
    }

    /// Returns everything that is present, as changes of the kind `initial`.
    public func present() throws -> [Event] { try Self.rows(client).map { groups.event($0) } }

    /// Returns the scene with the focus, or with a monitor the one that had it last there; nil if there is none.
    public func activeScene(on monitor: String?) throws -> Change? {
        let row: ChangeRow? = try client.ask(
            "Active", of: PhasesInterface.name, ["monitor": monitor], for: "active")
        return row.flatMap { groups.event($0).change }
    }

    /// Passes the present state, and then all changes, to members of a watch.
    ///
    /// - Returns: The signal that ended the watch; nil if a member is done, or the reader of the output is gone.
    /// - Throws: `ServiceError.cutOff` if the service ends, and the errors of the members.
    public func run(into members: [any WatchMember]) throws -> Int32? {
        client.call("\(PhasesInterface.name).Watch", Everything(), wantsMore: true)
        // Another connection lists what is present, since the first one reports changes until it is closed.
        let rows = try Self.rows(VarlinkClient(display: displayName, environment: environment))
        let start = rows.first?.time ?? ""
        return try pass(rows.map { groups.event($0) }, to: members) { [self] in
            var events: [Event] = []
            while let row = try client.taken([String: ChangeRow].self)?["change"] {
                // What was reported before the list is part of it.
                if row.time > start { events.append(groups.event(row)) }
            }
            return events.isEmpty ? nil : events
        }
    }

    /// Passes the scene with the focus to members of a watch, whenever it changes: one event, or none if there is no such
    /// scene.
    ///
    /// - Returns, throws: As `run`.
    public func follow(activeOn monitor: String?, into members: [any WatchMember]) throws -> Int32? {
        client.call("\(PhasesInterface.name).Active", ["monitor": monitor], wantsMore: true)
        return try pass(nil, to: members) { [self] in
            var last: [Event]?
            while let reply = try client.taken([String: ChangeRow?].self) {
                last = reply["active"]?.map { [groups.event($0)] } ?? []
            }
            return last
        }
    }

    private static func rows(_ client: VarlinkClient) throws -> [ChangeRow] {
        try client.ask("List", of: PhasesInterface.name, Everything(), for: "rows")
    }

    // MARK: The loop

    /// - Parameters:
    ///   - first: The events to begin with; nil for none.
    ///   - read: Returns the events in the replies that have been read; nil if there is no reply.
    private func pass(
        _ first: [Event]?, to members: [any WatchMember], _ read: () throws -> [Event]?
    ) throws -> Int32? {
        let loop = try EventLoop(
            display: client.connection.number, output: members.lazy.compactMap(\.output).first,
            signals: EventLoop.endingSignals + members.flatMap { $0.signals + $0.endingSignals })
        for member in members { member.join(loop) }
        var events = first
        while true {
            if let events { for member in members { try member.take(events, at: .now()) } }
            events = nil
            var requests = WatchRequests()
            for member in members { member.finishTurn(&requests) }
            if members.contains(where: \.isDone) { return nil }
            loop.setTimer(members.compactMap(\.next).min())
            switch try loop.wait(hasBacklog: members.contains(where: \.hasBacklog)) {
            case .display:
                let isOpen = try client.read()
                events = try read()
                if !isOpen && events == nil { throw ServiceError.cutOff(pid: client.process) }
            case .timer: for member in members { member.wake() }
            case .output: for member in members { try member.flush() }
            case .signal(let number):
                let takers = members.filter { $0.signals.contains(number) }
                if takers.isEmpty { return number }
                for taker in takers { taker.received(number) }
            case .hangUp: return nil
            case .ready, .resumed: break
            }
        }
    }
}

/// The instance names of applications, which the rows of their groups tell.
private struct GroupNames {
    private var names: [String: Set<String>] = [:]

    /// Returns the event of a row. The rows of groups come before those of their application.
    mutating func event(_ row: ChangeRow) -> Event {
        guard var change = row.event.change else { return row.event }
        switch change.subject {
        case .group(var members):
            let name = change.group ?? ""
            members.groups = [name]
            change.subject = .group(members)
            if change.to == nil {
                names[change.application]?.remove(name)
            } else {
                names[change.application, default: []].insert(name)
            }
        case .application(var members):
            members.groups = names[change.application, default: []].sorted()
            change.subject = .application(members)
            if change.to == nil { names[change.application] = nil }
        case .scene: break
        }
        return .change(change)
    }
}

/// An event, decoded from the row that `Event.json` writes.
private struct ChangeRow: Decodable {
    private enum Key: String, CodingKey {
        case time, kind, change, application, group, scene, from, to, cause, held, title, pid, desktop, role,
            monitor
        case extent, scenes, pids, notice, text
        case desktopName = "desktop_name"
    }

    let event: Event
    let time: String

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: Key.self)
        func value<Value: Decodable>(_ key: Key) throws -> Value? {
            try row.decodeIfPresent(Value.self, forKey: key)
        }
        time = try row.decode(String.self, forKey: .time)
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
            let members = Change.Members(
                counts: try value(.scenes) ?? Change.Counts(), pids: try value(.pids) ?? [], groups: [])
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
