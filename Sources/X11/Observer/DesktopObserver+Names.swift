import CXlib
import Scenes

extension DesktopObserver {
    /// Returns all facts that are read of a window.
    func allFacts(_ slot: Int) -> StaleFacts {
        let window = desktop.windows.facts[slot]
        var facts: StaleFacts = window.isOverrideRedirect ? .lockerCandidate : .all
        if !wants.titles { facts.remove(.title) }
        if window.topLevel == window.id.xid { facts.remove(.topLevel) }
        return facts
    }

    /// Returns whether a title is used. Without a class, the title marks a window that is meant to be seen.
    func needsTitle(_ slot: Int) -> Bool {
        if wants.titles { return true }
        let text = desktop.windows.text(slot)
        return text.className == nil && text.instanceName == nil
    }

    /// Whether titles have changed that `readTitles` would read. Clients may write titles at any rate, so the caller,
    /// which has a clock, decides when to read them.
    package var hasNewTitles: Bool { !news.retitled.isEmpty }

    /// Marks the titles that have changed as stale.
    package func readTitles() {
        for slot in news.retitled {
            known.notes[Int(slot)].isRetitled = false
            if !desktop.windows.facts[Int(slot)].isGone { mark(.title, Int(slot)) }
        }
        news.retitled.empty()
    }

    func noteTitle(_ slot: Int) {
        if known.notes[slot].isRetitled { return }
        known.notes[slot].isRetitled = true
        news.retitled.append(Int32(slot))
    }

    func absorbClasses(_ property: Property?, _ slot: Int) {
        let names = property?.text(UInt32(XA_STRING), or: atoms[.utf8String]).map { Text.split($0) }
        let instance = names.flatMap { Text.decode($0.first).nonEmpty }
        let name = names?.rest.flatMap { Text.decode(Text.split($0).first).nonEmpty }
        desktop.windows.rename(slot) {
            $0.instanceName = instance
            $0.className = name
        }
        if !wants.titles && name == nil && instance == nil { mark(.title, slot) }
        nameByExecutable(slot)
    }

    func absorbRole(_ property: Property?, _ slot: Int) {
        let bytes = property?.text(UInt32(XA_STRING), or: atoms[.utf8String]).map { Text.split($0).first }
        let role = bytes.flatMap { Text.decode($0).nonEmpty }
        desktop.windows.rename(slot) { $0.role = role }
    }

    func absorbTitle(_ property: Property?, _ slot: Int) {
        let isUTF8 = property?.type == atoms[.utf8String]
        let bytes = property?.text(UInt32(XA_STRING), or: atoms[.utf8String]).map { Text.split($0).first }
        let title = bytes.map { isUTF8 ? Text.decodeUTF8($0) : Text.decode($0) }?.nonEmpty
        desktop.windows.retitle(slot, title)
    }

    func absorbNetTitle(_ property: Property?, _ slot: Int) {
        let bytes = property?.text(atoms[.utf8String]).map { Text.split($0).first }
        guard let title = bytes.map({ Text.decodeUTF8($0) })?.nonEmpty else { return }
        desktop.windows.retitle(slot, title)
    }

    /// _NET_WM_PID counts only if WM_CLIENT_MACHINE names this host: otherwise, an unrelated process here may have the
    /// same ID. If either property is missing, the process that X-Resource reports counts. Any client can claim any
    /// process of this host, so reactions always require the process that X-Resource reports.
    func absorbMachine(_ property: Property?, _ slot: Int) {
        let bytes = property?.text(UInt32(XA_STRING), or: atoms[.utf8String]).map { Text.split($0).first }
        let pid = known.notes[slot].claimedPid
        let isElsewhere = bytes.map { !$0.elementsEqual(host.name) } ?? false
        known.notes[slot].isElsewhere = isElsewhere
        if isElsewhere && !wants.confirmedProcesses {
            identify(slot, as: nil)
        } else if bytes != nil && pid > 0 && !wants.confirmedProcesses {
            identify(slot, as: pid)
        } else if extensions.resource != nil {
            mark(.client, slot)
        } else {
            identify(slot, as: nil)
        }
    }

    /// The client of a window from another host may be ssh(1). A sandbox only has a different host name.
    func absorbClient(_ pid: Int32?, _ slot: Int) {
        let isOther = known.notes[slot].isElsewhere
        identify(slot, as: pid.flatMap { isOther && !host.isRenamed($0) ? nil : $0 })
    }

    func identify(_ slot: Int, as pid: Int32?) {
        desktop.windows.facts[slot].pid = pid
        nameByExecutable(slot)
    }

    private func nameByExecutable(_ slot: Int) {
        guard wants.executables || !desktop.windows.hasClassName(slot) else { return }
        let name = desktop.windows.facts[slot].pid.flatMap { host.executable($0) }
        if name != desktop.windows.text(slot).executable {
            desktop.windows.rename(slot) { $0.executable = name }
        }
    }
}
