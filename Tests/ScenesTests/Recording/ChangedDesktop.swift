import TestDesktop

@testable import Recording
@testable import Scenes

/// Random changes to a desktop, and the comparison of two desktops.
extension Desktop {
    /// The facts that a recording contains.
    private var recorded: [AnyHashable] {
        [screen, Set(windows.windows), stacking.order, stacking.order.map(facts), inputFocus, session]
    }

    /// Returns the first difference in the facts that a recording contains; nil if there is none.
    func difference(from other: Desktop) -> String? {
        zip(recorded, other.recorded).first { $0 != $1 }.map { "\($0) is not \($1)" }
    }

    mutating func changeAnything(_ random: inout SeededGenerator) {
        let xid = UInt32.random(in: 1...12, using: &random)
        let number = UInt32.random(in: 0...3, using: &random)
        let isOn = Bool.random(using: &random)
        let text = [nil, "", "a\"\\\n\u{1}\u{7F}é𝄞", "b"][Int(number)]
        let geometry = Rectangle(
            x: .random(in: -50...50, using: &random), y: 3, width: Int32(number), height: 70_000)
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            if windows[xid] == nil || isOn {
                windows[xid] = nil
                windows.add(
                    WindowFacts(
                        WindowID(xid, generation: UInt32.random(in: 1...UInt32.max, using: &random))))
                stacking[xid] = nil
            }
        case 1: windows[xid] = nil
        case 2, 3, 4:
            guard var window = windows[xid] else { return }
            window.geometry = isOn ? geometry : nil
            window.mapState = [.unmapped, .viewable, .unviewable, .viewable][Int(number)]
            window.state = [nil, .withdrawn, .normal, .iconic][Int(number)]
            window.states = WindowFacts.States(rawValue: UInt8(number))
            window.kind = [.application, .desktop, .accessory, .application][Int(number)]
            window.depth = UInt8(number)
            window.desktop = [nil, 0, 7, WindowFacts.allDesktops][Int(number)]
            (window.isOverrideRedirect, window.isInputOnly) = (isOn, number == 1)
            (window.withdrewItself, window.wasManaged) = (number == 2, isOn)
            (window.isShaped, window.ownerClass) = (isOn ? number == 1 : nil, isOn ? nil : text)
            (window.topLevel, window.transientFor) = (isOn ? number : nil, isOn ? nil : 0xFFFF_FFFF)
            (window.client, window.container) = (number, isOn ? nil : xid)
            window.pid = isOn ? Int32(number) + 1 : nil
            (window.className, window.instanceName) = (text, isOn ? text : nil)
            (window.executable, window.title) = (isOn ? nil : text, text)
            windows[xid] = window
        case 5:
            screen.bounds = geometry
            screen.monitors = isOn ? [geometry, geometry] : nil
            screen.manager =
                isOn ? .init(checkWindow: isOn ? number : nil, client: isOn ? nil : number, name: text) : nil
            screen.selectionOwner = number
            screen.wasRewritten = isOn
            screen.activeWindow = isOn ? nil : number
            screen.currentDesktop = isOn ? number : nil
            screen.isShowingDesktop = isOn
            (screen.isComposited, screen.isOwnCompositor) = (isOn, number == 1)
        case 6:
            let list = (0...number * 3).shuffled(using: &random)
            screen.clients = isOn ? Set(list) : nil
            screen.stacking =
                isOn ? list : Array(screen.stacking.dropFirst()) + list.prefix(1)
        case 7:
            let pointed = Desktop.InputFocus.underPointer(isOn ? xid : nil)
            inputFocus = [.none, .window(xid), .elsewhere(client: xid), pointed][Int(number)]
        case 8:
            session.isAway = isOn
            session.displayOff = [nil, .blanked, .poweredDown, .noMonitor][Int(number)]
            session.isKeyboardGrabbed = [nil, true, false, nil][Int(number)]
            session.saverSince = isOn ? -5 : nil
            session.isIdle = number == 1
        case 9:
            guard var window = windows[xid] else {
                stacking[xid]?.isTranslucent = isOn
                stacking[xid]?.isShaped = isOn ? nil : number == 1
                return
            }
            window.takesInput = isOn ? nil : number == 1
            window.isTranslucent = isOn
            window.frameExtents =
                isOn ? WindowFacts.FrameExtents(left: number, right: 1, top: 22, bottom: .max) : nil
            windows[xid] = window
        case 10:
            if isOn { stacking.add(xid) }
            if windows[xid] != nil { return }
            stacking[xid]?.geometry = isOn ? geometry : nil
            stacking[xid]?.mapState = number == 1 ? .viewable : .unmapped
        default:
            if number == 3 {
                stacking.remove(xid)
            } else {
                stacking.move(xid, above: number == 0 ? 0 : UInt32.random(in: 1...12, using: &random))
            }
        }
    }
}
