import type { Transaction } from 'kysely'
import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Database, Schema } from '../../schema.ts'
import { sealed } from '../policy/approval-seal.ts'
import { beginSums } from '../policy/ledger/booking.ts'
import { ledgerSeal } from '../policy/ledger/ledger-seal.ts'
import { policiesOf, sealPolicies } from '../policy/ledger/policy-seal.ts'
import { adoptRows } from '../policy/ledger/reservation-states.ts'
import { agentMac } from './agent-seal.ts'
import { keyMac } from './key-seal.ts'

type Digest = Pick<Secrets, 'digest'>
type Needs = {
  readonly db: Database
  readonly secrets: Digest
  readonly logger: Pick<Logger, 'error' | 'info'>
  /** Notes that the anchor lists as made. */
  readonly anchored: ReadonlySet<string>
}
type Work = (transaction: Transaction<Schema>, secrets: Digest) => Promise<number>

/** In the order in which versions introduced sealing; `note` is the row of `seals` that records it. */
export const SEALED = [
  { what: 'keys', note: 'keys-sealed', tables: ['agent_keys'] },
  { what: 'agents', note: 'agents-sealed', tables: ['agents'] },
  { what: 'policies', note: 'mandates-sealed', tables: ['policies', 'reservations', 'reserved_sums'] },
  { what: 'approvals', note: 'approvals-sealed', tables: ['approvals'] },
] as const
type Sealed = (typeof SEALED)[number]

/** Tables of this and later kinds: a store from before this kind has no seals in any of them. */
export const sealedFrom = (kind: Sealed): readonly Sealed['tables'][number][] =>
  SEALED.slice(SEALED.indexOf(kind)).flatMap(({ tables }) => [...tables])

/**
 * Seals the existing rows of a store from an earlier version, once; later an unsealed row is refused. Of many
 * instances that start at once, only one does it.
 */
export async function sealOldRows({ db, secrets, logger, anchored }: Needs): Promise<void> {
  const work: Readonly<Record<Sealed['what'], Work>> = {
    keys: sealKeys,
    agents: sealAgents,
    policies: sealMandates,
    approvals: sealApprovals,
  }
  const counts: Record<string, number> = {}
  for (const kind of SEALED)
    counts[kind.what] = await db.transaction().execute(async (transaction) => {
      if (!(await makeNote(transaction, secrets, kind.note))) return 0
      if (!anchored.has(kind.note) && !(await hasSeals(transaction, kind)))
        return work[kind.what](transaction, secrets)
      logger.error(
        'the note that rows were sealed was removed behind the back of the service: nothing is sealed anew',
        new Error('a store that was never sealed has no seals'),
        { what: kind.what },
      )
      return 0
    })
  if (Object.values(counts).some((count) => count > 0))
    logger.info('what was stored before was sealed', counts)
}

/** False: the note exists already. */
async function makeNote(transaction: Transaction<Schema>, secrets: Digest, name: string): Promise<boolean> {
  const made = await transaction
    .insertInto('seals')
    .values({ name, value: secrets.digest('key record', name) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst()
  return made !== undefined
}

async function hasSeals(transaction: Transaction<Schema>, kind: Sealed): Promise<boolean> {
  for (const table of sealedFrom(kind)) {
    const found = await transaction
      .selectFrom(table)
      .select('mac')
      .where('mac', 'is not', null)
      .limit(1)
      .executeTakeFirst()
    if (found) return true
  }
  return false
}

async function sealKeys(transaction: Transaction<Schema>, secrets: Digest): Promise<number> {
  const keys = await transaction
    .selectFrom('agent_keys')
    .innerJoin('agents', 'agents.no', 'agent_keys.agent_no')
    .select(['digest', 'agents.id as agent_id', 'valid_until'])
    .execute()
  for (const { digest, agent_id, valid_until } of keys) {
    const content = { digest, id: null, scopes: null, networks: null, valid_until }
    const mac = keyMac(secrets, agent_id, content)
    await transaction.updateTable('agent_keys').set({ mac }).where('digest', '=', digest).execute()
  }
  return keys.length
}

async function sealAgents(transaction: Transaction<Schema>, secrets: Digest): Promise<number> {
  const agents = await transaction.selectFrom('agents').selectAll().execute()
  for (const agent of agents) {
    const mac = agentMac(secrets, agent)
    await transaction.updateTable('agents').set({ mac }).where('no', '=', agent.no).execute()
  }
  return agents.length
}

/** Seals policies and reservations, and creates the sums of reservations. */
async function sealMandates(transaction: Transaction<Schema>, secrets: Digest): Promise<number> {
  const seal = ledgerSeal(secrets)
  const held = await transaction.selectFrom('policies').select('agent_no').distinct().execute()
  let sealed = 0
  for (const { agent_no: agentNo } of held) {
    const policies = await policiesOf(transaction, agentNo)
    for (const { mac, revision } of sealPolicies(secrets, policies, agentNo))
      await transaction
        .updateTable('policies')
        .set({ mac })
        .where('agent_no', '=', agentNo)
        .where('revision', '=', revision)
        .execute()
    sealed += policies.length
    await beginSums(transaction, { seal, agentNo })
    await adoptRows(transaction, { seal, agentNo })
  }
  return sealed
}

/** Approved but unused approvals wait again: only the unsealed row says that the owner approved. */
async function sealApprovals(transaction: Transaction<Schema>, secrets: Digest): Promise<number> {
  const approvals = await transaction.selectFrom('approvals').selectAll().execute()
  for (const approval of approvals) {
    const { id, ...row } = sealed(
      secrets,
      approval.state === 'approved' ? { ...approval, ...UNDECIDED } : approval,
    )
    await transaction.updateTable('approvals').set(row).where('id', '=', id).execute()
  }
  return approvals.length
}

const UNDECIDED = { state: 'waiting', decided_at: null, decided_by: null, decided_role: null } as const
