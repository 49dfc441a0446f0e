import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { dropExpired } from '#adapters/sql/stores/drop-expired.ts'
import { sqlSessions } from '#adapters/sql/stores/sign-in/sessions.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { User, UserTokens } from '#ports/stores/users.ts'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { testClock } from '../../../test/support/test-clock.ts'
import {
  endSession,
  issueToken,
  isTokenStillValid,
  listSessions,
  prepareSession,
  refuseStaleAdmin,
} from './sessions.ts'

const SECONDS = 60
const MOST = 3
const FRESH_MS = 900_000
const ORIGIN = { client: '203.0.113.77', via: 'rest' } as const

const userOf = (id: string, session: string): User => ({
  id,
  email: undefined,
  role: 'admin',
  session: { id: session, signedInAt: 0, hasFactor: false, issuedBy: 'sign-in' },
})

async function openSessions() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const { db } = opened.use(await openSqlite(folder.path))
  const clock = testClock()
  const sessions = sqlSessions(db, openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' }))
  let made = 0
  let lifetimeSeconds = SECONDS
  const tokens: Pick<UserTokens, 'issue'> = {
    issue: async (who, session) => ({
      token: JSON.stringify(session),
      userId: 'wallet' in who ? who.wallet : who.email,
      expiresInSeconds: lifetimeSeconds,
    }),
  }
  const secrets = { newSessionId: () => `session ${++made}` }
  const prepare = prepareSession({ clock, secrets, tokens, most: MOST })
  const resources = opened.move()
  return {
    db,
    clock,
    useLifetime(seconds: number) {
      lifetimeSeconds = seconds
    },
    /** Returns the id of the session. */
    async signIn(email: string, hasFactor = false) {
      const prepared = await prepare({ email, role: 'user' }, ORIGIN)
      await sessions.begin(prepared)
      const issued = hasFactor ? prepared.issuedWithFactor : prepared.issued
      const { id, ...more }: Record<string, unknown> = JSON.parse(issued.token)
      assert.deepEqual(more, { hasFactor, issuedBy: 'sign-in' })
      return String(id)
    },
    issueToken: issueToken({ clock, secrets, sessions, tokens, most: MOST }),
    isValid: (userId: string, session: string) =>
      isTokenStillValid({ sessions, clock })(userOf(userId, session)),
    isUserValid: (user: User) => isTokenStillValid({ sessions, clock })(user),
    list: (userId: string) => listSessions({ sessions, clock })(userOf(userId, '')),
    end: (userId: string, session: string) =>
      endSession({ sessions, clock })(userOf(userId, ''), session, ORIGIN),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

test('a token is valid from the sign-in to its expiry, for its user only', async () => {
  await using opened = await openSessions()
  const { clock, signIn, isValid, isUserValid } = opened
  const id = await signIn('ann', true)
  assert.equal(await isValid('ann', id), true)
  assert.equal(await isValid('eve', id), false)
  assert.equal(await isValid('ann', 'another'), false)
  clock.advance(SECONDS * 1_000 - 1)
  assert.equal(await isValid('ann', id), true)
  clock.advance(1)
  assert.equal(await isValid('ann', id), false)
  const { session: _, ...elsewhere } = userOf('ann', '')
  assert.equal(await isUserValid(elsewhere), true, 'its issuer says when it ends')
})

test('a token issued by the operator has a recorded session and proves no second factor', async () => {
  await using opened = await openSessions()
  const { issueToken, list, isValid } = opened
  const { token, sessionId } = await issueToken('root')
  assert.deepEqual(JSON.parse(token), { id: sessionId, hasFactor: false, issuedBy: 'operator' })
  assert.equal(await isValid('root', sessionId), true)
  assert.deepEqual(
    (await list('root')).map(({ id, issuedBy }) => ({ id, issuedBy })),
    [{ id: sessionId, issuedBy: 'operator' }],
  )
})

test('open sessions are listed newest first, with start, end and a truncated address', async () => {
  await using opened = await openSessions()
  const { clock, signIn, list } = opened
  const start = clock.now()
  const first = await signIn('ann')
  clock.advance(1_000)
  const second = await signIn('ann')
  const third = await signIn('ann')
  await signIn('eve')
  assert.deepEqual(
    (await list('ann')).map(({ id }) => id),
    [third, second, first],
  )
  const oldest = (await list('ann'))[2]
  assert.deepEqual(oldest, {
    id: first,
    userId: 'ann',
    issuedBy: 'sign-in',
    truncatedAddress: '203.0.113.0',
    createdAt: start,
    expiresAt: start + SECONDS * 1_000,
  })
  clock.advance(SECONDS * 1_000 - 1_000)
  assert.deepEqual(
    (await list('ann')).map(({ id }) => id),
    [third, second],
  )
})

test('a session can be ended once, by its own user, and not after its expiry', async () => {
  await using opened = await openSessions()
  const { clock, signIn, isValid, end } = opened
  const [first, second] = [await signIn('ann'), await signIn('ann')]
  await assert.rejects(end('eve', first), { code: 'not_found' })
  assert.equal(await isValid('ann', first), true)
  await end('ann', first)
  assert.equal(await isValid('ann', first), false)
  assert.equal(await isValid('ann', second), true)
  await assert.rejects(end('ann', first), { code: 'not_found' })
  clock.advance(SECONDS * 1_000)
  await assert.rejects(end('ann', second), { code: 'not_found' })
})

test('the upkeep deletes expired sessions, and no others', async () => {
  await using opened = await openSessions()
  const { db, clock, signIn } = opened
  const stored = async () =>
    (await db.selectFrom('sessions').select('id').orderBy('id').execute()).map(({ id }) => id)
  await signIn('ann')
  clock.advance(1)
  await signIn('eve')
  clock.advance(SECONDS * 1_000 - 1)
  await signIn('bob')
  assert.deepEqual(await stored(), ['session 1', 'session 2', 'session 3'])
  await dropExpired(db, clock.now() + 1)
  assert.deepEqual(await stored(), ['session 2', 'session 3'])
})

test('sessions that have ended do not count towards the limit of open ones', async () => {
  await using opened = await openSessions()
  const { clock, signIn, isValid, useLifetime } = opened
  const long = await signIn('ann')
  useLifetime(1)
  for (let count = 0; count < MOST; count += 1) {
    clock.advance(2_000)
    await signIn('ann')
  }
  assert.equal(await isValid('ann', long), true)
})

test('a sign-in beyond the limit of open sessions ends the oldest one of its user, and of nobody else', async () => {
  await using opened = await openSessions()
  const { clock, signIn, list, isValid } = opened
  const ofEve = await signIn('eve')
  const ids: string[] = []
  for (let count = 0; count <= MOST; count += 1) {
    clock.advance(1)
    ids.unshift(await signIn('ann'))
  }
  assert.deepEqual(
    (await list('ann')).map(({ id }) => id),
    ids.slice(0, MOST),
  )
  assert.equal(await isValid('ann', ids.at(-1) ?? ''), false)
  assert.equal(await isValid('eve', ofEve), true)
})

test('an admin is stale from 15 minutes after the sign-in on; other users never are', () => {
  const session = { id: 'one', signedInAt: 1_000, hasFactor: true, issuedBy: 'sign-in' } as const
  const admin: User = { ...userOf('root', 'one'), session }
  const { session: _, ...elsewhere } = admin
  assert.equal(refuseStaleAdmin(admin, 1_000 + FRESH_MS - 1, FRESH_MS), undefined)
  const refusal = refuseStaleAdmin(admin, 1_000 + FRESH_MS, FRESH_MS)
  assert.equal(refusal?.code, 'forbidden')
  assert.match(refusal?.message ?? '', /in the first 15 minutes/)
  const ofOperator: User = { ...admin, session: { ...session, issuedBy: 'operator' } }
  assert.match(
    refuseStaleAdmin(ofOperator, 1_000 + FRESH_MS, FRESH_MS)?.message ?? '',
    /15 minutes.*stakewright admin token/,
  )
  assert.equal(refuseStaleAdmin({ ...admin, role: 'user' }, 1_000 + FRESH_MS, FRESH_MS), undefined)
  assert.equal(refuseStaleAdmin(elsewhere, 1_000 + FRESH_MS, FRESH_MS), undefined)
})
