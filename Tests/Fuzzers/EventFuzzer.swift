import CXPipeline
import Scenes
import TestDesktop

@testable import X11

/// Feeds arbitrary events to an observer, whose requests a real server answers. A 32-bit word below 16 in an event
/// stands for an existing window.
final class EventFuzzer {
    nonisolated(unsafe) static let shared = EventFuzzer()

    private let server: VirtualDisplay
    private let client: TestClient
    private let display: Display
    private let windows: [UInt32]

    private init() {
        do {
            // libFuzzer exits without running deinit; `-terminate` ends the server with its last client.
            server = try VirtualDisplay(arguments: ["-terminate"])
            let client = try TestClient(server.name)
            self.client = client
            display = try Display(server.name)
            let shown = ["Alpha", "Alpha", "Beta"].map { TestWindow(client, .init($0), colour: 1) }
            for window in shown { window.map() }
            client.sync()
            let ids = shown.map { UInt32($0.id) }
            windows = [0, 1, display.root(of: 0)] + ids + [UInt32(shown[0].child()), ids[2] + 0x1000]
        } catch {
            fatalError("\(error)")
        }
    }

    /// - Parameter bytes: Events of 32 bytes, in the format of the X protocol.
    func process(_ bytes: UnsafeRawBufferPointer) {
        do {
            let observer = try DesktopObserver(display, hostName: "here", executable: { "program-\($0)" })
            observer.follow(SessionOptions(occlusion: .zero))
            _ = try observer.refreshNow()
            for start in stride(from: 0, to: bytes.count & ~31, by: 32) {
                var event = xcb_generic_event_t()
                withUnsafeMutableBytes(of: &event) { event in
                    event.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + 32]))
                    for place in [4, 8, 12] {
                        let word = event.load(fromByteOffset: place, as: UInt32.self)
                        guard word < 16 else { continue }
                        event.storeBytes(
                            of: windows[Int(word) % windows.count], toByteOffset: place, as: UInt32.self)
                    }
                }
                event.full_sequence = UInt32(event.sequence)
                var reported = cxp_event()
                if cxp_read_event(display.connection, &event, &reported) { observer.note(reported) }
            }
            // A full refresh discards windows that events mentioned but that do not exist.
            let desktop = try observer.refreshNow()
            precondition(Array(desktop.windows.usedSlots).count < 16)
        } catch {
            fatalError("\(error)")
        }
    }
}
