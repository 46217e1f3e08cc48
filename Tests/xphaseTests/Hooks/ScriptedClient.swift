import Glibc
import TestDesktop

/// X clients in separate processes, for behaviour that ordinary programs do not show.
extension ProgramWindow {
    /// Starts a Python client with a window of the class Alpha.
    ///
    /// - Parameters:
    ///   - number: The PID that the window claims; nil for that of the client.
    ///   - wrapper: A command that starts the client, such as `setpriv`.
    ///   - script: The code to run once the window is mapped. `x` is Xlib, `d` the display, `root` and `w` are windows,
    ///     and `events()` reads events until the display closes.
    static func scripted(
        _ session: Session, claims number: pid_t? = nil, wrapper: [String] = [], _ script: String = "events()"
    ) throws -> ProgramWindow {
        // The Python of the system, which other users can run, too.
        let python = "/usr/bin/python3"
        let words = wrapper + [python, "-c", text(claims: number, script)]
        return try ProgramWindow(
            session, words[0], Array(words.dropFirst()), application: "Alpha", reports: number)
    }

    /// Returns the complete program.
    static func text(claims number: pid_t? = nil, _ script: String) -> String {
        "claim = lambda: \(number.map { "\($0)" } ?? "os.getpid()")\n" + prelude + window + script
    }

    /// Returns a program whose window is not mapped. `popup(w)` maps a window without the window manager.
    static func client(_ script: String) -> String { prelude + script }

    private static let prelude = """
        import ctypes, os, select, socket, time
        x = ctypes.CDLL("libX11.so.6")
        x.XOpenDisplay.restype = ctypes.c_void_p
        x.XDefaultRootWindow.restype = x.XCreateSimpleWindow.restype = x.XInternAtom.restype = ctypes.c_ulong
        d = ctypes.c_void_p(x.XOpenDisplay(None))
        root = ctypes.c_ulong(x.XDefaultRootWindow(d))
        w = ctypes.c_ulong(x.XCreateSimpleWindow(d, root, 20, 30, 200, 150, 0, 0, 0x305070))
        def atom(name):
            return ctypes.c_ulong(x.XInternAtom(d, name.encode(), 0))
        def put(name, kind, data):
            if isinstance(data, bytes):
                x.XChangeProperty(d, w, atom(name), atom(kind), 8, 0, data, len(data))
            else:
                x.XChangeProperty(d, w, atom(name), atom(kind), 32, 0, (ctypes.c_ulong * len(data))(*data), len(data))
        def events():
            event = ctypes.create_string_buffer(192)
            while True:
                x.XNextEvent(d, event)
        def popup(w):
            # The member override_redirect of XSetWindowAttributes, and CWOverrideRedirect.
            attributes = (ctypes.c_ulong * 14)()
            ctypes.c_int.from_buffer(attributes, 88).value = 1
            x.XChangeWindowAttributes(d, w, ctypes.c_ulong(1 << 9), attributes)
            x.XMapWindow(d, w)
            x.XSync(d, 0)

        """

    private static let window = """
        put("WM_CLASS", "STRING", b"alpha\\0Alpha\\0")
        put("WM_CLIENT_MACHINE", "STRING", socket.gethostname().encode())
        put("_NET_WM_PID", "CARDINAL", [claim()])
        x.XMapWindow(d, w)
        x.XFlush(d)

        """
}
