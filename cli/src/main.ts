#!/usr/bin/env node
import { type Command, EXIT, Misuse, type Terminal } from './command.ts'
import { HELP } from './help.ts'

const terminal: Terminal = {
  print: (text) => process.stdout.write(`${text}\n`),
  say: (text) => process.stderr.write(`${text}\n`),
}

/** Loaded when they are asked for, so that help and mistakes are answered at once. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => serve,
  admin: async () => (await import('./admin.ts')).adminCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  'migrate-store': async () => (await import('./migrate-store.ts')).migrateStoreCommand,
}

/** The service reads its own options, and sets the exit code itself. */
async function serve(args: readonly string[]): Promise<number> {
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args)
  await import('@stakewright/server/main.ts')
  return Number(process.exitCode ?? EXIT.done)
}

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  if (name === '' || name === 'help' || name === '--help' || name === '-h') return help(name)
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!load) throw new Misuse(`There is no command "${name}".`)
  if (name !== 'serve' && args.includes('--help')) return help(name)
  return (await load())(args, terminal)
}

/** Asked for, it is a result; given because nothing was asked, it is a complaint. */
function help(name: string): number {
  if (name === '') terminal.say(HELP)
  else terminal.print(HELP)
  return name === '' ? EXIT.misused : EXIT.done
}

function explain(error: unknown): number {
  const { message, code } = toProblem(error)
  terminal.say(message)
  if (error instanceof Misuse || code.startsWith('ERR_PARSE_ARGS')) {
    terminal.say('stakewright --help shows what there is.')
    return EXIT.misused
  }
  if (code !== 'store_not_ready' || !worksOnTheFolder(process.argv)) return EXIT.failed
  terminal.say('To work through a service that is running, add --url http://127.0.0.1:3000 (its address).')
  return EXIT.inUse
}

const worksOnTheFolder = (argv: readonly string[]) => argv[2] === 'admin' && !argv.includes('--url')

function toProblem(error: unknown): { readonly message: string; readonly code: string } {
  if (!(error instanceof Error)) return { message: String(error), code: '' }
  return { message: error.message, code: 'code' in error ? String(error.code) : '' }
}

process.exitCode = await main(process.argv.slice(2)).catch(explain)
