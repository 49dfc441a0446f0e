import { html, type View } from '../parts/html.ts'
import { qrCode } from './qr-code.ts'

/** The width of the light border in squares, by which cameras find the code. */
const RIM = 4

/** A text as a QR code, dark on light in both themes. Nothing if the text is too long. */
export function qrSquare(text: string, label: string): View {
  const code = qrCode(text)
  if (!code) return null
  const size = code.length + 2 * RIM
  const path = code
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x + RIM} ${y + RIM}h1v1h-1z`] : [])))
    .join('')
  return html`<svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${label} shape-rendering="crispEdges"><rect width=${size} height=${size} /><path d=${path} /></svg>`
}
