import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, runServer, serverFolder } from '../server-process.ts'
import { findProgram, type Program } from './debian-program.ts'

const LOOK = { versionFlag: '--version', folders: ['usr/bin'], isDeep: false }

/** Prometheus' own tool, which checks and tests rules; `undefined` where there is none. */
export const findPromtool = (): Promise<Program | undefined> =>
  findProgram(['promtool'], ['prometheus'], LOOK).catch(() => undefined)

export type PrometheusServer = AsyncDisposable & {
  /** The current result of a query: a value for each series. */
  query(expression: string): Promise<readonly Sample[]>
  /** The names of the alerts that are pending or firing. */
  alerts(): Promise<readonly string[]>
}

export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number }

/** A Prometheus that scrapes these URLs every second, with these rules; `undefined` where there is none. */
export async function startPrometheus(
  urls: readonly string[],
  rules: string,
): Promise<PrometheusServer | undefined> {
  const program = await findProgram(['prometheus'], ['prometheus'], LOOK).catch(() => undefined)
  if (program === undefined) return undefined
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await serverFolder('prometheus', undefined))
  const file = join(folder.path, 'prometheus.yml')
  await writeFile(file, JSON.stringify(settings(urls, rules)))
  const address = `127.0.0.1:${await freePort()}`
  const server = await runServer(
    program.command,
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { cwd: folder.path, env: program.env, pidFile: join(folder.path, 'pid') },
    () => ask(address, 'status/buildinfo'),
  )
  opened.defer(() => server.stop())
  const resources = opened.move()
  return {
    async query(expression) {
      const { result } = toData<QueryData>(await ask(address, 'query', { query: expression }))
      return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }))
    },
    async alerts() {
      const { alerts } = toData<AlertsData>(await ask(address, 'alerts'))
      return alerts.map(({ labels }) => labels.alertname)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

const settings = (urls: readonly string[], rules: string) => ({
  global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
  rule_files: [rules],
  scrape_configs: [
    { job_name: 'stakewright', static_configs: [{ targets: urls.map((url) => new URL(url).host) }] },
  ],
})

async function ask(address: string, path: string, parameters: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(`http://${address}/api/v1/${path}?${new URLSearchParams(parameters)}`)
  const body = await response.text()
  if (!response.ok) throw new Error(`Prometheus refuses ${path} ${JSON.stringify(parameters)}: ${body}`)
  return JSON.parse(body)
}

type QueryData = {
  readonly result: readonly { metric: Readonly<Record<string, string>>; value: readonly [number, string] }[]
}
type AlertsData = { readonly alerts: readonly { labels: { readonly alertname: string } }[] }

/** The shapes that Prometheus documents for its answers. */
const toData = <Data>(answer: unknown) => (answer as { readonly data: Data }).data
