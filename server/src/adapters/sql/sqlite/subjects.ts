import type { DatabaseSync } from 'node:sqlite'
import type { Activity, AdmissionRequest, AgentRecord } from '#ports/stores/admission.ts'
import {
  type AgentCounters,
  type CountedDay,
  countsOf,
  dayLeft,
  type PastDay,
} from '../admission/agent-counters.ts'
import type { BatchSubjects } from '../admission/decide.ts'
import { openKeyUses } from '../admission/key-uses.ts'
import {
  ACTIVITY,
  ACTIVITY_COLUMNS,
  type ActivityRow,
  type CountersRow,
  LATEST_DAY_COLUMNS,
  NEW_ACTIVITY,
  type SealCheck,
  toActivity,
  toAgentRecord,
  toCounters,
} from '../admission/rows.ts'
import type { ChangedRows } from './changed-rows.ts'
import type { CounterStore } from './counters/counter-store.ts'
import { openReadAgents } from './read-agents.ts'

const WRITE_USER = `
  insert into user_activity (user_id, ${ACTIVITY_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (user_id) do update set ${NEW_ACTIVITY}`
/**
 * After a wrong clock, a day that was the latest one earlier already has counts. A damaged row stays unchanged, so
 * that `audit verify` reports it: it must not fail the whole batch.
 */
const ADD_DAY = `
  insert into agent_days (agent_no, day, tools, built, built_aware) values (?, ?, ?, ?, ?)
  on conflict (agent_no, day) do update set
    tools = case when json_valid(agent_days.tools) then (
      select json_group_object(key, total) from (
        select key, sum(value) as total
        from (select key, value from json_each(agent_days.tools)
          union all select key, value from json_each(excluded.tools))
        group by key
      )
    ) else agent_days.tools end,
    built = built + excluded.built,
    built_aware = built_aware + excluded.built_aware`

/**
 * A write-back cache of agents and users: read on first use, changed in memory, written with every batch. Entries are
 * kept for the next batches until other code changes their rows.
 */
type CachedSubjects = BatchSubjects & {
  /** Reads the agents of a batch that are not cached; call it before any of them is asked for. */
  read(requests: readonly AdmissionRequest[]): void
  /** Writes the changes of the batch with this number; call it before the commit. */
  write(seq: number): void
  /** Call it after the commit: the batch's changes are stored now. */
  committed(): void
  /** Drops the rows that other code has changed. */
  drop(changed: ChangedRows | 'anything'): void
  /** Empties the cache. */
  forget(): void
}

