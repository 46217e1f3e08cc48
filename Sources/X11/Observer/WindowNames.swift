import CXPipeline
import CXlib
import Scenes
import System

/// The host that the local clients of the display run on, and its processes, as /proc describes them.
package struct LocalHost {
    /// _NET_WM_PID counts only if WM_CLIENT_MACHINE equals it.
    var name = Host.name.bytes
    var executable: (Int32) -> String? = LocalHost.executable

    package init() {}

    /// Returns the name of the file that a process executes; nil if there is no such process.
    package static func executable(of pid: Int32) -> String? {
        guard let name = SystemString("/proc/\(pid)/exe").linkTarget?.components.last?.description else {
            return ProcessFolder(pid: pid)?.text("comm")?.split(separator: "\n").first.map(String.init)
        }
        let deleted = " (deleted)"
        return name.hasSuffix(deleted) ? String(name.dropLast(deleted.count)) : name
    }

    /// Returns whether a process may have another host name: it is in another UTS namespace, as in a sandbox.
    static func isRenamed(_ pid: Int32) -> Bool {
        let name = SystemString("/proc/\(pid)/ns/uts").linkTarget
        return name != nil && name != SystemString("/proc/self/ns/uts").linkTarget
    }
}

/// The managed windows of a client or a process, of which the lowest names those without a class.
private struct Owner {
    /// The lowest of the windows.
    let window: UInt32
    let className: String
    /// Whether all windows have this class.
    var hasOneClass = true

    func joined(with other: Owner?) -> Owner {
        guard let other else { return self }
        var owner = window < other.window ? self : other
        owner.hasOneClass = hasOneClass && other.hasOneClass && className == other.className
        return owner
    }
}

