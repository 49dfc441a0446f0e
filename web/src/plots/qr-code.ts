import { correction, generate, mode } from 'lean-qr'

/** Level M: a code can be read with 15% of it covered. */
const LEVEL = { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M }

/** Rows of squares, true where dark. Undefined if the text is too long for any code. */
export function qrCode(text: string, mask?: Mask): readonly (readonly boolean[])[] | undefined {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > MAX_BYTES) return undefined
  const code = generate(mode.bytes(bytes), { ...LEVEL, ...(mask !== undefined && { mask }) })
  const places = Array.from({ length: code.size }, (_, place) => place)
  return places.map((y) => places.map((x) => code.get(x, y)))
}

/** The mask pattern. By default the one that cameras read best is chosen. */
type Mask = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

/** The capacity of the largest code at level M. */
const MAX_BYTES = 2_331
