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
        news.retitled.removeAll()
    }

    func noteTitle(_ slot: Int) {
        if known.notes[slot].isRetitled { return }
        known.notes[slot].isRetitled = true
        news.retitled.append(Int32(slot))
    }

    func absorbClasses(_ property: Property?, _ slot: Int) {
        let (instance, name) = names(property)
        let client = display.client(of: desktop.windows.facts[slot].id.xid)
        let old = desktop.windows.text(slot).className
        if name != old, known.clients[client]?.className == old {
            // The window loses the class, which may be that of no other window.
            known.clients[client]?.className = nil
        }
        desktop.windows.rename(slot) {
            $0.instanceName = instance
            $0.className = name
        }
        if !wants.titles && name == nil && instance == nil { mark(.title, slot) }
        nameByOwner(slot)
        if name == nil && desktop.windows.text(slot).ownerClass == nil
            && !desktop.windows.facts[slot].isOverrideRedirect
        {
            mark(.leader, slot)
        }
    }

    /// Returns the two strings of WM_CLASS.
    func names(_ property: Property?) -> (instance: String?, name: String?) {
        let names = property?.text(UInt32(XA_STRING), or: atoms[.utf8String]).map { Text.split($0) }
        return (
            names.flatMap { Text.decode($0.first).nonEmpty },
            names?.rest.flatMap { Text.decode(Text.split($0).first).nonEmpty }
        )
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
        nameByOwner(slot)
    }

    /// Names a window without a class after its client or its process, and those that were read before it.
    private func nameByOwner(_ slot: Int) {
        let (window, className) = (desktop.windows.facts[slot], desktop.windows.text(slot).className)
        if wants.executables || className == nil {
            let name = window.pid.flatMap { host.executable($0) }
            if name != desktop.windows.text(slot).executable {
                desktop.windows.rename(slot) { $0.executable = name }
            }
        }
        let client = display.client(of: window.id.xid)
        let old = known.clients[client]
        known.clients[client]?.className = old?.className ?? className
        known.clients[client]?.pid = old?.pid ?? window.pid
        if className == nil {
            known.nameless.insert(slot)
            nameByOwner(slot, ownerClass(of: window))
        } else {
            known.nameless.remove(slot)
        }
        guard let new = known.clients[client], new != old else { return }
        for slot in known.nameless {
            let other = desktop.windows.facts[slot]
            let isSameProcess = other.pid != nil && other.pid == new.pid
            if isSameProcess || display.client(of: other.id.xid) == client {
                nameByOwner(slot, new.className)
            }
        }
    }

    /// Names a window without a class. It keeps the name when the windows close that it comes from.
    func nameByOwner(_ slot: Int, _ ownerClass: String?) {
        let text = desktop.windows.text(slot)
        guard let ownerClass, text.className == nil, text.ownerClass == nil else { return }
        desktop.windows.rename(slot) { $0.ownerClass = ownerClass }
    }

    private func ownerClass(of window: WindowFacts) -> String? {
        if let name = known.clients[display.client(of: window.id.xid)]?.className { return name }
        guard let pid = window.pid else { return nil }
        return known.clients.values.first { $0.pid == pid && $0.className != nil }?.className
    }
}
