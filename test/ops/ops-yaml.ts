import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

export const ROOT = join(import.meta.dirname, '..', '..')
export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The documents of a YAML file, parsed as strictly as by Docker and Kubernetes. */
export function documentsOf(path: string): readonly unknown[] {
  return parseAllDocuments(read(path), { uniqueKeys: true }).map((document) => {
    assert.deepEqual([document.errors, document.warnings], [[], []], path)
    return document.toJS()
  })
}

/** All values under this key, at any depth. */
export function valuesOf(name: string, tree: unknown): readonly unknown[] {
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]) => [
    ...(key === name ? [value] : []),
    ...valuesOf(name, value),
  ])
}
