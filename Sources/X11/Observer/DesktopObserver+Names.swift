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

    /// Decides which process a window belongs to: the one that X-Resource reports. Where the server cannot tell,
    /// _NET_WM_PID counts if WM_CLIENT_MACHINE names this host: otherwise, an unrelated process here may have the same
    /// ID. Any client can claim any process of this host, so reactions always require the process that X-Resource
    /// reports. The client of a window from another host may be ssh(1). A sandbox only has a different host name.
    func absorbMachine(_ property: Property?, _ slot: Int) {
        let bytes = property?.text(UInt32(XA_STRING), or: atoms[.utf8String]).map { Text.split($0).first }
        let isHere = bytes.map { $0.elementsEqual(host.name) }
        let (owner, claimed) = (known.notes[slot].ownerPid, known.notes[slot].claimedPid)
        let isOwner = owner > 0 && (isHere != false || host.isRenamed(owner))
        let mayClaim = owner == 0 && claimed > 0 && isHere == true && !wants.confirmedProcesses
        desktop.windows.facts[slot].pid = isOwner ? owner : mayClaim ? claimed : nil
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
