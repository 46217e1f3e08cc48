import CXlib
import Scenes

extension DesktopObserver {
    /// WM_CLASS holds two strings with a NUL each. Room for a first one that is longer than what is kept of
    /// it, so that the second one is found all the same.
    private static let classWords = 4 * Text.limitInWords

    /// Asks for what a window is called and whose it is.
    func askNames(_ facts: Stale.WindowFacts, of xid: UInt32, in pass: inout ReadPass) {
        let string = UInt32(XA_STRING)
        let utf8 = atoms[.utf8String]
        if facts.contains(.names) {
            pass.property(atoms[.wmClass], of: xid, words: Self.classWords) {
                self.noteClass($0?.text(string, utf8) ?? [], of: xid)
            }
        }
        if facts.contains(.title) {
            pass.property(atoms[.wmName], of: xid, words: Text.limitInWords) { property in
                let bytes = property?.text(string, utf8).map { Text.split($0).first }
                let decode = property?.type == utf8 ? Text.decodeUTF8 : Text.decode
                self.desktop.windows[xid]?.title = bytes.map { decode($0) }?.nonEmpty
            }
            // After WM_NAME, since it counts before it.
            pass.property(atoms[.netName], of: xid, words: Text.limitInWords) {
                let bytes = $0?.text(utf8).map { Text.split($0).first }
                guard let title = bytes.map({ Text.decodeUTF8($0) })?.nonEmpty else { return }
                self.desktop.windows[xid]?.title = title
            }
        }
        if facts.contains(.process) {
            pass.property(atoms[.netPid], of: xid, words: 1) {
                guard self.desktop.windows[xid] != nil else { return }
                let pid = $0?.words(UInt32(XA_CARDINAL))?.first.flatMap { Int32(exactly: $0) }
                self.claims[xid, default: ProcessClaim()].pid = pid.flatMap { $0 > 0 ? $0 : nil }
            }
            pass.property(atoms[.wmClientMachine], of: xid, words: Text.limitInWords) {
                guard self.desktop.windows[xid] != nil else { return }
                let bytes = $0?.text(string, utf8).map { Text.split($0).first }
                self.claims[xid, default: ProcessClaim()].machine = bytes.map { Text.decode($0) }
                self.noteProcess(of: xid)
            }
        }
    }

    private func noteClass(_ bytes: [UInt8], of xid: UInt32) {
        let (instance, rest) = Text.split(bytes)
        desktop.windows[xid]?.instanceName = Text.decode(instance).nonEmpty
        desktop.windows[xid]?.className = rest.flatMap { Text.decode(Text.split(Array($0)).first).nonEmpty }
        if !readsTitles && needsTitle(xid) { stale.windows[xid, default: []].insert(.title) }
        noteExecutable(of: xid)
    }

    /// What is new with all of a window.
    var allFacts: Stale.WindowFacts { readsTitles ? .all : .all.subtracting(.title) }

    /// Whether a title is used: without a class, it is what tells a window that is meant to be seen.
    func needsTitle(_ xid: UInt32) -> Bool {
        guard let window = desktop.windows[xid] else { return false }
        return readsTitles || (window.className == nil && window.instanceName == nil)
    }

    /// Marks the titles of all windows.
    func markTitles() {
        for slot in desktop.windows.usedSlots {
            stale.windows[desktop.windows[at: slot].id.xid, default: []].insert(.title)
        }
    }

    /// A number without a host, or with another one, may be that of any process here.
    private func noteProcess(of xid: UInt32) {
        guard let claim = claims[xid] else { return }
        desktop.windows[xid]?.pid = claim.machine == hostName ? claim.pid : nil
        noteExecutable(of: xid)
    }

    private func noteExecutable(of xid: UInt32) {
        guard let window = desktop.windows[xid], window.className == nil else { return }
        desktop.windows[xid]?.executable = window.pid.flatMap { executable($0) }
    }
}
