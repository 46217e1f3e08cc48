import PhaseWatch

/// What `enter` was run for, as the undo record holds it: a change, or the name of a state of the session.
enum RecordedOccasion: Hashable, Codable, Sendable {
    case change(RecordedChange)
    case session(SessionLimit)

    init(_ occasion: HookTrigger.Occasion) {
        self =
            switch occasion {
            case .change(let change): .change(RecordedChange(change))
            case .session(let change): .session(change.limit)
            }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
            if let limit = try? container.decode(SessionLimit.self) {
                .session(limit)
            } else {
                .change(try container.decode(RecordedChange.self))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .change(let change): try container.encode(change)
        case .session(let limit): try container.encode(limit)
        }
    }

    var value: HookTrigger.Occasion {
        switch self {
        case .change(let change): .change(change.value)
        case .session(let limit): .session(.abandoned(limit))
        }
    }
}

/// A change as the undo record holds it. Its keys are not those of lines, which lack what hooks match.
struct RecordedChange: Hashable, Codable, Sendable {
    fileprivate enum Subject: Hashable, Codable {
        case scene(Scene)
        case group(Members)
        case application(Members)
    }

    fileprivate struct Scene: Hashable, Codable {
        let id: WindowID
        let title: String?
        let pid: Int32?
        let desktop: Int?
        let process: String?
        let role: String?
        let monitor: String?
        let desktopName: String?
        let extent: Change.Extent?
    }

    fileprivate struct Members: Hashable, Codable {
        struct Counts: Hashable, Codable { let active, inactive, background: Int }

        let counts: Counts
        let pids: [Int32]
        let groups: [String]
        let desktops: [Int]
        let processes: [String]
    }

    private let kind: Change.Kind
    private let application: String
    private let group: String?
    private let subject: Subject
    private let from: ScenePhase?
    private let to: ScenePhase?
    private let cause: Cause
    private let held: Duration?

    init(_ change: Change) {
        kind = change.kind
        application = change.application
        group = change.group
        subject =
            switch change.subject {
            case .scene(let facts): .scene(Scene(facts))
            case .group(let members): .group(Members(members))
            case .application(let members): .application(Members(members))
            }
        from = change.from
        to = change.to
        cause = change.cause
        held = change.held
    }

    var value: Change {
        let subject: Change.Subject =
            switch subject {
            case .scene(let scene): .scene(scene.facts)
            case .group(let members): .group(members.totals)
            case .application(let members): .application(members.totals)
            }
        return Change(
            kind: kind, application: application, group: group, subject: subject, from: from, to: to,
            cause: cause, held: held)
    }
}

extension RecordedChange.Scene {
    fileprivate init(_ facts: Change.SceneFacts) {
        self.init(
            id: facts.id, title: facts.title, pid: facts.pid, desktop: facts.desktop, process: facts.process,
            role: facts.role, monitor: facts.monitor, desktopName: facts.desktopName, extent: facts.extent)
    }

    fileprivate var facts: Change.SceneFacts {
        Change.SceneFacts(
            id: id, title: title, pid: pid, desktop: desktop, process: process, role: role, monitor: monitor,
            desktopName: desktopName, extent: extent)
    }
}

extension RecordedChange.Members {
    fileprivate init(_ totals: Change.Members) {
        let counts = totals.counts
        self.init(
            counts: Counts(
                active: counts.active, inactive: counts.inactive, background: counts.background),
            pids: totals.pids, groups: totals.groups, desktops: totals.desktops, processes: totals.processes)
    }

    fileprivate var totals: Change.Members {
        Change.Members(
            counts: Change.Counts(
                active: counts.active, inactive: counts.inactive, background: counts.background),
            pids: pids, groups: groups, desktops: desktops, processes: processes)
    }
}
