import type { Activity, AgentRecord, DayCounts } from '#ports/admission.ts'
import { type ActivityRow, type AgentRow, toActivity, toAgentRecord } from './admission-rows.ts'
import { listOf, type Statement, type Step } from './postgres-round-trip.ts'

const ACTIVITY = [
  'minute_start',
  'minute_used',
  'day_start',
  'day_used',
  'last_used_at',
  'last_look_up_at',
  'last_policy_check_at',
] as const

const activityOf = (table: string) => ACTIVITY.map((column) => `${table}.${column}`).join(', ')
const NEW_ACTIVITY = ACTIVITY.map((column) => `${column} = excluded.${column}`).join(', ')

/** The texts that are given as one JSON value. */
const GIVEN = 'array(select json_array_elements_text($1::json))'

/**
 * Whoever is in two batches at once is decided upon by one after the other. The order keeps batches from waiting for
 * each other in a circle. What is read comes after it, so that it is what the batch before has left.
 */
const LOCK_AGENTS: Statement = {
  name: 'lock-agents',
  text: `select count(*) from (
      select no from agents where no in (select agent_no from agent_keys where digest = any(${GIVEN}))
      order by no for no key update
    ) locked`,
}
const READ_AGENTS: Statement = {
  name: 'read-agents',
  text: `select json_agg(found) from (
      select k.digest, a.no, a.id, a.tier, a.status, a.rpm, a.rpd, a.verify_by, k.valid_until,
        ${activityOf('v')},
        (select json_agg(json_build_array(day, tools::json, built, built_aware)) from agent_days d
          where d.agent_no = a.no and day = any($2::integer[])) as days
      from agent_keys k join agents a on a.no = k.agent_no left join agent_activity v on v.agent_no = a.no
      where k.digest = any(${GIVEN})
    ) found`,
}
/** There is nothing to lock for a user who was never here. */
const ADD_USERS: Statement = {
  name: 'add-users',
  text: `insert into user_activity (user_id, ${ACTIVITY.join(', ')})
    select user_id, 0, 0, 0, 0, 0, 0, 0 from unnest(${GIVEN}) as user_id order by user_id
    on conflict do nothing`,
}
const LOCK_USERS: Statement = {
  name: 'lock-users',
  text: `select json_agg(locked) from (
      select user_id, ${activityOf('user_activity')} from user_activity where user_id = any(${GIVEN})
      order by user_id for no key update
    ) locked`,
}

const GIVEN_ACTIVITY = ACTIVITY.map((column) => `${column} bigint`).join(', ')

const WRITE_AGENTS: Statement = {
  name: 'write-agents',
  text: `insert into agent_activity (agent_no, ${ACTIVITY.join(', ')})
    select agent_no, ${ACTIVITY.join(', ')}
    from json_to_recordset($1) as given(agent_no integer, ${GIVEN_ACTIVITY})
    on conflict (agent_no) do update set ${NEW_ACTIVITY}`,
}
const WRITE_USERS: Statement = {
  name: 'write-users',
  text: `insert into user_activity (user_id, ${ACTIVITY.join(', ')})
    select user_id, ${ACTIVITY.join(', ')}
    from json_to_recordset($1) as given(user_id text, ${GIVEN_ACTIVITY})
    on conflict (user_id) do update set ${NEW_ACTIVITY}`,
}
const WRITE_DAYS: Statement = {
  name: 'write-days',
  text: `insert into agent_days (agent_no, day, tools, built, built_aware)
    select agent_no, day, tools, built, built_aware
    from json_to_recordset($1)
      as given(agent_no integer, day integer, tools text, built integer, built_aware integer)
    on conflict (agent_no, day) do update
      set tools = excluded.tools, built = excluded.built, built_aware = excluded.built_aware`,
}

/** The agents and users of one batch, as the store has them and as the batch leaves them. */
export type PostgresSubjects = {
  readonly agents: ReadonlyMap<string, AgentRecord>
  readonly agentActivities: Map<number, Activity>
  readonly userActivities: Map<string, Activity>
  /** By `agent day`. */
  readonly days: Map<string, DayCounts>
}

