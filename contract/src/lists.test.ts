import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { EndpointSpec } from './endpoint.ts'
import { ENDPOINTS, ROUTES } from './index.ts'

/** Answers whose lists are documents of a fixed form. */
const DOCUMENTS: ReadonlySet<string> = new Set(['scoring', 'intentKeys'])

const PAGING = ['limit', 'cursor', 'sort', 'order']

/** Parameters that a list does not take, for reasons in docs/decisions/0011-mcp.md. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  accuracy: PAGING,
  rewards: PAGING,
  apyHistory: ['cursor', 'sort', 'order'],
  validatorApyHistory: ['cursor', 'sort', 'order'],
  delegators: ['sort', 'order'],
  listAgents: ['sort', 'order'],
  agentAudit: ['sort', 'order'],
  listActions: ['sort', 'order'],
  policyRevisions: ['sort', 'order'],
  listApprovals: ['sort', 'order'],
  waitingApprovals: ['sort', 'order'],
  listReservations: ['sort', 'order'],
}

test('every list of a GET endpoint takes all parameters of lists, apart from documented exceptions', () => {
  const rows = Object.entries<EndpointSpec>(ENDPOINTS)
  const read = rows.filter(([name, row]) => isRead(name) && hasList(row) && !DOCUMENTS.has(name))
  assert(read.length >= 17)
  for (const [name, { list, query }] of read) {
    const missing = [...PAGING, 'fields', 'view'].filter((parameter) => !(parameter in (query?.shape ?? {})))
    assert.deepEqual(missing, WITHOUT[name] ?? [], name)
    assert(list, name)
  }
})

const isRead = (name: string): boolean =>
  Object.entries(ROUTES).some(([route, { method }]) => route === name && method === 'GET')

const hasList = ({ reply }: EndpointSpec): boolean =>
  reply instanceof z.ZodObject &&
  Object.values(reply.shape).some(
    (field) => field instanceof z.ZodArray && field.element instanceof z.ZodObject,
  )
