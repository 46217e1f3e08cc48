import TestDesktop

/// `Program` is ambiguous here: the module Hooks has one, too.
typealias Child = TestDesktop.Program
