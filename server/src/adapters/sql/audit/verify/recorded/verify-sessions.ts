import { type StoredRows, toRows } from '../../stored-rows.ts'
import { Broken } from '../verdict.ts'
import type { RecordedAction } from './recorded-actions.ts'

/** Actions that end all sessions of a user. */
const ENDS_ALL = ['enrol-totp', 'reset-totp']

/** Checks that no ended session and no used recovery code of an admin is stored any more. */
export async function verifySessions(rows: StoredRows, actions: readonly RecordedAction[]): Promise<void> {
  const ended = endedBy(actions)
  for (const { id } of toRows<{ id: string }>(await rows.read('sessions'))) {
    const no = ended.get(id)
    if (no !== undefined)
      throw new Broken(0, `the session ${id} is open, but the management action ${no} ended it`)
  }
  const used = new Map(actions.map(({ no, details }) => [details.recoveryCode, no]))
  for (const { digest, user_id } of toRows<{ digest: string; user_id: string }>(
    await rows.read('recovery_codes'),
  )) {
    const no = used.get(digest)
    if (no !== undefined)
      throw new Broken(
        0,
        `a recovery code of ${user_id} is valid, but was used by the management action ${no}`,
      )
  }
}

/** The ended sessions, each with the number of the action that ended it. */
function endedBy(actions: readonly RecordedAction[]): ReadonlyMap<string, number> {
  const ended = new Map<string, number>()
  const begun = new Map<string, string[]>()
  for (const { no, name, target, details } of actions) {
    if (name === 'end-session' && details.session !== undefined) ended.set(details.session, no)
    else if (details.session !== undefined) begun.set(target, [...(begun.get(target) ?? []), details.session])
    if (!ENDS_ALL.includes(name)) continue
    for (const session of begun.get(target) ?? []) ended.set(session, no)
    begun.delete(target)
  }
  return ended
}
