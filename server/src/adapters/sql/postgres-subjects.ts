import type { Activity, AgentRecord, DayCounts } from '#ports/admission.ts'
import {
  type ActivityRow,
  type AgentRow,
  type DayRow,
  toActivity,
  toAgentRecord,
  toDayCounts,
} from './admission-rows.ts'
import type { Row, Statement, Step } from './postgres-lane.ts'

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

/**
 * Whoever is in two batches at once is decided upon by one after the other. The order keeps batches from waiting for
 * each other in a circle. What is read comes after it, so that it is what the batch before has left.
 */
const LOCK_AGENTS: Statement = {
  name: 'lock-agents',
  text: `select no from agents where no in (select agent_no from agent_keys where digest = any($1::text[]))
    order by no for no key update`,
}
const READ_AGENTS: Statement = {
  name: 'read-agents',
  text: `select k.digest, a.no, a.id, a.tier, a.status, a.rpm, a.rpd, a.verify_by, k.valid_until,
      ${activityOf('v')}
    from agent_keys k join agents a on a.no = k.agent_no left join agent_activity v on v.agent_no = a.no
    where k.digest = any($1::text[])`,
}
const READ_DAYS: Statement = {
  name: 'read-days',
  text: `select agent_no, day, tools, built, built_aware from agent_days
    where day = any($2::integer[])
      and agent_no in (select agent_no from agent_keys where digest = any($1::text[]))`,
}
/** There is nothing to lock for a user who was never here. */
const ADD_USERS: Statement = {
  name: 'add-users',
  text: `insert into user_activity (user_id, ${ACTIVITY.join(', ')})
    select user_id, 0, 0, 0, 0, 0, 0, 0 from unnest($1::text[]) as user_id order by user_id
    on conflict do nothing`,
}
const LOCK_USERS: Statement = {
  name: 'lock-users',
  text: `select user_id, ${activityOf('user_activity')} from user_activity where user_id = any($1::text[])
    order by user_id for no key update`,
}

const bigints = (first: number) => ACTIVITY.map((_, at) => `$${first + at}::bigint[]`).join(', ')

const WRITE_AGENTS: Statement = {
  name: 'write-agents',
  text: `insert into agent_activity (agent_no, ${ACTIVITY.join(', ')})
    select * from unnest($1::integer[], ${bigints(2)})
    on conflict (agent_no) do update set ${NEW_ACTIVITY}`,
}
const WRITE_USERS: Statement = {
  name: 'write-users',
  text: `insert into user_activity (user_id, ${ACTIVITY.join(', ')})
    select * from unnest($1::text[], ${bigints(2)})
    on conflict (user_id) do update set ${NEW_ACTIVITY}`,
}
const WRITE_DAYS: Statement = {
  name: 'write-days',
  text: `insert into agent_days (agent_no, day, tools, built, built_aware)
    select * from unnest($1::integer[], $2::integer[], $3::text[], $4::integer[], $5::integer[])
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
  const ofAgents: Step[] = [
    [LOCK_AGENTS, [digests]],
    [READ_AGENTS, [digests]],
    [READ_DAYS, [digests, days]],
  ]
  const ofUsers: Step[] = [
    [ADD_USERS, [userIds]],
    [LOCK_USERS, [userIds]],
  ]
  return [...(digests.length > 0 ? ofAgents : []), ...(userIds.length > 0 ? ofUsers : [])]
}

/** Guaranteed by `readSteps`: the same steps, and so the same rows, in the same order. */
export function toSubjects(
  { digests, userIds }: Asked,
  answers: readonly (readonly Row[])[],
): PostgresSubjects {
  const rows = [...answers]
  const agents = new Map<string, AgentRecord>()
  const agentActivities = new Map<number, Activity>()
  const userActivities = new Map<string, Activity>()
  const days = new Map<string, DayCounts>()
  if (digests.length > 0) {
    rows.shift()
    for (const row of (rows.shift() ?? []) as readonly (AgentRow & ActivityRow & { digest: string })[]) {
      const agent = toAgentRecord(row)
      if (agent) agents.set(row.digest, agent)
      const activity = row.minute_start === null ? undefined : toActivity(row)
      if (activity) agentActivities.set(row.no, activity)
    }
    for (const row of (rows.shift() ?? []) as readonly (DayRow & { agent_no: number; day: number })[]) {
      const counts = toDayCounts(row)
      if (counts) days.set(dayKey(row.agent_no, row.day), counts)
    }
  }
  if (userIds.length > 0) {
    rows.shift()
    for (const row of (rows.shift() ?? []) as readonly (ActivityRow & { user_id: string })[]) {
      const activity = toActivity(row)
      if (activity) userActivities.set(row.user_id, activity)
    }
  }
  return { agents, agentActivities, userActivities, days }
}

export const dayKey = (agentNo: number, day: number): string => `${agentNo} ${day}`

/** What a batch has changed. */
export type Changes = {
  readonly agents: ReadonlyMap<number, Activity>
  readonly users: ReadonlyMap<string, Activity>
  readonly days: ReadonlyMap<string, DayCounts>
}

export function writeSteps({ agents, users, days }: Changes): readonly Step[] {
  const steps: Step[] = []
  if (agents.size > 0) steps.push([WRITE_AGENTS, [[...agents.keys()], ...toColumns([...agents.values()])]])
  if (users.size > 0) steps.push([WRITE_USERS, [[...users.keys()], ...toColumns([...users.values()])]])
  if (days.size > 0) {
    const keys = [...days.keys()].map((key) => key.split(' ').map(Number))
    const counts = [...days.values()]
    steps.push([
      WRITE_DAYS,
      [
        keys.map(([agentNo]) => agentNo),
        keys.map(([, day]) => day),
        counts.map(({ tools }) => JSON.stringify(tools)),
        counts.map(({ built }) => built),
        counts.map(({ builtAware }) => builtAware),
      ],
    ])
  }
  return steps
}

function toColumns(activities: readonly Activity[]): readonly (readonly number[])[] {
  return [
    activities.map(({ minuteStart }) => minuteStart),
    activities.map(({ minuteUsed }) => minuteUsed),
    activities.map(({ dayStart }) => dayStart),
    activities.map(({ dayUsed }) => dayUsed),
    activities.map(({ lastUsedAt }) => lastUsedAt),
    activities.map(({ lastLookUpAt }) => lastLookUpAt),
    activities.map(({ lastPolicyCheckAt }) => lastPolicyCheckAt),
  ]
}
