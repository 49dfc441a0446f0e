import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { runService, startService } from './service-process.ts'

test('without any configuration the service starts, answers, and prints its addresses and the folder of its mails', async () => {
  await using folder = await tempFolder()
  await using service = await startService({ DATA_DIR: folder.path })
  assert.match(service.output(), /Reference +http:.*\/docs/)
  assert.match(service.output(), /Mails +.*outbox/)
  const response = await fetch(`${service.url}/api/v1/staking/health`)
  assert.equal(response.status, 200)
  assert.equal((await fetch(`${service.url}/docs`)).status, 200)
})

test('a variable that is nearly a known one is logged at start with the one that is meant, without its value', async () => {
  await using folder = await tempFolder()
  await using service = await startService({ DATA_DIR: folder.path, LIMIT_IP_RMP: '4242' })
  const line = service.output().match(/.*LIMIT_IP_RMP.*/)?.[0] ?? ''
  assert.match(line, /an unknown variable has no effect.*"meant":"LIMIT_IP_RPM"/)
  assert(!service.output().includes('4242'))
})

test('SIGTERM: requests in flight are finished, and the process exits with 0', async () => {
  await using folder = await tempFolder()
  await using service = await startService({ DATA_DIR: folder.path })
  const { port } = new URL(service.url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  const head = ['host: x', 'content-type: application/json', 'content-length: 2', 'expect: 100-continue']
  socket.write(`POST /api/v1/agents/self-register HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
  const [goAhead] = await once(socket, 'data')
  assert.match(String(goAhead), /^HTTP\/1\.1 100 /)
  const ended = service.end('SIGTERM')
  socket.write('{}')
  const [bytes] = await once(socket, 'data')
  assert.match(String(bytes), /^HTTP\/1\.1 400 /)
  assert.equal(await ended, 0)
})

test('SIGTERM: a process started with an IPC channel exits too, as `npm run dev` requires', async () => {
  await using folder = await tempFolder()
  await using service = await startService({ DATA_DIR: folder.path }, 'channel')
  assert.equal(await service.end('SIGTERM'), 0)
})

test('SIGTERM: a system call that never returns does not keep the process alive', async () => {
  await using folder = await tempFolder()
  const pipe = join(folder.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  const stuck = `import { readFile } from 'node:fs'; readFile(${JSON.stringify(pipe)}, () => {})`
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(stuck)}`
  await using service = await startService({ DATA_DIR: join(folder.path, 'data'), NODE_OPTIONS })
  assert.equal(await service.end('SIGTERM'), 'SIGKILL')
  assert.match(service.output(), /Everything is closed, so the process kills itself/)
})

test('an error while stopping is reported with its stack, and not as a failed start', async () => {
  await using folder = await tempFolder()
  const broken =
    "import { DatabaseSync } from 'node:sqlite'; DatabaseSync.prototype.close = function breaks() { this.gone.forever }"
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(broken)}`
  await using service = await startService({ DATA_DIR: folder.path, NODE_OPTIONS })
  assert.equal(await service.end('SIGTERM'), 1)
  assert.match(service.output(), /has stopped because of an error\. TypeError: .*\n +at .*breaks/)
  assert.doesNotMatch(service.output(), /cannot start/)
})

test('a second process on the same folder stops with a message that names the folder, and the first keeps serving', async () => {
  await using folder = await tempFolder()
  await using service = await startService({ DATA_DIR: folder.path })
  const second = await runService({ DATA_DIR: folder.path, PORT: '0' })
  assert.equal(second.code, 1)
  assert.match(second.output, /cannot start/)
  assert(second.output.includes(folder.path), second.output)
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
})

test('after kill -9 the next start serves what was stored', async () => {
  await using folder = await tempFolder()
  const first = await startService({ DATA_DIR: folder.path })
  const before = await (await fetch(`${first.url}/api/v1/staking/validators`)).json()
  assert.equal(await first.end('SIGKILL'), 'SIGKILL')
  await using second = await startService({ DATA_DIR: folder.path })
  const after = await (await fetch(`${second.url}/api/v1/staking/validators`)).json()
  assert.deepEqual(after, before)
})

test('a wrong configuration stops the start with one message that lists all problems', async () => {
  const { code, output } = await runService({
    PORT: 'x',
    NETWORK: 'bitcoin',
    SANDBOX_EPOCH_MS: '-1',
    WORKERS: '2',
  })
  assert.equal(code, 2)
  for (const name of ['PORT', 'NETWORK', 'SANDBOX_EPOCH_MS', 'WORKERS']) assert(output.includes(name), output)
})

test('--help names every variable; --print-config shows the values in force without secrets', async () => {
  const help = await runService({}, ['--help'])
  assert.equal(help.code, 0)
  assert.match(help.output, /SANDBOX_SEED/)
  const secret = 'a-very-secret-pepper-of-32-characters'
  const shown = await runService({ KEY_PEPPER: secret, SMTP_URL: 'smtp://me:hidden@mail.example' }, [
    '--print-config',
  ])
  assert.equal(shown.code, 0)
  assert.match(shown.output, /KEY_PEPPER +\*\*\*/)
  assert(!shown.output.includes(secret) && !shown.output.includes('hidden'), shown.output)
})

test('a port that is taken stops the start and names the variable to change', async () => {
  await using folder = await tempFolder()
  await using other = await tempFolder()
  await using service = await startService({ DATA_DIR: folder.path })
  const { code, output } = await runService({ DATA_DIR: other.path, PORT: new URL(service.url).port })
  assert.equal(code, 1)
  assert.match(output, /PORT/)
  assert.doesNotMatch(output, /^ +at /m)
})

test('a service with another pepper than that of its store does not start, because it would refuse all keys', async () => {
  await using folder = await tempFolder()
  const first = await startService({ DATA_DIR: folder.path, KEY_PEPPER: 'first pepper, 32 characters long' })
  assert.equal(await first.end('SIGTERM'), 0)
  const env = { DATA_DIR: folder.path, PORT: '0', KEY_PEPPER: 'other pepper, 32 characters long' }
  const { code, output } = await runService(env)
  assert.equal(code, 1)
  assert.match(output, /KEY_PEPPER/)
})
