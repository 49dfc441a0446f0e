import assert from 'node:assert/strict'
import { ERRORS } from '@stakewright/contract/errors'
import type { RawResponse } from './raw-client.ts'

/** Asserts an error answer with the common body, a known code, and the headers that belong to its status. */
export function assertErrorAnswer(response: RawResponse | undefined, status: number, name = ''): void {
  assert.ok(response, `${name}: there is an answer`)
  assert.equal(response.status, status, `${name}: ${response.body}`)
  assert.match(response.headers['content-type'] ?? '', /^application\/json/, name)
  assert.equal(response.headers['x-content-type-options'], 'nosniff', name)
  assert.equal(response.headers['cache-control'], 'no-store', name)
  const body = JSON.parse(response.body)
  assert.equal(body.status, status, name)
  assert.ok(Object.hasOwn(ERRORS, body.error), `${name}: ${body.error} is a known code`)
  assert.ok(body.message.length > 20, `${name}: the message says what to do`)
  assert.equal(body.requestId, response.headers['x-request-id'], name)
  assert.match(body.requestId, /^[0-9a-f]{32}$/, name)
  if (status === 405) assert.ok(response.headers.allow, `${name}: Allow`)
  if (status === 503) assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/, name)
}
