import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { sendRaw } from '../support/raw-request.ts'
import { tempFolder } from '../support/temp-folder.ts'
import type { ThreadCall } from './service-in-thread.ts'

const SELF = 'DELETE /api/v1/agents/self'
const USAGE = 'GET /api/v1/staking/agent/usage'

async function openThread() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const thread = new Worker(new URL('service-in-thread.ts', import.meta.url))
  opened.defer(async () => {
    await thread.terminate()
  })
  const [{ url }] = await once(thread, 'message')
  const call = async (message: ThreadCall) => {
    thread.postMessage(message)
    await once(thread, 'message')
  }
  opened.defer(() => call({ stop: true }))
  let snapshots = 0
  const resources = opened.move()
  return {
    forgetUnused: () => call({ job: 'forget-unused-keys' }),
    async ask(route: string, apiKey?: string) {
      const headers = apiKey === undefined ? [] : ['X-API-Key', apiKey]
      const answer = await sendRaw(url, route, {
        headers,
        ...(apiKey === undefined && { json: { agentName: 'scout' } }),
      })
      assert(answer.status < 300, answer.text)
      return JSON.parse(answer.text)
    },
    /** The texts that are in a heap snapshot of the service. */
    async held(texts: readonly string[]): Promise<readonly string[]> {
      snapshots += 1
      const file = join(folder.path, `${snapshots}.heapsnapshot`)
      await call({ snapshot: file })
      return textsIn(file, texts)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function textsIn(file: string, texts: readonly string[]): Promise<readonly string[]> {
  const longest = Math.max(...texts.map(({ length }) => length))
  const found = new Set<string>()
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'latin1' })) {
    const text = rest + String(chunk)
    for (const one of texts) if (text.includes(one)) found.add(one)
    rest = text.slice(-longest)
  }
  return texts.filter((one) => found.has(one))
}

test('a plain key is out of the heap after two runs of `forget-unused-keys` without a use, revoked or not', async () => {
  await using service = await openThread()
  const newKey = async () => String((await service.ask('POST /api/v1/sandbox/keys')).data.apiKey)
  const [idle, revoked, used] = [await newKey(), await newKey(), await newKey()]
  const keys = [idle, revoked, used]
  for (const key of keys) await service.ask(USAGE, key)
  await service.ask(SELF, revoked)
  assert.deepEqual(await service.held(keys), keys, 'keys in use are found')
  for (let round = 0; round < 2; round += 1) {
    await service.forgetUnused()
    await service.ask(USAGE, used)
  }
  assert.deepEqual(await service.held(keys), [used])
})
