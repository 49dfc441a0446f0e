#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Terminal } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { styleFor, wantsColour } from './render/style.ts'
import { runCommandLine } from './run-command-line.ts'

const WAIT_BEFORE_SHOWING_MS = 400
const isTerminal = process.stdout.isTTY === true

const terminal: Terminal = {
  env: process.env,
  isTerminal,
  style: styleFor(process.stdout.columns ?? 80, wantsColour(process.env, isTerminal)),
  now: Date.now,
  print: (line) => process.stdout.write(`${line}\n`),
  say: (line) => process.stderr.write(`${line}\n`),
  input: process.stdin,
  readInput: () => text(process.stdin),
  showWaiting(what) {
    if (!isTerminal || !process.stderr.isTTY) return () => {}
    const timer = setTimeout(() => process.stderr.write(`\r${what} …`), WAIT_BEFORE_SHOWING_MS)
    return () => {
      clearTimeout(timer)
      process.stderr.write('\r\u001b[K')
    }
  },
}

/** `stakewright … | head` ends early on purpose; a full disk does not. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  terminal.say(`The answer could not be written to standard output: ${error.message}`)
  process.exit(EXIT.unexpected.code)
})
/** A closed standard error must not change the exit code. */
process.stderr.on('error', () => {})

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const argv = process.argv.slice(2)
// `serve` is the service, which reads the rest of the line itself.
if (argv[0] === 'serve') process.argv.splice(2, 1)
const code = await runCommandLine(argv, terminal, version)
if (code !== undefined) process.exitCode = code
