import type { Activity } from '#ports/stores/admission.ts'
import { AGENT, COUNTERS } from '../admission/agent-columns.ts'
import type { AgentCounters } from '../admission/agent-counters.ts'
import {
  ACTIVITY,
  ACTIVITY_COLUMNS,
  type CountersRow,
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
        given.place,
        json_build_array(${AGENT.select}),
        concat(k.version, ' ', a.version),
        json_build_array(${COUNTERS.select}),
        concat(v.version)
      )) from unnest(${GIVEN_TEXTS}, array(select json_array_elements_text($2::json)))
        with ordinality as given(digest, known, place)
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
    agents: (agents ?? []).map((row) => toFoundAgent(keys, row, seals)),
    users: toUsers(keys, users),
  }
}

type Head = readonly [seq: number, now: number, agents?: readonly KeyRow[] | null]
type KeyRow = readonly [
  /** Position of the digest in the request, from 1. */
  place: number,
  agent: readonly unknown[],
  version: string,
  counters: readonly unknown[],
  countersVersion: string,
]
type FoundUser = { readonly userId: string; readonly activity: Activity }

/** The last step contains `NUMBER_OF_BATCH`. */
const toHead = (answer: unknown): Head => answer as Head

/** With users, the second step is `LOCK_USERS`. */
const toFoundUsers = (answer: unknown): readonly FoundUser[] => (answer ?? []) as readonly FoundUser[]

function toFoundAgent({ digests }: SubjectKeys, row: KeyRow, seals: SealCheck): FoundAgent {
  const [place, ofAgent, version, ofCounters, countersVersion] = row
  const found = AGENT.read(ofAgent, 0)
  const counters = toAgentCounters(COUNTERS.read(ofCounters, 0))
  return {
    digest: digests[place - 1] ?? '',
    agent: toAgentRecord(found, seals),
    version,
    counts: { agentNo: found?.no ?? 0, version: countersVersion, counters, past: [] },
  }
}

function toAgentCounters(row: CountersRow | undefined): AgentCounters | Error | undefined {
  try {
    return toCounters(row)
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
