import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Database, Schema } from '../../schema.ts'
import { beginSums } from '../policy/ledger/booking.ts'
import { ledgerSeal } from '../policy/ledger/ledger-seal.ts'
import { policiesOf, sealPolicies } from '../policy/ledger/policy-seal.ts'
import { adoptRows } from '../policy/ledger/reservation-states.ts'
import { agentMac } from './agent-seal.ts'
import { keyMac } from './key-seal.ts'

type Digest = Pick<Secrets, 'digest'>
type Work = (transaction: Transaction<Schema>) => Promise<number>

/**
 * Seals the keys of a store that was made before keys were sealed, once. Later a key without a seal is not accepted.
 * Returns how many were sealed.
 */
export function sealOldKeys(db: Database, secrets: Digest): Promise<number> {
  return once(db, secrets, 'keys-sealed', async (transaction) => {
    const keys = await transaction
      .selectFrom('agent_keys')
      .innerJoin('agents', 'agents.no', 'agent_keys.agent_no')
      .select(['digest', 'agents.id as agent_id', 'valid_until'])
      .where('agent_keys.mac', 'is', null)
      .execute()
    for (const { digest, agent_id, valid_until } of keys) {
      const content = { digest, id: null, scopes: null, networks: null, valid_until }
      const mac = keyMac(secrets, agent_id, content)
      await transaction.updateTable('agent_keys').set({ mac }).where('digest', '=', digest).execute()
    }
    return keys.length
  })
}

/** The same for agents. */
export function sealOldAgents(db: Database, secrets: Digest): Promise<number> {
  return once(db, secrets, 'agents-sealed', async (transaction) => {
    const agents = await transaction.selectFrom('agents').selectAll().where('mac', 'is', null).execute()
    for (const agent of agents) {
      const mac = agentMac(secrets, agent)
      await transaction.updateTable('agents').set({ mac }).where('no', '=', agent.no).execute()
    }
    return agents.length
  })
}

/** The same for policies and what counts against them; the sums of what was built are begun. Returns how many policies. */
export function sealOldMandates(db: Database, secrets: Digest): Promise<number> {
  const seal = ledgerSeal(secrets)
  return once(db, secrets, 'mandates-sealed', async (transaction) => {
    const held = await transaction.selectFrom('policies').select('agent_no').distinct().execute()
    let sealed = 0
    for (const { agent_no: agentNo } of held) {
      for (const { mac, revision } of sealPolicies(
        secrets,
        await policiesOf(transaction, agentNo),
        agentNo,
      )) {
        sealed += 1
        await transaction
          .updateTable('policies')
          .set({ mac })
          .where('agent_no', '=', agentNo)
          .where('revision', '=', revision)
          .execute()
      }
      await beginSums(transaction, { seal, agentNo })
      await adoptRows(transaction, { seal, agentNo })
    }
    return sealed
  })
}

/** Of many instances that start at once, one does it. */
function once(db: Database, secrets: Digest, name: string, work: Work): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const done = await transaction
      .insertInto('seals')
      .values({ name, value: secrets.digest('key record', name) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()
    return done ? work(transaction) : 0
  })
}
