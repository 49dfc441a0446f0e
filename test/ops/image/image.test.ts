import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { sendRaw } from '../../../server/test/support/raw-request.ts'
import { freePort } from '../../../server/test/support/server-process.ts'
import { testDatabase } from '../../../server/test/support/services/postgres-server.ts'
import { sharedRedis } from '../../../server/test/support/services/redis-server.ts'
import { openSmtpSink } from '../../../server/test/support/services/smtp-sink.ts'
import { tempFolder } from '../../../server/test/support/temp-folder.ts'
import { until } from '../../../server/test/support/until.ts'
import { composeSettings, kubernetesSettings } from '../deployment-settings.ts'
import { ROOT } from '../ops-yaml.ts'
import { baseFolder } from './base-folder.ts'
import { type Buildah, openBuildah } from './buildah.ts'
import { configOf, startContainer } from './container.ts'

const execute = promisify(execFile)
const BASE = 'docker.io/library/node:26-bookworm-slim'
const IMAGE = 'stakewright:test'
const LISTENING = /API +http/
const LIST_TESTS = "fs.globSync(['/app/*/test', '/app/*/src/**/*.test.ts'])"
const METADATA = '/api/v1/staking/agent/metadata'

test('the image of ops/Dockerfile builds, and runs', { timeout: 900_000 }, async (t) => {
  await using buildah = await openBuildah()
  if (!buildah) return t.skip('images cannot be built here: that needs root and Debian')
  await buildImage(buildah)
  await t.test('as an unprivileged user on a read-only root, with the documented commands', () =>
    runAlone(buildah),
  )
  await t.test('with the settings of compose, also at a second `up`, and with those of Kubernetes', () =>
    runDeployed(buildah),
  )
})

async function buildImage(buildah: Buildah): Promise<void> {
  const container = await buildah.run('from', 'scratch')
  await buildah.run('copy', '--quiet', container, await baseFolder(), '/')
  await buildah.run(
    'config',
    '--env',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    container,
  )
  await buildah.run('commit', '--quiet', '--rm', container, BASE)
  const file = join(ROOT, 'ops', 'Dockerfile')
  const options = [
    '--pull-never',
    '--format',
    'docker',
    '--ignorefile',
    `${file}.dockerignore`,
    '--file',
    file,
  ]
  await buildah.run('build', ...options, '--tag', IMAGE, ROOT)
}

async function runAlone(buildah: Buildah): Promise<void> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const { User, Healthcheck } = await configOf(buildah, IMAGE)
  assert.equal(User, 'node')
  await using container = await startContainer(buildah, IMAGE, { PORT: port })
  await container.untilSaid(LISTENING)
  const [, ...check] = Healthcheck.Test
  assert.deepEqual(await container.execute(...check), { code: 0, output: '' })
  assert.equal((await container.execute('id', '-u')).output, '1000\n')
  assert.deepEqual(await container.execute('node', '--print', LIST_TESTS), { code: 0, output: '[]\n' })
  assert.match((await container.execute('touch', '/app/new')).output, /Read-only file system/)
  const page = await sendRaw(url, 'GET /', { headers: ['Accept', 'text/html'] })
  const script = /src="(\/web\/[^"]+)"/.exec(page.text)?.[1]
  assert(script, page.text)
  assert.equal((await sendRaw(url, `GET ${script}`)).status, 200)
  for (const [command, said] of [
    [['--version'], /\d+\.\d+\.\d+/],
    [['key', '--url', url], /stk_/],
    [['audit', 'verify'], /intact/],
    [['backup', '--to', '/data/backup'], /./],
  ] as const) {
    const { code, output } = await container.execute('stakewright', ...command)
    assert.equal(code, 0, `${command}: ${output}`)
    assert.match(output, said)
  }
  assert.equal(await container.end('SIGTERM'), 0)
  assert.doesNotMatch(container.output(), /"level":"(?:warn|error)"/)
}

/** Runs the image with the settings of compose and Kubernetes; only the addresses of the servers are replaced. */
async function runDeployed(buildah: Buildah): Promise<void> {
  await using folder = await tempFolder()
  await using anchor = await tempFolder()
  await using database = await testDatabase()
  await using mail = await openSmtpSink()
  const envFile = join(folder.path, '.env')
  const secrets = await makeSecrets(envFile)
  await appendFile(envFile, 'NETWORK=sandbox\nSECURITY_CONTACT=mailto:security@example.com\n')
  const settings = await makeSecrets(envFile)
  const redis = await sharedRedis()
  const addresses = { DATABASE_URL: database.url, REDIS_URL: redis, SMTP_URL: mail.url }
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = { ...composeSettings(settings), ...addresses, PORT: port }
  const volumes = { '/anchor': anchor.path }
  const headers = ['X-Forwarded-For', '203.0.113.9']
  let apiKey = ''
  {
    await using first = await startContainer(buildah, IMAGE, env, volumes)
    await first.untilSaid(LISTENING)
    const made = await sendRaw(url, 'POST /api/v1/sandbox/keys', { headers, json: { agentName: 'scout' } })
    assert.equal(made.status, 201, made.text)
    apiKey = JSON.parse(made.text).data.apiKey
    const json = { email: 'ann@example.com', agentName: 'scout' }
    const registered = await sendRaw(url, 'POST /api/v1/agents/self-register', { headers, json })
    assert.equal(registered.status, 201)
    await until(() => mail.received.length > 0)
    assert.deepEqual(mail.received[0]?.to, ['ann@example.com'])
    assert.match((await sendRaw(url, 'GET /.well-known/security.txt')).text, /mailto:security@example\.com/)
    await until(() => existsSync(join(anchor.path, 'audit-anchor.json')))
    assert.equal(await first.end('SIGTERM'), 0)
  }
  assert.deepEqual(await makeSecrets(envFile), settings)
  {
    await using second = await startContainer(buildah, IMAGE, env, volumes)
    await second.untilSaid(LISTENING)
    const asked = await sendRaw(url, `GET ${METADATA}`, { headers: [...headers, 'X-API-Key', apiKey] })
    assert.equal(asked.status, 200)
    const verified = await second.execute('stakewright', 'audit', 'verify')
    assert.match(verified.output, /intact/)
    assert.doesNotMatch(`${verified.output}${second.output()}`, /anchor.* missing|no anchor/)
    assert.equal(await second.end('SIGTERM'), 0)
  }
  const configMap = { NETWORK: 'sandbox', PUBLIC_URL: url, MAIL_FROM: 'no-reply@stakewright.example' }
  const { variables, probes, graceSeconds } = kubernetesSettings(configMap, { ...secrets, ...addresses })
  await using pod = await startContainer(buildah, IMAGE, { ...variables, PORT: port }, volumes)
  await pod.untilSaid(LISTENING)
  for (const path of probes) await until(async () => (await sendRaw(url, `GET ${path}`)).status === 200)
  const startedAt = performance.now()
  assert.equal(await pod.end('SIGTERM'), 0)
  assert((performance.now() - startedAt) / 1_000 < graceSeconds)
}

/** Runs secrets.sh, as an operator does before the first `up` and may do again. */
async function makeSecrets(file: string): Promise<Readonly<Record<string, string>>> {
  await execute(join(ROOT, 'ops', 'secrets.sh'), [file])
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  return Object.fromEntries(lines.map((line) => line.split('=')))
}
