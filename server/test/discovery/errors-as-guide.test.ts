import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@stakewright/contract'
import { openTestApp } from '../support/test-app.ts'

type Request = { readonly method: string; readonly path: string; readonly body?: unknown }
type Fields = Readonly<Record<string, string>>

/**
 * Asks for one path without a key, a body or a method that fits, and then does nothing but what `fix`, `details` and
 * `next` of the errors say. It has a wish of its own; no path and no header of this API is written here.
 */
async function followErrors(url: string, goal: string, wish: Fields) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  let request: Request = { method: 'GET', path: goal }
  let credentialHeader = ''
  let chosen: Fields = {}
  let missing: string | undefined
  for (let calls = 1; calls <= MOST_CALLS; calls++) {
    const { method, path, body } = request
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(new URL(path, url), init)
    const answer = JSON.parse(await response.text())
    if (response.ok && path === goal) return { calls, answer, chosen }
    if (response.ok) {
      // A detour that worked gave what was missing: a value of a field, or else the credential.
      if (missing !== undefined) chosen = { ...chosen, [missing]: answer.data[0].id }
      else headers[credentialHeader] = findSecret(answer)
      request = { method: 'POST', path: goal, ...(missing !== undefined && { body: chosen }) }
      continue
    }
    const { fix, next, details = [] } = answer as ErrorBody
    credentialHeader = /\bX-[\w-]+/.exec(fix)?.[0] ?? credentialHeader
    const fields = details.map(({ field }) => field)
    chosen = {
      ...chosen,
      ...Object.fromEntries(Object.entries(wish).filter(([name]) => fields.includes(name))),
    }
    missing = fields.find((field) => !(field in wish))
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

for (const SANDBOX_SEED of ['1', '7']) {
  test(`seed ${SANDBOX_SEED}: an agent without a key that follows errors alone has the stake that it chose`, async () => {
    await using app = await openTestApp({ env: { SANDBOX_SEED } })
    const amount = '7000000000'
    const { calls, answer, chosen } = await followErrors(app.url, '/api/v1/staking/agent/tx/stake', {
      amount,
    })
    assert.equal(answer.action, 'stake')
    const [{ id = '' } = {}] = (await app.client().validators({})).data
    assert.deepEqual(chosen, { amount, validatorId: id })
    assert(JSON.stringify(answer.commands).includes(amount))
    // Wrong method, no key, the key, no input, the validators, and the build.
    assert(calls <= 6, `${calls} calls`)
  })
}
