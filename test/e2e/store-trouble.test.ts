import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { countRequests } from './counted-requests.ts'
import { admitLiveAgent } from './live-agent.ts'
import { type ServiceProcess, startService } from './service-process.ts'

const run = promisify(execFile)
const works = async (command: string, args: readonly string[]) =>
  run(command, args).then(
    () => true,
    () => false,
  )

/** Makes the store fail. Resolves with a function that ends the failure. */
type Trouble = (service: ServiceProcess, folder: string) => Promise<() => Promise<unknown>>

/** More requests than this are not served while the store fails. */
const MAX_SERVED = 100
const USAGE = '/api/v1/staking/agent/usage'
const PUBLIC = '/api/v1/staking/epoch'

type Answered = { readonly status: number; readonly error: string | undefined; readonly ms: number }

async function ask(url: string, apiKey: string, path = USAGE): Promise<Answered> {
  const startedAt = performance.now()
  const response = await fetch(url + path, { headers: { 'x-api-key': apiKey } })
  const error = /"error":"(\w+)"/.exec(await response.text())?.[1]
  return { status: response.status, error, ms: performance.now() - startedAt }
}

const medianOf = (answers: readonly Answered[]): number =>
  answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(answers.length / 2)] ?? 0

async function assertRefusesAndRecovers(folder: string, cause: Trouble): Promise<void> {
  await using service = await startService({ DATA_DIR: folder, LIMIT_IP_RPM: '100000' })
  const { url } = service
  const { apiKey } = await admitLiveAgent(url, folder)
  const served = async (times: number) => {
    const answers = await Promise.all(Array.from({ length: times }, () => ask(url, apiKey)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    return medianOf(answers)
  }
  const servedMs = await served(20)

  const end = await cause(service, folder)
  // A few requests may still succeed while files have room left. They are counted like all others.
  const answers: Answered[] = []
  do answers.push(await ask(url, apiKey))
  while (answers.at(-1)?.status === 200 && answers.length < MAX_SERVED)
  for (let round = 0; round < 5; round += 1) {
    assert.notEqual((await ask(url, apiKey, PUBLIC)).status, 500)
    answers.push(...(await Promise.all(Array.from({ length: 5 }, () => ask(url, apiKey)))))
  }
  const refused = answers.filter(({ status }) => status !== 200)
  const told = new Set(refused.map(({ status, error }) => `${status} ${error}`))
  assert.deepEqual(told, new Set(['503 store_not_ready']))
  const refusedMs = medianOf(refused)
  assert(refusedMs < 1_000 + servedMs, `refused after ${refusedMs} ms, served after ${servedMs} ms before`)
  const extra = answers.length - refused.length
  await end()

  let healing = 0
  while ((await ask(url, apiKey)).status !== 200) {
    healing += 1
    assert(healing < 100, 'it does not recover')
    await setTimeout(50)
  }
  await served(20)
  await service.end('SIGKILL')
  // Requests refused with 503 were neither charged nor logged; served ones were both.
  assert.deepEqual(countRequests(folder), { logged: 41 + extra, charged: 41 + extra })
}

test('503: while another program locks the database; once it is free, requests are served again', async () => {
  await using folder = await tempFolder()
  await assertRefusesAndRecovers(folder.path, async (_, path) => {
    const other = new DatabaseSync(join(path, 'stakewright.db'))
    other.exec('begin immediate')
    return async () => other.close()
  })
})

test('503: while every write fails; once the disk works, requests are served again', {
  skip: (await works('prlimit', ['--version'])) ? false : 'prlimit is needed',
}, async () => {
  await using folder = await tempFolder()
  await assertRefusesAndRecovers(folder.path, async ({ child }) => {
    const limit = (bytes: string) => run('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`])
    await limit('0')
    return () => limit('unlimited')
  })
})

test('503: while the disk is full; once there is room, requests are served again', async (t) => {
  await using folder = await tempFolder()
  const isMounted = await works('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', folder.path])
  if (!isMounted) return t.skip('only root may mount a small disk')
  try {
    await assertRefusesAndRecovers(folder.path, async (_, path) => {
      const filler = join(path, 'filler')
      // Fills the disk completely: the part of the last block that fitted stays.
      for (
        let part = 0;
        await writeFile(`${filler}${part}`, Buffer.alloc(256 * 1024)).then(
          () => true,
          () => false,
        );
        part += 1
      );
      return async () => {
        for (let part = 0; part < 64; part += 1) await rm(`${filler}${part}`, { force: true })
      }
    })
  } finally {
    await run('umount', [folder.path])
  }
})
