import type { Style } from './render/style.ts'

/** The environment of a command: arguments aside, all its inputs and outputs. */
export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether a person reads standard output. */
  readonly isTerminal: boolean
  readonly style: Style
  /** The present time, in milliseconds. */
  now(): number
  /** The result, on standard output. */
  print(text: string): void
  /** Notes and errors, on standard error. */
  say(text: string): void
  /** Standard input as it comes. */
  readonly input: NodeJS.ReadableStream
  /** All of standard input. */
  readInput(): Promise<string>
  /** Shows a line on the terminal while a call takes long; the returned function clears it. */
  showWaiting(text: string): () => void
}

/** The result of a command: data for programs, text for people. */
export type Result = {
  readonly data: unknown
  readonly text: string
  /** Printed on standard error beside the result. */
  readonly note?: string | undefined
  /** The service answered 304: the caller has the newest version. */
  readonly isUnchanged?: boolean
  /** The command succeeded and found a problem, which decides the envelope and the exit code. */
  readonly problem?: Refusal | undefined
}

export type Command = {
  /** What a person types, such as `tx stake`. */
  readonly words: string
  /** The rest of the line, such as `VALIDATOR_ID AMOUNT`. */
  readonly usage: string
  readonly summary: string
  /** Its heading in the help text. */
  readonly section: string
  /** The names of its own options, without dashes, for completion. */
  readonly flags: readonly string[]
  /** The values of options that are a choice, by the name of the option. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  /** Candidates for completion after its words: names of commands, or single words. */
  completions?(): readonly string[]
  /** Schema of its input and output, for a command that is no endpoint. */
  readonly schema?: unknown
  /** `json`: a pipe gets the JSON envelope. `text`: only `--json` does. `raw`: a pipe gets the result as it is, a failure as JSON. */
  readonly withoutTerminal: 'json' | 'text' | 'raw'
  /** Takes the arguments after its words. Undefined: it has written its output itself. */
  run(args: readonly string[], terminal: Terminal): Promise<Result | undefined>
  /** The page of `stakewright help COMMAND`. */
  help?(): string
}

/** The command line is wrong; the message says how. */
export class Misuse extends Error {
  readonly code = 'usage'
}

/** An error of the command line itself, in the same form as one of the service. */
export class Refusal extends Error {
  readonly code: string
  readonly fix: string | undefined

  constructor(code: string, message: string, fix?: string) {
    super(message)
    this.code = code
    this.fix = fix
  }
}
