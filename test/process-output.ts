import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** What a process writes, and how it ends. */
export type ProcessOutput = {
  /** Everything written to standard output and error so far. */
  output(): string
  /** Resolves once the output matches; rejects if the process ends first. */
  untilSaid(what: RegExp): Promise<RegExpExecArray>
  /** Resolves with the exit code or the signal when the process and all others that share its output have ended. */
  readonly ended: Promise<number | string>
}

export function readOutput(child: ChildProcess): ProcessOutput {
  const streams = [child.stdout, child.stderr]
  let text = ''
  for (const stream of streams) stream?.on('data', (chunk) => (text += chunk))
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  return {
    output: () => text,
    ended,
    untilSaid: (what) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = what.exec(text)
          if (found) resolve(found)
        }
        for (const stream of streams) stream?.on('data', look)
        look()
        ended.then((code) => reject(new Error(`it ended with ${code}: ${text}`)))
      }),
  }
}
