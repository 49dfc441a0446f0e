import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { ENDPOINTS } from './index.ts'
import type { EndpointName } from './routes.ts'

/** Figures that come from completed epochs. */
const OF_THE_PAST = /"(score|apy|uptime|commissionHistory|\w+Apy|netApr|highest)":\{/

/** Exempt: the scoring rules with their worked example, and the accuracy of recorded projections. */
const WITHOUT: readonly EndpointName[] = ['scoring', 'accuracy']
/** Exempt tag: its scores are limits that an owner has written. */
const OWN_WORDS = 'Mandates'

test('every answer with figures of past epochs has `historyComplete`', () => {
  const silent = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => {
    const { tag, reply } = ENDPOINTS[name]
    if (tag === OWN_WORDS || WITHOUT.includes(name)) return false
    const schema = JSON.stringify(z.toJSONSchema(reply, { io: 'output' }))
    const shape = reply instanceof z.ZodObject ? reply.shape : {}
    return OF_THE_PAST.test(schema) && !('historyComplete' in shape)
  })
  assert.deepEqual(silent, [])
})
