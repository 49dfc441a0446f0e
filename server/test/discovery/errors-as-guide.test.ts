import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@stakewright/contract'
import { openTestApp } from '../support/test-app.ts'

type Request = { readonly method: string; readonly path: string; readonly body?: unknown }
type Fields = Readonly<Record<string, string>>

/**
 * Requests one path without a key or a body, and then only follows the errors: `allow`, `fix`, `details` and `next`. It
 * knows the values that it wants to send, but no other path and no header of this API.
 */
async function followErrors(url: string, goal: string, { method: first, wish }: Start) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  let method = first
  let credentialHeader = ''
  let chosen: Fields = {}
  let detours: readonly Detour[] = []
  for (let calls = 1; calls <= MAX_CALLS; calls++) {
    const [detour, ...later] = detours
    const request: Request = detour?.request ?? {
      method,
      path: goal,
      ...(Object.keys(chosen).length > 0 && { body: chosen }),
    }
    const response = await fetch(new URL(request.path, url), {
      method: request.method,
      headers,
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    })
    const answer = JSON.parse(await response.text())
    if (response.ok && detour === undefined) return { calls, answer, chosen }
    if (response.ok) {
      // The answer of a detour has the missing value: of a field, or else the credential.
      if (detour?.field !== undefined) chosen = { ...chosen, [detour.field]: answer.data[0].id }
      else headers[credentialHeader] = findSecret(answer)
      detours = later
      continue
    }
    const { fix, next, details = [] } = answer as ErrorBody
    method = response.headers.get('allow')?.split(',')[0] ?? method
    credentialHeader = /\bX-[\w-]+/.exec(fix)?.[0] ?? credentialHeader
    for (const { field } of details) {
      const wished = wish[field]
      if (wished !== undefined) chosen = { ...chosen, [field]: wished }
    }
    const missing = details.filter(({ field }) => !(field in chosen))
    const sources = missing.flatMap(({ field, message }) => {
      const [, named = '', path = ''] = /\b([A-Z]+) (\/\S+)/.exec(message) ?? []
      return path === '' ? [] : [{ field, request: { method: named, path } }]
    })
    const isKnown = sources.some(({ request }) => request.path === next?.path)
    detours = [...(next && !isKnown ? [{ request: next }] : []), ...sources]
    assert(detours.length > 0, `${request.method} ${request.path}: ${JSON.stringify(answer)}`)
  }
  return assert.fail(`no success after ${MAX_CALLS} calls`)
}

type Start = { readonly method: string; readonly wish: Fields }

/** A call that an error names. `field`: the field that its answer is for; left out: the credential. */
type Detour = { readonly request: Request; readonly field?: string }

const MAX_CALLS = 8

/** The one value that looks like a secret: long, and without spaces. */
function findSecret(answer: unknown): string {
  const [secret] = JSON.stringify(answer).match(/\w{40,}/) ?? []
  assert(secret, 'the answer has a secret')
  return secret
}

for (const SANDBOX_SEED of ['1', '7'])
  for (const method of ['GET', 'POST'])
    test(`seed ${SANDBOX_SEED}, ${method}: an agent without a key that only follows errors gets its stake built in four calls`, async () => {
      await using app = await openTestApp({ env: { SANDBOX_SEED } })
      const amount = '7000000000'
      const { calls, answer, chosen } = await followErrors(app.url, '/api/v1/staking/agent/tx/stake', {
        method,
        wish: { amount },
      })
      assert.equal(answer.action, 'stake')
      const [{ id = '' } = {}] = (await app.client().validators({})).data
      assert.deepEqual(chosen, { amount, validatorId: id })
      assert(JSON.stringify(answer.commands).includes(amount))
      // The refusal that lists all that is missing, the key, the validators, and the build.
      assert(calls < 5, `${calls} calls`)
    })
