import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openTestApp } from '../../../server/test/support/test-app.ts'
import { ENDPOINT_COMMANDS } from '../../src/api/endpoint-commands.ts'
import type { Terminal } from '../../src/command.ts'
import { styleFor } from '../../src/render/style.ts'
import { runCommandLine } from '../../src/run-command-line.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

test('no command prompts: missing input is refused, also on a terminal', async () => {
  const asked: string[] = []
  const silence = new Readable({ read: () => asked.push('the stream') })
  for (const words of new Set(ENDPOINT_COMMANDS.map((command) => command.words))) {
    const terminal: Terminal = {
      env: { STAKEWRIGHT_URL: 'http://127.0.0.1:1', STAKEWRIGHT_PROFILES: '/nonexistent/profiles.json' },
      isTerminal: true,
      now: Date.now,
      style: styleFor(80, false),
      print: () => {},
      say: () => {},
      input: silence,
      readInput: async () => String(asked.push(words)),
      showWaiting: () => () => {},
    }
    const code = await runCommandLine(words.split(' '), terminal, '0.1.0')
    assert([2, 3, 8].includes(code ?? 0), `${words}: ${code}`)
  }
  assert.deepEqual(asked, [])
})

test('on a terminal a slow answer shows a waiting line, and then a table', async () => {
  const epoch = {
    epoch: 7,
    startTimestampMs: 0,
    endTimestampMs: 10,
    durationMs: 10,
    elapsedMs: 5,
    remainingMs: 5,
    progress: 0.5,
    epochsPerYear: 365,
    nextCommitteeSelected: false,
    dataAgeSeconds: 0,
    nextChangeAt: '2026-01-01T00:00:00.000Z',
  }
  const isWaiting = Promise.withResolvers<void>()
  const service = createServer(async (_, response) => {
    await isWaiting.promise
    response.setHeader('content-type', 'application/json').end(JSON.stringify(epoch))
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = service.address() as AddressInfo
  const line = `${process.execPath} ${MAIN} epoch --url http://127.0.0.1:${port} --timeout 60`
  // Its input stays open, like that of a terminal where nobody types.
  const child = spawn('script', ['-qfec', line, '/dev/null'], { env: { ...process.env, TERM: 'xterm' } })
  child.stdout.setEncoding('utf8')
  let shown = ''
  child.stdout.on('data', (part: string) => {
    shown += part
    if (/waiting for http/.test(shown)) isWaiting.resolve()
  })
  const complaint = text(child.stderr)
  const [code] = await once(child, 'close')
  service.closeAllConnections()
  service.close()
  assert.equal(code, 0, `${shown}\n${await complaint}`)
  assert.match(shown, /waiting for http:\/\/127\.0\.0\.1/)
  assert.match(shown, /7/)
  assert.doesNotMatch(shown, /"ok": true/)
})

test('on a terminal a table has colours, unless NO_COLOR is set', async () => {
  await using app = await openTestApp()
  const line = `${process.execPath} ${MAIN} validators --limit 3 --url ${app.url}`
  const shown = async (env: Readonly<Record<string, string>>) => {
    const { FORCE_COLOR: _, NO_COLOR: __, ...rest } = process.env
    const child = spawn('script', ['-qfec', line, '/dev/null'], { env: { ...rest, TERM: 'xterm', ...env } })
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
    assert.match(output, /score/i)
    return output
  }
  const coloured = '\u001b['
  assert((await shown({})).includes(`${coloured}3`))
  assert(!(await shown({ NO_COLOR: '1' })).includes(`${coloured}3`))
})
