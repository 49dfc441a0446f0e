import { Readable } from 'node:stream'
import { testClock } from '../../server/test/support/test-clock.ts'
import type { Terminal } from '../src/command.ts'
import { styleFor } from '../src/render/style.ts'
import { runCommandLine } from '../src/run-command-line.ts'
import { assertAgreement } from './run-cli.ts'

type Surroundings = {
  readonly env?: Readonly<Record<string, string>>
  readonly isTerminal?: boolean
  readonly input?: string
  /** By default the start time of the test clock. */
  readonly now?: number
}

/** The outcome of a line that was run in this process. */
export type Typed = {
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
  /** Standard output as JSON. */
  json(): Envelope
}

export type Envelope = {
  readonly ok: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every endpoint
  readonly data: any
  readonly error: {
    readonly code: string
    readonly message: string
    readonly fix?: string
    readonly approval?: { readonly approvalId: string }
    readonly next?: { readonly command?: string }
    readonly details?: readonly {
      readonly field: string
      readonly message?: string
      readonly option?: string
    }[]
  }
}

/** Runs a line as if it were typed, words separated by single spaces; an array has its words as they are. */
export async function type(
  line: string | readonly string[],
  { env = {}, isTerminal = false, input = '', now = testClock().now() }: Surroundings = {},
): Promise<Typed> {
  const out: string[] = []
  const said: string[] = []
  const terminal: Terminal = {
    env: { STAKEWRIGHT_PROFILES: '/nonexistent/profiles.json', ...env },
    isTerminal,
    style: styleFor(120, false),
    now: () => now,
    print: (text) => out.push(text),
    say: (text) => said.push(text),
    input: Readable.from(input),
    readInput: async () => input,
    showWaiting: () => () => {},
  }
  const argv = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line
  const code = await runCommandLine(argv, terminal, '0.1.0')
  assertAgreement(out.join('\n'), code)
  return {
    code,
    stdout: out.join('\n'),
    stderr: said.join('\n'),
    json: () => JSON.parse(out.join('\n')),
  }
}

/**
 * Runs a command of the operator in this process, at the present time: quicker than a process of its own. Where a
 * service of this process has the data folder open, use `runCli`: the locks of files belong to processes.
 */
export const runHere = (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Typed> =>
  type(args, { env, now: Date.now() })
