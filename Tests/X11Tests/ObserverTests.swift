import CXlib
import Scenes
import TestDesktop
import Testing

@testable import X11

@Suite struct ObserverTests {
    @Test func aWindowIsReadWithAllItsFacts() throws {
        let scene = try ObservedDisplay()
        var properties = TestWindow.Properties("Alpha", instance: "main")
        properties.title = "hello"
        properties.type = "UTILITY"
        let parent = TestWindow(scene.client, .init("Parent"), colour: 0)
        properties.transientFor = parent.id
        let window = TestWindow(scene.client, properties, colour: 0, x: 20, y: 30, width: 200, height: 150)
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        window.setWords("_NET_WM_DESKTOP", "CARDINAL", [3])
        window.setBytes("WM_WINDOW_ROLE", "STRING", Array("browser\0more".utf8))
        window.setWords(
            "_NET_WM_STATE", "ATOM",
            ["HIDDEN", "SHADED", "STICKY", "ABOVE"].map { scene.client.atom("_NET_WM_STATE_\($0)") })
        window.setBytes("WM_CLIENT_MACHINE", "STRING", Array("here".utf8))
        window.setWords("_NET_WM_PID", "CARDINAL", [4711])
        window.map()

        let seen = try #require(try scene.seen(window))
        #expect(seen.application == "Alpha" && seen.group == "main" && seen.title == "hello")
        #expect(seen.text.role == "browser")
        #expect(seen.mapState == .viewable && seen.state == .normal && seen.kind == .application)
        #expect(seen.states == [.hidden, .shaded, .sticky])
        #expect(seen.desktop == 3 && seen.pid == Int32(TestWindow.ownPid))
        #expect(seen.transientFor == UInt32(parent.id))
        #expect(seen.geometry == Rectangle(x: 20, y: 30, width: 200, height: 150))
        #expect(seen.topLevel == UInt32(window.id))
        #expect(!seen.isOverrideRedirect && !seen.isInputOnly && seen.wasManaged)
        window.setBytes("WM_WINDOW_ROLE", "UTF8_STRING", Array("Bücher".utf8))
        #expect(try scene.seen(window)?.text.role == "Bücher")
        window.setWords("WM_WINDOW_ROLE", "CARDINAL", [7])
        #expect(try scene.seen(window)?.text.role == nil)
    }

    @Test func theTypesThatAreNoScenesAreKnownByTheirNames() throws {
        let scene = try ObservedDisplay()
        let accessories = [
            "DOCK", "SPLASH", "TOOLTIP", "NOTIFICATION", "MENU", "DROPDOWN_MENU", "POPUP_MENU", "COMBO",
            "DND",
        ]
        for type in accessories + ["DESKTOP", "NORMAL", "DIALOG", "TOOLBAR", "of tomorrow"] {
            var properties = TestWindow.Properties("Alpha")
            properties.type = type
            let window = TestWindow(scene.client, properties, colour: 0)
            window.map()
            let kind: WindowFacts.Kind =
                accessories.contains(type) ? .accessory : type == "DESKTOP" ? .desktop : .application
            #expect(try scene.seen(window)?.kind == kind, "\(type)")
        }
    }

    @Test func aDesktopWithoutANameLeavesTheOthersTheirs() throws {
        let scene = try ObservedDisplay()
        scene.observer.details = .locations
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        scene.client.setRootText("_NET_DESKTOP_NAMES", "\0web\0mail")
        for (number, name) in [nil, "web", "mail", nil].enumerated() {
            window.setWords("_NET_WM_DESKTOP", "CARDINAL", [UInt(number)])
            #expect(try scene.seen(window)?.text.desktopName == name)
        }
        scene.observer.details = []
        scene.client.setRootText("_NET_DESKTOP_NAMES", "mail\0\0\0games")
        _ = try scene.seen()
        scene.observer.details = .locations
        #expect(try scene.seen(window)?.text.desktopName == "games")
    }

    /// A sandbox with its own process numbers claims a process that is another one on this host.
    @Test(arguments: [[], ["X-Resource"]])
    func theProcessIsTheOneThatTheServerNamesAndElseTheOneThatIsClaimed(lacking: [String]) throws {
        let scene = try ObservedDisplay(lacking: lacking)
        let own = lacking.isEmpty ? Int32(TestWindow.ownPid) : nil
        var properties = TestWindow.Properties()
        properties.isRemote = false
        let window = TestWindow(scene.client, properties, colour: 0)
        func hasProcess(_ pid: Int32?) throws -> Bool {
            try waitUntil { try scene.seen(window).map { $0.pid == pid } ?? false }
        }
        window.map()
        #expect(try hasProcess(own))
        #expect(try scene.seen(window)?.application == own.map { "program-\($0)" } ?? "unknown")
        window.setWords("_NET_WM_PID", "CARDINAL", [4711])
        #expect(try hasProcess(own))
        window.setMachine("here")
        #expect(try hasProcess(own ?? 4711))
        // Reactions believe only the server.
        scene.observer.details.insert(.owners)
        #expect(try hasProcess(own))
        scene.observer.details.remove(.owners)
        #expect(try hasProcess(own ?? 4711))
        window.setWords("_NET_WM_PID", "CARDINAL", [0xFFFF_FFFF])
        #expect(try hasProcess(own))
        // The client is one of another host, such as ssh(1).
        window.setWords("_NET_WM_PID", "CARDINAL", [4711])
        window.setMachine("there")
        #expect(try hasProcess(nil))
    }

