import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const LINK = /\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]*))?\)/g

test('every relative link of a document leads to an existing file, and its anchor to a heading there', () => {
  const documents = globSync('**/*.md', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'packed/**', 'data/**'],
  })
  assert(documents.length > 20)
  for (const document of documents) {
    const text = readFileSync(join(ROOT, document), 'utf8')
    for (const [link, path = '', anchor] of text.matchAll(LINK)) {
      const target = path === '' ? document : normalize(join(document, '..', path))
      assert(existsSync(join(ROOT, target)), `${document} leads to ${path}, which is not there`)
      if (anchor === undefined || !target.endsWith('.md')) continue
      assert(anchorsOf(target).has(anchor), `${document} has ${link}, but ${target} has no such heading`)
    }
  }
})

/** The anchors that GitHub gives to the headings of a document; a repeated one gets a number. */
function anchorsOf(document: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, document), 'utf8').replace(/^```.*?^```/gms, '')
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.trim().replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const plain = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replace(/\s/g, '-')
    let anchor = plain
    for (let repeat = 1; anchors.has(anchor); repeat += 1) anchor = `${plain}-${repeat}`
    anchors.add(anchor)
  }
  return anchors
}
