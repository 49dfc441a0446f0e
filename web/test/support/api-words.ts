import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url)

/** Names of fields and enum values in camelCase or snake_case, which no ordinary word has. */
const NAMES = namesIn(JSON.parse(readFileSync(DOCUMENT, 'utf8')))
/** Fields by their path, and calls. */
const PATHS = /\w\[\d+\]|\/api\/v\d|\b(?:GET|POST|PUT|PATCH|DELETE) [/\w]/g

function namesIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const item of value) namesIn(item, found)
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) {
      const words =
        name === 'enum' && Array.isArray(part) ? part : name === 'properties' ? Object.keys(part) : []
      for (const word of words) if (/[a-z]([A-Z]|_[a-z])/.test(String(word))) found.add(String(word))
      namesIn(part, found)
    }
  return found
}

/** A script that returns the text of a page without code, ids and the log of calls. */
const VISIBLE_TEXT = `(() => {
  const copy = document.querySelector('main').cloneNode(true)
  for (const part of copy.querySelectorAll('code, pre, .id, .code, figcaption bdi')) part.remove()
  const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) texts.push(walker.currentNode.data)
  return texts.join(' ')
})()`

/** Fails if a page shows people an identifier of the API. */
export async function assertPlainWords(page: Page, what: string): Promise<void> {
  const text = String(await page.evaluate(VISIBLE_TEXT))
  const words = text.split(/[^\w]+/).filter((word) => NAMES.has(word))
  assert.deepEqual([...new Set([...words, ...(text.match(PATHS) ?? [])])], [], `${what}: ${text}`)
}
