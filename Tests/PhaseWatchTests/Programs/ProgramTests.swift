import Testing

/// The tests that need more programs than `packaging/test` installs without --all.
@Suite struct ProgramTests {}
