import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { EQUIVALENT, isEquivalent, lineAt } from './equivalent.ts'
import { mutantsOf } from './mutants.ts'

const ROOT = join(import.meta.dirname, '..', '..')

test('every equivalent mutant that is listed exists in its file', () => {
  for (const [file, listed] of Object.entries(EQUIVALENT)) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    const found = mutantsOf(text)
      .filter((mutant) => isEquivalent(file, text, mutant))
      .map(({ at, from }) => `${from} in ${lineAt(text, at)}`)
    const wanted = listed.map(([line, from]) => `${from} in ${line}`)
    assert.deepEqual([...new Set(found)].toSorted(), wanted.toSorted(), file)
  }
})

test('a listed mutant is skipped in its own file and tried in every other one', () => {
  const [file = '', listed = []] = Object.entries(EQUIVALENT)[0] ?? []
  const text = listed.map(([line]) => `${line}\n`).join('')
  const from = listed[0]?.[1] ?? ''
  const mutant = { at: text.indexOf(from), from, to: '' }
  assert.equal(isEquivalent(file, text, mutant), true)
  assert.equal(isEquivalent('server/src/another-file.ts', text, mutant), false)
})
