import Testing

@testable import Scenes

/// A description of a desktop, its differences from `Desktop.locked()` with a screen of 1280 x 800 pixels, and whether
/// it is locked.
struct LockerCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isLocked: Bool
    let arrange: @Sendable (inout Desktop) -> Void

    init(_ sentence: String, isLocked: Bool, _ arrange: @escaping @Sendable (inout Desktop) -> Void) {
        testDescription = sentence
        self.isLocked = isLocked
        self.arrange = arrange
    }

    static let all: [LockerCase] = [
        LockerCase("a window over everything", isLocked: true) { _ in },
        LockerCase("the keyboard is grabbed", isLocked: true) { $0.session.isKeyboardGrabbed = true },
        LockerCase("the keyboard is free", isLocked: false) { $0.session.isKeyboardGrabbed = false },
        LockerCase("xscreensaver reports a lock, regardless of the keyboard grab", isLocked: true) {
            $0.session.isKeyboardGrabbed = false
            $0.session.saverSince = 1
        },
        LockerCase("xscreensaver says so, and shows nothing yet", isLocked: false) {
            $0.session.saverSince = 1
            $0.addLocker { $0.mapState = .unmapped }
        },
        LockerCase("at the bottom, as a wallpaper", isLocked: false) { $0.stacking.move(0xF000, above: 0) },
        LockerCase("below one window", isLocked: false) { $0.stacking.raise(1) },
        LockerCase("below a window that is hidden", isLocked: true) {
            $0.stacking.raise(1)
            $0.edit(1) { $0.iconify() }
        },
        LockerCase("below an unmanaged window", isLocked: true) {
            $0.addLocker(0xF001) { $0.geometry = Rectangle(x: 9, y: 9, width: 90, height: 20) }
        },
        LockerCase("a launcher over all windows, which leaves most of the screen free", isLocked: false) {
            $0.edit(2) { $0.geometry?.width = 100 }
            $0.addLocker { $0.geometry = Rectangle(width: 1180, height: 800) }
        },
        LockerCase("shaped to nothing, to select a part of the screen", isLocked: false) {
            $0.addLocker { $0.isShaped = true }
        },
        LockerCase("one of two monitors, and no window on the other", isLocked: false) { $0.twoMonitors() },
        LockerCase("two monitors, with a window for each", isLocked: true) {
            $0.twoMonitors()
            $0.addLocker(0xF001) { $0.geometry = Rectangle(x: 1281, y: 1, width: 798, height: 598) }
        },
        LockerCase("a mirrored monitor is no other", isLocked: true) {
            $0.screen.monitors = [$0.screen.bounds, Rectangle(width: 800, height: 600)]
        },
        LockerCase("less one pixel on each side, as xsecurelock has it", isLocked: true) {
            $0.addLocker { $0.geometry = Rectangle(x: 1, y: 1, width: 1278, height: 798) }
        },
        LockerCase("less three pixels on each side", isLocked: false) {
            $0.addLocker { $0.geometry = Rectangle(x: 3, y: 3, width: 1274, height: 794) }
        },
        LockerCase("two windows, one for each half", isLocked: true) {
            $0.addLocker { $0.geometry = Rectangle(width: 640, height: 800) }
            $0.addLocker(0xF001) { $0.geometry = Rectangle(x: 640, y: 0, width: 640, height: 800) }
        },
        LockerCase("two windows with a gap between them", isLocked: false) {
            $0.addLocker { $0.geometry = Rectangle(width: 640, height: 800) }
            $0.addLocker(0xF001) { $0.geometry = Rectangle(x: 641, y: 0, width: 639, height: 800) }
        },
        LockerCase("a gap that no monitor shows", isLocked: true) {
            $0.addLocker { $0.geometry = Rectangle(width: 640, height: 800) }
            $0.screen.monitors = [Rectangle(width: 640, height: 800)]
        },
        LockerCase("no colours of its own", isLocked: false) { $0.addLocker { $0.isInputOnly = true } },
        LockerCase("a dialog above it", isLocked: false) { $0.addLogOutDialog() },
        LockerCase("a dialog below it", isLocked: true) {
            $0.addLogOutDialog()
            $0.stacking.raise(0xF000)
        },
        LockerCase("a dialog that cannot be seen", isLocked: true) {
            $0.addLogOutDialog()
            $0.edit(0xF001) { $0.mapState = .unmapped }
        },
        LockerCase("the field for the password, which is not a dialog", isLocked: true) {
            $0.addLogOutDialog()
            $0.edit(0xF001) { $0.kind = .accessory }
        },
        LockerCase("a dialog as large as the screen, which is the locker", isLocked: true) {
            $0.addLocker { $0.kind = .unmanagedDialog }
        },
        LockerCase("a window of the window manager", isLocked: false) {
            $0.addLocker { $0.isOverrideRedirect = false }
        },
        LockerCase("translucent, with a compositor", isLocked: false) {
            $0.addLocker { $0.depth = 32 }
            $0.screen.isComposited = true
        },
        LockerCase("opaque, with a compositor", isLocked: true) {
            $0.addLocker { $0.depth = 24 }
            $0.screen.isComposited = true
        },
        LockerCase("with an alpha channel that nobody draws", isLocked: true) {
            $0.addLocker { $0.depth = 32 }
        },
        LockerCase("there is no other window", isLocked: true) {
            $0.remove(1)
            $0.remove(2)
        },
        LockerCase("all monitors are off", isLocked: true) { $0.screen.monitors = [] },
        LockerCase("no window on a monitor that is too small to be covered", isLocked: false) {
            $0.addLocker { $0.mapState = .unmapped }
            $0.screen.monitors = [Rectangle(width: 4, height: 4)]
        },
        LockerCase("64 windows, each over a part", isLocked: true) { $0.addLockers(64) },
        LockerCase("more windows than any locker has", isLocked: false) { $0.addLockers(80) },
        LockerCase("a window of which it is not known where it lies", isLocked: false) {
            $0.edit(1) { $0.topLevel = 0x999 }
        },
        LockerCase("a window in a frame, which it covers", isLocked: true) {
            $0.edit(1) { $0.topLevel = 0x999 }
            $0.stacking.add(0x999)
            $0.stacking.raise(0xF000)
        },
        LockerCase("a window in a frame above it", isLocked: false) {
            $0.edit(1) { $0.topLevel = 0x999 }
            $0.stacking.add(0x999)
        },
        LockerCase("it hides a thousand windows in little pieces", isLocked: false) {
            $0.addLocker { $0.mapState = .unmapped }
            for index in 0..<2_000 as Range<Int32> {
                $0.addLocker(0x10000 + UInt32(index)) {
                    $0.geometry = Rectangle(x: index % 50 * 24, y: index / 50 * 20, width: 10, height: 10)
                }
            }
        },
    ]
}

