import { type Command, Misuse, type Result } from './command.ts'

type Shell = (commands: readonly Completed[]) => string

type Completed = Pick<Command, 'words' | 'summary' | 'flags' | 'choices' | 'completions'>

const flagsOf = ({ flags }: Completed): string => flags.map((flag) => `--${flag}`).join(' ')
const choicesOf = ({ choices = {} }: Completed) => Object.entries(choices)
const completionsOf = ({ completions }: Completed): readonly string[] => completions?.() ?? []

const firstsOf = (lines: readonly string[]): readonly string[] => [
  ...new Set(lines.map((words) => words.split(' ')[0] ?? '')),
]
const secondsOf = (lines: readonly string[], first: string): readonly string[] =>
  lines.flatMap((words) => {
    const [group, second] = words.split(' ')
    return group === first && second !== undefined ? [second] : []
  })

/** The first words that can be followed by a second word, each with its second words. */
const groups = (lines: readonly string[]): readonly (readonly [string, readonly string[]])[] =>
  firstsOf(lines)
    .map((first) => [first, secondsOf(lines, first)] as const)
    .filter(([, seconds]) => seconds.length > 0)

const linesOf = (commands: readonly Completed[]) => commands.map(({ words }) => words)

/** `keys register` must come before `keys`, whose pattern would match it as well. */
const longestFirst = (commands: readonly Completed[]): readonly Completed[] =>
  commands.toSorted((a, b) => b.words.split(' ').length - a.words.split(' ').length)

/** Matches the command, alone or followed by a space; a longer word is another command. */
const patternOf = ({ words }: Completed): string => `"${words}"|"${words} "*`

/** The completions for a position in the line; for second words, by the first word. */
const bashWords = (place: number, lines: readonly string[]): string => `
        if [ "$place" = ${place} ]; then choices="${firstsOf(lines).join(' ')} $choices"
        elif [ "$place" = ${place + 1} ]; then case "\${COMP_WORDS[${place}]}" in
${groups(lines)
  .map(([first, seconds]) => `          ${first}) choices="${seconds.join(' ')} $choices" ;;`)
  .join('\n')}
          *) ;;
        esac; fi`

const bashCase = (command: Completed): string => {
  const values = choicesOf(command).map(
    ([flag, words]) => `          --${flag}) values="${words.join(' ')}" ;;`,
  )
  const completions = completionsOf(command)
  return `      ${patternOf(command)})
        choices="${flagsOf(command)}"${completions.length > 0 ? bashWords(2, completions) : ''}
        case "$previous" in
${[...values, '          *) ;;'].join('\n')}
        esac ;;`
}

const bash: Shell = (commands) => `# stakewright completion for bash: eval "$(stakewright completion bash)"
_stakewright() {
  local place=$COMP_CWORD current=\${COMP_WORDS[COMP_CWORD]} words="\${COMP_WORDS[1]}"
  local previous=\${COMP_WORDS[COMP_CWORD-1]} choices="" values=""
  # bash takes --sort=score apart at the sign.
  [ "$current" = "=" ] && current=""
  [ "$previous" = "=" ] && previous=\${COMP_WORDS[COMP_CWORD-2]}
  [ "\${#COMP_WORDS[@]}" -gt 3 ] && words="\${COMP_WORDS[1]} \${COMP_WORDS[2]}"
  if [ "$place" = 1 ]; then
    choices="${firstsOf(linesOf(commands)).join(' ')}"
  else
    case "$words" in
${longestFirst(commands).map(bashCase).join('\n')}
    esac
    if [ "$place" = 2 ]; then
      case "\${COMP_WORDS[1]}" in
${groups(linesOf(commands))
  .map(([first, seconds]) => `        ${first}) choices="${seconds.join(' ')} $choices" ;;`)
  .join('\n')}
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "\${values:-$choices}" -- "$current"))
}
complete -F _stakewright stakewright
`

const zsh: Shell = (commands) => `#compdef stakewright
# stakewright completion for zsh: eval "$(stakewright completion zsh)"
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
autoload -Uz bashcompinit && bashcompinit
${bash(commands)}`

const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`

function fishLines(command: Completed): readonly string[] {
  const { words, summary, flags, choices = {} } = command
  const [first = '', second] = words.split(' ')
  const place = second === undefined ? '' : ` ${first}`
  const after = (typed: string, offered: readonly string[]) =>
    `complete -c stakewright -n '__stakewright_after ${typed}' -a ${quoted(offered.join(' '))}`
  const completions = completionsOf(command)
  return [
    `complete -c stakewright -n '__stakewright_after${place}' -a ${second ?? first} -d ${quoted(summary)}`,
    ...flags.map((flag) => {
      const values = choices[flag]
      const ofValues = values === undefined ? '' : ` -x -a ${quoted(values.join(' '))}`
      return `complete -c stakewright -n '__stakewright_runs "${words}"' -l ${flag}${ofValues}`
    }),
    ...(completions.length > 0 ? [after(words, firstsOf(completions))] : []),
    ...groups(completions).map(([group, seconds]) => after(`${words} ${group}`, seconds)),
  ]
}

const fish: Shell = (commands) => {
  const pairs = linesOf(commands).filter((words) => words.includes(' '))
  const bare = groups(linesOf(commands))
    .filter(([first]) => !commands.some(({ words }) => words === first))
    .map(([first]) => `complete -c stakewright -n __stakewright_after -a ${first}`)
  return `# stakewright completion for fish: stakewright completion fish | source
# Whether these words, and no more, stand before the one that is typed.
function __stakewright_after
    set -l typed (commandline -opc)
    test "$typed[2..]" = "$argv"
end
# Whether the line is this command: two words where they name one, else the first.
function __stakewright_runs
    set -l typed (commandline -opc)
    set -l pair "$typed[2..3]"
    contains -- $pair ${pairs.map(quoted).join(' ')}; or set pair "$typed[2]"
    test $pair = $argv[1]
end
complete -c stakewright -f
${[...bare, ...commands.flatMap(fishLines)].join('\n')}
`
}

const SHELLS: Readonly<Record<string, Shell>> = { bash, zsh, fish }

/** `help` is not in the list of commands, but completed like one. */
const helpOf = (commands: readonly Command[]): Completed => ({
  words: 'help',
  summary: 'What a command does and takes',
  flags: ['json'],
  completions: () => linesOf(commands),
})

/** `completion SHELL`: a script for the shell, which completes commands, options and their values. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  words: 'completion',
  usage: 'bash|zsh|fish',
  summary: 'A script that completes commands, options and values in your shell',
  section: 'Command line',
  flags: [],
  completions: () => Object.keys(SHELLS),
  withoutTerminal: 'raw',
  async run([shell = '']): Promise<Result> {
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
    if (!script) throw new Misuse(`Say for which shell: ${Object.keys(SHELLS).join(', ')}.`)
    const text = script([...commands(), helpOf(commands())]).trimEnd()
    return { data: { shell, script: text }, text }
  },
})
