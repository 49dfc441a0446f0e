import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Activity, AgentRecord, DayCounts } from '#ports/stores/admission.ts'
import type { StoredStatus, Tier } from '#ports/stores/agents.ts'
import { isSealedAgent, logTampering } from '../stores/keys/agent-seal.ts'
import { readNetworks, readScopes } from '../stores/keys/key-limits.ts'
import { isSealed } from '../stores/keys/key-seal.ts'
import type { AgentCounters } from './agent-counters.ts'

/** A key and its agent. Another writer may have stored values that the service never writes: the seals reveal them. */
export type AgentByKeyRow = {
  readonly no: number
  readonly id: string
  readonly owner: string
  readonly tier: Tier
  readonly status: StoredStatus
  readonly rpm: number | null
  readonly rpd: number | null
  readonly verify_by: number | null
  readonly valid_until: number | null
  readonly digest: string
  readonly key_id: string | null
  readonly scopes: string | null
  readonly networks: string | null
  readonly mac: string | null
  readonly agent_mac: string | null
  readonly policy_revision: number | null
}

/** Needs for checking the seals of rows. */
export type SealCheck = { readonly secrets: Pick<Secrets, 'digest'>; readonly logger: Pick<Logger, 'error'> }

/** A key with a wrong seal counts as unknown; an agent whose row was tampered with counts as suspended. */
export function toAgentRecord(
  row: AgentByKeyRow | undefined,
  { secrets, logger }: SealCheck,
): AgentRecord | undefined {
  const isGenuine = isSealedAgent(secrets, row, row?.agent_mac)
  if (!isSealed(secrets, row?.id, row && toKeyContent(row)) || !row) return undefined
  if (!isGenuine) logTampering(logger, row.id)
  const { key_id: keyId, scopes, networks } = row
  return {
    no: row.no,
    id: row.id,
    tier: row.tier,
    storedStatus: isGenuine || row.status === 'revoked' ? row.status : 'suspended',
    customLimits: row.rpm === null || row.rpd === null ? undefined : { rpm: row.rpm, rpd: row.rpd },
    verifyBy: row.verify_by ?? undefined,
    keyValidUntil: row.valid_until ?? undefined,
    key:
      keyId === null
        ? undefined
        : { id: keyId, scopes: readScopes(scopes), networks: readNetworks(networks) },
    policyRevision: row.policy_revision ?? undefined,
  }
}

/** Field by field: spreading a SQLite row takes as long as reading it. */
const toKeyContent = ({ digest, key_id: id, scopes, networks, valid_until, mac }: AgentByKeyRow) => ({
  digest,
  id,
  scopes,
  networks,
  valid_until,
  mac,
})

export type ActivityRow = {
  readonly minute_start: number
  readonly minute_used: number
  readonly day_start: number
  readonly day_used: number
  readonly last_used_at: number
  readonly last_look_up_at: number
  readonly last_policy_check_at: number
}

/** Activity columns and the field names they map to. */
export const ACTIVITY = Object.entries({
  minute_start: 'minuteStart',
  minute_used: 'minuteUsed',
  day_start: 'dayStart',
  day_used: 'dayUsed',
  last_used_at: 'lastUsedAt',
  last_look_up_at: 'lastLookUpAt',
  last_policy_check_at: 'lastPolicyCheckAt',
} as const satisfies Record<keyof ActivityRow, keyof Activity>)

export const ACTIVITY_COLUMNS = ACTIVITY.map(([column]) => column).join(', ')
/** The `set` clause of the upsert. */
export const NEW_ACTIVITY = ACTIVITY.map(([column]) => `${column} = excluded.${column}`).join(', ')

export const toActivity = (row: ActivityRow): Activity => ({
  minuteStart: row.minute_start,
  minuteUsed: row.minute_used,
  dayStart: row.day_start,
  dayUsed: row.day_used,
  lastUsedAt: row.last_used_at,
  lastLookUpAt: row.last_look_up_at,
  lastPolicyCheckAt: row.last_policy_check_at,
})

/** Columns of `agent_activity` with the counts of the latest day. */
export const LATEST_DAY_COLUMNS = 'latest_day, tools, built, built_aware'

/** Daily counts of all agents. A day may have two rows, to be added up. */
export const ALL_DAYS = `
  select agent_no, day, tools, built, built_aware from agent_days
  union all
  select agent_no, latest_day, tools, built, built_aware from agent_counters where latest_day is not null`

/** A row of `agent_activity` or `agent_counters`. */
export type CountersRow = ActivityRow & {
  readonly latest_day: number | null
  readonly tools: string | null
  readonly built: number | null
  readonly built_aware: number | null
}

export function toCounters(row: CountersRow | undefined): AgentCounters | undefined {
  if (!row) return undefined
  const { latest_day: day, tools, built, built_aware } = row
  const hasCounts = day !== null && tools !== null && built !== null && built_aware !== null
  return {
    activity: toActivity(row),
    latest: hasCounts ? { day, counts: toDayCounts({ tools, built, built_aware }) } : undefined,
  }
}

export type DayRow = { readonly tools: string; readonly built: number; readonly built_aware: number }

export const toDayCounts = (row: DayRow): DayCounts => ({
  tools: JSON.parse(row.tools),
  built: row.built,
  builtAware: row.built_aware,
})
