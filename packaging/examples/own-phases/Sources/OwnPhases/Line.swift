import Glibc

enum Line {
    static func write(_ text: String, to file: String) {
        guard let stream = fopen(file, "a") else { return }
        fputs(text + "\n", stream)
        fclose(stream)
    }

    /// Writes a line immediately. print(_:) would buffer it if stdout is a pipe.
    static func write(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
    }
}