export type Asked = {
  readonly digests: readonly string[]
  readonly userIds: readonly string[]
  readonly days: readonly number[]
}

/** What locks and reads the subjects; the answers belong to `toSubjects`. */
export function readSteps({ digests, userIds, days }: Asked): readonly Step[] {
  const [givenDigests, givenUsers] = [JSON.stringify(digests), JSON.stringify(userIds)]
  const ofAgents: Step[] = [
    [LOCK_AGENTS, [givenDigests]],
    [READ_AGENTS, [givenDigests, listOf(days)]],
  ]
  const ofUsers: Step[] = [
    [ADD_USERS, [givenUsers]],
    [LOCK_USERS, [givenUsers]],
  ]
  return [...(digests.length > 0 ? ofAgents : []), ...(userIds.length > 0 ? ofUsers : [])]
}

type FoundAgent = AgentRow & {
  readonly digest: string
  readonly days: readonly FoundDay[] | null
} & (ActivityRow | { readonly minute_start: null })
type FoundDay = readonly [day: number, tools: DayCounts['tools'], built: number, builtAware: number]
type FoundUser = ActivityRow & { readonly user_id: string }

/** Guaranteed by `readSteps`: the same steps, and so the same answers, in the same order. */
export function toSubjects({ digests, userIds }: Asked, answers: readonly unknown[]): PostgresSubjects {
  const ofUsers = digests.length > 0 ? 2 : 0
  const foundAgents = digests.length > 0 ? (answers[1] as readonly FoundAgent[] | undefined) : []
  const foundUsers = userIds.length > 0 ? (answers[ofUsers + 1] as readonly FoundUser[] | undefined) : []
  const subjects = {
    agents: new Map(),
    agentActivities: new Map(),
    userActivities: new Map(),
    days: new Map(),
  }
  for (const row of foundAgents ?? []) {
    subjects.agents.set(row.digest, toAgentRecord(row))
    if (row.minute_start !== null) subjects.agentActivities.set(row.no, toActivity(row))
    for (const [day, tools, built, builtAware] of row.days ?? []) {
      subjects.days.set(dayKey(row.no, day), { tools, built, builtAware })
    }
  }
  for (const row of foundUsers ?? []) subjects.userActivities.set(row.user_id, toActivity(row))
  return subjects
}

export const dayKey = (agentNo: number, day: number): string => `${agentNo} ${day}`

/** What a batch has changed. */
export type Changes = {
  readonly agents: ReadonlyMap<number, Activity>
  readonly users: ReadonlyMap<string, Activity>
  readonly days: ReadonlyMap<string, DayCounts>
}

export function writeSteps({ agents, users, days }: Changes): readonly Step[] {
  const ofAgents = Array.from(agents, ([agent_no, activity]) => ({ agent_no, ...toColumns(activity) }))
  const ofUsers = Array.from(users, ([user_id, activity]) => ({ user_id, ...toColumns(activity) }))
  const ofDays = Array.from(days, ([key, { tools, built, builtAware }]) => {
    const [agent_no, day] = key.split(' ')
    return { agent_no, day, tools, built, built_aware: builtAware }
  })
  const writes = [
    [WRITE_AGENTS, ofAgents],
    [WRITE_USERS, ofUsers],
    [WRITE_DAYS, ofDays],
  ] as const
  return writes.flatMap(([statement, rows]): readonly Step[] =>
    rows.length > 0 ? [[statement, [JSON.stringify(rows)]]] : [],
  )
}

const toColumns = (activity: Activity): ActivityRow => ({
  minute_start: activity.minuteStart,
  minute_used: activity.minuteUsed,
  day_start: activity.dayStart,
  day_used: activity.dayUsed,
  last_used_at: activity.lastUsedAt,
  last_look_up_at: activity.lastLookUpAt,
  last_policy_check_at: activity.lastPolicyCheckAt,
})
