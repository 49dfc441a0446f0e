import { type Command, Misuse, type Result } from './command.ts'

type Shell = (commands: readonly Command[]) => string

const flagsOf = ({ flags }: Command): string => flags.map((flag) => `--${flag}`).join(' ')
const firstWords = (commands: readonly Command[]) => [
  ...new Set(commands.map(({ words }) => words.split(' ')[0])),
]
const secondWords = (commands: readonly Command[], first: string | undefined): readonly string[] =>
  commands.flatMap(({ words }) => {
    const [group, second] = words.split(' ')
    return group === first && second !== undefined ? [second] : []
  })

/** `keys register` comes before `keys`, whose pattern would take it. */
const longestFirst = (commands: readonly Command[]): readonly Command[] =>
  commands.toSorted((a, b) => b.words.split(' ').length - a.words.split(' ').length)

/** The command itself, and with anything behind it; a longer word is another command. */
const patternOf = ({ words }: Command): string => `"${words}"|"${words} "*`

const bash: Shell = (commands) => `# stakewright completion for bash: eval "$(stakewright completion bash)"
_stakewright() {
  local current=\${COMP_WORDS[COMP_CWORD]} words="\${COMP_WORDS[1]}"
  [ "\${#COMP_WORDS[@]}" -gt 3 ] && words="\${COMP_WORDS[1]} \${COMP_WORDS[2]}"
  local choices=""
  if [ "$COMP_CWORD" = 1 ]; then
    choices="${firstWords(commands).join(' ')}"
  else
    case "$words" in
${longestFirst(commands)
  .map((command) => `      ${patternOf(command)}) choices="${flagsOf(command)}" ;;`)
  .join('\n')}
    esac
    if [ "$COMP_CWORD" = 2 ]; then
      case "\${COMP_WORDS[1]}" in
${groups(commands)
  .map(([first, seconds]) => `        ${first}) choices="${seconds.join(' ')} $choices" ;;`)
  .join('\n')}
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -F _stakewright stakewright
`

const zsh: Shell = (commands) => `#compdef stakewright
# stakewright completion for zsh: eval "$(stakewright completion zsh)"
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
autoload -Uz bashcompinit && bashcompinit
${bash(commands)}`

const fish: Shell = (commands) => {
  const quoted = (text: string) => `'${text.replaceAll("'", '’')}'`
  const lines = commands.flatMap(({ words, summary, flags }) => {
    const [first = '', second] = words.split(' ')
    const place = second === undefined ? '' : ` ${first}`
    return [
      `complete -c stakewright -n '__stakewright_after${place}' -a ${second ?? first} -d ${quoted(summary)}`,
      ...flags.map((flag) => `complete -c stakewright -n '__stakewright_runs "${words}"' -l ${flag}`),
    ]
  })
  const pairs = commands.map(({ words }) => words).filter((words) => words.includes(' '))
  const bare = groups(commands)
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
${[...bare, ...lines].join('\n')}
`
}

const SHELLS: Readonly<Record<string, Shell>> = { bash, zsh, fish }

function groups(commands: readonly Command[]): readonly (readonly [string, readonly string[]])[] {
  return firstWords(commands)
    .map((first) => [first ?? '', secondWords(commands, first)] as const)
    .filter(([, seconds]) => seconds.length > 0)
}

/** `completion SHELL`: a script for the shell, which completes commands and options. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  words: 'completion',
  usage: 'bash|zsh|fish',
  summary: 'A script that completes commands and options in your shell',
  section: 'Command line',
  flags: [],
  withoutTerminal: 'text',
  async run([shell = '']): Promise<Result> {
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
    if (!script) throw new Misuse(`Say for which shell: ${Object.keys(SHELLS).join(', ')}.`)
    const text = script(commands()).trimEnd()
    return { data: { shell, script: text }, text }
  },
})
