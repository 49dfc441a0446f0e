import { ACTIVITY, ACTIVITY_COLUMNS, NEW_ACTIVITY } from '../admission/rows.ts'
import type { Statement, Step } from './connections/round-trip.ts'
import type { AgentCounts, UserCounts } from './subjects.ts'

const GIVEN_ACTIVITY = ACTIVITY.map(([, name]) => `"${name}"`).join(', ')
const GIVEN_TYPES = ACTIVITY.map(([, name]) => `"${name}" bigint`).join(', ')

const WRITE_AGENTS: Statement = {
  name: 'write-agents',
  text: `insert into agent_activity (agent_no, version, ${ACTIVITY_COLUMNS})
    select "agentNo", $2::bigint, ${GIVEN_ACTIVITY}
    from json_to_recordset($1) as given("agentNo" integer, ${GIVEN_TYPES})
    on conflict (agent_no) do update set version = excluded.version, ${NEW_ACTIVITY}`,
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
const WRITE_DAYS: Statement = {
  name: 'write-days',
  text: `insert into agent_days (agent_no, day, tools, built, built_aware)
    select "agentNo", day, tools, built, "builtAware"
    from json_to_recordset($1)
      as given("agentNo" integer, day integer, tools text, built integer, "builtAware" integer)
    on conflict (agent_no, day) do update
      set tools = excluded.tools, built = excluded.built, built_aware = excluded.built_aware`,
}

/** The steps that write a batch's changes. */
export function writeSteps(
  seq: number,
  agents: Iterable<AgentCounts>,
  users: Iterable<UserCounts>,
  keyUses: ReadonlyMap<string, number>,
): readonly Step[] {
  const ofAgents: object[] = []
  const ofDays: object[] = []
  const ofUsers: object[] = []
  for (const { agentNo, activity, days, changed } of agents) {
    ofAgents.push({ agentNo, ...activity })
    for (const day of changed) ofDays.push({ agentNo, day, ...days.get(day) })
  }
  for (const { userId, activity, isChanged } of users) {
    if (isChanged) ofUsers.push({ userId, ...activity })
  }
  const steps: Step[] = []
  if (ofAgents.length > 0) steps.push([WRITE_AGENTS, [JSON.stringify(ofAgents), seq]])
  if (ofDays.length > 0) steps.push([WRITE_DAYS, [JSON.stringify(ofDays)]])
  if (ofUsers.length > 0) steps.push([WRITE_USERS, [JSON.stringify(ofUsers)]])
  if (keyUses.size > 0) steps.push([WRITE_KEY_USES, [JSON.stringify(Object.fromEntries(keyUses))]])
  return steps
}
