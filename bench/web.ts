import { loadavg } from 'node:os'
import { tempFolder } from '../server/test/support/temp-folder.ts'
import { startService } from '../test/e2e/service-process.ts'
import { openChromium } from '../web/test/support/chromium.ts'
import { quantile } from './support/quantiles.ts'

const PATHS = ['/', '/validators', '/allocate', '/docs'] as const
const VISITS = 7
/** The goals: compressed bytes of a first view, its largest contentful paint, the time to draw 60 × 90 points. */
const PROMISED = { bytes: 150_000, paintMs: 1_000, plotMs: 50 }

type Visit = {
  readonly bytes: number
  readonly requests: number
  readonly paintMs: number
  /** Processor time of the page's main thread, which does not depend on the load of the machine. */
  readonly workMs: number
}

/** npm run bench -- web: the bytes and times of a first visit with an empty cache, and the time to draw a large plot. */
export async function benchWeb(): Promise<void> {
  await using folder = await tempFolder()
  await using service = await startService({
    DATA_DIR: folder.path,
    LIMIT_IP_RPM: '100000',
    LOG_LEVEL: 'error',
  })
  const browser = await openChromium()
  try {
    await visit(browser, service.url, '/')
    console.log(`\nweb: ${VISITS} first visits each, empty cache; load ${loadText()}`)
    console.log('  page           compressed   requests       work   largest paint: best / median / worst')
    for (const path of PATHS) {
      const visits: Visit[] = []
      for (let each = 0; each < VISITS; each++) visits.push(await visit(browser, service.url, path))
      const { bytes, requests } = visits[0] ?? { bytes: 0, requests: 0 }
      const paint = spreadText(visits.map(({ paintMs }) => paintMs))
      const work = `${Math.min(...visits.map(({ workMs }) => workMs)).toFixed(0)} ms`
      console.log(
        `  ${path.padEnd(14)} ${`${(bytes / 1000).toFixed(1)} KB`.padStart(10)} ${String(requests).padStart(10)} ${work.padStart(10)}   ${paint}`,
      )
    }
    console.log(`  promised on /: at most ${PROMISED.bytes / 1000} KB and ${PROMISED.paintMs} ms`)
    const times = await drawingTimes(browser, service.url)
    console.log(`  60 lines of 90 epochs: ${spreadText(times)}; promised: ${PROMISED.plotMs} ms`)
  } finally {
    await browser.close()
  }
}

type Browser = Awaited<ReturnType<typeof openChromium>>

async function visit(browser: Browser, url: string, path: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  let bytes = 0
  let requests = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests += 1
  })
  await page.goto(url + path)
  await page.locator('.starting').waitFor({ state: 'detached' })
  await page.locator('h1').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
  const paintMs = Number(await page.evaluate(LARGEST_PAINT))
  const { metrics } = await devtools.send('Performance.getMetrics')
  const workMs = 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  await context.close()
  return { bytes, requests, paintMs, workMs }
}

const LARGEST_PAINT = `new Promise((resolve) => new PerformanceObserver((list) =>
  resolve(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true }))`

/** Draws with the settings of the pages: no marks at points. The library comes from the registry of the bundle. */
const DRAWING = `(async () => {
  const { use } = await import(document.querySelector('script[type=module]').src)
  const { default: uPlot } = use('vendor/uplot/uPlot.iife.min.js')
  const epochs = Array.from({ length: 90 }, (_, epoch) => epoch)
  const lines = Array.from({ length: 60 }, (_, line) => epochs.map((epoch) => 8 + Math.sin(epoch / 9 + line)))
  const series = [{}, ...lines.map(() => ({ stroke: '#3552c8', width: 1, points: { show: false } }))]
  const cursor = { y: false, drag: { x: false, y: false } }
  const times = []
  for (let each = 0; each < 15; each++) {
    const box = document.body.appendChild(document.createElement('div'))
    const start = performance.now()
    await new Promise((resolve) => new uPlot({ width: 1000, height: 300, series, cursor, scales: { x: { time: false } }, legend: { show: false }, hooks: { draw: [resolve] } }, [epochs, ...lines], box))
    times.push(performance.now() - start)
    box.remove()
  }
  return times
})()`

async function drawingTimes(browser: Browser, url: string): Promise<readonly number[]> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.locator('.uplot').first().waitFor()
  const times = toTimes(await page.evaluate(DRAWING))
  await page.close()
  return times
}

/** The script answers with numbers. */
const toTimes = (value: unknown) => value as readonly number[]

/** Best, median and worst. On a busy machine only the best is the cost of the page. */
function spreadText(values: readonly number[]): string {
  return [0, 0.5, 1].map((share) => `${quantile(values, share).toFixed(0)} ms`).join(' / ')
}

const loadText = () => loadavg()[0]?.toFixed(1)
