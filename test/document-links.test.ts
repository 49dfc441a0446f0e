import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const LINK = /\]\((?!https?:|mailto:|\/|#)([^)#\s]+)(?:#[^)]*)?\)/g

test('every relative link of a document leads to an existing file', () => {
  const documents = globSync('**/*.md', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'packed/**', 'data/**'],
  })
  assert(documents.length > 20)
  for (const document of documents) {
    const text = readFileSync(join(ROOT, document), 'utf8')
    for (const [, path = ''] of text.matchAll(LINK)) {
      assert(
        existsSync(join(ROOT, dirname(document), path)),
        `${document} leads to ${path}, which is not there`,
      )
    }
  }
})
