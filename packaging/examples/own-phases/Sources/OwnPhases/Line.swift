import Glibc

enum Line {
    /// Writes a line immediately. print(_:) would buffer it if stdout is a pipe.
    static func write(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
    }
}
