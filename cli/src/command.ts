import type { Style } from './render/style.ts'

/** What a command may know of and do to the outside. */
export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether a person reads standard output. */
  readonly isTerminal: boolean
  readonly style: Style
  /** The present time, in milliseconds. */
  now(): number
  /** The result, on standard output. */
  print(text: string): void
  /** What is said about it, on standard error. */
  say(text: string): void
  /** Standard input as it comes. */
  readonly input: NodeJS.ReadableStream
  /** All of standard input. */
  readInput(): Promise<string>
  /** Shows a line on the terminal while a call takes long; returns what takes it away. */
  showWaiting(text: string): () => void
}

/** What a command has to say: data for programs, text for people. */
export type Result = {
  readonly data: unknown
  readonly text: string
  /** What is said beside the result. */
  readonly note?: string | undefined
  /** Set when the service has nothing newer than what the caller has. */
  readonly isUnchanged?: boolean
  /** The command did its work, and what it found is bad news: the envelope and the exit code follow from this alone. */
  readonly problem?: Refusal | undefined
}

export type Command = {
  /** What a person types, such as `tx stake`. */
  readonly words: string
  /** The rest of the line, such as `VALIDATOR_ID AMOUNT`. */
  readonly usage: string
  readonly summary: string
  /** The heading that it stands under in the help text. */
  readonly section: string
  /** The names of its own options, without dashes, for completion. */
  readonly flags: readonly string[]
  /** The values of options that are a choice, by the name of the option. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  /** What may stand behind its words, where that is known: names of commands, or single words. */
  behind?(): readonly string[]
  /** What it takes and answers, where that is not an endpoint's own. */
  readonly schema?: unknown
  /** `json`: a pipe gets the JSON envelope. `text`: only `--json` does. `raw`: a pipe gets the result as it is, a failure as JSON. */
  readonly withoutTerminal: 'json' | 'text' | 'raw'
  /** Gets what stands after its words. Undefined: it has written everything itself. */
  run(args: readonly string[], terminal: Terminal): Promise<Result | undefined>
  /** All about it, for `stakewright help COMMAND`. */
  help?(): string
}

/** The command line is wrong; the message says how. */
export class Misuse extends Error {
  readonly code = 'usage'
}

/** A refusal of the command line itself, in the same terms as one of the service. */
export class Refusal extends Error {
  readonly code: string
  readonly fix: string | undefined

  constructor(code: string, message: string, fix?: string) {
    super(message)
    this.code = code
    this.fix = fix
  }
}
