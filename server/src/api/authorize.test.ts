import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { prometheusMeters } from '#adapters/system/prometheus-meters.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { currentNetwork } from '#domain/network/current-network.ts'
import type { Admission, Decision } from '#ports/admission.ts'
import { silentLogger } from '../../test/silent-logger.ts'
import { testClock } from '../../test/test-clock.ts'
import { Fault } from '../fault.ts'
import { admitCaller } from './admit-caller.ts'
import { noteTrails } from './audit-trail.ts'
import { openEdge } from './edge.ts'

const ADMITTED: Decision = {
  kind: 'admitted',
  ticket: { number: 7, agentNo: undefined },
  agent: undefined,
  quota: undefined,
}

/** A store that has not decided yet: the test says when, and sees what is noted. */
function undecided() {
  const asked = Promise.withResolvers<void>()
  const decision = Promise.withResolvers<Decision>()
  const notes: string[] = []
  const admission: Admission = {
    admit: () => {
      asked.resolve()
      return decision.promise
    },
    finish: ({ number }, status) => notes.push(`ticket ${number} ended with ${status}`),
    noteRefusal: ({ endpoint, status }) => notes.push(`${endpoint} was refused with ${status}`),
    noteAddress: () => {},
    addressCounts: async () => [],
  }
  return { admission, notes, decision, asked: asked.promise }
}

/** Sends a request, and leaves when the store has been asked about it; resolves when the service has seen that. */
async function leaveWhileUndecided(store: ReturnType<typeof undecided>, decide: () => void): Promise<void> {
  const clock = testClock()
  const noteTrail = noteTrails({ admission: store.admission })
  const gone = Promise.withResolvers<void>()
  const logger = { ...silentLogger, info: () => gone.resolve() }
  await using edge = openEdge({ logger, meters: prometheusMeters({ ofProcess: false }), noteTrail })
  const admit = admitCaller({
    admission: store.admission,
    noteTrail,
    network: currentNetwork({ clock }),
    secrets: openSecrets({ keyPrefix: 'stk', pepper: 'x' }),
    userTokens: { issue: () => assert.fail(), verify: () => assert.fail() },
    clock,
  })
  const ended = Promise.withResolvers<void>()
  edge.serve({ method: 'GET', path: '/epoch', auth: 'none' }, async (inbound) => {
    await admit({ endpoint: 'epoch', inbound, needs: undefined }, () => {}).catch(() => {})
    ended.resolve()
    return {}
  })
  const { url } = await edge.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /epoch HTTP/1.1\r\nhost: x\r\n\r\n')
  await store.asked
  socket.destroy()
  await gone.promise
  decide()
  await ended.promise
}

test('a client that leaves before the store has let it in is noted once, as let in', async () => {
  const store = undecided()
  await leaveWhileUndecided(store, () => store.decision.resolve(ADMITTED))
  assert.deepEqual(store.notes, ['ticket 7 ended with 499'])
})

test('a client that leaves before the store has refused it is noted once, as refused', async () => {
  const store = undecided()
  await leaveWhileUndecided(store, () => store.decision.reject(new Fault('store_not_ready', 'x')))
  assert.deepEqual(store.notes, ['/epoch was refused with 499'])
})
