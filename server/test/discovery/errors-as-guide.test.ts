import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@stakewright/contract'
import { openTestApp } from '../support/test-app.ts'

type Request = { readonly method: string; readonly path: string; readonly body?: unknown }

/**
 * Asks for one path without a key, a body or a method that fits, and then does nothing but what `fix` and `next` of the
 * errors say: no field and no header of this API is written here.
 */
async function followErrors(url: string, goal: string) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  let request: Request = { method: 'GET', path: goal }
  let credentialHeader = ''
  for (let calls = 1; calls <= MOST_CALLS; calls++) {
    const { method, path, body } = request
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(new URL(path, url), init)
    const answer = JSON.parse(await response.text())
    if (response.ok && path === goal) return { calls, answer }
    if (response.ok) {
      // A detour that worked: what it gave is the credential that was missing.
      headers[credentialHeader] = findSecret(answer)
      request = { method: 'POST', path: goal }
      continue
    }
    const { fix, next } = answer as ErrorBody
    credentialHeader = /\bX-[\w-]+/.exec(fix)?.[0] ?? credentialHeader
    assert(next, `${method} ${path}: ${JSON.stringify(answer)}`)
    request = next
  }
  return assert.fail(`not there after ${MOST_CALLS} calls`)
}

const MOST_CALLS = 8

/** The one value that looks like a secret: long, and without spaces. */
function findSecret(answer: unknown): string {
  const [secret] = JSON.stringify(answer).match(/\w{40,}/) ?? []
  assert(secret, 'a secret was given')
  return secret
}

test('an agent without a key that follows errors alone has a built stake', async () => {
  await using app = await openTestApp()
  const { calls, answer } = await followErrors(app.url, '/api/v1/staking/agent/tx/stake')
  assert.equal(answer.action, 'stake')
  assert.equal(typeof answer.transaction, 'object')
  assert(calls <= 5, `${calls} calls`)
})