    /// Such as picture-in-picture, a task manager or a splash window.
    @Test func aWindowWithoutAClassBelongsToTheApplicationOfItsClientLeaderOrProcess() throws {
        let scene = try ObservedDisplay()
        let others = try (0..<5).map { _ in try TestClient(scene.server.name) }
        func window(_ client: TestClient, _ className: String? = nil, isRemote: Bool = true) -> TestWindow {
            var properties = TestWindow.Properties(className)
            properties.isRemote = isRemote
            let window = TestWindow(client, properties, colour: 0)
            if className != nil { window.map() }
            return window
        }
        func application(_ window: TestWindow) throws -> String? { try scene.seen(window)?.application }
        let early = window(scene.client)
        #expect(try application(early) == "unknown")
        let main = window(scene.client, "Alpha")
        #expect(try application(early) == "Alpha" && application(window(scene.client)) == "Alpha")
        main.destroy()
        #expect(try application(early) == "unknown")
        #expect(try application(window(others[0])) == "unknown")
        // One that nobody sees names no other.
        let hidden = TestWindow(others[0], .init("Hidden"), colour: 0)
        #expect(try application(hidden) == "Hidden")
        #expect(try application(window(others[0])) == "unknown")

        #expect(try application(window(others[1], "Beta", isRemote: false)) == "Beta")
        #expect(try application(window(others[2], isRemote: false)) == "Beta")

        var properties = TestWindow.Properties("Gamma")
        properties.isOverrideRedirect = true
        let leader = TestWindow(others[3], properties, colour: 0)
        let led = window(others[3])
        led.setLeader(leader)
        #expect(try application(led) == "Gamma")
        led.setClass("own", "Own")
        #expect(try application(led) == "Own" && scene.seen(led)?.text.ownerClass == nil)

        let renamed = window(others[4], "Delta")
        #expect(try application(renamed) == "Delta")
        renamed.setClass("epsilon", "Epsilon")
        #expect(try application(renamed) == "Epsilon" && application(window(others[4])) == "Epsilon")
    }

