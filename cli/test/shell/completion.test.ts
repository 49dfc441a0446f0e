import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tempFolder } from '../../../server/test/support/temp-folder.ts'
import { ENDPOINT_COMMANDS } from '../../src/api/endpoint-commands.ts'
import { COMMANDS } from '../../src/run-command-line.ts'
import { type } from '../typed-line.ts'
import { SHELLS } from './shells.ts'

const first = (words: string) => words.split(' ')[0] ?? ''
const FIRST_WORDS = [...new Set(COMMANDS.map(({ words }) => first(words))), 'help']
const WITH_SCHEMA = [
  ...ENDPOINT_COMMANDS.map(({ words }) => words),
  ...COMMANDS.flatMap(({ words, schema }) => (schema === undefined ? [] : [words])),
]
const secondsOf = (group: string) =>
  COMMANDS.flatMap(({ words }) => (words.startsWith(`${group} `) ? [words.slice(group.length + 1)] : []))

for (const [shell, complete] of Object.entries(SHELLS)) {
  test(`${shell} completes each command with its own options and their values, and groups with their commands`, async () => {
    await using folder = await tempFolder()
    const { stdout: script } = await type(`completion ${shell}`, { isTerminal: true })
    const groups = FIRST_WORDS.filter((word) => secondsOf(word).length > 0)
    const asked = [
      { line: 'stakewright ', expected: FIRST_WORDS },
      ...groups.map((word) => ({ line: `stakewright ${word} `, expected: secondsOf(word) })),
      ...COMMANDS.map(({ words, flags }) => ({
        line: `stakewright ${words} --`,
        expected: flags.map((flag) => `--${flag}`),
      })),
      ...COMMANDS.flatMap(({ words, choices = {} }) =>
        Object.entries(choices).map(([flag, expected]) => ({
          line: `stakewright ${words} --${flag} `,
          expected,
        })),
      ),
      { line: 'stakewright help ', expected: FIRST_WORDS.filter((word) => word !== 'help') },
      { line: 'stakewright help tx ', expected: secondsOf('tx') },
      { line: 'stakewright schema ', expected: [...new Set(WITH_SCHEMA.map(first))] },
      { line: 'stakewright schema tx ', expected: secondsOf('tx') },
      { line: 'stakewright completion ', expected: Object.keys(SHELLS) },
    ]
    assert(asked.some(({ line }) => line === 'stakewright validators --sort '))
    const lines = asked.map(({ line }) => line)
    const offered = await complete(script, lines, folder.path)
    for (const [at, { line, expected }] of asked.entries()) {
      // Behind a command that is also a group, a shell may offer its options, too.
      const words = (offered[at] ?? []).filter((word) => line.endsWith('--') || !word.startsWith('-'))
      assert.deepEqual([...words].sort(), [...expected].sort(), line)
    }
  })
}

test('an unsupported shell is refused, and the error lists the supported ones', async () => {
  const { code, stderr } = await type('completion tcsh', { isTerminal: true })
  assert.equal(code, 2)
  assert.match(stderr, /bash, zsh, fish/)
})
