import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuickstartStep } from '#discovery/quickstart.ts'
import { openTestApp } from '../support/test-app.ts'

/** Follows the quickstart of the first answer, and knows no path, field name or header of this API. */
async function followQuickstart(url: string) {
  let calls = 1
  const root = toRoot(await (await fetch(url)).json())
  const known: Record<string, string> = {}
  const fill = (values: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(values).map(([name, text]) => [
        name,
        text.replace(/\{(\w+)\}/, (_, key: string) => known[key] ?? ''),
      ]),
    )
  let answer: unknown
  for (const { method, path, headers, body, gives = {} } of root.quickstart) {
    calls += 1
    const response = await fetch(new URL(path, url), {
      method,
      headers: { 'content-type': 'application/json', ...fill(headers) },
      body: JSON.stringify(fill(body)),
    })
    assert(response.ok, `${method} ${path}: ${response.status}`)
    answer = await response.json()
    for (const [name, where] of Object.entries(gives)) known[name] = valueAt(answer, where)
  }
  return { calls, answer }
}

/** Not checked: the test fails where the answer has another form. */
const toRoot = (value: unknown) => value as { readonly quickstart: readonly QuickstartStep[] }

const valueAt = (value: unknown, path: string): string =>
  String(path.split('.').reduce((at, name) => (at as Record<string, unknown>)[name], value))

test('an agent that knows only the base URL gets a stake built in fewer than five calls', async () => {
  await using app = await openTestApp()
  const { calls, answer } = await followQuickstart(app.url)
  assert(calls < 5, `${calls} calls`)
  assert.equal((answer as { readonly action: string }).action, 'stake')
})
