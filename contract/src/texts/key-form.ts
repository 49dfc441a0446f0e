/** The form of an API key: `stk_`, 40 random base62 digits, and 6 that are the checksum of all before them. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const KEY_RANDOM_LENGTH = 40
export const CHECKSUM_LENGTH = 6

/** A CRC-32 as six base62 digits. Detects typos; no security. */
export function toChecksum(crc: number): string {
  let rest = crc
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** CRC-32 of a text of ASCII, without Node: this runs in browsers, too. */
export function crc32Of(text: string): number {
  let crc = ~0
  for (const character of text) {
    crc ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
