import CXlib

/// A window whose colour can change, to test whether any part of it is visible on the screen.
public final class LayoutWindow: OwnWindow {
    /// How the window differs from a plain one.
    public enum Kind: CaseIterable, Sendable {
        case plain
        /// Has _NET_WM_WINDOW_OPACITY.
        case translucent
        /// Has depth 32 and translucent pixels.
        case alpha
        /// Has depth 32 and draws its shadow and frame itself, as GTK windows do.
        case decorated
        case shaped
        case overrideRedirect
    }

    public static let shadow: Int32 = 20

    public let client: TestClient
    public let id: Window
    public let kind: Kind
    /// The window that is painted with the colour.
    private var painted: Window
    private var colour: UInt

    public init(
        _ client: TestClient, _ kind: Kind, x: Int32, y: Int32, width: UInt32, height: UInt32,
        colour: UInt = 0x20_3040
    ) throws {
        self.client = client
        self.kind = kind
        let hasAlpha = kind == .alpha || kind == .decorated
        self.colour = kind == .alpha ? 0x8000_0000 | colour & 0x7F_7F7F : 0xFF00_0000 | colour
        let display = client.display
        var attributes = XSetWindowAttributes()
        attributes.override_redirect = kind == .overrideRedirect ? 1 : 0
        attributes.background_pixel = kind == .decorated ? 0 : self.colour
        var mask = CWBackPixel | CWOverrideRedirect | CWBorderPixel
        var found = XVisualInfo()
        if hasAlpha {
            guard XMatchVisualInfo(display, client.screen, 32, TrueColor, &found) != 0 else {
                throw Failure("the server has no visual of depth 32")
            }
            attributes.colormap = XCreateColormap(display, client.root, found.visual, AllocNone)
            mask |= CWColormap
        }
        id = XCreateWindow(
            display, client.root, x, y, width, height, 0, hasAlpha ? 32 : Int32(CopyFromParent),
            UInt32(InputOutput), hasAlpha ? found.visual : nil, UInt(mask), &attributes)
        painted = id
        var sizes = XSizeHints()
        sizes.flags = USPosition | USSize
        (sizes.x, sizes.y, sizes.width, sizes.height) = (x, y, Int32(width), Int32(height))
        XSetWMNormalHints(display, id, &sizes)
        let names = Array("layout\0Layout\0".utf8)
        XChangeProperty(
            display, id, Atom(XA_WM_CLASS), Atom(XA_STRING), 8, PropModeReplace, names, Int32(names.count))
        finish(width: width, height: height)
        XMapWindow(display, id)
        client.sync()
    }

    private func finish(width: UInt32, height: UInt32) {
        switch kind {
        case .plain, .alpha, .overrideRedirect: break
        case .translucent: setWords("_NET_WM_WINDOW_OPACITY", "CARDINAL", [0x8000_0000])
        case .decorated:
            let margin = UInt(Self.shadow)
            let inner = (width - 2 * UInt32(margin), height - 2 * UInt32(margin))
            painted = XCreateSimpleWindow(
                client.display, id, Self.shadow, Self.shadow, inner.0, inner.1, 0, 0, colour)
            XMapWindow(client.display, painted)
            setWords("_GTK_FRAME_EXTENTS", "CARDINAL", [margin, margin, margin, margin])
            setWords("_NET_WM_OPAQUE_REGION", "CARDINAL", [margin, margin, UInt(inner.0), UInt(inner.1)])
            setWords("_MOTIF_WM_HINTS", "_MOTIF_WM_HINTS", [2, 0, 0, 0, 0])
        case .shaped:
            let (wide, high) = (UInt16(width), UInt16(height))
            setShape([
                XRectangle(x: 0, y: 0, width: wide / 2, height: high),
                XRectangle(x: 0, y: Int16(high / 2), width: wide, height: high / 2),
            ])
        }
    }

    /// Paints the window in its second colour, and with the next call in its first one.
    public func toggleColour() {
        colour ^= 0x40_4040
        XSetWindowBackground(client.display, painted, colour)
        repaint()
    }

    /// Paints the window in its current colour.
    public func repaint() {
        XClearWindow(client.display, painted)
        client.sync()
    }

    /// The colour of the window's pixels on the screen where the window is opaque.
    public var shownColour: UInt { colour & 0xFF_FFFF }
}

extension TestClient {
    /// Returns the pixels of the screen, 4 bytes each.
    public func screenshot() -> [UInt32] {
        let (width, height) = (
            UInt32(XDisplayWidth(display, screen)), UInt32(XDisplayHeight(display, screen))
        )
        guard let image = XGetImage(display, root, 0, 0, width, height, UInt(bitPattern: -1), ZPixmap) else {
            return []
        }
        defer { _ = image.pointee.f.destroy_image(image) }
        let count = Int(image.pointee.bytes_per_line) / 4 * Int(height)
        return image.pointee.data.withMemoryRebound(to: UInt32.self, capacity: count) {
            Array(UnsafeBufferPointer(start: $0, count: count))
        }
    }

    /// Returns the colour of one pixel of the screen.
    public func pixel(x: Int32, y: Int32) -> UInt {
        guard let image = XGetImage(display, root, x, y, 1, 1, UInt(bitPattern: -1), ZPixmap) else {
            return 0
        }
        defer { _ = image.pointee.f.destroy_image(image) }
        return image.pointee.f.get_pixel(image, 0, 0) & 0xFF_FFFF
    }
}
