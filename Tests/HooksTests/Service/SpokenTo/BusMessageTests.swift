import Testing

@testable import Service

/// Messages as busctl(1) prints them.
@Suite struct BusMessageTests {
    private static func call(_ interface: String, _ member: String, flags: Int = 0) -> String {
        #"{"type":"method_call","endian":"l","flags":\#(flags),"version":1,"cookie":7,"sender":":1.9","#
            + #""destination":"org.x","path":"/","interface":"\#(interface)","member":"\#(member)""#
            + #","payload":{"type":"","data":[]}}"#
    }

    @Test(
        arguments: [
            ("org.freedesktop.DBus.Properties", "Get", true),
            ("org.freedesktop.DBus.Properties", "GetAll", true),
            ("org.freedesktop.DBus.Properties", "Set", false),
            ("org.freedesktop.DBus.Introspectable", "Introspect", true),
            ("org.freedesktop.DBus.Peer", "Ping", true),
            ("org.mpris.MediaPlayer2.Player", "Play", false),
            ("org.other", "Get", false),
        ])
    func aCallThatReadsIsKnown(interface: String, member: String, onlyReads: Bool) throws {
        let message = try #require(BusMessage(line: Self.call(interface, member)))
        #expect(message.onlyReads == onlyReads && !message.isAnswer && !message.isOneWay)
        #expect(message.words == "a call on the session bus, \(member) of \(interface)")
        #expect(message.sender == ":1.9" && message.destination == "org.x" && message.cookie == 7)
    }

    @Test func anAnswerNamesItsCall() throws {
        let message = try #require(
            BusMessage(
                line: #"{"type":"method_return","flags":1,"cookie":3,"reply_cookie":7,"sender":":1.2","#
                    + #""destination":":1.9","payload":{}}"#))
        #expect(message.isAnswer && message.replyCookie == 7)
    }

    @Test func aNotificationsButtonIsASignal() throws {
        let message = try #require(
            BusMessage(
                line: #"{"type":"signal","flags":1,"cookie":3,"sender":":1.2","path":"/","#
                    + #""interface":"org.freedesktop.Notifications","member":"ActionInvoked","payload":{}}"#))
        #expect(message.isAction && message.destination == nil && !message.onlyReads)
        #expect(
            message.words == "a signal on the session bus, ActionInvoked of org.freedesktop.Notifications")
    }

    /// Xfce reports the end of the login with the same signal.
    @Test(arguments: [("[0,1]", false), ("[1,2]", false), ("[1,3]", true), ("[3,4]", true), ("[", true)])
    func aShutdownOfXfceIsKnown(arguments: String, ends: Bool) throws {
        let message = try #require(
            BusMessage(
                line: #"{"type":"signal","flags":1,"cookie":3,"sender":":1.2","path":"/","#
                    + #""interface":"org.xfce.Session.Manager","member":"StateChanged","#
                    + #""payload":{"type":"uu","data":\#(arguments)}}"#))
        #expect(message.mayEndSession == ends)
    }

    /// Lines may be truncated, and arguments may contain anything.
    @Test func theArgumentsAreNotRead() {
        let line = Self.call("org.x", "Open")
        let cut = line.prefix { $0 != "[" }
        #expect(BusMessage(line: String(cut)) == BusMessage(line: line) && BusMessage(line: line) != nil)
        #expect(BusMessage(line: #""type":"method_call","cookie":1}"#) == nil)
        #expect(BusMessage(line: "") == nil)
        let escaped = Self.call("org.x\\u001b[2J", "Open")
        #expect(BusMessage(line: escaped)?.words.contains("\u{1b}") == false)
    }
}
