import TestDesktop

/// Hooks has a `Program` too.
typealias Child = TestDesktop.Program
