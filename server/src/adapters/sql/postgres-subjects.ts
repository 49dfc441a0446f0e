import type { Activity, AgentRecord, DayCounts } from '#ports/admission.ts'
import { ACTIVITY, ACTIVITY_COLUMNS, type AgentRow, NEW_ACTIVITY, toAgentRecord } from './admission-rows.ts'
import { listOf, type Statement, type Step } from './postgres-round-trip.ts'

const ACTIVITY_JSON = `json_build_object(${ACTIVITY.map(([column, name]) => `'${name}', ${column}`).join(', ')})`
const GIVEN_ACTIVITY = ACTIVITY.map(([, name]) => `"${name}"`).join(', ')
const GIVEN_TYPES = ACTIVITY.map(([, name]) => `"${name}" bigint`).join(', ')
/** The texts that are given as one JSON value. */
const GIVEN_TEXTS = 'array(select json_array_elements_text($1::json))'

/**
 * Whoever is in two batches at once is decided upon by one after the other. The order keeps batches from waiting for
 * each other in a circle. What is read comes after it, so that it is what the batch before has left.
 */
const LOCK_AGENTS: Statement = {
  name: 'lock-agents',
  text: `select count(*) from (
      select no from agents where no in (select agent_no from agent_keys where digest = any(${GIVEN_TEXTS}))
      order by no for no key update
    ) locked`,
}
/** Lists instead of named things: half as long, and less work for the server. */
const READ_AGENTS: Statement = {
  name: 'read-agents',
  text: `select json_agg(json_build_array(
      json_build_array(k.digest, a.no, a.id, a.tier, a.status, a.rpm, a.rpd, a.verify_by, k.valid_until),
      json_build_array(${ACTIVITY.map(([column]) => `v.${column}`).join(', ')}),
      json_build_array(d.day, d.tools::json, d.built, d.built_aware)
    )) from agent_keys k join agents a on a.no = k.agent_no
      left join agent_activity v on v.agent_no = a.no
      left join agent_days d on d.agent_no = a.no and d.day = any($2::integer[])
    where k.digest = any(${GIVEN_TEXTS})`,
}
/** There is nothing to lock for a user who was never here. */
const ADD_USERS: Statement = {
  name: 'add-users',
  text: `insert into user_activity (user_id, ${ACTIVITY_COLUMNS})
    select user_id, 0, 0, 0, 0, 0, 0, 0 from unnest(${GIVEN_TEXTS}) as user_id order by user_id
    on conflict do nothing`,
}
const LOCK_USERS: Statement = {
  name: 'lock-users',
  text: `select json_agg(locked) from (
      select user_id as "userId", ${ACTIVITY_JSON} as activity from user_activity
      where user_id = any(${GIVEN_TEXTS}) order by user_id for no key update
    ) locked`,
}
const WRITE_AGENTS: Statement = {
  name: 'write-agents',
  text: `insert into agent_activity (agent_no, ${ACTIVITY_COLUMNS})
    select "agentNo", ${GIVEN_ACTIVITY} from json_to_recordset($1) as given("agentNo" integer, ${GIVEN_TYPES})
    on conflict (agent_no) do update set ${NEW_ACTIVITY}`,
}
const WRITE_USERS: Statement = {
  name: 'write-users',
  text: `insert into user_activity (user_id, ${ACTIVITY_COLUMNS})
    select "userId", ${GIVEN_ACTIVITY} from json_to_recordset($1) as given("userId" text, ${GIVEN_TYPES})
    on conflict (user_id) do update set ${NEW_ACTIVITY}`,
}
const WRITE_DAYS: Statement = {
  name: 'write-days',
  text: `insert into agent_days (agent_no, day, tools, built, built_aware)
    select "agentNo", day, tools, built, "builtAware"
    from json_to_recordset($1)
      as given("agentNo" integer, day integer, tools text, built integer, "builtAware" integer)
    on conflict (agent_no, day) do update
      set tools = excluded.tools, built = excluded.built, built_aware = excluded.built_aware`,
}

/** What is counted for an agent, as the store has it and then as the batch leaves it. */
export type AgentCounts = {
  readonly agentNo: number
  activity: Activity | undefined
  readonly days: Map<number, DayCounts>
  /** The days that the batch has added to. */
  readonly changed: Set<number>
}

export type UserCounts = { readonly userId: string; activity: Activity | undefined; isChanged: boolean }

/** An agent as one of its keys shows it. Its keys share what is counted. */
type KeySubject = { readonly agent: AgentRecord | undefined; readonly counts: AgentCounts }

