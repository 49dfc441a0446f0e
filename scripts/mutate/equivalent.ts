import type { Mutant } from './mutants.ts'

const SQL = 'server/src/adapters/sql/stores'
const LEDGER = `${SQL}/policy/ledger`

/** Equivalent mutants, which no test can detect. By file: the line they are in, and the operator or literal. */
export const EQUIVALENT: Readonly<Record<string, readonly (readonly [line: string, from: string])[]>> = {
  'server/src/adapters/sandbox/world/accounts.ts': [
    ['if (a < b) return a', '<'],
    ['const notBelowZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)', '>'],
    // The hour in which no epochs were used.
    ['hour: 0,', '0'],
  ],
  'server/src/domain/amount.ts': [
    ['if (a < b) return a', '<'],
    ['if (a > b) return a', '>'],
  ],
  'server/src/domain/limits/admission-rules.ts': [
    ['lastUsedAt: Math.max(request.at, activity?.lastUsedAt ?? 0),', '0'],
    // One limit of 0 is enough to charge nothing.
    ['charge(activity, { rpm: 0, rpd: 0 }, at).quota', '0'],
  ],
  'server/src/domain/limits/reserved-share.ts': [['let ofEverybody = 0', '0']],
  'server/src/domain/limits/trailing-minute.ts': [
    ['if (step <= newest) return', '<='],
    ['total -= steps[slot] ?? 0', '0'],
    ['steps[newest % STEPS] = (steps[newest % STEPS] ?? 0) + 1', '0'],
  ],
  'server/src/domain/policy/holdings/pending-effects.ts': [
    // A change that leaves the share the same may count as raising it or not.
    ['amount * under > total * over', '>'],
  ],
  'server/src/domain/policy/time-rules.ts': [
    // Differs only in the first week of 1970.
    ["days.includes(WEEK[(day + WEEK.length) % WEEK.length] ?? 'thu')", '+'],
    // Hours have a beginning and an end that differ.
    ['export const lastHour = ({ from, to }: Hours): number => (to > from ? to : to + 24)', '>'],
    // At the exact moment of opening, the hours count as open.
    ['.find((day) => isOn(rule, day) && opensAt(rule, day) > now)', '>'],
    // A longer search finds nothing more.
    ['const ALL_SEEN_MS = 8 * DAY_MS', '8'],
    ['while (moment <= last) {', '<='],
    // A revision that ends at a moment does not move it.
    ['if (holdsUntil <= at) return at', '<='],
  ],
  [`${SQL}/keys/agent-seal.ts`]: [['no: 0,', '0']],
  [`${SQL}/keys/named-keys.ts`]: [
    // These columns are never null, and an aggregate always returns a row.
    ['createdAt: row.created_at ?? 0,', '0'],
    ['revokedAt: isEnded(row) ? (row.revoked_at ?? row.created_at ?? 0) : endWithAgent(row, agent),', '0'],
    ['const revokedAt = agent.revoked_at ?? 0', '0'],
    ['return Number(found?.keys ?? 0)', '0'],
    [
      "if (ids.length > 0) await transaction.deleteFrom('key_uses').where('key_id', 'in', ids).execute()",
      '>',
    ],
  ],
  [`${SQL}/keys/previous-keys.ts`]: [
    [".map((row) => [row.agent_id, { prefix: row.prefix ?? '', validUntil: row.valid_until ?? 0 }]),", '0'],
  ],
  [`${LEDGER}/booking.ts`]: [['const STEP_ROWS = 200', '200']],
  [`${LEDGER}/count-reserved.ts`]: [
    // Only reads rows that are then unused.
    ['if (newest === null || newest <= first) return []', '<='],
  ],
  [`${LEDGER}/leaving.ts`]: [
    // The row at `to` is never reached: its own minute already reaches the sum that is searched for.
    [".where('at', '<', to)", "'<'"],
  ],
  [`${LEDGER}/ledger-seal.ts`]: [
    ['const MAX_KNOWN = 20_000', '20_000'],
    ['if (known.size >= MAX_KNOWN) known.clear()', '>='],
  ],
  [`${LEDGER}/reservation-states.ts`]: [
    ['const STEP_ROWS = 500', '500'],
    // An extra last step has no rows.
    ['for (let first = 0; first < rows.length; first += STEP_ROWS) {', '<'],
  ],
  [`${SQL}/sign-in/admin-factors.ts`]: [
    ['return { confirmedAt: row.confirmed_at, recoveryCodesLeft: Number(codes?.left ?? 0) }', '0'],
    ['.values({ user_id: userId, ...row, confirmed_at: null, last_step: 0 })', '0'],
    // Only the first row is read.
    [
      "const left = transaction.selectFrom('sessions').select('id').where('user_id', '=', userId).limit(1)",
      '1',
    ],
  ],
  [`${SQL}/sign-in/enrolments.ts`]: [['const ACTIONS_AT_ONCE = 500', '500']],
  [`${SQL}/sign-in/factor-rows.ts`]: [
    // The digest of a recovery code includes its user: if none was deleted, none is left.
    ["if (used.numDeletedRows > 0n) await assertPersisted('recovery_codes', left, undefined)", '>'],
  ],
  // Only the first row is read.
  [`${SQL}/sign-in/proven-networks.ts`]: [['.limit(1)', '1']],
  [`${SQL}/sign-in/sign-in-codes.ts`]: [['.limit(1)', '1']],
}

/** Whether the mutant is a listed one; `text` is the content of the file. */
export const isEquivalent = (file: string, text: string, { at, from }: Mutant): boolean =>
  (EQUIVALENT[file] ?? []).some(([line, operator]) => line === lineAt(text, at) && operator === from)

/** The line around a position, without its indentation. */
export const lineAt = (text: string, at: number): string =>
  text.slice(text.lastIndexOf('\n', at) + 1, text.indexOf('\n', at)).trim()
