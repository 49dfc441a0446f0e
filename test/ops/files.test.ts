import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { prometheusMeters } from '@stakewright/server/adapters/system/metrics/prometheus-meters.ts'
import { VARIABLES } from '@stakewright/server/config/variables.ts'
import { scrapeWorkers } from '@stakewright/server/scrape-workers.ts'
import { composeSettings, kubernetesSettings } from './deployment-settings.ts'
import { documentsOf, ROOT, read, valuesOf } from './ops-yaml.ts'

/** The metrics of a service in which every event has happened once. */
async function exposed(): Promise<string> {
  const meters = prometheusMeters({ ofProcess: process })
  meters.requestFinished('/x', 'GET', 200, 0.1)
  meters.jobFinished('x', 'done', 0.1)
  meters.snapshotAccepted(1, 1)
  meters.snapshotRefused()
  const ofWorkers = await scrapeWorkers().scrape([{ number: 0, send: undefined }])
  return (await meters.expose()).text + ofWorkers
}

/** The metric names in a query: names that are neither functions nor keywords, outside of braces and brackets. */
function namesIn(query: string): readonly string[] {
  const bare = query.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without) *\([^)]*\)|\boffset \w+/g, ' ')
  return [...bare.matchAll(/[a-z_:][\w:]*(?!\w)(?! *\()/gi)]
    .map(([name]) => name)
    .filter((name) => !['or', 'and', 'unless', 'by', 'on'].includes(name))
}

/** The labels used in a query, without `instance`, which Prometheus adds, and `worker`, which only WORKERS > 1 has. */
function labelsIn(query: string): readonly string[] {
  const grouped = [...query.matchAll(/\bby *\(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */))
  const matched = [...query.matchAll(/(\w+)="/g)].map(([, name = '']) => name)
  return [...grouped, ...matched].filter((name) => !['instance', 'worker'].includes(name))
}

test('every query of the dashboard and the alerts uses only metrics and labels that the service exposes', async () => {
  const text = await exposed()
  const queries = [
    ...documentsOf('ops/prometheus/alerts.yaml'),
    JSON.parse(read('ops/grafana/stakewright.json')),
  ].flatMap((tree) => valuesOf('expr', tree).map(String))
  assert(queries.length > 10)
  for (const query of queries) {
    const names = namesIn(query)
    assert(names.length > 0, query)
    const lines = names.map((name) => {
      const found = text.split('\n').filter((line) => new RegExp(`^${name}[{ ]`).test(line))
      assert(found.length > 0, `${name} of ${query}`)
      return found.join()
    })
    for (const label of labelsIn(query)) assert(lines.join().includes(`${label}="`), `${label} of ${query}`)
  }
})

test('every variable that the files of ops/ set is a setting of the service', () => {
  const [compose] = documentsOf('ops/compose.yaml')
  const services = valuesOf('services', compose)[0]
  const ofCompose = valuesOf('environment', valuesOf('stakewright', services)[0]).flatMap((variables) =>
    Object.keys(variables ?? {}),
  )
  const ofKubernetes = documentsOf('ops/kubernetes/stakewright.yaml')
    .flatMap((document) => valuesOf('env', document))
    .flat()
    .map((entry) => String(valuesOf('name', entry)[0]))
  const ofImage = [...read('ops/Dockerfile').matchAll(/^ENV (.*)$/gm)]
    .flatMap(([, line = '']) => line.split(' '))
    .map((entry) => entry.split('=')[0] ?? '')
    .filter((name) => !name.startsWith('NODE_'))
  for (const names of [ofCompose, ofKubernetes, ofImage]) {
    assert(names.length > 0)
    for (const name of names) assert(name in VARIABLES, name)
  }
})

const SECRETS = { KEY_PEPPER: 'a', JWT_SECRET: 'b', POSTGRES_PASSWORD: 'c' }
const CONFIG_MAP = { PUBLIC_URL: 'https://stakewright.example', MAIL_FROM: 'no-reply@stakewright.example' }

test('a deployment without NETWORK does not start, so nobody runs a sandbox by accident', () => {
  assert.throws(() => composeSettings(SECRETS), /NETWORK is not given/)
  assert.throws(() => composeSettings({ ...SECRETS, NETWORK: '' }), /NETWORK is not given/)
  assert.throws(() => kubernetesSettings(CONFIG_MAP, SECRETS), /NETWORK is not given/)
})

test('every variable of the service that an operator sets reaches the containers, unless the deployment sets it', () => {
  const given = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, `given ${name}`]))
  const own = (settings: Readonly<Record<string, string>>) =>
    Object.keys(VARIABLES).filter((name) => settings[name] !== given[name])
  assert.deepEqual(own(composeSettings({ ...SECRETS, ...given })), [
    'PORT',
    'HOST',
    'TRUST_PROXY_HOPS',
    'DATA_DIR',
    'DATABASE_URL',
    'REDIS_URL',
    'AUDIT_ANCHOR_FILE',
  ])
  assert.deepEqual(own(kubernetesSettings(given, {}).variables), [
    'PORT',
    'HOST',
    'TRUST_PROXY_HOPS',
    'DATA_DIR',
    'AUDIT_ANCHOR_FILE',
    'METRICS_PORT',
  ])
  const ofSecret = kubernetesSettings({ ...CONFIG_MAP, NETWORK: 'ika' }, given).variables
  assert.equal(ofSecret['SUI_RPC_URLS'], given['SUI_RPC_URLS'])
})

