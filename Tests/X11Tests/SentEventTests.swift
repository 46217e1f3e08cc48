import CXlib
import Scenes
import TestDesktop
import Testing

@testable import X11

/// Events that clients send trigger reads, but are not facts.
@Suite struct SentEventTests {
    private let display: ObservedDisplay
    private let attacker: TestClient
    private let alpha: TestWindow
    private let beta: TestWindow

    init() throws {
        display = try ObservedDisplay()
        attacker = try TestClient(display.server.name)
        alpha = TestWindow(display.client, .init("Alpha"), colour: 0, x: 20, y: 30)
        beta = TestWindow(display.client, .init("Beta"), colour: 1, x: 300, y: 30)
        alpha.map()
        beta.map()
        display.client.setFocus(alpha.id)
        _ = try display.seen()
    }

    @Test func focusDoesNotMove() throws {
        attacker.sendFocus(FocusIn, to: beta.id)
        #expect(try display.seen().inputFocus == .window(UInt32(alpha.id)))
        attacker.sendFocus(FocusOut, to: alpha.id)
        #expect(try display.seen().inputFocus == .window(UInt32(alpha.id)))
    }

    @Test(arguments: [
        CreateNotify, DestroyNotify, UnmapNotify, MapNotify, ReparentNotify, ConfigureNotify, GravityNotify,
    ])
    func structureStaysAsItIs(_ type: Int32) throws {
        let before = try #require(try display.seen(beta))
        for reported in [beta.id, attacker.root] {
            for destination in [beta.id, attacker.root] {
                attacker.send(type, of: beta.id, on: reported, to: destination)
                #expect(try display.seen(beta) == before)
            }
        }
    }

    @Test func aHiddenWindowIsNotShown() throws {
        beta.unmap()
        let before = try #require(try display.seen(beta))
        attacker.send(MapNotify, of: beta.id, on: attacker.root)
        #expect(try display.seen(beta) == before)
    }

    /// Window managers send this event to clients whose windows they hide.
    @Test func anUnmapNotifyToTheClientItselfIsNoWithdrawal() throws {
        beta.unmap()
        attacker.send(UnmapNotify, of: beta.id, on: beta.id, to: beta.id)
        attacker.send(UnmapNotify, of: beta.id, on: beta.id)
        #expect(try display.seen(beta)?.withdrewItself == false)
        attacker.send(UnmapNotify, of: beta.id, on: attacker.root)
        #expect(try display.seen(beta)?.withdrewItself == true)
    }

    /// Notes an event as one that a client sent.
    private func forge(_ kind: DisplayEvent.Kind, of window: UInt32) throws -> Desktop {
        var event = DisplayEvent(kind, of: window)
        event.isSent = true
        display.observer.note(event)
        return try display.seen()
    }

    @Test func aSentStateEndsNoWithdrawal() throws {
        beta.setWords("WM_STATE", "WM_STATE", [1, 0])
        #expect(try display.seen(beta)?.state == .normal)
        beta.withdraw()
        #expect(try display.seen(beta)?.withdrewItself == true)
        let state = display.observer.mirror.atoms[.wmState]
        let beta = UInt32(beta.id)
        #expect(try forge(.property(state), of: beta).windows[beta]?.withdrewItself == true)
    }

    @Test func noManagerIsTrustedForASentProperty() throws {
        display.client.manage()
        for name in [AtomName.clientList, .activeWindow] {
            let property = display.observer.mirror.atoms[name]
            let screen = try forge(.property(property), of: UInt32(attacker.root)).screen
            #expect(screen.manager != nil && !screen.isTrusted)
        }
    }

    /// The property stays on the root window when the manager that wrote it ends.
    @Test func theActiveWindowOfADeadManagerStaysUnbelieved() throws {
        var dead: TestClient? = try TestClient(display.server.name)
        dead?.manage()
        dead?.setRoot("_NET_ACTIVE_WINDOW", "WINDOW", [beta.id])
        dead?.setRoot("_NET_CLIENT_LIST", "WINDOW", [])
        #expect(try display.seen().screen.activeWindow == UInt32(beta.id))
        dead = nil
        #expect(waitUntil { !display.client.isManaged })
        beta.unmap()
        #expect(try display.seen().screen.manager == nil)
        display.client.manage()
        display.client.setRoot("_NET_CURRENT_DESKTOP", "CARDINAL", [0])
        #expect(try display.seen().screen.manager != nil)
        let property = display.observer.mirror.atoms[.activeWindow]
        #expect(try forge(.property(property), of: UInt32(attacker.root)).screen.activeWindow == nil)
    }

    @Test func theDisplayStaysOnAndTheUserActive() throws {
        display.observer.follow(SessionOptions(idle: .seconds(3600)))
        _ = try display.seen()
        #expect(try forge(.saver(1, 0), of: UInt32(attacker.root)).session.displayOff == nil)
        let alarm = try #require(display.observer.session.idleAlarms?.rise)
        #expect(try forge(.alarm, of: alarm).session.isIdle == false)
    }

    @Test func aWindowThatIsGoneThoughNothingSaidSoIsFoundOut() throws {
        display.noteCreation(of: beta)
        beta.destroy()
        try display.observer.display.drain { _ in }
        attacker.send(DestroyNotify, of: beta.id, on: attacker.root)
        #expect(try display.seen(beta) == nil)
    }
}
