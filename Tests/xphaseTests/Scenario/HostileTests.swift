import TestDesktop
import Testing

extension DesktopTests {
    /// Windows with properties that no well-behaved client sets.
    @Suite struct Hostile {
        struct Name: Sendable {
            let what: String
            let bytes: [UInt8]
            var type = "STRING"
            let application: String
            let group: String

            init(
                _ what: String, _ bytes: [UInt8], type: String = "STRING", _ application: String,
                _ group: String
            ) {
                self.what = what
                self.bytes = bytes
                self.type = type
                self.application = application
                self.group = group
            }

            static func text(_ what: String, _ text: String, _ application: String, _ group: String) -> Name {
                Name(what, Array(text.utf8), application, group)
            }
        }

        private static let long = String(repeating: "x", count: 1 << 20)
        private static let longest = String(repeating: "x", count: 1024)

        static let names = [
            Name.text("empty", "", "unknown", "unknown"),
            .text("two empty strings", "\0\0", "unknown", "unknown"),
            .text("one string", "one\0", "unknown", "one"),
            .text("no NUL", "one", "unknown", "one"),
            .text("no last NUL", "one\0Two", "Two", "one"),
            .text("more than two strings", "one\0Two\0three\0", "Two", "one"),
            .text("no instance", "\0Two\0", "Two", "Two"),
            .text("UTF-8 as STRING", "über\0Größe\0", "Größe", "über"),
            Name("UTF-8 by its type", Array("über\0Größe\0".utf8), type: "UTF8_STRING", "Größe", "über"),
            Name("Latin-1", [0xFC, 0, 0x47, 0xF6, 0xDF, 0], "Göß", "ü"),
            Name("invalid bytes", [0xFF, 0xFE, 0, 0xC3, 0x28, 0], "Ã(", "ÿþ"),
            .text("control characters", "a\u{1B}[31m\0B\nC\0", "B\nC", "a\u{1B}[31m"),
            .text("a class of 1 MB", "one\0\(long)\0", longest, "one"),
            .text("an instance of 1 MB", "\(long)\0Two\0", "unknown", longest),
            Name("another type", Array("one\0Two\0".utf8), type: "CARDINAL", "unknown", "unknown"),
        ]

        @Test func wmClass() throws {
            let session = try Session(.none)
            for name in Self.names {
                var properties = TestWindow.Properties()
                properties.title = "a window"
                let window = session.window(properties)
                window.setBytes("WM_CLASS", name.type, name.bytes)
                let lines = try session.settle { window.map() }
                let what = Comment(rawValue: name.what)
                #expect(lines.map(\.application) == [name.application, name.application], what)
                #expect(lines.first?.group == name.group, what)
                try session.settle { window.destroy() }
            }
        }

        @Test func aTitleOfOneMegabyteIsCut() throws {
            let session = try Session(.openbox)
            let window = session.window(.init("Alpha"))
            window.setBytes("_NET_WM_NAME", "UTF8_STRING", Array(String(repeating: "é", count: 1 << 19).utf8))
            window.map()
            // openbox takes long to draw the title.
            var scene: Line?
            _ = try waitUntil {
                scene = try session.settle().first { $0.kind == "scene" }
                return scene != nil
            }
            #expect(scene?.title == String(repeating: "é", count: 512))
        }

        @Test func aLongTitleIsNotCutInsideACharacter() throws {
            let session = try Session(.none)
            let window = session.window(.init("Alpha"))
            window.setBytes("WM_NAME", "STRING", Array(("x" + String(repeating: "é", count: 1000)).utf8))
            let lines = try session.settle { window.map() }
            #expect(lines.first?.title == "x" + String(repeating: "é", count: 511))
        }

        @Test func theNameOfAWindowManagerDrivesNoTerminalEither() throws {
            let session = try Session(.none)
            let watch = try XPhase.start(["watch", "--format", "{application}"], on: session.display)
            _ = try watch.output.next()
            session.client.manage()
            let check = session.window(.init())
            check.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
            check.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("evil\u{1B}[31m\u{7}".utf8))
            session.client.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
            let said = try #require(try watch.errors.next())
            #expect(said == "xphase: evil\\e[31m\\u{7} took over; phases were read again")
        }

