import type { Insertable, Selectable, Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type {
  ActionContext,
  ActionDetails,
  ActionName,
  AgentAction,
  AgentActions,
} from '#ports/stores/agent-actions.ts'
import { lockSection } from '../lock-order.ts'
import type { Database, Schema } from '../schema.ts'
import { oneOf } from '../stored-shape.ts'
import { assertPersisted } from './keys/assert-persisted.ts'

type Row = Selectable<Schema['agent_actions']>
type Content = Omit<Row, 'no' | 'mac'>

export const CHAIN_START = '0'.repeat(64)

/** The text that a row's MAC covers: all columns and, by `previous`, every row before. */
const sealedText = (row: Content): string =>
  JSON.stringify([
    row.at,
    row.actor_kind,
    row.actor_id,
    row.actor_role,
    row.action,
    row.agent_id,
    row.address,
    row.via,
    row.previous,
    row.details,
  ])

export const actionMac = (secrets: Pick<Secrets, 'digest'>, row: Content): string =>
  secrets.digest('action', sealedText(row))

/** Records actions on an agent inside the transaction that carries them out. */
export async function recordActions(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  agentId: string,
  actions: readonly ActionName[],
  context: ActionContext,
  details: ActionDetails = {},
): Promise<void> {
  await lockSection(transaction, 'agent actions')
  const newest = await newestOf(transaction).executeTakeFirst()
  let previous = newest?.mac ?? CHAIN_START
  for (const action of actions) {
    const about = { action, details: detailsOf(action, details, context.actor) }
    const content = toContent(agentId, about, context, previous)
    const mac = actionMac(secrets, content)
    const row: Insertable<Schema['agent_actions']> = { ...content, mac }
    await transaction.insertInto('agent_actions').values(row).execute()
    await assertPersisted('agent_actions', newestOf(transaction), { mac })
    previous = mac
  }
}

const OF_KEYS = [
  'register',
  'self-register',
  'create-sandbox-key',
  'rotate',
  'create-key',
  'revoke-key',
  'revoke-self',
  'report-leak',
]

/** Each action of one commit gets only the details that concern it. */
function detailsOf(
  action: ActionName,
  { key, limits, ...others }: ActionDetails,
  { session: by }: ActionContext['actor'],
): string | null {
  const details: StoredDetails = {
    ...(key && OF_KEYS.includes(action) && { key }),
    ...(limits && action === 'set-limits' && { limits }),
    ...others,
    ...(by && { by }),
  }
  return Object.keys(details).length > 0 ? JSON.stringify(details) : null
}

/** `by` is the actor's session. */
type StoredDetails = ActionDetails & { readonly by?: string }

/** `detailsOf` wrote the text, as the row's MAC proves. */
export const toDetails = (text: string | null | undefined): StoredDetails =>
  text ? (JSON.parse(text) as StoredDetails) : {}

const newestOf = (transaction: Transaction<Schema>) =>
  transaction.selectFrom('agent_actions').select('mac').orderBy('no', 'desc').limit(1)

function toContent(
  agentId: string,
  about: Pick<Content, 'action' | 'details'>,
  { at, actor, truncatedAddress, via }: ActionContext,
  previous: string,
): Content {
  return {
    at,
    actor_kind: actor.kind,
    actor_id: actor.id ?? null,
    actor_role: actor.role ?? null,
    ...about,
    agent_id: agentId,
    address: truncatedAddress,
    via,
    previous,
  }
}

export function sqlAgentActions(db: Database): AgentActions {
  return {
    async list({ agentId, actorId, actorKind, action, from, to }, { before, limit }) {
      let query = db.selectFrom('agent_actions').selectAll().orderBy('no', 'desc').limit(limit)
      if (agentId !== undefined) query = query.where('agent_id', '=', agentId)
      if (actorId !== undefined) query = query.where('actor_id', '=', actorId)
      if (actorKind !== undefined) query = query.where('actor_kind', '=', actorKind)
      if (action !== undefined) query = query.where('action', '=', action)
      if (from !== undefined) query = query.where('at', '>=', from)
      if (to !== undefined) query = query.where('at', '<', to)
      if (before !== undefined) query = query.where('no', '<', before)
      return (await query.execute()).map(toAction)
    },
  }
}

const readKind = oneOf(['user', 'agent', 'anybody', 'operator'])
const readRole = oneOf(['user', 'admin'])
const readVia = oneOf(['rest', 'mcp', 'cli'])

function toAction(row: Row): AgentAction {
  const { by, ...details } = toDetails(row.details)
  return {
    no: row.no,
    at: row.at,
    action: toActionName(row.action),
    agentId: row.agent_id,
    details,
    actor: {
      kind: readKind(row.actor_kind, 'agent_actions.actor_kind'),
      id: row.actor_id ?? undefined,
      role: row.actor_role === null ? undefined : readRole(row.actor_role, 'agent_actions.actor_role'),
      session: by,
    },
    truncatedAddress: row.address,
    via: readVia(row.via, 'agent_actions.via'),
  }
}

/** Only `recordActions` writes these. */
const toActionName = (text: string): ActionName => text as ActionName