/** The agents and users of one batch. */
export type PostgresSubjects = {
  /** By digest. */
  readonly keys: ReadonlyMap<string, KeySubject>
  readonly agents: ReadonlyMap<number, AgentCounts>
  readonly users: ReadonlyMap<string, UserCounts>
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

export function toSubjects(asked: Asked, answers: readonly unknown[]): PostgresSubjects {
  const found = toFound(asked, answers)
  const keys = new Map<string, KeySubject>()
  const agents = new Map<number, AgentCounts>()
  for (const [key, activity, [day, tools, built, builtAware]] of found.agents) {
    const [digest, no] = key
    const counts = agents.get(no) ?? toCounts(no, activity)
    agents.set(no, counts)
    keys.set(digest, { agent: toAgent(key), counts })
    if (day !== null) counts.days.set(day, { tools, built, builtAware })
  }
  return { keys, agents, users: toUsers(asked, found.users) }
}

/** A key with its agent, and one of the days asked for; where there is none, and no activity, are nulls. */
type FoundAgent = readonly [FoundKey, FoundActivity, FoundDay]
type FoundKey = readonly [
  digest: string,
  no: AgentRow['no'],
  id: AgentRow['id'],
  tier: AgentRow['tier'],
  status: AgentRow['status'],
  rpm: AgentRow['rpm'],
  rpd: AgentRow['rpd'],
  verifyBy: AgentRow['verify_by'],
  validUntil: AgentRow['valid_until'],
]
type FoundActivity = readonly [
  minuteStart: number | null,
  minuteUsed: number,
  dayStart: number,
  dayUsed: number,
  lastUsedAt: number,
  lastLookUpAt: number,
  lastPolicyCheckAt: number,
]
type FoundDay = readonly [day: number | null, tools: DayCounts['tools'], built: number, builtAware: number]
type FoundUser = { readonly userId: string; readonly activity: Activity }

/** Guaranteed by `readSteps`: the same steps, and so the same answers, in the same order. */
function toFound({ digests, userIds }: Asked, answers: readonly unknown[]) {
  const rest = [...answers]
  const [, agents] = digests.length > 0 ? rest.splice(0, 2) : []
  const [, users] = userIds.length > 0 ? rest.splice(0, 2) : []
  return { agents: (agents ?? []) as readonly FoundAgent[], users: (users ?? []) as readonly FoundUser[] }
}

function toAgent([, no, id, tier, status, rpm, rpd, verify_by, valid_until]: FoundKey) {
  return toAgentRecord({ no, id, tier, status, rpm, rpd, verify_by, valid_until })
}

function toCounts(agentNo: number, found: FoundActivity): AgentCounts {
  const [minuteStart, minuteUsed, dayStart, dayUsed, lastUsedAt, lastLookUpAt, lastPolicyCheckAt] = found
  const activity =
    minuteStart === null
      ? undefined
      : { minuteStart, minuteUsed, dayStart, dayUsed, lastUsedAt, lastLookUpAt, lastPolicyCheckAt }
  return { agentNo, activity, days: new Map(), changed: new Set() }
}

/** A user whose row was swept out before it could be locked begins anew. */
function toUsers({ userIds }: Asked, found: readonly FoundUser[]): ReadonlyMap<string, UserCounts> {
  const activities = new Map(found.map(({ userId, activity }) => [userId, activity]))
  return new Map(
    userIds.map((userId) => [userId, { userId, activity: activities.get(userId), isChanged: false }]),
  )
}

/** Writes what the batch has changed. */
export function writeSteps({ agents, users }: PostgresSubjects): readonly Step[] {
  const ofAgents: object[] = []
  const ofDays: object[] = []
  for (const { agentNo, activity, days, changed } of agents.values()) {
    if (changed.size > 0) ofAgents.push({ agentNo, ...activity })
    for (const day of changed) ofDays.push({ agentNo, day, ...days.get(day) })
  }
  const ofUsers = Array.from(users.values())
    .filter(({ isChanged }) => isChanged)
    .map(({ userId, activity }) => ({ userId, ...activity }))
  const writes = [
    [WRITE_AGENTS, ofAgents],
    [WRITE_DAYS, ofDays],
    [WRITE_USERS, ofUsers],
  ] as const
  return writes.flatMap(([statement, rows]): readonly Step[] =>
    rows.length > 0 ? [[statement, [JSON.stringify(rows)]]] : [],
  )
}
