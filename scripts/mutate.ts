/**
 * Mutation testing of the rules of auth, limits, states and money: changes one operator or literal at a time and runs
 * the tests that cover the file. A surviving mutant is a change that no test detects. `npm run mutate -- words` takes
 * the files whose path contains one of the words. Nothing on the disk is changed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Mutant, mutantsOf } from './mutate/mutants.ts'

const ROOT = join(import.meta.dirname, '..')
const HOOK = pathToFileURL(join(import.meta.dirname, 'mutate', 'hook.ts')).href
/** The timeout of a mutant, as a multiple of the time without mutation: an endless loop counts as killed. */
const TIMES_AS_LONG = 20
const LEAST_KILLED = 0.95

const POLICY_TEST = 'server/src/domain/policy/check-policy.test.ts'
const RULE_LIMITS_TEST = 'server/src/domain/policy/rule-limits.test.ts'
const HOLDINGS_TEST = 'server/src/domain/policy/holdings/holding-rules.test.ts'
const LIMITS_TEST = 'server/src/domain/limits/limits.test.ts'
const TOKENS_TEST = 'server/src/adapters/jwt/forged-tokens.test.ts'
const FACTOR_TEST = 'server/src/domain/users/second-factor.test.ts'
const SIGN_IN_TEST = 'server/src/domain/users/sign-in.test.ts'
const SESSIONS_TEST = 'server/src/domain/users/sessions.test.ts'
const LEDGER = 'server/src/adapters/sql/stores/policy/ledger'
const LEDGER_TESTS = [`${LEDGER}/ledger.test.ts`, `${LEDGER}/policy-seal.test.ts`]
const APPROVALS = 'server/src/adapters/sql/stores/policy'
const TOGETHER_TEST = 'server/src/adapters/sql/stores/policy/reserve-all.test.ts'
const APPROVALS_TESTS = [`${APPROVALS}/approvals.test.ts`]
const KEYS = 'server/src/adapters/sql/stores/keys'
const SEALS_TEST = `${KEYS}/agent-seal.test.ts`
const KEYS_TESTS = [`${KEYS}/keys.test.ts`]
const SIGN_IN = 'server/src/adapters/sql/stores/sign-in'
const SIGN_IN_TESTS = [`${SIGN_IN}/sign-in-codes.test.ts`]
/** The files, and the tests that cover each. */
const COVERED: Readonly<Record<string, readonly string[]>> = {
  'server/src/domain/limits/window.ts': [LIMITS_TEST, 'server/src/domain/limits/window.test.ts'],
  'server/src/domain/limits/judge-load.ts': [LIMITS_TEST],
  'server/src/domain/limits/trailing-minute.ts': ['server/src/domain/limits/trailing-minute.test.ts'],
  'server/src/domain/limits/reserved-share.ts': ['server/src/domain/limits/reserved-share.test.ts'],
  'server/src/domain/agents/agent-state.ts': ['server/src/domain/agents/agent-state.test.ts'],
  'server/src/domain/agents/keys/allowed-networks.ts': [
    'server/src/domain/agents/keys/allowed-networks.test.ts',
  ],
  'server/src/adapters/jwt/token-shape.ts': [TOKENS_TEST, 'server/src/adapters/jwt/token-shape.test.ts'],
  'server/src/adapters/jwt/own-tokens.ts': [TOKENS_TEST, 'server/src/adapters/jwt/own-tokens.test.ts'],
  'server/src/adapters/jwt/user-claims.ts': [TOKENS_TEST],
  'server/src/adapters/sandbox/world/accounts.ts': ['server/src/adapters/sandbox/world/accounts.test.ts'],
  'server/src/domain/users/totp.ts': [FACTOR_TEST],
  'server/src/domain/users/second-factor.ts': [FACTOR_TEST],
  'server/src/domain/users/sessions.ts': [SESSIONS_TEST],
  'server/src/domain/users/request-code.ts': [SIGN_IN_TEST],
  'server/src/domain/users/exchange-code.ts': [SIGN_IN_TEST, 'server/test/api/sign-in/second-factor.test.ts'],
  'server/src/adapters/totp/otpauth-codes.ts': ['server/src/adapters/totp/otpauth-codes.test.ts'],
  'server/src/adapters/sql/stores/sign-in/admin-factors.ts': [FACTOR_TEST],
  'server/src/adapters/sql/stores/sign-in/factor-rows.ts': [FACTOR_TEST],
  'server/src/adapters/sql/stores/sign-in/factor-tries.ts': [FACTOR_TEST],
  'server/src/adapters/sql/stores/sign-in/sessions.ts': [SESSIONS_TEST],
  'server/src/domain/policy/revisions/loosens.ts': ['server/src/domain/policy/revisions/loosens.test.ts'],
  'server/src/domain/policy/reservations/new-stakes.ts': [
    'server/src/domain/policy/reservations/new-stakes.test.ts',
    'server/src/domain/policy/holdings/holding-rules.test.ts',
  ],
  'server/src/domain/policy/window-rules.ts': ['server/test/policy/window-rules.test.ts'],
  'server/src/domain/policy/check-policy.ts': [POLICY_TEST, RULE_LIMITS_TEST],
  'server/src/domain/policy/validator-rules.ts': [RULE_LIMITS_TEST],
  'server/src/domain/policy/time-rules.ts': ['server/src/domain/policy/time-rules.test.ts'],
  'server/src/domain/policy/policies-in-force.ts': ['server/src/domain/policy/policies-in-force.test.ts'],
  'server/src/domain/policy/holdings/amounts.ts': [HOLDINGS_TEST],
  'server/src/domain/policy/holdings/max-share.ts': [
    HOLDINGS_TEST,
    'server/src/domain/policy/holdings/max-share.test.ts',
  ],
  'server/src/domain/policy/approvals/approval-state.ts': [
    'server/src/domain/policy/approvals/approval-state.test.ts',
  ],
  'server/src/domain/limits/admission-rules.ts': ['server/src/domain/limits/admission-rules.test.ts'],
  'server/src/adapters/sql/admission/agent-counters.ts': ['server/test/contracts/sqlite-admission.test.ts'],
  [`${KEYS}/agent-seal.ts`]: [SEALS_TEST, ...LEDGER_TESTS],
  [`${KEYS}/key-seal.ts`]: [SEALS_TEST, ...KEYS_TESTS],
  [`${KEYS}/named-keys.ts`]: KEYS_TESTS,
  [`${KEYS}/previous-keys.ts`]: KEYS_TESTS,
  [`${KEYS}/primary-keys.ts`]: KEYS_TESTS,
  [`${KEYS}/revoke-by-key.ts`]: KEYS_TESTS,
  [`${SIGN_IN}/sign-in-codes.ts`]: SIGN_IN_TESTS,
  [`${SIGN_IN}/code-tries.ts`]: SIGN_IN_TESTS,
  [`${SIGN_IN}/proven-networks.ts`]: SIGN_IN_TESTS,
  [`${LEDGER}/ledger-seal.ts`]: LEDGER_TESTS,
  [`${LEDGER}/policy-seal.ts`]: LEDGER_TESTS,
  [`${LEDGER}/moved-sums.ts`]: LEDGER_TESTS,
  [`${LEDGER}/levels.ts`]: LEDGER_TESTS,
  [`${LEDGER}/booking.ts`]: LEDGER_TESTS,
  [`${LEDGER}/booked-rows.ts`]: LEDGER_TESTS,
  [`${LEDGER}/reservation-states.ts`]: LEDGER_TESTS,
  [`${LEDGER}/window-path.ts`]: LEDGER_TESTS,
  [`${LEDGER}/count-reserved.ts`]: [...LEDGER_TESTS, TOGETHER_TEST],
  [`${LEDGER}/ledger-view.ts`]: [...LEDGER_TESTS, TOGETHER_TEST],
  [`${LEDGER}/leaving.ts`]: LEDGER_TESTS,
  [`${APPROVALS}/approval-seal.ts`]: APPROVALS_TESTS,
  [`${APPROVALS}/approval-changes.ts`]: APPROVALS_TESTS,
  [`${APPROVALS}/approval-queries.ts`]: APPROVALS_TESTS,
  [`${APPROVALS}/approvals.ts`]: APPROVALS_TESTS,
  'server/src/domain/amount.ts': ['server/src/domain/amount.test.ts'],
}

