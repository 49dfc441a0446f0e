import type { Command } from './command.ts'
import { EXIT } from './exit-codes.ts'

const WIDTH = 48

/** The general help: all commands by section, and what applies to all of them. */
export function helpText(commands: readonly Command[]): string {
  const sections = [...new Set(commands.map(({ section }) => section))]
  const membersOf = (section: string) => commands.filter((command) => command.section === section)
  return [
    'stakewright: staking data, allocations and transactions on the command line',
    ...sections.flatMap((section) => ['', section, ...membersOf(section).map(commandLine)]),
    '',
    'stakewright help COMMAND shows what a command takes.',
    '',
    'The service is at --url, STAKEWRIGHT_URL, the profile, or http://127.0.0.1:PORT (3000). Keys come from',
    'STAKEWRIGHT_API_KEY or the profile, never from an argument. On a terminal answers are tables; with --json or in a',
    'pipe they are one JSON object: { "ok": true, "data": … } or { "ok": false, "error": { "code", "message", "fix",',
    '"retryable", and of a refusal by the service "requestId" } }. No command asks questions.',
    '',
    'The operator’s commands read the variables of the service (serve --help), such as DATA_DIR. Without --url the admin',
    'commands open the data folder themselves, which works only while the service is stopped; "admin token",',
    '"audit verify" and "backup" always work. They print JSON only with --json.',
    '',
    'Exit codes',
    ...Object.values(EXIT).map(({ code, meaning }) => `  ${code}  ${meaning}`),
  ].join('\n')
}

const commandLine = ({ words, usage, summary }: Command): string =>
  `  ${`${words} ${usage}`.trimEnd().padEnd(WIDTH)} ${summary}`

/** What `stakewright help GROUP` shows, such as `tx`. */
export const groupHelp = (commands: readonly Command[]): string =>
  [
    ...commands.map(commandLine),
    '',
    `stakewright help ${commands[0]?.words ?? 'COMMAND'} shows what one takes.`,
  ].join('\n')

/** What `stakewright help COMMAND` shows. */
export const commandHelp = (command: Command): string =>
  command.help?.() ?? `${command.summary}\n\n  stakewright ${`${command.words} ${command.usage}`.trimEnd()}`
