import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { runsAll } from '../../../test/runs-all.ts'
import { PAINTED } from './layout-shifts.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** `locale`: American English by default. */
export type Look = { readonly theme: 'light' | 'dark'; readonly width: number; readonly locale?: string }
const [NARROW, MIDDLE, WIDE] = [360, 1024, 1600]
/** Both themes at the narrowest and at the widest. */
export const LOOKS: readonly Look[] = [NARROW, WIDE].flatMap((width) => [
  { theme: 'light', width },
  { theme: 'dark', width },
])

/** Long enough for a busy machine, and shorter than a test's timeout, so that the failure names the missing element. */
const ELEMENT_TIMEOUT_MS = 100_000

/** Longer than the longest refresh interval of a page, which is a minute. */
export const A_WHILE_MS = 61_000

/** A page on which every console message, and every violation of its content security policy, is a fault. */
export type WatchedPage = AsyncDisposable & {
  readonly page: Page
  readonly context: BrowserContext
  /** Returns and clears the messages so far. */
  takeMessages(): readonly string[]
  /** Loads a path and waits until nothing is loading any more. */
  open(path: string): Promise<void>
  /**
   * Shows a path within the loaded document, with all its parts mounted anew, and waits until every answer is drawn. A
   * load costs several times as much.
   */
  visit(path: string): Promise<void>
  settle(): Promise<void>
  /** Waits until no request is in flight and what came is drawn. */
  quiet(): Promise<void>
  /** Resizes the window, and waits until it is drawn. */
  resize(width: number): Promise<void>
  /** Fails on any violation that axe finds, naming it. */
  assertAccessible(what: string): Promise<void>
  assertClean(what: string): void
  /** Fails on any violation of axe, sideways scrolling, tiny text or console message. */
  assertFits(what: string): Promise<void>
  /**
   * The same in `EVERY_LOOK`, or in `TWO_LOOKS` if repeats are left out, of the page as it is: nothing is loaded again.
   */
  assertFitsEveryLook(what: string, looks?: readonly JudgedLook[]): Promise<void>
  /** Every page that is opened from here on is signed in. */
  signedInAs(user: SignedInUser): Promise<void>
}

export type SignedInUser = { readonly name: string; readonly token: string; readonly expiresAt: number }

export async function openWatchedPage(
  browser: Browser,
  url: string,
  look: Look = { theme: 'light', width: 1280 },
): Promise<WatchedPage> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: look.width, height: 900 },
    colorScheme: look.theme,
    reducedMotion: 'reduce',
    locale: look.locale ?? 'en-US',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(ELEMENT_TIMEOUT_MS)
  const page = await context.newPage()
  let messages: string[] = []
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => messages.push(`error: ${error.message}`))
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
  )
  const quiet = watchRequests(page)
  const settle = async () => {
    await page.locator('.starting').waitFor({ state: 'detached' })
    await page.locator('h1').first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }
  const assertFits = async (what: string, rules: AxeRules) => {
    await settle()
    await assertNothingForAxe(page, what, rules)
    await assertLaidOut(page, what)
    watched.assertClean(what)
  }
  const watched: WatchedPage = {
    page,
    context,
    takeMessages() {
      const taken = messages
      messages = []
      return taken
    },
    async open(path) {
      await page.goto(path)
      await settle()
    },
    async visit(path) {
      if (page.url() === 'about:blank') await page.goto(path)
      else await remount(page, path)
      await settle()
      await quiet()
    },
    settle,
    quiet,
    async resize(width) {
      await page.setViewportSize({ width, height: 900 })
      await page.evaluate(PAINTED)
    },
    assertAccessible: (what) => assertNothingForAxe(page, what, {}),
    assertClean(what) {
      assert.deepEqual(messages, [], what)
    },
    assertFits: (what) => assertFits(what, {}),
    async assertFitsEveryLook(what, looks = runsAll() ? EVERY_LOOK : TWO_LOOKS) {
      for (const { width, theme, judges } of looks) {
        await watched.resize(width)
        await page.emulateMedia({ colorScheme: theme })
        await page.evaluate(PAINTED)
        await assertFits(`${what}, ${theme}, ${width} px`, judges)
      }
    },
    async signedInAs(user) {
      await page.addInitScript(
        `sessionStorage.setItem('stakewright.session', ${JSON.stringify(JSON.stringify({ user }))})`,
      )
    },
    async [Symbol.asyncDispose]() {
      // A route handler may still be running.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    },
  }
  return watched
}

/** A path without a page: its notice takes the place of all that a page has mounted. */
const NOWHERE = '/nowhere'