export function openSubjects(
  database: DatabaseSync,
  seals: SealCheck,
  counterStore: CounterStore,
  mostCached: number,
): CachedSubjects {
  const readThroughCache = cacheOf(mostCached)
  const readAgents = openReadAgents(database)
  const findCounters = database.prepare(
    `select ${ACTIVITY_COLUMNS}, ${LATEST_DAY_COLUMNS} from agent_activity where agent_no = ?`,
  )
  const findUserActivity = database.prepare(`select ${ACTIVITY_COLUMNS} from user_activity where user_id = ?`)
  const writeUser = database.prepare(WRITE_USER)
  const addDay = database.prepare(ADD_DAY)

  const writeKeyUse = database.prepare(
    `insert into key_uses (key_id, last_used_at) values (?, ?)
     on conflict (key_id) do update set last_used_at = max(last_used_at, excluded.last_used_at)`,
  )

  const keyUses = openKeyUses()
  /** Rows of the present batch. They are checked one by one, so that a damaged one fails its own request only. */
  let found: ReturnType<typeof readAgents> = new Map()
  const agents = readThroughCache((digest: string) => {
    const rows = found.get(digest)
    const agent = toAgentRecord(rows?.agent, seals)
    if (agent) counters.learn(agent.no, counterStore.newest(agent.no) ?? toCounters(rows?.counters))
    return agent
  })
  const counters = readThroughCache(
    (no: number) => counterStore.newest(no) ?? toCounters(findCounters.get(no) as CountersRow | undefined),
  )
  /** Agents of the batch that had no counters. */
  const begun = new Set<number>()
  let pastDays: PastDay[] = []
  /**
   * Keys to drop after the batch. Not earlier, because a later request of the batch may have the same key, and only
   * missing keys were read.
   */
  let evicted: string[] = []
  const userActivities = readThroughCache((userId: string) => {
    const row = findUserActivity.get(userId) as ActivityRow | undefined
    return row && toActivity(row)
  })

  function forget(): void {
    pastDays = []
    evicted = []
    begun.clear()
    keyUses.forget()
    for (const memory of [agents, counters, userActivities]) memory.clear()
  }

  return {
    read(requests) {
      const digests = new Set<string>()
      for (const { claim } of requests) {
        if (claim.kind !== 'agent-key') continue
        const digest = claim.digest()
        if (!agents.has(digest)) digests.add(digest)
      }
      found = readAgents([...digests])
    },
    agentOf: agents.get,
    agentActivity: (agentNo) => counters.get(agentNo)?.activity,
    dayCounts: (agentNo, day) => countsOf(counters.get(agentNo), day),
    userActivity: userActivities.get,
    chargeAgent(agentNo, activity, day, counts) {
      const before = counters.get(agentNo)
      if (!before) begun.add(agentNo)
      const left = dayLeft(before, day)
      if (left) pastDays.push({ agentNo, ...left })
      counters.set(agentNo, { activity, latest: { day, counts } })
    },
    chargeUser: userActivities.set,
    noteKeyUse: keyUses.note,
    evict: (digest) => void evicted.push(digest),
    write(seq) {
      for (const past of pastDays) addDay.run(past.agentNo, ...toDayColumns(past))
      counterStore.write(seq, counters.changed(), (agentNo) => begun.has(agentNo))
      for (const [id, activity] of userActivities.changed()) writeUser.run(id, ...toColumns(activity))
      for (const [keyId, at] of keyUses.changed()) writeKeyUse.run(keyId, at)
    },
    committed() {
      pastDays = []
      if (begun.size > 0) begun.clear()
      counterStore.committed()
      keyUses.committed()
      for (const digest of evicted) agents.drop(digest)
      evicted = []
      for (const memory of [agents, counters, userActivities]) memory.settle()
    },
    drop(changed) {
      if (changed === 'anything') return forget()
      for (const digest of changed.keys) agents.drop(digest)
      for (const agentNo of changed.counters) counters.drop(agentNo)
      for (const userId of changed.users) userActivities.drop(userId)
    },
    forget,
  }
}

/** A read-through cache that tracks changed entries. It is emptied when it has more entries than its limit. */
const cacheOf =
  (most: number) =>
  <Key, Thing extends Activity | AgentRecord | AgentCounters>(read: (key: Key) => Thing | undefined) => {
    const known = new Map<Key, Thing>()
    // A new map for each commit: clearing one keeps its old tables in memory (docs/decisions/0007).
    let changed = new Map<Key, Thing>()
    return {
      get(key: Key): Thing | undefined {
        const kept = known.get(key)
        if (kept !== undefined) return kept
        const thing = read(key)
        // Missing rows are not cached, because anybody can invent any number of keys.
        if (thing !== undefined) known.set(key, thing)
        return thing
      },
      has: (key: Key): boolean => known.has(key),
      /** Caches rows that were read elsewhere. Rows that are already cached stay, because they may be newer. */
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
      changed: (): ReadonlyMap<Key, Thing> => changed,
      settle(): void {
        changed = new Map()
        if (known.size > most) known.clear()
      },
      clear(): void {
        known.clear()
        changed = new Map()
      },
    }
  }

const toColumns = (activity: Activity): number[] => ACTIVITY.map(([, name]) => activity[name])

const toDayColumns = ({ day, counts }: CountedDay): (number | string)[] => [
  day,
  JSON.stringify(counts.tools),
  counts.built,
  counts.builtAware,
]
