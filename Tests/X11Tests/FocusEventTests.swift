import CXlib
import Scenes
import TestDesktop
import Testing

@testable import X11

/// Focus events that the server reports. The others cause a read.
@Suite struct FocusEventTests {
    @Test(arguments: [
        ("a move", NotifyNormal, NotifyNonlinear, true),
        ("a move during a grab", NotifyWhileGrabbed, NotifyNonlinear, true),
        ("a move to a window inside", NotifyNormal, NotifyNonlinearVirtual, true),
        ("the begin of a grab", NotifyGrab, NotifyNonlinear, false),
        ("the end of a grab", NotifyUngrab, NotifyNonlinear, false),
        ("a move from a window inside", NotifyNormal, NotifyInferior, false),
        ("the window under the pointer", NotifyNormal, NotifyPointer, false),
    ])
    func onlyAMoveIsBelievedWithoutARead(_ event: String, mode: Int32, detail: Int32, isBelieved: Bool) throws
    {
        let display = try ObservedDisplay()
        let alpha = TestWindow(display.client, .init("Alpha"), colour: 0)
        let beta = TestWindow(display.client, .init("Beta"), colour: 0)
        alpha.map()
        beta.map()
        display.client.setFocus(alpha.id)
        #expect(try display.seen().inputFocus == .window(UInt32(alpha.id)))
        let kind = DisplayEvent.Kind.focus(isIn: true, mode: mode, detail: detail)
        display.observer.note(DisplayEvent(kind, of: UInt32(beta.id)))
        #expect(try display.seen().inputFocus == .window(UInt32((isBelieved ? beta : alpha).id)))
        // Whatever is read next finds out.
        display.observer.askServer()
        #expect(try display.seen().inputFocus == .window(UInt32(alpha.id)))
    }
}
