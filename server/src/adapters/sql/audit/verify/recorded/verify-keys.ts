import { Broken } from '../verdict.ts'
import type { AgentRow, KeyRow, RecordedAction } from './recorded-actions.ts'

const ENDS_A_KEY = ['revoke-key', 'revoke-self', 'report-leak']
const ISSUES_A_NAMED_KEY = 'create-key'
const ISSUES_A_PRIMARY_KEY = ['register', 'self-register', 'create-sandbox-key', 'rotate']

/**
 * An ended key stays ended. Of primary keys only the newest works and, in its grace period, the one before. People tell
 * keys apart by name and prefix, which no seal covers: they must be those that the action recorded.
 */
export function verifyKeys(
  agents: ReadonlyMap<string, AgentRow>,
  keys: readonly KeyRow[],
  actions: readonly RecordedAction[],
): void {
  const byDigest = new Map(keys.map((key) => [key.digest, key]))
  for (const action of actions) verifyLabels(byDigest.get(action.details.key?.digest ?? ''), action)
  const isWorking = ({ target }: RecordedAction) => (agents.get(target)?.status ?? 'revoked') !== 'revoked'
  for (const { no, name, target, details } of actions.filter(isWorking)) {
    const end = byDigest.get(details.key?.digest ?? '')?.valid_until
    if (ENDS_A_KEY.includes(name) && end !== undefined && end !== 0)
      throw new Broken(
        0,
        `the key ${details.key?.prefix}… of ${target} works, but the management action ${no} ended it`,
      )
  }
  const issued = Map.groupBy(
    actions.filter((action) => isWorking(action) && ISSUES_A_PRIMARY_KEY.includes(action.name)),
    ({ target }) => agents.get(target)?.no,
  )
  for (const key of keys) if (key.id === null) verifyPrimary(key, issued.get(key.agent_no) ?? [])
  for (const { key_prefix: prefix, no } of agents.values()) verifyPrefix(prefix, issued.get(no)?.at(-1))
}

function verifyLabels(
  row: KeyRow | undefined,
  { no, name: action, target, details: { key } }: RecordedAction,
): void {
  const isNamed = action === ISSUES_A_NAMED_KEY
  if (!row || !key || !(isNamed || ISSUES_A_PRIMARY_KEY.includes(action))) return
  // Actions of earlier versions do not record the name. A primary key has none.
  const name = isNamed ? (key.name ?? row.name) : null
  if (row.prefix === key.prefix && row.name === name) return
  throw new Broken(
    0,
    `the name and prefix of a key of ${target} are not those of the management action ${no}`,
  )
}

function verifyPrefix(prefix: string, issued: RecordedAction | undefined): void {
  const key = issued?.details.key
  if (!issued || !key || key.prefix === prefix) return
  throw new Broken(
    0,
    `the prefix of the key of ${issued.target} is not that of the management action ${issued.no}`,
  )
}

/** `issued`: the actions that gave the agent its primary keys, oldest first. */
function verifyPrimary({ digest, valid_until: end }: KeyRow, issued: readonly RecordedAction[]): void {
  const [newest, previous] = [issued.at(-1), issued.at(-2)]
  if (end === 0 || newest === undefined) return
  const isOf = (action: RecordedAction | undefined) => {
    const key = action?.details.key
    // Actions of earlier versions do not record the key.
    return key === undefined || key.digest === digest
  }
  if (end === null ? isOf(newest) : isOf(previous)) return
  throw new Broken(
    0,
    end === null
      ? `the key of ${newest.target} is not that of the management action ${newest.no}`
      : `a former key of ${newest.target} works, but the management action ${newest.no} ended it`,
  )
}
