import TestDesktop

/// `Program` is ambiguous here: the module Hooks declares one, too.
typealias Child = TestDesktop.Program
