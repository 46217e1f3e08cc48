import Hooks
import System

/// The weights and quotas of units, and the mutes of streams. Nothing waits: each answer comes later.
struct Limits {
    let programs: HookPrograms
    let buses: Buses

    /// Sets limits to the wanted values; without these, restores the former ones. Passes on the holds that failed.
    ///
    /// - Parameters:
    ///   - group: The control group of the application.
    ///   - processes: The processes with streams that the audio server may have muted, too.
    func set(
        _ holds: [Hold], to wanted: Wanted?, in group: ControlGroup? = nil,
        with processes: [ProcessIdentity] = [],
        then: @escaping (_ failed: [Hold], ReactionAnswer) -> Void
    ) {
        let isUndo = wanted == nil
        var (failed, answer): ([Hold], ReactionAnswer) = ([], ReactionAnswer())
        func take(_ holds: [Hold], _ builtIn: BuiltIn, _ words: String?, _ errors: [any Error]) {
            if !errors.isEmpty { failed += holds }
            let fault = isUndo ? "is not restored" : "is not \(builtIn.participle)"
            answer.faults += errors.map { ReactionWords(builtIn, "\(fault): \($0)") }
            if let words { answer.done.append(ReactionWords(builtIn, words)) }
        }
        let answers = Answers { then(failed, answer) }
        for hold in holds {
            guard case .limited(let unit, let builtIn, let former) = hold else { continue }
            let (words, values): (String, [UInt64]) =
                switch (wanted, builtIn == .cap ? wanted?.cap : nil) {
                case (nil, _): ("no longer \(builtIn.participle)", former)
                case (_, let cap?): ("capped at \(cap.rawValue) (\(unit))", [cap.microseconds])
                case (_, nil): ("\(builtIn.participle) (\(unit))", former.map { _ in 10 })
                }
            UserUnits(buses: buses).set(
                values, of: unit, by: builtIn, isUndo: isUndo,
                then: answers.awaiting { error in
                    take([hold], builtIn, error == nil ? words : nil, [error].compactMap(\.self))
                    if !isUndo, error == nil, let group, group.name == unit {
                        answer.remarks += ReactionLacks.controllers(for: [builtIn], unless: group.has)
                    }
                })
        }
        let muted = holds.filter { $0.muted != nil }
        if !muted.isEmpty {
            Sound(programs: programs, buses: buses).set(
                muted.compactMap(\.muted), isMuted: !isUndo, processes,
                then: answers.awaiting { (count, faults) in
                    let streams = count == 1 ? "1 stream" : "\(count) streams"
                    let words = count > 0 ? "\(isUndo ? "un" : "")muted (\(streams))" : nil
                    take(muted, .mute, words, faults)
                })
        }
        answers.end()
    }
}
