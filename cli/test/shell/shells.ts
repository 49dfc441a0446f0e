import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from '../../../server/test/support/services/debian-program.ts'
import { run } from '../run-cli.ts'

/** The words that a shell offers for each unfinished line after it has read the script. */
export type Complete = (
  script: string,
  lines: readonly string[],
  folder: string,
) => Promise<readonly (readonly string[])[]>

const toLists = (text: string): readonly (readonly string[])[] =>
  text.split('\n').map((line) => line.split(' ').filter((word) => word !== ''))

const inBash: Complete = async (script, lines) => {
  const asked = lines.map((line) => {
    const words = line.split(' ')
    return `COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}; _stakewright; echo "\${COMPREPLY[@]}"`
  })
  const { stdout } = await run('bash', ['-c', `${script}\n${asked.join('\n')}`], {})
  return toLists(stdout)
}

const inFish: Complete = async (script, lines, folder) => {
  const { command, env } = await findProgram(['fish'], ['fish', 'fish-common'], {
    versionFlag: '--version',
    folders: ['usr/bin'],
    isDeep: false,
  })
  const asked = lines.map((line) => `echo (complete -C '${line}' | string replace -r '\\t.*' '')`)
  const variables = { HOME: folder, LD_LIBRARY_PATH: env['LD_LIBRARY_PATH'] ?? '' }
  const { stdout } = await run(command, ['-N', '-c', `${script}\n${asked.join('\n')}`], variables)
  return toLists(stdout)
}

/**
 * Completion of zsh belongs to its line editor, so it is typed on a terminal, which `script` makes. Debian's static build
 * has the editor inside; the other one looks for it in fixed places.
 */
const inZsh: Complete = async (script, lines, folder) => {
  const { command } = await findProgram(['zsh-static', 'zsh'], ['zsh-static', 'zsh-common'], {
    versionFlag: '--version',
    folders: ['bin', 'usr/bin'],
    isDeep: false,
  })
  await mkdir(join(folder, 'zsh'), { recursive: true })
  const startFile = join(folder, 'zsh', 'start.zsh')
  await writeFile(startFile, `${functionsBeside(command)}\n${script}\n${RECORDER}\n`)
  const env = { ...process.env, TERM: 'dumb', ZDOTDIR: join(folder, 'zsh') }
  const child = spawn('script', ['-qfec', `${command} -f -i`, '/dev/null'], { env })
  const ended = once(child, 'exit')
  const marks = readMarks(child.stdout)
  child.stdin.write(`source ${startFile}\n`)
  await marks.next()
  const offered: (readonly string[])[] = []
  for (const line of lines) {
    child.stdin.write(`${line}\t`)
    offered.push(
      String((await marks.next()).value)
        .split(' ')
        .filter(Boolean),
    )
    child.stdin.write(CLEAR_LINE)
  }
  await marks.return(undefined)
  child.kill()
  await ended
  return offered
}

const CLEAR_LINE = '\u0015'

/** Sets the function path of an unpacked zsh; an installed zsh knows its own. */
function functionsBeside(command: string): string {
  const root = /^(.*\/debian\/[^/]+)\//.exec(command)?.[1]
  if (root === undefined) return ''
  const folders = globSync(`${root}/usr/share/zsh/functions/Completion{,/*}`)
  return `fpath=(${folders.filter((folder) => !folder.endsWith('.zwc')).join(' ')})`
}

/** Records the offered words and prints them between marks; also prints a mark when the line editor is ready. */
const RECORDER = `
typeset -ga offered
unsetopt auto_list
compadd() { local -a hits; builtin compadd -O hits "$@"; offered+=($hits); builtin compadd "$@" }
say-offered() { offered=(); zle complete-word; print -r -- "<<\${offered[*]}>>" }
zle -N say-offered
bindkey '^I' say-offered
zle-line-init() { print '<<''ready>>' }
zle -N zle-line-init
`

/** The texts between the marks, in order. */
async function* readMarks(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of stream) {
    text += String(chunk)
    for (let mark = MARK.exec(text); mark; mark = MARK.exec(text)) {
      text = text.slice(mark.index + mark[0].length)
      yield mark[1] ?? ''
    }
  }
}
const MARK = /<<([^'<]*?)>>/s

export const SHELLS: Readonly<Record<'bash' | 'zsh' | 'fish', Complete>> = {
  bash: inBash,
  zsh: inZsh,
  fish: inFish,
}
