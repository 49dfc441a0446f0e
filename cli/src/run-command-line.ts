import { apiCommands } from './api/commands.ts'
import { GLOBAL_FLAGS } from './api/global-flags.ts'
import { secretInput } from './api/input-flags.ts'
import { type Command, Misuse, type Result, type Terminal } from './command.ts'
import { completionCommand } from './completion.ts'
import { didYouMean } from './did-you-mean.ts'
import { type Failure, failureJson, successJson, toFailure, unchangedJson } from './envelope.ts'
import { EXIT, exitOf } from './exit-codes.ts'
import { commandHelp, groupHelp, helpText } from './help.ts'
import { refuseSecrets, withoutSecrets } from './hide-secrets.ts'
import { MCP_COMMAND } from './mcp/command.ts'
import { OPERATOR_COMMANDS } from './operator/commands.ts'
import { PROFILE_COMMANDS } from './profile-commands.ts'
import { schemaCommand } from './schema-command.ts'
import { verifyCommand } from './verify/command.ts'
import { PINS_COMMAND } from './verify/pins.ts'

export const COMMANDS: readonly Command[] = [
  ...apiCommands().flatMap((command) =>
    command.words === 'verify-email' ? [verifyCommand(command), command] : [command],
  ),
  MCP_COMMAND,
  ...PROFILE_COMMANDS,
  schemaCommand(() => COMMANDS),
  PINS_COMMAND,
  completionCommand(() => COMMANDS),
  ...OPERATOR_COMMANDS,
]

/** Runs the command line. Resolves with the exit code, or undefined if the command has set it itself. */
export async function runCommandLine(
  argv: readonly string[],
  given: Terminal,
  version: string,
): Promise<number | undefined> {
  const terminal: Terminal = { ...given, env: withoutBlanks(given.env) }
  let inPipe: Command['withoutTerminal'] = 'json'
  let meantCommand: Command | undefined
  try {
    if (argv.length === 0) return withoutCommand(terminal)
    if (argv.some(isVersionFlag) && argv.every((word) => isVersionFlag(word) || isJsonFlag(word)))
      return show({ data: { version }, text: version }, terminal, argv.some(isJsonFlag))
    if (isHelp(argv[0])) return showHelp(argv.slice(1), terminal)
    const group = argv.slice(0, argv.findIndex(isHelpFlag))
    if (argv.some(isHelpFlag) && isGroup(group))
      return showHelp([...group, ...argv.filter(isJsonFlag)], terminal)
    const { command, args } = findCommand(argv)
    inPipe = command.withoutTerminal
    meantCommand = command
    if (command.words !== 'serve' && args.some(isHelpFlag))
      return showHelp([...command.words.split(' '), ...args.filter(isJsonFlag)], terminal)
    refuseSecrets(args, { field: secretInput(command.words), flags: command.flags })
    const result = await command.run(args, terminal)
    return result && show(result, terminal, wantsJson(argv, terminal, inPipe), command.words)
  } catch (error) {
    const failure = withoutSecrets(toFailure(error, meantCommand?.words, argv.some(isInputFlag)), argv)
    return explain(failure, terminal, wantsJson(argv, terminal, inPipe === 'raw' ? 'json' : inPipe))
  }
}

/** A variable with an empty value counts as not set. */
const withoutBlanks = (env: Terminal['env']): Terminal['env'] =>
  Object.fromEntries(Object.entries(env).filter(([, text]) => text?.trim()))

const isVersionFlag = (word: string): boolean => word === '--version' || word === '-V'
const isInputFlag = (word: string): boolean => word === '--input' || word.startsWith('--input=')
const isJsonFlag = (word: string): boolean => word === '--json'
const isHelpFlag = (word: string): boolean => word === '--help' || word === '-h'
const isHelp = (word: string | undefined): boolean =>
  word === 'help' || (word !== undefined && isHelpFlag(word))

const wantsJson = (
  argv: readonly string[],
  terminal: Terminal,
  inPipe: Command['withoutTerminal'],
): boolean => argv.some(isJsonFlag) || (inPipe === 'json' && !terminal.isTerminal)

/** Without a command, a terminal gets the help text and a program the usual error. */
function withoutCommand(terminal: Terminal): number {
  if (!terminal.isTerminal) throw new Misuse('There is no command in this line.')
  terminal.say(helpText(COMMANDS))
  return EXIT.usage.code
}

function show(result: Result, terminal: Terminal, asJson: boolean, command?: string): number {
  const { data, text, note, problem, isUnchanged } = result
  if (!asJson && text !== '') terminal.print(text)
  if (note) terminal.say(note)
  if (problem) return explain(toFailure(problem, command), terminal, asJson, data)
  if (asJson) terminal.print(isUnchanged ? unchangedJson() : successJson(data))
  return EXIT.ok.code
}

