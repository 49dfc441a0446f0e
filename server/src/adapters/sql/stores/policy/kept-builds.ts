import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sql, type Transaction } from 'kysely'
import type { KeptBuild, KeptBuilds } from '#ports/stores/completed-requests.ts'
import { Fault, term } from '../../../../fault.ts'
import type { Schema } from '../../schema.ts'
import { underWay } from '../completed-requests.ts'
import { type AnswerNeeds, openRequest, sealRequest } from '../sealed-answers.ts'
import { type AgentLock, withAgentLocked } from './lock-agent.ts'

/** Each method is one transaction. */
export function sqlKeptBuilds({ db, queueByAgent, ...needs }: AnswerNeeds & AgentLock): KeptBuilds {
  return {
    async find(agentNo, digest, now) {
      const row = await db
        .selectFrom('kept_builds')
        .select(['request_digest', 'answer', 'is_free'])
        .where('digest', '=', keyOf(agentNo, digest))
        .where('expires_at', '>', now)
        .executeTakeFirst()
      if (!row) return undefined
      const { request_digest: request, answer } = row
      const requestDigest = openRequest(needs, { digest, request, answer })
      return { requestDigest, answer: unpack(answer), isReleased: row.is_free !== 0 }
    },
    keep: (agentNo, build) =>
      withAgentLocked({ db, queueByAgent }, agentNo, async (transaction) => {
        const fault = await keepBuild(transaction, needs.secrets, agentNo, build)
        if (fault) throw fault
      }),
  }
}

/** `<agent number>:<digest>`: keys are separate per agent, and a transfer replaces the number. */
const keyOf = (agentNo: number, digest: string): string => `${agentNo}:${digest}`

/** Moves the builds to the agent's replacement, so that its repeats get the same answers. */
export async function transferBuilds(
  transaction: Transaction<Schema>,
  from: number,
  to: number,
): Promise<void> {
  await transaction
    .updateTable('kept_builds')
    .set({ agent_no: to, digest: sql<string>`replace(digest, ${keyOf(from, '')}, ${keyOf(to, '')})` })
    .where('agent_no', '=', from)
    .execute()
}

/**
 * The transaction must have locked the agent. Resolves with a fault if the build is a duplicate or one too many, and
 * then does not keep it; undefined: it is kept.
 */
export async function keepBuild(
  transaction: Transaction<Schema>,
  secrets: AnswerNeeds['secrets'],
  agentNo: number,
  { digest, requestDigest, now, expiresAt, intentId, most, ...build }: KeptBuild,
): Promise<Fault | undefined> {
  await transaction
    .deleteFrom('kept_builds')
    .where('agent_no', '=', agentNo)
    .where('expires_at', '<=', now)
    .execute()
  const same = await transaction
    .selectFrom('kept_builds')
    .select('digest')
    .where('digest', '=', keyOf(agentNo, digest))
    .executeTakeFirst()
  if (same) return underWay()
  const { count, first } = await transaction
    .selectFrom('kept_builds')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('expires_at').as('first')])
    .where('agent_no', '=', agentNo)
    .executeTakeFirstOrThrow()
  if (Number(count) >= most) return tooMany(most, Number(first) - now)
  const answer = pack(build.answer)
  await transaction
    .insertInto('kept_builds')
    .values({
      digest: keyOf(agentNo, digest),
      agent_no: agentNo,
      intent_id: intentId,
      request_digest: sealRequest(secrets, { digest, requestDigest, answer }),
      answer,
      expires_at: expiresAt,
      is_free: 0,
    })
    .execute()
  return undefined
}

/** Marks the builds of released reservations: they must be neither signed nor returned again. */
export async function releaseBuilds(
  transaction: Transaction<Schema>,
  agentNo: number,
  reservations: readonly string[],
): Promise<void> {
  if (reservations.length === 0) return
  await transaction
    .updateTable('kept_builds')
    .set({ is_free: 1 })
    .where('agent_no', '=', agentNo)
    .where('intent_id', 'in', (sub) =>
      sub.selectFrom('reservations').select('intent_id').where('id', 'in', reservations),
    )
    .execute()
}

function tooMany(most: number, waitMs: number): Fault {
  const fix = `Build without \`${term('idempotencyKey')}\`, or wait.`
  return new Fault('rate_limited', `An agent may name ${most} builds within 24 hours. ${fix}`, {
    fix,
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  })
}

/** Deflated, because answers repeat the same ids: a batch of 20 takes a sixth. */
const pack = (text: string): string => deflateRawSync(text).toString('base64')
const unpack = (packed: string): string => inflateRawSync(Buffer.from(packed, 'base64')).toString()
