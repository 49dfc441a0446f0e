/** A collision-free name for a text: its SHA-256 in hex. */
export type Digest = (text: string) => string