        @Test func theTitleOfEWMHCountsBeforeThatOfICCCM() throws {
            let session = try Session(.openbox)
            var properties = TestWindow.Properties("Alpha")
            properties.title = "old"
            let window = session.window(properties)
            window.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("new".utf8))
            #expect(try session.settle { window.map() }.first?.title == "new")
        }

        @Test func invalidBytesOfATitleBecomeValid() throws {
            let session = try Session(.openbox)
            let window = session.window(.init("Alpha"))
            window.setBytes("_NET_WM_NAME", "UTF8_STRING", [0x61, 0xFF, 0x62, 0xED, 0xA0, 0x80])
            let title = try #require(try session.settle { window.map() }.first?.title)
            #expect(title.hasPrefix("a\u{FFFD}b\u{FFFD}"))
        }

        @Test func noWindowDrivesTheTerminal() throws {
            let session = try Session(.openbox)
            var properties = TestWindow.Properties("Al\u{1B}]0;pwned\u{7}pha\nfake", instance: "a\u{85}b")
            properties.title = "t\u{1B}[2J\n\r\t\u{9B}31m\u{7F}\u{202E}"
            let text = try XPhase.start(
                ["watch", "--level", "scene", "--level", "application"], on: session.display)
            try session.open(properties)
            for arguments in [
                ["list"], ["list", "--json"], ["list", "--format", "{application} {group} {title}"],
            ] {
                let output = try XPhase.run(arguments, on: session.display).output
                #expect(!output.isEmpty)
                #expect(output.allSatisfy { Self.isHarmless($0) })
            }
            var lines: [String] = []
            while lines.last?.contains("pwned") != true || lines.last?.contains(" 1 scene") != true {
                lines.append(try #require(try text.output.next()))
            }
            #expect(lines.allSatisfy { Self.isHarmless($0) })
            #expect(lines.last?.contains("Al\\e]0;pwned\\u{7}pha\\nfake") == true)
        }

        private static func isHarmless(_ line: String) -> Bool {
            line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        }

        @Test func propertiesOfAnotherTypeFormatOrLengthAreAsIfUnset() throws {
            let session = try Session(.none)
            let window = session.window(.init("Alpha"))
            for name in [
                "WM_STATE", "_NET_WM_STATE", "_NET_WM_DESKTOP", "_NET_WM_PID", "WM_TRANSIENT_FOR",
                "_NET_WM_WINDOW_TYPE",
            ] {
                window.setBytes(name, "STRING", Array("rubbish".utf8))
            }
            window.setWords("_NET_WM_NAME", "UTF8_STRING", [1, 2, 3])
            window.setWords("WM_CLIENT_MACHINE", "STRING", [1, 2, 3])
            let lines = try session.settle { window.map() }
            #expect(lines.map(\.description) == ["\(window.name) →inactive open", "Alpha →inactive open"])
            #expect(lines.first?.title == nil && lines.first?.desktop == nil)
            // As for every window without a valid _NET_WM_PID.
            #expect(lines.first?.pid == TestWindow.ownPid)
        }

        /// The largest and smallest values that a client can write, in every numeric property.
        @Test func noNumberIsTooLarge() throws {
            let session = try Session(.none, ["--level", "application", "--occlusion", "1ms"])
            let window = try session.open("Alpha")
            let root = session.client.setRoot
            let last: UInt = 0xFFFF_FFFF
            for value in [last, 0x8000_0000, 0x7FFF_FFFF, 0xFFFF, 0] {
                let words = [UInt](repeating: value, count: 8)
                for name in [
                    "WM_STATE", "_NET_WM_DESKTOP", "_NET_WM_PID", "WM_TRANSIENT_FOR", "_NET_WM_STATE",
                    "_NET_WM_WINDOW_TYPE", "_NET_FRAME_EXTENTS", "_GTK_FRAME_EXTENTS",
                    "_NET_WM_OPAQUE_REGION",
                    "_NET_WM_WINDOW_OPACITY",
                ] {
                    let type = ["WM_STATE": "WM_STATE", "WM_TRANSIENT_FOR": "WINDOW"][name] ?? "CARDINAL"
                    window.setWords(
                        name, name.hasSuffix("_STATE") || name.hasSuffix("_TYPE") ? "ATOM" : type, words)
                    window.setWords(name, type, Array(words.prefix(4)))
                }
                for (name, type) in [
                    ("_NET_ACTIVE_WINDOW", "WINDOW"), ("_NET_CLIENT_LIST", "WINDOW"),
                    ("_NET_CLIENT_LIST_STACKING", "WINDOW"), ("_NET_SUPPORTING_WM_CHECK", "WINDOW"),
                    ("_NET_CURRENT_DESKTOP", "CARDINAL"), ("_NET_SHOWING_DESKTOP", "CARDINAL"),
                    ("XFree86_has_VT", "INTEGER"), ("_SCREENSAVER_STATUS", "INTEGER"),
                ] { root(name, type, words) }
                window.move(x: Int32(truncatingIfNeeded: value), y: Int32(Int16(truncatingIfNeeded: value)))
                try session.settle()
                for command in [
                    ["explain", "Alpha"], ["explain", "--json", "Alpha"], ["list", "--json"],
                    ["phase", "Alpha"],
                ] {
                    #expect([0, 1].contains(try XPhase.run(command, on: session.display).code))
                }
            }
            #expect(try session.applications { window.destroy() }.contains { $0.hasPrefix("Alpha ") })
        }

        @Test func windowsThatAreTransientForEachOtherAreScenes() throws {
            let session = try Session(.none)
            let first = session.window(.init("Alpha"))
            let second = session.window(.init("Alpha"), x: 300)
            first.setWords("WM_TRANSIENT_FOR", "WINDOW", [second.id])
            second.setWords("WM_TRANSIENT_FOR", "WINDOW", [first.id])
            let lines = try session.settle {
                first.map()
                second.map()
            }
            #expect(lines.filter { $0.kind == "scene" }.count == 2)
            #expect(
                try session.applications { session.client.setFocus(first.id) } == [
                    "Alpha inactive→active focus"
                ])
        }

        @Test func windowsThatVanishWhileTheyAreReadAreSkipped() throws {
            let session = try Session(.openbox)
            let other = try TestClient(session.display.name)
            let lines = try session.applications {
                for number in 1...300 {
                    let window = TestWindow(other, .init("Short\(number)"), colour: 0x11_22_33)
                    window.map()
                    window.destroy()
                }
            }
            #expect(lines.allSatisfy { !$0.contains("active→inactive") })
            #expect(try session.list().isEmpty)
        }
    }
}
