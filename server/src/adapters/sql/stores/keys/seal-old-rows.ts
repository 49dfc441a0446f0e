import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Database, Schema } from '../../schema.ts'
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