test('the anchor of the audit log is on a volume that outlives containers, which the image lets its user write', () => {
  const [compose] = documentsOf('ops/compose.yaml')
  const [service] = valuesOf('stakewright', valuesOf('services', compose)[0])
  const folder = dirname(composeSettings({ ...SECRETS, NETWORK: 'ika' })['AUDIT_ANCHOR_FILE'] ?? '')
  const mounts = (valuesOf('volumes', service).flat() as readonly string[]).map((volume) => volume.split(':'))
  assert(mounts.some(([source, target]) => /^\w+$/.test(source ?? '') && target === folder))
  assert.match(read('ops/Dockerfile'), new RegExp(`^RUN install --directory --owner=node .* ${folder}$`, 'm'))

  const { variables, claims } = kubernetesSettings({ ...CONFIG_MAP, NETWORK: 'ika' }, SECRETS)
  assert.deepEqual(claims, [dirname(variables['AUDIT_ANCHOR_FILE'] ?? '')])
})

test('every YAML file of ops/ parses, and all paths that the files copy or mount exist', () => {
  for (const path of globSync('ops/**/*.yaml', { cwd: ROOT })) assert(documentsOf(path).length > 0)
  const copied = [...read('ops/Dockerfile').matchAll(/^COPY (?!--from)(.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').slice(0, -1),
  )
  const started = /^CMD \["node", "(.*)"\]$/m.exec(read('ops/Dockerfile'))?.[1] ?? ''
  const [compose] = documentsOf('ops/compose.yaml')
  const mounted = valuesOf('volumes', compose)
    .flat()
    .map(String)
    .filter((volume) => volume.startsWith('./'))
    .map((volume) => join('ops', volume.split(':')[0] ?? ''))
  for (const path of [...copied, started, ...mounted]) assert(existsSync(join(ROOT, path)), path)
  assert(copied.length > 4 && mounted.length > 0)
})

test('every service and volume that the compose file refers to is defined in it', () => {
  const [compose] = documentsOf('ops/compose.yaml')
  const [services] = valuesOf('services', compose)
  const named = Object.keys(services ?? {})
  const needed = valuesOf('depends_on', services).flatMap((needs) =>
    Array.isArray(needs) ? needs : Object.keys(needs ?? {}),
  )
  assert(needed.length > 0)
  for (const name of needed) assert(named.includes(String(name)), String(name))
  const declared = Object.keys(valuesOf('volumes', compose).find((value) => !Array.isArray(value)) ?? {})
  const used = valuesOf('volumes', services)
    .flat()
    .map((volume) => String(volume).split(':')[0] ?? '')
    .filter((volume) => !volume.startsWith('.'))
  assert.deepEqual([...new Set(used)].sort(), declared.sort())
})
