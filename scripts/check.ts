/** Runs all static checks: format, lint, types, and the architecture rules for imports. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = join(import.meta.dirname, '..')
const RUN = join('scripts', 'run.mjs')

const STEPS = [
  {
    name: 'format and lint',
    args: [RUN, '--bin', 'biome', 'check', '--error-on-warnings', '--colors=off', '.'],
    fix: 'npm run format',
  },
  { name: 'types', args: [RUN, '--bin', 'tsc', '-p', '.'], fix: undefined },
  { name: 'types of the web app', args: [RUN, '--bin', 'tsc', '-p', 'web'], fix: undefined },
  { name: 'architecture', args: ['--test', join('test', 'architecture.test.ts')], fix: undefined },
] as const

const results = await Promise.all(STEPS.map(check))
process.exitCode = results.every((passed) => passed) ? 0 : 1

async function check(step: (typeof STEPS)[number]): Promise<boolean> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, step.args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [output, problems, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  const passed = status === 0
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${passed ? '✔' : '✖'} ${step.name} (${seconds} s)`)
  if (!passed) {
    console.log(`${output}${problems}`.trimEnd())
    if (step.fix) console.log(`→ ${step.fix} fixes format and safe lint errors.`)
  }
  return passed
}