    /// Every reading finds the same, in whatever order it reads the windows.
    @Test func aClientWithSeveralClassesHasThatOfItsLeaderOrElseOfItsLowestWindow() throws {
        let scene = try ObservedDisplay()
        let windows = try ["Writer", "Calc", "Impress", "Writer"].map { name in
            let window = TestWindow(scene.client, .init(name), colour: 0)
            _ = try scene.seen()
            return window
        }
        let nameless = TestWindow(scene.client, .init(), colour: 0)
        for window in windows + [nameless] { window.map() }
        func applications() throws -> Set<String?> {
            let late = try DesktopObserver(try Display(scene.server.name), host: .here)
            // The first call may find only the error that a dead leader caused.
            _ = try scene.seen()
            return [
                try scene.seen(nameless)?.application,
                try late.refreshNow().windows[UInt32(nameless.id)]?.application,
            ]
        }
        for _ in 0..<4 { #expect(try applications() == ["Writer"]) }
        windows[2].raise()
        #expect(try applications() == ["Writer"])
        let leader = TestWindow(scene.client, .init(), colour: 0)
        nameless.setLeader(leader)
        #expect(try applications() == ["Writer"])
        leader.setClass("suite", "Suite")
        #expect(try applications() == ["Suite"])
        nameless.setInitialState(isIconic: false)
        #expect(try applications() == ["Writer"])
        nameless.setLeader(leader)
        #expect(try applications() == ["Suite"])
        leader.destroy()
        #expect(try applications() == ["Writer"])
        windows[0].destroy()
        #expect(try applications() == ["Calc"])
        windows[1].setClass("math", "Math")
        #expect(try applications() == ["Math"])
        nameless.setLeader(windows[2])
        #expect(try applications() == ["Impress"])
        nameless.setClass("own", "Own")
        #expect(try applications() == ["Own"])
    }

    /// lwm keeps the frame. i3 reports windows in a hidden frame as withdrawn, and hides new windows in a frame before it
    /// writes their state.
    @Test func aWindowThatItsProgramUnmapsInItsFrameIsWithdrawn() throws {
        let scene = try ObservedDisplay()
        scene.client.manage()
        var unmanaged = TestWindow.Properties()
        unmanaged.isOverrideRedirect = true
        let frame = TestWindow(scene.client, unmanaged, colour: 0)
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        _ = try scene.seen()
        func isManaged() throws -> Bool {
            let desktop = try scene.seen()
            return try desktop.isManaged(#require(desktop.windows.facts(of: UInt32(window.id))))
        }
        /// Returns what an observer finds that has not seen how it came to this.
        func isWithdrawnForALateOne() throws -> Bool? {
            try scene.seenLate().windows.facts(of: UInt32(window.id))?.withdrewItself
        }
        window.reparent(into: frame)
        window.setWords("WM_STATE", "WM_STATE", [0, 0])
        #expect(try !isManaged())
        scene.client.setRoot("_NET_CLIENT_LIST", "WINDOW", [window.id])
        #expect(try isManaged())
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        window.map()
        frame.map()
        #expect(try isManaged())
        frame.unmap()
        window.setWords("WM_STATE", "WM_STATE", [0, 0])
        #expect(try isManaged())
        for state: UInt in [1, 3] {
            window.map()
            window.setWords("WM_STATE", "WM_STATE", [state, 0])
            #expect(try isManaged())
            window.unmap()
            window.setWords("WM_STATE", "WM_STATE", [0, 0])
            #expect(try !isManaged())
            #expect(try isWithdrawnForALateOne() == false)
        }
        window.map()
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        #expect(try isManaged())
    }

    /// No event of the popup reports that it has the focus: it is not known.
    @Test func theFocusMovesFromOneUnmanagedWindowToAnother() throws {
        let scene = try ObservedDisplay()
        let other = try TestClient(scene.server.name)
        var unmanaged = TestWindow.Properties()
        unmanaged.isOverrideRedirect = true
        let launcher = TestWindow(other, unmanaged, colour: 0, x: 400, width: 100)
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        let popup = TestWindow(scene.client, unmanaged, colour: 0, x: 300, width: 50)
        for window in [launcher, window, popup] { window.map() }
        func focus() throws -> UInt32? { Focus(on: try scene.seen()).holder }
        for _ in 0..<2 {
            other.setFocus(launcher.id)
            #expect(try focus() == UInt32(launcher.id))
            scene.client.setFocus(popup.id)
            #expect(try focus() == UInt32(window.id))
            scene.client.setFocus(window.id)
            #expect(try focus() == UInt32(window.id))
            scene.client.setFocus(popup.child())
            #expect(try focus() == UInt32(window.id))
        }
        other.setFocus(launcher.id)
        #expect(try focus() == UInt32(launcher.id))
    }

    /// The observer does not read the windows of the window manager.
    @Test func theFocusMovesFromAWindowOfTheManagerToAnUnmanagedWindow() throws {
        let scene = try ObservedDisplay()
        let other = try TestClient(scene.server.name)
        var unmanaged = TestWindow.Properties()
        unmanaged.isOverrideRedirect = true
        let popups = (0..<2).map { _ in TestWindow(scene.client, unmanaged, colour: 0, width: 20) }
        let launcher = TestWindow(other, unmanaged, colour: 0, x: 400, width: 100)
        for window in popups + [launcher] { window.map() }
        _ = manage(scene)
        for popup in popups {
            scene.client.setFocus(popup.id)
            #expect(try Focus(on: scene.seen()).holder == nil)
            #expect(try scene.selectedEvents(of: popup.id) == PropertyChangeMask | FocusChangeMask)
        }
        #expect(try scene.selectedEvents(of: popups[0].id) == PropertyChangeMask)
        other.setFocus(launcher.id)
        #expect(try Focus(on: scene.seen()).holder == UInt32(launcher.id))
    }

    /// As when the window around it is destroyed: the root window does not report the end.
    @Test func theEndOfALeaderInsideAnotherWindowIsNoticed() throws {
        let scene = try ObservedDisplay()
        let other = try TestClient(scene.server.name)
        var unmanaged = TestWindow.Properties("Suite")
        unmanaged.isOverrideRedirect = true
        let (outer, leader) = (
            TestWindow(scene.client, unmanaged, colour: 0), TestWindow(scene.client, unmanaged, colour: 0)
        )
        let nameless = TestWindow(other, .init(), colour: 0)
        nameless.setLeader(leader)
        other.sync()
        func application() throws -> String? { try scene.seen(nameless)?.application }
        #expect(try application() == "Suite")
        leader.reparent(into: outer)
        #expect(try application() == "Suite")
        outer.destroy()
        #expect(try application() == "unknown")
    }

    /// A new observer reads neither of them.
    @Test func anUnmanagedWindowKeepsNothingOfTheTimeWhenItWasManaged() throws {
        let scene = try ObservedDisplay()
        let parent = TestWindow(scene.client, .init("Alpha"), colour: 0)
        var properties = TestWindow.Properties("Alpha")
        properties.transientFor = parent.id
        let window = TestWindow(scene.client, properties, colour: 0)
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        #expect(try scene.seen(window)?.state == .normal)
        #expect(try scene.seen(window)?.transientFor == UInt32(parent.id))
        window.setOverrideRedirect(true)
        window.map()
        #expect(try scene.seen(window)?.isShaped == false)
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        #expect(try scene.seen(window)?.state == nil)
        #expect(try scene.seen(window)?.transientFor == UInt32(parent.id))
        window.deleteProperty("WM_TRANSIENT_FOR")
        #expect(try scene.seen(window)?.transientFor == nil)
        window.setOverrideRedirect(false)
        window.unmap()
        window.map()
        #expect(try scene.seen(window)?.state == .normal)
    }

    @Test func aWindowThatBecomesManagedAsItIsMappedIsRead() throws {
        let scene = try ObservedDisplay()
        var properties = TestWindow.Properties("Alpha")
        properties.isOverrideRedirect = true
        let window = TestWindow(scene.client, properties, colour: 0)
        let inner = window.child()
        #expect(try scene.seen(window) == nil)
        window.setOverrideRedirect(false)
        window.map()
        #expect(try scene.seen(window)?.mapState == .viewable)
        // Not what is inside of another window.
        let kind = DisplayEvent.Kind.mapped(on: UInt32(inner), isUnmanaged: false)
        scene.observer.note(DisplayEvent(kind, of: UInt32(inner)))
        #expect(try scene.seen().windows.facts(of: UInt32(inner)) == nil)
    }

    /// The window remains, so that reading it would find it.
    @Test func aWindowWhoseEndWasReportedIsReadNoMore() throws {
        let scene = try ObservedDisplay()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.map()
        let xid = UInt32(window.id)
        let state = scene.observer.mirror.atoms[.netState]
        let end = DisplayEvent(.destroyed(on: UInt32(scene.client.root)), of: xid)
        #expect(try scene.seen(window) != nil)
        scene.observer.note(DisplayEvent(.property(state), of: xid))
        scene.observer.note(end)
        #expect(try scene.seen(window) == nil)
        scene.noteCreation(of: window)
        scene.observer.note(end)
        #expect(try scene.seen(window) == nil)
    }

    @Test func aWithdrawalEndsWithANewFrame() throws {
        let scene = try ObservedDisplay()
        let frame = TestWindow(scene.client, .init(), colour: 0)
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.map()
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        _ = try scene.seen()
        window.withdraw()
        #expect(try scene.seen(window)?.withdrewItself == true)
        window.reparent(into: frame)
        #expect(try scene.seen(window)?.withdrewItself == false)
    }

    @Test func theProgramOfAWindowIsNamedOnlyWhileItHasNoClass() throws {
        let scene = try ObservedDisplay()
        var properties = TestWindow.Properties()
        properties.isRemote = false
        let window = TestWindow(scene.client, properties, colour: 0)
        window.setMachine("here")
        let name = "program-\(TestWindow.ownPid)"
        #expect(try scene.seen(window)?.executable == name)
        window.setClass("alpha", "Alpha")
        #expect(try scene.seen(window)?.executable == nil)
        window.deleteProperty("WM_CLASS")
        #expect(try scene.seen(window)?.executable == name)
        window.setClass("alpha", "Alpha")
        #expect(try scene.seen(window)?.executable == nil)
        scene.observer.details.insert(.processes)
        #expect(try scene.seen(window)?.executable == name)
    }

    /// A taskbar sends such messages to the root window.
    @Test func aRequestToTheManagerIsReturnedOnceIfSignsAreWanted() throws {
        let scene = try ObservedDisplay()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        _ = try scene.seen()
        let rows: [(name: String, isWanted: Bool, isRequest: Bool)] = [
            ("_NET_ACTIVE_WINDOW", false, false), ("_NET_ACTIVE_WINDOW", true, true),
            ("_NET_CLOSE_WINDOW", true, true), ("_NET_WM_DESKTOP", true, false),
        ]
        for row in rows {
            scene.observer.details = row.isWanted ? [.titles, .signs] : .titles
            scene.client.request(row.name, window: window.id, [])
            _ = try scene.seen()
            #expect(scene.observer.takeRequested() == (row.isRequest ? [UInt32(window.id)] : []), "\(row)")
            #expect(scene.observer.takeRequested().isEmpty)
        }
    }

    /// i3 manages a window anew, on a workspace that is not shown, before the end of the former management is read.
    @Test func aWindowInANewFrameIsManagedThoughItWasWithdrawnInTheFormerOne() throws {
        let scene = try ObservedDisplay()
        scene.client.manage()
        var unmanaged = TestWindow.Properties()
        unmanaged.isOverrideRedirect = true
        let frames = (0..<2).map { _ in TestWindow(scene.client, unmanaged, colour: 0) }
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.reparent(into: frames[0])
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        window.map()
        _ = try scene.seen()
        scene.client.setRoot("_NET_CLIENT_LIST", "WINDOW", [window.id])
        func reason() throws -> Verdict.Reason? {
            let desktop = try scene.seen()
            return try Rule(desktop, .focus).verdict(
                at: #require(desktop.windows.slot(of: UInt32(window.id))))?.reason
        }
        #expect(try reason() == .notViewable)
        window.unmap()
        window.setWords("WM_STATE", "WM_STATE", [0, 0])
        window.reparentToRoot()
        window.reparent(into: frames[1])
        #expect(try reason() == .notViewable)
    }

    /// pekwm's list lacks the tabs behind others, and those of a frame that has lost its own.
    @Test func aClientThatNoListNamesIsFoundInTheFrameOfAnother() throws {
        let scene = try ObservedDisplay()
        let other = try TestClient(scene.server.name)
        scene.client.manage()
        var unmanaged = TestWindow.Properties()
        unmanaged.isOverrideRedirect = true
        let frame = TestWindow(scene.client, unmanaged, colour: 0)
        let decoration = TestWindow(scene.client, .init("Title"), colour: 0)
        let tabs = ["Alpha", "Beta"].map { TestWindow(other, .init($0), colour: 0) }
        for window in [decoration] + tabs {
            window.reparent(into: frame)
            window.map()
        }
        for tab in tabs { tab.setWords("WM_STATE", "WM_STATE", [1, 0]) }
        scene.client.setRoot("_NET_CLIENT_LIST", "WINDOW", [tabs[0].id])
        frame.map()
        other.sync()
        let desktop = try scene.seen()
        let known = Set(desktop.windows.windows.map(\.id.xid))
        #expect(known == Set(tabs.map { UInt32($0.id) }))
        // Neither a window of the manager nor one that no manager has given a state.
        decoration.setWords("WM_STATE", "WM_STATE", [1, 0])
        let stateless = TestWindow(other, .init("Gamma"), colour: 0)
        stateless.reparent(into: frame)
        stateless.map()
        #expect(try scene.seenLate().windows.windows.map(\.id.xid).sorted() == known.sorted())
        #expect(tabs.allSatisfy { desktop.windows.facts(of: UInt32($0.id)).map(desktop.isScene) == true })
    }

    /// A popup outside the known windows may be transient for one of them.
    @Test func theFocusInAnUnknownWindowIsThatOfTheWindowThatItIsTransientFor() throws {
        let scene = try ObservedDisplay()
        let other = try TestClient(scene.server.name)
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        var unmanaged = TestWindow.Properties()
        unmanaged.isOverrideRedirect = true
        unmanaged.transientFor = window.id
        let popup = TestWindow(other, unmanaged, colour: 0, x: 300, width: 50)
        for window in [window, popup] { window.map() }
        other.setFocus(popup.child())
        #expect(try Focus(on: scene.seen()).windows.contains(UInt32(window.id)))
    }

    /// It was destroyed before the tree was read. The large window of its client makes every popup of it worth reading.
    @Test func aPopupThatIsGoneBeforeTheTreeIsReadIsForgotten() throws {
        let scene = try ObservedDisplay()
        scene.observer.follow(SessionOptions())
        scene.client.queueLockerCandidate(width: 600, height: 400)
        _ = try scene.seen()
        let popup = TestWindow(scene.client, .init(), colour: 0)
        popup.destroy()
        let kind = DisplayEvent.Kind.mapped(on: UInt32(scene.client.root), isUnmanaged: true)
        scene.observer.note(DisplayEvent(kind, of: UInt32(popup.id)))
        _ = try scene.seen()
        #expect(!scene.observer.isStale && !scene.observer.isEndless)
    }

    @Test func anAnswerIsPassedOnOnceTheServerIsNotGrabbed() throws {
        let scene = try ObservedDisplay()
        _ = try scene.seen()
        scene.client.grabServer()
        var answers = 0
        scene.observer.ask { answers += 1 }
        #expect(try !scene.observer.refresh() && answers == 0)
        scene.client.releaseServer()
        _ = try scene.seen()
        #expect(answers == 1)
    }

    @Test func noEventIsLostWhileTheServerIsGrabbed() throws {
        let scene = try ObservedDisplay()
        _ = try scene.seen()
        scene.client.grabServer()
        scene.observer.ask {}
        #expect(try !scene.observer.refresh())
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.map()
        // What is answered later may be older than the events.
        #expect(try !scene.observer.noteEvents())
        scene.client.releaseServer()
        #expect(try waitUntil { try scene.seen(window)?.mapState == .viewable })
    }

    @Test func onlyWhatChangedIsReadAgainAndNothingTwice() throws {
        let scene = try ObservedDisplay()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.map()
        _ = try scene.seen()
        try scene.observer.noteEvents()
        #expect(!scene.observer.isStale)
        window.setBytes("WM_NAME", "STRING", Array("new".utf8))
        try scene.observer.noteEvents()
        #expect(scene.observer.windows.hasNewTitles && !scene.observer.isStale)
        scene.observer.windows.readTitles()
        let before = scene.requestCount
        #expect(try scene.seen(window)?.title == "new")
        // Two properties, the window manager and the focus.
        #expect(scene.requestCount - before == 6)
    }

    @Test func aWithdrawalIsNotedUntilTheWindowIsMappedAgain() throws {
        let scene = try ObservedDisplay()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.map()
        #expect(try scene.seen(window)?.withdrewItself == false)
        window.withdraw()
        #expect(try scene.seen(window)?.withdrewItself == true)
        window.map()
        #expect(try scene.seen(window)?.withdrewItself == false)
    }

    @Test(arguments: [true, false])
    func aWithdrawalEndsAsSoonAsTheManagerManagesTheUnmappedWindowAgain(_ writesState: Bool) throws {
        let scene = try ObservedDisplay()
        scene.client.manage()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.map()
        _ = try scene.seen()
        // Some managers do not update the state that they wrote before.
        window.setWords("WM_STATE", "WM_STATE", [3, 0])
        window.withdraw()
        #expect(try scene.seen(window)?.withdrewItself == true)
        scene.observer.readEverything()
        #expect(try scene.seen(window)?.withdrewItself == true)
        window.setWords("WM_STATE", "WM_STATE", [0, 0])
        #expect(try scene.seen(window)?.withdrewItself == true)
        if writesState {
            window.setWords("WM_STATE", "WM_STATE", [3, 0])
        } else {
            scene.client.setRoot("_NET_CLIENT_LIST", "WINDOW", [window.id])
        }
        #expect(try scene.seen(window)?.withdrewItself == false)
    }

    /// Only new entries of a list count: managers rewrite lists in another order.
    @Test func aListThatStillNamesAWithdrawnWindowManagesItNoMore() throws {
        let scene = try ObservedDisplay()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        let other = TestWindow(scene.client, .init("Beta"), colour: 0)
        window.map()
        scene.client.setRoot("_NET_CLIENT_LIST", "WINDOW", [window.id, other.id])
        #expect(try scene.seen(window)?.withdrewItself == false)
        window.withdraw()
        for list in [[other.id, window.id], [other.id, window.id, scene.client.root]] {
            scene.client.setRoot("_NET_CLIENT_LIST", "WINDOW", list)
            #expect(try scene.seen(window)?.withdrewItself == true)
        }
    }

    @Test func aDestroyedWindowIsForgottenAndItsIdIsAnotherWindowThen() throws {
        let scene = try ObservedDisplay()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        let first = try #require(try scene.seen(window)).id
        // The server reuses an ID only after many others; the event is the same.
        scene.noteCreation(of: window)
        let second = try #require(try scene.seen(window)).id
        #expect(first.xid == second.xid && first != second)
        window.destroy()
        #expect(try scene.seen(window) == nil)
    }

    /// As fluxbox and pekwm do with tabs.
    @Test func theOrderOfWindowsThatShareAFrameIsFollowed() throws {
        let scene = try ObservedDisplay()
        let frame = TestWindow(scene.client, .init(), colour: 0)
        let tabs = (0..<2).map { TestWindow(scene.client, .init("Tab\($0)"), colour: 1) }
        _ = try scene.seen()
        for tab in tabs { tab.reparent(into: frame) }
        func levels() throws -> [Int32?] {
            let desktop = try scene.seen()
            return tabs.map { desktop.windows.facts(of: UInt32($0.id))?.frameLevel }
        }
        #expect(try levels() == [0, 1])
        tabs[0].raise()
        #expect(try levels() == [1, 0])
        tabs[1].reparentToRoot()
        #expect(try levels() == [nil, nil])
    }

    @Test func aWindowInsideAnotherOneIsKnownToBeContained() throws {
        let scene = try ObservedDisplay()
        let outer = TestWindow(scene.client, .init("Outer"), colour: 0)
        let inner = TestWindow(scene.client, .init("Inner"), colour: 1)
        #expect(try scene.seen(inner)?.container == nil)
        inner.reparent(into: outer)
        #expect(try scene.seen(inner)?.container == UInt32(outer.id))
        #expect(try scene.seen(inner)?.topLevel == UInt32(outer.id))
        inner.reparentToRoot()
        #expect(try scene.seen(inner)?.container == nil)
        let middle = TestWindow(scene.client, .init("Middle"), colour: 1)
        middle.reparent(into: outer)
        inner.reparent(into: middle)
        #expect(try scene.seen(inner)?.container == UInt32(middle.id))
        #expect(try scene.seen(inner)?.topLevel == UInt32(outer.id))
        // Nobody nests windows like this.
        inner.reparent(into: middle.child(depth: 300))
        #expect(try scene.seen(inner)?.topLevel == nil)
    }

    /// Windows of the window manager are not read.
    @Test func theFocusInAWindowOfTheWindowManagerIsThatOfAClient() throws {
        let scene = try ObservedDisplay()
        var properties = TestWindow.Properties()
        properties.isOverrideRedirect = true
        let popup = TestWindow(scene.client, properties, colour: 0, width: 20, height: 20)
        popup.map()
        scene.client.manage()
        popup.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [popup.id])
        scene.client.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [popup.id])
        scene.client.setFocus(popup.id)
        let client = scene.observer.display.client(of: UInt32(popup.id))
        #expect(try scene.seen().inputFocus == .elsewhere(client: client))
    }

    /// Shows a window in a frame, as window managers do.
    private func framed(on scene: ObservedDisplay) -> (frame: TestWindow, window: TestWindow) {
        let frame = TestWindow(scene.client, .init(), colour: 0)
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        window.reparent(into: frame)
        frame.map()
        window.map()
        return (frame, window)
    }

    /// The size of the frame shows this at once, including to an observer that starts later.
    @Test func aWindowIsShadedOnlyWhereItsFrameIsShrunk() throws {
        let scene = try ObservedDisplay()
        let shaded = [scene.client.atom("_NET_WM_STATE_SHADED")]
        scene.client.manage()
        let (frame, window) = framed(on: scene)
        _ = try scene.seen()
        window.setWords("_NET_WM_STATE", "ATOM", shaded)
        func isSeen(_ isShown: Bool) throws -> Bool {
            let later = try DesktopObserver(try Display(scene.server.name))
            return try [scene.seen(), later.refreshNow()].allSatisfy { isShown == isShownByFrame(window, $0) }
        }
        #expect(try isSeen(true))
        let above = TestWindow(scene.client, .init("Above"), colour: 1, width: 400, height: 400)
        above.map()
        #expect(try isSeen(true))
        frame.resize(width: 200, height: 20)
        #expect(try isSeen(false))
        frame.resize(width: 200, height: 150)
        #expect(try isSeen(true))
    }

    /// Returns whether the frame of a shaded window shows it; nil for any other window.
    private func isShownByFrame(_ window: TestWindow, _ desktop: Desktop) -> Bool? {
        let slot = desktop.windows.slot(of: UInt32(window.id))
        return slot.flatMap { Rule(desktop, .focus).verdict(at: $0)?.isShownByFrame }
    }

    /// bspwm sets SHADED for any client that requests it, but cannot shade windows.
    @Test func aWindowWithoutAFrameIsNotShaded() throws {
        let scene = try ObservedDisplay()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.map()
        window.setWords("_NET_WM_STATE", "ATOM", [scene.client.atom("_NET_WM_STATE_SHADED")])
        #expect(try isShownByFrame(window, scene.seen()) == true)
        window.setWords("_NET_WM_STATE", "ATOM", [])
        window.setWords("_NET_WM_STATE", "ATOM", [scene.client.atom("_NET_WM_STATE_SHADED")])
        #expect(try isShownByFrame(window, scene.seen()) == true)
    }

    /// Makes the client of the test the window manager, and returns its check window.
    private func manage(_ scene: ObservedDisplay) -> TestWindow {
        let check = TestWindow(scene.client, .init(), colour: 0)
        check.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        check.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("Test".utf8))
        scene.client.manage()
        scene.client.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        return check
    }

