import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const IN_PAGE = ['clear-contrast.js', 'text-kind.js', 'judge-colours.js'].map((file) =>
  readFileSync(join(import.meta.dirname, 'in-page', file), 'utf8'),
)

/** Violations are told by their HTML: a selector for every node looked at would be up to a third of axe's time. */
const OPTIONS = { selectors: false }
/** All rules but those about colours, which take most of axe's time and are asked in another way. */
const OTHER_RULES = {
  ...OPTIONS,
  resultTypes: ['violations'],
  rules: { 'color-contrast': { enabled: false }, 'link-in-text-block': { enabled: false } },
}

/** Digests of the kinds of text that axe had nothing against, on any page that this process has looked at. */
const known = new Set<number>()

/** Fails on any violation that axe finds, naming it. */
export async function assertAxeAgrees(page: Page, what: string): Promise<void> {
  await injectAxe(page)
  const results = await page.evaluate(`axe.run(document, ${JSON.stringify(OTHER_RULES)})`)
  assertNone(toViolations(results), what)
  await assertColours(page, what)
}

/**
 * The rules about colours. What axe has judged once is not asked again: a violation is never among the known kinds, so
 * every page that has one fails, whichever was looked at before.
 */
export async function assertColours(page: Page, what: string): Promise<void> {
  await injectAxe(page)
  const judged = toJudged(
    await page.evaluate(`judgeColours(${JSON.stringify([...known])}, ${JSON.stringify(OPTIONS)})`),
  )
  for (const digest of judged.learned) known.add(digest)
  assertNone(judged.violations, what)
}

async function injectAxe(page: Page): Promise<void> {
  if (!(await page.evaluate('"judgeColours" in window'))) await page.evaluate([AXE, ...IN_PAGE].join(';\n'))
}

function assertNone(violations: readonly Violation[], what: string): void {
  const told = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html }) => `    ${html.slice(0, 200)}`).join('\n')}`,
  )
  assert.deepEqual(told, [], `${what}:\n${told.join('\n')}`)
}

type Violation = {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What `axe.run` answers, as far as it is told. */
const toViolations = (value: unknown) => (value as { readonly violations: readonly Violation[] }).violations

/** What `judgeColours` answers. */
const toJudged = (value: unknown) =>
  value as { readonly violations: readonly Violation[]; readonly learned: readonly number[] }
