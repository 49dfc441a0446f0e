import type { DatabaseSync } from 'node:sqlite'
import type { Activity, AdmissionRequest, AgentRecord, DayCounts } from '#ports/stores/admission.ts'
import { dayOf } from '../../../durations.ts'
import type { BatchSubjects } from '../admission/decide.ts'
import { openKeyUses } from '../admission/key-uses.ts'
import {
  ACTIVITY,
  ACTIVITY_COLUMNS,
  type ActivityRow,
  type DayRow,
  NEW_ACTIVITY,
  type SealCheck,
  toActivity,
  toAgentRecord,
  toDayCounts,
} from '../admission/rows.ts'
import { openReadAgents } from './read-agents.ts'

/** More than the largest day number, so that agent and day combine into one numeric key. */
const DAYS = 1_000_000

const upsertActivity = (table: string, key: string) => `
  insert into ${table} (${key}, ${ACTIVITY_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (${key}) do update set ${NEW_ACTIVITY}`

/**
 * A write-back cache of agents and users: read on first use, changed in memory, written with every batch. It
 * is kept for the next batch unless another writer may have changed a row.
 */
type CachedSubjects = BatchSubjects & {
  /** Reads the agents of a batch that are not cached; call it before any of them is asked for. */
  read(requests: readonly AdmissionRequest[]): void
  /** Writes the batch's changes; call it before the commit. */
  write(): void
  /** After the commit: the batch's changes are now what is stored. */
  committed(): void
  /** Empties the cache. */
  forget(): void
}

/** Most entries per cache. */
const MOST_CACHED = 10_000

export function openSubjects(database: DatabaseSync, seals: SealCheck): CachedSubjects {
  const readAgents = openReadAgents(database)
  const findAgentActivity = database.prepare(
    `select ${ACTIVITY_COLUMNS} from agent_activity where agent_no = ?`,
  )
  const findUserActivity = database.prepare(`select ${ACTIVITY_COLUMNS} from user_activity where user_id = ?`)
  const findDay = database.prepare(
    'select tools, built, built_aware from agent_days where agent_no = ? and day = ?',
  )
  const writeAgentActivity = database.prepare(upsertActivity('agent_activity', 'agent_no'))
  const writeUserActivity = database.prepare(upsertActivity('user_activity', 'user_id'))
  const writeDay = database.prepare(
    `insert into agent_days (agent_no, day, tools, built, built_aware) values (?, ?, ?, ?, ?)
     on conflict (agent_no, day) do update
       set tools = excluded.tools, built = excluded.built, built_aware = excluded.built_aware`,
  )

  const writeKeyUse = database.prepare(
    `insert into key_uses (key_id, last_used_at) values (?, ?)
     on conflict (key_id) do update set last_used_at = max(last_used_at, excluded.last_used_at)`,
  )

  const keyUses = openKeyUses()
  /** Rows of the present batch. They are checked one by one, so that a damaged one fails its own request only. */
  let found: ReturnType<typeof readAgents> = new Map()
  let today = 0
  const agents = readThroughCache((digest: string) => {
    const rows = found.get(digest)
    const agent = toAgentRecord(rows?.agent, seals)
    if (agent && rows) {
      agentActivities.learn(agent.no, toActivity(rows.activity))
      days.learn(agent.no * DAYS + today, toDayCounts(rows.today))
    }
    return agent
  })
  const agentActivities = readThroughCache((no: number) =>
    toActivity(findAgentActivity.get(no) as ActivityRow | undefined),
  )
  const userActivities = readThroughCache((userId: string) =>
    toActivity(findUserActivity.get(userId) as ActivityRow | undefined),
  )
  const days = readThroughCache((key: number) =>
    toDayCounts(findDay.get(...toDayKey(key)) as DayRow | undefined),
  )

  return {
    read(requests) {
      const digests = new Set<string>()
      for (const { claim } of requests) {
        if (claim.kind !== 'agent-key') continue
        const digest = claim.digest()
        if (!agents.has(digest)) digests.add(digest)
      }
      today = dayOf(requests[0]?.at ?? 0)
      found = readAgents([...digests], today)
    },
    agentOf: agents.get,
    agentActivity: agentActivities.get,
    dayCounts: (agentNo, day) => days.get(agentNo * DAYS + day),
    userActivity: userActivities.get,
    chargeAgent(agentNo, activity, day, counts) {
      agentActivities.set(agentNo, activity)
      days.set(agentNo * DAYS + day, counts)
    },
    chargeUser: userActivities.set,
    noteKeyUse: keyUses.note,
    evict: agents.drop,
    write() {
      agentActivities.forEachChanged((no, activity) => writeAgentActivity.run(no, ...toColumns(activity)))
      userActivities.forEachChanged((id, activity) => writeUserActivity.run(id, ...toColumns(activity)))
      days.forEachChanged((key, { tools, built, builtAware }) =>
        writeDay.run(...toDayKey(key), JSON.stringify(tools), built, builtAware),
      )
      for (const [keyId, at] of keyUses.changed()) writeKeyUse.run(keyId, at)
    },
    committed() {
      keyUses.committed()
      for (const memory of [agents, agentActivities, userActivities, days]) memory.settle()
    },
    forget() {
      keyUses.forget()
      for (const memory of [agents, agentActivities, userActivities, days]) memory.clear()
    },
  }
}

/** A read-through cache that tracks changed entries. */
function readThroughCache<Key, Thing extends Activity | AgentRecord | DayCounts>(
  read: (key: Key) => Thing | undefined,
) {
  const known = new Map<Key, Thing>()
  const changed = new Map<Key, Thing>()
  return {
    get(key: Key): Thing | undefined {
      const kept = known.get(key)
      if (kept !== undefined) return kept
      const thing = read(key)
      // Missing rows are not cached: anybody can invent keys without end.
      if (thing !== undefined) known.set(key, thing)
      return thing
    },
    has: (key: Key): boolean => known.has(key),
    /** Caches what was read elsewhere. What is cached already may be newer. */
    learn(key: Key, thing: Thing | undefined): void {
      if (thing !== undefined && !known.has(key)) known.set(key, thing)
    },
    set(key: Key, thing: Thing): void {
      known.set(key, thing)
      changed.set(key, thing)
    },
    drop(key: Key): void {
      known.delete(key)
    },
    forEachChanged(visit: (key: Key, thing: Thing) => void): void {
      for (const [key, thing] of changed) visit(key, thing)
    },
    settle(): void {
      changed.clear()
      if (known.size > MOST_CACHED) known.clear()
    },
    clear(): void {
      known.clear()
      changed.clear()
    },
  }
}

const toDayKey = (key: number): [agentNo: number, day: number] => [Math.floor(key / DAYS), key % DAYS]

const toColumns = (activity: Activity): number[] => ACTIVITY.map(([, name]) => activity[name])
