import TestDesktop

@testable import Scenes

/// A desktop that changes at random. It has few windows, so each of them changes often.
struct RandomDesktop {
    var desktop = Desktop.managed()
    var generator: SeededGenerator
    /// Whether windows may be dialogs of others.
    let hasDialogs: Bool
    private var generation: UInt32 = 0

    init(seed: UInt64, hasDialogs: Bool) {
        generator = SeededGenerator(seed: seed)
        self.hasDialogs = hasDialogs
    }

    mutating func step() {
        let xid = UInt32.random(in: 1...7, using: &generator)
        switch Int.random(in: 0..<100, using: &generator) {
        case ..<12: create(xid)
        case ..<17: desktop.remove(xid)
        case ..<42: desktop.screen.activeWindow = xid
        case ..<48: desktop.screen.activeWindow = 0
        case ..<88: change(xid)
        case ..<92: changeSession()
        case ..<95: desktop.screen.currentDesktop = UInt32.random(in: 0...1, using: &generator)
        case ..<97: desktop.screen.isShowingDesktop.toggle()
        case ..<98: desktop.screen.manager = nil
        default: startManager()
        }
    }

    /// Creates a window. The ids of removed windows are reused immediately.
    private mutating func create(_ xid: UInt32) {
        generation += 1
        var window = SeenWindow.client(WindowID(xid, generation: generation))
        window.className = ["Red", "Green", "Blue"].randomElement(using: &generator)
        window.instanceName = ["one", "two"].randomElement(using: &generator)
        if hasDialogs && Bool.random(using: &generator) {
            window.transientFor = UInt32.random(in: 1...7, using: &generator)
        }
        desktop.add(window)
    }

    private mutating func change(_ xid: UInt32) {
        let kind = Int.random(in: 0..<14, using: &generator)
        let parent = hasDialogs ? UInt32.random(in: 1...9, using: &generator) : nil
        let isSecond = Bool.random(using: &generator)
        let name = ["Red", "Green", nil].randomElement(using: &generator) ?? nil
        desktop.edit(xid) { window in
            switch kind {
            case 0: window.iconify()
            case 1, 2: window.deiconify()
            case 3: window.mapState = isSecond ? .unmapped : .unviewable
            case 4: window.mapState = .viewable
            case 5: window.desktop = isSecond ? 1 : 0
            case 6: window.states.formSymmetricDifference(.shaded)
            case 7: window.geometry?.x = isSecond ? 3_000 : 0
            case 8: window.withdrewItself = isSecond
            case 9: window.className = name
            case 10: window.instanceName = isSecond ? "two" : "one"
            case 11: window.states.formSymmetricDifference(.hidden)
            default: window.transientFor = isSecond ? parent : nil
            }
        }
    }

    /// Changes a state of the session. Occasionally a lock lasts long enough to be reported.
    private mutating func changeSession() {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: desktop.session.isAway.toggle()
        case 1: desktop.session.displayOff = desktop.session.displayOff == nil ? .blanked : nil
        case 2: desktop.session.isIdle.toggle()
        case 3: desktop.session.isKeyboardGrabbed = Bool.random(using: &generator)
        case 4: desktop.addLocker { $0.mapState = .unmapped }
        case 5: desktop.addLocker()
        default: desktop.session = Session()
        }
    }

    private mutating func startManager() {
        generation += 1
        desktop.screen.manager = Screen.Manager(checkWindow: 0x400_1000 + generation, name: "openbox")
    }
}
