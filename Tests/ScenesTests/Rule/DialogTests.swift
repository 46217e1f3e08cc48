import Testing

@testable import Scenes

/// Windows 1 and 2 are ordinary. Tests add 3 and 4 as dialogs.
@Suite struct DialogTests {
    private var desktop = Desktop.managed()

    init() {
        desktop.add(.client(1, "Editor"))
        desktop.add(.client(2, "Other"))
    }

    /// LibreOffice has dialogs of other classes.
    @Test mutating func aDialogOfTheSameClientIsPartOfTheSceneWhateverItsClass() {
        desktop.add(.client(0x20_0001, "Writer"))
        dialog(0x20_0002, of: 0x20_0001, "Soffice")
        dialog(0x40_0001, of: 0x20_0001, "Zenity")
        desktop.edit(0x20_0001) { $0.iconify() }
        #expect(desktop.phases() == [1: .inactive, 2: .inactive, 0x20_0001: .inactive, 0x40_0001: .inactive])
        desktop.screen.activeWindow = 0x20_0002
        #expect(desktop.phases() == [1: .inactive, 2: .inactive, 0x20_0001: .active, 0x40_0001: .inactive])
    }

    @Test mutating func theFocusIsLentThroughAChain() {
        dialog(3, of: 1, "Zenity")
        dialog(4, of: 3, "Printer")
        desktop.screen.activeWindow = 4
        #expect(desktop.phases() == [1: .active, 2: .inactive, 3: .active, 4: .active])
    }

    @Test mutating func dialogsOfDialogsOfOneClassAreOneScene() {
        dialog(3, of: 1, "Editor")
        dialog(4, of: 3, "Editor")
        desktop.screen.activeWindow = 4
        #expect(desktop.phases() == [1: .active, 2: .inactive])
    }

    @Test mutating func theSceneIsInThePhaseOfTheGreatestOfItsWindows() {
        dialog(3, of: 1, "Editor")
        desktop.edit(1) { $0.iconify() }
        #expect(desktop.phases() == [1: .inactive, 2: .inactive])
        #expect(desktop.foundScenes(under: .focus)[WindowID(1)]?.hiding == nil)
        desktop.edit(3) { $0.mapState = .unmapped }
        #expect(desktop.phases() == [1: .background, 2: .inactive])
        #expect(desktop.foundScenes(under: .focus)[WindowID(1)]?.hiding == .iconify)
    }

    @Test mutating func aHiddenWindowIsNotActiveThoughItsDialogOfAnotherClassHasTheFocus() {
        dialog(3, of: 1, "Zenity")
        desktop.edit(1) { $0.iconify() }
        desktop.screen.activeWindow = 3
        #expect(desktop.phases() == [1: .background, 2: .inactive, 3: .active])
    }

    @Test mutating func aDialogOfAWindowThatIsNotManagedIsASceneOfItsOwn() {
        dialog(3, of: 1, "Editor")
        desktop.edit(1) { $0.withdrewItself = true }
        desktop.screen.activeWindow = 3
        #expect(desktop.phases() == [2: .inactive, 3: .active])
        desktop.remove(1)
        #expect(desktop.phases() == [2: .inactive, 3: .active])
    }

    /// For the root window, itself, and a window that is not there.
    @Test(arguments: [UInt32(0), 3, 77])
    func aWindowTransientForNoOtherIsAnOrdinaryWindow(parent: UInt32) {
        var desktop = desktop
        desktop.add(.client(3, "Editor").with { $0.transientFor = parent })
        desktop.screen.activeWindow = 3
        #expect(desktop.phases() == [1: .inactive, 2: .inactive, 3: .active])
    }

    @Test mutating func windowsTransientForEachOtherAreDialogsOfNone() {
        dialog(3, of: 4, "Editor")
        dialog(4, of: 3, "Editor")
        desktop.screen.activeWindow = 3
        #expect(desktop.phases() == [1: .inactive, 2: .inactive, 3: .active, 4: .active])
    }

    @Test mutating func aCycleOfThreeLosesNoScene() {
        for xid in UInt32(3)...5 { dialog(xid, of: xid == 5 ? 3 : xid + 1, "Editor") }
        #expect(desktop.phases().count == 5)
    }

    @Test mutating func aLongCycleOfSeveralClassesEnds() {
        for xid in UInt32(10)..<60 { dialog(xid, of: xid == 59 ? 10 : xid + 1, "Class\(xid % 3)") }
        desktop.screen.activeWindow = 30
        let active = desktop.phases().filter { $0.value == .active }.keys
        #expect(Set(active) == Set(UInt32(10)..<60))
    }

    /// `focused` means "ACTIVE == w (or a transient-for descendant)" in the rule for HIDDEN, too.
    @Test mutating func aDialogThatCoversItsWindowDoesNotHideItBehindAStaleHidden() {
        dialog(3, of: 1, "Zenity")
        desktop.edit(1) { $0.states = .hidden }
        desktop.edit(3) { $0.geometry = Rectangle(width: 1280, height: 800) }
        desktop.screen.activeWindow = 3
        #expect(desktop.phases() == [1: .active, 2: .inactive, 3: .active])
    }

    @Test mutating func underThePolicyOfApplicationsADialogLendsItsFocusToTheWholeApplication() {
        desktop.add(.client(5, "Editor"))
        dialog(3, of: 1, "Zenity")
        desktop.screen.activeWindow = 3
        #expect(desktop.phases(under: .application) == [1: .active, 2: .inactive, 3: .active, 5: .active])
    }

    private mutating func dialog(_ xid: UInt32, of parent: UInt32, _ application: String) {
        desktop.add(.client(xid, application).with { $0.transientFor = parent })
    }
}
