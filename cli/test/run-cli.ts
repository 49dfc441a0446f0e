import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** Where the workspace keeps compiled code: a start takes about half as long with it. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs the command line as a process, with these variables and no others. */
export function runCli(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> {
  return run(process.execPath, [MAIN, ...args], { NODE_COMPILE_CACHE, ...env })
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
