/// The result of a freeze.
public enum FreezeResult: Hashable, Sendable {
    /// A description: `frozen (3 processes)`.
    case frozen(String)
    /// The application has started further processes, which this hold contains.
    case more(Hold)
    case failed(String)
    /// The freeze was not begun, for a reason that may not last.
    case later(String)
    /// The freeze was given up because of a program that the application has just started.
    case postponed(by: String)
    /// The X server does not answer: a stopped program may have grabbed it.
    case silentServer

    /// - Parameter unit: nil if processes were stopped by signals.
    public static func frozen(unit: String?, count: Int) -> Self {
        .frozen("frozen (\(unit.map { "\($0), " } ?? "")\(count == 1 ? "1 process" : "\(count) processes"))")
    }
}
