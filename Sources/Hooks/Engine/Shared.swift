/// A large value that is copied by reference.
@propertyWrapper
public struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    public init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// Access to a part of the value copies only that part.
    public var wrappedValue: Value {
        _read { yield box.value }
        set { box = Box(newValue) }
    }

    public static func == (left: Shared, right: Shared) -> Bool {
        left.box === right.box || left.box.value == right.box.value
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
