/** What a command may do to the outside. */
export type Terminal = {
  /** The result, on standard output. */
  print(text: string): void
  /** What is said about it, on standard error. */
  say(text: string): void
}

/** Gets what stands after its name; resolves with the exit code. */
export type Command = (args: readonly string[], terminal: Terminal) => Promise<number>

export const EXIT = { done: 0, failed: 1, misused: 2, inUse: 3 } as const

/** The command line is wrong; the message says how. */
export class Misuse extends Error {}
