import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Database, Schema } from '../../schema.ts'
import { actionMac, CHAIN_START } from '../agent-actions.ts'
import { findFactor } from './factor-rows.ts'

type Digest = Pick<Secrets, 'digest'>
type ActionRow = Selectable<Schema['agent_actions']>

/** The enrolments recorded in the log of actions, up to the last row that was read. */
type Known = {
  readonly no: number
  readonly mac: string
  /** The MAC of the newest genuine action, which the next one continues. */
  readonly end: string
  /** Whether a user is enrolled, if the log names the user. */
  readonly users: ReadonlyMap<string, boolean>
  /** Whether actions are missing. A missing action may have enrolled any user. */
  readonly hasGap: boolean
}

const NOTHING: Known = { no: 0, mac: CHAIN_START, end: CHAIN_START, users: new Map(), hasGap: false }

const ENROLMENTS = ['enrol-totp', 'remove-totp', 'reset-totp']
const ACTIONS_AT_ONCE = 500

export type Enrolments = {
  isEnrolled(db: Database, userId: string): Promise<boolean>
  /**
   * Reads the actions that are new. The first call reads all of them: call it before a transaction that asks, because
   * others would wait for the transaction.
   */
  readAhead(db: Database): Promise<void>
}

/**
 * Checks the chain of actions beside the row: with write access to the database alone, nobody can remove a factor by
 * deleting its row, by forging an action or by deleting actions, which breaks the chain. In doubt the admin counts as
 * enrolled, until the operator resets the factor. Any request of an admin may ask for this, so each action is read
 * once, and again only if the last one that was read is missing.
 */
export function openEnrolments(secrets: Digest): Enrolments {
  let known = NOTHING

  async function readAll(db: Database): Promise<Known> {
    for (;;) {
      const before = known
      const rows = await actionsFrom(db, before.no)
      // Another call has read further in the meantime.
      if (known !== before) continue
      const isContinued = before === NOTHING || (rows[0]?.no === before.no && rows[0].mac === before.mac)
      known = isContinued ? readOn(secrets, before, rows) : NOTHING
      if (isContinued && rows.length < ACTIONS_AT_ONCE) return known
      await nextTurnOfEventLoop()
    }
  }

  return {
    async isEnrolled(db, userId) {
      const factor = await findFactor(db, userId)
      if (factor && factor.confirmed_at !== null) return true
      const { users, hasGap } = await readAll(db)
      return users.get(userId) ?? hasGap
    },
    async readAhead(db) {
      await readAll(db)
    },
  }
}

const actionsFrom = (db: Database, no: number): Promise<readonly ActionRow[]> =>
  db
    .selectFrom('agent_actions')
    .selectAll()
    .where('no', '>=', no)
    .orderBy('no')
    .limit(ACTIONS_AT_ONCE)
    .execute()

function readOn(secrets: Digest, known: Known, rows: readonly ActionRow[]): Known {
  const added = rows.filter(({ no }) => no > known.no)
  const last = added.at(-1)
  if (!last) return known
  let { end, hasGap } = known
  let users = new Map(known.users)
  for (const { no: _, mac, ...content } of added) {
    const { action, agent_id: userId, previous } = content
    if (actionMac(secrets, content) !== mac) {
      users.set(userId, true)
      continue
    }
    if (previous !== end) {
      hasGap = true
      users = new Map()
    }
    if (ENROLMENTS.includes(action)) users.set(userId, action === 'enrol-totp')
    end = mac
  }
  return { no: last.no, mac: last.mac, end, users, hasGap }
}