    /// KWin empties the input shapes of the frames whose windows it hides and leaves mapped.
    @Test func theInputShapesOfFramesAreFollowedUnderAManagerThatIsItsOwnCompositor() throws {
        let scene = try ObservedDisplay()
        let check = manage(scene)
        let (frame, window) = framed(on: scene)
        func takesInput() throws -> [Bool?] {
            let later = try DesktopObserver(try Display(scene.server.name))
            return try [scene.seen(), later.refreshNow()].map {
                $0.facts(of: UInt32(frame.id))?.takesInput
            }
        }
        #expect(try takesInput() == [nil, nil])
        scene.client.own("_NET_WM_CM_S0", with: check)
        scene.client.setRoot("_NET_CURRENT_DESKTOP", "CARDINAL", [0])
        #expect(try takesInput() == [true, true])
        frame.setInput(false)
        #expect(try takesInput() == [false, false])
        frame.setInput(true)
        #expect(try takesInput() == [true, true])
        // A frame has the shape of a window that lets clicks through.
        window.setInput(false)
        frame.setInput(false)
        #expect(try takesInput() == [true, true])
    }

    @Test func aManagerThatOwnsTheCompositorSelectionIsItsOwnCompositor() throws {
        let scene = try ObservedDisplay()
        let check = manage(scene)
        let before = try scene.seen().screen
        #expect(before.manager?.checkWindow == UInt32(check.id) && before.manager?.name == "Test")
        #expect(before.isTrusted && !before.isOwnCompositor)

        scene.client.own("_NET_WM_CM_S0", with: check)
        scene.client.setRoot("_NET_CURRENT_DESKTOP", "CARDINAL", [2])
        #expect(try scene.seen().screen.isOwnCompositor == true)
        let other = try TestClient(scene.server.name)
        other.own("_NET_WM_CM_S0", with: TestWindow(other, .init(), colour: 0))
        scene.client.setRoot("_NET_CURRENT_DESKTOP", "CARDINAL", [1])
        #expect(try scene.seen().screen.isOwnCompositor == false)
    }

