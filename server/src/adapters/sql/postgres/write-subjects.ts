import type { CountedDay } from '../admission/agent-counters.ts'
import { ACTIVITY, ACTIVITY_COLUMNS, LATEST_DAY_COLUMNS, NEW_ACTIVITY } from '../admission/rows.ts'
import type { Statement, Step } from './connections/round-trip.ts'
import type { AgentCounts, UserCounts } from './subjects.ts'

const GIVEN_ACTIVITY = ACTIVITY.map(([, name]) => `"${name}"`).join(', ')
const GIVEN_TYPES = ACTIVITY.map(([, name]) => `"${name}" bigint`).join(', ')
const GIVEN_DAY = 'given.day, given.tools, given.built, given."builtAware"'
const GIVEN_DAY_TYPES = 'day integer, tools text, built integer, "builtAware" integer'

const AGENT_COLUMNS = `version, ${ACTIVITY_COLUMNS}, ${LATEST_DAY_COLUMNS}`
const GIVEN_AGENT = `$2::bigint, ${GIVEN_ACTIVITY}, ${GIVEN_DAY}`
/**
 * The agents are locked already; an upsert would lock each row again, which adds a record to Postgres' WAL. With an
 * array Postgres looks the rows up by their key; for a join it would read the whole table.
 */
const WRITE_AGENTS: Statement = {
  name: 'write-agents',
  text: `with given as (
      select * from json_to_recordset($1) as given("agentNo" integer, ${GIVEN_TYPES}, ${GIVEN_DAY_TYPES})
    ), updated as (
      update agent_activity set (${AGENT_COLUMNS}) = row(${GIVEN_AGENT})
      from given where agent_no = "agentNo" and agent_no = any(array(select "agentNo" from given))
      returning agent_no
    )
    insert into agent_activity (agent_no, ${AGENT_COLUMNS})
    select "agentNo", ${GIVEN_AGENT} from given where "agentNo" not in (select agent_no from updated)`,
}
const WRITE_USERS: Statement = {
  name: 'write-users',
  text: `insert into user_activity (user_id, ${ACTIVITY_COLUMNS})
    select "userId", ${GIVEN_ACTIVITY} from json_to_recordset($1) as given("userId" text, ${GIVEN_TYPES})
    on conflict (user_id) do update set ${NEW_ACTIVITY}`,
}
const WRITE_KEY_USES: Statement = {
  name: 'write-key-uses',
  text: `insert into key_uses as k (key_id, last_used_at)
    select key, value::bigint from json_each_text($1) order by key
    on conflict (key_id) do update set last_used_at = greatest(k.last_used_at, excluded.last_used_at)`,
}
/** Matches a JSON object of names and whole numbers. */
const COUNTS_PATTERN = String.raw`^\s*\{(\s*"\w+"\s*:\s*\d{1,15}\s*(,|(?=\})))*\}\s*$`
/**
 * After a wrong clock, a day that was the latest one earlier already has a row, to which the counts are added. A
 * damaged row stays unchanged, so that `audit verify` reports it: it must not fail the whole batch.
 */
const ADD_DAY: Statement = {
  name: 'add-day',
  text: `insert into agent_days as d (agent_no, day, tools, built, built_aware)
    select $1::integer, ${GIVEN_DAY} from json_to_record($2) as given(${GIVEN_DAY_TYPES})
    on conflict (agent_no, day) do update set
      tools = case when d.tools ~ '${COUNTS_PATTERN}' then (
        select json_object_agg(key, total)::text from (
          select key, sum(value::bigint) as total
          from (select * from json_each_text(d.tools::json)
            union all select * from json_each_text(excluded.tools::json)) parts
          group by key
        ) sums
      ) else d.tools end,
      built = d.built + excluded.built,
      built_aware = d.built_aware + excluded.built_aware`,
}

/** The steps that write a batch's changes. */
export function writeSteps(
  seq: number,
  agents: Iterable<AgentCounts>,
  users: Iterable<UserCounts>,
  keyUses: ReadonlyMap<string, number>,
): readonly Step[] {
  const ofAgents: object[] = []
  const ofDays: Step[] = []
  const ofUsers: object[] = []
  for (const { agentNo, counters, past } of agents) {
    if (!counters || counters instanceof Error) continue
    ofAgents.push({ agentNo, ...counters.activity, ...toDay(counters.latest) })
    for (const day of past) ofDays.push([ADD_DAY, [agentNo, JSON.stringify(toDay(day))]])
  }
  for (const { userId, activity, isChanged } of users) {
    if (isChanged) ofUsers.push({ userId, ...activity })
  }
  const steps = ofDays
  if (ofAgents.length > 0) steps.push([WRITE_AGENTS, [JSON.stringify(ofAgents), seq]])
  if (ofUsers.length > 0) steps.push([WRITE_USERS, [JSON.stringify(ofUsers)]])
  if (keyUses.size > 0) steps.push([WRITE_KEY_USES, [JSON.stringify(Object.fromEntries(keyUses))]])
  return steps
}

const toDay = (counted: CountedDay | undefined) => counted && { day: counted.day, ...counted.counts }
