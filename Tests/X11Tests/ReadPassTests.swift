import TestDesktop
import Testing

@testable import X11

@Suite struct ReadPassTests {
    @Test func readsOfDeadWindowsAreNilAndTheOthersArrive() throws {
        let server = try VirtualDisplay()
        let client = try TestClient(server.name)
        let display = try Display(server.name)
        let atoms = Atoms(display)
        var answers: [Int: UInt32?] = [:]
        var pass = ReadPass(display)
        for number in 0..<3000 {
            if number.isMultiple(of: 3) {
                let window = TestWindow(client, .init(), colour: 0)
                window.setWords("_NET_WM_DESKTOP", "CARDINAL", [UInt(number)])
                pass.property(atoms[.netDesktop], of: UInt32(window.id), words: 1) {
                    answers.updateValue($0?.words(6)?.first, forKey: number)
                }
            } else {
                pass.property(atoms[.netDesktop], of: 0x7F_0000 + UInt32(number), words: 1) {
                    answers.updateValue($0?.words(6)?.first, forKey: number)
                }
            }
        }
        _ = try pass.run()
        #expect(answers.count == 3000)
        for (number, answer) in answers {
            let expected = number.isMultiple(of: 3) ? UInt32(number) : nil
            #expect(answer == expected)
        }
    }

    @Test func everyKindOfReadTellsOfADeadWindow() throws {
        let server = try VirtualDisplay()
        let display = try Display(server.name)
        let dead: UInt32 = 0x7F_0001
        var gone = 0
        var pass = ReadPass(display)
        pass.attributes(of: dead) { gone += $0 == nil ? 1 : 0 }
        pass.size(of: dead) { gone += $0 == nil ? 1 : 0 }
        pass.position(of: dead, on: display.root(of: 0)) { gone += $0 == nil ? 1 : 0 }
        pass.tree(of: dead) { gone += $0 == nil ? 1 : 0 }
        pass.property(39, of: dead, words: 8) { gone += $0 == nil ? 1 : 0 }
        pass.pointer(on: dead) { gone += $0 == nil ? 1 : 0 }
        pass.owner(of: 1) { gone += $0 == 0 ? 1 : 0 }
        _ = try pass.run()
        #expect(gone == 7)
    }

    @Test func factsArriveAsTheyAre() throws {
        let server = try VirtualDisplay()
        let client = try TestClient(server.name)
        let display = try Display(server.name)
        let window = TestWindow(client, .init(), colour: 0, x: -7, y: 30, width: 200, height: 150)
        window.map()
        let xid = UInt32(window.id)
        let root = display.root(of: 0)
        var told: [String] = []
        var pass = ReadPass(display)
        pass.attributes(of: xid) { told.append("\(String(describing: $0?.mapState))") }
        pass.size(of: xid) { told.append("\($0?.width ?? 0)x\($0?.height ?? 0)") }
        pass.position(of: xid, on: root) { told.append("\($0?.x ?? 0),\($0?.y ?? 0)") }
        pass.tree(of: xid) { told.append("\($0?.parent == root) \($0?.children.count ?? -1)") }
        pass.tree(of: root) { told.append("\($0?.parent ?? 1) \($0?.children.contains(xid) == true)") }
        _ = try pass.run()
        #expect(
            told == ["Optional(Scenes.SeenWindow.MapState.viewable)", "200x150", "-7,30", "true 0", "0 true"])
    }

    @Test func aPropertyIsTakenOnlyInTheTypeAndFormatThatIsWanted() throws {
        let server = try VirtualDisplay()
        let client = try TestClient(server.name)
        let display = try Display(server.name)
        let window = TestWindow(client, .init(), colour: 0)
        window.setBytes("_NET_WM_PID", "CARDINAL", Array("12345678".utf8))
        window.setWords("_NET_WM_NAME", "UTF8_STRING", [1, 2])
        window.setBytes("WM_NAME", "STRING", [UInt8](repeating: 0x61, count: 1 << 20))
        let atoms = Atoms(display)
        var pass = ReadPass(display)
        var told: [String] = []
        pass.property(atoms[.netPid], of: UInt32(window.id), words: 1) {
            told.append("\($0?.words(6) == nil)")
        }
        pass.property(atoms[.netName], of: UInt32(window.id), words: 8) {
            told.append("\($0?.text(atoms[.utf8String]) == nil)")
        }
        pass.property(atoms[.wmName], of: UInt32(window.id), words: 16) {
            told.append("\($0?.text(31)?.count ?? 0) \($0?.isCut == true)")
        }
        pass.property(atoms[.wmClass], of: UInt32(window.id), words: 16) { told.append("\($0 == nil)") }
        _ = try pass.run()
        #expect(told == ["true", "true", "64 true", "true"])
    }

    @Test func theInputFocusComesWithEveryPass() throws {
        let server = try VirtualDisplay()
        let client = try TestClient(server.name)
        let display = try Display(server.name)
        let window = TestWindow(client, .init(), colour: 0)
        window.map()
        client.setFocus(window.id)
        var pass = ReadPass(display)
        #expect(try pass.run() == UInt32(window.id))
    }

    @Test func aServerThatDiesInTheMiddleIsAnErrorAndNoMore() throws {
        let server = try VirtualDisplay()
        let display = try Display(server.name)
        let root = display.root(of: 0)
        var answers = 0
        var pass = ReadPass(display)
        for _ in 0..<100 { pass.attributes(of: root) { _ in answers += 1 } }
        try server.crash()
        for _ in 0..<5000 {
            pass.attributes(of: root) { _ in answers += 1 }
            pass.property(39, of: root, words: 1) { _ in answers += 1 }
            pass.position(of: root, on: root) { _ in answers += 1 }
        }
        #expect(throws: DisplayError.connectionLost(server.name)) { _ = try pass.run() }
        #expect(answers == 15_100)
        #expect(throws: DisplayError.connectionLost(server.name)) { try display.drain { _ in } }
    }
}
