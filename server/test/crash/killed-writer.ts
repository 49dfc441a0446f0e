import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** A process that prints a line after each write that it acknowledges. */
export type Writer = ChildProcessByStdio<null, Readable, null>

/** Starts a program of this folder. */
export const startWriter = (program: string, args: readonly string[], env = process.env): Writer =>
  spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Calls `end` after `count` lines, and returns all that the writer has printed when the signal has ended it. */
export async function linesUntilDeath(
  writer: Writer,
  count: number,
  { signal = 'SIGKILL', end = (): void => void writer.kill('SIGKILL') } = {},
): Promise<readonly string[]> {
  const ended = once(writer, 'close')
  const lines: string[] = []
  for await (const line of createInterface({ input: writer.stdout })) {
    lines.push(line)
    if (lines.length === count) end()
  }
  await ended
  assert.equal(writer.signalCode, signal)
  return lines
}