    @Test(arguments: [[], ["X-Resource"]])
    func theProcessOfTheManagerIsTheOneThatTheServerNamesAndElseTheOneThatIsClaimed(lacking: [String]) throws
    {
        let scene = try ObservedDisplay(lacking: lacking)
        let check = TestWindow(scene.client, .init(), colour: 0)
        check.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        check.setWords("_NET_WM_PID", "CARDINAL", [4711])
        scene.client.manage()
        scene.client.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        #expect(try waitUntil { try scene.seen().screen.manager?.checkWindow != nil })
        let pid = lacking.isEmpty ? Int32(TestWindow.ownPid) : 4711
        #expect(try scene.observer.managerHints().pid == pid)
    }

    @Test func aCheckWindowThatDoesNotNameItselfIsNone() throws {
        let scene = try ObservedDisplay()
        let check = TestWindow(scene.client, .init(), colour: 0)
        scene.client.manage()
        scene.client.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        let screen = try scene.seen().screen
        #expect(screen.manager == Screen.Manager())
        #expect(!screen.isTrusted)
        // A list that was written after the manager took over is its own.
        scene.client.setRoot("_NET_CLIENT_LIST", "WINDOW", [])
        #expect(try scene.seen().screen.isTrusted == true)
    }

    @Test func theActiveWindowThatADeadManagerNamedIsNotBelievedUntilTheNextOneWritesIt() throws {
        let scene = try ObservedDisplay()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.map()
        var dead: TestClient? = try TestClient(scene.server.name)
        dead?.manage()
        dead?.setRoot("_NET_ACTIVE_WINDOW", "WINDOW", [window.id])
        #expect(try scene.seen().screen.activeWindow == UInt32(window.id))
        dead = nil
        // The end of a client causes an event only if it had windows.
        window.move(x: 1, y: 1)
        #expect(waitUntil { (try? scene.seen())?.screen.manager == nil })

        scene.client.manage()
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        #expect(try scene.seen().screen.manager != nil)
        #expect(try scene.seen().screen.activeWindow == nil)
        scene.client.setRoot("_NET_ACTIVE_WINDOW", "WINDOW", [window.id])
        #expect(try scene.seen().screen.activeWindow == UInt32(window.id))
    }