function explain(failure: Failure, terminal: Terminal, asJson: boolean, data?: unknown): number {
  if (asJson) terminal.print(failureJson(failure, data))
  else {
    const { paint } = terminal.style
    terminal.say(paint('red', failure.message))
    // Leaves out advice that the message already contains.
    const { details = [], fix = '', next } = failure
    const isNew = (text: string) => !failure.message.includes(text.replace(/\.$/, ''))
    for (const { field, option = field, message } of details)
      if (isNew(message)) terminal.say(`  ${option}: ${message}`)
    if (isNew(fix)) terminal.say(fix)
    if (next?.command) terminal.say(`Next: ${next.command}`)
  }
  return EXIT[exitOf(failure.code)].code
}

/** Help is text even in a pipe, because people page it. `--json` lists the commands instead. */
function showHelp(args: readonly string[], terminal: Terminal): number {
  const words = args.filter((arg) => !isJsonFlag(arg))
  const { commands, text } = helpFor(words)
  const data = commands.map(({ words: command, usage, summary, section }) => ({
    command,
    usage,
    summary,
    section,
  }))
  return show({ data: { commands: data, text }, text }, terminal, args.some(isJsonFlag))
}

function helpFor(words: readonly string[]): { readonly commands: readonly Command[]; readonly text: string } {
  if (words.length === 0) return { commands: COMMANDS, text: helpText(COMMANDS) }
  if (isGroup(words)) {
    const group = groupOf(words)
    return { commands: group, text: groupHelp(group) }
  }
  const { command } = findCommand(words)
  return { commands: [command], text: commandHelp(command) }
}

/** Commands that begin with these words and have more words. */
const groupOf = (words: readonly string[]): readonly Command[] =>
  COMMANDS.filter((command) => command.words.startsWith(`${words.join(' ')} `))

const isGroup = (words: readonly string[]): boolean =>
  words.length > 0 &&
  groupOf(words).length > 0 &&
  !COMMANDS.some((command) => command.words === words.join(' '))

/** The longest command that the line begins with. Global options may precede it. */
function findCommand(argv: readonly string[]): {
  readonly command: Command
  readonly args: readonly string[]
} {
  const { before, rest } = leadingOptions(argv)
  if (!rest[0]) throw new Misuse(`There is no command in this line.${unknownOption(before)}`)
  for (const count of [2, 1]) {
    const words = rest.slice(0, count).join(' ')
    const command = COMMANDS.find((each) => each.words === words)
    if (command) return { command, args: [...before, ...rest.slice(count)] }
  }
  refuseSecrets(argv)
  const strange = unknownOption(before, ' before a command')
  if (strange !== '') throw new Misuse(strange.trimStart())
  const [first = '', second = ''] = rest
  const group = COMMANDS.filter(({ words }) => words.startsWith(`${first} `)).map(({ words }) => words)
  if (group.length > 0) {
    const typed = second === '' ? 'Say what to do' : `There is no command "${first} ${second}"`
    throw new Misuse(`${typed}: ${group.join(', ')}.`)
  }
  const known = COMMANDS.map(({ words }) => words.split(' ')[0] ?? '')
  throw new Misuse(`There is no command "${first}".${didYouMean(first, known) || withSameWords(first)}`)
}

/** Suggests `tx stake` for `stake`: the commands that contain all typed words, unless there are too many. */
function withSameWords(typed: string): string {
  const parts = (words: string) => words.split(/[ -]/)
  const alike = COMMANDS.filter(({ words }) => parts(typed).every((part) => parts(words).includes(part)))
  if (alike.length === 0 || alike.length > MAX_SUGGESTIONS) return ''
  return ` Did you mean ${alike.map(({ words }) => words).join(' or ')}?`
}

const MAX_SUGGESTIONS = 5

/** Names an unknown option where a command was expected, such as `--versoin`, and suggests the nearest known one. */
function unknownOption(options: readonly string[], where = ''): string {
  const known = [...Object.keys(GLOBAL_FLAGS), 'version']
  const names = options
    .filter((option) => option.startsWith('-'))
    .map((option) => option.replace(/^-+|=.*$/gs, ''))
  const name = names.find((each) => !known.includes(each))
  return name === undefined ? '' : ` There is no option --${name}${where}.${didYouMean(name, known, '--')}`
}

function leadingOptions(argv: readonly string[]) {
  let index = 0
  while (argv[index]?.startsWith('-')) {
    const name = argv[index]?.replace(/^--/, '') ?? ''
    const option = Object.entries(GLOBAL_FLAGS).find(([flag]) => flag === name)
    index += option?.[1].type === 'string' ? 2 : 1
  }
  return { before: argv.slice(0, index), rest: argv.slice(index) }
}
