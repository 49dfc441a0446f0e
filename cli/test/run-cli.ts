import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** The same preload as by `npm run stakewright`. */
const PRELOADED = ['--import', new URL('../../scripts/resolve-once.mjs', import.meta.url).href]
/** The compile cache of the workspace: a start takes about half as long with it. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs the command line as a process, with these variables and no others. */
export async function runCli(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ran> {
  const ran = await run(process.execPath, [...PRELOADED, MAIN, ...args], { NODE_COMPILE_CACHE, ...env })
  assertAgreement(ran.stdout, ran.code)
  return ran
}

/** Checked in every test: the envelope agrees with the exit code. */
export function assertAgreement(stdout: string, code: number | undefined): void {
  if (!stdout.startsWith('{\n  "ok"')) return
  const { ok, error } = JSON.parse(stdout)
  assert.equal(ok, code === 0, stdout)
  assert.equal(error === undefined, ok, stdout)
}

export async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code, stdout, stderr }
}