@Suite struct LockerWindowsTests {
    @Test(arguments: LockerCase.all) func theScreenIsLockedOrNot(_ example: LockerCase) {
        var desktop = Desktop.locked()
        example.arrange(&desktop)
        #expect((desktop.lock != nil) == example.isLocked)
    }

    @Test func theWindowsOfTheLockerAreNamed() {
        var desktop = Desktop.locked()
        desktop.addLocker(0x77) { $0.geometry = Rectangle(width: 100, height: 100) }
        #expect(desktop.lock == [WindowID(0x77), WindowID(0xF000)])
    }
}

extension Desktop {
    /// Adds an override-redirect dialog above all windows, like that of xfce4-session.
    fileprivate mutating func addLogOutDialog() {
        addLocker(0xF001) {
            $0.kind = .unmanagedDialog
            $0.geometry = Rectangle(x: 467, y: 300, width: 346, height: 227)
        }
    }

    /// Replaces the locker by windows that cover the screen together.
    fileprivate mutating func addLockers(_ count: Int32) {
        remove(0xF000)
        let width = screen.bounds.width / count
        for index in 0..<count {
            addLocker(0xF000 + UInt32(index)) {
                $0.geometry = Rectangle(x: index * width, y: 0, width: width, height: 800)
            }
        }
    }

    /// Adds a monitor to the right, which shows no window.
    fileprivate mutating func twoMonitors() {
        screen.monitors = [screen.bounds, Rectangle(x: 1280, y: 0, width: 800, height: 600)]
        screen.bounds.width = 2080
    }

    /// Returns a desktop with two windows, the second one as large as the screen, and a locker over them.
    static func locked() -> Desktop {
        var desktop = managed()
        desktop.add(.client(1))
        desktop.add(.client(2).with { $0.geometry = desktop.screen.bounds })
        desktop.addLocker()
        return desktop
    }
}
