import assert from 'node:assert/strict'
import pg from 'pg'
import { toBatch } from '#adapters/sql/audit/batch.ts'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { verifyPostgresAudit } from '#adapters/sql/postgres/audit/verify.ts'
import { SECRETS } from './admin-token.ts'
import { type Answer, countOf } from './steady-load.ts'

async function ask(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Number of requests of agents that were charged, and that are in the audit log. */
export async function countRequests(url: string) {
  const [row] = await ask(url, 'select coalesce(sum(day_used), 0) as charged from agent_activity')
  const batches = (await ask(url, 'select body from audit_batches')).map(({ body }) => toBatch(String(body)))
  const intents = batches.flatMap(({ i }) => i.filter(([, , agentNo]) => agentNo !== 0))
  return { charged: Number(row?.['charged']), logged: intents.length }
}

/**
 * Asserts that every served request was charged and logged once, that besides these only requests without a known
 * outcome were charged, and that the log is intact. `besides`: requests that were not part of the load.
 */
export async function assertConserved(
  url: string,
  answers: readonly Answer[],
  besides: { readonly served: number; readonly unsure: number } = { served: 0, unsure: 0 },
): Promise<void> {
  const { charged, logged } = await countRequests(url)
  const served = countOf(answers, 200) + besides.served
  const unsure = countOf(answers, 503) + countOf(answers, 'cut') + besides.unsure
  assert.equal(charged, logged)
  assert(charged >= served, `${served} were served, ${charged} charged`)
  assert(charged <= served + unsure, `${served} were served, ${unsure} refused, but ${charged} charged`)
  assert.equal((await verifyPostgresAudit(url, auditSeal(SECRETS.KEY_PEPPER))).kind, 'intact')
}