/** Equivalent mutants, which no test can detect: the line they are in, and the operator or literal. */
const EQUIVALENT: readonly (readonly [line: string, from: string])[] = [
  ['no: 0,', '0'],
  ['const STEP_ROWS = 200', '200'],
  ['const STEP_ROWS = 500', '500'],
  ['const ACTIONS_AT_ONCE = 500', '500'],
  ['if (a > b) return a', '>'],
  ['const isFirstOf = sign === 1 && (sums.epoch === null || epoch > sums.epoch)', '>'],
  // The row at `to` is never reached: its own minute already reaches the sum that is searched for.
  [".where('at', '<', to)", "'<'"],
  ['const MOST_KNOWN = 20_000', '20_000'],
  ['if (known.size >= MOST_KNOWN) known.clear()', '>='],
  ['if (a < b) return a', '<'],
  ['let ofEverybody = 0', '0'],
  ['return { confirmedAt: row.confirmed_at, recoveryCodesLeft: Number(codes?.left ?? 0) }', '0'],
  ['.values({ user_id: userId, ...row, confirmed_at: null, last_step: 0 })', '0'],
  ['const notBelowZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)', '>'],
  ['recent.add(hashKey(credential, seed), 1)', '1'],
  ['if (step <= newest) return', '<='],
  ['total -= steps[slot] ?? 0', '0'],
  // These columns are never null, and an aggregate always returns a row.
  ['createdAt: row.created_at ?? 0,', '0'],
  ['revokedAt: isEnded(row) ? (row.revoked_at ?? row.created_at ?? 0) : endWithAgent(row, agent),', '0'],
  ['const revokedAt = agent.revoked_at ?? 0', '0'],
  ['return Number(found?.keys ?? 0)', '0'],
  ["if (ids.length > 0) await transaction.deleteFrom('key_uses').where('key_id', 'in', ids).execute()", '>'],
  [".map((row) => [row.agent_id, { prefix: row.prefix ?? '', validUntil: row.valid_until ?? 0 }]),", '0'],
  // An extra last step has no rows.
  ['for (let first = 0; first < rows.length; first += STEP_ROWS) {', '<'],
  // Only reads rows that are then unused.
  ['if (newest === null || newest <= first) return []', '<='],
  // Only the first row is read.
  ['.limit(1)', '1'],
  [
    "const left = transaction.selectFrom('sessions').select('id').where('user_id', '=', userId).limit(1)",
    '1',
  ],
  // The digest of a recovery code includes its user: if none was deleted, none is left.
  ["if (used.numDeletedRows > 0n) await assertPersisted('recovery_codes', left, undefined)", '>'],
  // The hour in which no epochs were used.
  ['hour: 0,', '0'],
  ['steps[newest % STEPS] = (steps[newest % STEPS] ?? 0) + 1', '0'],
  ['const MOST_KNOWN = 1_000', '1_000'],
  ['lastUsedAt: Math.max(request.at, activity?.lastUsedAt ?? 0),', '0'],
  // One limit of 0 is enough to charge nothing.
  ['charge(activity, { rpm: 0, rpd: 0 }, at).quota', '0'],
  // A change that leaves the share the same may count as raising it or not.
  ['const raises = (changes: Amounts) => (changes.get(id) ?? 0n) * under > sumOf(changes) * over', '>'],
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
]

