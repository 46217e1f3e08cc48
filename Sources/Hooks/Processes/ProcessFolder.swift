import Glibc
import Loop
import PhaseWatch

/// /proc/PID, held open: what is read through it is of one process, even if another one gets its number.
struct ProcessFolder {
    let pid: Int32
    private let descriptor: Descriptor

    /// nil if there is no such process.
    init?(pid: Int32) {
        guard pid > 0,
            let descriptor = try? Descriptor("open", open("/proc/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        else { return nil }
        self.pid = pid
        self.descriptor = descriptor
    }

    /// One of its files; nil once the process is gone.
    func text(_ name: String) -> String? {
        let number = openat(descriptor.number, name, O_RDONLY | O_CLOEXEC)
        let bytes = try? Descriptor("open", number).readAll(name, limit: 65_536)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}
