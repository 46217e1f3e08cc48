import CXlib
import Scenes

extension DesktopObserver {
    /// Frames are not nested deeper than this.
    private static let deepest = 4

    /// Looks for windows that existed before the watch: the children of a root window, and the clients in
    /// frames.
    ///
    /// Only WM_STATE tells a client inside a frame, so frames are looked into until one is found.
    func lookAt(_ xid: UInt32, _ branch: Stale.Branch, in pass: inout ReadPass) {
        if branch.isFrame {
            lookInto(xid, branch, in: &pass)
            return
        }
        var isOverrideRedirect = true
        pass.attributes(of: xid) { isOverrideRedirect = $0?.isOverrideRedirect ?? true }
        pass.property(atoms[.wmState], of: xid, words: 2) {
            let isClient = $0?.words(self.atoms[.wmState]) != nil
            if isClient || (branch.depth == 1 && !isOverrideRedirect) {
                self.adopt(xid, screen: branch.screen)
            }
            if !isClient && branch.depth < Self.deepest {
                self.stale.branches[xid] = Stale.Branch(
                    screen: branch.screen, depth: branch.depth, isFrame: true)
            }
        }
    }

    private func lookInto(_ xid: UInt32, _ branch: Stale.Branch, in pass: inout ReadPass) {
        pass.tree(of: xid) {
            for child in $0?.children ?? [] where self.desktop.windows[child] == nil {
                self.stale.branches[child] = Stale.Branch(
                    screen: branch.screen, depth: branch.depth + 1, isFrame: false)
            }
        }
    }
}
