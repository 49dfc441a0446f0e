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
import { isEquivalent } from './mutate/equivalent.ts'
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
  'server/src/domain/limits/decide-breaker.ts': [LIMITS_TEST],
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
  'server/src/adapters/sql/stores/sign-in/enrolments.ts': [FACTOR_TEST],
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
  'server/src/domain/policy/holdings/pending-effects.ts': [
    HOLDINGS_TEST,
    'server/src/domain/policy/holdings/pending-effects.test.ts',
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
  const mutants = mutantsOf(text).filter((mutant) => !isEquivalent(file, text, mutant))
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
