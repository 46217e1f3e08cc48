import CLinux
import Glibc
import Loop
import PhaseWatch

/// A process group, known by the process that leads it.
struct ProcessGroup {
    let leader: pid_t

    /// Any process of it that has not ended, besides the one that leads it.
    ///
    /// - Returns: Readable once that process has ended; nil if there is none.
    func otherMember() -> Descriptor? {
        guard let directory = opendir("/proc") else { return nil }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let pid = pid_t(name), pid != leader, let member = member(pid) { return member }
        }
        return nil
    }

    private func member(_ pid: pid_t) -> Descriptor? {
        // Most are of other groups, which is quick to know.
        guard getpgid(pid) == leader, let folder = ProcessFolder(pid: pid),
            let descriptor = try? Descriptor("pidfd_open", linux_pidfd(pid)),
            // Read last: while its folder tells something, no other process has the number.
            folder.text("stat").flatMap(ProcessText.group) == leader
        else { return nil }
        return descriptor
    }
}