const lineAt = (text: string, at: number) =>
  text.slice(text.lastIndexOf('\n', at) + 1, text.indexOf('\n', at)).trim()

const isEquivalent = (text: string, { at, from }: Mutant) =>
  EQUIVALENT.some(([line, operator]) => line === lineAt(text, at) && operator === from)

async function passes(
  tests: readonly string[],
  file: string,
  mutant?: Mutant,
  longestMs?: number,
): Promise<boolean> {
  const change = mutant && { file: pathToFileURL(join(ROOT, file)).href, ...mutant }
  const child = spawn(process.execPath, ['--import', HOOK, '--test', ...tests], {
    cwd: ROOT,
    env: { ...process.env, MUTANT: JSON.stringify(change ?? {}) },
    stdio: 'ignore',
    // A process group of its own: the runner starts a process per test file, and an endless one must end with it.
    detached: true,
  })
  const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
  const timer = longestMs === undefined ? undefined : setTimeout(end, longestMs)
  process.once('exit', end)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  process.off('exit', end)
  return code === 0
}

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length

async function tryFile(file: string, tests: readonly string[]) {
  const startedAt = performance.now()
  if (!(await passes(tests, file))) throw new Error(`${tests.join(' ')} fails without any change.`)
  const longestMs = Math.ceil(TIMES_AS_LONG * (performance.now() - startedAt))
  const text = readFileSync(join(ROOT, file), 'utf8')
  const mutants = mutantsOf(text).filter((mutant) => !isEquivalent(text, mutant))
  let killed = 0
  for (const mutant of mutants) {
    if (!(await passes(tests, file, mutant, longestMs))) killed += 1
    else console.log(`  survived  ${file}:${lineOf(text, mutant.at)}  ${mutant.from} → ${mutant.to}`)
  }
  console.log(`${String(killed).padStart(4)} of ${mutants.length} killed  ${file}`)
  return { killed, all: mutants.length }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const words = process.argv.slice(2)
const chosen = Object.entries(COVERED).filter(
  ([file]) => words.length === 0 || words.some((word) => file.includes(word)),
)
if (chosen.length === 0) {
  console.error(`No file in the list of scripts/mutate.ts has ${words.join(' or ')} in its path.`)
  process.exit(2)
}
let killed = 0
let all = 0
for (const [file, tests] of chosen) {
  const tried = await tryFile(file, tests)
  killed += tried.killed
  all += tried.all
}
console.log(`${killed} of ${all} killed: ${((100 * killed) / Math.max(1, all)).toFixed(1)} %`)
process.exitCode = all > 0 && killed >= LEAST_KILLED * all ? 0 : 1
