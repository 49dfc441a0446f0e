import type { Activity } from '#ports/stores/admission.ts'
import type { AgentCounters } from '../admission/agent-counters.ts'
import {
  ACTIVITY,
  ACTIVITY_COLUMNS,
  type AgentByKeyRow,
  LATEST_DAY_COLUMNS,
  type SealCheck,
  toAgentRecord,
  toCounters,
} from '../admission/rows.ts'
import type { Statement, Step } from './connections/round-trip.ts'
import type { Found, FoundAgent, SubjectKeys, UserCounts } from './subjects.ts'

const ACTIVITY_JSON = `json_build_object(${ACTIVITY.map(([column, name]) => `'${name}', ${column}`).join(', ')})`
/** A list of texts, passed as one JSON value. */
const GIVEN_TEXTS = 'array(select json_array_elements_text($1::json))'

/**
 * Serialises batches with the same agent. Locks are taken in order of number, so that batches do not
 * deadlock. Rows are read after the lock, as the previous batch left them.
 */
const LOCK_AGENTS: Statement = {
  name: 'lock-agents',
  text: `select count(*) from (
      select no from agents where no in (select agent_no from agent_keys where digest = any(${GIVEN_TEXTS}))
      order by no for no key update
    ) locked`,
}
/** Read after the locks, so that the time spent waiting for them is included. */
const NUMBER_OF_BATCH = `nextval('audit_seq'), floor(extract(epoch from clock_timestamp()) * 1000)::bigint`
const READ_NUMBER: Statement = { name: 'read-number', text: `select json_build_array(${NUMBER_OF_BATCH})` }
/**
 * The batch number, and the keys whose rows differ from the cached versions or are gone. Arrays instead of
 * objects halve the answer and the server's work.
 */
const READ_AGENTS: Statement = {
  name: 'read-agents',
  text: `select json_build_array(${NUMBER_OF_BATCH},
      (select json_agg(json_build_array(
        json_build_array(given.digest, a.no, a.id, a.owner, a.tier, a.status, a.rpm, a.rpd, a.verify_by, k.valid_until,
          k.id, k.scopes, k.networks, k.mac, a.policy_revision, a.mac),
        concat(k.version, ' ', a.version),
        json_build_array(${ACTIVITY_COLUMNS}, ${LATEST_DAY_COLUMNS}),
        concat(v.version)
      )) from unnest(${GIVEN_TEXTS}, array(select json_array_elements_text($2::json))) as given(digest, known)
        left join agent_keys k on k.digest = given.digest
        left join agents a on a.no = k.agent_no
        left join agent_activity v on v.agent_no = a.no
      where given.known <> concat(k.version, ' ', a.version, ' ', v.version)))`,
}
/** A new user has no row to lock, so one is inserted first. */
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

/** The steps that lock and read the subjects; `toFound` reads their answers. */
export function readSteps({ digests, userIds }: SubjectKeys, versions: readonly string[]): readonly Step[] {
  const [givenDigests, givenUsers] = [JSON.stringify(digests), JSON.stringify(userIds)]
  const ofUsers: Step[] = [
    [ADD_USERS, [givenUsers]],
    [LOCK_USERS, [givenUsers]],
  ]
  const ofAgents: Step[] = [
    [LOCK_AGENTS, [givenDigests]],
    [READ_AGENTS, [givenDigests, JSON.stringify(versions)]],
  ]
  return [
    ...(userIds.length > 0 ? ofUsers : []),
    ...(digests.length > 0 ? ofAgents : [[READ_NUMBER, []] satisfies Step]),
  ]
}

export function toFound(keys: SubjectKeys, answers: readonly unknown[], seals: SealCheck): Found {
  const [seq, now, agents] = toHead(answers.at(-1))
  const users = keys.userIds.length > 0 ? toFoundUsers(answers[1]) : []
  return {
    seq,
    now,
    agents: (agents ?? []).map((row) => toFoundAgent(row, seals)),
    users: toUsers(keys, users),
  }
}

type Head = readonly [seq: number, now: number, agents?: readonly KeyRow[] | null]
/** Nulls stand for a missing key, missing counters or a missing day. */
type KeyRow = readonly [
  key: readonly [
    digest: string,
    no: AgentByKeyRow['no'] | null,
    id: AgentByKeyRow['id'],
    owner: AgentByKeyRow['owner'],
    tier: AgentByKeyRow['tier'],
    status: AgentByKeyRow['status'],
    rpm: AgentByKeyRow['rpm'],
    rpd: AgentByKeyRow['rpd'],
    verifyBy: AgentByKeyRow['verify_by'],
    validUntil: AgentByKeyRow['valid_until'],
    keyId: AgentByKeyRow['key_id'],
    scopes: AgentByKeyRow['scopes'],
    networks: AgentByKeyRow['networks'],
    mac: AgentByKeyRow['mac'],
    policyRevision: AgentByKeyRow['policy_revision'],
    agentMac: AgentByKeyRow['agent_mac'],
  ],
  version: string,
  counters: readonly [
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
  ],
  countersVersion: string,
]
type FoundUser = { readonly userId: string; readonly activity: Activity }

/** The last step contains `NUMBER_OF_BATCH`. */
const toHead = (answer: unknown): Head => answer as Head

/** With users, the second step is `LOCK_USERS`. */
const toFoundUsers = (answer: unknown): readonly FoundUser[] => (answer ?? []) as readonly FoundUser[]

function toFoundAgent(row: KeyRow, seals: SealCheck): FoundAgent {
  const [key, version, counters, countersVersion] = row
  const [digest, no, id, owner, tier, status, rpm, rpd, verify_by, valid_until, ...ofKey] = key
  const [key_id, scopes, networks, mac, policy_revision, agent_mac] = ofKey
  const counts = {
    agentNo: no ?? 0,
    version: countersVersion,
    counters: toAgentCounters(counters),
    past: [],
  }
  const limits = { rpm, rpd, verify_by, valid_until, key_id, scopes, networks, policy_revision }
  const agent = toAgentRecord(
    no === null ? undefined : { no, id, owner, tier, status, digest, ...limits, mac, agent_mac },
    seals,
  )
  return { digest, agent, version, counts }
}

function toAgentCounters(found: KeyRow[2]): AgentCounters | Error | undefined {
  const [minute_start, minute_used, day_start, day_used, last_used_at, ...others] = found
  const [last_look_up_at, last_policy_check_at, latest_day, tools, built, built_aware] = others
  if (minute_start === null) return undefined
  const windows = { minute_start, minute_used, day_start, day_used }
  const uses = { last_used_at, last_look_up_at, last_policy_check_at }
  try {
    return toCounters({ ...windows, ...uses, latest_day, tools, built, built_aware })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** A user whose row retention deleted before the lock starts from zero. */
function toUsers({ userIds }: SubjectKeys, found: readonly FoundUser[]): ReadonlyMap<string, UserCounts> {
  const activities = new Map(found.map(({ userId, activity }) => [userId, activity]))
  return new Map(
    userIds.map((userId) => [userId, { userId, activity: activities.get(userId), isChanged: false }]),
  )
}