    @Test func keysOfARootWindowGoToTheWindowUnderThePointer() throws {
        let scene = try ObservedDisplay()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0, x: 20, y: 30)
        window.map()
        scene.client.movePointer(x: 60, y: 60)
        scene.client.setFocus(scene.client.root)
        #expect(try scene.seen().inputFocus == .underPointer(UInt32(window.id)))
        scene.client.movePointer(x: 500, y: 400)
        #expect(try scene.seen().inputFocus == .underPointer(nil))
        scene.client.movePointer(x: 60, y: 60)
        #expect(try scene.seen().inputFocus == .underPointer(UInt32(window.id)))
    }

    @Test func onlyTheDefaultScreenIsRead() throws {
        let scene = try ObservedDisplay(screens: ["640x480x24", "320x240x24"])
        let other = try TestClient(scene.server.name, screen: 1)
        let window = TestWindow(other, .init("Alpha"), colour: 0)
        other.sync()
        let desktop = try scene.seen()
        #expect(scene.observer.display.hasOtherScreens)
        #expect(desktop.screen.bounds == Rectangle(width: 640, height: 480))
        #expect(desktop.windows[UInt32(window.id)] == nil)
    }

    /// A forged list may name any number of windows. Events are noted in between.
    @Test func eventsAreNotedWhileAListOfThousandsOfDeadWindowsIsRead() throws {
        let scene = try ObservedDisplay()
        scene.client.manage()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.map()
        _ = try scene.seen()
        let dead = (0..<3_000).map { window.id + 1_000 + $0 }
        scene.client.setRoot("_NET_CLIENT_LIST", "WINDOW", [window.id] + dead)
        scene.client.sync()
        try scene.observer.noteEvents()
        var count = 0
        var wasSeen = false
        while scene.observer.isStale {
            if try scene.observer.refresh() {
                count += 1
                if count == 1 { window.unmap() }
                try scene.observer.noteEvents()
                let isUnmapped = scene.observer.desktop.windows[UInt32(window.id)]?.mapState == .unmapped
                wasSeen = wasSeen || isUnmapped && count < 5
            } else {
                try scene.observer.display.wait(until: .now + .seconds(5))
            }
        }
        #expect(count > 10 && wasSeen)
    }

    /// Signals and timers are handled between the parts.
    @Test func aListOfManyDeadWindowsIsReadInParts() throws {
        let scene = try ObservedDisplay()
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0)
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        scene.client.manage()
        let dead = (1...100_000).map { UInt(0x7F_0000 + $0) }
        scene.client.setRoot("_NET_CLIENT_LIST", "WINDOW", dead + [window.id])
        let observer = try DesktopObserver(try Display(scene.server.name), host: .here)
        var parts: [Int] = []
        while true {
            let before = observer.answerCount
            let isDone = try observer.refresh()
            if isDone || observer.isInterrupted { parts.append(observer.answerCount - before) }
            if isDone { break }
            if !observer.isInterrupted { try observer.display.wait(until: .now + .seconds(20)) }
        }
        // One call may process the end of one round of answers and the start of the next.
        #expect(
            parts.allSatisfy { $0 < 2 * DesktopObserver.mostAnswers } && observer.answerCount > dead.count)
        #expect(observer.desktop.windows.windows.map(\.id.xid) == [UInt32(window.id)])
        // A dead window takes no memory that stays.
        #expect(observer.desktop.windows.slotCount == 1)
    }
}