/// Names windows and finds their processes.
package final class WindowNames {
    /// WM_CLASS holds two NUL-terminated strings. This leaves room for a first one beyond the stored length, so that
    /// the second one is found.
    static let classWords = 4 * Text.limitInWords
    private static let hintWords: UInt32 = 9

    private let mirror: Mirror
    private let events: EventSelection
    private let host: LocalHost
    /// The group leader of a window, and its class, as far as it has them.
    private typealias Leader = (window: UInt32?, className: String?)

    /// The known windows without a class, each with its group leader.
    private var nameless: [UInt32: Leader] = [:]

    init(_ mirror: Mirror, _ events: EventSelection, _ host: LocalHost) {
        (self.mirror, self.events, self.host) = (mirror, events, host)
    }

    private var windows: WindowTable {
        _read { yield mirror.desktop.windows }
        _modify { yield &mirror.desktop.windows }
    }

    func forget(_ window: UInt32) { nameless[window] = nil }

    /// Returns the windows without a class that a window is the group leader of.
    func windows(ledBy leader: UInt32) -> [UInt32] {
        nameless.isEmpty ? [] : nameless.filter { $0.value.window == leader }.map(\.key)
    }

    /// Returns whether the group leader of a window matters.
    func needsLeader(_ window: UInt32) -> Bool { nameless[window] != nil }

    /// Names each window without a class after the managed windows of its client; if these have several classes, after its
    /// group leader, or else after the lowest of them. Without such windows, its group leader counts, or else the managed
    /// windows of its process. All this is on the display, so that every reading finds the same name. Call it once
    /// everything is read.
    func nameByOwner() {
        if nameless.isEmpty { return }
        var (byClient, byProcess): ([UInt32: Owner], [Int32: Owner]) = ([:], [:])
        for slot in windows.usedSlots {
            let window = windows.facts[slot]
            guard let name = windows.text(slot).className, mirror.desktop.isManaged(window) else { continue }
            let owner = Owner(window: window.id.xid, className: name)
            byClient[window.client] = owner.joined(with: byClient[window.client])
            if let pid = window.pid { byProcess[pid] = owner.joined(with: byProcess[pid]) }
        }
        for (window, leader) in nameless {
            guard let slot = windows.slot(of: window) else { continue }
            let client = byClient[windows.facts[slot].client]
            let process = windows.facts[slot].pid.flatMap { byProcess[$0] }
            let leading = client?.hasOneClass == true ? nil : leader.className
            let name = leading ?? client?.className ?? process?.className
            if name != windows.text(slot).ownerClass { windows.rename(slot) { $0.ownerClass = name } }
        }
    }

    func take(class property: Property?, _ slot: Int) {
        let (new, former) = (names(property), windows.text(slot))
        if new != (former.instanceName, former.className) {
            windows.rename(slot) { ($0.instanceName, $0.className) = new }
        }
        let window = windows.facts[slot].id.xid
        if new.name == nil || former.className == nil { findExecutable(slot) }
        guard new.name == nil else {
            nameless[window] = nil
            if former.ownerClass != nil { windows.rename(slot) { $0.ownerClass = nil } }
            return
        }
        nameless[window] = nameless[window] ?? (nil, nil)
        if !windows.facts[slot].isOverrideRedirect { askLeader(of: window) }
    }

    /// Asks for the group leader of a window, and follows its class: it may be set later.
    private func askLeader(of window: UInt32) {
        mirror.ask(.wmHints, of: window, words: Self.hintWords) { [unowned self] property in
            let words = property?.words(mirror.atoms[.wmHints]) ?? []
            let isLed = words.count == Self.hintWords && words[0] & UInt32(WindowGroupHint) != 0
            guard isLed, needsLeader(window) else {
                if needsLeader(window) { nameless[window] = (nil, nil) }
                return
            }
            let leader = words[8]
            events.select(unknown: leader)
            mirror.ask(.wmClass, of: leader, words: Self.classWords) { [unowned self] in
                if needsLeader(window) { nameless[window] = (leader, names($0).name) }
            }
        }
    }

    private func names(_ property: Property?) -> (instance: String?, name: String?) {
        let names = property?.text(UInt32(XA_STRING), or: mirror.atoms[.utf8String]).map { Text.split($0) }
        return (
            names.flatMap { Text.decode($0.first).nonEmpty },
            names?.rest.flatMap { Text.decode(Text.split($0).first).nonEmpty }
        )
    }

    func take(role property: Property?, _ slot: Int) {
        let role = latin(property).flatMap { Text.decode($0).nonEmpty }
        windows.rename(slot) { $0.role = role }
    }

    func take(title property: Property?, _ slot: Int) {
        let isUTF8 = property?.type == mirror.atoms[.utf8String]
        let title = latin(property).map { isUTF8 ? Text.decodeUTF8($0) : Text.decode($0) }?.nonEmpty
        windows.rename(slot) { $0.title = title }
    }

    func take(netTitle property: Property?, _ slot: Int) {
        let bytes = property?.text(mirror.atoms[.utf8String]).map { Text.split($0).first }
        guard let title = bytes.map({ Text.decodeUTF8($0) })?.nonEmpty else { return }
        windows.rename(slot) { $0.title = title }
    }

    /// Returns the first string of a property whose type may be STRING or UTF8_STRING.
    private func latin(_ property: Property?) -> UnsafeRawBufferPointer.SubSequence? {
        property?.text(UInt32(XA_STRING), or: mirror.atoms[.utf8String]).map { Text.split($0).first }
    }

    /// Returns whether a title is used. Without a class, the title marks a window that is meant to be seen.
    func needsTitle(_ window: UInt32) -> Bool {
        if mirror.details.readTitles { return true }
        guard let text = windows.slot(of: window).map({ windows.text($0) }) else { return false }
        return text.className == nil && text.instanceName == nil
    }

    /// Decides which process a window belongs to: the one that X-Resource reports. Where the server does not report it,
    /// _NET_WM_PID counts if WM_CLIENT_MACHINE names this host: otherwise, an unrelated process here may have the same
    /// ID. Any client can claim any process of this host, so reactions always require the process that X-Resource
    /// reports. The client of a window from another host may be ssh(1). A sandbox only has a different host name.
    func askProcess(of window: UInt32) {
        var (owner, claimed): (Int32?, Int32?)
        if let resource = mirror.extensions[.resource] {
            mirror.display.ask(mirror.display.process(resource, of: window)) { owner = $0.process }
        }
        mirror.ask(.netPid, of: window, words: 1) {
            claimed = $0?.word(UInt32(XA_CARDINAL)).flatMap { Int32(exactly: $0) }
        }
        mirror.ask(.wmClientMachine, of: window, words: Text.limitInWords) { [unowned self] in
            guard let slot = windows.slot(of: window) else { return }
            let isHere = latin($0).map { $0.elementsEqual(host.name) }
            let known = owner.flatMap { $0 > 0 ? $0 : nil }
            let isOwner = known.map { isHere != false || LocalHost.isRenamed($0) } ?? false
            let mayClaim = known == nil && isHere == true && !mirror.details.contains(.owners)
            let pid = isOwner ? known : mayClaim ? claimed.flatMap { $0 > 0 ? $0 : nil } : nil
            let isNew = pid != windows.facts[slot].pid
            windows.facts[slot].pid = pid
            if isNew || windows.text(slot).executable == nil { findExecutable(slot) }
        }
    }

    private func findExecutable(_ slot: Int) {
        let isUsed = mirror.details.contains(.processes) || windows.text(slot).className == nil
        let name = isUsed ? windows.facts[slot].pid.flatMap(host.executable) : nil
        if name != windows.text(slot).executable { windows.rename(slot) { $0.executable = name } }
    }
}
