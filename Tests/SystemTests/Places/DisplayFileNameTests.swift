import Testing

@testable import System

@Suite struct DisplayFileNameTests {
    @Test(arguments: [
        (":0", ":0"), (":0.0", ":0"), (":0.1", ":0"), ("unix:0", ":0"), ("unix/:0.1", ":0"), (":10", ":10"),
        (":011", ":11"), (":00.0", ":0"), ("host:010.0", "host:10"),
        ("host:10.0", "host:10"), ("tcp/host:1", "tcp%2fhost:1"), ("my_host.net:1.2", "my_host.net:1"),
        ("[::1]:0.0", "%5b::1%5d:0"), ("/tmp/.X11-unix/X0", "%2ftmp%2f.X11-unix%2fX0"),
        ("/tmp/launch.1/x:0", "%2ftmp%2flaunch.1%2fx:0"), ("unix:/tmp/a.0", "unix:%2ftmp%2fa.0"),
        ("a%2fb:0", "a%252fb:0"), ("é\n:0", "%c3%a9%0a:0"), ("..", ".."), ("", ""), (":", ":"),
    ])
    func aDisplayHasOneName(display: String, name: String) {
        #expect(DisplayFileName(display).description == name)
    }
}
