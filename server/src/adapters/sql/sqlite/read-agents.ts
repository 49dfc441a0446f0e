import type { DatabaseSync } from 'node:sqlite'
import {
  ACTIVITY_COLUMNS,
  type AgentByKeyRow,
  type CountersRow,
  LATEST_DAY_COLUMNS,
} from '../admission/rows.ts'

/** A key with its agent and the agent's counters, as one row. Nulls stand for counters that do not exist yet. */
type KeyRow = readonly [
  digest: string,
  no: AgentByKeyRow['no'],
  id: AgentByKeyRow['id'],
  owner: AgentByKeyRow['owner'],
  tier: AgentByKeyRow['tier'],
  status: AgentByKeyRow['status'],
  rpm: AgentByKeyRow['rpm'],
  rpd: AgentByKeyRow['rpd'],
  verifyBy: AgentByKeyRow['verify_by'],
  policyRevision: AgentByKeyRow['policy_revision'],
  agentMac: AgentByKeyRow['agent_mac'],
  validUntil: AgentByKeyRow['valid_until'],
  keyId: AgentByKeyRow['key_id'],
  scopes: AgentByKeyRow['scopes'],
  networks: AgentByKeyRow['networks'],
  mac: AgentByKeyRow['mac'],
  minuteStart: number | null,
  minuteUsed: number,
  dayStart: number,
  dayUsed: number,
  lastUsedAt: number,
  lastLookUpAt: number,
  lastPolicyCheckAt: number,
  latestDay: number | null,
  tools: string | null,
  built: number | null,
  builtAware: number | null,
]

/** The rows of a key's agent. Its counters are undefined if it was not used yet. */
type AgentRows = { readonly agent: AgentByKeyRow; readonly counters: CountersRow | undefined }

type ReadAgents = (digests: readonly string[]) => ReadonlyMap<string, AgentRows>

/**
 * Reads the agents of many keys with one statement: a third of the cost of three statements per agent. Rows come as
 * arrays, because the objects that node:sqlite makes are slow to make and slow to read.
 */
export function openReadAgents(database: DatabaseSync): ReadAgents {
  // A cross join keeps the order of the tables: each is searched by its key, once per digest.
  const select = database.prepare(
    `select k.digest, a.no, a.id, a.owner, a.tier, a.status, a.rpm, a.rpd, a.verify_by, a.policy_revision, a.mac,
       k.valid_until, k.id, k.scopes, k.networks, k.mac, ${ACTIVITY_COLUMNS}, ${LATEST_DAY_COLUMNS}
     from json_each(?) wanted
     cross join agent_keys k on k.digest = wanted.value
     cross join agents a on a.no = k.agent_no
     left join agent_activity v on v.agent_no = a.no`,
  )
  select.setReturnArrays(true)
  return (digests) => {
    if (digests.length === 0) return new Map()
    const rows = toKeyRows(select.all(JSON.stringify(digests)))
    return new Map(rows.map((row) => [row[0], toAgentRows(row)]))
  }
}

/** Guaranteed by the columns of the statement. */
const toKeyRows = (rows: unknown): readonly KeyRow[] => rows as readonly KeyRow[]

function toAgentRows(row: KeyRow): AgentRows {
  // biome-ignore format: one line per table.
  const [
    digest, no, id, owner, tier, status, rpm, rpd, verify_by, policy_revision, agent_mac,
    valid_until, key_id, scopes, networks, mac,
    minute_start, minute_used, day_start, day_used, last_used_at, last_look_up_at, last_policy_check_at,
    latest_day, tools, built, built_aware,
  ] = row
  const agent = { no, id, owner, tier, status, rpm, rpd, verify_by, policy_revision, agent_mac }
  const key = { digest, valid_until, key_id, scopes, networks, mac }
  const windows = { minute_used, day_start, day_used, last_used_at, last_look_up_at, last_policy_check_at }
  const latest = { latest_day, tools, built, built_aware }
  return {
    agent: { ...agent, ...key },
    counters: minute_start === null ? undefined : { minute_start, ...windows, ...latest },
  }
}