async function remount(page: Page, path: string): Promise<void> {
  const notFound = page.getByRole('heading', { level: 1, name: 'Not found', exact: true })
  const goTo = (place: string) =>
    page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(place)}); dispatchEvent(new PopStateEvent('popstate'))`,
    )
  await goTo(NOWHERE)
  await notFound.waitFor()
  await goTo(path)
  await notFound.waitFor({ state: 'detached' })
}

function watchRequests(page: Page): () => Promise<void> {
  const asked = new Set<Request>()
  page.on('request', (request) => asked.add(request))
  page.on('requestfinished', (request) => asked.delete(request))
  page.on('requestfailed', (request) => asked.delete(request))
  return async () => {
    do await page.evaluate(PAINTED)
    while (asked.size > 0)
    await page.evaluate(PAINTED)
  }
}

/** The rules of axe that are run; all by default. */
type AxeRules = {
  readonly runOnly?: { readonly type: 'rule'; readonly values: readonly string[] }
  readonly rules?: Readonly<Record<string, { readonly enabled: boolean }>>
}
const OF_COLOURS = ['color-contrast', 'link-in-text-block']
const ONLY_COLOURS: AxeRules = { runOnly: { type: 'rule', values: OF_COLOURS } }
const WITHOUT_COLOURS: AxeRules = {
  rules: Object.fromEntries(OF_COLOURS.map((rule) => [rule, { enabled: false }])),
}

/** What axe judges in a look. */
type JudgedLook = Look & { readonly judges: AxeRules }

/**
 * The other theme changes colours and nothing else, and all colours of the middle width also occur at another. Judging
 * them takes most of the time.
 */
export const EVERY_LOOK: readonly JudgedLook[] = [
  { width: NARROW, theme: 'light', judges: {} },
  { width: NARROW, theme: 'dark', judges: ONLY_COLOURS },
  { width: MIDDLE, theme: 'light', judges: WITHOUT_COLOURS },
  { width: WIDE, theme: 'light', judges: {} },
  { width: WIDE, theme: 'dark', judges: ONLY_COLOURS },
]
const TWO_LOOKS: readonly JudgedLook[] = [
  { width: NARROW, theme: 'light', judges: {} },
  { width: WIDE, theme: 'dark', judges: ONLY_COLOURS },
]

/** Violations are reported by their HTML: a selector for every node looked at would be up to a third of axe's time. */
const AXE_OPTIONS = { resultTypes: ['violations'], selectors: false }

async function assertNothingForAxe(page: Page, what: string, rules: AxeRules): Promise<void> {
  const options = { ...AXE_OPTIONS, ...rules }
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const found = toViolations(await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`))
  const texts = found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html }) => `    ${html.slice(0, 200)}`).join('\n')}`,
  )
  assert.deepEqual(texts, [], `${what}:\n${texts.join('\n')}`)
}

async function assertLaidOut(page: Page, what: string): Promise<void> {
  const sideways = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert(Number(sideways) <= 0, `${what} scrolls sideways by ${sideways} px`)
  assert.deepEqual(
    await page.evaluate(STICKING_OUT),
    [],
    `${what} has content that its frame has no room for`,
  )
  assert.deepEqual(await page.evaluate(STRAY_BARS), [], `${what} has scroll bars for a few pixels`)
  assert.deepEqual(await page.evaluate(TINY_TEXT), [], `${what} has text that is too small to read`)
  assert.deepEqual(await page.evaluate(COVERED_TEXT), [], `${what} has plots with text on text`)
}

/** Containers that are narrower than their content, the top bar included; blocks of code may scroll. */
const STICKING_OUT = `[...document.querySelectorAll('.topbar-inner, .topbar-end, main :is(.card, .stats, .stat, .table-wrap)')]
  .filter((frame) => frame.scrollWidth > frame.clientWidth + 1)
  .map((frame) => frame.className + ' by ' + (frame.scrollWidth - frame.clientWidth) + ' px: ' + frame.textContent.slice(0, 60))`

/** Elements that scroll by less than a line, which is never intended. */
const STRAY_BARS = `[...document.querySelectorAll('main *')].flatMap((element) => {
  const { overflowX, overflowY } = getComputedStyle(element)
  const beyond = [
    [/auto|scroll/.test(overflowX), element.scrollWidth - element.clientWidth],
    [/auto|scroll/.test(overflowY), element.scrollHeight - element.clientHeight],
  ]
  return beyond.filter(([may, by]) => may && by > 0 && by < 12).map(([, by]) => element.className + ' by ' + by + ' px')
})`

/** Texts of drawings that are too small on the screen, after scaling. */
const TINY_TEXT = `[...document.querySelectorAll('main svg text')]
  .filter((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a < 11)
  .map((text) => text.textContent)`

/** Pairs of overlapping texts of a drawing; an overlap of 4 px is the space between lines. */
const COVERED_TEXT = `[...document.querySelectorAll('main svg')].flatMap((drawing) => {
  const texts = [...drawing.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()])
  return texts.flatMap(([name, one], index) => texts.slice(index + 1)
    .filter(([, other]) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4)
    .map(([other]) => name + ' on ' + other))
})`

type Violation = {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string }[]
}

/** The used part of the answer of `axe.run`. */
const toViolations = (value: unknown) => (value as { readonly violations: readonly Violation[] }).violations
